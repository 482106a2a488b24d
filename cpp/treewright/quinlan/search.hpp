// What the columns of a node offer C4.5. A column is scored in whole numbers where it may win; others are
// only known to lose.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "treewright/engine/engine.hpp"            // for OpenNode, Proposal
#include "treewright/engine/ledger_writer.hpp"     // for forget
#include "treewright/quinlan/class_sums.hpp"       // for ClassSums, QuinlanRows, QuinlanThreads
#include "treewright/quinlan/column_estimate.hpp"  // for ColumnEstimate
#include "treewright/quinlan/columns.hpp"          // for QuinlanColumns
#include "treewright/recipe/random.hpp"            // for columns_in_drawn_order
#include "treewright/recipe/ranking.hpp"           // for AboveAverageGain
#include "treewright/recipe/recipe.hpp"            // for Recipe
#include "treewright/search/target.hpp"            // for Target

namespace treewright {

// kClasses: how many classes there are; 0: only the target knows.
template <std::size_t kClasses>
class QuinlanSearch {
 public:
  QuinlanSearch(const Target& target, const Recipe& recipe, const QuinlanColumns& columns,
                ClassSums<kClasses>& sums, const QuinlanThreads& threads)
      : recipe_(recipe),
        columns_(columns),
        sums_(sums),
        threads_(threads),
        total_(target.weights.total),
        ranking_(recipe.quinlan, recipe.has_many_values) {
    node_.rules = recipe.quinlan;
    node_.unit = target.weights.unit;
    node_.n_declared = std::max<std::int64_t>(recipe.quinlan.n_classes, target.n_classes);
    node_.weights_are_whole = target.weights.all_equal();
    node_.scale =
        std::ldexp(1, std::bit_width(columns.n_rows()) - std::bit_width(static_cast<std::uint64_t>(total_)));
    for (std::size_t column = 0; column < columns.size(); ++column)
      estimates_.emplace_back(node_, static_cast<std::size_t>(target.n_classes));
  }

  // Returns how many columns were looked into.
  std::int64_t propose(const OpenNode& node, QuinlanRows& here, Proposal& proposal) {
    auto& candidates = proposal.candidates;
    const auto n_columns = columns_.size();
    candidates.assign(n_columns, {.verdict = Verdict::NotDrawn});
    enter(node, here);
    proposal.meets_unknown = unknown_from_ < n_columns;
    auto n_looked_into = static_cast<std::int64_t>(n_columns);
    if (recipe_.max_columns >= 0 && recipe_.max_columns < n_looked_into) {
      n_looked_into = estimate_drawn(node, candidates);
    } else {
      threads_.run(here.n, n_columns, [&](std::size_t column) { estimate(column, candidates[column]); });
    }
    find_many_valued(candidates, here);
    const bool compares_cuts = recipe_.quinlan.every_cut_counts && recipe_.quinlan.by_ratio;
    if (compares_cuts || recipe_.keeps_ledger || recipe_.penalty != Penalty::Linear) score_all(candidates);
    if (compares_cuts) compare_cuts_by_ratio(candidates);
    while (score_next(candidates)) {
    }
    for (std::size_t column = 0; column < n_columns; ++column) {
      auto& candidate = candidates[column];
      punish(column, candidate);
      if (candidate.has_question()) candidate.score.gain = gain(candidate.decrease);
    }
    if (!recipe_.keeps_ledger) return n_looked_into;
    forget(n_columns, proposal.noted);
    for (std::size_t column = 0; column < n_columns; ++column) {
      if (candidates[column].verdict != Verdict::NotDrawn)
        note(column, candidates[column], proposal.noted[column]);
    }
    return n_looked_into;
  }

  // What one column offers, looked for again.
  const ColumnEstimate<kClasses>& find_again(const OpenNode& node, QuinlanRows& here, std::size_t column) {
    Candidate again;
    enter(node, here);
    estimate(column, again);
    sums_.forget();
    return estimates_[column];
  }

 private:
  void enter(const OpenNode& node, QuinlanRows& here) {
    here_ = &here;
    node_.enter(here.totals, node.facts.weight);
    sums_.enter(here);
    unknown_from_ = columns_.size();
    if (recipe_.limits_once_unknown) unknown_from_ = node.is_after_unknown ? 0 : first_unknown();
  }

