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

#include "treewright/block.hpp"            // for TopBlock
#include "treewright/code_sums.hpp"        // for CodeSums
#include "treewright/code_table.hpp"       // for CodeTable
#include "treewright/engine.hpp"           // for Engine, OpenNode
#include "treewright/pool.hpp"             // for Pool
#include "treewright/quinlan_judging.hpp"  // for judge_who_may_win
#include "treewright/quinlan_look.hpp"     // for QuinlanLook
#include "treewright/quinlan_rows.hpp"     // for QuinlanRows, QuinlanRoom
#include "treewright/ranking.hpp"          // for AboveAverageGain
#include "treewright/recipe.hpp"           // for Recipe
#include "treewright/target.hpp"           // for Target

namespace treewright {

template <std::size_t kClasses>
class QuinlanEngine final : public Engine {
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
        classes_(target.classes),
        recipe_(recipe),
        pool_(pool),
        n_classes_(static_cast<std::size_t>(target.n_classes)),
        total_(target.weights.total),
        ranking_(recipe.quinlan, recipe.has_many_values),
        looks_(table.columns.size(), QuinlanLook<kClasses>(n_classes_)),
        no_weights_(n_classes_),
        missing_(table.columns.size(), no_weights_),
        sums_(codes_, classes_, n_classes_),
        weight_of_(table.n_slots),
        noted_(table.columns.size()),
        listed_(columns_not_coded()),
        rows_(classes_, n_classes_, listed_.size()) {
    node_.worth = {.rules = recipe.quinlan,
                   .unit = target.weights.unit,
                   .n_declared = std::max<std::int64_t>(recipe.quinlan.n_classes, target.n_classes),
                   .weights_are_whole = false};
    node_.scale = std::ldexp(
        1, std::bit_width(table.n_slots) - std::bit_width(static_cast<std::uint64_t>(target.weights.total)));
    node_.least = recipe.limits.min_weight_leaf;
    list_at_.resize(n_columns());
    for (std::size_t at = 0; at < listed_.size(); ++at) list_at_[listed_[at]] = at;
    for (std::size_t column = 0; column < n_columns(); ++column) is_apart_.push_back(are_apart(column));
    root_ = rows_.take();
    take_all(target.weights.of_slot);
  }

  std::size_t n_columns() const override { return top_.n_columns(); }

  OpenNode root() override {
    OpenNode node{.place = root_};
    tell_facts(node);
    return node;
  }

  std::size_t first_unknown(const OpenNode&) override { return n_columns(); }

  void propose(const OpenNode& node, std::span<Candidate> candidates) override {
    here_ = &rows_.at(node.place);
    node_.worth.weight_here = node.facts.weight;
    node_.totals = here_->totals;
    work_.template look_into_node<std::uint32_t>();
    work_.scanned += std::int64_t{here_->n} * static_cast<std::int64_t>(n_columns());
    if (!listed_.empty()) {
      for (std::uint32_t i = 0; i < here_->n; ++i) weight_of_[here_->slots[i]] = here_->weights[i];
    }
    const auto pool = pays_for_threads(here_->n);
    if (pool != nullptr) {
      pool->run(n_columns(), [&](std::size_t column, int) { look_into(column, candidates[column], true); });
    } else {
      sum_up(here_->many_valued);
      for (std::size_t column = 0; column < n_columns(); ++column)
        look_into(column, candidates[column], false);
    }
    find_many_valued(candidates);
    if (recipe_.keeps_ledger) {
      for (std::size_t column = 0; column < n_columns(); ++column) note(column, candidates[column]);
    } else {
      judge_who_may_win(recipe_.quinlan, ranking_, std::span<const QuinlanLook<kClasses>>(looks_), candidates,
                        [&](std::size_t column) { judge(column, candidates[column]); });
    }
    for (auto& candidate : candidates) {
      if (candidate.has_question()) candidate.score.gain = gain(candidate.decrease);
    }
  }

  std::span<const NotedColumn> noted() const override { return noted_; }

  Question question_of(const OpenNode& node) override {
    here_ = &rows_.at(node.place);
    const auto column = static_cast<std::size_t>(node.column);
    Question question{.missing_branch = kEveryBranch};
    if (!is_categorical(column)) {
      question.cut = cut_of(column, node.winner);
      return question;
    }
    // A branch for every category declared, also for those that no row here has.
    question.search = Search::Exact;
    question.n_branches = static_cast<std::int32_t>(top_.table().n_categories[column]);
    for (std::int32_t code = 0; code < question.n_branches; ++code) question.branch_of_code.add(code, code);
    return question;
  }

  double middle(const OpenNode&) override { return 0; }  // of monotone columns, and `check` lets none in

