// The local engine where rows are many: columns are never put in order as a whole. Rows of large nodes are
// counted by bins of values; the counts of a child are its parent's less its sibling's, exactly. Which cut is
// best, `IntervalSearch` finds from these counts and a few of the values. Small nodes go on in lists, for
// which their own rows are put in order.
#pragma once

#include "treewright/criteria/registry.hpp"       // for CriterionEntry
#include "treewright/engine/interval_search.hpp"  // for CodedRows, IntervalSearch
#include "treewright/engine/list_engine.hpp"      // for ListEngine, threshold

namespace treewright {

// What the engines of all threads share.
struct CountedRows {
  CountedRows(const Growth& growth, std::uint32_t n_rows_to_count)
      : coded(growth),
        lists(growth.table),
        scan(growth.recipe.criterion->make_scan(growth)),
        count_above(n_rows_to_count) {}

  CodedRows coded;
  TableLists lists;                               // members of nodes that go on in lists
  std::unique_ptr<Scan<TableLists::Index>> scan;  // the target of the whole table
  std::uint32_t count_above;                      // rows
};

class CountingEngine final : public NodeByNode {
 public:
  // `pool`: the whole table, with all threads; without one, what such an engine leaves to one of them.
  CountingEngine(const Growth& growth, CountedRows& shared, Pool* pool);

  std::size_t n_columns() const override { return coded_.n_columns(); }
  OpenNode root() override;
  void propose_one(const OpenNode& node, Proposal& proposal) override;
  Question ask_one(const OpenNode& node) override;
  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override;
  void settle_one(const OpenNode& node, LeafStore& leaves) override;
  bool finishes(const OpenNode& node) const override { return node.facts.rows <= finish_at_; }
  void finish(std::span<const OpenNode> nodes, GrowingTree& growing) override;

 private:
  void grow_rest(CountingEngine& all, OpenNode node, GrowingTree& growing);
  void grow_in_lists(const OpenNode& node, GrowingTree& growing);
  NodeStatistics facts_of(const TwoClassCount& all) const;
  TwoClassCount classes_of(const OpenNode& node);
  void count(OpenNode& node);
  void collect_counts(std::size_t n_blocks, BinCounts& counts);

  // Do each(block, first row, last row) for blocks of rows; returns how many there were.
  template <class Do>
  std::size_t for_blocks(std::uint32_t n_rows, const Do& each);

  const std::uint8_t* records(const OpenNode& node) const {
    return coded_.records(node.depth, node.handle.begin);
  }

  const Growth& growth_;
  CountedRows& shared_;
  CodedRows& coded_{shared_.coded};
  const Recipe& recipe_{growth_.recipe};
  Pool* pool_;
  std::unique_ptr<Scan<std::uint16_t>> judge_;  // has no rows, and is asked about counts
  IntervalSearch search_;
  Grower grower_{recipe_, growth_.watch};
  ListEngine<NarrowLists<std::uint16_t>> lists_{shared_.scan->make_narrow(), recipe_, growth_.watch};
  std::uint32_t finish_at_;
  Stores<BinCounts> counts_;                           // of nodes
  std::vector<RecordCounter> counters_;                // one a block
  std::vector<std::unique_ptr<CountingEngine>> rest_;  // one a thread
};

// Of how many rows nodes of a growth are counted; none: they are not. Two classes, scored by a criterion with
// bounds, in columns of numbers, of which all rows have one and weigh the same; the best cut of each column,
// and no limit on leaves. All else goes to the lists.
std::optional<std::uint32_t> rows_to_count(const Growth& growth);

}  // namespace treewright
