// Cuts between rows that were counted: what they are worth, and what no cut among the rows of an interval can
// exceed, whatever the order of these rows.
#pragma once

#include "treewright/search/row_counts.hpp"  // for TwoClassRows, ManyClassRows, NumberRows

namespace treewright {

// Scores of a criterion, in doubles, in units that are the same for all cuts of a node. They are convex in
// what is on the left.
template <class Kind>
class CutBounds {
 public:
  using Count = typename Kind::Count;
  static constexpr std::size_t kMostIntervals = 256, kIntervalsAtOnce = 8;
  static constexpr std::uint32_t kMostRows = std::uint32_t{1} << 26;  // of a node: products of two are exact

  virtual ~CutBounds() = default;

  // Make ready for a node, which is measured so.
  virtual void enter(const Count& all, const typename Kind::Measure& measure) = 0;
  virtual double score(const Count& left) const = 0;
  // Of intervals side by side, a multiple of kIntervalsAtOnce, with so much on the left of the first: scores
  // of the cuts behind them, and what no cut inside exceeds that is better than those at both ends.
  virtual void bound(std::span<const Count> intervals, Count left, double* scores, double* inside) const = 0;
  // The same of one interval, perhaps lower, which takes longer to say.
  virtual double closer(const Count& /*left*/, const Count& /*here*/, double inside) const { return inside; }
  // A cut or an interval with a lower score has no chance against one with this score, nor does it tie.
  virtual double floor_below(double score) const = 0;
};

// By the word of the criterion; null: it has none.
template <class Kind>
std::unique_ptr<CutBounds<Kind>> cut_bounds(std::string_view criterion);
template <>
std::unique_ptr<CutBounds<TwoClassRows>> cut_bounds(std::string_view criterion);
template <>
std::unique_ptr<CutBounds<FewClassRows>> cut_bounds(std::string_view criterion);
template <>
std::unique_ptr<CutBounds<MoreClassRows>> cut_bounds(std::string_view criterion);
template <>
std::unique_ptr<CutBounds<NumberRows>> cut_bounds(std::string_view criterion);

}  // namespace treewright
