// The interface between engines, which keep rows, and criteria, which score splits: how a column is searched
// at a node. It takes one virtual call per node and column; the templates with the hot loops are behind it.
#pragma once

#include "treewright/recipe/recipe.hpp"  // for Arrangements, Grouping, SetChoice
#include "treewright/tree/tree.hpp"      // for Noted, LeafStore

namespace treewright {

// A column's slots at a node, in order of value; the first n_known have a value.
template <class Index>
struct ListView {
  const Index* slot;
  std::uint32_t n, n_known;
  std::uint32_t n_categories = 0;  // declared, of a categorical column

  std::span<const Index> known() const { return {slot, n_known}; }
  std::span<const Index> missing() const { return {slot + n_known, n - n_known}; }
};

// Whether entries i - 1 and i of a list have different values: by code, or by `differ`; with neither, all do.
template <class Index>
struct Boundaries {
  const Index* slots = nullptr;
  const Index* code = nullptr;  // by slot
  bool (*differ)(const void* context, std::uint32_t i) = nullptr;
  const void* context = nullptr;

  bool operator()(std::uint32_t i) const { return next(i, i + 1) == i; }

  // The first entry from i on, below n, that differs from the one before it; n: there is none.
  std::uint32_t next(std::uint32_t i, std::uint32_t n) const {
    if (code != nullptr) {
      const auto before = code[slots[i - 1]];
      while (i < n && code[slots[i]] == before) ++i;
    } else if (differ != nullptr) {
      while (i < n && !differ(context, i)) ++i;
    }
    return i;
  }
};

// Rows of a node, all of the same weight, counted by code of a column and by class.
struct ColumnCounts {
  const std::int32_t* cells;             // for every code, the count of each class
  std::span<const std::int32_t> totals;  // of each class
  std::span<const std::uint32_t> codes;  // rising: all that occur in the node, and perhaps others

  const std::int32_t* of(std::uint32_t code) const { return cells + code * totals.size(); }
  std::int64_t rows(std::uint32_t code) const {
    return std::accumulate(of(code), of(code) + totals.size(), std::int64_t{0});
  }
};

// The least and the largest number of known values that may go left.
struct Reach {
  std::int64_t first, last;
  bool holds(std::int64_t i) const { return first <= i && i <= last; }
};

template <class Index>
struct SplitQuery {
  ListView<Index> list;
  Boundaries<Index> boundaries;
  Arrangements arrangements;
  const Limits& limits;
  Monotone monotone;
  std::uint32_t only_cut = 0;  // known values on the left of the only cut to be scored; 0: all cuts

  std::int64_t n_scored() const { return arrangements.known_only ? list.n_known : list.n; }
  // Rows with a missing value among those that are scored: they are tried on either side of every cut.
  std::int64_t n_missing() const { return n_scored() - list.n_known; }
  bool leaves_rows_out() const { return n_scored() < list.n; }

  // With missing values on the right, i rows go left; with m missing values on the left, i + m rows do.
  Reach reach(bool missing_left) const {
    const std::int64_t n_known = list.n_known, least = limits.min_rows_leaf;
    const auto most = n_missing() > 0 ? n_known : n_known - 1;
    Reach reach{least, std::min(n_scored() - least, most)};
    if (missing_left) reach = {std::max<std::int64_t>(1, least - n_missing()), n_known - least};
    if (only_cut == 0) return reach;
    return {std::max<std::int64_t>(reach.first, only_cut), std::min<std::int64_t>(reach.last, only_cut)};
  }

  // The same for either placement of missing values.
  Reach widest_reach() const {
    const auto right = reach(false);
    if (n_missing() == 0) return right;
    const auto left = reach(true);
    return {std::min(left.first, right.first), std::max(left.last, right.last)};
  }

  // Whether the first i known values, i in `reach`, may go left. `is_in_order()`: sides satisfy `monotone`.
  template <class InOrder>
  bool allows(std::int64_t i, std::int64_t left_weight, std::int64_t right_weight,
              const InOrder& is_in_order) const {
    const bool parts_values = i < list.n_known;
    return (!parts_values || only_cut != 0 || boundaries(static_cast<std::uint32_t>(i))) &&
           std::min(left_weight, right_weight) >= limits.min_weight_leaf &&
           (!parts_values || !monotone.is_asked() || is_in_order());
  }

