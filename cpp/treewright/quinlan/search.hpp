// What the columns of a node offer C4.5. Columns of few distinct values are not kept in order: class weights
// are summed up by value, for all of them in one pass. A column is scored in whole numbers where it may win;
// others are only known to lose.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "treewright/engine/engine.hpp"            // for NodeByNode, OpenNode
#include "treewright/engine/ledger_writer.hpp"     // for forget
#include "treewright/pool.hpp"                     // for Pool
#include "treewright/quinlan/column_estimate.hpp"  // for ColumnEstimate
#include "treewright/quinlan/columns.hpp"          // for QuinlanColumns
#include "treewright/quinlan/rows.hpp"             // for QuinlanRows, QuinlanNodeRows
#include "treewright/quinlan/sums.hpp"             // for QuinlanSums, QuinlanThreads
#include "treewright/recipe/random.hpp"            // for columns_in_drawn_order
#include "treewright/recipe/recipe.hpp"            // for AboveAverageGain, Recipe
#include "treewright/search/target.hpp"            // for Target

namespace treewright {

// Go through what the ranking will do. Returns whether something was judged, so that all must be gone through
// again.
template <std::size_t kClasses, class Judge>
bool judge_next(const Quinlan& rules, const AboveAverageGain& ranking,
                std::span<const ColumnEstimate<kClasses>> looks, std::span<const Candidate> candidates,
                const Judge& judge) {
  double enough = -std::numeric_limits<double>::infinity(), error = 0;
  if (rules.by_ratio) {
    enough = ranking.average(candidates) - rules.slack;
    for (const auto& look : looks) error = std::max(error, look.gain_error());
  }
  const std::size_t nobody = candidates.size();
  std::size_t winner = nobody;
  double best = rules.is_strict ? 0 : -rules.slack;
  for (std::size_t column = 0; column < candidates.size(); ++column) {
    if (!candidates[column].has_question()) continue;
    const double above = candidates[column].information.gain - enough;
    if (error > 0 && std::abs(above) <= 2 * error) {
      for (std::size_t each = 0; each < candidates.size(); ++each) judge(each);
      return true;
    }
    if (above < 0) continue;
    const double worth = candidates[column].score.worth, least = ranking.least_to_beat(best);
    const double of_best = winner == nobody ? 0 : looks[winner].worth_error();
    const bool is_near = std::abs(worth - least) <= 2 * (looks[column].worth_error() + of_best);
    if (is_near && !(looks[column].is_exact() && of_best == 0)) {
      judge(column);
      if (winner != nobody) judge(winner);
      return true;
    }
    if (!(worth > least)) continue;
    winner = column;
    best = worth;
  }
  if (winner == nobody || looks[winner].is_exact()) return false;
  judge(winner);
  return true;
}

// Where doubles do not tell, or tell of the winner, judge. `judge(column)` does nothing where that was done.
template <std::size_t kClasses, class Judge>
void score_who_may_win(const Quinlan& rules, const AboveAverageGain& ranking,
                       std::span<const ColumnEstimate<kClasses>> looks, std::span<const Candidate> candidates,
                       const Judge& judge) {
  while (judge_next(rules, ranking, looks, candidates, judge)) {
  }
}

template <std::size_t kClasses>
class QuinlanSearch : public NodeByNode {
 public:
  QuinlanSearch(Table& table, const Target& target, const Recipe& recipe, Pool& pool)
      : columns_(table, target, recipe),
        recipe_(recipe),
        threads_{pool, n_columns()},
        n_classes_(static_cast<std::size_t>(target.n_classes)),
        total_(target.weights.total),
        ranking_(recipe.quinlan, recipe.has_many_values),
        no_weights_(n_classes_),
        missing_(n_columns(), no_weights_),
        rows_(columns_.classes, n_classes_, columns_.n_listed()),
        sums_(columns_.codes, columns_.classes, n_classes_, rows_, threads_) {
    node_.worth = {.rules = recipe.quinlan,
                   .unit = target.weights.unit,
                   .n_declared = std::max<std::int64_t>(recipe.quinlan.n_classes, target.n_classes),
                   .weights_are_whole = target.weights.all_equal()};
    node_.scale = std::ldexp(
        1, std::bit_width(table.n_slots) - std::bit_width(static_cast<std::uint64_t>(target.weights.total)));
    for (std::size_t column = 0; column < n_columns(); ++column) estimates_.emplace_back(n_classes_);
  }

  std::size_t n_columns() const override { return columns_.size(); }

