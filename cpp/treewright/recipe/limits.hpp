// What a split must respect: limits and monotone columns. Plain numbers, for the grower and the scans.
#pragma once

#include "treewright/interrupt.hpp"

namespace treewright {

// What is known of a node before its columns are searched.
struct NodeStatistics {
  std::int64_t rows = 0;
  std::int64_t weight = 0;  // in units of Weights::unit
  bool is_pure = false;
  double impurity = 1;  // only computed if Limits::min_impurity needs it
};

// Why a node is a leaf, for the ledger.
enum class Stop : std::uint8_t {
  None,  // it has a split
  Empty,
  Pure,
  MaxDepth,
  TooFewRows,       // to be split
  TooFewForLeaves,  // to be split into two leaves that are large enough
  TooLight,         // one of these two, by weight instead of rows
  PureEnough,
  NoQuestion,  // no column has a split
  TooLittleGain,
  LeavesSpent,  // other nodes used up the limit on leaves
};

// Limits on the nodes that are split, and on the sides of a split.
struct Limits {
  std::int64_t max_depth = -1;  // -1: none
  std::int64_t min_rows_split = 2;
  std::int64_t min_rows_leaf = 1;
  double least_leaf = 0, least_split = 0;  // weights, as the caller gives them
  std::int64_t min_weight_leaf = 0;        // the same in units of Weights::unit
  std::int64_t min_weight_split = 0;
  std::int64_t max_leaves = -1;  // -1: none
  double min_gain = 0;
  bool needs_gain = false;  // a split without a gain is not allowed
  double min_impurity = 0;

  bool operator==(const Limits&) const = default;

  // A weight that misses a limit by no more than `rounded` satisfies it.
  void measure_in(double unit, double rounded = 0) {
    const auto in_units = [&](double least) {
      if (!(least > 0)) return std::int64_t{0};
      // More than any node weighs, and its double still fits into 64 bits.
      return static_cast<std::int64_t>(std::clamp(std::ceil((least - rounded) / unit), 1.0, 0x1p61));
    };
    min_weight_leaf = in_units(least_leaf);
    min_weight_split = in_units(least_split);
  }

  Stop why_closed(const NodeStatistics& facts, std::int64_t depth) const {
    if (facts.rows == 0) return Stop::Empty;
    if (facts.is_pure) return Stop::Pure;
    if (depth == max_depth) return Stop::MaxDepth;
    if (facts.rows < min_rows_split) return Stop::TooFewRows;
    if (facts.rows < 2 * min_rows_leaf) return Stop::TooFewForLeaves;
    if (facts.weight < min_weight_split || facts.weight < 2 * min_weight_leaf) return Stop::TooLight;
    return facts.impurity <= min_impurity ? Stop::PureEnough : Stop::None;
  }

  // The fewest rows a side may have, if every row weighs 1.
  std::int64_t least_side() const { return std::max({std::int64_t{1}, min_rows_leaf, min_weight_leaf}); }

  // A gain that misses the minimum by rounding alone passes, as in scikit-learn. If a gain is needed, one
  // that rounding may have produced does not count.
  bool allows_gain(double gain) const {
    return gain + 2.220446049250313e-16 >= min_gain && !(needs_gain && gain <= 0x1p-46);
  }
};

// The value of some rows, and how far rounding may have moved it.
struct Value {
  double value, slack;
};

// Rounding error of a value, relative to the largest value there may be.
inline constexpr double kValueRounding = 0x1p-46;

// The range that a node's answer must lie in.
struct Bounds {
  double low = -kInfinity;
  double high = kInfinity;

  bool operator==(const Bounds&) const = default;

  double clip(double value) const { return std::max(low, std::min(value, high)); }

  // A value outside the bounds by no more than its rounding error is allowed.
  bool hold(const Value& of) const { return of.value >= low - of.slack && of.value <= high + of.slack; }
};

// If answers must rise, or fall, with a column, a cut of it divides the range of answers as well as the rows.
//
// The value of some rows is their mean (their median, if the criterion is the absolute error), or the share
// of class 1 of two. A cut of a constrained column is allowed if the values of its sides are in order and
// within the bounds of the node. The bounds of its children meet half-way between these two values. So if
// every node answers with its value clipped to its bounds, the answers below one child all lie on one side of
// that point, and those below the other child on the other side. Sides are taken as they are scored: rows
// with a missing value count with the side they join, or not at all if cuts are scored without them.
//
// A missing value is neither low nor high. So the split "known or missing?" is not checked, and its children
// keep the bounds of their parent, as do those of all unconstrained columns.
struct Monotone {
  std::int8_t direction = 0;  // 1: answers rise with the column, -1: they fall, 0: no constraint
  Bounds bounds;

  bool is_asked() const { return direction != 0; }

  // `order`: the exact sign of the left value minus the right one.
  bool allows(int order, const Value& left, const Value& right) const {
    return order * direction <= 0 && bounds.hold(left) && bounds.hold(right);
  }
};

// Sign of a / weight_a - b / weight_b.
inline int compare_means(std::int64_t a, std::int64_t weight_a, std::int64_t b, std::int64_t weight_b) {
  const auto left = static_cast<Int128>(a) * weight_b, right = static_cast<Int128>(b) * weight_a;
  return left < right ? -1 : left > right;
}

}  // namespace treewright
