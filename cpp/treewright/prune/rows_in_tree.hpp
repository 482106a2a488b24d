// A tree that is being pruned, and the rows that come to each of its nodes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "treewright/interrupt.hpp"                   // for heed_interrupts
#include "treewright/math/shares.hpp"                 // for Shares
#include "treewright/prune/prune.hpp"                 // for PrunedRows, Predictor, Children
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
//
// The others are fractional: cases, each with what is left of its weight. Whoever works on a node takes room
// for them at the end and gives it back when done, so that nothing is allocated a node.
class RowsInTree {
 protected:
  struct Node {
    std::size_t first_child = 0, n_children = 0;
    CaseRange whole;  // rows that come here whole
    // What pruning finds out.
    std::int32_t label = 0;
    std::int64_t n_rows = -1;  // -1: no row ever came here
    double errors = 0;
    double errors_of_whole = 0;  // estimates of its leaves with their whole rows only, once it is pruned
    double n_leaves = 0;         // ... and how many these are

    bool is_leaf() const { return n_children == 0; }
  };

  RowsInTree(const PrunedRows& rows, const Predictor& predictor, const Children& children)
      : rows_(rows),
        n_classes_(static_cast<std::size_t>(rows.n_classes)),
        predictor_(predictor),
        nodes_(children.n_nodes()),
        child_(children.child.begin(), children.child.end()),
        weights_(nodes_.size() * n_classes_),
        case_rows_(4 * rows.weights.size()),  // what is never written to costs nothing
        case_weights_(4 * rows.weights.size()) {
    for (std::size_t id = 0; id < nodes_.size(); ++id) {
      nodes_[id].first_child = static_cast<std::size_t>(children.child_begin[id]);
      nodes_[id].n_children = children.n_of(id);
      nodes_[id].label = rows.labels[id];
    }
    for (std::size_t row = 0; row < rows.weights.size(); ++row) {
      if (rows.weights[row] > 0) whole_.push_back(static_cast<std::uint32_t>(row));
    }
    rows.ends.empty() ? send(0, {0, whole_.size()}) : place(rows.ends);
  }

  Node& at(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }
  std::span<std::int32_t> children_of(std::int32_t node) {
    return {child_.data() + at(node).first_child, at(node).n_children};
  }
  // Whole rows that have no value for the question of a node; all of those of a leaf.
  CaseRange without(std::int32_t node) {
    const auto& [begin, end] = at(node).whole;
    return {at(node).is_leaf() ? begin : at(children_of(node).back()).whole.end, end};
  }
  std::span<const std::uint32_t> whole_rows(const CaseRange& range) const {
    return {whole_.data() + range.begin, range.size()};
  }

  // Of the classes of a node's whole rows.
  std::span<std::int64_t> weights_of(std::int32_t node) {
    return {weights_.data() + static_cast<std::size_t>(node) * n_classes_, n_classes_};
  }