  // Release 8 of C4.5 forgets its least weight once a column of more than two categories has no known value
  // in a node: for the columns from that one on, and for all nodes after this one.
  std::size_t first_unknown() const {
    std::size_t column = 0;
    while (column < columns_.size() &&
           !(columns_.table().n_categories[column] > 2 && sums_.is_unknown(column)))
      ++column;
    return column;
  }
  std::int64_t least_weight(std::size_t column) const {
    return (column < unknown_from_ ? recipe_.limits : *recipe_.limits_once_unknown).min_weight_leaf;
  }

  void estimate(std::size_t column, Candidate& out) {
    out = {};  // and its verdict: constant
    auto& estimate = estimates_[column];
    const bool has_two = sums_.gather(column, estimate.values);
    estimate.enter(least_weight(column));
    if (!has_two) return;
    out.verdict = Verdict::TooFewOnEverySide;
    if (columns_.is_categorical(column)) {
      estimate.estimate_set(recipe_.categories, columns_.table().n_categories[column], out);
    } else if (recipe_.quinlan.every_cut_counts) {
      estimate.score_every_cut(-std::numeric_limits<double>::infinity(), false, out);
    } else {
      estimate.estimate_cut(out);
    }
  }

  // Returns how many.
  std::int64_t estimate_drawn(const OpenNode& node, std::span<Candidate> candidates) {
    for (auto& estimate : estimates_) estimate.enter_nothing();
    bool found = false;
    std::int64_t n_drawn = 0;
    for (const auto column : columns_in_drawn_order(recipe_.seed, node.path, columns_.size())) {
      if (found && n_drawn >= recipe_.max_columns) break;
      estimate(column, candidates[column]);
      found |= candidates[column].has_question();
      ++n_drawn;
    }
    sums_.forget();  // of columns that were not drawn
    return n_drawn;
  }

  // Of columns with one value, the rows of no node below have more. A ledger tells how many have none.
  void find_many_valued(std::span<const Candidate> candidates, QuinlanRows& here) const {
    if (recipe_.keeps_ledger || recipe_.limits_once_unknown || recipe_.max_columns >= 0) return;
    here.many_valued.clear();
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (columns_.is_coded(column) && candidates[column].verdict != Verdict::Constant)
        here.many_valued.push_back(static_cast<std::uint16_t>(columns_.number(column)));
    }
  }

  void score_all(std::span<Candidate> candidates) {
    for (std::size_t column = 0; column < columns_.size(); ++column)
      estimates_[column].score_exactly(candidates[column]);
  }

