#include "treewright/bit_kernels.hpp"

#include <algorithm>
#include <bit>

#include "treewright/clones.hpp"  // for TREEWRIGHT_CLONES

namespace treewright {
namespace {

template <std::size_t kWords>
[[gnu::always_inline]] inline RowCounts count(const RowSet<kWords>& rows, const RowSet<kWords>& among,
                                              const RowSet<kWords>& ones) {
  RowCounts counts{0, 0};
  for (std::size_t word = 0; word < kWords; ++word) {
    counts.rows += std::popcount(rows[word] & among[word]);
    counts.ones += std::popcount(rows[word] & ones[word]);
  }
  return counts;
}

// Not a number, or less than any, where there is no such cut.
template <std::size_t kWords>
[[gnu::always_inline]] inline float bound_of(const BitNode<kWords>& node, const RowCounts& left) {
  const auto away = static_cast<float>(left.ones * node.n - left.rows * node.n_ones);
  return away * away * node.inverse[static_cast<std::size_t>(left.rows)];
}

template <std::size_t kWords>
[[gnu::always_inline]] inline bool find(const BitColumns<kWords>& columns, const BitNode<kWords>& node,
                                        float bar, BitCuts& found) {
  for (; found.column < columns.n; ++found.column) {
    const auto *first = columns.cuts + columns.begins[found.column],
               *end = columns.cuts + columns.begins[found.column + 1];
    float highest = kNoBound;
    for (const auto* cut = first; cut != end; ++cut)
      highest = std::max(highest, bound_of(node, count(*cut, node.rows, node.ones)));
    if (highest < bar || highest == kNoBound) continue;
    // Between values that no row of the node has, cuts leave the same rows on the left.
    const float near = highest * (1 - 0x1p-20F);
    found.n = 0;
    std::int32_t before = 0;
    for (const auto* cut = first; cut != end; ++cut) {
      const auto left = count(*cut, node.rows, node.ones);
      if (left.rows > before && bound_of(node, left) >= near)
        found.cuts[found.n++] = {left, static_cast<std::size_t>(cut - first)};
      before = left.rows;
    }
    return true;
  }
  return false;
}

}  // namespace

TREEWRIGHT_CLONES bool find_cuts(const BitColumns<kFewWords>& columns, const BitNode<kFewWords>& node,
                                 float bar, BitCuts& found) {
  return find(columns, node, bar, found);
}

TREEWRIGHT_CLONES bool find_cuts(const BitColumns<kMoreWords>& columns, const BitNode<kMoreWords>& node,
                                 float bar, BitCuts& found) {
  return find(columns, node, bar, found);
}

TREEWRIGHT_CLONES RowCounts count_rows(const RowSet<kFewWords>& rows, const RowSet<kFewWords>& ones) {
  return count(rows, rows, ones);
}

TREEWRIGHT_CLONES RowCounts count_rows(const RowSet<kMoreWords>& rows, const RowSet<kMoreWords>& ones) {
  return count(rows, rows, ones);
}

}  // namespace treewright