  void route(const OpenNode& node, const Question&, std::span<OpenNode> children,
             const std::function<bool(const OpenNode&)>& closes) override {
    here_ = &rows_.at(node.place);
    mark_branches(node);
    rows_.part(*here_, children.size());
    bool any_open = false;
    for (std::size_t branch = 0; branch < children.size(); ++branch) {
      auto& child = children[branch];
      auto& part = rows_.parts()[branch];
      child.place = part.place;
      tell_facts(child);
      part.is_open = !closes(child);
      any_open |= part.is_open;
      if (part.is_open) rows_.at(part.place).many_valued = here_->many_valued;
    }
    if (any_open) rows_.part_lists(*here_, pays_for_threads(here_->n));
    work_.moved += std::int64_t{here_->n} * static_cast<std::int64_t>(any_open ? 1 + listed_.size() : 1);
    rows_.leave(node.place);
  }

  void settle(const OpenNode& node, LeafStore& leaves) override {
    const auto& totals = rows_.at(node.place).totals;
    leaves.weights.insert(leaves.weights.end(), totals.begin(), totals.end());
    rows_.leave(node.place);
  }
  bool settles_inner() const override { return false; }

  bool finishes(const OpenNode&) const override { return false; }
  void finish(std::span<const OpenNode>, Sprout&) override {}

 private:
  std::size_t n_classes() const { return kClasses > 0 ? kClasses : n_classes_; }
  bool is_categorical(std::size_t column) const { return top_.table().is_categorical(column); }
  double gain(double decrease) const { return decrease / static_cast<double>(total_); }
  // nullptr: a node of so many rows does not pay for threads.
  Pool* pays_for_threads(std::uint32_t n) const {
    return pool_.n_threads() > 1 && std::size_t{n} * n_columns() >= 20'000 ? &pool_ : nullptr;
  }

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

  void take_all(const std::vector<std::int64_t>& weights) {
    auto& room = rows_.at(root_);
    room.n = top_.n_slots();
    room.slots.assign(top_.members(), top_.members() + room.n);
    for (const auto column : listed_)
      room.slots.insert(room.slots.end(), top_.list(column), top_.list(column) + room.n);
    room.weights = weights;
    room.totals.assign(n_classes_, 0);
    for (std::uint32_t slot = 0; slot < room.n; ++slot) room.totals[classes_[slot]] += weights[slot];
    for (std::size_t number = 0; number < codes_.n_coded(); ++number)
      room.many_valued.push_back(static_cast<std::uint16_t>(number));
  }

  void tell_facts(OpenNode& node) {
    const auto& room = rows_.at(node.place);
    node.begin = 0;
    node.end = room.n;
    node.facts = {.rows = room.n};
    std::size_t n_present = 0;
    for (const auto weight : room.totals) {
      node.facts.weight += weight;
      n_present += weight > 0;
    }
    node.facts.is_pure = n_present < 2;
  }