  void propose_one(const OpenNode& node, Proposal& proposal) override {
    auto& candidates = proposal.candidates;
    candidates.assign(n_columns(), {.verdict = Verdict::NotDrawn});
    enter(node);
    work_.template look_into_node<std::uint32_t>();
    proposal.meets_unknown = unknown_from_ < n_columns();
    if (recipe_.max_columns >= 0 && recipe_.max_columns < static_cast<std::int64_t>(n_columns())) {
      look_into_drawn(node, candidates);
    } else {
      work_.scanned += std::int64_t{here_->n} * static_cast<std::int64_t>(n_columns());
      threads_.run(here_->n, n_columns(), [&](std::size_t column) { look_into(column, candidates[column]); });
    }
    find_many_valued(candidates);
    if (recipe_.quinlan.every_cut_counts && recipe_.quinlan.by_ratio) look_again(candidates);
    if (recipe_.keeps_ledger || recipe_.penalty != Penalty::Linear) {
      for (std::size_t column = 0; column < n_columns(); ++column) score_exactly(column, candidates[column]);
    } else {
      score_who_may_win(recipe_.quinlan, ranking_, std::span<const ColumnEstimate<kClasses>>(estimates_),
                        candidates, [&](std::size_t column) { score_exactly(column, candidates[column]); });
    }
    for (std::size_t column = 0; column < n_columns(); ++column) {
      auto& candidate = candidates[column];
      punish(column, candidate);
      if (candidate.has_question()) candidate.score.gain = gain(candidate.decrease);
    }
    if (!recipe_.keeps_ledger) return;
    forget(n_columns(), proposal.noted);
    for (std::size_t column = 0; column < n_columns(); ++column) {
      if (candidates[column].verdict != Verdict::NotDrawn)
        note(column, candidates[column], proposal.noted[column]);
    }
  }

 protected:
  std::size_t n_classes() const { return kClasses > 0 ? kClasses : n_classes_; }
  const std::uint32_t* list(std::size_t column) const { return here_->list(columns_.list_at(column)); }

  // The rows of this node are asked about next.
  void enter(const OpenNode& node) {
    here_ = &rows_.at(node.handle.store);
    node_.enter(here_->totals, node.facts.weight);
    rows_.enter(*here_);
    sums_.enter(*here_);
    unknown_from_ = recipe_.limits_once_unknown && !node.is_after_unknown ? first_unknown() : 0;
    if (!recipe_.limits_once_unknown) unknown_from_ = n_columns();
  }

  // Release 8 of C4.5 forgets its least weight once a column of more than two categories has no known value
  // in a node: for the columns from that one on, and for all nodes after this one.
  std::size_t first_unknown() const {
    const auto is_unknown = [&](std::size_t column) {
      if (columns_.table().n_categories[column] <= 2) return false;
      if (!columns_.codes.is_coded(column)) return columns_.is_missing(column, list(column)[0]);
      const auto* missing = sums_.at(columns_.codes.missing(column));
      return std::equal(here_->totals.begin(), here_->totals.end(), missing);
    };
    std::size_t column = 0;
    while (column < n_columns() && !is_unknown(column)) ++column;
    return column;
  }
  std::int64_t least_of(std::size_t column) const {
    return (column < unknown_from_ ? recipe_.limits : *recipe_.limits_once_unknown).min_weight_leaf;
  }

  void look_into(std::size_t column, Candidate& out) {
    out = {};  // and its verdict: constant
    auto& estimate = estimates_[column];
    if (!gather(column)) return;
    out.verdict = Verdict::TooFewOnEverySide;
    if (columns_.is_categorical(column)) {
      estimate.look_for_set(node_, recipe_.categories, columns_.table().n_categories[column], out);
    } else if (recipe_.quinlan.every_cut_counts) {
      estimate.look_for_any_cut(node_, -std::numeric_limits<double>::infinity(), false, out);
    } else {
      estimate.look_for_cut(node_, out);
    }
  }

  // The row of a mark, by which an estimate knows the rows of a value.
  std::uint32_t row_of(std::size_t column, std::size_t mark) const {
    return columns_.codes.is_coded(column) ? columns_.codes.row_at(mark) : columns_.row(list(column)[mark]);
  }
  Cut cut_of(std::size_t column, const Candidate& candidate) const {
    return columns_.cut_between(column, row_of(column, candidate.n_left),
                                row_of(column, static_cast<std::size_t>(candidate.left_amount)));
  }
  std::int32_t category_of(std::size_t column, std::size_t mark) const {
    return columns_.table().columns[column].code(row_of(column, mark));
  }

 private:
  // As many as there are classes, all zero.
  struct FixedWeights : std::array<std::int64_t, kClasses> {
    explicit FixedWeights(std::size_t) { this->fill(0); }
  };
  using ClassWeights = std::conditional_t<(kClasses > 0), FixedWeights, std::vector<std::int64_t>>;

  double gain(double decrease) const { return decrease / static_cast<double>(total_); }

