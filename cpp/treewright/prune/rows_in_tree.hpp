// A tree that is being pruned, and the rows that come to each of its nodes: whole, or what is left of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/interrupt.hpp"                   // for heed_interrupts
#include "treewright/math/shares.hpp"                 // for Shares
#include "treewright/predict/predict.hpp"             // for Predictor, TreeViews
#include "treewright/prune/prune.hpp"                 // for PrunedRows
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

struct CaseRange {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
  std::size_t size() const { return end - begin; }
};

// Rows that have had a value wherever they were asked for one are whole. Those of a node are side by side:
// first those of its children, one after the other, then those that have no value for its question. Nothing
// is copied on the way down, and wherever somebody looks later, they are still there.
class RowsInTree {
 public:
  struct Node {
    std::size_t first_child = 0, n_children = 0;
    CaseRange whole, without;  // rows that come here whole; those of them that go no further
    // What pruning finds out.
    std::int32_t label = 0;
    std::int64_t n_rows = -1;  // -1: no case ever came here
    double errors = 0;
    double errors_of_whole = 0;  // estimates of its leaves with their whole rows only, once it is pruned
    double n_leaves = 0;         // ... and how many these are
  };

  RowsInTree(const PrunedRows& rows, const Predictor& predictor, const TreeViews& tree)
      : rows_(rows),
        predictor_(predictor),
        n_classes_(static_cast<std::size_t>(rows.n_classes)),
        nodes_(tree.question.column.size()),
        child_(tree.child.begin(), tree.child.end()),
        weights_(nodes_.size() * n_classes_) {
    const Children children{tree.child_begin, tree.child};
    for (std::size_t id = 0; id < nodes_.size(); ++id) {
      nodes_[id].first_child = static_cast<std::size_t>(tree.child_begin[id]);
      nodes_[id].n_children = children.n_of(id);
      nodes_[id].label = rows.labels[id];
    }
    for (std::size_t row = 0; row < rows.weights.size(); ++row) {
      if (rows.weights[row] > 0) whole_.push_back(static_cast<std::uint32_t>(row));
    }
    send(0, {0, whole_.size()}, rows.ends);
  }

  Node& at(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }
  std::span<std::int32_t> children_of(std::int32_t node) {
    return {child_.data() + at(node).first_child, at(node).n_children};
  }
  std::span<const std::uint32_t> rows(const CaseRange& range) const {
    return {whole_.data() + range.begin, range.size()};
  }

  // Of the classes of a node's whole rows.
  std::span<std::int64_t> weights_of(std::int32_t node) {
    return {weights_.data() + static_cast<std::size_t>(node) * n_classes_, n_classes_};
  }

  // Send whole rows down from a node, put them in the order of the nodes where they end, and count them at
  // all nodes below. `ends`: where each of them does; empty: not known.
  void send(std::int32_t start, const CaseRange& range, std::span<const std::int32_t> ends = {}) {
    order_.assign(1, start);  // parents first
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto id = order_[i];
      heed_interrupts_after(n_classes_);
      const auto children = children_of(id);
      order_.insert(order_.end(), children.begin(), children.end());
      at(id).whole = at(id).without = {};
      std::ranges::fill(weights_of(id), 0);
    }
    sent_.assign(rows(range).begin(), rows(range).end());
    ends_.assign(ends.begin(), ends.end());
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      if (ends.empty()) ends_.push_back(end_of(start, sent_[i]));
      ++at(ends_[i]).without.end;
      weights_of(ends_[i])[rows_.classes[sent_[i]]] += rows_.weights[sent_[i]];
    }
    for (auto i = order_.size(); i-- > 0;) add_children(order_[i]);
    at(start).whole = range;
    for (const auto id : order_) lay_side_by_side(id);
    for (std::size_t i = 0; i < sent_.size(); ++i) whole_[at(ends_[i]).without.end++] = sent_[i];
  }

 private:
  // Where a row ends that starts at a node: a leaf, or the first node that asks for a value it has not.
  std::int32_t end_of(std::int32_t node, std::uint32_t row) {
    while (at(node).n_children > 0) {
      heed_interrupts_after(1);
      std::int32_t branch = 0;
      predictor_.branches_of_node(node, rows_.columns, {&row, 1}, &branch);
      if (branch < 0) break;
      node = children_of(node)[static_cast<std::size_t>(branch)];
    }
    return node;
  }

  // Count the whole rows of a node; `end` of a range is still how many it has.
  void add_children(std::int32_t id) {
    const auto weights = weights_of(id);
    at(id).whole.end = at(id).without.end;
    for (const auto child : children_of(id)) {
      at(id).whole.end += at(child).whole.end;
      for (std::size_t k = 0; k < n_classes_; ++k) weights[k] += weights_of(child)[k];
    }
  }

  // Give every child of a node its place among the rows of the node, and a place to those without a value.
  void lay_side_by_side(std::int32_t id) {
    auto begin = at(id).whole.begin;
    for (const auto child : children_of(id)) {
      auto& whole = at(child).whole;
      whole.begin = std::exchange(begin, begin + whole.end);
      whole.end = begin;
    }
    at(id).without = {begin, begin};
  }

  const PrunedRows& rows_;
  const Predictor& predictor_;
  std::size_t n_classes_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> child_;
  std::vector<std::uint32_t> whole_, sent_;  // rows of all nodes; those that are being sent
  std::vector<std::int64_t> weights_;        // of the classes, by node
  std::vector<std::int32_t> order_, ends_;   // nodes that rows are sent to; where each of them ends
};

