#include "treewright/math/logarithm.hpp"  // for to_x_log_x
#include "treewright/search/cut_bounds.hpp"

namespace treewright {
namespace {

// Two classes: the counts (rows, ones) left of a cut inside an interval lie in a parallelogram, so the score
// is highest in a corner: at an end of the interval, or where all its rows of one class come first.
//
// With D = ones on the left times all rows, minus all ones times rows on the left, the score is
//     D^2 / (all rows times rows on the left times rows on the right)
struct TwoClassGini {
  double rows = 0, ones = 0;  // of the node

  TREEWRIGHT_INLINE double score(double left_rows, double left_ones) const {
    const double away = left_ones * rows - ones * left_rows, sides = left_rows * (rows - left_rows);
    return away * away / (std::max(sides, 0.5) * rows);  // if a side is empty, away is 0
  }
};

// Intervals in doubles, with the counts on their left.
struct Intervals {
  std::array<double, CutBounds<TwoClassRows>::kMostIntervals> left_rows, left_ones, rows, ones;
};

TREEWRIGHT_INLINE void bound_gini(const TwoClassGini* of_node, const Intervals* of, std::size_t n,
                                  double* scores, double* inside) {
  const auto gini = *of_node;
  for (std::size_t i = 0; i < n; ++i) {
    const double rows = of->left_rows[i], ones = of->left_ones[i];
    scores[i] = gini.score(rows + of->rows[i], ones + of->ones[i]);
    inside[i] = std::max(gini.score(rows + of->ones[i], ones + of->ones[i]),
                         gini.score(rows + (of->rows[i] - of->ones[i]), ones));
  }
}

class TwoClassBounds final : public CutBounds<TwoClassRows> {
 public:
  void enter(const TwoClassCount& all, const TwoClassRows::Measure&) override {
    gini_ = {static_cast<double>(all.rows), static_cast<double>(all.ones)};
  }
  double score(const TwoClassCount& left) const override { return gini_.score(left.rows, left.ones); }
  void bound(std::span<const TwoClassCount> intervals, TwoClassCount left, double* scores,
             double* inside) const override {
    Intervals of;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      of.left_rows[i] = left.rows;
      of.left_ones[i] = left.ones;
      of.rows[i] = intervals[i].rows;
      of.ones[i] = intervals[i].ones;
      left += intervals[i];
    }
    Twins<bound_gini>::call(&gini_, &of, intervals.size(), scores, inside);
  }
  // A few rounding errors are far smaller than this margin.
  double floor_below(double score) const override { return score * (1 - 0x1p-38); }

 private:
  TwoClassGini gini_;
};

// The weight of some rows, by class and in total.
template <class Kind>
struct Weights {
  std::array<double, Kind::kMost> of{};
  double all = 0;

  Weights() = default;
  explicit Weights(const typename Kind::Count& count) : all(static_cast<double>(count.weight())) {
    if constexpr (std::is_same_v<Kind, TwoClassRows>) {
      of = {static_cast<double>(count.rows - count.ones), static_cast<double>(count.ones)};
    } else {
      std::ranges::copy(count.of, of.begin());
    }
  }
};

// Scores that are a sum over classes, or the square of a sum of roots, of terms that are convex in two
// weights: that of the class on the left, and that of all rows on the left. Inside an interval these two lie
// in a parallelogram, so a term is highest in one of its four corners, whatever the other classes do. (With
// two classes, one comes first where the other comes last.)
//
// With D_k = left weight of class k times total weight W, less weight of class k times left weight W_left:
// Gini is the sum of D_k^2 / (W W_left W_right); twoing is the square of the sum of the roots of that.
template <class Kind, bool kAddsRoots>
struct SquareTerms {
  static constexpr bool kRoots = kAddsRoots;
  Weights<Kind> node;