  // Send whole rows down from a node, and count them at all nodes below.
  void send(std::int32_t start, const CaseRange& range) {
    at(start).whole = range;
    order_.assign(1, start);  // parents first
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto id = order_[i];
      heed_interrupts_after(n_classes_ + at(id).whole.size());
      const auto children = children_of(id);
      order_.insert(order_.end(), children.begin(), children.end());
      part(id);
      const auto weights = weights_of(id);
      std::ranges::fill(weights, 0);
      for (const auto row : whole_rows(without(id))) weights[rows_.classes[row]] += rows_.weights[row];
    }
    for (auto i = order_.size(); i-- > 0;) add_children(order_[i]);
  }

  // Room for n more cases.
  CaseRange take(std::size_t n) {
    case_rows_.make_room(end_ + n, end_);
    case_weights_.make_room(end_ + n, end_);
    end_ += n;
    return {end_ - n, end_};
  }

  // Valid until more room is taken.
  std::span<std::uint32_t> case_rows(const CaseRange& range) {
    return {case_rows_.data() + range.begin, range.size()};
  }
  std::span<std::int64_t> case_weights(const CaseRange& range) {
    return {case_weights_.data() + range.begin, range.size()};
  }

  // Part the cases of a node, and its whole rows that have no value, at the end of the room. Whoever has none
  // goes down every branch, as the weight of the others does; without anyone who has one nobody goes on. What
  // each branch weighs then, whole rows and cases, stands in `sizes_`.
  void spread(std::int32_t node, const CaseRange& range, std::vector<CaseRange>& parts) {
    sizes_.clear();
    for (const auto child : children_of(node)) sizes_.push_back(sum_of(weights_of(child)));
    branch_.make_room(range.size());
    predictor_.branches_of_node(node, rows_.columns, case_rows(range), branch_.data());
    const std::span<const std::int32_t> branches(branch_.data(), range.size());
    const auto unknown = whole_rows(without(node));
    const auto* const weights_here = case_weights_.data() + range.begin;
    counts_.assign(sizes_.size(), 0);
    auto* const counts = counts_.data();
    auto* const sizes = sizes_.data();
    auto n_unknown = range.size() + unknown.size();
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (branches[i] < 0) continue;
      ++counts[branches[i]];
      sizes[branches[i]] += weights_here[i];
      --n_unknown;
    }
    parts.clear();
    for (std::size_t b = 0; b < sizes_.size(); ++b) {
      parts.push_back({end_, end_});
      if (sizes[b] > 0) take(counts[b] + n_unknown);
    }
    const auto put = [rows = case_rows_.data(), weights = case_weights_.data(), parts = parts.data()](
                         std::size_t branch, std::uint32_t row, std::int64_t weight) {
      const auto at = parts[branch].end++;
      rows[at] = row;
      weights[at] = weight;
    };
    const auto put_shares = [&](std::uint32_t row, std::int64_t weight) {
      for (const auto& [branch, share] : shares_.of(weight)) {
        put(branch, row, share);
        sizes[branch] += share;
      }
    };
    if (n_unknown > 0) shares_.enter(sizes_);
    const auto rows_in = case_rows(range);
    const auto weights_in = case_weights(range);
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (branches[i] < 0) {
        put_shares(rows_in[i], weights_in[i]);
      } else {
        put(static_cast<std::size_t>(branches[i]), rows_in[i], weights_in[i]);
      }
    }
    for (const auto row : unknown) put_shares(row, rows_.weights[row]);
  }

  static std::int64_t sum_of(std::span<const std::int64_t> weights) {
    return std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  }

  const PrunedRows& rows_;
  std::size_t n_classes_;
  std::size_t end_ = 0;              // of the cases
  std::vector<std::int64_t> sizes_;  // by branch

 private:
  // The same of all rows, where it is known at which node each ends. Children have higher numbers than their
  // parent.
  void place(std::span<const std::int32_t> ends) {
    const auto n = static_cast<std::int32_t>(nodes_.size());
    before_ = whole_;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      ++at(ends[i]).whole.end;
      weights_of(ends[i])[rows_.classes[before_[i]]] += rows_.weights[before_[i]];
    }
    for (auto id = n; id-- > 0;) {
      add_children(id);
      for (const auto child : children_of(id)) at(id).whole.end += at(child).whole.end;
    }
    begins_.clear();
    for (std::int32_t id = 0; id < n; ++id) {
      lay_side_by_side(id);
      begins_.push_back(without(id).begin);
    }
    for (std::size_t i = 0; i < ends.size(); ++i)
      whole_[begins_[static_cast<std::size_t>(ends[i])]++] = before_[i];
  }

  // Part the rows of a node among its children.
  void part(std::int32_t id) {
    if (at(id).is_leaf()) return;
    const auto children = children_of(id);
    before_.assign(whole_rows(at(id).whole).begin(), whole_rows(at(id).whole).end());
    branch_.make_room(before_.size());
    const std::span<const std::int32_t> branches(branch_.data(), before_.size());
    predictor_.branches_of_node(id, rows_.columns, before_, branch_.data());
    for (const auto child : children) at(child).whole = {};
    for (const auto branch : branches) {
      if (branch >= 0) ++at(children[static_cast<std::size_t>(branch)]).whole.end;
    }
    lay_side_by_side(id);
    begins_.clear();
    for (const auto child : children) begins_.push_back(at(child).whole.begin);
    begins_.push_back(without(id).begin);
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const auto to = branches[i] < 0 ? children.size() : static_cast<std::size_t>(branches[i]);
      whole_[begins_[to]++] = before_[i];
    }
  }

  // Give every child of a node its place among the rows of the node; `whole.end` is how many it has.
  void lay_side_by_side(std::int32_t id) {
    auto begin = at(id).whole.begin;
    for (const auto child : children_of(id)) {
      auto& whole = at(child).whole;
      whole.begin = std::exchange(begin, begin + whole.end);
      whole.end = begin;
    }
  }

  void add_children(std::int32_t id) {
    const auto weights = weights_of(id);
    for (const auto child : children_of(id)) {
      for (std::size_t k = 0; k < n_classes_; ++k) weights[k] += weights_of(child)[k];
    }
  }

  const Predictor& predictor_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> child_;
  std::vector<std::uint32_t> whole_, before_;  // rows of all nodes; of one before they are parted
  std::vector<std::int64_t> weights_;          // of the classes of whole rows, by node
  UninitializedBuffer<std::uint32_t> case_rows_;
  UninitializedBuffer<std::int64_t> case_weights_;
  std::vector<std::int32_t> order_;           // nodes that rows are sent to
  UninitializedBuffer<std::int32_t> branch_;  // by row or case of one node; negative: it has no value
  std::vector<std::size_t> begins_, counts_;  // by branch, or by node; by branch
  Shares shares_;
};

}  // namespace treewright
