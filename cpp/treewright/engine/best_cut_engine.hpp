// What engines share that know of nothing but the best cut: no ledger, gaps, categories, bounds or draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "treewright/engine/engine.hpp"  // for Engine, OpenNode
#include "treewright/recipe/recipe.hpp"  // for Recipe
#include "treewright/tree/question.hpp"  // for Question

namespace treewright {

// Whether nodes of a block ask for no more than that.
template <class Block>
bool has_plain_cuts(const Block& block, const Recipe& recipe) {
  if (!recipe.wants_best_cuts_only() || !block.table().own_weights.empty()) return false;
  for (std::size_t column = 0; column < block.n_columns(); ++column) {
    if (block.has_missing(column) || block.table().is_categorical(column)) return false;
  }
  return true;
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