  struct Side {
    double left, inverse;
  };
  TREEWRIGHT_INLINE Side side(double left) const {
    const double sides = left * (node.all - left);
    return {left, sides > 0 ? 1 / (sides * node.all) : 0};  // if a side is empty, D_k is 0
  }
  TREEWRIGHT_INLINE double term(std::size_t k, double left_of, const Side& side) const {
    double away = left_of * node.all - node.of[k] * side.left;
    if constexpr (Kind::kWeighted) away = std::abs(away) + 0x1p-49 * node.all * side.left;  // covers rounding
    return away * away * side.inverse;
  }
  // A few rounding errors are far smaller than this margin, plus what weighted terms are raised by.
  double floor_below(double score) const {
    constexpr double kRaised = Kind::kWeighted ? 0x1p-36 * Kind::kMost : 0;
    const double root = std::max(0.0, std::sqrt(score) - kRaised * std::sqrt(node.all));
    return root * root * (1 - 0x1p-38);
  }
};

// Weight times Taylor entropy adds up (3 p - 4 p^2 + p^3) / 2, with p a class's share of a side.
template <class Kind>
struct TaylorTerms {
  static constexpr bool kRoots = false;
  Weights<Kind> node;

  struct Side {
    double left, inverse_left, inverse_right;
  };
  TREEWRIGHT_INLINE Side side(double left) const {
    return {left, 1 / std::max(left, 0.5), 1 / std::max(node.all - left, 0.5)};
  }
  TREEWRIGHT_INLINE static double of_side(double weight, double inverse) {
    const double share = weight * inverse;
    return weight * share * (2 - share / 2);
  }
  TREEWRIGHT_INLINE double term(std::size_t k, double left_of, const Side& side) const {
    return of_side(left_of, side.inverse_left) + of_side(node.of[k] - left_of, side.inverse_right) -
           of_side(node.of[k], 1 / node.all);
  }
  double floor_below(double score) const { return score - node.all * 0x1p-40; }
};

template <class Kind, class Terms>
TREEWRIGHT_INLINE double add_up(const std::array<double, Kind::kMost>& terms) {
  double sum = 0;
  for (std::size_t k = 0; k < terms.size(); ++k) sum += Terms::kRoots ? std::sqrt(terms[k]) : terms[k];
  return Terms::kRoots ? sum * sum : sum;
}

template <class Kind, class Terms>
TREEWRIGHT_INLINE void bound_classes(const Terms* of_node, const typename Kind::Count* intervals,
                                     std::size_t n, const typename Kind::Count* before, double* scores,
                                     double* inside) {
  constexpr auto kMost = Kind::kMost;
  const auto terms = *of_node;
  Weights<Kind> left(*before);
  std::array<double, kMost> ends, own_first, own_last, tops;
  auto side = terms.side(left.all);
  for (std::size_t k = 0; k < kMost; ++k) ends[k] = terms.term(k, left.of[k], side);
  for (std::size_t i = 0; i < n; ++i) {
    const Weights<Kind> here(intervals[i]);
    side = terms.side(left.all + here.all);
    for (std::size_t k = 0; k < kMost; ++k) {
      const double low = left.of[k], own = here.of[k], high = low + own;
      own_first[k] = terms.term(k, high, terms.side(left.all + own));
      own_last[k] = terms.term(k, low, terms.side(left.all + (here.all - own)));
      const double last = terms.term(k, high, side);
      tops[k] = std::max(std::max(own_first[k], own_last[k]), std::max(ends[k], last));
      ends[k] = last;
      left.of[k] = high;
    }
    left.all += here.all;
    scores[i] = add_up<Kind, Terms>(ends);
    if constexpr (kMost == 2) {
      std::swap(own_first[1], own_last[1]);
      inside[i] = std::max(add_up<Kind, Terms>(own_first), add_up<Kind, Terms>(own_last));
    } else {
      inside[i] = add_up<Kind, Terms>(tops);
    }
  }
}

template <class Kind, class Terms>
class ClassBounds final : public CutBounds<Kind> {
 public:
  using Count = typename Kind::Count;

  void enter(const Count& all, const typename Kind::Measure&) override { terms_.node = Weights<Kind>(all); }
  double score(const Count& count) const override {
    const Weights<Kind> left(count);
    const auto side = terms_.side(left.all);
    std::array<double, Kind::kMost> terms;
    for (std::size_t k = 0; k < terms.size(); ++k) terms[k] = terms_.term(k, left.of[k], side);
    return add_up<Kind, Terms>(terms);
  }
  void bound(std::span<const Count> intervals, Count left, double* scores, double* inside) const override {
    Twins<bound_classes<Kind, Terms>>::call(&terms_, intervals.data(), intervals.size(), &left, scores,
                                            inside);
  }
  double floor_below(double score) const override { return terms_.floor_below(score); }

