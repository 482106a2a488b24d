// The winner's question put in words: another part of an engine that is the same however it keeps its rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "treewright/engine/engine.hpp"        // for OpenNode
#include "treewright/engine/split_finder.hpp"  // for SplitFinder
#include "treewright/interrupt.hpp"            // for heed_interrupts
#include "treewright/recipe/limits.hpp"        // for arrangements
#include "treewright/recipe/recipe.hpp"        // for Recipe
#include "treewright/search/surrogates.hpp"    // for SurrogateSearch, first_to_know
#include "treewright/tree/question.hpp"        // for Question

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
    const auto first = first_to_know(question.surrogates, block, slot);
    const bool is_known = first < question.surrogates.size();
    branch_of[slot] =
        static_cast<Branch>(is_known ? branch_by(question.surrogates[first], block, slot) : otherwise);
  }
}

template <class Block>
class QuestionFinder : public SplitFinder<Block> {
  using Base = SplitFinder<Block>;

 public:
  using Index = typename Block::Index;

  // Values come from the caller's memory: of several nodes they are asked for at once.
  void ask(std::span<const OpenNode> nodes, std::span<Question> questions) override {
    if (nodes.size() > 1) {
      for (const auto& node : nodes) {
        if (!node.winner.has_cut && !is_categorical(node.column()))
          this->ask_for_neighbours(node, node.column(), node.winner);
      }
    }
    Base::ask(nodes, questions);
  }

  Question ask_one(const OpenNode& node) override {
    look_at(node);
    const auto& winner = node.winner;
    const auto column = node.column();
    const auto known = known_slots(block_, node);
    Question question{.missing_branch = winner.missing_left ? 0 : 1};
    if (is_categorical(column)) {
      ask_for_set(node, known, question);
    } else {
      question.cut = cut_of(column, known, winner);
    }
    const auto& ways = this->arrangements_;
    if (recipe_.missing == Missing::Spread) {
      question.missing_branch = kEveryBranch;
    } else if (recipe_.lets_rows_stop) {
      question.missing_branch = kNoBranch;
    } else if (winner.n_missing == 0 || (ways.known_only && !ways.own_branch)) {
      question.missing_branch = largest_branch(node, question, known);
    } else if (ways.own_branch) {
      question.missing_branch = question.n_branches++;
    }
    if (recipe_.missing == Missing::Surrogate) find_surrogates(node, question);
    if (recipe_.is_monotone()) question.middle = middle(node);
    return question;
  }

 protected:
  using Base::Base;
  using Base::block_, Base::scan_, Base::recipe_, Base::pool_;
  using Base::look_at, Base::members, Base::is_categorical, Base::propose_column, Base::cut_of,
      Base::pays_for_threads;

  // Half-way between the values of the winner's sides, as scored: where the bounds of the children meet.
  double middle(const OpenNode& node) {
    const Index* list = block_.list(node.column()) + node.handle.begin;
    const auto n_known = node.handle.size() - node.winner.n_missing;
    std::vector<Index> left(list, list + node.winner.n_left),
        right(list + node.winner.n_left, list + n_known);
    if (!this->arrangements_.known_only) {
      auto& joined = node.winner.missing_left ? left : right;
      joined.insert(joined.end(), list + n_known, list + (node.handle.size()));
    }
    return (scan_->value_of(left) + scan_->value_of(right)) / 2;
  }

