// The best cuts of a node whose rows were counted by bin. Intervals that cannot contain them are struck out,
// the rows of the others are divided more finely, and only the last ones are sorted and judged.
//
// Every stage bounds the scores of cuts inside each interval. An interval stays if this bound, or the score
// of a cut at one of its ends, reaches the best cut known. So the values on both sides of a cut that may win
// stay.
#pragma once

#include "treewright/criteria/registry.hpp"      // for CriterionEntry
#include "treewright/engine/interval_judge.hpp"  // for CountedNode, Interval, IntervalJudge

namespace treewright {

template <class Kind>
class IntervalSearch {
 public:
  using Count = typename Kind::Count;
  // An interval and its part are numbered in 32 bits together.
  static constexpr std::size_t kMostColumns = 4095;

  // `judge` scores cuts in whole numbers. Its rows do not matter, since it is only asked about counts.
  IntervalSearch(const Growth& growth, CodedRows<Kind>& rows, Scan<std::uint16_t>& judge, Pool* pool)
      : table_(growth.table),
        rows_(rows),
        pool_(pool),
        bounds_(cut_bounds<Kind>(growth.recipe.criterion->word)),
        last_(table_, rows, judge, *bounds_, pool) {}

  using Node = CountedNode<Kind>;

  // Offer the best cut of every column that may win, with its position.
  void find(const Node& node, std::vector<Candidate>& candidates);

  // Work of the last call: column entries read; bins, parts of bins and values handled by one thread alone.
  std::int64_t n_scanned() const { return n_scanned_; }
  std::int64_t n_alone() const { return n_alone_; }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // A row and the number of its interval.
  struct Entry {
    std::uint32_t tag, interval;
  };
  using Value = OrderedValues::Value;
  // The part of a block of rows, handled by one thread, that is in intervals.
  struct Block {
    UninitializedBuffer<Entry> buffer;
    std::size_t n_entries = 0;
    std::vector<Count> parts;
    std::vector<typename Kind::Packed> packed;  // of rows not yet added to `parts`

    std::span<Entry> entries() { return {buffer.data(), n_entries}; }
  };

  using Scored = ScoredRows<Kind>;
  void bound(const Scored& scored, std::span<const Count> intervals, const Count& before, double* scores,
             double* inside, double& best) const;
  double score(const Scored& scored, const Count& left) const;
  bool may_win(const Scored& scored, const Count& left, const Count& here, double inside, double floor) const;
  double enter(const Node& node, std::size_t column);
  void raise_floor(const Node& node);
  void keep_bins(const Node& node);
  void index_bins();
  template <class Do>
  void for_blocks(std::uint32_t n_rows, const Do& each);
  void split_bins(const Node& node);
  void count_parts(const Node& node, std::uint32_t first, std::uint32_t n,
                   typename Kind::Packed* packed) const;
  void unpack_parts(Block& block) const;
  void drop_bins_without_parts();
  void split_by_entries(const Node& node);
  void collect(const Node& node, std::uint32_t begin, std::uint32_t end, Block& block) const;
  void add_places(const Node& node, std::span<Entry> entries, std::size_t n_parts) const;
  void add_up_parts();
  void keep_parts(const Node& node, std::span<const Count> parts, std::size_t n_parts,
                  std::vector<std::uint32_t>& interval_of_part, bool are_bins = false);
  void order_entries();

  const Table& table_;
  CodedRows<Kind>& rows_;
  Pool* pool_;
  std::unique_ptr<CutBounds<Kind>> bounds_;
  IntervalJudge<Kind> last_;
  std::int64_t n_scanned_ = 0, n_alone_ = 0;
  // Of the current node:
  double floor_ = 0;            // a lower score cannot win
  std::vector<double> best_;    // by column: the best score of a cut between intervals
  std::vector<Scored> scored_;  // by column
  std::vector<Interval<Count>> intervals_, kept_;
  std::vector<std::uint32_t> columns_;           // columns with intervals to be divided
  std::vector<std::uint32_t> interval_of_bin_;   // by column of columns_, then by bin
  std::vector<std::uint32_t> interval_of_part_;  // sixteen per bin, if bins were split
  std::vector<std::uint32_t> interval_of_place_;
  std::vector<Block> blocks_;
  std::vector<double> scores_, inside_;  // by bin
  std::vector<Value> values_;            // of all intervals, one after the other
  std::vector<std::uint32_t> begins_;    // by interval: its values
};

}  // namespace treewright