  // Of columns with one value, the rows of no node below have more. A ledger tells how many have none.
  void find_many_valued(std::span<const Candidate> candidates) {
    if (recipe_.keeps_ledger || recipe_.limits_once_unknown || recipe_.max_columns >= 0) return;
    auto& left = here_->many_valued;
    left.clear();
    for (std::size_t column = 0; column < n_columns(); ++column) {
      if (columns_.codes.is_coded(column) && candidates[column].verdict != Verdict::Constant)
        left.push_back(static_cast<std::uint16_t>(columns_.codes.number(column)));
    }
  }

  void look_into_drawn(const OpenNode& node, std::span<Candidate> candidates) {
    for (auto& estimate : estimates_) estimate.enter(node_, no_weights_.data(), 0, 0);
    bool found = false;
    std::int64_t n_looked_into = 0;
    for (const auto column : columns_in_drawn_order(recipe_.seed, node.path, n_columns())) {
      if (found && n_looked_into >= recipe_.max_columns) break;
      look_into(column, candidates[column]);
      found |= candidates[column].has_question();
      ++n_looked_into;
    }
    sums_.forget();  // of columns that were not drawn
    work_.scanned += here_->n * n_looked_into;
  }

  // Where every cut counts for itself: once the average is known, those that reach it compete by ratio.
  void look_again(std::span<Candidate> candidates) {
    for (std::size_t column = 0; column < n_columns(); ++column) score_exactly(column, candidates[column]);
    const double enough = ranking_.average(candidates) - recipe_.quinlan.slack;
    for (std::size_t column = 0; column < n_columns(); ++column) {
      if (columns_.is_categorical(column) || !candidates[column].has_figures()) continue;
      Candidate again{.verdict = Verdict::TooFewOnEverySide};
      estimates_[column].look_for_any_cut(node_, enough, true, again);
      if (again.has_question()) candidates[column] = again;
    }
  }

  // Sum up the values of a column; false: there are fewer than two.
  bool gather(std::size_t column) {
    auto& estimate = estimates_[column];
    if (!columns_.codes.is_coded(column)) return gather_list(column);
    const auto number = static_cast<std::uint16_t>(columns_.codes.number(column));
    const auto& left = here_->many_valued;
    if (std::binary_search(left.begin(), left.end(), number)) return gather_codes(column);
    estimate.enter(node_, no_weights_.data(), 0, 0);
    return false;
  }

  bool gather_codes(std::size_t column) {
    auto& estimate = estimates_[column];
    const auto& codes = columns_.codes;
    const auto begin = codes.begin(column), missing = codes.missing(column);
    estimate.enter(node_, sums_.at(missing), missing - begin, least_of(column));
    auto& values = estimate.values;
    std::uint32_t n_distinct = 0;
    ClassWeights below(n_classes());
    const bool are_apart = columns_.are_apart(column);
    sums_.each_place(codes.number(column), [&](std::uint32_t place, const std::int64_t* weights) {
      if (place == missing) return;
      const bool starts =
          n_distinct++ == 0 || are_apart ||
          columns_.is_below(column, codes.row_at(values.last(values.size() - 1)), codes.row_at(place));
      starts ? values.add(place, below.data()) : values.extend(place);
      for (std::size_t k = 0; k < n_classes(); ++k) below[k] += weights[k];
    });
    values.finish(below.data());
    return n_distinct > 1;
  }

  bool gather_list(std::size_t column) {
    auto& estimate = estimates_[column];
    const auto at = columns_.list_at(column);
    const auto* const positions = here_->list(at);
    const auto* const weights = rows_.weights_in_order(*here_, at);
    const auto* const classes = columns_.classes.data();
    auto n_known = here_->n;
    auto& missing = missing_[column];
    std::fill(missing.begin(), missing.end(), 0);
    for (; n_known > 0 && columns_.is_missing(column, positions[n_known - 1]); --n_known)
      missing[classes[positions[n_known - 1]]] += weights[n_known - 1];
    estimate.enter(node_, missing.data(), n_known, least_of(column));
    // By value, for what is written as rows are gone through might be anything that is referred to.
    const auto sum_up = [=, &values = estimate.values, this](const auto& differ) {
      ClassWeights below(n_classes());
      for (std::uint32_t i = 0; i < n_known; ++i) {
        const bool starts = i == 0 || differ(positions[i - 1], positions[i]);
        starts ? values.add(i, below.data()) : values.extend(i);
        const auto k = classes[positions[i]];
        if constexpr (kClasses == 2) {  // in registers, and nothing to guess
          const auto of_second = weights[i] & -std::int64_t{k};
          below[0] += weights[i] - of_second;
          below[1] += of_second;
        } else {
          below[k] += weights[i];
        }
      }
      values.finish(below.data());
    };
    const auto& ranks = columns_.ranks(column);
    if (!columns_.are_apart(column)) {
      sum_up([=, this](std::uint32_t a, std::uint32_t b) { return columns_.are_apart(column, a, b); });
    } else if (!ranks.empty()) {
      sum_up([rank = ranks.data()](std::uint32_t a, std::uint32_t b) { return rank[a] != rank[b]; });
    } else {
      sum_up([=, this](std::uint32_t a, std::uint32_t b) { return !columns_.is_same(column, a, b); });
    }
    return n_known > 1 && !columns_.is_same(column, positions[0], positions[n_known - 1]);
  }

