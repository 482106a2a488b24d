#include <numbers>

#include "treewright/math/logarithm.hpp"  // for to_x_log_x
#include "treewright/search/cut_bounds.hpp"

namespace treewright {
namespace {

constexpr double kRounded = 1 + 0x1p-30;  // a few rounding errors are far smaller than this
constexpr std::size_t kMost = 256;        // intervals

// Adjacent intervals in doubles. Entry i of `left` and `away` is for the rows left of interval i; entry i + 1
// includes the interval.
struct Intervals {
  std::array<double, kMost + 1> left, away;
  std::array<double, kMost> weight, squares, sum;  // squares and sum are about the middle of the grid
};

TREEWRIGHT_INLINE double score_of(double all, double left, double away) {
  const double sides = left * (all - left), squared = away * away * all;
  return sides > 0 ? squared / sides : 0;
}

// An upper bound on the sum of squares of some rows about their mean.
TREEWRIGHT_INLINE double spread_of(double weight, double sum, double squares) {
  return std::max(0.0, squares * kRounded - sum * sum / weight * (1 - 0x1p-30));
}

// Bounds the score by a box around the ellipse described below.
TREEWRIGHT_INLINE void bound_numbers(double all, const Intervals* of, std::size_t n, double* scores,
                                     double* inside) {
  for (std::size_t i = 0; i < n; ++i) {
    const double first = of->left[i], last = of->left[i + 1], weight = of->weight[i];
    const double reach = std::sqrt(spread_of(std::max(weight, 1.0), of->sum[i], of->squares[i]) * weight) / 2;
    const double most = std::max(std::abs(of->away[i]), std::abs(of->away[i + 1])) + reach * kRounded;
    const double sides = std::min(first * (all - first), last * (all - last));
    const double bound = most * most * all * kRounded / std::max(sides, 0.5);
    scores[i] = score_of(all, last, of->away[i + 1]);
    inside[i] = sides > 0 ? bound : std::numeric_limits<double>::infinity();
  }
}

// With A = the left sum in steps, less the left weight times the node's mean, the sum of squares falls by
//     A^2 W / (W_left W_right)
//
// In an interval of weight c with sum of squares V about its mean, the sum of any rows of weight k differs
// from k times the mean by at most sqrt(k (c - k) V / c): an ellipse. At the rim of a node, where a side may
// have almost no rows, the squared sum of rows of weight k is at most k times the sum of their squares.
//
// With sums s of a side and S of the node, Poisson deviance falls by s log (s W / (W_side S)) over both
// sides: at most W / S times the above, as ln x <= x - 1. `closer` bounds what passes by corners of an
// octagon.
template <class Kind>
class NumberBounds final : public CutBounds<Kind> {
 public:
  using Count = typename Kind::Count;
  static constexpr bool kIsPoisson = std::is_same_v<typename Kind::Criterion, PoissonDeviance>;

  void enter(const Count& all, const typename Kind::Measure& measure) override {
    of_all_ = all;
    all_ = static_cast<double>(all.weight());
    sum_ = static_cast<double>(all.sum);
    mean_ = all.sum / all.weight();
    rest_ = static_cast<double>(all.sum - all.weight() * mean_) / all_;
    measure_ = measure;
    factor_ = kIsPoisson ? all_ / std::max(sum_, 1.0) / std::numbers::ln2 * kRounded : 1;
    whole_ = 0;
    if constexpr (kIsPoisson) whole_ = -poisson(0, 0);
  }

  double score(const Count& left) const override {
    const auto weight = static_cast<double>(left.weight());
    if constexpr (kIsPoisson) {
      const bool is_allowed = left.sum != 0 && left.sum != of_all_.sum;
      return is_allowed ? poisson(weight, static_cast<double>(left.sum))
                        : -std::numeric_limits<double>::infinity();
    }
    return score_of(all_, weight, raised(away(left), left));
  }

  void bound(std::span<const Count> intervals, Count left, double* scores, double* inside) const override {
    Intervals of;
    of.left[0] = static_cast<double>(left.weight());
    of.away[0] = raised(away(left), left);
    const auto before = left;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      const auto& here = intervals[i];
      of.weight[i] = static_cast<double>(here.weight());
      of.squares[i] = static_cast<double>(here.squares) * measure_.wide;
      of.sum[i] = from_middle(here);
      left += here;
      of.left[i + 1] = static_cast<double>(left.weight());
      of.away[i + 1] = raised(away(left), left);
    }
    Twins<bound_numbers>::call(all_, &of, intervals.size(), scores, inside);
    left = before;
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      if constexpr (kIsPoisson) {
        scores[i] = score(left += intervals[i]);
        inside[i] *= factor_;
      }
      if (intervals[i].rows < 2) inside[i] = scores[i];
    }
  }

