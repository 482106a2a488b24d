// An engine on fractional rows: a row without a value for a split goes down every branch of it, in proportion
// to the branch's share of the weight of the rows with a value (Quinlan 1993, chapter 3).
#pragma once

#include "treewright/engine/fractional_rows.hpp"  // for FractionalRows, NodeRows
#include "treewright/engine/grow.hpp"             // for Growth
#include "treewright/engine/split_finder.hpp"     // for SplitFinder

namespace treewright {

// The table, with the lists of one node. Positions are slots.
class ListsOfNode : public TableLists {
 public:
  using TableLists::TableLists;

  // Make `node` the current one; false: it was already.
  bool load(const NodeRows* node) { return std::exchange(here_, node) != node; }

  const Index* members() const { return here_->list(0); }
  const Index* list(std::size_t column) const { return here_->list(1 + column); }

 private:
  const NodeRows* here_ = nullptr;
};

class FractionalEngine final : public SplitFinder<ListsOfNode> {
 public:
  // `target` has a weight for every slot.
  explicit FractionalEngine(const Growth& growth)
      : SplitFinder(ListsOfNode(growth.table), growth.recipe.criterion->make_scan(growth), growth.recipe,
                    &growth.pool),
        rows_(growth.table.n_slots, 1 + n_columns()) {
    auto& root = rows_.at(rows_.kRoot);
    const TableLists& all = block_;
    root.n = growth.table.n_slots;
    root.positions.make_room(root.n * (1 + n_columns()));
    root.weights.make_room(root.n);
    auto* end = std::copy_n(all.members(), root.n, root.positions.data());
    for (std::size_t column = 0; column < n_columns(); ++column)
      end = std::copy_n(all.list(column), root.n, end);
    std::copy_n(growth.target.weights.of_slot.data(), root.n, root.weights.data());
  }

  OpenNode root() override {
    OpenNode node;
    fill_in(rows_.kRoot, node);
    return node;
  }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override {
    look_at(node);
    auto& branch_of = rows_.branch_of_position();
    mark_known(block_, node, question, branch_of);
    for (const auto slot : winner_list(block_, node).missing()) branch_of[slot] = -1;
    const auto& here = rows_.at(node.handle.store);
    rows_.mark(here, children.size(), [&](std::uint32_t i) { return branch_of[here.positions[i]]; });
    rows_.part(here);
    const bool any_open =
        rows_.open(children, recipe_, [&](auto handle, OpenNode& child) { fill_in(handle, child); });
    if (any_open)
      for_columns(node, [&](std::size_t column, std::size_t) { rows_.part_list(here, 1 + column); });
    const auto n_lists = static_cast<std::int64_t>(any_open ? 1 + n_columns() : 1);
    this->work_.moved += std::int64_t{here.n} * n_lists;
    leave(node);
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    look_at(node);
    scan_->settle(members(node), node.facts, leaves);
    if (!scan_->settles_inner()) leave(node);  // then the node is a leaf
  }

 private:
  void look_at(const OpenNode& node) override {
    const auto& here = rows_.at(node.handle.store);
    if (block_.load(&here)) scan_->weigh(members(node), {here.weights.data(), here.n});
  }

  void leave(const OpenNode& node) {
    rows_.leave(node.handle.store);
    block_.load(nullptr);
  }

  void fill_in(std::uint32_t handle, OpenNode& node) {
    node.handle = {0, rows_.at(handle).n, handle};
    look_at(node);
    node.facts = scan_->facts(members(node), recipe_.limits.min_impurity > 0);
  }

  FractionalRows<NodeRows> rows_;
};

}  // namespace treewright
