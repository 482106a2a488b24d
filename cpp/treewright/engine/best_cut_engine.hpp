// What engines share that know of nothing but the best cut: no ledger, missing values, categories, bounds or
// draws.
#pragma once

#include <algorithm>
#include <cstdint>

#include "treewright/engine/engine.hpp"  // for NodeByNode, OpenNode
#include "treewright/recipe/recipe.hpp"  // for Recipe
#include "treewright/table/table.hpp"    // for Table
#include "treewright/tree/question.hpp"  // for Question

namespace treewright {

// Whether nodes of a table ask for no more than that where no value is missing.
inline bool has_plain_cuts(const Table& table, const Recipe& recipe) {
  return recipe.wants_best_cuts_only() && table.own_weights.empty() &&
         std::all_of(table.n_categories.begin(), table.n_categories.end(), [](auto n) { return n == 0; });
}

class BestCutEngine : public NodeByNode {
 public:
  explicit BestCutEngine(const Recipe& recipe) : recipe_(recipe) {}

  OpenNode root() override { return {}; }  // of those that go on where another has begun

 protected:
  // The winner's question. Values that are missing later go with most of those here.
  Question threshold(const OpenNode& node, const Cut& cut) const {
    Question question;
    question.cut = cut;
    const bool left_is_larger = 2 * std::int64_t{node.winner.n_left} > node.facts.rows;
    question.missing_branch = recipe_.missing == Missing::Spread ? kEveryBranch : left_is_larger ? 0 : 1;
    return question;
  }

  const Recipe& recipe_;
};

}  // namespace treewright