  void sum_up(std::span<const std::uint16_t> numbers) {
    sums_.sum_up(numbers, here_->slots.data(), here_->weights.data(), here_->n);
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

  void look_into(std::size_t column, Candidate& out, bool sums_up) {
    out = {};  // and its verdict: constant
    auto& look = looks_[column];
    if (codes_.is_coded(column)) {
      const auto number = static_cast<std::uint16_t>(codes_.number(column));
      const auto& left = here_->many_valued;
      if (!std::binary_search(left.begin(), left.end(), number)) {
        look.enter(node_, no_weights_.data(), 0);
        return;
      }
      if (sums_up) {
        sum_up({&number, 1});
      }
    }
    const bool has_many = codes_.is_coded(column) ? gather_places(column) : gather_list(column);
    if (!has_many) return;
    out.verdict = Verdict::TooFewOnEverySide;
    is_categorical(column) ? look.look_for_set(node_, out) : look.look_for_cut(node_, out);
  }

  // Sum up the values of a column; false: there are fewer than two.
  bool gather_places(std::size_t column) {
    auto& look = looks_[column];
    const auto begin = codes_.begin(column), missing = codes_.missing(column);
    look.enter(node_, sums_.at(missing), missing - begin);
    auto& values = look.values;
    std::uint32_t n_distinct = 0;
    const bool is_apart = is_apart_[column];
    for (auto place = begin; place < missing; ++place) {
      const auto* weights = sums_.at(place);
      std::int64_t any = 0;
      for (std::size_t k = 0; k < n_classes(); ++k) any |= weights[k];
      if (any == 0) continue;
      const bool is_told =
          n_distinct++ == 0 || is_apart ||
          is_below(column, codes_.row_at(values.last(values.size() - 1)), codes_.row_at(place));
      auto* into = is_told ? values.add(place) : values.extend(place);
      for (std::size_t k = 0; k < n_classes(); ++k) into[k] = weights[k] + (is_told ? 0 : into[k]);
    }
    return n_distinct > 1;
  }

  bool gather_list(std::size_t column) {
    auto& look = looks_[column];
    const auto* const slots = list(column);
    const auto* const classes = classes_.data();
    const auto* const weight_of = weight_of_.data();
    auto n_known = here_->n;
    auto& missing = missing_[column];
    std::fill(missing.begin(), missing.end(), 0);
    for (; n_known > 0 && top_.has_missing(column) && top_.is_missing(column, slots[n_known - 1]); --n_known)
      missing[classes[slots[n_known - 1]]] += weight_of[slots[n_known - 1]];
    look.enter(node_, missing.data(), n_known);
    auto& values = look.values;
    const auto gather = [&](const auto& is_told) {
      for (std::uint32_t i = 0; i < n_known; ++i) {
        std::int64_t* weights = nullptr;
        if (i == 0 || is_told(slots[i - 1], slots[i])) {
          weights = values.add(i);
          std::fill(weights, weights + n_classes(), 0);
        } else {
          weights = values.extend(i);
        }
        weights[classes[slots[i]]] += weight_of[slots[i]];
      }
    };
    const bool has_ties = top_.has_ties(column);
    const auto& codes = top_.table().orderings[column].code;
    if (!is_apart_[column]) {
      gather([&](std::uint32_t a, std::uint32_t b) { return is_below(column, top_.row(a), top_.row(b)); });
    } else if (!codes.empty()) {
      gather([code = codes.data()](std::uint32_t a, std::uint32_t b) { return code[a] != code[b]; });
    } else {
      gather([&](std::uint32_t a, std::uint32_t b) { return !has_ties || !top_.same_value(column, a, b); });
    }
    return n_known > 1 && !(has_ties && top_.same_value(column, slots[0], slots[n_known - 1]));
  }

  void judge(std::size_t column, Candidate& candidate) {
    auto& look = looks_[column];
    if (look.is_exact()) return;
    is_categorical(column) ? look.judge_set(node_, candidate) : look.judge_cut(node_, candidate);
  }

  Cut cut_of(std::size_t column, const Candidate& candidate) const {
    const auto row = [&](std::size_t mark) {
      return codes_.is_coded(column) ? codes_.row_at(mark) : top_.row(list(column)[mark]);
    };
    const auto cut = top_.table().columns[column].between(
        row(candidate.n_left), row(static_cast<std::size_t>(candidate.left_amount)));
    return recipe_.cut_at == CutAt::Observed ? top_.table().observed(column, cut) : cut;
  }

  std::int32_t category_of(std::size_t column, std::uint32_t mark) const {
    const auto row = codes_.is_coded(column) ? codes_.row_at(mark) : top_.row(list(column)[mark]);
    return top_.table().columns[column].code(row);
  }

  void note(std::size_t column, Candidate& candidate) {
    judge(column, candidate);
    const auto& look = looks_[column];
    auto& noted = noted_[column].best;
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
    std::vector<std::int64_t> left(n_classes());
    look.sum_before(static_cast<std::size_t>(candidate.left_weight), left);
    for (const auto weight : left) put(weight);
    for (std::size_t k = 0; k < n_classes(); ++k) put(look.known()[k] - left[k]);
  }

  // Write by slot the branch of every row, -1 where it has no value.
  void mark_branches(const OpenNode& node) {
    const auto column = static_cast<std::size_t>(node.column);
    const auto& winner = node.winner;
    auto* const branch_of = rows_.branches();
    if (codes_.is_coded(column)) {
      const auto begin = codes_.begin(column), missing = codes_.missing(column);
      branch_of_place_.assign(missing - begin + 1, -1);
      for (auto place = begin; place < missing; ++place) {
        branch_of_place_[place - begin] = is_categorical(column)   ? category_of(column, place)
                                          : place <= winner.n_left ? 0
                                                                   : 1;
      }
      const auto number = codes_.number(column);
      for (std::uint32_t i = 0; i < here_->n; ++i) {
        const auto slot = here_->slots[i];
        branch_of[slot] = branch_of_place_[codes_.of_slot(slot)[number] - begin];
      }
      return;
    }
    const auto* slots = list(column);
    for (std::uint32_t i = 0; i < here_->n; ++i) {
      branch_of[slots[i]] = top_.has_missing(column) && top_.is_missing(column, slots[i]) ? -1
                            : is_categorical(column) ? category_of(column, i)
                            : i <= winner.n_left     ? 0
                                                     : 1;
    }
  }

  TopBlock top_;
  CodeTable codes_;
  const std::vector<std::uint16_t>& classes_;
  const Recipe& recipe_;
  Pool& pool_;
  std::size_t n_classes_;
  std::int64_t total_;
  AboveAverageGain ranking_;
  std::vector<bool> is_apart_;  // by column: no two of its values count as one
  QuinlanNode node_;
  std::vector<QuinlanLook<kClasses>> looks_;        // by column
  const std::vector<std::int64_t> no_weights_;      // by class
  std::vector<std::vector<std::int64_t>> missing_;  // class weights of rows without a value, by column
  CodeSums<kClasses> sums_;
  std::vector<std::int64_t> weight_of_;        // by slot, in the node looked at
  std::vector<std::int32_t> branch_of_place_;  // of the split under way
  std::vector<NotedColumn> noted_;
  std::vector<std::size_t> listed_, list_at_;  // columns that are not coded; by column: which of them it is
  QuinlanRows rows_;
  std::uint32_t root_ = 0;
  QuinlanRoom* here_ = nullptr;
};

}  // namespace treewright