  // Where every cut counts for itself: once the average is known, those that reach it compete by ratio.
  void compare_cuts_by_ratio(std::span<Candidate> candidates) {
    const double enough = ranking_.average(candidates) - recipe_.quinlan.slack;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (columns_.is_categorical(column) || !candidates[column].has_figures()) continue;
      Candidate again{.verdict = Verdict::TooFewOnEverySide};
      estimates_[column].score_every_cut(enough, true, again);
      if (again.has_question()) candidates[column] = again;
    }
  }

  // Go through what the ranking will do, and where doubles do not tell, or tell of the winner, score exactly.
  // Returns whether something was, so that all must be gone through again.
  bool score_next(std::span<Candidate> candidates) {
    const auto& rules = recipe_.quinlan;
    double enough = -std::numeric_limits<double>::infinity(), error = 0;
    if (rules.by_ratio) {
      enough = ranking_.average(candidates) - rules.slack;
      for (const auto& estimate : estimates_) error = std::max(error, estimate.gain_error());
    }
    const std::size_t nobody = columns_.size();
    std::size_t winner = nobody;
    double best = rules.is_strict ? 0 : -rules.slack;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (!candidates[column].has_question()) continue;
      const double above = candidates[column].information.gain - enough;
      if (error > 0 && std::abs(above) <= 2 * error) {
        score_all(candidates);
        return true;
      }
      if (above < 0) continue;
      auto& estimate = estimates_[column];
      const double worth = candidates[column].score.worth, least = ranking_.least_to_beat(best);
      const double of_best = winner == nobody ? 0 : estimates_[winner].worth_error();
      const bool is_near = std::abs(worth - least) <= 2 * (estimate.worth_error() + of_best);
      if (is_near && !(estimate.is_exact() && of_best == 0)) {
        estimate.score_exactly(candidates[column]);
        if (winner != nobody) estimates_[winner].score_exactly(candidates[winner]);
        return true;
      }
      if (!(worth > least)) continue;
      winner = column;
      best = worth;
    }
    if (winner == nobody || estimates_[winner].is_exact()) return false;
    estimates_[winner].score_exactly(candidates[winner]);
    return true;
  }

  // Gaps lower gains by more or less than their share, if the recipe says so.
  void punish(std::size_t column, Candidate& candidate) const {
    const auto missing = node_.weight - estimates_[column].known_weight();
    if (missing == 0 || recipe_.penalty == Penalty::Linear || candidate.verdict == Verdict::NotDrawn) return;
    const double factor = beyond_linear(recipe_.penalty, node_.bits(static_cast<double>(missing)));
    candidate.score.worth *= factor;
    candidate.decrease *= factor;
  }

  void note(std::size_t column, const Candidate& candidate, NotedColumn& noted_column) {
    auto& estimate = estimates_[column];
    auto& noted = noted_column.best;
    noted.missing = static_cast<double>(node_.weight - estimate.known_weight());
    if (candidate.has_figures()) {
      noted.gain = gain(candidate.decrease);
      columns_.is_categorical(column) ? note_set(column, noted) : note_cut(column, candidate, noted);
    }
    if (!recipe_.lists_every_cut || columns_.is_categorical(column)) return;
    estimate.for_every_cut([&](Candidate& one, bool is_allowed) {
      one.information.n_tries = candidate.information.n_tries;
      punish(column, one);
      estimate.settle_cut(one);
      if (!is_allowed) {
        one.verdict = Verdict::TooFewOnEverySide;
      } else if (one.verdict != Verdict::NoGain) {
        one.verdict = Verdict::LowerInColumn;
      }
      auto& [kept, figures] = noted_column.cuts.emplace_back(one, Noted{});
      figures.gain = gain(kept.decrease);
      figures.missing = noted.missing;
      note_cut(column, kept, figures);
    });
  }

  void note_cut(std::size_t column, const Candidate& candidate, Noted& noted) const {
    const auto& estimate = estimates_[column];
    noted.cut = columns_.cut_of(column, candidate, *here_);
    const auto left = estimate.left_of(candidate);
    for (const auto weight : left) noted.outcome.push_back(static_cast<double>(weight));
    for (std::size_t k = 0; k < left.size(); ++k)
      noted.outcome.push_back(static_cast<double>(estimate.known()[k] - left[k]));
  }

  void note_set(std::size_t column, Noted& noted) const {
    const auto& grouping = estimates_[column].grouping;
    const auto& values = estimates_[column].values;
    const auto n_classes = estimates_[column].known().size();
    const auto n_branches =
        grouping.is_each_apart ? values.size() : static_cast<std::size_t>(grouping.n_branches);
    std::vector<std::int64_t> weights(n_branches * n_classes);
    for (std::size_t v = 0; v < values.size(); ++v) {
      const auto branch =
          grouping.is_each_apart ? static_cast<std::int32_t>(v) : grouping.branch_of_bucket[v];
      noted.branch_of_code.add(columns_.category_of(column, values.first(v), *here_), branch);
      for (std::size_t k = 0; k < n_classes; ++k)
        weights[static_cast<std::size_t>(branch) * n_classes + k] += values.weight(v, k);
    }
    noted.outcome.assign(weights.begin(), weights.end());
  }

  double gain(double decrease) const { return decrease / static_cast<double>(total_); }

  const Recipe& recipe_;
  const QuinlanColumns& columns_;
  ClassSums<kClasses>& sums_;
  QuinlanThreads threads_;
  std::int64_t total_;
  AboveAverageGain ranking_;
  QuinlanNode node_;
  std::vector<ColumnEstimate<kClasses>> estimates_;  // by column
  const QuinlanRows* here_ = nullptr;
  std::size_t unknown_from_ = 0;  // column, of the node entered, from which limits_once_unknown hold
};

}  // namespace treewright
