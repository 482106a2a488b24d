// Cuts between rows that were counted: what they are worth, and what no cut among the rows of an interval can
// exceed, whatever the order of these rows. Of two classes of rows that weigh the same.
#pragma once

#include "treewright/interrupt.hpp"

namespace treewright {

struct TwoClassCount {
  std::uint32_t rows = 0, ones = 0;  // ones: rows of class 1

  TwoClassCount operator+(const TwoClassCount& more) const { return {rows + more.rows, ones + more.ones}; }
  TwoClassCount operator-(const TwoClassCount& less) const { return {rows - less.rows, ones - less.ones}; }
  TwoClassCount& operator+=(const TwoClassCount& more) { return *this = *this + more; }
  bool operator==(const TwoClassCount&) const = default;
};

// Gini: with D = ones on the left times all rows, less all ones times rows on the left,
//     D^2 / (rows on the left times rows on the right).
// It is right but for a few roundings as long as D is below 2^53, thus for up to kMostRows rows.
class GiniBound {
 public:
  static constexpr std::uint32_t kMostRows = std::uint32_t{1} << 26;

  explicit GiniBound(const TwoClassCount& all) : rows_(all.rows), ones_(all.ones) {}

  double score(double left_rows, double left_ones) const {
    const double away = left_ones * rows_ - ones_ * left_rows, sides = left_rows * (rows_ - left_rows);
    return away * away / std::max(sides, 0.5);  // a side without rows: away is 0
  }
  double score(const TwoClassCount& left) const { return score(left.rows, left.ones); }

  // The score is convex in rows and ones on the left. Those of any cut inside an interval lie in a
  // parallelogram, so it is highest in a corner: at an end of the interval, or where all rows of one class
  // come first. The ends are cuts of their own; this is the higher of the other two.
  double inside(double left_rows, double left_ones, double rows, double ones) const {
    return std::max(score(left_rows + ones, left_ones + ones), score(left_rows + (rows - ones), left_ones));
  }
  double inside(const TwoClassCount& left, const TwoClassCount& here) const {
    return inside(left.rows, left.ones, here.rows, here.ones);
  }

  // A cut or an interval with a lower score has no chance against one that has `score`, nor does it tie.
  static double floor_below(double score) { return score * (1 - 0x1p-38); }

 private:
  double rows_, ones_;
};

}  // namespace treewright