 private:
  Terms terms_;
};

// The information gain of a cut: the sum over sides and classes of x log (x / weight of the side), less that
// of the whole node. It has such terms as well. Logarithms are computed in batches.
template <class Kind>
class EntropyBounds final : public CutBounds<Kind> {
 public:
  using Count = typename Kind::Count;

  void enter(const Count& all, const typename Kind::Measure&) override {
    node_ = Weights<Kind>(all);
    whole_ = 0;
    whole_ = -score({});
  }
  double score(const Count& left) const override {
    double score = 0, inside = 0;
    const Count none;
    bound({&none, 1}, left, &score, &inside);
    return score;
  }
  void bound(std::span<const Count> intervals, Count before, double* scores, double* inside) const override {
    Weights<Kind> left(before);
    Numbers x{}, logs;
    Cut first, last = take_logs(left, x, logs);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      first = last;
      const Weights<Kind> here(intervals[i]);
      for (std::size_t k = 0; k < kMost; ++k) {
        const double own = left.all + here.of[k], others = left.all + (here.all - here.of[k]);
        const std::array sides{own, node_.all - own, others, node_.all - others};
        std::ranges::copy(sides, x.begin() + static_cast<std::ptrdiff_t>(kSides + 4 * k));
        left.of[k] += here.of[k];
      }
      left.all += here.all;
      last = take_logs(left, x, logs);
      std::array<double, kMost> own_first, own_last;
      double score = whole_, tops = whole_;
      for (std::size_t k = 0; k < kMost; ++k) {
        const auto at = kSides + 4 * k;
        const double end = term(k, last, last.log_left, last.log_right);
        own_first[k] = term(k, last, log_at(at, x, logs), log_at(at + 1, x, logs));
        own_last[k] = term(k, first, log_at(at + 2, x, logs), log_at(at + 3, x, logs));
        score += end;
        tops += std::max(std::max(own_first[k], own_last[k]),
                         std::max(end, term(k, first, first.log_left, first.log_right)));
      }
      scores[i] = score;
      inside[i] =
          kMost > 2 ? tops : whole_ + std::max(own_first[0] + own_last[1], own_last[0] + own_first[1]);
    }
  }
  // Twice the error of a cut: over both sides, each x log x may be off by kLogError times x.
  double floor_below(double score) const override { return score - node_.all * (32 * kLogError); }

 private:
  static constexpr std::size_t kMost = Kind::kMost, kSides = 2 * kMost + 2;
  static constexpr auto kTerms = (kSides + 4 * kMost + kLogsAtOnce - 1) / kLogsAtOnce * kLogsAtOnce;
  using Numbers = std::array<double, kTerms>;

  struct Cut {
    Weights<Kind> left;
    std::array<double, 2 * kMost> logs;  // x log x, of each class on the left, then on the right
    double log_left, log_right;          // of the left and the right weight
  };

  // The logarithms of a cut, and of the further numbers in x.
  Cut take_logs(const Weights<Kind>& left, Numbers& x, Numbers& logs) const {
    for (std::size_t k = 0; k < kMost; ++k) {
      x[k] = left.of[k];
      x[kMost + k] = std::max(0.0, node_.of[k] - left.of[k]);
    }
    x[2 * kMost] = left.all;
    x[2 * kMost + 1] = node_.all - left.all;
    logs = x;
    to_x_log_x(logs.data(), kTerms);
    Cut cut{left, {}, log_at(2 * kMost, x, logs), log_at(2 * kMost + 1, x, logs)};
    std::copy_n(logs.begin(), cut.logs.size(), cut.logs.begin());
    return cut;
  }
  static double log_at(std::size_t i, const Numbers& x, const Numbers& x_log_x) {
    return x_log_x[i] / std::max(x[i], 0x1p-400);
  }
  double term(std::size_t k, const Cut& cut, double log_left, double log_right) const {
    const double left = cut.left.of[k];
    return (cut.logs[k] - left * log_left) + (cut.logs[kMost + k] - (node_.of[k] - left) * log_right);
  }

