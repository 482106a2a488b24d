// Cuts between rows that were counted: what they are worth, and what no cut among the rows of an interval can
// exceed, whatever the order of these rows.
#pragma once

#include "treewright/search/number_counts.hpp"  // for TwoClassRows, ClassRows, NumberRows

namespace treewright {

// Scores of a criterion, in doubles, in units that are the same for all cuts of a node. They are convex in
// what is on the left.
template <class Kind>
class CutBounds {
 public:
  using Count = typename Kind::Count;
  static constexpr std::size_t kMostIntervals = 256;
  static constexpr std::uint32_t kMostRows = std::uint32_t{1} << 26;  // of a node: products of two are exact

  virtual ~CutBounds() = default;

  // Make ready for some rows, which are measured so.
  virtual void enter(const Count& all, const typename Kind::Measure& measure) = 0;
  virtual double score(const Count& left) const = 0;
  // Of intervals side by side, with so much on the left of the first: scores of the cuts behind them, and
  // what no cut inside exceeds that is better than those at both ends.
  virtual void bound(std::span<const Count> intervals, Count left, double* scores, double* inside) const = 0;
  // The same of one interval, perhaps lower, which takes longer to say.
  virtual double closer(const Count& /*left*/, const Count& /*here*/, double inside) const { return inside; }
  // A cut or an interval with a lower score has no chance against one with this score, nor does it tie, if
  // the score is that of a cut that `is_sure`.
  virtual double floor_below(double score) const = 0;
  // The same in one column, whose cuts may have an order beyond their scores.
  virtual double floor_in_column(double score) const { return floor_below(score); }
};

// Whether rounding leaves enough of a score: a millionth of the weight is on either side.
inline bool is_sure(std::int64_t left_weight, std::int64_t weight) {
  return std::min(left_weight, weight - left_weight) >= weight >> 20;
}

// By the word of the criterion; null: it has none.
template <class Kind>
std::unique_ptr<CutBounds<Kind>> cut_bounds(std::string_view criterion)
  requires Kind::kIsExact;
template <class Kind>
std::unique_ptr<CutBounds<Kind>> cut_bounds(std::string_view criterion)
  requires(!Kind::kIsExact);

}  // namespace treewright
