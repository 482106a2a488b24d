// A tree that is being pruned, and the rows that come to each of its nodes.
#pragma once

#include "treewright/engine/fractional_rows.hpp"  // for Shares
#include "treewright/prune/prune.hpp"             // for PrunedRows, Predictor, Children

namespace treewright {

struct CaseRange {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
  std::size_t size() const { return end - begin; }
};

// A row is whole if it has had a value for every split on its way. The whole rows of a node are side by side:
// first those of its children, one after the other, then those without a value for its own split. Nothing is
// copied on the way down, and they are still there when needed later.
//
// The others are fractional: cases, each with the rest of its weight. Work on a node takes room for them at
// the end of a buffer and gives it back when done, so that nothing is allocated per node.
class RowsInTree {
 protected:
  struct Node {
    std::span<std::int32_t> children;
    std::span<std::uint32_t> whole;                // whole rows that come here
    std::span<std::int64_t> weights, all_weights;  // class weights of these, and of all rows
    // Results of pruning.
    std::int32_t label = 0;
    std::int64_t n_rows = -1;  // -1: no row ever came here
    double errors = 0;
    double errors_of_whole = 0;  // once it is pruned: estimates of its leaves with whole rows only
    double n_leaves = 0;         // ... and how many these are

    bool is_leaf() const { return children.empty(); }
  };

  RowsInTree(const PrunedRows& rows, const Predictor& predictor, const Children& children)
      : rows_(rows),
        predictor_(predictor),
        nodes_(children.n_nodes()),
        child_(children.child.begin(), children.child.end()),
        n_whole_(nodes_.size()),
        weights_(2 * nodes_.size() * index(rows.n_classes)),
        cases_((rows.weights.size() < kFewRows ? 8 : 4) * rows.weights.size()) {
    const auto n_classes = index(rows.n_classes);
    for (std::size_t id = 0; id < nodes_.size(); ++id) {
      const std::span weights(weights_.data() + 2 * id * n_classes, 2 * n_classes);
      nodes_[id] = {.children = {child_.data() + children.child_begin[id], children.n_of(id)},
                    .whole = {},
                    .weights = weights.first(n_classes),
                    .all_weights = weights.last(n_classes),
                    .label = rows.labels[id]};
    }
    for (std::size_t row = 0; row < rows.weights.size(); ++row) {
      if (rows.weights[row] > 0) whole_.push_back(static_cast<std::uint32_t>(row));
    }
    rows.ends.empty() ? send(0, whole_) : place(rows.ends);
  }

  Node& at(std::int32_t node) { return nodes_[index(node)]; }

  // Whole rows without a value for the split of a node; of a leaf, all whole rows.
  std::span<const std::uint32_t> without(std::int32_t id) {
    const auto& node = at(id);
    if (node.is_leaf()) return node.whole;
    const auto& last = at(node.children.back()).whole;
    return {last.data() + last.size(), node.whole.data() + node.whole.size()};
  }

  // Send whole rows down from a node, and count them at all nodes below.
  void send(std::int32_t start, std::span<std::uint32_t> rows) {
    at(start).whole = rows;
    order_.assign(1, start);  // parents first
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto& node = at(order_[i]);
      heed_interrupts_after(node.weights.size() + node.whole.size());
      part(order_[i]);
      std::ranges::fill(node.weights, 0);
      for (const auto row : without(order_[i])) node.weights[rows_.classes[row]] += rows_.weights[row];
      order_.insert(order_.end(), node.children.begin(), node.children.end());
    }
    for (auto i = order_.size(); i-- > 0;) add_children(order_[i]);
  }

  // Make room for n more cases.
  CaseRange take(std::size_t n) {
    cases_.make_room(end_ + n, end_);
    end_ += n;
    return {end_ - n, end_};
  }

  // Valid until more room is taken.
  std::span<Case> cases(const CaseRange& range) { return {cases_.data() + range.begin, range.size()}; }

