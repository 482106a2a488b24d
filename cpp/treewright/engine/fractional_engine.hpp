// An engine on rows in shares: whoever has no value for a question goes down every branch of it, with as much
// of his weight as the branch has of the weight of those who have one (Quinlan 1993, chapter 3).
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "treewright/engine/fractional_rows.hpp"  // for FractionalRows, NodeRows
#include "treewright/engine/question_finder.hpp"  // for QuestionFinder
#include "treewright/interrupt.hpp"               // for heed_interrupts
#include "treewright/math/shares.hpp"             // for Shares

namespace treewright {

class FractionalEngine final : public QuestionFinder<FractionalRows> {
 public:
  // `target`, which the scan has taken, has a weight for every slot.
  FractionalEngine(Table& table, const Target& target, std::unique_ptr<Scan<std::uint32_t>> scan,
                   const Recipe& recipe, Pool& pool)
      : QuestionFinder(FractionalRows(table), std::move(scan), recipe, &pool) {
    root_ = block_.add(block_.all(target.weights.of_slot));
  }

  OpenNode root() override {
    OpenNode node{.handle = {0, block_.n_slots(), root_}};
    fill_in(node);
    return node;
  }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override {
    look_at(node);
    const auto& here = block_.here();
    std::vector<NodeRows> parts(children.size());
    part_members(node, question, here, parts);
    std::vector<NodeRows*> open(children.size());
    bool any_open = false;
    for (std::size_t branch = 0; branch < children.size(); ++branch) {
      auto& child = children[branch];
      child.handle.begin = 0;
      child.handle.end = static_cast<std::uint32_t>(parts[branch].members.size());
      child.handle.store = block_.add(std::move(parts[branch]));
      fill_in(child);
      if (recipe_.why_closed(child.facts, child.depth) == Stop::None)
        open[branch] = &block_.at(child.handle.store);
      any_open |= open[branch] != nullptr;
    }
    if (any_open) part_lists(node, here, open);
    const auto n = std::int64_t{node.handle.size()};
    this->work_.moved += any_open ? n * static_cast<std::int64_t>(1 + block_.n_columns()) : n;
    block_.leave(node.handle.store);
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    look_at(node);
    scan_->settle(members(node), node.facts, leaves);
    if (!scan_->settles_inner()) block_.leave(node.handle.store);  // so it is a leaf
  }

 private:
  void look_at(const OpenNode& node) override {
    if (!block_.load(node.handle.store)) return;
    const auto& here = block_.here();
    scan_->weigh(here.members, here.weights);
  }

  void fill_in(OpenNode& node) {
    look_at(node);
    node.facts = scan_->facts(members(node), recipe_.limits.min_impurity > 0);
  }

  // Members and weights of the children. Afterwards branch_ of a row without a value is -1 - i, and the
  // branches it took are spread_[spread_begin_[i], spread_begin_[i + 1]).
  void part_members(const OpenNode& node, const Question& question, const NodeRows& here,
                    std::vector<NodeRows>& parts) {
    mark_known(block_, node, question, branch_);
    for (const auto slot : missing_slots(block_, node)) branch_[slot] = -1;
    std::vector<std::int64_t> sizes(parts.size());
    for (std::size_t i = 0; i < here.members.size(); ++i) {
      const auto branch = branch_[here.members[i]];
      if (branch >= 0) sizes[static_cast<std::size_t>(branch)] += here.weights[i];
    }
    shares_.enter(sizes);
    spread_.clear();
    spread_begin_.assign(1, 0);
    const auto put = [&](std::size_t branch, std::uint32_t slot, std::int64_t weight) {
      parts[branch].members.push_back(slot);
      parts[branch].weights.push_back(weight);
    };
    for (std::size_t i = 0; i < here.members.size(); ++i) {
      const auto slot = here.members[i];
      if (branch_[slot] >= 0) {
        put(static_cast<std::size_t>(branch_[slot]), slot, here.weights[i]);
        continue;
      }
      for (const auto& [branch, weight] : shares_.of(here.weights[i])) {
        put(branch, slot, weight);
        spread_.push_back(static_cast<std::uint32_t>(branch));
      }
      branch_[slot] = -static_cast<std::int32_t>(spread_begin_.size());
      spread_begin_.push_back(spread_.size());
    }
  }

  // Lists of those children that stay open, in the order of the parent's.
  void part_lists(const OpenNode& node, const NodeRows& here, std::span<NodeRows* const> open) {
    for (auto* child : open) {
      if (child != nullptr) child->lists.resize(block_.n_columns());
    }
    const auto part_list = [&](std::size_t column) {
      heed_interrupts_before(node.handle.size());
      for (auto* child : open) {
        if (child != nullptr) child->lists[column].reserve(child->members.size());
      }
      const auto put = [&](std::size_t branch, std::uint32_t slot) {
        if (open[branch] != nullptr) open[branch]->lists[column].push_back(slot);
      };
      for (const auto slot : here.lists[column]) {
        if (branch_[slot] >= 0) {
          put(static_cast<std::size_t>(branch_[slot]), slot);
          continue;
        }
        const auto i = static_cast<std::size_t>(-1 - branch_[slot]);
        for (auto at = spread_begin_[i]; at < spread_begin_[i + 1]; ++at) put(spread_[at], slot);
      }
    };
    if (pays_for_threads(node)) {
      pool_->run(block_.n_columns(), [&](std::size_t column, int) { part_list(column); });
    } else {
      for (std::size_t column = 0; column < block_.n_columns(); ++column) part_list(column);
    }
  }

  std::uint32_t root_ = 0;
  std::vector<std::uint32_t> spread_;
  Shares shares_;
  std::vector<std::size_t> spread_begin_;
};

}  // namespace treewright
