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

// Scores of a criterion, in doubles, in units that are the same for all cuts of a node.
//
// They are convex in rows and ones on the left. Those of any cut inside an interval lie in a parallelogram,
// so the score is highest in a corner: at an end of the interval, or where all rows of one class come first.
class TwoClassBounds {
 public:
  static constexpr std::size_t kMostIntervals = 256, kIntervalsAtOnce = 8;
  static constexpr std::uint32_t kMostRows = std::uint32_t{1} << 26;  // of a node: products of two are exact

  virtual ~TwoClassBounds() = default;

  // Make ready for a node.
  virtual void enter(const TwoClassCount& all) = 0;
  virtual double score(const TwoClassCount& left) const = 0;
  // Of intervals side by side, a multiple of kIntervalsAtOnce, with so much on the left of the first: scores
  // of the cuts behind them, and the higher score of the corners that are not their ends.
  virtual void bound(std::span<const TwoClassCount> intervals, TwoClassCount left, double* scores,
                     double* inside) const = 0;
  // A cut or an interval with a lower score has no chance against one with this score, nor does it tie.
  virtual double floor_below(double score) const = 0;
};

// By the word of the criterion; null: it has none.
std::unique_ptr<TwoClassBounds> two_class_bounds(std::string_view criterion);

}  // namespace treewright