  // Spread the cases of a node, and its whole rows without a value, over its branches, at the end of the
  // buffer. Rows without a value go down every branch, in proportion to the others' weight; without others
  // none goes on. `sizes_` gets the weight of each branch, whole rows and cases, and `spread_to` has it by
  // class. If all children are leaves, cases with a value are counted but not written: nobody reads them.
  void spread(std::int32_t node, const CaseRange& range, std::vector<CaseRange>& parts) {
    const auto children = at(node).children;
    const auto unknown = without(node);
    const auto branches = branches_of<Case>(node, cases(range));
    const auto n_classes = index(rows_.n_classes);
    spread_.clear();
    for (const auto child : children)
      spread_.insert(spread_.end(), at(child).weights.begin(), at(child).weights.end());
    parts.assign(children.size(), {});
    auto n_unknown = range.size() + unknown.size();
    auto* const part_of = parts.data();
    auto* const sums = spread_.data();
    const auto* const classes = rows_.classes.data();
    const auto* given = cases(range).data();
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (branches[i] < 0) continue;
      --n_unknown;
      ++part_of[branches[i]].end;
      sums[index(branches[i]) * n_classes + classes[given[i].row]] += given[i].weight;
    }
    const bool go_on = !std::ranges::all_of(children, [&](auto child) { return at(child).is_leaf(); });
    sizes_.resize(children.size());
    for (std::size_t b = 0; b < children.size(); ++b) {
      const auto of_classes = spread_to(b);
      sizes_[b] = std::accumulate(of_classes.begin(), of_classes.end(), std::int64_t{0});
      const auto n = parts[b].end;
      parts[b] = {end_, go_on ? end_ : end_ + n};
      if (sizes_[b] > 0) take(n + n_unknown);
    }
    given = cases(range).data();  // the buffer may have moved
    const auto put = [to = cases_.data(), part_of](std::size_t branch, const Case& each) {
      to[part_of[branch].end++] = each;
    };
    for (std::size_t i = 0; go_on && i < branches.size(); ++i) {
      if (branches[i] >= 0) put(index(branches[i]), given[i]);
    }
    if (n_unknown == 0) return;
    const auto put_shares = [&](std::uint32_t row, std::int64_t weight) {
      for (const auto& [branch, share] : shares_.of(weight)) {
        put(branch, {row, share});
        sizes_[branch] += share;
        sums[branch * n_classes + classes[row]] += share;
      }
    };
    shares_.enter(sizes_);
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (branches[i] < 0) put_shares(given[i].row, given[i].weight);
    }
    for (const auto row : unknown) put_shares(row, rows_.weights[row]);
  }

  // Class weights of a branch after `spread`.
  std::span<std::int64_t> spread_to(std::size_t branch) {
    const auto n_classes = index(rows_.n_classes);
    return {spread_.data() + branch * n_classes, n_classes};
  }

  const PrunedRows& rows_;
  std::size_t end_ = 0;              // of the cases
  std::vector<std::int64_t> sizes_;  // by branch

 private:
  static constexpr std::size_t kFewRows = 100'000;

  // As `send` for all rows, if it is known where each ends. Children have higher numbers than their parents.
  void place(Indices ends) {
    const auto n = static_cast<std::int32_t>(nodes_.size());
    before_ = whole_;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      ++n_whole_[index(ends[i])];
      at(ends[i]).weights[rows_.classes[before_[i]]] += rows_.weights[before_[i]];
    }
    for (auto id = n; id-- > 0;) {
      add_children(id);
      for (const auto child : at(id).children) n_whole_[index(id)] += n_whole_[index(child)];
    }
    at(0).whole = whole_;
    for (std::int32_t id = 0; id < n; ++id) to_.push_back(lay_side_by_side(id));
    for (std::size_t i = 0; i < ends.size(); ++i) *to_[index(ends[i])]++ = before_[i];
  }

  // Partition the whole rows of a node among its children.
  void part(std::int32_t id) {
    const auto& node = at(id);
    if (node.is_leaf()) return;
    before_.assign(node.whole.begin(), node.whole.end());
    const auto branches = branches_of<std::uint32_t>(id, before_);
    for (const auto child : node.children) n_whole_[index(child)] = 0;
    for (const auto branch : branches) {
      if (branch >= 0) ++n_whole_[index(node.children[index(branch)])];
    }
    auto* const without = lay_side_by_side(id);
    to_.clear();
    for (const auto child : node.children) to_.push_back(at(child).whole.data());
    to_.push_back(without);
    for (std::size_t i = 0; i < before_.size(); ++i)
      *to_[branches[i] < 0 ? node.children.size() : index(branches[i])]++ = before_[i];
  }

  // Give every child of a node its n_whole_ among the node's rows; returns where the others begin.
  std::uint32_t* lay_side_by_side(std::int32_t id) {
    auto* begin = at(id).whole.data();
    for (const auto child : at(id).children) {
      const auto n = n_whole_[index(child)];
      at(child).whole = {std::exchange(begin, begin + n), n};
    }
    return begin;
  }

  void add_children(std::int32_t id) {
    const auto weights = at(id).weights;
    for (const auto child : at(id).children) {
      for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += at(child).weights[k];
    }
  }

  // The branch of each of some rows at a node; negative: it has no value.
  template <class Row>
  Indices branches_of(std::int32_t id, std::span<const Row> rows) {
    branch_.make_room(rows.size());
    predictor_.branches_of_node(id, rows_.columns, rows, branch_.data());
    return {branch_.data(), rows.size()};
  }

  const Predictor& predictor_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> child_;
  std::vector<std::size_t> n_whole_;           // by node, before the rows have their place
  std::vector<std::uint32_t> whole_, before_;  // rows of all nodes; of one, before it is partitioned
  std::vector<std::int64_t> weights_;          // of all nodes
  // Memory that is never written costs nothing. glibc retains up to twice the largest block ever freed: with
  // this one it retains the memory of a small table for the next fit.
  UninitializedBuffer<Case> cases_;
  std::vector<std::int32_t> order_;  // nodes that rows are sent to
  UninitializedBuffer<std::int32_t> branch_;
  std::vector<std::uint32_t*> to_;    // where the next row goes, by branch or by node
  std::vector<std::int64_t> spread_;  // class weights, by branch
  Shares shares_;
};

}  // namespace treewright
