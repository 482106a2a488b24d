// A tree laid out for prediction. A row goes in at the root; the result is the number of its leaf, or of the
// node where it stops, which then answers for it as a leaf would.
#pragma once

#include "treewright/pool.hpp"             // for Pool
#include "treewright/tree/check_tree.hpp"  // for TreeViews
#include "treewright/tree/question.hpp"    // for Surrogate

namespace treewright {

// Which floats that are not finite occur in some rows, or are refused by a caller.
struct NotFinite {
  bool infinities = false;
  bool missing = false;
};

// In place of a branch: the key does not tell, evaluate the whole split.
inline constexpr std::uint16_t kAsk = 0xffff;

// Keys are in the order of the numbers; this one stands for a missing value.
inline constexpr std::int64_t kMissingNodeKey = std::numeric_limits<std::int64_t>::max();

// A node with two adjacent children, the second of them for numbers above a cut.
struct NumberNode {
  static constexpr std::int32_t kLastColumn = 0xffff;

  double cut;
  std::uint16_t column;
  std::uint16_t missing_branch;
  std::uint32_t first_child;
};
static_assert(sizeof(NumberNode) == 16);

// A node that splits on floats, integers or categories, compared by key. A table has the branch of each
// category (`width` of them, from code `cut` on, and one for all others) or, for numbers, of missing values.
struct KeyNode {
  std::int64_t cut, cut_integer;  // for columns of floats or categories; for columns of integers
  std::uint32_t column;
  std::uint32_t first_child;
  std::uint32_t table;  // where its entries begin
  std::uint32_t width;  // 0: not a split on categories

  std::uint32_t branch(std::int64_t key, bool is_integer, const std::uint16_t* tables) const {
    const auto own_cut = is_integer ? cut_integer : cut;
    const auto offset = static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(own_cut);
    const std::uint32_t listed = tables[table + std::min<std::uint64_t>(offset, width)];
    const std::uint32_t above = key > own_cut;
    const auto is_listed = 0 - static_cast<std::uint32_t>((width != 0) | (key == kMissingNodeKey));
    return (listed & is_listed) | (above & ~is_listed);
  }
};

// A row, and the part of its weight that got here.
struct Case {
  std::uint32_t row;
  std::int64_t weight;

  operator std::uint32_t() const { return row; }
};

class Predictor {
 public:
  // Copies what it needs. Throws std::invalid_argument if the arrays do not form a tree: see `check_tree`.
  explicit Predictor(const TreeViews& tree);

  // Least number of columns a table must have.
  std::size_t n_columns() const { return kinds_.empty() ? 0 : index(kinds_.back().first) + 1; }
  std::size_t n_nodes() const { return position_.size(); }

  // The branch of each row at a node of the tree; kEveryBranch: all of them; kNoBranch: it stops there.
  template <class Row>
  void branches_of_node(std::int32_t node, std::span<const Column> columns, std::span<const Row> rows,
                        std::int32_t* branches) const;

  void check_kinds(std::span<const Column> columns) const;
  // The columns that splits and surrogates use, in ascending order; whether they have categories.
  const auto& kinds() const { return kinds_; }

  // Whether rows without a value may end up in several leaves.
  bool spreads() const { return spreads_; }
  // Whether they may stop at an inner node.
  bool lets_rows_stop() const { return lets_rows_stop_; }

  // The leaf of every row; if it reaches several, the heaviest one, and of equals the first.
  void apply(std::span<const Column> columns, std::span<std::int32_t> leaf_of_row, Pool& pool) const;

  // What the leaf of every row says: `of_nodes` has `width` values per node, `out` gets as many per row. For
  // a row in several leaves, floats are averaged by its shares; integers are those of the heaviest leaf.
  // Returns false, with nothing of use in `out`, if a refused float occurs.
  template <class Value>
  bool take(std::span<const Column> columns, std::size_t n_rows, NotFinite refused,
            std::span<const Value> of_nodes, std::size_t width, std::span<Value> out, Pool& pool) const;

  // All leaves that each row reaches, with its share in each. The leaves of a row are in ascending order.
  struct Shares {
    std::vector<std::int64_t> begin{0};  // of the entries of each row
    std::vector<std::int32_t> leaf;
    std::vector<double> share;
  };
  Shares spread(std::span<const Column> columns, std::size_t n_rows) const;

  // Gauss-Legendre quadrature between 0 and 1.
  struct Quadrature {
    std::span<const double> points, weights;
  };
  // Shapley values of every column for every row, `width` numbers each: what a column contributes to the
  // numbers of the leaves, of which `of_nodes` has `width` per node. `src/treewright/explain/shapley.py`
  // defines the game. d / 2 points are exact if no path uses more than d columns.
  void shapley_values(std::span<const Column> columns, std::size_t n_rows, std::span<const double> of_nodes,
                      std::size_t width, Quadrature quadrature, std::span<double> out, Pool& pool) const;

 private:
  // For rows that a node's key does not place: the splits to try next, and the branch if none knows the row.
  struct Rest {
    std::uint32_t n_children = 0;
    std::int32_t missing_branch = 0;
    std::uint32_t first_asked = 0, last_asked = 0;  // in asked_
    double share = 1;  // of a row that its parent spreads: by weight of the children, or equal if all weigh 0
  };

  // Where parts of a row are on their way, and the share of each; kept from row to row for its memory.
  using Parts = std::vector<std::pair<std::uint32_t, double>>;

  // Where a row ends that takes no single branch of a node: an extra leaf, behind all nodes.
  std::uint32_t end_at(std::uint32_t at) const { return static_cast<std::uint32_t>(n_nodes()) + at; }

  class ShapleyGame;

  bool descend(std::span<const Column> columns, std::size_t n_rows, NotFinite refused, Pool& pool,
               const auto& take_block) const;

  void lay_out_table(const TreeViews& tree, std::size_t id, KeyNode& node);

  bool is_leaf(std::size_t at) const { return nodes_[at].first_child == at; }
  std::int32_t branch_of(std::uint32_t at, std::span<const Column> columns, std::size_t row) const;
  void spread_row(std::uint32_t start, std::span<const Column> columns, std::size_t row, Parts& parts,
                  Shares& out) const;

  std::vector<Surrogate> asked_;  // surrogates, and splits on more categories than tables have room for
  std::vector<std::pair<std::int32_t, bool>> kinds_;
  bool spreads_ = false;
  bool lets_rows_stop_ = false;

  // Breadth-first, the children of a node side by side, and the extra leaves at the end.
  std::vector<KeyNode> nodes_;
  std::vector<NumberNode> numbers_;          // empty if there are categories or too many columns
  std::vector<std::uint16_t> branch_table_;  // of all nodes_
  std::vector<Rest> rest_;                   // of the nodes of the tree
  std::vector<std::int32_t> number_;         // in the tree
  std::vector<std::uint32_t> position_;      // in nodes_, by number in the tree
  std::uint32_t depth_ = 0;
};

// The key that splits compare: of a number its place in the order of all numbers, of a category its code.
template <class Value>
std::int64_t node_key(Value value) {
  if constexpr (std::is_same_v<Value, std::int32_t>) return value;
  using Wide = std::conditional_t<std::is_floating_point_v<Value>, double, std::int64_t>;
  return static_cast<std::int64_t>(key_of(static_cast<Wide>(value)) ^ (std::uint64_t{1} << 63));
}
inline double value_of_node_key(std::int64_t key) {
  return value_of_key<double>(static_cast<std::uint64_t>(key) ^ std::uint64_t{1} << 63);
}

}  // namespace treewright