  // Call look_at(begin, end) for the entries of each value or category.
  template <class Do>
  void for_each_value(const Do& look_at) const {
    for (std::uint32_t begin = 0, end = 0; begin < list.n_known; begin = end) {
      end = only_cut > begin ? only_cut : list.n_known;
      if (only_cut == 0) end = boundaries.next(begin + 1, list.n_known);
      heed_interrupts_after(end - begin);
      look_at(begin, end);
    }
  }
};

// Entries [begin, end) of a list, and the branch they go to; -1: they are not scored.
struct Run {
  std::uint32_t begin, end;
  std::int32_t branch;
};

// The content of branches as integers, for the ledger: class weights, or a sum and a weight.
using Tally = std::vector<std::int64_t>;

inline void add(Tally& to, const Tally& more, std::int64_t times = 1) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += times * more[i];
}

// State kept while the cuts of a column are recorded, lowest first: each cut starts from the one before.
struct ToldCuts {
  Tally missing, below;
  std::uint32_t n_below = 0;  // entries counted in `below`
};

// Slots are numbers of 32 bits, then 16, then 8.
template <class Index>
using NarrowIndex = std::conditional_t<sizeof(Index) == 4, std::uint16_t, std::uint8_t>;
template <class Index>
using WideIndex = std::conditional_t<sizeof(Index) == 1, std::uint16_t, std::uint32_t>;

// The search of a criterion, over slots of some width.
template <class Index>
class Scan {
 public:
  using Slots = std::span<const Index>;
  using Wide = WideIndex<Index>;

  virtual ~Scan() = default;
  // A scan of the same criterion in the next narrower width; it takes its target from one of the next wider.
  virtual std::unique_ptr<Scan<NarrowIndex<Index>>> make_narrow() const = 0;
  virtual void take(const Scan<Wide>& from, std::span<const Wide> slots) = 0;
  // So many threads may compute scores at once.
  virtual void reserve_threads(std::size_t n_threads) = 0;

  // For any slots: what the limits need, what a leaf stores, what it answers.
  virtual NodeStatistics facts(Slots slots, bool with_impurity) = 0;
  virtual void settle(Slots slots, const NodeStatistics& facts, LeafStore& leaves) = 0;
  virtual double value_of(Slots slots) = 0;
  // Whether the statistics of an inner node cannot be derived from its leaves.
  virtual bool settles_inner() const { return false; }

  // By slot; null: all weigh 1.
  virtual const std::int64_t* weights() const = 0;
  virtual void weigh(std::span<const std::uint32_t> slots, std::span<const std::int64_t> weights) = 0;

  // Prepare to score the splits of a node.
  virtual void enter(Slots slots, const NodeStatistics& facts) = 0;
  // No split of the node is worth more; the first one that is worth as much ends the search.
  virtual double best_possible() const = 0;
  // A decrease of weight times impurity, as a gain.
  virtual double gain(double decrease) const = 0;

  // Offer the best cut of a column, or the best sets; `grouping` stays valid until the thread searches again.
  virtual void best_cut(const SplitQuery<Index>& query, std::size_t thread, Candidate& out) = 0;
  virtual void best_set(const SplitQuery<Index>& query, const SetChoice& choice, std::size_t thread,
                        Candidate& out) = 0;
  virtual const Grouping& grouping(std::size_t thread) const = 0;

  // The same for classes if rows are counted, not listed: a node by its counts, and the best cut of a column.
  virtual void enter_counts(std::span<const std::int32_t>) {}
  virtual void best_counted_cut(const ColumnCounts&, const Reach&, Candidate&) {}
  // ... and for a few cuts, with any target: a node by its class weights, or by the sum of its numbers in
  // steps of a grid and its weight; and a cut, by the same figures of its left side.
  virtual void enter_tally(std::span<const std::int64_t>, const NumberGrid&) {}
  virtual void offer_tally(std::span<const std::int64_t>, std::uint32_t /*n_left*/, bool /*missing_left*/,
                           Candidate&) {}

  // For the ledger: the content of the branches that runs of a list form, and of the sides of a cut. It is
  // found from tallies, which can be added and subtracted, unless a search has none.
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

  // By slot, whether its class is 1: for two classes of rows that weigh 1, scored by Gini; otherwise null.
  virtual const std::uint8_t* two_classes() const { return nullptr; }

 protected:
  virtual Tally tally_of(Slots slots) const = 0;
  virtual Tally tally_of_node() const = 0;
  // The left side of a cut, if scoring it has found that.
  virtual std::optional<Tally> tally_of_left(const Candidate&) const { return std::nullopt; }
  virtual void tell_tally(const Tally& tally, std::vector<double>& outcome) const = 0;
};

}  // namespace treewright