  // Find the winner's grouping again (it was not kept for every column that lost) and write it by code.
  void ask_for_set(const OpenNode& node, std::span<const Index> known, Question& question) {
    const auto column = node.column();
    scan_->enter(members(node), node.facts);
    Candidate again;
    propose_column(node, column, again, 0);
    // Only a function of the caller's can change its mind.
    if (again.score.worth != node.winner.score.worth)
      throw std::invalid_argument("the criterion gave the same rows two different scores");
    const auto& grouping = scan_->grouping(0);
    question.search = grouping.search;
    question.n_branches = grouping.n_branches;
    if (grouping.is_each_apart) {
      // A branch for every category declared, also for those that no row here has.
      question.n_branches = static_cast<std::int32_t>(block_.table().n_categories[column]);
      question.branch_of_code = BranchOfCode::each(question.n_branches);
    }
    std::size_t bucket = 0;
    std::int32_t next = 0;
    const auto add_absent = [&](std::int32_t until) {
      for (; grouping.branch_of_absent >= 0 && next < until; ++next)
        question.branch_of_code.add(next, grouping.branch_of_absent);
    };
    for (std::size_t i = 0; i < known.size(); ++i) {
      heed_interrupts_at(i);
      if (i > 0 && block_.same_value(column, known[i - 1], known[i])) continue;
      const auto code = block_.table().columns[column].code(block_.row(known[i]));
      if (!grouping.is_each_apart) {
        add_absent(code);
        question.branch_of_code.add(code, grouping.branch_of_bucket[bucket]);
        next = code + 1;
      } else if (bucket == node.winner.n_left) {
        question.missing_branch = code;
      }
      ++bucket;
    }
    add_absent(static_cast<std::int32_t>(block_.table().n_categories[column]));
  }

  // What a row weighs apart from what priors and losses make of it.
  auto own_weight() const {
    return [&own = block_.table().own_weights, weights = scan_->weights(), this](Index slot) {
      if (!own.empty()) return own[block_.table_slot(slot)];
      return weights == nullptr ? std::int64_t{1} : weights[slot];
    };
  }

  void find_surrogates(const OpenNode& node, Question& question) {
    mark_known(block_, node, question, side_);
    for (const auto slot : missing_slots(block_, node)) side_[slot] = kNoSide;
    const auto weight_of = own_weight();
    const SurrogateSearch search(block_, node.handle.begin, node.handle.end, side_.data(), weight_of,
                                 recipe_.agreement);
    // Answers are in order along a monotone column only if no question but its own hangs on it.
    const auto look_if_free = [&](const auto& look, std::size_t column) {
      if (recipe_.direction(column) == 0) look(column);
    };
    const auto run = [&](std::size_t n, const auto& look) {
      if (pays_for_threads(node)) {
        pool_->run(n, [&](std::size_t column, int) { look_if_free(look, column); });
      } else {
        for (std::size_t column = 0; column < n; ++column) look_if_free(look, column);
      }
    };
    question.surrogates = search.find(node.column(), recipe_.max_surrogates, run);
    const auto missing = missing_slots(block_, node);
    for (std::size_t i = 0; i < missing.size(); ++i) {
      heed_interrupts_at(i);
      const auto first = first_to_know(question.surrogates, block_, missing[i]);
      if (first < question.surrogates.size()) ++question.surrogates[first].n_placed;
    }
  }

  // Branch of a value that is missing at prediction though none was here, and of all of them where they
  // follow the majority: the heavier one among the rows known, the last of equals (as scikit-learn does).
  std::int32_t largest_branch(const OpenNode& node, const Question& question, std::span<const Index> known) {
    const bool by_weight = node.winner.n_missing > 0 || this->arrangements_.known_only;
    if (!question.is_set() && !by_weight) return 2 * std::size_t{node.winner.n_left} > known.size() ? 0 : 1;
    std::vector<std::int64_t> size(static_cast<std::size_t>(question.n_branches));
    mark_branches(node, question);
    const auto weight_of = own_weight();
    for (const auto slot : known) {
      const auto branch = size.size() == 2 ? side_[slot] : branch_[slot];
      size[static_cast<std::size_t>(branch)] += by_weight ? weight_of(slot) : 1;
    }
    return static_cast<std::int32_t>(size.rend() - std::max_element(size.rbegin(), size.rend())) - 1;
  }

  // Write the way of every row: in bytes where there are two.
  void mark_branches(const OpenNode& node, const Question& question) {
    question.n_routes() == 2 ? route_rows(block_, node, question, side_)
                             : route_rows(block_, node, question, branch_);
  }

  std::vector<std::uint8_t> side_;    // by slot: branch of the split under way, of two
  std::vector<std::int32_t> branch_;  // the same, of more than two
};

}  // namespace treewright