// Rows that are in shares, each with what is left of its weight. Whoever works on a node takes room at the
// end and gives it back when done, so that nothing is allocated a node.
class Cases {
 public:
  // Room for n cases to begin with; what is never written to costs nothing.
  explicit Cases(std::size_t n) : rows_(n), weights_(n) {}

  std::size_t end() const { return end_; }
  void give_back_to(std::size_t end) { end_ = end; }
  CaseRange take(std::size_t n) {
    rows_.make_room(end_ + n, end_);
    weights_.make_room(end_ + n, end_);
    end_ += n;
    return {end_ - n, end_};
  }

  // Valid until more room is taken.
  std::span<std::uint32_t> rows(const CaseRange& range) { return {rows_.data() + range.begin, range.size()}; }
  std::span<std::int64_t> weights(const CaseRange& range) {
    return {weights_.data() + range.begin, range.size()};
  }

  // Room for the branch that each of n cases takes; negative: it has no value.
  std::int32_t* branches(std::size_t n) {
    branch_.make_room(n);
    return branch_.data();
  }

  // Part cases, and whole rows that have no value, at the end of the room. Whoever has none goes down every
  // branch, as the weight of the others does; without anyone who has one nobody goes on. `sizes`: what the
  // whole rows of each branch weigh, to which all that goes there is added; `weight_of` by row.
  void part(const CaseRange& range, std::span<const std::uint32_t> without,
            std::span<const std::int64_t> weight_of, std::span<std::int64_t> sizes,
            std::vector<CaseRange>& parts) {
    auto n_unknown = without.size();
    counts_.assign(sizes.size(), 0);
    for (std::size_t i = 0; i < range.size(); ++i) {
      if (branch_[i] < 0) {
        ++n_unknown;
      } else {
        ++counts_[static_cast<std::size_t>(branch_[i])];
        sizes[static_cast<std::size_t>(branch_[i])] += weights_[range.begin + i];
      }
    }
    parts.clear();
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      parts.push_back({end_, end_});
      if (sizes[b] > 0) take(counts_[b] + n_unknown);
    }
    const auto put = [&](std::size_t branch, std::uint32_t row, std::int64_t weight) {
      const auto at = parts[branch].end++;
      rows_[at] = row;
      weights_[at] = weight;
    };
    const auto put_shares = [&](std::uint32_t row, std::int64_t weight) {
      for (const auto& [branch, share] : shares_.of(weight)) {
        put(branch, row, share);
        sizes[branch] += share;
      }
    };
    if (n_unknown > 0) shares_.enter(sizes);
    for (std::size_t i = 0; i < range.size(); ++i) {
      const auto row = rows_[range.begin + i];
      const auto weight = weights_[range.begin + i];
      branch_[i] < 0 ? put_shares(row, weight) : put(static_cast<std::size_t>(branch_[i]), row, weight);
    }
    for (const auto row : without) put_shares(row, weight_of[row]);
  }

 private:
  std::size_t end_ = 0;
  UninitializedBuffer<std::uint32_t> rows_;
  UninitializedBuffer<std::int64_t> weights_;
  UninitializedBuffer<std::int32_t> branch_;  // by case
  std::vector<std::size_t> counts_;           // by branch
  Shares shares_;
};

}  // namespace treewright
