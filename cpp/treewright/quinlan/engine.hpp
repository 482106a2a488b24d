// An engine for C4.5 on rows in shares. Columns of few distinct values are not kept in order: weights of
// classes are summed up by value, for all of them in one pass. A column is judged in whole numbers where it
// may win; others are only known to lose.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "treewright/engine/engine.hpp"               // for Engine, OpenNode
#include "treewright/engine/lists.hpp"                // for TableLists
#include "treewright/pool.hpp"                        // for Pool
#include "treewright/quinlan/code_table.hpp"          // for CodeTable
#include "treewright/quinlan/column_estimate.hpp"     // for ColumnEstimate
#include "treewright/quinlan/exact_scores.hpp"        // for score_who_may_win
#include "treewright/quinlan/positions.hpp"           // for RowPositions
#include "treewright/quinlan/rows.hpp"                // for QuinlanRows, QuinlanNodeRows
#include "treewright/quinlan/sums.hpp"                // for QuinlanSums, QuinlanThreads
#include "treewright/recipe/ranking.hpp"              // for AboveAverageGain
#include "treewright/recipe/recipe.hpp"               // for Recipe
#include "treewright/search/target.hpp"               // for Target
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

template <std::size_t kClasses>
class QuinlanEngine final : public NodeByNode {
 public:
  // What a recipe may not ask: the general engine has it all.
  static bool serves(const Recipe& recipe) {
    return !recipe.quinlan.every_cut_counts && recipe.categories == Categories::Multiway &&
           recipe.penalty == Penalty::Linear && recipe.max_columns < 0 && !recipe.lists_every_cut &&
           !recipe.limits_once_unknown && !(recipe.limits.min_impurity > 0);
  }

  // `target` has a weight for every slot.
  QuinlanEngine(Table& table, const Target& target, const Recipe& recipe, Pool& pool)
      : top_(table),
        codes_(table),
        listed_(columns_not_coded()),
        turns_(table, target, listed_),
        recipe_(recipe),
        threads_{pool, n_columns()},
        n_classes_(static_cast<std::size_t>(target.n_classes)),
        total_(target.weights.total),
        ranking_(recipe.quinlan, recipe.has_many_values),
        no_weights_(n_classes_),
        missing_(table.columns.size(), no_weights_),
        ends_(table.n_slots, -1),
        rows_(turns_.classes, n_classes_, listed_.size()),
        sums_(codes_, turns_.classes, n_classes_, rows_, threads_) {
    codes_.take(table, turns_.slots());
    node_.worth = {.rules = recipe.quinlan,
                   .unit = target.weights.unit,
                   .n_declared = std::max<std::int64_t>(recipe.quinlan.n_classes, target.n_classes),
                   .weights_are_whole = false};
    node_.scale = std::ldexp(
        1, std::bit_width(table.n_slots) - std::bit_width(static_cast<std::uint64_t>(target.weights.total)));
    node_.least = recipe.limits.min_weight_leaf;
    for (std::size_t column = 0; column < n_columns(); ++column) looks_.emplace_back(n_classes_);
    list_at_.resize(n_columns());
    if (listed_.size() > 1) place_of_turn_.make_room(table.n_slots);
    for (std::size_t at = 0; at < listed_.size(); ++at) list_at_[listed_[at]] = at;
    for (std::size_t column = 0; column < n_columns(); ++column) is_apart_.push_back(are_apart(column));
    root_ = rows_.take();
    take_all();
  }

  std::size_t n_columns() const override { return top_.n_columns(); }

  OpenNode root() override {
    OpenNode node{.handle = {0, 0, root_}};
    tell_facts(node);
    return node;
  }

