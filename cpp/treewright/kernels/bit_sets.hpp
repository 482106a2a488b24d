// The inner loop of nodes that are sets of bits: who is on the left of every cut, counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

// Some of up to 64 or 256 rows.
template <std::size_t kWords>
using RowSet = std::array<std::uint64_t, kWords>;

inline constexpr std::size_t kFewWords = 1, kMoreWords = 4;

// A node of two classes.
template <std::size_t kWords>
struct BitNode {
  RowSet<kWords> rows, ones;  // all, and those of class 1
  std::int32_t n, n_ones;
  std::int32_t least_sides;  // rows on one side times those on the other: no less is allowed, from n - 1 on
};

struct RowCounts {
  std::int32_t rows, ones;
};

// What every cut leaves on the left, and what it may be worth; room that serves one node after the other.
struct BitCounts {
  std::vector<std::int32_t> rows, ones;
  std::vector<std::int32_t> bounds, tops;  // bits of floats: of each cut, of the highest of a few
};

// Write down, in order, the cuts that may be the best: those with the highest
//     (n ones on the left - all ones rows on the left)^2 / (rows on the left rows on the right)
// but for rounding. None, where no cut leaves enough rows on both sides.
template <std::size_t kWords>
void find_best_cuts(std::span<const RowSet<kWords>> cuts, const BitNode<kWords>& node, BitCounts& counts,
                    std::vector<std::uint32_t>& best);

// Write, for each code below n_codes but the last that a row has, the rows whose code is no higher; once,
// where the next codes have no rows. Returns how many sets these are; there must be room for one a code.
template <std::size_t kWords>
std::uint32_t write_cuts(const std::uint8_t* codes, std::uint32_t n, std::uint32_t n_codes,
                         RowSet<kWords>* cuts);

// How many rows are in a set, and how many of them are in another.
template <std::size_t kWords>
RowCounts count_rows(const RowSet<kWords>& rows, const RowSet<kWords>& ones);

}  // namespace treewright
