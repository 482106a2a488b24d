// Smaller trees from a grown one. Nodes are in pre-order, and children were checked by `check_children`.
#pragma once

#include "treewright/predict/predict.hpp"  // for Predictor, Column, Children

namespace treewright {

// Step by step, the node that becomes a leaf, and at which alpha.
struct WeakestLinks {
  std::vector<std::int32_t> nodes;
  std::vector<double> alphas;
};

// Inner nodes in the order in which weakest-link pruning turns them into leaves: always the node with the
// least (risk(node) - risk of its leaves) / (leaves - 1), first in pre-order on a tie. Alphas do not fall.
//
// Breiman, Friedman, Olshen, Stone (1984), 3.3. `risk`: by node. Takes time of n log(n)^2 for any shape.
WeakestLinks weakest_links(const Children& children, std::span<const double> risk);

// Up to which price of a leaf each node stays split, as rpart works it out: from below, a node's link is
// measured once the links of its children that are weaker are cut, and those of grandchildren stay as they
// were cut then. The subtree at a price need not be the best one, as that of weakest_links is, but nearly
// always is. Nodes that do not pay at the price `least` have at most that.
std::vector<double> complexities(const Children& children, std::span<const double> risk, double least);

// Add to the values of every node, `width` numbers each, those of all nodes below it.
void add_up(const Children& children, std::span<double> values, std::size_t width);

// Inner nodes that cost no more as leaves than their leaves do together, but for their slack; a node below
// one that is found may be found too. Bottom-up: what was found below counts with what it costs as a leaf.
std::vector<std::int32_t> no_worse_as_leaves(const Children& children, std::span<const double> as_leaf,
                                             std::span<const double> slack, bool bottom_up);

// What is left of a tree, in pre-order. `origin`: the node it was.
struct CutTree {
  std::vector<std::int32_t> origin, child_begin, child;
};

// Some nodes become leaves, and what was below them is gone.
CutTree cut_at(const Children& children, Indices leaves);

// The tree at `root`, of n nodes at most, numbered anew; `children_of(node)`: those that are left, rising.
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
  double all_wrong = 0.67;      // extra errors where errors + 1/2 >= n, a case that is not one
  double least_extra = -1e300;  // ... but not fewer
  double no_errors = 1e-6;      // fewer are none
  double one_error = 0.9999;    // fewer are interpolated between none and one
  bool adds_none = false;

  // Errors to add; where there is an error or more.
  double extra(double n, double errors) const;
  double extra_of_some(double n, double errors) const;

  // By how much fewer errors may be expected of a leaf in all, at most, when rows are added to it; nothing
  // where that is not known. They do not become fewer but where errors + 1/2 reach n, by half of what
  // `all_wrong` lacks of 1, and a little where there begins to be an error, and to be a whole one.
  std::optional<double> most_fewer() const {
    constexpr double kALittle = 1e-3;  // and for rounding
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
  bool keeps_label_on_tie = true;  // a node's class
  double slack = 0.1;              // errors by which a smaller tree may be worse
  double tolerance = 0;            // estimates closer than this are equal
};

// The training rows again: weights are whole multiples of `unit`, fine enough for shares of shares.
struct PrunedRows {
  std::span<const Column> columns;
  std::span<const std::uint16_t> classes;
  std::span<const std::int64_t> weights;  // 0: takes no part
  double unit = 1;
  int n_classes = 0;
  Indices labels;  // class of each node of the tree
  // By row that weighs something: its leaf, or the node that asks for a value it has not. Empty: not known.
  Indices ends;
};

// What is left. n_rows -1: no row came there, it is as it was.
struct PrunedTree : CutTree {
  std::vector<std::int32_t> label;
  std::vector<std::int64_t> n_rows;
  std::vector<double> weights, errors;  // of each class; of the whole subtree
};

PrunedTree prune_error_based(const PrunedRows& rows, const Predictor& predictor, const Children& children,
                             const ErrorBasedRules& rules);

}  // namespace treewright
