// What a node asks, and where each answer leads.
#pragma once

#include <cstdint>
#include <vector>

#include "treewright/column.hpp"  // for Cut

namespace treewright {

// How the groups of a set question were found.
enum class Search : std::uint8_t { None, Exact, Heuristic };

struct Question {
  Cut cut;                                   // of a threshold
  std::vector<std::int32_t> branch_of_code;  // of a set of categories, by declared code; -1: not seen here
  std::int32_t n_branches = 2;
  std::int32_t missing_branch = 1;
  Search search = Search::None;

  bool is_set() const { return search != Search::None; }
};

}  // namespace treewright
