// A tree that is being pruned, and the rows that come to each of its nodes whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/predict/predict.hpp"  // for Router, TreeViews
#include "treewright/prune/cases.hpp"      // for WholeRows, CaseRange
#include "treewright/prune/prune.hpp"      // for PrunedRows

namespace treewright {

class RowsInTree {
 public:
  struct Node {
    std::int32_t origin = 0;
    std::size_t first_child = 0, n_children = 0;
    CaseRange whole, without;  // rows that come here whole; those of them that have no value for its question
  };

  RowsInTree(const PrunedRows& rows, const Router& router, const TreeViews& tree)
      : rows_(rows),
        router_(router),
        n_classes_(static_cast<std::size_t>(rows.n_classes)),
        nodes_(tree.question.column.size()),
        child_(tree.child.begin(), tree.child.end()),
        whole_(rows.weights),
        weights_(nodes_.size() * n_classes_) {
    for (std::size_t id = 0; id < nodes_.size(); ++id) {
      auto& node = nodes_[id];
      node.origin = static_cast<std::int32_t>(id);
      node.first_child = static_cast<std::size_t>(tree.child_begin[id]);
      node.n_children = static_cast<std::size_t>(tree.child_begin[id + 1]) - node.first_child;
    }
    rows.ends.empty() ? send(0, whole_.all()) : place(rows.ends);
  }

  Node& at(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }
  std::span<std::int32_t> children_of(std::int32_t node) {
    return {child_.data() + at(node).first_child, at(node).n_children};
  }
  std::span<const std::uint32_t> rows(const CaseRange& range) const { return whole_.at(range); }

  // Of the classes of a node's whole rows.
  std::span<std::int64_t> weights_of(std::int32_t node) {
    return {weights_.data() + static_cast<std::size_t>(node) * n_classes_, n_classes_};
  }

  // Send whole rows down from a node, and count them at all nodes below.
  void send(std::int32_t start, const CaseRange& range) {
    at(start).whole = range;
    sent_to_.clear();
    for (std::vector<std::int32_t> next{start}; !next.empty();) {
      const auto id = next.back();
      next.pop_back();
      sent_to_.push_back(id);
      part(id);
      const auto& counted = at(id).n_children > 0 ? at(id).without : at(id).whole;
      const auto weights = weights_of(id);
      std::fill(weights.begin(), weights.end(), 0);
      for (const auto row : whole_.at(counted)) weights[rows_.classes[row]] += rows_.weights[row];
      const auto children = children_of(id);
      next.insert(next.end(), children.begin(), children.end());
    }
    for (auto i = sent_to_.size(); i-- > 0;) add_children(sent_to_[i]);
  }

 private:
  void add_children(std::int32_t id) {
    const auto weights = weights_of(id);
    for (const auto child : children_of(id)) {
      for (std::size_t k = 0; k < n_classes_; ++k) weights[k] += weights_of(child)[k];
    }
  }

  // As `send`, of all rows: where each comes to is known, so nobody is asked. Children have higher numbers
  // than their parent.
  void place(std::span<const std::int32_t> ends) {
    const auto n = static_cast<std::int32_t>(nodes_.size());
    const auto rows = whole_.at(whole_.all());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      ++at(ends[i]).whole.end;
      weights_of(ends[i])[rows_.classes[rows[i]]] += rows_.weights[rows[i]];
    }
    for (auto id = n; id-- > 0;) {
      add_children(id);
      for (const auto child : children_of(id)) at(id).whole.end += at(child).whole.end;
    }
    std::vector<std::size_t> own(nodes_.size());  // where the rows begin that go no further
    for (std::int32_t id = 0; id < n; ++id) {
      auto begin = at(id).whole.begin;
      for (const auto child : children_of(id)) {
        auto& range = at(child).whole;
        range.begin = std::exchange(begin, begin + range.end);
        range.end = begin;
      }
      at(id).without = {begin, at(id).whole.end};
      own[static_cast<std::size_t>(id)] = begin;
    }
    whole_.place(ends, std::move(own));
  }

  // Tell the children of a node which rows come to them whole.
  void part(std::int32_t id) {
    auto& node = at(id);
    const auto children = children_of(id);
    branch_ends_.assign(children.size(), node.whole.begin);
    if (!children.empty() && !node.whole.empty()) {
      branches_.make_room(node.whole.size());
      router_.branches_of_node(node.origin, rows_.columns, whole_.at(node.whole), branches_.data());
      whole_.part(node.whole, branches_.data(), branch_ends_);
    }
    auto begin = node.whole.begin;
    for (std::size_t b = 0; b < children.size(); ++b)
      at(children[b]).whole = {std::exchange(begin, branch_ends_[b]), branch_ends_[b]};
    node.without = {begin, node.whole.end};
  }

  const PrunedRows& rows_;
  const Router& router_;
  std::size_t n_classes_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> child_;
  WholeRows whole_;
  std::vector<std::int64_t> weights_;           // of the classes, by node
  std::vector<std::int32_t> sent_to_;           // nodes, parents first
  UninitializedBuffer<std::int32_t> branches_;  // by row
  std::vector<std::size_t> branch_ends_;        // by branch
};

}  // namespace treewright
