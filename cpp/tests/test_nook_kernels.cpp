#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"
#include "treewright/nook_kernels.hpp"

using namespace treewright;

namespace {

// Columns of a nook of n_rows rows, values drawn so that some are tied.
std::vector<NookColumn> draw_columns(std::uint32_t n_rows, std::size_t n_columns, std::mt19937_64& draw) {
  std::vector<NookColumn> columns(n_columns);
  for (auto& column : columns) {
    column = {};
    for (std::uint32_t i = 0; i < n_rows; ++i) column.rows[i] = static_cast<std::uint8_t>(i + 1);
    std::shuffle(column.rows.begin(), column.rows.begin() + n_rows, draw);
    std::uint8_t rank = 0;
    for (std::uint32_t i = 0; i < n_rows; ++i)
      column.ranks[column.rows[i]] = rank = static_cast<std::uint8_t>(rank + (draw() % 4 > 0));
  }
  return columns;
}

NookNode draw_node(std::uint32_t n_rows, std::mt19937_64& draw) {
  std::normal_distribution<double> normal;
  NookNode node{};
  for (std::uint32_t row = 1; row <= n_rows; ++row) node.rows |= std::uint32_t{draw() % 3 > 0} << row;
  node.rows |= 1U << 1 | 1U << n_rows;
  node.n = static_cast<std::uint32_t>(std::popcount(node.rows));
  node.allowed = static_cast<std::uint32_t>(draw()) | 1U;
  node.allowed &= (1U << (node.n - 1)) - 1;
  double mean = 0, spread = 0;
  std::array<double, kNookRows + 1> amount{};
  for (std::uint32_t row = 1; row <= n_rows; ++row) {
    amount[row] = std::round(normal(draw) * 0x1p40);
    if (node.rows >> row & 1) mean += amount[row] / node.n;
  }
  for (std::uint32_t row = 1; row <= n_rows; ++row) {
    node.from_mean[row] = static_cast<float>(amount[row] - mean);
    if (node.rows >> row & 1) spread += std::abs(amount[row] - mean);
  }
  node.slack = static_cast<float>(spread) * 0x1p-20F;
  return node;
}

}  // namespace

TEST(rows_of_a_nook_come_in_the_order_of_their_column) {
  std::mt19937_64 draw(3);
  for (std::uint32_t n_rows = 2; n_rows <= kNookRows; ++n_rows) {
    for (const auto& column : draw_columns(n_rows, 20, draw)) {
      const auto node = draw_node(n_rows, draw);
      const auto rows = rows_in_order(column, node.rows), plain = rows_in_order_plain(column, node.rows);
      CHECK(rows == plain);
      CHECK(std::count(plain.begin(), plain.end(), 0) == kNookRows + 1 - node.n);
    }
  }
}

TEST(cuts_found_in_a_nook_are_those_that_may_reach_the_bar) {
  std::mt19937_64 draw(4);
  for (int turn = 0; turn < 3000; ++turn) {
    const auto n_rows = static_cast<std::uint32_t>(draw() % (kNookRows - 1)) + 2;
    const auto columns = draw_columns(n_rows, 12, draw);
    const auto node = draw_node(n_rows, draw);
    const float bar = static_cast<float>(draw() % 4) * 0x1p77F;
    for (const auto find : {find_cuts, find_cuts_plain}) {
      NookCuts found;
      found.column = 0;
      std::size_t next = 0;
      while (find(columns.data(), columns.size(), node, bar, found)) {
        CHECK(found.column >= next && found.cuts != 0);
        next = ++found.column;
      }
    }
    // Column by column, against sums in long doubles.
    for (std::size_t column = 0; column < columns.size(); ++column) {
      NookCuts found, plain;
      found.column = plain.column = column;
      const bool any = find_cuts(columns.data(), column + 1, node, bar, found);
      CHECK(any == find_cuts_plain(columns.data(), column + 1, node, bar, plain) ||
            (any ? found.cuts : plain.cuts) != 0);  // at the bar itself rounding may tell them apart
      const auto rows = rows_in_order_plain(columns[column], node.rows);
      long double sum = 0;
      for (std::uint32_t i = 0; i + 1 < node.n; ++i) {
        sum += node.from_mean[rows[i]];
        const long double worth = sum * sum / (static_cast<long double>(i + 1) * (node.n - i - 1));
        const bool is_cut = (node.allowed >> i & 1) != 0 &&
                            columns[column].ranks[rows[i]] != columns[column].ranks[rows[i + 1]];
        if (is_cut && worth >= static_cast<long double>(bar) * (1 + 1e-6L))
          CHECK(any && (found.cuts >> i & 1) != 0 && found.bounds[i] * (1 + 1e-6L) >= worth);
        if (any && (found.cuts >> i & 1) != 0)
          CHECK(is_cut && worth >= static_cast<long double>(bar) * 0.999L);
      }
    }
  }
}
