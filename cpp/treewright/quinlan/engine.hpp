// The engine of C4.5, with or without fractional rows: questions, and rows that follow their branch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "treewright/criteria/impurity.hpp"           // for entropy
#include "treewright/engine/engine.hpp"               // for OpenNode
#include "treewright/quinlan/search.hpp"              // for QuinlanSearch
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer
#include "treewright/tree/question.hpp"               // for Question

namespace treewright {

template <std::size_t kClasses>
class QuinlanEngine final : public QuinlanSearch<kClasses> {
  using Base = QuinlanSearch<kClasses>;
  using Base::category_of, Base::cut_of, Base::enter, Base::list, Base::look_into, Base::work_;
  using Base::columns_, Base::recipe_, Base::rows_, Base::sums_, Base::threads_, Base::here_,
      Base::estimates_;

 public:
  QuinlanEngine(Table& table, const Target& target, const Recipe& recipe, Pool& pool)
      : Base(table, target, recipe, pool), ends_(table.n_slots, -1), root_(rows_.take()) {
    if (columns_.n_listed() > 1) index_of_position_.make_room(table.n_slots);
    take_all(target.weights);
  }

  OpenNode root() override {
    OpenNode node{.handle = {0, 0, root_}};
    fill_in(node);
    return node;
  }

  Question ask_one(const OpenNode& node) override {
    here_ = &rows_.at(node.handle.store);
    const auto column = node.column();
    Question question;
    if (columns_.is_categorical(column)) {
      ask_for_set(node, question);
    } else {
      question.cut = cut_of(column, node.winner);
    }
    question.missing_branch =
        recipe_.missing == Missing::Spread ? kEveryBranch : largest_branch(node, question);
    return question;
  }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override {
    here_ = &rows_.at(node.handle.store);
    mark_branches(node, question);
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
      fill_in(child);
      part.is_open = recipe_.why_closed(child.facts, child.depth) == Stop::None;
      any_open |= part.is_open;
      if (part.is_open) rows_.at(part.place).many_valued = here_->many_valued;
    }
    if (any_open) {
      rows_.part_lists(*here_, threads_);
      sums_.hand_on(*here_);
    }
    const auto n_lists = std::max<std::size_t>(1, any_open ? columns_.n_listed() : 1);
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
  std::vector<std::int32_t> ends() const { return columns_.by_slot(ends_); }

 private:
  // A row of which a share ended before ended there.
  void note_end(std::uint32_t position, const OpenNode& node) {
    auto& end = ends_[position];
    end = end < 0 ? node.id : end;
  }

  void take_all(const Weights& weights) {
    auto& room = rows_.at(root_);
    room.n = columns_.n_rows();
    room.turns = columns_.lists();
    room.weights.make_room(room.n);
    for (std::uint32_t position = 0; position < room.n; ++position)
      room.weights[position] = weights.all_equal() ? 1 : columns_.at_position(weights.of_slot, position);
    rows_.add_up(room);
    for (std::size_t number = 0; number < columns_.codes.n_coded(); ++number)
      room.many_valued.push_back(static_cast<std::uint16_t>(number));
  }

  void fill_in(OpenNode& node) {
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
    if (!(recipe_.limits.min_impurity > 0)) return;
    std::vector<double> shares(room.totals.begin(), room.totals.end());
    for (auto& share : shares) share /= static_cast<double>(node.facts.weight);
    node.facts.impurity = entropy(shares);
  }

  void ask_for_set(const OpenNode& node, Question& question) {
    const auto column = node.column();
    const auto n_categories = static_cast<std::int32_t>(columns_.table().n_categories[column]);
    if (recipe_.categories == Categories::Multiway ||
        (recipe_.categories == Categories::Groups && n_categories <= 2)) {
      // A branch for every category declared, also for those that no row here has.
      question.search = Search::Exact;
      question.n_branches = n_categories;
      question.branch_of_code = BranchOfCode::each(n_categories);
      return;
    }
    // Find the winner's set again: it was not kept for every column that lost.
    enter(node);
    Candidate again;
    look_into(column, again);
    const auto& estimate = estimates_[column];
    const auto& grouping = estimate.grouping;
    question.search = grouping.search;
    question.n_branches = grouping.n_branches;
    std::size_t v = 0;
    for (std::int32_t code = 0; code < n_categories; ++code) {
      const bool is_here =
          v < estimate.values.size() && category_of(column, estimate.values.first(v)) == code;
      const auto branch = is_here ? grouping.branch_of_bucket[v] : grouping.branch_of_absent;
      if (branch >= 0) question.branch_of_code.add(code, branch);
      v += is_here;
    }
    sums_.forget();
  }

  // Where a value goes that is missing at prediction though none may be here: with most rows, of equals the
  // last.
  std::int32_t largest_branch(const OpenNode& node, const Question& question) {
    mark_branches(node, question);
    std::vector<std::uint32_t> size(static_cast<std::size_t>(question.n_branches));
    for (std::uint32_t i = 0; i < here_->n; ++i) ++size[static_cast<std::size_t>(rows_.branches()[i])];
    return static_cast<std::int32_t>(size.rend() - std::max_element(size.rbegin(), size.rend())) - 1;
  }

  // Write the branch of every row, -1 where it has no value.
  void mark_branches(const OpenNode& node, const Question& question) {
    const auto column = node.column();
    const auto n_left = node.winner.n_left;
    const auto branch_of_mark = [&](std::uint32_t mark) -> std::int32_t {
      return question.is_set() ? question.branch_of_code.find(category_of(column, mark)) : mark > n_left;
    };
    auto* const branch_of = rows_.branches();
    if (columns_.codes.is_coded(column)) {
      const auto& codes = columns_.codes;
      const auto begin = codes.begin(column), missing = codes.missing(column);
      branch_of_place_.assign(missing - begin + 1, -1);
      for (auto place = begin; place < missing; ++place)
        branch_of_place_[place - begin] = branch_of_mark(place);
      const auto number = codes.number(column);
      const auto* const branch_of_place = branch_of_place_.data();
      const auto* const positions = here_->turns.data();
      for (std::uint32_t i = 0, n = here_->n; i < n; ++i)
        branch_of[i] = branch_of_place[codes.of_turn(positions[i])[number] - begin];
      return;
    }
    const auto* positions = list(column);
    const bool is_first = columns_.list_at(column) == 0;
    for (std::uint32_t i = 0; !is_first && i < here_->n; ++i) index_of_position_[here_->turns[i]] = i;
    for (std::uint32_t i = 0; i < here_->n; ++i) {
      const auto at = is_first ? i : index_of_position_[positions[i]];
      branch_of[at] = columns_.is_missing(column, positions[i]) ? -1 : branch_of_mark(i);
    }
  }

  UninitializedBuffer<std::uint32_t> index_of_position_;  // among the rows of the node that is split
  std::vector<std::int32_t> branch_of_place_;             // of the split under way
  std::vector<std::int32_t> ends_;                        // by position
  std::uint32_t root_;
};

}  // namespace treewright
