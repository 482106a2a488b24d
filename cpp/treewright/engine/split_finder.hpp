// What the columns of a node have to offer: the part of an engine that is the same however it keeps its rows.
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "treewright/criteria/registry.hpp"  // for CriterionEntry
#include "treewright/engine/engine.hpp"      // for Engine, OpenNode
#include "treewright/interrupt.hpp"          // for heed_interrupts
#include "treewright/pool.hpp"               // for Pool
#include "treewright/portable.hpp"           // for prefetch, TREEWRIGHT_INLINE
#include "treewright/recipe/limits.hpp"      // for arrangements, Monotone
#include "treewright/recipe/random.hpp"      // for draw
#include "treewright/recipe/recipe.hpp"      // for Recipe
#include "treewright/search/scan.hpp"        // for Scan, SplitQuery, SetChoice
#include "treewright/search/surrogates.hpp"  // for known_of

namespace treewright {

// A node's rows are block.members() and block.list(column), from node.handle.begin to node.handle.end.
template <class Block>
class SplitFinder : public NodeByNode {
 public:
  using Index = typename Block::Index;
  std::size_t n_columns() const override { return block_.n_columns(); }

  void propose_one(const OpenNode& node, Proposal& proposal) override {
    look_at(node);
    scan_->enter(members(node), node.facts);
    if (recipe_.keeps_ledger) proposal.noted.assign(n_columns(), {});
    this->work_.template look_into_node<Index>();
    const bool draws =
        recipe_.max_columns >= 0 && recipe_.max_columns < static_cast<std::int64_t>(n_columns());
    const auto n_looked_into = draws                    ? propose_drawn(node, proposal)
                               : pays_for_threads(node) ? propose_in_threads(node, proposal)
                                                        : propose_in_turn(node, proposal);
    this->work_.scanned += n_looked_into * std::int64_t{node.handle.size()};
    if (recipe_.keeps_ledger) note_numbers(node, proposal);
  }

  bool settles_inner() const override { return scan_->settles_inner(); }

 protected:
  SplitFinder(Block block, std::unique_ptr<Scan<Index>> scan, const Recipe& recipe, Pool* pool)
      : block_(std::move(block)),
        scan_(std::move(scan)),
        recipe_(recipe),
        arrangements_(arrangements(recipe.missing)),
        pool_(pool) {
    scan_->reserve_threads(n_threads());
  }

  std::size_t n_threads() const {
    return pool_ == nullptr ? 1 : static_cast<std::size_t>(pool_->n_threads());
  }

  // The rows of this node are asked about next.
  virtual void look_at(const OpenNode&) {}

  std::span<const Index> members(const OpenNode& node) const {
    return {block_.members() + node.handle.begin, block_.members() + node.handle.end};
  }

  bool is_categorical(std::size_t column) const { return block_.table().is_categorical(column); }

  // Only a large node pays for waking threads, in rows x columns.
  bool pays_for_threads(const OpenNode& node) const {
    return pool_ != nullptr && pool_->n_threads() > 1 &&
           std::size_t{node.handle.size()} * block_.n_columns() >= 20'000;
  }

  // Do each(column, thread) for all columns.
  template <class Do>
  void for_columns(const OpenNode& node, const Do& each) {
    if (pays_for_threads(node)) {
      pool_->run(n_columns(),
                 [&](std::size_t column, int thread) { each(column, static_cast<std::size_t>(thread)); });
    } else {
      for (std::size_t column = 0; column < n_columns(); ++column) each(column, 0);
    }
  }

  // A ledger has every column, however many threads there are. Without one, a column need not be told by how
  // much it loses, nor be looked into once another splits the node as well as any can. (What missing values
  // do not take off in full, a column may be worth beyond all that there is to be had.)
  std::int64_t propose_in_turn(const OpenNode& node, Proposal& proposal) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    auto& candidates = proposal.candidates;
    candidates.clear();
    const double enough = recipe_.penalty == Penalty::Linear ? scan_->best_possible() : kInfinity;
    double best = -kInfinity;
    std::size_t column = 0;
    for (; column < n_columns() && (recipe_.keeps_ledger || best < enough); ++column) {
      Candidate candidate{.column = static_cast<std::int32_t>(column)};
      if (!recipe_.keeps_ledger) candidate.score.worth = best;
      look_into(node, column, candidate, proposal, 0);
      if (candidate.has_question()) best = std::max(best, candidate.score.worth);
      if (recipe_.keeps_ledger || candidate.has_question()) candidates.push_back(candidate);
    }
    return static_cast<std::int64_t>(column);
  }

