#include "treewright/search/cut_bounds.hpp"

namespace treewright {
namespace {

constexpr double kRounded = 1 + 0x1p-30;  // a few roundings lie far below this
constexpr std::size_t kMost = CutBounds<NumberRows>::kMostIntervals;

// Intervals side by side, in doubles. Entry i of `left_rows` and `away` is what the left of interval i has,
// and entry i + 1 what it has with it.
struct Intervals {
  std::array<double, kMost + 1> left_rows, away;
  std::array<double, kMost> rows, squares, sum;  // from the middle of the grid
};

TREEWRIGHT_INLINE double score_of(double all_rows, double left_rows, double away) {
  const double sides = left_rows * (all_rows - left_rows), squared = away * away * all_rows;
  return sides > 0 ? squared / sides : 0;
}

// No less than the sum of squares about their mean of some rows.
TREEWRIGHT_INLINE double spread_of(double rows, double sum, double squares) {
  return std::max(0.0, squares * kRounded - sum * sum / rows * (1 - 0x1p-30));
}

// In a box around the ellipse.
TREEWRIGHT_INLINE void bound_numbers(double all_rows, const Intervals* of, std::size_t n, double* scores,
                                     double* inside) {
  for (std::size_t i = 0; i < n; ++i) {
    const double first = of->left_rows[i], last = of->left_rows[i + 1], rows = of->rows[i];
    const double reach = std::sqrt(spread_of(std::max(rows, 1.0), of->sum[i], of->squares[i]) * rows) / 2;
    const double most = std::max(std::abs(of->away[i]), std::abs(of->away[i + 1])) + reach * kRounded;
    const double sides = std::min(first * (all_rows - first), last * (all_rows - last));
    const double bound = most * most * all_rows * kRounded / std::max(sides, 0.5);
    scores[i] = score_of(all_rows, last, of->away[i + 1]);
    inside[i] = sides > 0 ? bound : std::numeric_limits<double>::infinity();
    inside[i] = rows < 2 ? scores[i] : inside[i];
  }
}

// With A the sum on the left less what the mean of the node gives, in steps:
//     A^2 rows / (rows on the left times rows on the right)
//
// Of an interval of c rows with the sum of squares V about their mean, any k rows together are no further
// than sqrt(k (c - k) V / c) from their share: an ellipse. At the rim of a node, where cuts leave next to
// nothing on a side, the square of the sum of k numbers is at most k times the sum of their squares.
class VarianceBounds final : public CutBounds<NumberRows> {
 public:
  void enter(const NumberCount& all, const NumberRows::Measure& measure) override {
    rows_ = all.rows;
    mean_ = all.sum / all.rows;
    rest_ = static_cast<double>(all.sum - all.rows * mean_) / rows_;
    middle_ = measure.middle();
    wide_step_ = std::ldexp(1.0, 2 * measure.wide_step());
  }

  double score(const NumberCount& left) const override { return score(left.rows, away(left)); }

  void bound(std::span<const NumberCount> intervals, NumberCount left, double* scores,
             double* inside) const override {
    Intervals of;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      const auto& here = intervals[i];
      of.left_rows[i] = left.rows;
      of.away[i] = away(left);
      of.rows[i] = here.rows;
      of.squares[i] = static_cast<double>(here.squares) * wide_step_;
      of.sum[i] = from_middle(here);
      left += here;
    }
    of.left_rows[intervals.size()] = left.rows;
    of.away[intervals.size()] = away(left);
    Twins<bound_numbers>::call(rows_, &of, intervals.size(), scores, inside);
  }

  // In the corners of an octagon around the ellipse.
  double closer(const NumberCount& left, const NumberCount& here, double inside) const override {
    if (here.rows < 2) return inside;
    const double first = left.rows, n = here.rows, from = away(left), sum = away(here), mean = sum / n;
    const double others = rows_ - n, behind = others - first;
    if (first == 0 || behind == 0) {
      const double squares = spread(here) + sum * mean;
      return (others == 0 ? 2 : rows_ / others) * squares * kRounded;
    }
    constexpr double kCorner = 0.41421356237309515;  // of an octagon about the unit circle, rounded up
    const double far = reach(here);
    double best = 0;
    const auto look_at = [&](double along, double across) {
      const double k = n / 2 * (1 + along);
      best = std::max(best, score(first + k, from + k * mean + far * across));
    };
    for (const double x : {-1.0, 1.0}) {
      for (const double y : {-kCorner, kCorner}) {
        look_at(x, y);
        look_at(y, x);
      }
    }
    return std::min(inside, best * kRounded);
  }

  // Numbers of a node are rounded to steps here, and to other steps by the judge, none of them wider. Two
  // steps a row, at most, move the root of a score by 2 sqrt(rows).
  double floor_below(double score) const override {
    const double root = std::max(0.0, std::sqrt(score) - 8 * std::sqrt(rows_));
    return root * root * (1 - 0x1p-38);
  }

 private:
  double away(const NumberCount& count) const {
    return static_cast<double>(count.sum - count.rows * mean_) - count.rows * rest_;
  }
  double score(double left_rows, double sum) const { return score_of(rows_, left_rows, sum); }
  double from_middle(const NumberCount& count) const {
    return static_cast<double>(count.sum - count.rows * middle_);
  }
  double spread(const NumberCount& count) const {
    return spread_of(count.rows, from_middle(count), static_cast<double>(count.squares) * wide_step_);
  }
  // How far some of these rows may be from their share.
  double reach(const NumberCount& count) const {
    return std::sqrt(spread(count) * count.rows) / 2 * kRounded;
  }

  double rows_ = 0, rest_ = 0, wide_step_ = 1;
  std::int64_t mean_ = 0, middle_ = 0;
};

}  // namespace

template <>
std::unique_ptr<CutBounds<NumberRows>> cut_bounds(std::string_view criterion) {
  return criterion == "variance" ? std::make_unique<VarianceBounds>() : nullptr;
}

}  // namespace treewright
