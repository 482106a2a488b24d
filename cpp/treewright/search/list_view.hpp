// A column at a node: its slots in order of value, and which numbers of them may go left.
#pragma once

#include <algorithm>
#include <cstdint>

namespace treewright {

// A column's slots at a node, in order of value; the first n_known have one.
template <class Index>
struct ListView {
  const Index* slot;
  std::uint32_t n, n_known;
  std::uint32_t n_categories = 0;  // declared, of a column of categories
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

// With the missing rows right: i | rest. With m missing rows left: i + m | rest.
inline Reach reach_missing_right(std::int64_t n, std::int64_t n_known, std::int64_t min_rows, bool alone) {
  return {min_rows, std::min(n - min_rows, alone && n > n_known ? n_known : n_known - 1)};
}
inline Reach reach_missing_left(std::int64_t n, std::int64_t n_known, std::int64_t min_rows) {
  return {std::max<std::int64_t>(1, min_rows - (n - n_known)), n_known - min_rows};
}

}  // namespace treewright
