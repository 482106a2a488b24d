// The arrays of a tree as others hold them.
#pragma once

#include <cstdint>
#include <span>

namespace treewright {

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