  // Computed in the corners of an octagon around the ellipse.
  double closer(const Count& left, const Count& here, double inside) const override {
    if (here.rows < 2) return inside;
    const auto first = static_cast<double>(left.weight()), n = static_cast<double>(here.weight());
    const double from = away(left), sum = away(here), mean = sum / n, others = all_ - n;
    if (left.rows == 0 || left.rows + here.rows == of_all_.rows) {
      const double from_mean = raised(sum, here), squares = spread(here) + from_mean * from_mean / n;
      return std::min(inside, (others <= 0 ? 2 : all_ / others) * squares * kRounded * factor_);
    }
    const double raise = raised(0, left + here);
    constexpr double kCorner = 0.41421356237309515;  // of an octagon around the unit circle, rounded up
    const double far = reach(here);
    double best = 0;
    const auto look_at = [&](double along, double across) {
      const double k = n / 2 * (1 + along), at = from + k * mean + far * across;
      best = std::max(best, kIsPoisson ? poisson(first + k, at + (first + k) * (sum_ / all_))
                                       : score_of(all_, first + k, std::abs(at) + raise));
    };
    for (const double x : {-1.0, 1.0}) {
      for (const double y : {-kCorner, kCorner}) {
        look_at(x, y);
        look_at(y, x);
      }
    }
    return std::min(inside, best * kRounded + (kIsPoisson ? sum_ * kLogsOff : 0));
  }

  // A node's numbers are rounded to steps here, and to other steps, none wider, by the judge. That shifts the
  // roots of two scores; Poisson's score shifts by as many steps as there are bits in a share.
  double floor_below(double score) const override {
    if constexpr (kIsPoisson) return score - sum_ * kLogsOff - 2 * 64 * measure_.sum_off;
    const double raised = Kind::kWeighted ? 0x1p-35 * std::abs(sum_) / std::sqrt(all_) : 0;
    const double root = std::max(0.0, std::sqrt(score) - 2 * measure_.root_off - raised);
    return root * root * (1 - 0x1p-38);
  }

 private:
  static constexpr double kLogsOff = 32 * kLogError;

  double away(const Count& count) const {
    return static_cast<double>(count.sum - count.weight() * mean_) -
           static_cast<double>(count.weight()) * rest_;
  }
  // Moved away from 0 by the rounding error of weighted sums.
  double raised(double away, const Count& left) const {
    if constexpr (!Kind::kWeighted) return away;
    const double slack = 0x1p-49 * (static_cast<double>(left.sum) + static_cast<double>(left.weight()) *
                                                                        (static_cast<double>(mean_) + rest_));
    return away < 0 ? away - slack : away + slack;
  }
  double from_middle(const Count& count) const {
    return static_cast<double>(count.sum) - static_cast<double>(count.weight()) * measure_.middle;
  }
  double spread(const Count& count) const {
    return spread_of(static_cast<double>(count.weight()), from_middle(count),
                     static_cast<double>(count.squares) * measure_.wide);
  }
  // How far the sum of some of these rows may be from their share.
  double reach(const Count& count) const {
    return std::sqrt(spread(count) * static_cast<double>(count.weight())) / 2 * kRounded;
  }
  // No bound if a side has a negative sum, which happens in corners.
  double poisson(double left, double sum) const {
    const double right = all_ - left, rest = sum_ - sum;
    if (sum < 0 || rest < 0 || (left <= 0 && sum > 0) || (right <= 0 && rest > 0))
      return std::numeric_limits<double>::infinity();
    std::array<double, kLogsAtOnce> logs{sum, rest, left, right};
    to_x_log_x(logs.data(), logs.size());
    const double of_left = left > 0 ? sum * (logs[2] / left) : 0;
    const double of_right = right > 0 ? rest * (logs[3] / right) : 0;
    return whole_ + ((logs[0] - of_left) + (logs[1] - of_right));
  }

  double all_ = 1, sum_ = 0, rest_ = 0, factor_ = 1, whole_ = 0;
  Count of_all_;
  std::int64_t mean_ = 0;
  typename Kind::Measure measure_;
};

}  // namespace

template <class Kind>
std::unique_ptr<CutBounds<Kind>> cut_bounds(std::string_view criterion)
  requires(!Kind::kIsExact)
{
  const bool is_served = criterion == (NumberBounds<Kind>::kIsPoisson ? "poisson" : "variance");
  return is_served ? std::make_unique<NumberBounds<Kind>>() : nullptr;
}

#define TREEWRIGHT_BOUNDS_OF(...) \
  template std::unique_ptr<CutBounds<__VA_ARGS__>> cut_bounds(std::string_view)
TREEWRIGHT_FOR_NUMBER_KINDS(TREEWRIGHT_BOUNDS_OF);

}  // namespace treewright
