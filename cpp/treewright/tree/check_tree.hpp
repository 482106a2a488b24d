// The arrays of a tree as others hold them, and do they form one? Every function that takes the arrays of one
// from outside asks here first: what comes later uses their entries as indices and looks no further.
//
// All of these throw std::invalid_argument, which says which entry of which array is wrong, and why. They
// look at every entry once, and no sum of entries can overflow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace treewright {

// The children of every node: those of node i are entries child_begin[i] to child_begin[i + 1] of `child`.
struct Children {
  std::span<const std::int32_t> child_begin, child;

  std::size_t n_nodes() const { return child_begin.size() - 1; }
  std::span<const std::int32_t> of(std::size_t node) const {
    return child.subspan(static_cast<std::size_t>(child_begin[node]), n_of(node));
  }
  std::size_t n_of(std::size_t node) const {
    return static_cast<std::size_t>(child_begin[node + 1] - child_begin[node]);
  }
};

// Questions as in QuestionArrays.
struct QuestionViews {
  std::span<const std::int32_t> column;
  std::span<const double> cut;
  std::span<const std::int64_t> cut_integer;
  std::span<const std::int32_t> set_begin, set_code, set_branch;

  // Of question i: whether it is about categories; what `all`, set_code or set_branch, has of its set.
  bool is_set(std::size_t i) const { return set_begin[i] < set_begin[i + 1]; }
  std::span<const std::int32_t> set_in(std::span<const std::int32_t> all, std::size_t i) const {
    return all.subspan(static_cast<std::size_t>(set_begin[i]),
                       static_cast<std::size_t>(set_begin[i + 1] - set_begin[i]));
  }
};

// Arrays as in Tree.
struct TreeViews {
  QuestionViews question;
  std::span<const std::int32_t> child_begin, child, missing_branch;
  std::span<const double> weight;  // shares of rows that are spread
  std::span<const std::int32_t> surrogate_begin;
  QuestionViews surrogate;
  std::span<const std::int32_t> surrogate_low_branch;
};

// Nodes of a tree, codes of its sets, and surrogates: no more of each, so that 32 bits number them and the
// places that prediction adds behind them.
inline constexpr std::size_t kMostEntries = (std::size_t{1} << 30) - 1;

// One entry for each of `n` things.
void check_length(std::string_view name, std::size_t length, std::size_t n, std::string_view of);

// Every entry is a number from 0 to `end` - 1, of a thing that is called `of`.
void check_numbers(std::string_view name, std::span<const std::int32_t> numbers, std::size_t end,
                   std::string_view of);

// Begins of the children of every node, where nothing else is known of the tree.
void check_child_begin(std::string_view name, std::span<const std::int32_t> child_begin);

// Nodes in pre-order: a node is followed by its first child and all that is below that one, then by the
// second child, and so on. None has just one child.
Children check_children(std::span<const std::int32_t> child_begin, std::span<const std::int32_t> child);

// -1 for the root, which is node 0; parents of others come before them.
void check_parents(std::span<const std::int32_t> parent);

// All of a tree: the children as above, and what every node asks.
void check_tree(const TreeViews& tree);

}  // namespace treewright