  // What is to be beaten is whatever any thread has found by then, so which losers are passed over hangs on
  // who was first, but not who wins: what counts as equal to the best, and more than that, is never passed
  // over.
  std::int64_t propose_in_threads(const OpenNode& node, Proposal& proposal) {
    auto& candidates = proposal.candidates;
    candidates.assign(n_columns(), {});
    std::atomic<double> best{-std::numeric_limits<double>::infinity()};
    for_columns(node, [&](std::size_t column, std::size_t thread) {
      auto& candidate = candidates[column] = {.column = static_cast<std::int32_t>(column)};
      double found = best.load(std::memory_order_relaxed);
      if (!recipe_.keeps_ledger && found > 0) candidate.score.worth = found * (1 - 64 * recipe_.tie);
      look_into(node, column, candidate, proposal, thread);
      if (!candidate.has_question()) return;
      while (found < candidate.score.worth &&
             !best.compare_exchange_weak(found, candidate.score.worth, std::memory_order_relaxed)) {
      }
    });
    return static_cast<std::int64_t>(n_columns());
  }

  // Columns in an order drawn for this node, until enough were looked at and one of them has a question.
  std::int64_t propose_drawn(const OpenNode& node, Proposal& proposal) {
    auto& candidates = proposal.candidates;
    candidates.assign(n_columns(), {.verdict = Verdict::NotDrawn});
    for (std::size_t column = 0; column < n_columns(); ++column)
      candidates[column].column = static_cast<std::int32_t>(column);
    bool found = false;
    std::int64_t n_looked_into = 0;
    for (const auto column : columns_in_drawn_order(recipe_.seed, node.path, n_columns())) {
      if (found && n_looked_into >= recipe_.max_columns) break;
      look_into(node, column, candidates[column], proposal, 0);
      found |= candidates[column].has_question();
      ++n_looked_into;
    }
    return n_looked_into;
  }

  void look_into(const OpenNode& node, std::size_t column, Candidate& out, Proposal& proposal,
                 std::size_t thread) {
    propose_column(node, column, out, thread);
    if (!recipe_.keeps_ledger) return;
    if (is_categorical(column)) {
      note(node, column, out, thread, proposal.noted[column]);  // its grouping would not last
    } else if (out.has_figures() && !out.has_cut) {
      ask_for_neighbours(node, column, out);
    }
  }

  // Cuts lie between values in the caller's memory, which take a while to come: ask for them before they are
  // needed, one column after the other. (Compilers take a function that only asks for one that does nothing.)
  TREEWRIGHT_INLINE void ask_for_neighbours(const OpenNode& node, std::size_t column,
                                            const Candidate& cut) const {
    const Index* list = block_.list(column) + node.handle.begin;
    const auto& values = block_.table().columns[column];
    for (const auto i : {cut.n_left - 1, std::min(cut.n_left, node.handle.size() - 1)})
      prefetch(values.data() + static_cast<std::ptrdiff_t>(block_.row(list[i])) * values.stride());
  }

  void note_numbers(const OpenNode& node, Proposal& proposal) {
    for_columns(node, [&](std::size_t column, std::size_t thread) {
      const auto& candidate = proposal.candidates[column];
      if (!is_categorical(column) && candidate.verdict != Verdict::NotDrawn)
        note(node, column, candidate, thread, proposal.noted[column]);
    });
  }

  ListView<Index> list_of(const OpenNode& node, std::size_t column) const {
    const Index* slots = block_.list(column) + node.handle.begin;
    const auto n = node.handle.size();
    ListView<Index> list{slots, n, n, block_.table().n_categories[column]};
    list.n_known = static_cast<std::uint32_t>(known_of(block_, column, {slots, n}).size());
    return list;
  }

  void propose_column(const OpenNode& node, std::size_t column, Candidate& out, std::size_t thread) {
    propose_column(node, column, {recipe_.direction(column), node.bounds}, recipe_.limits, out, thread);
  }

  void propose_column(const OpenNode& node, std::size_t column, const Monotone& monotone,
                      const Limits& limits, Candidate& out, std::size_t thread) {
    heed_interrupts_before(node.handle.size());
    out.verdict = Verdict::Constant;
    SplitQuery<Index> query{list_of(node, column), {}, arrangements_, limits, monotone};
    const auto& list = query.list;
    const Index* slots = list.slot;
    out.n_missing = list.n - list.n_known;
    if (list.n_known == 0) return;
    const bool has_ties = block_.has_ties(column);
    const bool one_value =
        list.n_known == 1 || (has_ties && block_.same_value(column, slots[0], slots[list.n_known - 1]));
    if (one_value && (out.n_missing == 0 || !arrangements_.alone)) return;
    out.verdict = monotone.is_asked() ? Verdict::NoneInOrder : Verdict::TooFewOnEverySide;
    // What is to be beaten counts where a scan has the last word on what a cut is worth.
    if (is_categorical(column) || (out.n_missing > 0 && (arrangements_.own_branch || punishes_gaps())))
      out.score.worth = -std::numeric_limits<double>::infinity();
    const Neighbours neighbours{*this, column, slots, has_ties};
    if (is_categorical(column)) {
      query.boundaries = neighbours.boundaries();
      SetChoice choice{recipe_.categories, std::nullopt};
      if (recipe_.choice == Choice::Random) choice.drawn_by = draw(recipe_.seed, node.path, column, 0);
      scan_->best_set(query, choice, thread, out);
    } else if (recipe_.choice == Choice::Random) {
      propose_drawn_cut(node, column, query, one_value, thread, out);
    } else {
      query.boundaries = recipe_.min_gap > 0 ? neighbours.apart() : neighbours.boundaries();
      scan_->best_cut(query, thread, out);
    }
    punish_gaps_if_asked(node, list, out);
    if (out.has_question()) out.score.gain = scan_->gain(out.decrease);
  }

