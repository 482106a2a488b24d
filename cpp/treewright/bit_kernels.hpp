// The inner loop of nodes that are sets of bits: who is on the left of every cut, counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace treewright {

// Some of up to 64 or 256 rows.
template <std::size_t kWords>
using RowSet = std::array<std::uint64_t, kWords>;

inline constexpr std::size_t kFewWords = 1, kMoreWords = 4;

// The columns of a block: for each of its cuts, lowest first, the rows on the left.
template <std::size_t kWords>
struct BitColumns {
  const RowSet<kWords>* cuts;
  const std::uint32_t* begins;  // by column, and the end behind them
  std::size_t n;
};

inline constexpr float kNoBound = -std::numeric_limits<float>::infinity();

// A node of two classes.
template <std::size_t kWords>
struct BitNode {
  RowSet<kWords> rows, ones;  // all, and those of class 1
  std::int32_t n, n_ones;
  // By rows on the left: 1 / (n^2 left (n - left)), and kNoBound where there is no such cut.
  std::array<float, 64 * kWords + 1> inverse;
};

struct RowCounts {
  std::int32_t rows, ones;
};

// The cuts of a column that may be its best, lowest first; of those that leave the same rows on the left, the
// first.
struct BitCuts {
  struct Cut {
    RowCounts left;
    std::size_t place;
  };
  std::size_t column;
  std::uint32_t n;
  std::array<Cut, 64 * kMoreWords> cuts;
};

// Go on from column `found.column` to the first with a cut whose bound,
//     (n ones on the left - ones rows on the left)^2 inverse
// reaches the bar. Bounds are floats, rounded a few times; cuts that may be the best but for that are found
// with it. False: there is none.
bool find_cuts(const BitColumns<kFewWords>& columns, const BitNode<kFewWords>& node, float bar,
               BitCuts& found);
bool find_cuts(const BitColumns<kMoreWords>& columns, const BitNode<kMoreWords>& node, float bar,
               BitCuts& found);

// How many rows are in a set, and how many of them are in another.
RowCounts count_rows(const RowSet<kFewWords>& rows, const RowSet<kFewWords>& ones);
RowCounts count_rows(const RowSet<kMoreWords>& rows, const RowSet<kMoreWords>& ones);

}  // namespace treewright
