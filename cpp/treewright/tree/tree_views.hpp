// The arrays of a tree as others hold them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

}  // namespace treewright
