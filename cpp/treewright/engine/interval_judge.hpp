// The last stage of the search: the judge scores the cuts inside a few intervals in whole numbers.
#pragma once

#include "treewright/engine/coded_rows.hpp"  // for CodedRows, BinCounts
#include "treewright/pool.hpp"               // for Pool
#include "treewright/search/cut_bounds.hpp"  // for CutBounds
#include "treewright/search/scan.hpp"        // for Scan

namespace treewright {

// The rows by which the cuts of a column are scored: all rows of the node, or those with a value.
template <class Kind>
struct ScoredRows {
  using Count = typename Kind::Count;
  Count all;
  Count missing;     // part of `all`: tried on the right and on the left of every cut
  Count left_out;    // rows with a missing value, if these are not scored
  double apart = 0;  // what separating these from the others adds to the score of every cut
  std::int64_t least_rows, least_weight;  // minimum of a side

  bool allows(const Rows<Kind::kWeighted>& left) const {
    return std::min<std::int64_t>(left.rows, std::int64_t{all.rows} - left.rows) >= least_rows &&
           std::min(left.weight(), all.weight() - left.weight()) >= least_weight;
  }
  std::uint32_t n_missing() const { return missing.rows + left_out.rows; }
};

// The rows of a node: their records side by side, their counts by bin, and other facts about them.
template <class Kind>
struct CountedNode {
  using Count = typename Kind::Count;

  const std::uint8_t* records;
  Count all;
  const BinCounts<Kind>& counts;
  const typename Kind::Summary& summary;
  const typename Kind::Measure& measure;
  const Recipe& recipe;

  std::span<const Count> bins_of(std::size_t column) const {
    return std::span(counts).subspan(column * ValueBins::kBins, ValueBins::kBins);
  }
  // Prepares the bounds for the cuts of a column.
  ScoredRows<Kind> score(std::size_t column, bool has_gaps, CutBounds<Kind>& bounds) const {
    const auto& limits = recipe.limits;
    ScoredRows<Kind> scored{.all = all,
                            .least_rows = std::max<std::int64_t>(1, limits.min_rows_leaf),
                            .least_weight = limits.min_weight_leaf};
    const auto missing = has_gaps ? bins_of(column).back() : Count();
    const auto ways = arrangements(recipe.missing);
    if (!ways.known_only) {
      scored.missing = missing;
    } else if (missing.rows > 0) {
      scored.left_out = missing;
      scored.all = all - missing;
      if (ways.own_branch && scored.all.rows > 0) {
        bounds.enter(all, measure);
        scored.apart = bounds.score(missing);
      }
    }
    if (scored.all.rows > 0) bounds.enter(scored.all, measure);
    return scored;
  }
};

// The rows of a bin, or of part of a bin.
template <class Count>
struct Interval {
  std::uint32_t column;
  std::uint8_t bin;
  bool has_one_value;
  Count before, here;  // rows to its left, rows inside
};

// The values of all intervals, one interval after the other, each sorted.
struct OrderedValues {
  struct Value {
    std::uint64_t key;
    std::uint32_t tag;
  };
  std::span<const std::uint32_t> begins;  // by interval
  std::span<const Value> values;
};

// The number of rows in a block, which one thread handles at once.
inline std::uint32_t rows_of_block(const Pool* pool, std::uint32_t n_rows) {
  constexpr std::uint32_t kLeast = 16384;
  const auto n_threads = pool == nullptr ? 1 : static_cast<std::uint32_t>(pool->n_threads());
  return n_threads == 1 ? n_rows : std::max(kLeast, n_rows / (2 * n_threads) + 1);
}
inline std::size_t n_row_blocks(const Pool* pool, std::uint32_t n_rows) {
  const auto size = rows_of_block(pool, n_rows);
  return (n_rows + size - 1) / size;
}
// Call each(block, first row, end of rows) for every block.
template <class Do>
void for_row_blocks(Pool* pool, std::uint32_t n_rows, const Do& each) {
  const auto size = rows_of_block(pool, n_rows);
  const auto run = [&](std::size_t i, int) {
    const auto begin = static_cast<std::uint32_t>(i) * size;
    each(i, begin, std::min(n_rows, begin + size));
  };
  const auto n_blocks = n_row_blocks(pool, n_rows);
  n_blocks > 1 ? pool->run(n_blocks, run) : run(0, 0);
}

template <class Kind>
using IntervalsOf = std::span<const Interval<typename Kind::Count>>;

template <class Kind>
class IntervalJudge {
 public:
  using Count = typename Kind::Count;
  using Node = CountedNode<Kind>;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  IntervalJudge(const Table& table, const CodedRows<Kind>& rows, Scan<std::uint16_t>& judge,
                CutBounds<Kind>& bounds, Pool* pool)
      : table_(table), rows_(rows), judge_(judge), bounds_(bounds), pool_(pool) {}

  // Offer the best cut inside an interval for every column. Cuts with scores below the floor cannot win.
  void judge(const Node& node, IntervalsOf<Kind> intervals, const OrderedValues& ordered, double floor,
             std::vector<Candidate>& candidates);

  std::int64_t n_scanned() const { return n_scanned_; }

 private:
  // A cut that may be the best: only the judge can tell.
  struct Finalist {
    std::size_t scored;       // index into scored_: the rows its column is scored by
    std::uint32_t low, high;  // rows with the values next to it; kNone: no value is above it
    std::uint32_t n_left;     // values at or below it
    bool missing_left;
    Count left;
    double score;
  };
  using Intervals = IntervalsOf<Kind>;

  void list_cells(const Node& node, Intervals intervals, std::size_t first, std::size_t last,
                  const OrderedValues& ordered);
  void add_cell(const Count& here, std::uint32_t row);
  void list_finalists(const Node& node, Intervals intervals, const OrderedValues& ordered, double floor);
  void list_cuts(double floor);
  Cut cut_of(const Finalist& of) const;
  NumberGrid measure(const Node& node);
  void judge_column(const Node& node, std::size_t first, std::size_t last, const NumberGrid& grid,
                    std::vector<Candidate>& candidates);

  const Table& table_;
  const CodedRows<Kind>& rows_;
  Scan<std::uint16_t>& judge_;
  CutBounds<Kind>& bounds_;
  Pool* pool_;
  std::int64_t n_scanned_ = 0;
  // Of the column being judged: its cells; for each, a row that has its value, or kNone between intervals.
  std::vector<Count> cells_;
  std::vector<std::uint32_t> row_of_cell_;
  // The columns searched and the rows they are scored by; the finalists, one column after the other.
  std::vector<std::pair<std::uint32_t, ScoredRows<Kind>>> scored_;
  std::vector<Finalist> finalists_;
  // By block, sums of targets: left of each finalist, of the rows left out by each column, of all rows.
  std::vector<std::vector<std::int64_t>> sums_;
};

}  // namespace treewright
