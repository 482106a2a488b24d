// A tree laid out for prediction: a row goes in at the root and comes out with the number of its leaf, or of
// the node at which it stops, which answers for it as a leaf would.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "treewright/pool.hpp"             // for Pool
#include "treewright/predict/walk.hpp"     // for NumberNode, KeyNode
#include "treewright/table/column.hpp"     // for Column
#include "treewright/tree/check_tree.hpp"  // for TreeViews, QuestionViews

namespace treewright {

// Floats that a caller does not want to have answered for.
struct Refused {
  bool infinities = false;
  bool gaps = false;
};

class Router {
 public:
  // Throws std::invalid_argument if the arrays do not form a tree: see `check_tree`. Nothing of them is used
  // later.
  explicit Router(const TreeViews& tree);

  // Least number of columns a table must have.
  std::size_t n_columns() const {
    return kinds_.empty() ? 0 : static_cast<std::size_t>(kinds_.back().column) + 1;
  }
  std::size_t n_nodes() const { return place_.size(); }

  // The branch that each row takes at a node of the tree; kEveryBranch: all of them; kNoBranch: it stops
  // there.
  void branches_of_node(std::int32_t node, std::span<const Column> columns,
                        std::span<const std::uint32_t> rows, std::int32_t* branches) const;

  void check_kinds(std::span<const Column> columns) const;
  // Whether questions are about categories of this column.
  bool is_of_categories(std::size_t column) const {
    return std::ranges::binary_search(kinds_, Kind{static_cast<std::int32_t>(column), true});
  }

  // Whether rows without a value may end up in several leaves.
  bool spreads() const { return spreads_; }
  // Whether they may stop at an inner node.
  bool lets_rows_stop() const { return lets_rows_stop_; }

  // The leaf of every row; the heaviest, of equals the first, where it is in several.
  void apply(std::span<const Column> columns, std::span<std::int32_t> leaf_of_row, Pool& pool) const;

  // What the leaf of every row says: `width` values for each node in, as many for each row out. Numbers of a
  // row in several leaves are in their proportions; of whole numbers it takes those of the heaviest leaf.
  // False, and nothing of use in `out`, if some float was not wanted.
  template <class Value>
  bool take(std::span<const Column> columns, std::size_t n_rows, Refused refused,
            std::span<const Value> of_nodes, std::size_t width, std::span<Value> out, Pool& pool) const;

  // All leaves that rows [begin, end) reach, each with the share of the row that does. Leaves rise.
  struct Shares {
    std::vector<std::int64_t> begin{0};  // of each row
    std::vector<std::int32_t> leaf;
    std::vector<double> share;
  };
  Shares spread(std::span<const Column> columns, std::size_t n_rows) const;

 private:
  // Categories that have a branch: entries of codes_ and branches_, codes rising.
  struct Set {
    std::uint32_t begin = 0, end = 0;
    bool asks() const { return begin < end; }
  };

  // What rows do that no node of a walk can tell.
  struct Rest {
    std::uint32_t n_children = 0;
    std::int32_t missing_branch = 0;
    std::uint32_t first_surrogate = 0, last_surrogate = 0;
    std::uint32_t stop = 0;  // where rows end that stop here: a leaf of their own, behind all nodes
    Set set;                 // of a question about categories that has no table of ways
  };

  struct Surrogate {
    Cut cut;
    std::int32_t column;
    std::int32_t low_branch;
    Set set;
  };

  // What questions take a column to hold.
  struct Kind {
    std::int32_t column;
    bool has_categories;
    auto operator<=>(const Kind&) const = default;
  };

  // Where a row is that goes down every branch.
  static constexpr std::int32_t kSpread = -1;

  // Called with rows [begin, end) and where each of them ended up.
  using TakeBlock = std::function<void(std::size_t begin, std::size_t end, const std::uint32_t* ends)>;
  class Descent;

  void note_kinds(const TreeViews& tree);
  void take_sets(const QuestionViews& questions);
  void lay_out(const TreeViews& tree);
  void lay_out_node(const TreeViews& tree, std::size_t id, KeyNode& node, Rest& rest);
  void lay_out_ways(KeyNode& node, Rest& rest);
  void lay_out_numbers(const TreeViews& tree);
  void share_out(const TreeViews& tree);

  const Column& column_of(const KeyNode& node, std::span<const Column> columns) const {
    return columns[static_cast<std::size_t>(asked_[node.column])];
  }
  bool is_leaf(std::size_t at) const { return nodes_[at].first_child == at; }
  std::int32_t branch_of(std::size_t at, std::span<const Column> columns, std::size_t row) const;
  std::int32_t branch_asked(std::size_t at, std::span<const Column> columns, std::size_t row) const;
  std::uint32_t next_of(std::uint32_t at, std::span<const Column> columns, std::size_t row) const;
  std::int32_t find(const Set& set, std::int32_t code) const;
  // A row, or what is left of it, on its way; kept from row to row for its memory.
  struct Part {
    std::size_t at;
    double share;
  };
  struct Spread {
    std::vector<Part> parts;
    Shares shares;
  };
  std::int32_t heaviest_leaf(std::span<const Column> columns, std::size_t row, Spread& spread) const;
  void spread_alone(std::span<const Column> columns, std::size_t row, Spread& spread) const;
  void spread_row(std::span<const Column> columns, std::size_t row, Spread& spread) const;

  // Breadth-first, the children of a node side by side, leaves behind all nodes included.
  std::vector<KeyNode> nodes_;
  std::vector<NumberNode> numbers_;   // empty where they do not do
  std::vector<std::uint16_t> ways_;   // of all nodes_
  std::vector<std::int32_t> number_;  // in the tree
  std::vector<Rest> rest_;            // of those that are in the tree
  std::vector<std::uint32_t> place_;  // in nodes_, by number in the tree
  std::vector<std::int32_t> asked_;   // columns asked about by nodes, rising
  std::vector<Surrogate> surrogates_;
  std::vector<std::int32_t> codes_, branches_;  // of sets
  std::vector<double> share_;                   // of a node in what its parent spreads; only where `spreads_`
  std::uint32_t depth_ = 0;
  bool spreads_ = false;
  bool lets_rows_stop_ = false;
  std::vector<Kind> kinds_;  // of columns asked about, surrogates' too, rising
};

}  // namespace treewright
