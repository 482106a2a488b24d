// Draws keyed by (seed, path of the node, column): the same for any thread, row order or machine.
#pragma once

#include "treewright/standard.hpp"

namespace treewright {

inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15u;

// SplitMix64's finisher (Steele, Lea, Flood 2014).
constexpr std::uint64_t mix(std::uint64_t x) {
  x += kGolden;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

constexpr std::uint64_t path_of_child(std::uint64_t path, std::uint64_t branch) {
  return mix(path + branch + 1);
}

constexpr std::uint64_t draw(std::uint64_t seed, std::uint64_t path, std::uint64_t column,
                             std::uint64_t purpose) {
  return mix(mix(mix(seed) ^ path) ^ mix(column * 2 + purpose));
}

// All columns, in an order drawn for a node.
inline std::vector<std::size_t> columns_in_drawn_order(std::uint64_t seed, std::uint64_t path,
                                                       std::size_t n_columns) {
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn(n_columns);
  for (std::size_t column = 0; column < n_columns; ++column)
    drawn[column] = {draw(seed, path, column, 1), column};
  std::sort(drawn.begin(), drawn.end());
  std::vector<std::size_t> columns;
  for (const auto& [_, column] : drawn) columns.push_back(column);
  return columns;
}

// Uniform in [0, 1).
constexpr double share_of(std::uint64_t draw) { return static_cast<double>(draw >> 11) * 0x1p-53; }

}  // namespace treewright
