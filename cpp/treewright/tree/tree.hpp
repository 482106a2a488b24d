// The tree: first as it grows, in the order in which nodes were opened, then flat, in pre-order.
#pragma once

#include "treewright/tree/ledger.hpp"  // for Ledger, LedgerRows, LedgerEntry

namespace treewright {

// Target statistics of settled nodes: the weight of each class, or sum, answer and loss of the numbers.
struct LeafStore {
  int n_classes = 0;                  // 0: numbers
  std::vector<std::int64_t> weights;  // n_classes per node, in units of Weights::unit
  // Sums of distances from reference_of(target); answers; weight times impurity. Inner nodes that are not
  // settled get theirs from the leaves below.
  std::vector<double> sums, values, losses;

  std::int32_t size() const {
    return static_cast<std::int32_t>(n_classes > 0 ? weights.size() / static_cast<std::size_t>(n_classes)
                                                   : sums.size());
  }
};

// A growing tree, or a part of one that a thread grows alone. The children of a node are side by side.
struct GrowingTree {
  struct Node {
    std::int64_t weight = 0;
    std::uint32_t rows = 0;
    std::int32_t split = -1;  // in `splits`; -1: a leaf
    std::int32_t first_child = -1, n_children = 0;
    std::int32_t settled = -1;  // in `leaves`
    std::int32_t subtree = -1;  // number of the growing tree that takes this node's place
  };
  struct Split {
    double gain = 0;
    Cut cut;
    std::int32_t column = -1;
    std::int32_t set = -1;  // in `sets`, if the split is on categories
    std::int32_t missing_branch = -1;
    std::int32_t first_surrogate = 0;  // in `surrogates`, up to those of the next split
  };
  struct Set {
    BranchOfCode branch_of_code;
    Search search;
  };
  // Only with Quinlan's ranking: what the winner competed on, and its gain per unit of weight, less charges.
  struct Ranked {
    double worth, net_gain;
  };
  std::vector<Node> nodes;
  std::vector<Split> splits;
  std::vector<Ranked> ranked;  // by split; only with Quinlan's ranking
  std::vector<Set> sets;
  std::vector<Surrogate> surrogates;
  LeafStore leaves;
  std::vector<Bounds> bounds;        // of the answer of each node; empty: none
  LedgerRows ledger;                 // only where it is kept
  std::vector<LedgerEntry> entries;  // by node
  // By slot, the node where the row ended: its leaf, or the first node whose split needs a value that it
  // lacks. Only in a trunk without subtrees; empty if the engine does not record it.
  std::vector<std::int32_t> ends;

  std::int32_t add(std::int64_t rows, std::int64_t weight) {
    if (nodes.size() >= std::numeric_limits<std::int32_t>::max())
      throw std::length_error("more nodes than 32 bits number: limit the depth of the tree or its leaves");
    nodes.push_back({.weight = weight, .rows = static_cast<std::uint32_t>(rows)});
    return static_cast<std::int32_t>(nodes.size()) - 1;
  }

  // An entry of `bounds` or `entries`, which only some growths keep.
  template <class Value>
  Value& of_node(std::int32_t node, std::vector<Value>& by_node) const {
    if (by_node.size() < nodes.size()) by_node.resize(nodes.size());
    return by_node[static_cast<std::size_t>(node)];
  }
};

// Flat arrays in pre-order, root 0. `value`: weight of each class, or the mean or median.
struct Tree {
  QuestionArrays question;  // of a leaf: column -1
  std::vector<std::int32_t> missing_branch;
  MostlyZeros<std::int8_t> search;
  std::vector<double> gain;
  std::vector<double> worth, net_gain;        // only with Quinlan's ranking
  MostlyZeros<std::int32_t> surrogate_begin;  // node i has the surrogates from entry i to entry i + 1
  QuestionArrays surrogate;
  std::vector<std::int32_t> surrogate_low_branch;
  std::vector<double> surrogate_agree, surrogate_adjusted;
  std::vector<std::int64_t> surrogate_n_placed;
  std::vector<std::int32_t> child_begin, child;
  std::vector<std::int64_t> n_rows;
  std::vector<double> weight, value, impurity;
  std::size_t n_values = 1;  // per node
  std::int32_t max_depth = 0;
  Ledger ledger;                   // only where it is kept
  std::vector<std::int32_t> ends;  // as in GrowingTree
};

struct Recipe;

// Lay the growing trees out as one tree: tree 0 holds the root, the others take the place of a node each.
// Inner nodes that were not settled get value and impurity from their leaves. Then values are clipped to
// their bounds; impurities are not.
Tree flatten(std::vector<GrowingTree>& parts, double weight_unit, double reference, const Recipe& recipe);

}  // namespace treewright
