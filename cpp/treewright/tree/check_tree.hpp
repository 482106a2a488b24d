// Views of a tree's arrays that come from outside, and checks that they form a tree. Every function that
// takes such arrays checks them first: what comes later uses their entries as indices without checks.
//
// Checks throw std::invalid_argument, which says which entry of which array is wrong, and why. They look at
// every entry once, and no sum of entries can overflow.
#pragma once

#include "treewright/interrupt.hpp"

namespace treewright {

using Indices = std::span<const std::int32_t>;

inline std::size_t index(std::int32_t number) { return static_cast<std::size_t>(number); }

// Runs that lie one after the other: run i is entries begins[i] to begins[i + 1] of `all`.
inline std::size_t size_of_run(Indices begins, std::size_t i) { return index(begins[i + 1] - begins[i]); }
inline Indices run_of(Indices begins, Indices all, std::size_t i) {
  return all.subspan(index(begins[i]), size_of_run(begins, i));
}

// The children of every node are a run of `child`.
struct Children {
  Indices child_begin, child;

  std::size_t n_nodes() const { return child_begin.size() - 1; }
  Indices of(std::size_t node) const { return run_of(child_begin, child, node); }
  std::size_t n_of(std::size_t node) const { return size_of_run(child_begin, node); }
};

// Questions as in QuestionArrays.
struct QuestionViews {
  Indices column;
  std::span<const double> cut;
  std::span<const std::int64_t> cut_integer;
  Indices set_begin, set_code, set_branch;

  bool is_set(std::size_t i) const { return size_of_run(set_begin, i) > 0; }
  Indices codes_of(std::size_t i) const { return run_of(set_begin, set_code, i); }
  Indices branches_of(std::size_t i) const { return run_of(set_begin, set_branch, i); }
};

// Arrays as in Tree.
struct TreeViews {
  QuestionViews question;
  Indices child_begin, child, missing_branch;
  std::span<const double> weight;  // in proportion to which rows are spread
  Indices surrogate_begin;
  QuestionViews surrogate;
  Indices surrogate_low_branch;
};

// The most nodes, codes of sets, and surrogates: 32 bits number each, with what prediction appends.
inline constexpr std::size_t kMostEntries = (std::size_t{1} << 30) - 1;

// There is one entry for each of `n` things.
void check_length(std::string_view name, std::size_t length, std::size_t n, std::string_view of);

// Every entry is a number from 0 to `end` - 1, of a thing that is called `of`.
void check_numbers(std::string_view name, Indices numbers, std::size_t end, std::string_view of);

// Where the children of every node begin, if nothing else is known of the tree.
void check_child_begin(std::string_view name, Indices child_begin);

// Nodes are in pre-order: a node is followed by its first child and all below that child, then by its second
// child, and so on. No node has just one child.
Children check_children(Indices child_begin, Indices child);

// The whole tree: the children as above, and the split of every node.
void check_tree(const TreeViews& tree);

}  // namespace treewright