  Weights<Kind> node_;
  double whole_ = 0;
};

// The decrease in weight of rows outside the largest class of their side. Ties between cuts are frequent, and
// the most even cut wins: unevenness makes up the fractional part.
//
// The upper end of an interval has the most of every class on the left, the lower end the most on the right.
template <class Kind>
class MisclassificationBounds final : public CutBounds<Kind> {
 public:
  using Count = typename Kind::Count;

  void enter(const Count& all, const typename Kind::Measure&) override {
    node_ = Weights<Kind>(all);
    largest_ = std::ranges::max(node_.of);
  }
  double score(const Count& count) const override {
    const Weights<Kind> left(count);
    return best_between(left, left);
  }
  void bound(std::span<const Count> intervals, Count before, double* scores, double* inside) const override {
    Weights<Kind> from(before);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      auto to = from;
      const Weights<Kind> here(intervals[i]);
      for (std::size_t k = 0; k < kMost; ++k) to.of[k] += here.of[k];
      to.all += here.all;
      scores[i] = best_between(to, to);
      inside[i] = best_between(from, to);
      from = to;
    }
  }
  // A cut of another column with equal worth does not win by being more even.
  double floor_below(double score) const override { return std::ceil(score) - 0.5; }
  double floor_in_column(double score) const override { return score; }

 private:
  static constexpr std::size_t kMost = Kind::kMost;

  // The most that cuts between `from` and `to` can be worth: one class with its most rows on the left,
  // another one with its most on the right. One class may also be the largest on both sides.
  double best_between(const Weights<Kind>& from, const Weights<Kind>& to) const {
    double first = 0, second = 0, worth = 0;  // first, second: the largest right weights
    std::size_t largest = kMost;
    for (std::size_t k = 0; k < kMost; ++k) {
      const double right = node_.of[k] - from.of[k];
      second = std::max(second, std::min(first, right));
      if (right > first || largest == kMost) largest = k;
      first = std::max(first, right);
    }
    for (std::size_t k = 0; k < kMost; ++k)
      worth = std::max(worth, std::max(node_.of[k], to.of[k] + (k == largest ? second : first)));
    const double uneven = std::max(0.0, std::max(node_.all - 2 * to.all, 2 * from.all - node_.all));
    return (worth - largest_) - uneven / (2 * node_.all);
  }

  Weights<Kind> node_;
  double largest_ = 0;
};

}  // namespace

template <class Kind>
std::unique_ptr<CutBounds<Kind>> cut_bounds(std::string_view criterion)
  requires Kind::kIsExact
{
  if constexpr (std::is_same_v<Kind, TwoClassRows>) {
    // With two classes, twoing ranks cuts as Gini does.
    if (criterion == "gini" || criterion == "twoing") return std::make_unique<TwoClassBounds>();
  }
  if (criterion == "gini") return std::make_unique<ClassBounds<Kind, SquareTerms<Kind, false>>>();
  if (criterion == "twoing") return std::make_unique<ClassBounds<Kind, SquareTerms<Kind, true>>>();
  if (criterion == "taylor_entropy") return std::make_unique<ClassBounds<Kind, TaylorTerms<Kind>>>();
  // With more classes, logarithms take longer than lists do, unless the lists are weighted.
  if (criterion == "entropy" && (Kind::kMost <= 8 || Kind::kWeighted))
    return std::make_unique<EntropyBounds<Kind>>();
  // Weights would leave no room for unevenness in the fraction.
  if (criterion == "misclassification" && !Kind::kWeighted)
    return std::make_unique<MisclassificationBounds<Kind>>();
  return nullptr;
}

#define TREEWRIGHT_BOUNDS_OF(...) \
  template std::unique_ptr<CutBounds<__VA_ARGS__>> cut_bounds(std::string_view)
TREEWRIGHT_FOR_CLASS_KINDS(TREEWRIGHT_BOUNDS_OF);

}  // namespace treewright
