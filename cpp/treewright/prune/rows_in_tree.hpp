// A tree that is being pruned, and the rows that come to each of its nodes: whole, or what is left of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/engine/fractional_rows.hpp"      // for Shares
#include "treewright/interrupt.hpp"                   // for heed_interrupts
#include "treewright/predict/predict.hpp"             // for Predictor, TreeViews
#include "treewright/prune/prune.hpp"                 // for PrunedRows
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer
#include "treewright/tree/question.hpp"               // for kNoBranch

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
    at(0).whole.end = whole_.size();
    rows.ends.empty() ? send(0, at(0).whole) : place(rows.ends);
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
      for (const auto row : rows(at(id).without)) weights[rows_.classes[row]] += rows_.weights[row];
    }
    for (auto i = order_.size(); i-- > 0;) add_children(order_[i]);
  }

 private:
  // The same of all rows, where it is known at which node each ends. Children have higher numbers than their
  // parent.
  void place(std::span<const std::int32_t> ends) {
    const auto n = static_cast<std::int32_t>(nodes_.size());
    before_ = whole_;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      ++at(ends[i]).without.end;
      weights_of(ends[i])[rows_.classes[before_[i]]] += rows_.weights[before_[i]];
    }
    for (auto id = n; id-- > 0;) {
      add_children(id);
      at(id).whole.end = at(id).without.end;
      for (const auto child : children_of(id)) at(id).whole.end += at(child).whole.end;
    }
    begins_.clear();
    for (std::int32_t id = 0; id < n; ++id) {
      lay_side_by_side(id);
      begins_.push_back(at(id).without.begin);
    }
    for (std::size_t i = 0; i < ends.size(); ++i)
      whole_[begins_[static_cast<std::size_t>(ends[i])]++] = before_[i];
  }

  // Part the rows of a node among its children.
  void part(std::int32_t id) {
    const auto children = children_of(id);
    begins_.clear();
    before_.assign(rows(at(id).whole).begin(), rows(at(id).whole).end());
    branch_.assign(before_.size(), kNoBranch);
    if (!children.empty()) predictor_.branches_of_node(id, rows_.columns, before_, branch_.data());
    for (const auto child : children) at(child).whole = {};
    for (const auto branch : branch_) {
      if (branch >= 0) ++at(children[static_cast<std::size_t>(branch)]).whole.end;
    }
    lay_side_by_side(id);
    for (const auto child : children) begins_.push_back(at(child).whole.begin);
    begins_.push_back(at(id).without.begin);
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const auto to = branch_[i] < 0 ? children.size() : static_cast<std::size_t>(branch_[i]);
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
    at(id).without = {begin, at(id).whole.end};
  }

  void add_children(std::int32_t id) {
    const auto weights = weights_of(id);
    for (const auto child : children_of(id)) {
      for (std::size_t k = 0; k < n_classes_; ++k) weights[k] += weights_of(child)[k];
    }
  }

  const PrunedRows& rows_;
  const Predictor& predictor_;
  std::size_t n_classes_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> child_;
  std::vector<std::uint32_t> whole_, before_;  // rows of all nodes; of one before they are parted
  std::vector<std::int64_t> weights_;          // of the classes, by node
  std::vector<std::int32_t> order_, branch_;   // nodes that rows are sent to; by row of one
  std::vector<std::size_t> begins_;            // by branch, or by node
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
    const std::span<const std::int32_t> branches(branch_.data(), range.size());
    const auto* const weights_here = weights_.data() + range.begin;
    counts_.assign(sizes.size(), 0);
    auto* const counts = counts_.data();
    auto n_unknown = range.size() + without.size();
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (branches[i] < 0) continue;
      ++counts[branches[i]];
      sizes[static_cast<std::size_t>(branches[i])] += weights_here[i];
      --n_unknown;
    }
    parts.clear();
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      parts.push_back({end_, end_});
      if (sizes[b] > 0) take(counts_[b] + n_unknown);
    }
    const auto put = [rows = rows_.data(), weights = weights_.data(), parts = parts.data()](
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
    if (n_unknown > 0) shares_.enter(sizes);
    const auto rows_in = rows(range);
    const auto weights_in = weights(range);
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (branches[i] < 0) {
        put_shares(rows_in[i], weights_in[i]);
      } else {
        put(static_cast<std::size_t>(branches[i]), rows_in[i], weights_in[i]);
      }
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
