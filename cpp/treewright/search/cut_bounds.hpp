// Cuts between counted rows: their scores, and upper bounds on the scores of cuts inside an interval that
// hold whatever the order of its rows.
#pragma once

#include "treewright/search/number_counts.hpp"  // for TwoClassRows, ClassRows, NumberRows

namespace treewright {

// Scores of a criterion in doubles, in one unit for all cuts of a node. They are convex in the counts on the
// left.
template <class Kind>
class CutBounds {
 public:
  using Count = typename Kind::Count;
  static constexpr std::size_t kMostIntervals = 256;
  static constexpr std::uint32_t kMostRows = std::uint32_t{1} << 26;  // of a node: products of two are exact

  virtual ~CutBounds() = default;

  // Prepare for cuts of these rows, whose targets are measured by `measure`.
  virtual void enter(const Count& all, const typename Kind::Measure& measure) = 0;
  virtual double score(const Count& left) const = 0;
  // For adjacent intervals, with `left` before the first: the score of the cut behind each, and an upper
  // bound on any cut inside it that beats the cuts at both its ends.
  virtual void bound(std::span<const Count> intervals, Count left, double* scores, double* inside) const = 0;
  // A bound for one interval that may be tighter, but takes longer to compute.
  virtual double closer(const Count& /*left*/, const Count& /*here*/, double inside) const { return inside; }
  // A cut or interval with a score below this cannot beat or tie with a cut of the given score, provided that
  // this cut `is_sure`.
  virtual double floor_below(double score) const = 0;
  // The same within one column, where ties between scores may be broken by a further rule.
  virtual double floor_in_column(double score) const { return floor_below(score); }
};

// Whether a score is accurate enough despite rounding: each side has at least a millionth of the weight.
inline bool is_sure(std::int64_t left_weight, std::int64_t weight) {
  return std::min(left_weight, weight - left_weight) >= weight >> 20;
}

// For the criterion of this name; null: it has no bounds.
template <class Kind>
std::unique_ptr<CutBounds<Kind>> cut_bounds(std::string_view criterion)
  requires Kind::kIsExact;
template <class Kind>
std::unique_ptr<CutBounds<Kind>> cut_bounds(std::string_view criterion)
  requires(!Kind::kIsExact);

}  // namespace treewright
