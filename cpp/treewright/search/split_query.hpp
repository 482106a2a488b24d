// A column at a node, and what its splits have to keep to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "treewright/interrupt.hpp"      // for heed_interrupts
#include "treewright/recipe/limits.hpp"  // for Limits, Arrangements, Monotone

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

}  // namespace treewright
