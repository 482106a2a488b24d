// The engine for tables of many rows: no column is sorted as a whole. Large nodes are counted by bins of
// values; a child's counts are exactly its parent's minus its sibling's. `IntervalSearch` finds the best cuts
// from these counts and a few of the values. Small nodes go on in lists, for which only their own rows are
// sorted.
#pragma once

#include "treewright/criteria/registry.hpp"       // for CriterionEntry
#include "treewright/engine/interval_search.hpp"  // for CodedRows, IntervalSearch
#include "treewright/engine/list_engine.hpp"      // for ListEngine, threshold

namespace treewright {

// Data shared by the engines of all threads.
template <class Kind>
struct CountedRows {
  CountedRows(const Growth& growth, std::uint32_t n_rows_to_count)
      : coded(growth),
        lists(growth.table),
        scan(growth.recipe.criterion->make_scan(growth)),
        count_above(n_rows_to_count) {}

  CodedRows<Kind> coded;
  TableLists lists;                               // members of nodes that go on in lists
  std::unique_ptr<Scan<TableLists::Index>> scan;  // with the target of the whole table
  std::uint32_t count_above;                      // rows
};

template <class Kind>
class CountingEngine final : public NodeByNode {
 public:
  // With `pool`: for the whole table, with all threads. Without: for nodes that such an engine leaves to one
  // thread.
  CountingEngine(const Growth& growth, CountedRows<Kind>& shared, Pool* pool);

  std::size_t n_columns() const override { return coded_.n_columns(); }
  OpenNode root() override;
  void propose_one(const OpenNode& node, Proposal& proposal) override;
  Question ask_one(const OpenNode& node) override;
  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override;
  void settle_one(const OpenNode& node, LeafStore& leaves) override;
  bool finishes(const OpenNode& node) const override { return node.facts.rows <= finish_at_; }
  void finish(std::span<const OpenNode> nodes, GrowingTree& growing) override;

 private:
  using Count = typename Kind::Count;
  using Summary = typename Kind::Summary;
  // What is kept of a counted node.
  struct Kept {
    Summary summary;
    typename Kind::Measure measure;
    BinCounts<Kind> counts;
  };

  void grow_rest(CountingEngine& all, OpenNode node, GrowingTree& growing);
  void grow_in_lists(const OpenNode& node, GrowingTree& growing);
  std::span<const TableLists::Index> list_members(const OpenNode& node);
  NodeStatistics facts_of(const Summary& summary) const;
  // With a limit on leaves, no node goes on in lists: which node is next depends on all of them.
  bool is_counted(const NodeStatistics& facts, std::int64_t depth) const {
    const bool is_large = facts.rows > shared_.count_above || recipe_.limits.max_leaves >= 0;
    return is_large && recipe_.why_closed(facts, depth) == Stop::None;
  }
  std::uint32_t keep() {
    ++n_kept_;
    return kept_.add();
  }
  void leave(std::uint32_t store) {
    n_kept_ -= store > 0;
    kept_.leave(store);
  }
  bool has_room_for_counts() const;
  void count(OpenNode& node, const Summary& summary);
  void collect_counts(std::size_t n_blocks, BinCounts<Kind>& counts);
  std::size_t n_blocks_of(std::uint32_t n_rows);

  const std::uint8_t* records(const OpenNode& node) const {
    return coded_.records(node.depth, node.handle.begin);
  }

  const Growth& growth_;
  CountedRows<Kind>& shared_;
  CodedRows<Kind>& coded_{shared_.coded};
  const Recipe& recipe_{growth_.recipe};
  Pool* pool_;
  std::unique_ptr<Scan<std::uint16_t>> judge_;  // without rows: it is asked only about counts
  IntervalSearch<Kind> search_;
  Grower grower_{recipe_, growth_.watch};
  ListEngine<NarrowLists<std::uint16_t>> lists_{shared_.scan->make_narrow(), recipe_, growth_.watch};
  std::uint32_t finish_at_;
  Stores<Kept> kept_;  // of nodes
  std::size_t n_kept_ = 0;
  std::vector<RecordCounter<Kind>> counters_;          // one per block
  std::vector<std::unique_ptr<CountingEngine>> rest_;  // one per thread
};

// Grow by counting; nullopt if that is not possible, or slower than lists. It handles classes or numbers,
// criteria with bounds, plain numeric columns, and the best cut of each column; lists do the rest.
std::optional<std::vector<GrowingTree>> grow_counted(const Growth& growth);

}  // namespace treewright