  // The entries of a list that lie side by side: do they differ?
  struct Neighbours {
    const SplitFinder& finder;
    std::size_t column;
    const Index* slots;
    bool has_ties;

    Boundaries<Index> boundaries() const {
      if (!has_ties) return {};
      const auto& block = finder.block_;
      if constexpr (requires { block.code(column); }) {
        return {.slots = slots, .code = block.code(column)};
      } else {
        const auto& code = block.table().orderings[column].code;
        if (!code.empty()) return {.slots = slots, .table_code = code.data()};
        return {.differ =
                    [](const void* context, std::uint32_t i) {
                      const auto& self = *static_cast<const Neighbours*>(context);
                      return !self.finder.block_.same_value(self.column, self.slots[i - 1], self.slots[i]);
                    },
                .context = this};
      }
    }

    // Where values that lie close together count as one.
    Boundaries<Index> apart() const {
      return {.differ = [](const void* context,
                           std::uint32_t i) { return static_cast<const Neighbours*>(context)->are_apart(i); },
              .context = this};
    }

    bool are_apart(std::uint32_t i) const {
      const auto& block = finder.block_;
      return block.table().columns[column].is_below(block.row(slots[i - 1]), block.row(slots[i]),
                                                    finder.recipe_.min_gap);
    }
  };

  void punish_gaps_if_asked(const OpenNode& node, const ListView<Index>& list, Candidate& out) const {
    if (out.n_missing == 0 || !punishes_gaps()) return;
    const double share =
        static_cast<double>(weight_of_missing(list)) / static_cast<double>(node.facts.weight);
    const double factor = beyond_linear(recipe_.penalty, share);
    out.score.worth *= spreads_by_ratio() ? factor_of(recipe_.penalty, share) : factor;
    out.decrease *= factor;
  }

  bool punishes_gaps() const { return recipe_.penalty != Penalty::Linear || spreads_by_ratio(); }

  // A ratio of two sums over the rows with a value does not tell how many have none.
  bool spreads_by_ratio() const { return recipe_.missing == Missing::Spread && recipe_.criterion->is_ratio; }

  // A cut drawn uniformly between the least and the largest value.
  void propose_drawn_cut(const OpenNode& node, std::size_t column, SplitQuery<Index>& query, bool one_value,
                         std::size_t thread, Candidate& out) {
    const auto& list = query.list;
    out.has_cut = true;
    if (one_value) {
      out.cut = kEveryKnownValue;
      query.only_cut = list.n_known;
      scan_->best_cut(query, thread, out);
      return;
    }
    const auto& values = block_.table().columns[column];
    const double share = share_of(draw(recipe_.seed, node.path, column, 0));
    out.cut = values.part_way(block_.row(list.slot[0]), block_.row(list.slot[list.n_known - 1]), share);
    const auto at_most = [&](Index slot) { return values.at_most(block_.row(slot), out.cut); };
    const auto n_left = std::partition_point(list.slot, list.slot + list.n_known, at_most) - list.slot;
    // Both sides have a value, unless another thread has changed some since they were put in order.
    query.only_cut = std::clamp<std::uint32_t>(static_cast<std::uint32_t>(n_left), 1, list.n_known - 1);
    scan_->best_cut(query, thread, out);
  }

  // Where a candidate cuts a numeric column; `known` is its list.
  Cut cut_of(std::size_t column, std::span<const Index> known, const Candidate& candidate) const {
    if (candidate.has_cut) return candidate.cut;
    if (candidate.n_left == known.size()) return kEveryKnownValue;
    const auto low = block_.row(known[candidate.n_left - 1]), high = block_.row(known[candidate.n_left]);
    const auto cut = block_.table().columns[column].between(low, high);
    return recipe_.cut_at == CutAt::Observed ? block_.table().observed(column, cut) : cut;
  }

