#include "treewright/search/cut_bounds.hpp"

namespace treewright {
namespace {

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
    double rows = left.rows, sum = away(left);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      const auto& here = intervals[i];
      const double first = rows, from = sum;
      left += here;
      rows = left.rows;
      sum = away(left);
      inside[i] = scores[i] = score(rows, sum);
      if (here.rows < 2) continue;
      const double most = std::max(std::abs(from), std::abs(sum)) + reach(here);
      const double sides = std::min(first * (rows_ - first), rows * (rows_ - rows));
      inside[i] =
          sides > 0 ? most * most * rows_ / sides * kRounded : std::numeric_limits<double>::infinity();
    }
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
  static constexpr double kRounded = 1 + 0x1p-30;  // a few roundings lie far below this

  double away(const NumberCount& count) const {
    return static_cast<double>(count.sum - count.rows * mean_) - count.rows * rest_;
  }
  double score(double left_rows, double sum) const {
    const double sides = left_rows * (rows_ - left_rows);
    return sides > 0 ? sum * sum * rows_ / sides : 0;
  }
  // No less than the sum of squares about the mean of these rows.
  double spread(const NumberCount& count) const {
    const double sum = static_cast<double>(count.sum - count.rows * middle_);
    return std::max(0.0, static_cast<double>(count.squares) * wide_step_ * kRounded -
                             sum * sum / count.rows * (1 - 0x1p-30));
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
