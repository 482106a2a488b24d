// The best cut of a column, in every arrangement of its missing rows. Cuts are looked at in runs: upper
// bounds of their scores first, exact scores where one of them may win.
//
// A `Lane` follows one arrangement along the list:
//
//   kCuts                        the length of a run
//   reach                        first and last number of known values that may go left
//   bound(base, n, floor)        bound the cuts that leave base + 1, ..., base + n known values left, in
//                                `bounds`; the largest. What is below the floor need not be near.
//   left_weight(j), right_weight(j), is_in_order(monotone, j)
//                                what is on either side of cut j of the run
//   exact_score(j, worth)        of such a cut; less is enough where it would not be worth more than `worth`
//   floor_of(j)                  (if it has it) at least this floor is what the cut sets
//   record(j, out)               (if it has it) what else a candidate keeps of its cut
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "treewright/interrupt.hpp"           // for heed_interrupts
#include "treewright/recipe/candidate.hpp"    // for Candidate, bar_over, unevenness_of
#include "treewright/search/split_query.hpp"  // for SplitQuery

namespace treewright {

// `left`: with the missing rows left; null: that is not tried.
template <class Criterion, class Lane, class Index>
void search_cuts(const SplitQuery<Index>& query, const Criterion& criterion, Lane& right, Lane* left,
                 Candidate& out) {
  const auto [first, last] = query.widest_reach();
  double floor = bar_over(criterion, out);  // of bounds: cuts below it cannot win
  for (auto base = first - 1; base < last; base += Lane::kCuts) {
    heed_interrupts_at(static_cast<std::size_t>(base - (first - 1)));
    const auto n =
        Lane::kCuts == 1 ? 1 : static_cast<std::size_t>(std::min<std::int64_t>(Lane::kCuts, last - base));
    double top = right.bound(base, n, floor);
    if (left != nullptr) top = std::max(top, left->bound(base, n, floor));
    if (top < floor) continue;
    const auto is_allowed = [&](Lane& lane, std::size_t j) {
      const auto i = base + static_cast<std::int64_t>(j) + 1;
      return lane.reach.holds(i) && query.allows(i, lane.left_weight(j), lane.right_weight(j),
                                                 [&] { return lane.is_in_order(query.monotone, j); });
    };
    // Where bounds are near the scores, only what is as good as the best of the run gets an exact one.
    double floor_here = floor;
    if constexpr (requires { right.floor_of(0); }) {
      const auto raise = [&](Lane& lane, std::size_t j) {
        if (lane.bounds[j] < floor_here) return;
        const double raised = lane.floor_of(j);
        if (raised > floor_here && is_allowed(lane, j)) floor_here = raised;
      };
      for (std::size_t j = 0; out.every == nullptr && j < n; ++j) {
        raise(right, j);
        if (left != nullptr) raise(*left, j);
      }
    }
    const auto try_cut = [&](Lane& lane, std::size_t j, bool missing_left) {
      if (!(lane.bounds[j] >= std::max(floor, floor_here))) return;
      const auto uneven = unevenness_of<Criterion>(lane.left_weight(j), lane.right_weight(j));
      if (kPrefersEvenSides<Criterion> && !out.takes(lane.bounds[j], uneven)) return;
      if (!is_allowed(lane, j)) return;
      const auto i = static_cast<std::uint32_t>(base + static_cast<std::int64_t>(j) + 1);
      if (!out.offer(lane.exact_score(j, out.score.worth), i, missing_left, uneven)) return;
      if constexpr (requires { lane.record(j, out); }) lane.record(j, out);
      floor = bar_over(criterion, out);
    };
    // In the order of ties: at one cut, missing to the right first.
    for (std::size_t j = 0; j < n; ++j) {
      try_cut(right, j, false);
      if (left != nullptr) try_cut(*left, j, true);
    }
  }
}

}  // namespace treewright
