// A tree laid out for prediction: a row goes in at the root and comes out with the number of its leaf, or of
// the node at which it stops, which answers for it as a leaf would.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/column.hpp"  // for Column
#include "treewright/pool.hpp"    // for Pool

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

class Router {
 public:
  // Throws std::invalid_argument if the arrays do not form a tree.
  explicit Router(const TreeViews& tree);

  // Least number of columns a table must have.
  std::size_t n_columns() const { return n_columns_; }

  // The branch that a row takes at a node of the tree; kEveryBranch: all of them; kNoBranch: it stops there.
  std::int32_t branch_of_node(std::int32_t node, std::span<const Column> columns, std::size_t row) const {
    return branch_of(place_[static_cast<std::size_t>(node)], columns, row);
  }

  void check_kinds(std::span<const Column> columns) const;

  // Whether rows without a value may end up in several leaves.
  bool spreads() const { return spreads_; }
  // Whether they may stop at an inner node.
  bool lets_rows_stop() const { return lets_rows_stop_; }

  // The leaf of every row; the heaviest, of equals the first, where it is in several.
  void apply(std::span<const Column> columns, std::span<std::int32_t> leaf_of_row, Pool& pool) const;

  // All leaves that rows [begin, end) reach, each with the share of the row that does. Leaves rise.
  struct Shares {
    std::vector<std::int64_t> begin{0};  // of each row
    std::vector<std::int32_t> leaf;
    std::vector<double> share;
  };
  Shares spread(std::span<const Column> columns, std::size_t n_rows) const;

 private:
  // Breadth-first, the children of a node side by side.
  struct Node {
    double cut;
    std::int32_t column;  // -1: leaf
    std::uint32_t next;   // first child << 1 | branch of a missing value, of two; a leaf's number in the tree
  };

  // A set of categories: by code from `least` on where that is not much longer than the list of those that
  // have a branch, otherwise looked up in the list.
  struct Set {
    std::uint32_t begin = 0, end = 0;  // in branches_
    std::int32_t least = 0;
    std::uint32_t codes = kByCode;  // begin in codes_
    bool asks() const { return begin < end; }
  };
  static constexpr std::uint32_t kByCode = ~std::uint32_t{0};

  // What does not fit in 16 bytes: cuts of integers, sets of categories, what to do without a value.
  struct More {
    std::int64_t cut_integer = 0;
    std::uint32_t first_child = 0;
    std::int32_t missing_branch = 0;
    std::int32_t number = 0;  // in the tree
    std::uint32_t first_surrogate = 0, last_surrogate = 0;
    std::uint32_t n_children = 0;  // only where rows are spread
    Set set;
  };

  struct Surrogate {
    Cut cut;
    std::int32_t column;
    std::int32_t low_branch;
    Set set;
  };

  void lay_out(const TreeViews& tree);
  void share_out(const TreeViews& tree, std::span<const std::int32_t> queue);
  void take_surrogates(const TreeViews& tree);
  Set take_set(const QuestionViews& questions, std::size_t question, std::int32_t n_branches);

  template <class Value>
  void apply_all_of(std::span<const Column> columns, std::size_t begin, std::size_t end,
                    std::int32_t* leaf_of_row) const;
  void apply_mixed(std::span<const Column> columns, std::size_t begin, std::size_t end,
                   std::int32_t* leaf_of_row) const;
  std::int32_t branch_of(std::size_t at, std::span<const Column> columns, std::size_t row) const;
  std::int32_t branch_without_value(std::size_t at, std::span<const Column> columns, std::size_t row) const;
  std::int32_t find(const Set& set, std::int32_t code) const;
  std::int32_t heaviest_leaf(std::span<const Column> columns, std::size_t row) const;
  void spread_row(std::span<const Column> columns, std::size_t row, Shares& out) const;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> place_;  // in nodes_, by number in the tree
  std::vector<More> more_;
  std::vector<Surrogate> surrogates_;
  std::vector<std::int32_t> branches_, codes_;
  std::vector<double> share_;  // of a node in what its parent spreads; only where `spreads_`
  bool is_binary_ = true;      // thresholds with two branches only, one of them for missing values
  bool spreads_ = false;
  bool lets_rows_stop_ = false;
  std::size_t n_columns_ = 0;
};

}  // namespace treewright
