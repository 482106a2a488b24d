// The candidates of columns, and the split of the winner: what engines share, however they keep their rows.
#pragma once

#include <atomic>

#include "treewright/criteria/registry.hpp"  // for CriterionEntry
#include "treewright/engine/lists.hpp"       // for Neighbours, for_each_category, mark_known, write_set

namespace treewright {

// Search columns in turn, each to beat the best before it, until one is worth as much as any can be. For a
// ledger every column is searched, with nothing to beat. Returns how many were searched.
template <class LookInto>
std::int64_t propose_in_turn(std::size_t n_columns, double enough, bool keeps_ledger,
                             std::vector<Candidate>& candidates, const LookInto& look_into) {
  candidates.clear();
  double best = -kInfinity;
  std::size_t column = 0;
  for (; column < n_columns && (keeps_ledger || best < enough); ++column) {
    Candidate candidate{.column = static_cast<std::int32_t>(column)};
    if (!keeps_ledger) candidate.score.worth = best;
    look_into(column, candidate);
    if (candidate.has_question()) best = std::max(best, candidate.score.worth);
    if (keeps_ledger || candidate.has_question()) candidates.push_back(candidate);
  }
  return static_cast<std::int64_t>(column);
}

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
    auto& candidates = proposal.candidates;
    const auto look = [&](std::size_t column, Candidate& out) { look_into(node, column, out, proposal, 0); };
    auto n_looked_into = static_cast<std::int64_t>(n_columns());
    if (draws) {
      candidates.resize(n_columns());
      n_looked_into = look_into_drawn(recipe_.seed, node.path, recipe_.max_columns, candidates,
                                      [&](std::size_t column) { look(column, candidates[column]); });
    } else if (pays_for_threads(node)) {
      propose_in_threads(node, proposal);
    } else {
      // Unless the penalty for missing values is linear, a column may be worth more than `best_possible`.
      const double enough = recipe_.penalty == Penalty::Linear ? scan_->best_possible() : kInfinity;
      n_looked_into = propose_in_turn(n_columns_of(node), enough, recipe_.keeps_ledger, candidates, look);
    }
    this->work_.scanned += n_looked_into * std::int64_t{node.handle.size()};
    if (!recipe_.keeps_ledger) return;
    for_columns(node, [&](std::size_t column, std::size_t thread) {
      const auto& candidate = proposal.candidates[column];
      if (!is_categorical(column) && candidate.verdict != Verdict::NotDrawn)
        note(node, column, candidate, thread, proposal.noted[column]);
    });
  }

  // Values come from the caller's memory: for several nodes they are prefetched together.
  void ask(std::span<const OpenNode> nodes, std::span<Question> questions) override {
    if (nodes.size() > 1) {
      for (const auto& node : nodes) {
        if (!node.winner.has_cut && !is_categorical(node.column()))
          ask_for_neighbours(node, node.column(), node.winner);
      }
    }
    NodeByNode::ask(nodes, questions);
  }

  Question ask_one(const OpenNode& node) override {
    look_at(node);
    const auto& winner = node.winner;
    const auto column = node.column();
    const auto known = winner_list(block_, node).known();
    Question question{.missing_branch = winner.missing_left ? 0 : 1};
    if (is_categorical(column)) {
      ask_for_set(node, known, question);
    } else {
      question.cut = cut_of(column, known, winner);
    }
    if (recipe_.missing == Missing::Spread) {
      question.missing_branch = kEveryBranch;
    } else if (recipe_.lets_rows_stop) {
      question.missing_branch = kNoBranch;
    } else if (winner.n_missing == 0 || (arrangements_.known_only && !arrangements_.own_branch)) {
      question.missing_branch = largest_branch(node, question, known);
    } else if (arrangements_.own_branch) {
      question.missing_branch = question.n_branches++;
    }
    if (recipe_.wants_surrogates(column)) find_surrogates(node, question);
    if (!recipe_.is_monotone()) return question;
    // Half-way between the values of the winner's sides, as scored: where the bounds of the children meet.
    const auto missing = winner_list(block_, node).missing();
    std::vector<Index> left(known.begin(), known.begin() + winner.n_left),
        right(known.begin() + winner.n_left, known.end());
    auto& joined = winner.missing_left ? left : right;
    if (!arrangements_.known_only) joined.insert(joined.end(), missing.begin(), missing.end());
    question.middle = (scan_->value_of(left) + scan_->value_of(right)) / 2;
    return question;
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

  // Called before the rows of this node are used.
  virtual void look_at(const OpenNode&) {}

  std::span<const Index> members(const OpenNode& node) const {
    return {block_.members() + node.handle.begin, block_.members() + node.handle.end};
  }

  bool is_categorical(std::size_t column) const { return block_.table().is_categorical(column); }

  bool pays_for_threads(const OpenNode& node) const {
    return pool_ != nullptr && pool_->pays_for(node.handle.size() * block_.n_columns());
  }

  // Call each(column, thread) for all columns.
  template <class Do>
  void for_columns(const OpenNode& node, const Do& each) {
    if (pays_for_threads(node)) return pool_->run(n_columns(), each);
    for (std::size_t column = 0; column < n_columns(); ++column) each(column, 0);
  }

  // How many columns a node needs to search: one without ties splits two rows as well as any other.
  std::size_t n_columns_of(const OpenNode& node) const {
    const bool one_will_do = node.facts.rows == 2 && cuts_compete_alone_ && !block_.has_ties(0) &&
                             !block_.has_missing(0) && !is_categorical(0);
    return one_will_do ? 1 : n_columns();
  }

  // Each column has to beat the best that any thread has found so far. Timing decides which losers are cut
  // short, but not who wins: a column that equals or beats the best is never cut short.
  void propose_in_threads(const OpenNode& node, Proposal& proposal) {
    auto& candidates = proposal.candidates;
    candidates.assign(n_columns(), {});
    std::atomic<double> best{-kInfinity};
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
  }

  void look_into(const OpenNode& node, std::size_t column, Candidate& out, Proposal& proposal,
                 std::size_t thread) {
    propose_column(node, column, out, thread);
    if (!recipe_.keeps_ledger) return;
    if (is_categorical(column)) {
      note(node, column, out, thread, proposal.noted[column]);  // the next search replaces its grouping
    } else if (out.has_figures() && !out.has_cut) {
      ask_for_neighbours(node, column, out);
    }
  }

  // Cuts lie between values in the caller's memory, which take a while to load: prefetch them, one column
  // after the other. (Compilers assume that a function which only prefetches has no effect.)
  TREEWRIGHT_INLINE void ask_for_neighbours(const OpenNode& node, std::size_t column,
                                            const Candidate& cut) const {
    const Index* list = block_.list(column) + node.handle.begin;
    const auto& values = block_.table().columns[column];
    for (const auto i : {cut.n_left - 1, std::min(cut.n_left, node.handle.size() - 1)})
      prefetch(values.data() + static_cast<std::ptrdiff_t>(block_.row(list[i])) * values.stride());
  }

  ListView<Index> list_of(const OpenNode& node, std::size_t column) const {
    const Index* slots = block_.list(column) + node.handle.begin;
    const auto n = node.handle.size();
    ListView<Index> list{slots, n, n, block_.table().n_categories[column]};
    list.n_known = static_cast<std::uint32_t>(known_of(block_, column, {slots, n}).size());
    return list;
  }

  void propose_column(const OpenNode& node, std::size_t column, Candidate& out, std::size_t thread,
                      bool is_limited = true) {
    static constexpr Limits kNoLimits;
    heed_interrupts_before(node.handle.size());
    const auto monotone = is_limited ? Monotone{recipe_.direction(column), node.bounds} : Monotone{};
    const auto& limits = is_limited ? recipe_.limits : kNoLimits;
    out.verdict = Verdict::Constant;
    SplitQuery<Index> query{list_of(node, column), {}, arrangements_, limits, monotone};
    const auto& list = query.list;
    out.n_missing = list.n - list.n_known;
    if (list.n_known == 0) return;
    const auto known = list.known();
    const bool one_value = list.n_known == 1 || (block_.has_ties(column) &&
                                                 block_.same_value(column, known.front(), known.back()));
    if (one_value && (out.n_missing == 0 || arrangements_.known_only)) return;
    out.verdict = monotone.is_asked() ? Verdict::NoneInOrder : Verdict::TooFewOnEverySide;
    // The score to beat counts only if the scan decides the final worth of a cut.
    if (is_categorical(column) || (out.n_missing > 0 && (arrangements_.own_branch || penalizes_missing())))
      out.score.worth = -kInfinity;
    const double min_gap = is_categorical(column) ? 0 : recipe_.min_gap;
    const Neighbours<Block> neighbours{block_, column, list.slot, min_gap};
    query.boundaries = neighbours.boundaries();
    if (is_categorical(column)) {
      SetChoice choice{recipe_.categories, std::nullopt};
      if (recipe_.choice == Choice::Random) choice.drawn_by = draw(recipe_.seed, node.path, column, 0);
      scan_->best_set(query, choice, thread, out);
    } else {
      if (recipe_.choice == Choice::Random) query.only_cut = draw_cut(node, column, known, one_value, out);
      scan_->best_cut(query, thread, out);
    }
    penalize_missing_if_asked(node, list, out);
    if (out.has_question()) out.score.gain = scan_->gain(out.decrease);
  }

  void penalize_missing_if_asked(const OpenNode& node, const ListView<Index>& list, Candidate& out) const {
    if (out.n_missing == 0 || !penalizes_missing()) return;
    const double share =
        static_cast<double>(weight_of_missing(list)) / static_cast<double>(node.facts.weight);
    const double factor = beyond_linear(recipe_.penalty, share);
    out.score.worth *= spreads_by_ratio() ? factor_of(recipe_.penalty, share) : factor;
    out.decrease *= factor;
  }

  bool penalizes_missing() const { return recipe_.penalty != Penalty::Linear || spreads_by_ratio(); }

  // A ratio of two sums over the rows with a value does not show how many rows have none.
  bool spreads_by_ratio() const { return recipe_.missing == Missing::Spread && recipe_.criterion->is_ratio; }

  // A cut drawn uniformly between the least and the largest value. Returns how many known values go left.
  std::uint32_t draw_cut(const OpenNode& node, std::size_t column, std::span<const Index> known,
                         bool one_value, Candidate& out) const {
    out.has_cut = true;
    out.cut = kEveryKnownValue;
    if (one_value) return static_cast<std::uint32_t>(known.size());
    const auto& values = block_.table().columns[column];
    const double share = share_of(draw(recipe_.seed, node.path, column, 0));
    out.cut = values.part_way(block_.row(known.front()), block_.row(known.back()), share);
    const auto at_most = [&](Index slot) { return values.at_most(block_.row(slot), out.cut); };
    const auto n_left = std::partition_point(known.begin(), known.end(), at_most) - known.begin();
    // Both sides have a value, unless another thread has changed some since they were put in order.
    return static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(n_left, 1, std::ssize(known) - 1));
  }

  // The cut of a candidate of a numeric column; `known` is its list.
  Cut cut_of(std::size_t column, std::span<const Index> known, const Candidate& candidate) const {
    if (candidate.has_cut) return candidate.cut;
    if (candidate.n_left == known.size()) return kEveryKnownValue;
    const auto low = block_.row(known[candidate.n_left - 1]), high = block_.row(known[candidate.n_left]);
    const auto cut = block_.table().columns[column].between(low, high);
    return recipe_.cut_at == CutAt::Observed ? block_.table().observed(column, cut) : cut;
  }

  // Record for the ledger the best split of a column that this thread has just searched, and all its cuts.
  void note(const OpenNode& node, std::size_t column, const Candidate& best, std::size_t thread,
            NotedColumn& noted) {
    const auto list = list_of(node, column);
    note_best(list, column, best, scan_->grouping(thread), noted.best);
    if (!recipe_.lists_every_cut || is_categorical(column) || recipe_.choice == Choice::Random) return;
    const auto list_cuts = [&](bool is_limited) {
      std::vector<Offer> offers;
      Candidate none;
      none.every = &offers;
      propose_column(node, column, none, thread, is_limited);
      return offers;
    };
    const auto allowed = list_cuts(true);
    // A function is never asked about cuts that are not allowed.
    const auto all = recipe_.criterion->is_function ? allowed : list_cuts(false);
    // What a branch of their own for missing values adds is the same for every cut.
    Merit of_missing = 0;
    for (const auto& offer : all) {
      if (arrangements_.own_branch && best.has_figures() && offer.n_left == best.n_left)
        of_missing = {best.score.worth - offer.merit.worth, best.decrease - offer.merit.decrease};
    }
    noted.cuts.clear();  // left by an earlier look
    auto next_allowed = allowed.begin();
    ToldCuts told;
    for (const auto& offer : all) {
      auto& [candidate, figures] = noted.cuts.emplace_back();
      candidate.n_missing = list.n - list.n_known;
      candidate.information.n_tries = best.information.n_tries;
      candidate.offer(offer.merit, offer.n_left, offer.missing_left);
      candidate.add_worth(of_missing);
      penalize_missing_if_asked(node, list, candidate);
      figures.missing = noted.best.missing;
      note_cut(list, column, candidate, told, figures);
      if (next_allowed == allowed.end() || next_allowed->n_left != offer.n_left ||
          next_allowed->missing_left != offer.missing_left) {
        candidate.verdict =
            recipe_.direction(column) != 0 ? Verdict::NoneInOrder : Verdict::TooFewOnEverySide;
      } else {
        if (candidate.verdict != Verdict::NoGain) candidate.verdict = Verdict::LowerInColumn;
        ++next_allowed;
      }
    }
  }

  // The content of branches is found from the rows while they are at hand.
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
    for_each_category(block_, column, list.known(), [&](auto code, std::size_t begin, std::size_t end) {
      const auto branch = grouping.branch_of_bucket[runs.size()];
      runs.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), branch});
      noted.branch_of_code.add(code, branch);
    });
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
    const auto* weights = scan_->weights();
    std::int64_t weight = 0;
    for (const auto slot : list.missing()) weight += weights == nullptr ? 1 : weights[slot];
    return weight;
  }

  // Find the winner's grouping again (it was not kept for every column) and write it by code.
  void ask_for_set(const OpenNode& node, std::span<const Index> known, Question& question) {
    const auto column = node.column();
    scan_->enter(members(node), node.facts);
    Candidate again;
    propose_column(node, column, again, 0);
    // Only a function of the caller's may give another score the second time.
    if (again.score.worth != node.winner.score.worth)
      throw std::invalid_argument("the criterion gave the same rows two different scores");
    std::vector<std::int32_t> codes;
    for_each_category(block_, column, known,
                      [&](auto code, std::size_t, std::size_t) { codes.push_back(code); });
    const auto& grouping = scan_->grouping(0);
    write_set(grouping, codes, block_.table().n_categories[column], question);
    if (grouping.is_each_apart && node.winner.n_left < codes.size())
      question.missing_branch = codes[node.winner.n_left];
  }

  // The weight of a row before priors and losses change it.
  auto own_weight() const {
    return [&own = block_.table().own_weights, weights = scan_->weights(), this](Index slot) {
      if (!own.empty()) return own[block_.table_slot(slot)];
      return weights == nullptr ? std::int64_t{1} : weights[slot];
    };
  }

  void find_surrogates(const OpenNode& node, Question& question) {
    mark_known(block_, node, question, side_);
    const auto missing = winner_list(block_, node).missing();
    for (const auto slot : missing) side_[slot] = kNoSide;
    // A monotone column is no surrogate: answers are in order along it only if no other split uses it.
    const auto run = [&](const auto& look) {
      for_columns(node, [&](std::size_t column, std::size_t) {
        if (recipe_.direction(column) == 0 && column != node.column()) look(column);
      });
    };
    question.surrogates =
        treewright::find_surrogates(block_, node.handle.begin, node.handle.end, side_.data(), own_weight(),
                                    recipe_.agreement, recipe_.max_surrogates, run);
    for (std::size_t i = 0; i < missing.size(); ++i) {
      heed_interrupts_at(i);
      const auto by = first_to_know(question.surrogates, block_.table().columns, block_.row(missing[i])).by;
      if (by < question.surrogates.size()) ++question.surrogates[by].n_placed;
    }
  }

  // The branch of missing values if there were none here, or if all of them follow the majority: the heavier
  // branch among the rows with a value, the last of equals (as in scikit-learn).
  std::int32_t largest_branch(const OpenNode& node, const Question& question, std::span<const Index> known) {
    const bool by_weight = node.winner.n_missing > 0 || arrangements_.known_only;
    if (!question.is_set() && !by_weight) return 2 * std::size_t{node.winner.n_left} > known.size() ? 0 : 1;
    std::vector<std::int64_t> size(static_cast<std::size_t>(question.n_branches));
    mark_known(block_, node, question, branch_);
    const auto weight_of = own_weight();
    for (const auto slot : known)
      size[static_cast<std::size_t>(branch_[slot])] += by_weight ? weight_of(slot) : 1;
    return static_cast<std::int32_t>(size.rend() - std::max_element(size.rbegin(), size.rend())) - 1;
  }

  Block block_;
  std::unique_ptr<Scan<Index>> scan_;
  const Recipe& recipe_;
  bool cuts_compete_alone_ = recipe_.wants_best_cuts_only() && !recipe_.criterion->is_function;
  Arrangements arrangements_;
  Pool* pool_;
  std::vector<std::uint8_t> side_;    // by slot: branch of the current split, if it has two
  std::vector<std::int32_t> branch_;  // the same, if it has more
};

}  // namespace treewright
