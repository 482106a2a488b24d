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
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "treewright/portable.hpp"  // for Int128

namespace treewright {

// Of some rows, and how far rounding may have moved it.
struct Value {
  double value, slack;
};

// Share of what a value measures that rounding alone may move it by.
inline constexpr double kValueRounding = 0x1p-46;

// What a node may answer.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool operator==(const Bounds&) const = default;

  double clip(double value) const { return std::max(low, std::min(value, high)); }

  // A value on a bound is within it, whatever rounding made of either.
  bool hold(const Value& of) const { return of.value >= low - of.slack && of.value <= high + of.slack; }
};

// What is asked of the cuts of one column at a node.
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
