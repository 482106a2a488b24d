// A column at a node, what its splits have to keep to, and the search for its best cut.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "treewright/interrupt.hpp"         // for heed_interrupts
#include "treewright/recipe/candidate.hpp"  // for Candidate, bar_over, unevenness_of
#include "treewright/recipe/limits.hpp"     // for Limits, Arrangements, Monotone

namespace treewright {

// A column's slots at a node, in order of value; the first n_known have one.
template <class Index>
struct ListView {
  const Index* slot;
  std::uint32_t n, n_known;
  std::uint32_t n_categories = 0;  // declared, of a column of categories

  std::span<const Index> known() const { return {slot, n_known}; }
  std::span<const Index> missing() const { return {slot + n_known, n - n_known}; }
};

// Do entries i - 1 and i of a list have different values? By codes, of the block or of the whole table, or by
// asking; where there is nothing to tell by, all of them do.
template <class Index>
struct Boundaries {
  const Index* slots = nullptr;
  const Index* code = nullptr;                // by slot
  const std::uint16_t* table_code = nullptr;  // by slot
  bool (*differ)(const void* context, std::uint32_t i) = nullptr;
  const void* context = nullptr;

  bool operator()(std::uint32_t i) const {
    if (code != nullptr) return code[slots[i - 1]] != code[slots[i]];
    if (table_code != nullptr) return table_code[slots[i - 1]] != table_code[slots[i]];
    return differ == nullptr || differ(context, i);
  }
};

// First and last number of known values that may go left.
struct Reach {
  std::int64_t first, last;
  bool holds(std::int64_t i) const { return first <= i && i <= last; }
};

template <class Index>
struct SplitQuery {
  ListView<Index> list;
  Boundaries<Index> boundaries;
  Arrangements arrangements;
  const Limits& limits;
  Monotone monotone;
  std::uint32_t only_cut = 0;  // known values on the left of the one cut that is asked about; 0: of any

  std::int64_t n_scored() const { return arrangements.known_only ? list.n_known : list.n; }
  // Of those that are scored, rows without a value.
  std::int64_t n_missing() const { return n_scored() - list.n_known; }
  bool leaves_rows_out() const { return n_scored() < list.n; }
  bool tries_missing_left() const { return arrangements.left && n_missing() > 0; }

  // With the missing rows right: i | rest. With m missing rows left: i + m | rest.
  Reach reach(bool missing_left) const {
    const std::int64_t n_known = list.n_known, least = limits.min_rows_leaf;
    const auto most = arrangements.alone && n_missing() > 0 ? n_known : n_known - 1;
    Reach reach{least, std::min(n_scored() - least, most)};
    if (missing_left) reach = {std::max<std::int64_t>(1, least - n_missing()), n_known - least};
    if (only_cut == 0) return reach;
    return {std::max<std::int64_t>(reach.first, only_cut), std::min<std::int64_t>(reach.last, only_cut)};
  }

  // The same in any arrangement.
  Reach widest_reach() const {
    const auto right = reach(false);
    if (!tries_missing_left()) return right;
    const auto left = reach(true);
    return {std::min(left.first, right.first), std::max(left.last, right.last)};
  }

  // Whether a cut may lie between entries i - 1 and i; for categories, whether entry i begins another one.
  bool is_boundary(std::uint32_t i) const { return only_cut != 0 ? i == only_cut : boundaries(i); }

  // May the first i known values go left? `is_in_order()`: are the values of the sides as `monotone` asks?
  template <class InOrder>
  bool allows(std::int64_t i, std::int64_t left_weight, std::int64_t right_weight,
              const InOrder& is_in_order) const {
    const bool parts_values = i < list.n_known;
    return (!parts_values || is_boundary(static_cast<std::uint32_t>(i))) &&
           limits.allows_weights(left_weight, right_weight) &&
           (!parts_values || !monotone.is_asked() || is_in_order());
  }

  // Call look_at(begin, end) for the entries of each value or category.
  template <class Do>
  void for_each_value(const Do& look_at) const {
    for (std::uint32_t begin = 0, end = 0; begin < list.n_known; begin = end) {
      for (end = begin + 1; end < list.n_known && !is_boundary(end);) ++end;
      heed_interrupts_after(end - begin);
      look_at(begin, end);
    }
  }
};

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
//
// `left`: with the missing rows left; null: that is not tried.
template <class Criterion, class Lane, class Index>
void search_cuts(const SplitQuery<Index>& query, const Criterion& criterion, Lane& right, Lane* left,
                 Candidate& out) {
  const auto [first, last] = query.widest_reach();
  double floor = bar_over(criterion, out);  // of bounds: cuts below it cannot win
  for (auto base = first - 1; base < last; base += Lane::kCuts) {
    heed_interrupts_at(static_cast<std::size_t>(base - (first - 1)));
    const auto n = static_cast<std::size_t>(std::min<std::int64_t>(Lane::kCuts, last - base));
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