  void score_exactly(std::size_t column, Candidate& candidate) {
    auto& estimate = estimates_[column];
    if (estimate.is_exact()) return;
    columns_.is_categorical(column) ? estimate.judge_set(node_, candidate)
                                    : estimate.judge_cut(node_, candidate);
  }

  // Gaps lower gains by more or less than their share, if the recipe says so.
  void punish(std::size_t column, Candidate& candidate) const {
    const auto missing = node_.worth.weight_here - estimates_[column].known_weight();
    if (missing == 0 || recipe_.penalty == Penalty::Linear || candidate.verdict == Verdict::NotDrawn) return;
    const double share = static_cast<double>(missing) / static_cast<double>(node_.worth.weight_here);
    const double factor = beyond_linear(recipe_.penalty, share);
    candidate.score.worth *= factor;
    candidate.decrease *= factor;
  }

  void note(std::size_t column, const Candidate& candidate, NotedColumn& noted_column) {
    auto& estimate = estimates_[column];
    auto& noted = noted_column.best;
    noted.missing = static_cast<double>(node_.worth.weight_here - estimate.known_weight());
    if (candidate.has_figures()) {
      noted.gain = gain(candidate.decrease);
      if (columns_.is_categorical(column)) {
        note_set(column, noted);
      } else {
        note_cut(column, static_cast<std::size_t>(candidate.left_weight), candidate, noted);
      }
    }
    if (!recipe_.lists_every_cut || columns_.is_categorical(column)) return;
    estimate.for_every_cut(node_, [&](std::size_t cut, Candidate& one, bool is_allowed) {
      one.information.n_tries = candidate.information.n_tries;
      punish(column, one);
      node_.worth.settle_cut(estimate.left_weight(cut), estimate.known_weight(), one);
      if (!is_allowed) {
        one.verdict = Verdict::TooFewOnEverySide;
      } else if (one.verdict != Verdict::NoGain) {
        one.verdict = Verdict::LowerInColumn;
      }
      auto& [kept, figures] = noted_column.cuts.emplace_back(one, Noted{});
      figures.gain = gain(kept.decrease);
      figures.missing = noted.missing;
      note_cut(column, cut, kept, figures);
    });
  }

  void note_cut(std::size_t column, std::size_t cut, const Candidate& candidate, Noted& noted) const {
    const auto& estimate = estimates_[column];
    noted.cut = cut_of(column, candidate);
    const auto left = estimate.left_of(cut);
    for (const auto weight : left) noted.outcome.push_back(static_cast<double>(weight));
    for (std::size_t k = 0; k < n_classes(); ++k)
      noted.outcome.push_back(static_cast<double>(estimate.known()[k] - left[k]));
  }

  void note_set(std::size_t column, Noted& noted) const {
    const auto& grouping = estimates_[column].grouping;
    const auto& values = estimates_[column].values;
    const auto n_branches =
        grouping.is_each_apart ? static_cast<std::int32_t>(values.size()) : grouping.n_branches;
    std::vector<std::int64_t> weights(static_cast<std::size_t>(n_branches) * n_classes());
    for (std::size_t v = 0; v < values.size(); ++v) {
      const auto branch =
          grouping.is_each_apart ? static_cast<std::int32_t>(v) : grouping.branch_of_bucket[v];
      noted.branch_of_code.add(category_of(column, values.first(v)), branch);
      for (std::size_t k = 0; k < n_classes(); ++k)
        weights[static_cast<std::size_t>(branch) * n_classes() + k] += values.weight(v, k);
    }
    noted.outcome.assign(weights.begin(), weights.end());
  }

 protected:
  QuinlanColumns columns_;
  const Recipe& recipe_;
  QuinlanThreads threads_;
  std::size_t n_classes_;
  std::int64_t total_;
  AboveAverageGain ranking_;
  QuinlanNode node_;
  std::vector<ColumnEstimate<kClasses>> estimates_;  // by column
  const std::vector<std::int64_t> no_weights_;       // by class
  std::vector<std::vector<std::int64_t>> missing_;   // class weights of rows without a value, by column
  QuinlanRows rows_;
  QuinlanSums<kClasses> sums_;
  QuinlanNodeRows* here_ = nullptr;
  std::size_t unknown_from_ = 0;  // column, of the node entered, from which limits_once_unknown hold
};

}  // namespace treewright
