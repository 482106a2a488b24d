// Which way does each row of a node go, once its question is chosen?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "treewright/engine/engine.hpp"      // for OpenNode
#include "treewright/interrupt.hpp"          // for heed_interrupts
#include "treewright/search/surrogates.hpp"  // for branch_by
#include "treewright/tree/question.hpp"      // for Question

namespace treewright {

// The slots of a node with a value in the winner's column, in order of it, and those without.
template <class Block>
std::span<const typename Block::Index> known_slots(const Block& block, const OpenNode& node) {
  return {block.list(node.column()) + node.handle.begin, node.handle.size() - node.winner.n_missing};
}
template <class Block>
std::span<const typename Block::Index> missing_slots(const Block& block, const OpenNode& node) {
  const auto known = known_slots(block, node);
  return {known.data() + known.size(), node.winner.n_missing};
}

// Write by slot the branch of every row that has a value.
template <class Block, class Branch>
void mark_known(const Block& block, const OpenNode& node, const Question& question,
                std::vector<Branch>& branch_of) {
  const auto column = node.column();
  const auto known = known_slots(block, node);
  if (branch_of.size() < block.n_slots()) branch_of.resize(block.n_slots());
  if (!question.is_set()) {
    for (std::size_t i = 0; i < node.winner.n_left; ++i) branch_of[known[i]] = 0;
    for (std::size_t i = node.winner.n_left; i < known.size(); ++i) branch_of[known[i]] = 1;
    return;
  }
  // Codes rise along the list as they do in the set, so one look at each will do.
  std::size_t at = 0;
  Branch branch = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    heed_interrupts_at(i);
    if (i == 0 || !block.same_value(column, known[i - 1], known[i])) {
      const auto code = block.table().columns[column].code(block.row(known[i]));
      while (question.branch_of_code.code[at] != code) ++at;
      branch = static_cast<Branch>(question.branch_of_code.branch[at]);
    }
    branch_of[known[i]] = branch;
  }
}

// The same of every row. Those without a value go where the first surrogate that knows them says; otherwise
// where all of them do, or, where they stop, one way further than the last branch.
template <class Block, class Branch>
void route_rows(const Block& block, const OpenNode& node, const Question& question,
                std::vector<Branch>& branch_of) {
  mark_known(block, node, question, branch_of);
  const auto otherwise = question.lets_rows_stop() ? question.n_branches : question.missing_branch;
  const auto missing = missing_slots(block, node);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    heed_interrupts_at(i);
    const auto slot = missing[i];
    auto branch = otherwise;
    for (const auto& surrogate : question.surrogates) {
      const auto known = branch_by(surrogate, block, slot);
      if (known < 0) continue;
      branch = known;
      break;
    }
    branch_of[slot] = static_cast<Branch>(branch);
  }
}

}  // namespace treewright
