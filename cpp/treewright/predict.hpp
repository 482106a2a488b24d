// A tree laid out for prediction: a row goes in at the root and comes out with the number of its leaf.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/column.hpp"  // for Column
#include "treewright/pool.hpp"    // for Pool

namespace treewright {

class Router {
 public:
  // Arrays as in Tree. Throws std::invalid_argument if they do not form a tree.
  Router(std::span<const std::int32_t> column, std::span<const double> cut,
         std::span<const std::int64_t> cut_integer, std::span<const std::int32_t> child_begin,
         std::span<const std::int32_t> child, std::span<const std::int32_t> missing_branch,
         std::span<const std::int32_t> branch_begin, std::span<const std::int32_t> branch_of_code);

  // Least number of columns a table must have.
  std::size_t n_columns() const { return n_columns_; }

  void apply(std::span<const Column> columns, std::span<std::int32_t> leaf_of_row, Pool& pool) const;

 private:
  // Breadth-first, the children of a node side by side.
  struct Node {
    double cut;
    std::int32_t column;  // -1: leaf
    std::uint32_t next;   // first child << 1 | branch of a missing value, of two; a leaf's number in the tree
  };

  // What does not fit in 16 bytes: cuts of integers, sets of categories.
  struct More {
    std::int64_t cut_integer = 0;
    std::uint32_t first_child = 0;
    std::int32_t missing_branch = 0;
    std::uint32_t set_begin = 0, set_end = 0;  // in branch_of_code_
    bool asks_for_set() const { return set_begin < set_end; }
  };

  template <class Value>
  void apply_all_of(std::span<const Column> columns, std::size_t begin, std::size_t end,
                    std::int32_t* leaf_of_row) const;
  void apply_mixed(std::span<const Column> columns, std::size_t begin, std::size_t end,
                   std::int32_t* leaf_of_row) const;
  std::int32_t branch_of(const More& node, double cut, const Column& column, std::size_t row) const;
  void check_kinds(std::span<const Column> columns) const;

  std::vector<Node> nodes_;
  std::vector<More> more_;
  std::vector<std::int32_t> branch_of_code_;
  bool is_binary_ = true;  // thresholds with two branches only
  std::size_t n_columns_ = 0;
};

}  // namespace treewright
