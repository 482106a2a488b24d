// Smaller trees from a grown one. Nodes are in pre-order, and children were checked by `check_children`.
#pragma once

#include "treewright/predict/predict.hpp"  // for Predictor, Column, Children

namespace treewright {

// In order, the nodes that become leaves, and the alpha at which each does.
struct WeakestLinks {
  std::vector<std::int32_t> nodes;
  std::vector<double> alphas;
};

// Inner nodes in the order in which weakest-link pruning turns them into leaves: always the node with the
// least (risk(node) - risk of its leaves) / (leaves - 1), first in pre-order on a tie. Alphas do not fall.
//
// Breiman, Friedman, Olshen, Stone (1984), 3.3. `risk`: by node. At most n log(n)^2 steps for any shape.
WeakestLinks weakest_links(const Children& children, std::span<const double> risk);

// The largest cost per leaf at which each node stays split, as rpart works it out: from below, a node's link
// is measured once the weaker links of its children are cut, and those of grandchildren stay as they were cut
// then. The subtree at a given cost is nearly always the best one, as with weakest_links, but need not be.
// Nodes whose split does not pay at the cost `least` have at most that.
std::vector<double> complexities(const Children& children, std::span<const double> risk, double least);

// Add to the values of every node, `width` numbers each, those of all nodes below it.
void add_up(const Children& children, std::span<double> values, std::size_t width);

// Inner nodes that cost no more as leaves than the leaves below them, within their slack; nodes below such a
// node may be listed too. Bottom-up: a subtree that was listed counts with its cost as a leaf.
std::vector<std::int32_t> no_worse_as_leaves(const Children& children, std::span<const double> as_leaf,
                                             std::span<const double> slack, bool bottom_up);

// What is left of a tree, in pre-order. `origin`: the number of each node before.
struct CutTree {
  std::vector<std::int32_t> origin, child_begin, child;
};

// Turn some nodes into leaves; what was below them is dropped.
CutTree cut_at(const Children& children, Indices leaves);

// The tree at `root`, of n nodes at most, numbered anew; `children_of(node)`: those left, in ascending order.
template <class ChildrenOf>
CutTree lay_out_left(std::int32_t root, std::size_t n, const ChildrenOf& children_of) {
  CutTree left{{}, {0}, {}};
  std::vector<std::int32_t> number(n, -1);  // 0 and above: it is left
  number[index(root)] = 0;
  for (auto node = index(root); node < n; ++node) {  // children come after their parent
    heed_interrupts_at(node);
    if (number[node] < 0) continue;
    number[node] = static_cast<std::int32_t>(left.origin.size());
    left.origin.push_back(static_cast<std::int32_t>(node));
    for (const auto below : children_of(node)) {
      number[index(below)] = 0;
      left.child.push_back(below);
    }
    left.child_begin.push_back(static_cast<std::int32_t>(left.child.size()));
  }
  for (auto& below : left.child) below = number[index(below)];
  return left;
}

// Errors to expect of a leaf that made some among n cases: an upper confidence limit (Quinlan 1993, ch. 4).
struct Pessimism {
  double confidence = 0.25;
  double deviate = 0.6925;      // normal deviate of the confidence
  double all_wrong = 0.67;      // extra errors per case that is not one, if errors + 1/2 >= n
  double least_extra = -1e300;  // ... but not fewer
  double no_errors = 1e-6;      // fewer count as none
  double one_error = 0.9999;    // for fewer, interpolate between none and one
  bool adds_none = false;

  // Errors to add; `extra_of_some`: to about one error or more.
  double extra(double n, double errors) const;
  double extra_of_some(double n, double errors) const;

  // The most by which the errors expected of a leaf can fall when rows are added to it; nothing if that is
  // not known. They fall only where errors + 1/2 reach n, by half of 1 - `all_wrong`, and a little where the
  // errors pass `no_errors` and `one_error`.
  std::optional<double> most_fewer() const {
    constexpr double kALittle = 1e-3;  // rounding included
    if (adds_none) return kALittle;
    const bool is_usual = confidence >= 0.001 && all_wrong >= 0 && all_wrong <= 1 && least_extra <= 0 &&
                          no_errors >= 0 && no_errors <= 1e-6 && one_error >= 0.9999 && one_error <= 1;
    if (!is_usual) return std::nullopt;
    return (1 - all_wrong) / 2 + kALittle;
  }
};

struct ErrorBasedRules {
  Pessimism pessimism;
  bool raises = true;              // the heaviest child may take the place of its parent
  bool keeps_label_on_tie = true;  // a node keeps its class if no other is heavier
  double slack = 0.1;              // errors by which a smaller tree may be worse
  double tolerance = 0;            // estimates closer than this are equal
};

// The training rows again. Weights are whole multiples of `unit`, fine enough for shares of shares.
struct PrunedRows {
  std::span<const Column> columns;
  std::span<const std::uint16_t> classes;
  std::span<const std::int64_t> weights;  // 0: the row takes no part
  double unit = 1;
  int n_classes = 0;
  Indices labels;  // class of each node of the tree
  // By row of positive weight: its leaf, or the node whose split needs a value it lacks. Empty: not known.
  Indices ends;
};

// What is left. n_rows -1: no row came to this node, so it was not changed.
struct PrunedTree : CutTree {
  std::vector<std::int32_t> label;
  std::vector<std::int64_t> n_rows;
  std::vector<double> weights, errors;  // of each class; expected of the whole subtree
};

PrunedTree prune_error_based(const PrunedRows& rows, const Predictor& predictor, const Children& children,
                             const ErrorBasedRules& rules);

}  // namespace treewright
