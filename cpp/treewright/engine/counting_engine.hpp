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
template <class Kind>
struct CountedRows {
  CountedRows(const Growth& growth, std::uint32_t n_rows_to_count)
      : coded(growth),
        lists(growth.table),
        scan(growth.recipe.criterion->make_scan(growth)),
        count_above(n_rows_to_count) {}

  CodedRows<Kind> coded;
  TableLists lists;                               // members of nodes that go on in lists
  std::unique_ptr<Scan<TableLists::Index>> scan;  // the target of the whole table
  std::uint32_t count_above;                      // rows
};

template <class Kind>
class CountingEngine final : public NodeByNode {
 public:
  // `pool`: the whole table, with all threads; without one, what such an engine leaves to one of them.
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
  // What is kept of a node whose rows are counted.
  struct Kept {
    Summary summary;
    typename Kind::Measure measure;
    BinCounts<Kind> counts;
  };

  void grow_rest(CountingEngine& all, OpenNode node, GrowingTree& growing);
  void grow_in_lists(const OpenNode& node, GrowingTree& growing);
  std::span<const TableLists::Index> list_members(const OpenNode& node);
  NodeStatistics facts_of(const Summary& summary) const;
  // With a limit on leaves no node goes on in lists: which one is next depends on all of them.
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
  std::unique_ptr<Scan<std::uint16_t>> judge_;  // has no rows, and is asked about counts
  IntervalSearch<Kind> search_;
  Grower grower_{recipe_, growth_.watch};
  ListEngine<NarrowLists<std::uint16_t>> lists_{shared_.scan->make_narrow(), recipe_, growth_.watch};
  std::uint32_t finish_at_;
  Stores<Kept> kept_;  // of nodes
  std::size_t n_kept_ = 0;
  std::vector<RecordCounter<Kind>> counters_;          // one a block
  std::vector<std::unique_ptr<CountingEngine>> rest_;  // one a thread
};

// Grow by counting; nothing: that cannot be done, or would take longer than lists do. Classes or numbers,
// scored by a criterion with bounds, in columns of numbers; the best cut of each column. All else goes to the
// lists.
std::optional<std::vector<GrowingTree>> grow_counted(const Growth& growth);

}  // namespace treewright