  void propose_one(const OpenNode& node, Proposal& proposal) override {
    auto& candidates = proposal.candidates;
    candidates.resize(n_columns());
    here_ = &rows_.at(node.handle.store);
    node_.enter(here_->totals, node.facts.weight);
    work_.template look_into_node<std::uint32_t>();
    work_.scanned += std::int64_t{here_->n} * static_cast<std::int64_t>(n_columns());
    rows_.enter(*here_);
    sums_.enter(*here_);
    const auto pool = threads_.for_rows(here_->n);
    if (pool != nullptr) {
      pool->run(n_columns(), [&](std::size_t column, int) { look_into(column, candidates[column]); });
    } else {
      for (std::size_t column = 0; column < n_columns(); ++column) look_into(column, candidates[column]);
    }
    find_many_valued(candidates);
    if (recipe_.keeps_ledger) {
      proposal.noted.resize(n_columns());
      for (std::size_t column = 0; column < n_columns(); ++column)
        note(column, candidates[column], proposal.noted[column].best);
    } else {
      score_who_may_win(recipe_.quinlan, ranking_, std::span<const ColumnEstimate<kClasses>>(looks_),
                        candidates, [&](std::size_t column) { judge(column, candidates[column]); });
    }
    for (auto& candidate : candidates) {
      if (candidate.has_question()) candidate.score.gain = gain(candidate.decrease);
    }
  }

  Question ask_one(const OpenNode& node) override {
    here_ = &rows_.at(node.handle.store);
    const auto column = static_cast<std::size_t>(node.column);
    Question question{.missing_branch = kEveryBranch};
    if (!is_categorical(column)) {
      question.cut = cut_of(column, node.winner);
      return question;
    }
    // A branch for every category declared, also for those that no row here has.
    question.search = Search::Exact;
    question.n_branches = static_cast<std::int32_t>(top_.table().n_categories[column]);
    question.branch_of_code = BranchOfCode::each(question.n_branches);
    return question;
  }

  void route_one(const OpenNode& node, const Question&, std::span<OpenNode> children,
                 const std::function<bool(const OpenNode&)>& closes) override {
    here_ = &rows_.at(node.handle.store);
    mark_branches(node);
    rows_.part(*here_, children.size());
    if (rows_.spread_any()) {
      for (std::uint32_t i = 0; i < here_->n; ++i) {
        if (rows_.branches()[i] < 0) note_end(here_->turns[i], node);
      }
    }
    bool any_open = false;
    for (std::size_t branch = 0; branch < children.size(); ++branch) {
      auto& child = children[branch];
      auto& part = rows_.parts()[branch];
      child.handle.store = part.place;
      tell_facts(child);
      part.is_open = !closes(child);
      any_open |= part.is_open;
      if (part.is_open) rows_.at(part.place).many_valued = here_->many_valued;
    }
    if (any_open) {
      rows_.part_lists(*here_, threads_.for_rows(here_->n));
      sums_.hand_on(*here_);
    }
    const auto n_lists = std::max<std::size_t>(1, any_open ? listed_.size() : 1);
    work_.moved += std::int64_t{here_->n} * static_cast<std::int64_t>(n_lists);
    rows_.leave(node.handle.store);
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    const auto& room = rows_.at(node.handle.store);
    leaves.weights.insert(leaves.weights.end(), room.totals.begin(), room.totals.end());
    for (std::uint32_t i = 0; i < room.n; ++i) note_end(room.turns[i], node);
    rows_.leave(node.handle.store);
  }

  // As GrowingTree has them, once it is grown.
  std::vector<std::int32_t> ends() const { return turns_.by_slot(ends_); }

 private:
  std::size_t n_classes() const { return kClasses > 0 ? kClasses : n_classes_; }
  bool is_categorical(std::size_t column) const { return top_.table().is_categorical(column); }
  double gain(double decrease) const { return decrease / static_cast<double>(total_); }

