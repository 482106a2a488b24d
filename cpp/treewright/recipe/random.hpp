// Draws keyed by (seed, path of the node, column): the same for any number of threads, row order and machine.
#pragma once

#include "treewright/recipe/candidate.hpp"  // for Candidate

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

// Search columns in an order drawn for a node, until `most` were searched and one of them has a split.
// Returns how many were searched. `candidates`: one per column.
template <class LookInto>
std::int64_t look_into_drawn(std::uint64_t seed, std::uint64_t path, std::int64_t most,
                             std::span<Candidate> candidates, const LookInto& look_into) {
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn(candidates.size());
  for (std::size_t column = 0; column < drawn.size(); ++column) {
    candidates[column] = {.column = static_cast<std::int32_t>(column), .verdict = Verdict::NotDrawn};
    drawn[column] = {draw(seed, path, column, 1), column};
  }
  std::ranges::sort(drawn);
  bool found = false;
  std::int64_t n_looked_into = 0;
  for (const auto& [_, column] : drawn) {
    if (found && n_looked_into >= most) break;
    look_into(column);
    found |= candidates[column].has_question();
    ++n_looked_into;
  }
  return n_looked_into;
}

// Uniform in [0, 1).
constexpr double share_of(std::uint64_t draw) { return static_cast<double>(draw >> 11) * 0x1p-53; }

}  // namespace treewright
