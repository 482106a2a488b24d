// The inner loop of nodes of a dozen rows: all their columns in one go, by bounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace treewright {

inline constexpr std::uint32_t kNookRows = 15;

// Something for each of the rows 1 to 15 of a nook; row 0 is nobody.
using NookBytes = std::array<std::uint8_t, kNookRows + 1>;

// A column: rows in order of value, nobody behind them; and by row the rank of its value.
struct NookColumn {
  alignas(16) NookBytes rows;
  alignas(16) NookBytes ranks;
};

// Some of the rows, with what all columns share.
struct NookNode {
  alignas(32) std::array<float, kNookRows + 1> from_mean;  // by row: how far its target is from the mean
  std::uint32_t rows;                                      // a bit each
  std::uint32_t n;                                         // of them
  std::uint32_t allowed;  // bit i: the limits allow the cut that leaves i + 1 rows on the left
  float slack;            // how far rounding may move a sum of `from_mean`
};

// What a column offers: bit i of `cuts`, the cut that leaves i + 1 rows on the left may be worth the bar.
struct NookCuts {
  std::size_t column;
  std::uint32_t cuts;
  alignas(16) NookBytes rows;                           // of the node, in order of value
  alignas(32) std::array<float, kNookRows + 1> bounds;  // of the cuts
};

// Go on from column `found.column` to the first with a cut between two values whose bound,
//     (|sum| + slack)^2 / (i (n - i))
// with the sum of `from_mean` on its left, reaches the bar. False: there is none.
bool find_cuts(const NookColumn* columns, std::size_t n_columns, const NookNode& node, float bar,
               NookCuts& found);

// The rows of a node in order of a column.
NookBytes rows_in_order(const NookColumn& column, std::uint32_t rows);

// The same without what only some CPUs have.
NookBytes rows_in_order_plain(const NookColumn& column, std::uint32_t rows);
bool find_cuts_plain(const NookColumn* columns, std::size_t n_columns, const NookNode& node, float bar,
                     NookCuts& found);

}  // namespace treewright