  std::vector<std::size_t> columns_not_coded() const {
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < n_columns(); ++column) {
      if (!codes_.is_coded(column)) columns.push_back(column);
    }
    return columns;
  }

  // Of a column that is listed, in the node looked at.
  const std::uint32_t* list(std::size_t column) const { return here_->list(list_at_[column]); }

  // Whether any two values of a column lie far enough apart to be told from each other.
  bool are_apart(std::size_t column) const {
    if (!(recipe_.min_gap > 0) || is_categorical(column)) return true;
    if (codes_.is_coded(column)) {
      for (auto place = codes_.begin(column) + 1; place < codes_.missing(column); ++place) {
        if (!is_below(column, codes_.row_at(place - 1), codes_.row_at(place))) return false;
      }
      return true;
    }
    const auto* slots = top_.list(column);
    for (std::uint32_t i = 1; i < top_.table().orderings[column].n_known; ++i) {
      if (!top_.same_value(column, slots[i - 1], slots[i]) &&
          !is_below(column, top_.row(slots[i - 1]), top_.row(slots[i])))
        return false;
    }
    return true;
  }
  bool is_below(std::size_t column, std::uint32_t low, std::uint32_t high) const {
    return top_.table().columns[column].is_below(low, high, recipe_.min_gap);
  }

  // A row of which a share ended before ended there.
  void note_end(std::uint32_t turn, const OpenNode& node) {
    auto& end = ends_[turn];
    end = end < 0 ? node.id : end;
  }

  void take_all() {
    auto& room = rows_.at(root_);
    room.n = turns_.size();
    room.turns = turns_.lists(listed_);
    room.weights = std::move(turns_.weights);
    rows_.add_up(room);
    for (std::size_t number = 0; number < codes_.n_coded(); ++number)
      room.many_valued.push_back(static_cast<std::uint16_t>(number));
  }

  void tell_facts(OpenNode& node) {
    const auto& room = rows_.at(node.handle.store);
    node.handle.begin = 0;
    node.handle.end = room.n;
    node.facts = {.rows = room.n};
    std::size_t n_present = 0;
    for (const auto weight : room.totals) {
      node.facts.weight += weight;
      n_present += weight > 0;
    }
    node.facts.is_pure = n_present < 2;
  }

  // Of columns with one value, the rows of no node below have more. A ledger tells how many have none.
  void find_many_valued(std::span<const Candidate> candidates) {
    if (recipe_.keeps_ledger) return;
    auto& left = here_->many_valued;
    left.clear();
    for (std::size_t column = 0; column < n_columns(); ++column) {
      if (codes_.is_coded(column) && candidates[column].verdict != Verdict::Constant)
        left.push_back(static_cast<std::uint16_t>(codes_.number(column)));
    }
  }

  void look_into(std::size_t column, Candidate& out) {
    out = {};  // and its verdict: constant
    auto& look = looks_[column];
    if (codes_.is_coded(column)) {
      const auto number = static_cast<std::uint16_t>(codes_.number(column));
      const auto& left = here_->many_valued;
      if (!std::binary_search(left.begin(), left.end(), number)) {
        look.enter(node_, no_weights_.data(), 0);
        return;
      }
    }
    const bool has_many = codes_.is_coded(column) ? gather_places(column) : gather_list(column);
    if (!has_many) return;
    out.verdict = Verdict::TooFewOnEverySide;
    if (is_categorical(column)) {
      look.look_for_set(node_, out);
    } else if (goes_in_order(column)) {
      look.look_for_cut_in_order(node_, out);
    } else {
      look.look_for_cut(node_, out);
    }
  }

  // Whether rows are not summed up by value.
  bool goes_in_order(std::size_t column) const {
    return kClasses == 2 && !codes_.is_coded(column) && !is_categorical(column);
  }

  // Sum up the values of a column; false: there are fewer than two.
  bool gather_places(std::size_t column) {
    auto& look = looks_[column];
    const auto begin = codes_.begin(column), missing = codes_.missing(column);
    look.enter(node_, sums_.at(missing), missing - begin);
    auto& values = look.values;
    std::uint32_t n_distinct = 0;
    const bool is_apart = is_apart_[column];
    sums_.each_place(codes_.number(column), [&](std::uint32_t place, const std::int64_t* weights) {
      if (place == missing) return;
      const bool is_told =
          n_distinct++ == 0 || is_apart ||
          is_below(column, codes_.row_at(values.last(values.size() - 1)), codes_.row_at(place));
      auto* into = is_told ? values.add(place) : values.extend(place);
      for (std::size_t k = 0; k < n_classes(); ++k) into[k] = weights[k] + (is_told ? 0 : into[k]);
    });
    return n_distinct > 1;
  }

  bool gather_list(std::size_t column) {
    auto& look = looks_[column];
    const auto at = list_at_[column];
    const auto* const turns = here_->list(at);
    const auto* const weights = rows_.weights_in_order(*here_, at);
    const auto* const classes = turns_.classes.data();
    auto n_known = here_->n;
    auto& missing = missing_[column];
    std::fill(missing.begin(), missing.end(), 0);
    for (; n_known > 0 && is_missing(column, turns[n_known - 1]); --n_known)
      missing[classes[turns[n_known - 1]]] += weights[n_known - 1];
    const bool is_in_order = goes_in_order(column);
    look.enter(node_, missing.data(), is_in_order ? 0 : n_known);
    // By value, for what is written as rows are gone through might be anything that is referred to.
    const auto gather = [=, &look, this](const auto& is_told) {
      const auto is_told_at = [=](std::uint32_t i) { return is_told(turns[i - 1], turns[i]); };
      if (is_in_order) {
        look.in_order.take(n_known, weights, is_told_at,
                           [=](std::uint32_t i) { return classes[turns[i]] == 1; });
        return;
      }
      for (std::uint32_t i = 0; i < n_known; ++i) {
        std::int64_t* sums = nullptr;
        if (i == 0 || is_told_at(i)) {
          sums = look.values.add(i);
          std::fill(sums, sums + n_classes(), 0);
        } else {
          sums = look.values.extend(i);
        }
        sums[classes[turns[i]]] += weights[i];
      }
    };
    const auto& codes = turns_.codes(at);
    if (!is_apart_[column]) {
      gather([=, this](std::uint32_t a, std::uint32_t b) {
        return is_below(column, turns_.row(a), turns_.row(b));
      });
    } else if (!codes.empty()) {
      gather([code = codes.data()](std::uint32_t a, std::uint32_t b) { return code[a] != code[b]; });
    } else {
      gather([=, this](std::uint32_t a, std::uint32_t b) { return !is_same(column, a, b); });
    }
    return n_known > 1 && !is_same(column, turns[0], turns[n_known - 1]);
  }

  // Of listed columns, by turn.
  bool is_missing(std::size_t column, std::uint32_t turn) const {
    if (list_at_[column] == 0) return turn >= turns_.n_known();
    return top_.has_missing(column) && top_.is_missing(column, turns_.slot(turn));
  }
  bool is_same(std::size_t column, std::uint32_t a, std::uint32_t b) const {
    return top_.has_ties(column) && top_.same_value(column, turns_.slot(a), turns_.slot(b));
  }

  void judge(std::size_t column, Candidate& candidate) {
    auto& look = looks_[column];
    if (look.is_exact()) return;
    is_categorical(column) ? look.judge_set(node_, candidate) : look.judge_cut(node_, candidate);
  }

  Cut cut_of(std::size_t column, const Candidate& candidate) const {
    const auto row = [&](std::size_t mark) {
      return codes_.is_coded(column) ? codes_.row_at(mark) : turns_.row(list(column)[mark]);
    };
    const auto cut = top_.table().columns[column].between(
        row(candidate.n_left), row(static_cast<std::size_t>(candidate.left_amount)));
    return recipe_.cut_at == CutAt::Observed ? top_.table().observed(column, cut) : cut;
  }

  std::int32_t category_of(std::size_t column, std::uint32_t mark) const {
    const auto row = codes_.is_coded(column) ? codes_.row_at(mark) : turns_.row(list(column)[mark]);
    return top_.table().columns[column].code(row);
  }

  void note(std::size_t column, Candidate& candidate, Noted& noted) {
    judge(column, candidate);
    const auto& look = looks_[column];
    noted.clear();
    noted.missing = static_cast<double>(node_.worth.weight_here - look.known_weight());
    if (!candidate.has_figures()) return;
    noted.gain = gain(candidate.decrease);
    const auto put = [&](std::int64_t weight) { noted.outcome.push_back(static_cast<double>(weight)); };
    if (is_categorical(column)) {
      for (std::size_t v = 0; v < look.values.size(); ++v) {
        noted.branch_of_code.add(category_of(column, look.values.first(v)), static_cast<std::int32_t>(v));
        for (std::size_t k = 0; k < n_classes(); ++k) put(look.weights_of(v)[k]);
      }
      return;
    }
    noted.cut = cut_of(column, candidate);
    const auto left = look.left_of(static_cast<std::size_t>(candidate.left_weight));
    for (const auto weight : left) put(weight);
    for (std::size_t k = 0; k < n_classes(); ++k) put(look.known()[k] - left[k]);
  }

  // Write the branch of every row, -1 where it has no value.
  void mark_branches(const OpenNode& node) {
    const auto column = static_cast<std::size_t>(node.column);
    const auto n_left = node.winner.n_left;
    auto* const branch_of = rows_.branches();
    if (codes_.is_coded(column)) {
      const auto begin = codes_.begin(column), missing = codes_.missing(column);
      branch_of_place_.assign(missing - begin + 1, -1);
      for (auto place = begin; place < missing; ++place) {
        branch_of_place_[place - begin] = is_categorical(column) ? category_of(column, place)
                                          : place <= n_left      ? 0
                                                                 : 1;
      }
      const auto number = codes_.number(column);
      const auto* const branch_of_place = branch_of_place_.data();
      const auto* const turns = here_->turns.data();
      for (std::uint32_t i = 0, n = here_->n; i < n; ++i)
        branch_of[i] = branch_of_place[codes_.of_turn(turns[i])[number] - begin];
      return;
    }
    const auto* turns = list(column);
    if (list_at_[column] > 0) {
      for (std::uint32_t i = 0; i < here_->n; ++i) place_of_turn_[here_->turns[i]] = i;
    }
    for (std::uint32_t i = 0; i < here_->n; ++i) {
      const auto at = list_at_[column] > 0 ? place_of_turn_[turns[i]] : i;
      branch_of[at] = is_missing(column, turns[i]) ? -1
                      : is_categorical(column)     ? category_of(column, i)
                      : i <= n_left                ? 0
                                                   : 1;
    }
  }

  TableLists top_;
  CodeTable codes_;
  std::vector<std::size_t> listed_;   // columns that are not coded
  std::vector<std::size_t> list_at_;  // by column: which of them it is
  RowPositions turns_;
  const Recipe& recipe_;
  QuinlanThreads threads_;
  std::size_t n_classes_;
  std::int64_t total_;
  AboveAverageGain ranking_;
  std::vector<bool> is_apart_;  // by column: no two of its values count as one
  QuinlanNode node_;
  std::vector<ColumnEstimate<kClasses>> looks_;       // by column
  const std::vector<std::int64_t> no_weights_;        // by class
  std::vector<std::vector<std::int64_t>> missing_;    // class weights of rows without a value, by column
  UninitializedBuffer<std::uint32_t> place_of_turn_;  // among the rows of the node that is split
  std::vector<std::int32_t> branch_of_place_;         // of the split under way
  std::vector<std::int32_t> ends_;                    // by turn
  QuinlanRows rows_;
  QuinlanSums<kClasses> sums_;
  std::uint32_t root_ = 0;
  QuinlanNodeRows* here_ = nullptr;
};

}  // namespace treewright
