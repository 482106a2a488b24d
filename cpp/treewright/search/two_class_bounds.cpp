#include "treewright/math/logarithm.hpp"  // for to_x_log_x
#include "treewright/search/cut_bounds.hpp"

namespace treewright {
namespace {

// Cuts inside an interval lie in a parallelogram of rows and ones on the left, so the score is highest in a
// corner: at an end of the interval, or where all rows of one class come first.
using TwoClassBounds = CutBounds<TwoClassRows>;
constexpr std::size_t kMost = TwoClassBounds::kMostIntervals;

// Intervals in doubles, with what is on their left.
struct Intervals {
  std::array<double, kMost> left_rows, left_ones, rows, ones;

  Intervals(std::span<const TwoClassCount> intervals, TwoClassCount left) {
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      left_rows[i] = left.rows;
      left_ones[i] = left.ones;
      rows[i] = intervals[i].rows;
      ones[i] = intervals[i].ones;
      left += intervals[i];
    }
  }
};

// With D = ones on the left times all rows, less all ones times rows on the left:
//     D^2 / (rows on the left times rows on the right)
struct Gini {
  double rows = 0, ones = 0;  // of the node

  TREEWRIGHT_INLINE double score(double left_rows, double left_ones) const {
    const double away = left_ones * rows - ones * left_rows, sides = left_rows * (rows - left_rows);
    return away * away / std::max(sides, 0.5);  // a side without rows: away is 0
  }
};

TREEWRIGHT_INLINE void bound_gini(const Gini* of_node, const Intervals* of, std::size_t n, double* scores,
                                  double* inside) {
  const auto gini = *of_node;
  for (std::size_t i = 0; i < n; ++i) {
    const double rows = of->left_rows[i], ones = of->left_ones[i];
    scores[i] = gini.score(rows + of->rows[i], ones + of->ones[i]);
    inside[i] = std::max(gini.score(rows + of->ones[i], ones + of->ones[i]),
                         gini.score(rows + (of->rows[i] - of->ones[i]), ones));
  }
}

class GiniBounds final : public TwoClassBounds {
 public:
  void enter(const TwoClassCount& all, const TwoClassRows::Measure&) override {
    gini_ = {static_cast<double>(all.rows), static_cast<double>(all.ones)};
  }
  double score(const TwoClassCount& left) const override { return gini_.score(left.rows, left.ones); }
  void bound(std::span<const TwoClassCount> intervals, TwoClassCount left, double* scores,
             double* inside) const override {
    const Intervals of(intervals, left);
    Twins<bound_gini>::call(&gini_, &of, intervals.size(), scores, inside);
  }
  // A few roundings lie far below this.
  double floor_below(double score) const override { return score * (1 - 0x1p-38); }

 private:
  Gini gini_;
};

// The information that a cut leaves, by which the gain falls short of that of the node: over the sides, the
// sum of x log x over their classes less that of their rows.
class EntropyBounds final : public TwoClassBounds {
 public:
  void enter(const TwoClassCount& all, const TwoClassRows::Measure&) override {
    rows_ = all.rows;
    ones_ = all.ones;
    whole_ = 0;
    whole_ = -score({});
  }
  double score(const TwoClassCount& left) const override {
    std::array<double, kTerms * kIntervalsAtOnce> terms{};
    write_terms(left.rows, left.ones, terms.data());
    to_x_log_x(terms.data(), terms.size());
    return add_up(terms.data());
  }
  void bound(std::span<const TwoClassCount> intervals, TwoClassCount left, double* scores,
             double* inside) const override {
    const Intervals of(intervals, left);
    const auto n = intervals.size();
    std::array<double, kTerms * kMost> terms;
    const auto score_all = [&](double* to, const auto& more_rows, const auto& more_ones) {
      for (std::size_t i = 0; i < n; ++i)
        write_terms(of.left_rows[i] + more_rows(i), of.left_ones[i] + more_ones(i),
                    terms.data() + i * kTerms);
      to_x_log_x(terms.data(), n * kTerms);
      for (std::size_t i = 0; i < n; ++i) to[i] = add_up(terms.data() + i * kTerms);
    };
    const auto all = [&](std::size_t i) { return of.rows[i]; };
    const auto ones = [&](std::size_t i) { return of.ones[i]; };
    const auto zeros = [&](std::size_t i) { return of.rows[i] - of.ones[i]; };
    const auto none = [](std::size_t) { return 0.0; };
    score_all(inside, ones, ones);
    score_all(scores, zeros, none);
    for (std::size_t i = 0; i < n; ++i) inside[i] = std::max(inside[i], scores[i]);
    score_all(scores, all, ones);
  }
  // Of twelve terms, each may be off by kLogError a row.
  double floor_below(double score) const override { return score - rows_ * (32 * kLogError); }

 private:
  static constexpr std::size_t kTerms = 6;

  void write_terms(double left_rows, double left_ones, double* terms) const {
    const double rows = rows_ - left_rows, ones = ones_ - left_ones;
    const std::array all{left_ones, left_rows - left_ones, left_rows, ones, rows - ones, rows};
    std::copy(all.begin(), all.end(), terms);
  }
  double add_up(const double* terms) const {
    return whole_ + ((terms[0] + terms[1] - terms[2]) + (terms[3] + terms[4] - terms[5]));
  }

  double rows_ = 0, ones_ = 0, whole_ = 0;
};

}  // namespace

template <>
std::unique_ptr<TwoClassBounds> cut_bounds(std::string_view criterion) {
  // Of two classes, twoing scores cuts as Gini does.
  if (criterion == "gini" || criterion == "twoing") return std::make_unique<GiniBounds>();
  if (criterion == "entropy") return std::make_unique<EntropyBounds>();
  return nullptr;
}

}  // namespace treewright
