// What a split has to keep to: limits, the order of answers by a column. Plain numbers, for grower and scan.
#pragma once

#include "treewright/interrupt.hpp"

namespace treewright {

// What is known of a node before its columns are looked at.
struct NodeStatistics {
  std::int64_t rows = 0;
  std::int64_t weight = 0;  // in units of Weights::unit
  bool is_pure = false;
  double impurity = 1;  // only kept up where Limits::min_impurity asks for it
};

// Why a node is a leaf; the ledger tells.
enum class Stop : std::uint8_t {
  None,  // it asks a question
  Empty,
  Pure,
  MaxDepth,
  TooFewRows,       // to be split
  TooFewForLeaves,  // ... into leaves as large as they must be
  TooLight,         // the same, of weights
  PureEnough,
  NoQuestion,  // no column has one
  TooLittleGain,
  LeavesSpent,  // other nodes took what the limit on leaves allows
};

// May this node be split, and may this cut exist?
struct Limits {
  std::int64_t max_depth = -1;  // -1: none
  std::int64_t min_rows_split = 2;
  std::int64_t min_rows_leaf = 1;
  double least_leaf = 0, least_split = 0;  // weights, as they are asked for
  std::int64_t min_weight_leaf = 0;        // ... in units of Weights::unit
  std::int64_t min_weight_split = 0;
  std::int64_t max_leaves = -1;  // -1: none
  double min_gain = 0;
  bool needs_gain = false;  // a split that gains nothing is none
  double min_impurity = 0;

  bool operator==(const Limits&) const = default;

  // Weights that miss a limit by `rounded` reach it.
  void measure_in(double unit, double rounded = 0) {
    const auto in_units = [&](double least) {
      if (!(least > 0)) return std::int64_t{0};
      // More than any node weighs, and twice that is still a whole number of 64 bits.
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

  // What a side must have of rows that weigh 1.
  std::int64_t least_side() const { return std::max({std::int64_t{1}, min_rows_leaf, min_weight_leaf}); }

  // A gain that misses the bound by rounding alone passes; scikit-learn's trees are grown so.
  // Where a gain is asked for, one that rounding may have made is none.
  bool allows_gain(double gain) const {
    return gain + 2.220446049250313e-16 >= min_gain && !(needs_gain && gain <= 0x1p-46);
  }
};

// Of some rows, and how far rounding may have moved it.
struct Value {
  double value, slack;
};

// Share of what a value measures that rounding alone may move it by.
inline constexpr double kValueRounding = 0x1p-46;

// What a node may answer.
struct Bounds {
  double low = -kInfinity;
  double high = kInfinity;

  bool operator==(const Bounds&) const = default;

  double clip(double value) const { return std::max(low, std::min(value, high)); }

  // A value on a bound is within it, whatever rounding made of either.
  bool hold(const Value& of) const { return of.value >= low - of.slack && of.value <= high + of.slack; }
};

// Must answers rise, or fall, with a column? Then a cut of it parts the range of answers as well as the rows.
//
// The value of some rows is the mean of their numbers (their median, where the criterion is the absolute
// error), or the share of class 1 of two. A cut of a bound column needs values of its sides that are in order
// and within the bounds of the node; the bounds of its children meet half-way between them. So all that lies
// below one child is on one side of that point, all below the other on the other side, if nodes answer with
// their value clipped to their bounds. The sides are those that are scored: rows without a value count with
// the side they join, and not at all where cuts are scored without them.
//
// Whoever has no value is neither low nor high, so "known or missing?" is no cut in this sense: it is not
// checked, and its children have the bounds of their parent, as those of all other columns.
struct Monotone {
  std::int8_t direction = 0;  // 1: answers rise with the column, -1: they fall, 0: nothing is asked
  Bounds bounds;

  bool is_asked() const { return direction != 0; }

  // `order`: sign of the left value less the right one, told exactly.
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
