// The seam between engines, which keep rows, and criteria, which score splits: how a column of a node is
// searched. It is crossed once a node and column; templates stay on the far side, where the hot loops are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "treewright/recipe/candidate.hpp"    // for Candidate
#include "treewright/recipe/limits.hpp"       // for NodeStatistics
#include "treewright/search/categories.hpp"   // for Grouping, SetChoice
#include "treewright/search/split_query.hpp"  // for SplitQuery, ListView
#include "treewright/tree/tree.hpp"           // for Noted, LeafStore

namespace treewright {

// Entries [begin, end) of a list go to one branch; -1: they are not scored.
struct Run {
  std::uint32_t begin, end;
  std::int32_t branch;
};

// What branches hold, in whole numbers, for the ledger: class weights, or a sum and a weight.
using Tally = std::vector<std::int64_t>;

inline void add(Tally& to, const Tally& more, std::int64_t times = 1) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += times * more[i];
}

// What was told of cuts of a column, lowest first: each is a step beyond the one before.
struct ToldCuts {
  Tally missing, below;
  std::uint32_t n_below = 0;  // entries that `below` holds
};

template <class Index>
class Scan;

// What scans of all widths share: each can make one of a narrower width, of the same criterion.
class AnyScan {
 public:
  virtual ~AnyScan() = default;
  virtual std::unique_ptr<Scan<std::uint16_t>> make_narrow() const = 0;
  virtual std::unique_ptr<Scan<std::uint8_t>> make_short() const = 0;
};

// Rows are slots of some width.
template <class Index>
class Scan : public AnyScan {
 public:
  using Slots = std::span<const Index>;

  // The target of some slots of another scan of the same criterion.
  virtual void take(const AnyScan& from, std::span<const std::uint32_t> slots) = 0;
  virtual void take(const AnyScan& from, std::span<const std::uint16_t> slots) = 0;
  // Scores are computed by so many threads at once.
  virtual void reserve_threads(std::size_t n_threads) = 0;

  // Of any slots: what limits ask, what a leaf keeps, what it answers.
  virtual NodeStatistics facts(Slots slots, bool with_impurity) = 0;
  virtual void settle(Slots slots, const NodeStatistics& facts, LeafStore& leaves) = 0;
  virtual double value_of(Slots slots) = 0;
  // Whether what an inner node keeps cannot be put together from its leaves.
  virtual bool settles_inner() const { return false; }

  // By slot; null: all weigh 1.
  virtual const std::int64_t* weights() const = 0;
  virtual void weigh(std::span<const std::uint32_t> slots, std::span<const std::int64_t> weights) = 0;
  std::int64_t weight_of(std::size_t slot) const {
    const auto* by_slot = weights();
    return by_slot == nullptr ? 1 : by_slot[slot];
  }

  // Make ready to score the splits of a node.
  virtual void enter(Slots slots, const NodeStatistics& facts) = 0;
  // No split of the node is worth more; one that is worth as much ends the search.
  virtual double best_possible() const = 0;
  // What a decrease of weight times impurity is as a gain.
  virtual double gain(double decrease) const = 0;

  // Offer the best cut of a column; the best sets of categories, whose `grouping` stays until the thread
  // searches again.
  virtual void best_cut(const SplitQuery<Index>& query, std::size_t thread, Candidate& out) = 0;
  virtual void best_set(const SplitQuery<Index>& query, const SetChoice& choice, std::size_t thread,
                        Candidate& out) = 0;
  virtual const Grouping& grouping(std::size_t thread) const = 0;

  // For the ledger: what the branches of runs of a list hold, and those of a cut. It is told by tallies,
  // which can be added and taken off, unless a search has none.
  virtual void tell_branches(const ListView<Index>& list, std::span<const Run> runs, std::int32_t n_branches,
                             std::vector<double>& outcome) const {
    std::vector<Tally> tallies(static_cast<std::size_t>(n_branches), tally_of({}));
    for (const auto& [begin, end, branch] : runs) {
      if (branch >= 0)
        add(tallies[static_cast<std::size_t>(branch)], tally_of({list.slot + begin, list.slot + end}));
    }
    for (const auto& tally : tallies) tell_tally(tally, outcome);
  }
  virtual void tell_cut(const ListView<Index>& list, const Candidate& cut, ToldCuts& told,
                        Noted& noted) const {
    const auto missing_branch = noted.missing_branch;
    if (told.n_below == 0) {
      told.missing = tally_of(list.missing());
      told.below = Tally(told.missing.size());
    }
    auto left = tally_of_left(cut);
    if (!left) {
      add(told.below, tally_of(list.known().subspan(told.n_below, cut.n_left - told.n_below)));
      told.n_below = cut.n_left;
      left = told.below;
      if (missing_branch == 0) add(*left, told.missing);
    }
    auto right = tally_of_node();
    add(right, *left, -1);
    if (missing_branch != 0 && missing_branch != 1) add(right, told.missing, -1);
    tell_tally(*left, noted.outcome);
    tell_tally(right, noted.outcome);
    if (missing_branch == 2) tell_tally(told.missing, noted.outcome);
  }

  // The target where it is nothing but two classes of rows that weigh 1, scored by Gini: is a slot of class
  // 1? Otherwise null.
  virtual const std::uint8_t* two_classes() const { return nullptr; }

 protected:
  virtual Tally tally_of(Slots slots) const = 0;
  virtual Tally tally_of_node() const = 0;
  // The left side of a cut, where its score has told it.
  virtual std::optional<Tally> tally_of_left(const Candidate&) const { return std::nullopt; }
  virtual void tell_tally(const Tally& tally, std::vector<double>& outcome) const = 0;
};

}  // namespace treewright