  // Note for the ledger the question of a column that the thread has just proposed, and every cut of it.
  void note(const OpenNode& node, std::size_t column, const Candidate& best, std::size_t thread,
            NotedColumn& noted) {
    const auto list = list_of(node, column);
    note_best(list, column, best, scan_->grouping(thread), noted.best);
    if (!recipe_.lists_every_cut || is_categorical(column) || recipe_.choice == Choice::Random) return;
    const auto list_cuts = [&](const Monotone& monotone, const Limits& limits) {
      std::vector<Offer> offers;
      Candidate none;
      none.every = &offers;
      propose_column(node, column, monotone, limits, none, thread);
      return offers;
    };
    const Monotone monotone{recipe_.direction(column), node.bounds};
    const auto allowed = list_cuts(monotone, recipe_.limits);
    // A function is promised to be asked about nothing that is forbidden.
    const auto all = recipe_.criterion->is_function ? allowed : list_cuts({}, Limits{});
    // What a branch of their own adds for the rows without a value is the same for every cut.
    Merit of_missing = 0;
    for (const auto& offer : all) {
      if (arrangements_.own_branch && best.has_figures() && offer.n_left == best.n_left)
        of_missing = {best.score.worth - offer.merit.worth, best.decrease - offer.merit.decrease};
    }
    noted.cuts.clear();  // of a first look
    auto next_allowed = allowed.begin();
    ToldCuts told;
    for (const auto& offer : all) {
      auto& [candidate, figures] = noted.cuts.emplace_back();
      candidate.n_missing = list.n - list.n_known;
      candidate.information.n_tries = best.information.n_tries;
      candidate.offer(offer.merit, offer.n_left, offer.missing_left);
      candidate.add_worth(of_missing);
      punish_gaps_if_asked(node, list, candidate);
      figures.missing = noted.best.missing;
      note_cut(list, column, candidate, told, figures);
      if (next_allowed == allowed.end() || next_allowed->n_left != offer.n_left ||
          next_allowed->missing_left != offer.missing_left) {
        candidate.verdict = monotone.is_asked() ? Verdict::NoneInOrder : Verdict::TooFewOnEverySide;
      } else {
        if (candidate.verdict != Verdict::NoGain) candidate.verdict = Verdict::LowerInColumn;
        ++next_allowed;
      }
    }
  }

  // Branches are told from the rows while they are at hand.
  void note_best(const ListView<Index>& list, std::size_t column, const Candidate& best,
                 const Grouping& grouping, Noted& noted) const {
    noted.clear();
    noted.missing = static_cast<double>(weight_of_missing(list));
    if (!best.has_figures()) return;
    if (list.n_categories == 0) {
      ToldCuts none;
      return note_cut(list, column, best, none, noted);
    }
    noted.gain = scan_->gain(best.decrease);
    std::vector<Run> runs;
    for (std::uint32_t i = 0; i < list.n_known; ++i) {
      if (i == 0 || !block_.same_value(column, list.slot[i - 1], list.slot[i])) {
        const auto branch = grouping.branch_of_bucket[runs.size()];
        runs.push_back({i, i, branch});
        noted.branch_of_code.add(block_.table().columns[column].code(block_.row(list.slot[i])), branch);
      }
      ++runs.back().end;
    }
    auto n_branches = grouping.n_branches;
    if (list.n_known < list.n) {
      const auto joined =
          grouping.is_each_apart ? static_cast<std::int32_t>(best.n_left) : !best.missing_left;
      noted.missing_branch = branch_of_missing(joined, n_branches);
      n_branches += arrangements_.own_branch;
      runs.push_back({list.n_known, list.n, noted.missing_branch});
    }
    scan_->tell_branches(list, runs, n_branches, noted.outcome);
  }

  void note_cut(const ListView<Index>& list, std::size_t column, const Candidate& cut, ToldCuts& told,
                Noted& noted) const {
    noted.gain = scan_->gain(cut.decrease);
    noted.cut = cut_of(column, list.known(), cut);
    if (list.n_known < list.n) noted.missing_branch = branch_of_missing(!cut.missing_left, 2);
    scan_->tell_cut(list, cut, told, noted);
  }

  std::int32_t branch_of_missing(std::int32_t joined, std::int32_t n_branches) const {
    return arrangements_.own_branch ? n_branches : arrangements_.known_only ? -1 : joined;
  }

  std::int64_t weight_of_missing(const ListView<Index>& list) const {
    std::int64_t weight = 0;
    for (const auto slot : list.missing()) weight += scan_->weight_of(slot);
    return weight;
  }

  Block block_;
  std::unique_ptr<Scan<Index>> scan_;
  const Recipe& recipe_;
  Arrangements arrangements_;
  Pool* pool_;
};

}  // namespace treewright
