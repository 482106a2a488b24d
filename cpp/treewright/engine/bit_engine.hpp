// The local engine where rows are of two classes and share most of their values: nodes of at most 255 rows
// are sets of bits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "treewright/engine/best_cut_engine.hpp"  // for BestCutEngine
#include "treewright/engine/grower.hpp"           // for Grower
#include "treewright/engine/lists.hpp"            // for NarrowLists
#include "treewright/kernels/bit_sets.hpp"        // for find_best_cuts, count_rows
#include "treewright/search/target.hpp"           // for TwoClasses

namespace treewright {

// Up to 256 rows as sets of bits: for each cut of a column, the rows on its left. Nothing is parted as nodes
// shrink: a node is a set, too, and what it has on the left of a cut is what both have.
template <std::size_t kWords>
class BitRows {
 public:
  using Rows = RowSet<kWords>;

  // Take the slots [begin, end) of a block with lists.
  void take(const NarrowLists<std::uint16_t>& from, std::uint32_t begin, std::uint32_t end) {
    start(from.table(), end - begin, from.n_columns());
    if (narrow_of_.size() < from.n_slots()) narrow_of_.resize(from.n_slots());
    for (std::uint32_t i = 0; i < n_; ++i) {
      narrow_of_[from.members()[begin + i]] = static_cast<std::uint8_t>(i);
      row_of_[i] = from.row(from.members()[begin + i]);
    }
    if (codes_.size() < n_ * n_columns()) codes_.resize(n_ * n_columns());
    for (std::size_t column = 0; column < n_columns(); ++column) {
      const auto n_values = rank_values(from, column, begin);
      add_cuts(column, n_values, codes(column));
    }
  }

  // Take some rows of a wider one. Nothing is taken from this one then, so it keeps no codes.
  template <std::size_t kWide>
  void take(const BitRows<kWide>& from, const RowSet<kWide>& rows, std::uint32_t n) {
    start(from.table(), n, from.n_columns());
    wide_of_.resize(n);
    for (std::size_t word = 0, i = 0; word < kWide; ++word) {
      for (auto left = rows[word]; left != 0; left &= left - 1, ++i) {
        wide_of_[i] = static_cast<std::uint8_t>(64 * word + static_cast<std::size_t>(std::countr_zero(left)));
        row_of_[i] = from.row(wide_of_[i]);
      }
    }
    std::array<std::uint8_t, 64 * kWords> codes;
    for (std::size_t column = 0; column < n_columns(); ++column) {
      const auto* wide = from.codes(column);
      for (std::uint32_t i = 0; i < n; ++i) codes[i] = wide[wide_of_[i]];
      add_cuts(column, from.n_values(column), codes.data());
    }
  }

  const Table& table() const { return *table_; }
  std::uint32_t n_rows() const { return n_; }
  std::size_t n_columns() const { return n_columns_; }
  std::uint32_t row(std::size_t slot) const { return row_of_[slot]; }
  const std::uint8_t* codes(std::size_t column) const { return codes_.data() + column * n_; }
  std::uint32_t n_values(std::size_t column) const { return begins_[column + 1] - begins_[column] + 1; }

  // Cuts of one column after the other, each with its own from lowest to highest.
  std::span<const Rows> cuts() const { return {cuts_.data(), begins_.back()}; }
  std::uint32_t first_cut(std::size_t column) const { return begins_[column]; }
  std::span<const Rows> cuts(std::size_t column) const {
    return cuts().subspan(begins_[column], begins_[column + 1] - begins_[column]);
  }

 private:
  void start(const Table& table, std::uint32_t n, std::size_t n_columns) {
    table_ = &table;
    n_ = n;
    n_columns_ = n_columns;
    row_of_.resize(n);
    begins_.assign(n_columns + 1, 0);
  }

  // Number the values that the rows have; returns how many there are.
  std::uint32_t rank_values(const NarrowLists<std::uint16_t>& from, std::size_t column, std::uint32_t begin) {
    const auto* list = from.list(column) + begin;
    auto* codes = codes_.data() + column * n_;
    if (!from.has_ties(column)) {
      for (std::uint32_t i = 0; i < n_; ++i) codes[narrow_of_[list[i]]] = static_cast<std::uint8_t>(i);
      return n_;
    }
    const auto* wide = from.code(column);
    std::uint8_t rank = 0;
    auto before = wide[list[0]];
    for (std::uint32_t i = 0; i < n_; ++i) {
      const auto here = wide[list[i]];
      rank = static_cast<std::uint8_t>(rank + (here != before));
      codes[narrow_of_[list[i]]] = rank;
      before = here;
    }
    return rank + 1U;
  }

  void add_cuts(std::size_t column, std::uint32_t n_codes, const std::uint8_t* codes) {
    const auto begin = begins_[column];
    if (cuts_.size() < begin + n_codes) cuts_.resize(2 * (begin + n_codes));
    begins_[column + 1] = begin + write_cuts(codes, n_, n_codes, cuts_.data() + begin);
  }

  const Table* table_ = nullptr;
  std::uint32_t n_ = 0;
  std::size_t n_columns_ = 0;
  std::vector<Rows> cuts_;
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint8_t> codes_;      // by column and slot: the rank of its value
  std::vector<std::uint32_t> row_of_;    // in the caller's table
  std::vector<std::uint8_t> narrow_of_;  // at work: by slot of the wider block
  std::vector<std::uint8_t> wide_of_;    // at work: slots of the wider block
};

template <std::size_t kWords>
class BitEngine final : public BestCutEngine {
 public:
  using Rows = RowSet<kWords>;
  using Classes = TwoClasses<false>;
  static constexpr std::uint32_t kCapacity = std::min<std::uint32_t>(64 * kWords, 255);

  BitEngine(const Recipe& recipe, Progress& watch)
      : BestCutEngine(recipe),
        watch_(watch),
        grower_(recipe, watch),
        least_side_(std::max({std::int64_t{1}, recipe.limits.min_rows_leaf, recipe.limits.min_weight_leaf})) {
  }

  // Whether it is worth while: all columns of a block have few values to cut between.
  static bool suits(const NarrowLists<std::uint16_t>& block, const Recipe& recipe) {
    std::size_t n_values = 0;
    for (std::size_t column = 0; column < block.n_columns(); ++column) n_values += block.n_values(column);
    return n_values <= block.n_slots() * block.n_columns() / 4 && has_plain_cuts(block, recipe);
  }

  // Grow a node of a block with lists, here, into its tree.
  void grow_rest(const NarrowLists<std::uint16_t>& wide, const Classes& target, const OpenNode& node,
                 GrowingTree& growing) {
    if constexpr (kWords > kFewWords) {
      if (finishes(node)) return narrow().grow_rest(wide, target, node, growing);
    }
    block_.take(wide, node.handle.begin, node.handle.end);
    is_one_ = {};
    for (std::uint32_t i = 0; i < block_.n_rows(); ++i)
      is_one_[i / 64] |= std::uint64_t{target.amount[wide.members()[node.handle.begin + i]]} << i % 64;
    grow(node, target.gain_of_worth(), growing);
  }

  // ... of a wider engine.
  template <std::size_t kWide>
  void grow_rest(const BitEngine<kWide>& wide, const OpenNode& node, GrowingTree& growing) {
    const auto& rows = wide.rows_of(node);
    block_.take(wide.block(), rows, static_cast<std::uint32_t>(node.facts.rows));
    is_one_ = {};
    std::uint32_t i = 0;
    for (std::size_t word = 0; word < kWide; ++word) {
      for (auto left = rows[word]; left != 0; left &= left - 1, ++i)
        is_one_[i / 64] |= (wide.is_one()[word] >> std::countr_zero(left) & 1) << i % 64;
    }
    grow(node, wide.gain_of_worth(), growing);
  }

  const BitRows<kWords>& block() const { return block_; }
  const Rows& is_one() const { return is_one_; }
  const Rows& rows_of(const OpenNode& node) const { return sets_[node.handle.store]; }
  double gain_of_worth() const { return gain_of_worth_; }

  std::size_t n_columns() const override { return block_.n_columns(); }

  void propose_one(const OpenNode& node, Proposal& proposal) override {
    auto& candidates = proposal.candidates;
    candidates.resize(n_columns());
    work_.look_into_node<std::uint8_t>();
    work_.scanned += node.facts.rows * static_cast<std::int64_t>(n_columns());
    enter(node);
    for (auto& candidate : candidates) candidate.verdict = Verdict::NotNeeded;
    find_best_cuts(block_.cuts(), node_, counts_, best_);
    if (best_.empty()) return;
    const SquaredDistance criterion({node_.n_ones, node_.n});
    // A column has to beat those before; by how much, the ranking says.
    double best = -std::numeric_limits<double>::infinity();
    std::size_t column = 0, last_column = n_columns();
    auto best_place = best_[0];
    for (const auto place : best_) {
      while (place >= block_.first_cut(column + 1)) ++column;
      const auto rows = counts_.rows[place], ones = counts_.ones[place];
      const bool is_as_good = rows == counts_.rows[best_place] && ones == counts_.ones[best_place];
      if (place != best_[0] && is_as_good) continue;
      auto& candidate = candidates[column];
      if (std::exchange(last_column, column) != column) {
        candidate = {.column = static_cast<std::int32_t>(column), .verdict = Verdict::NotNeeded};
        candidate.score.worth = best;
      }
      if (!candidate.offer(criterion.judge({ones, rows}), static_cast<std::uint32_t>(rows), false)) continue;
      best = candidate.score.worth;
      candidate.score.gain = best * gain_of_worth_;
      best_place = place;
    }
  }

  Question ask_one(const OpenNode& node) override {
    const auto column = node.column();
    const auto& rows = rows_of(node);
    const auto cuts = block_.cuts(column);
    std::size_t place = 0;
    while (count_rows(both(rows, cuts[place]), is_one_).rows < static_cast<std::int32_t>(node.winner.n_left))
      ++place;
    const auto [low, high] = beside_cut(rows, cuts, place);
    auto question = threshold(node, block_.table().columns[column].between(low, high));
    question.last_code = static_cast<std::uint32_t>(place);
    return question;
  }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override {
    auto right = rows_of(node);
    const auto left = both(right, block_.cuts(node.column())[question.last_code]);
    for (std::size_t word = 0; word < kWords; ++word) right[word] &= ~left[word];
    add_set(left, children[0]);
    add_set(right, children[1]);
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    Classes::settle(sums_of(rows_of(node)), leaves);
  }

  bool finishes(const OpenNode& node) const override {
    return kWords > kFewWords && node.facts.rows <= BitEngine<kFewWords>::kCapacity;
  }

  void finish(std::span<const OpenNode> nodes, GrowingTree& growing) override {
    if constexpr (kWords > kFewWords) {
      for (const auto& node : nodes) narrow().grow_rest(*this, node, growing);
    }
  }

 private:
  BitEngine<kFewWords>& narrow() {
    if (!narrow_) narrow_ = std::make_unique<BitEngine<kFewWords>>(recipe_, watch_);
    return *narrow_;
  }

  void grow(const OpenNode& node, double gain_of_worth, GrowingTree& growing) {
    const auto n = block_.n_rows();
    work_.moved += std::int64_t{n} * static_cast<std::int64_t>(1 + n_columns());
    gain_of_worth_ = gain_of_worth;
    sets_.assign(1, Rows{});
    for (std::uint32_t i = 0; i < n; ++i) sets_[0][i / 64] |= std::uint64_t{1} << i % 64;
    auto start = node;
    start.handle.store = 0;
    grower_.grow(*this, start, growing);
  }

  void enter(const OpenNode& node) {
    node_.rows = rows_of(node);
    for (std::size_t word = 0; word < kWords; ++word) node_.ones[word] = node_.rows[word] & is_one_[word];
    const auto counts = count_rows(node_.rows, is_one_);
    node_.n = counts.rows;
    node_.n_ones = counts.ones;
    node_.least_sides = std::numeric_limits<std::int32_t>::max();
    if (2 * least_side_ <= counts.rows)
      node_.least_sides = static_cast<std::int32_t>(least_side_ * (counts.rows - least_side_));
  }

  Sums sums_of(const Rows& rows) const {
    const auto counts = count_rows(rows, is_one_);
    return {counts.ones, counts.rows};
  }

  void add_set(const Rows& rows, OpenNode& child) {
    child.handle.store = static_cast<std::uint32_t>(sets_.size());
    child.facts = Classes::facts(sums_of(rows), recipe_.limits.min_impurity > 0);
    sets_.push_back(rows);
  }

  static Rows both(const Rows& a, const Rows& b) {
    Rows rows;
    for (std::size_t word = 0; word < kWords; ++word) rows[word] = a[word] & b[word];
    return rows;
  }

  // Some row of the table that is in the one set and not in the other.
  std::uint32_t row_of(const Rows& rows, const Rows& but) const {
    std::size_t word = 0;
    while ((rows[word] & ~but[word]) == 0) ++word;
    return block_.row(64 * word + static_cast<std::size_t>(std::countr_zero(rows[word] & ~but[word])));
  }

  // Rows of the table with the values next to a cut, the first of those that leave the same rows on the left.
  std::pair<std::uint32_t, std::uint32_t> beside_cut(const Rows& rows, std::span<const Rows> cuts,
                                                     std::size_t place) const {
    const auto left = both(rows, cuts[place]);
    auto next = place + 1;
    while (next < cuts.size() && both(rows, cuts[next]) == left) ++next;
    return {row_of(left, place > 0 ? cuts[place - 1] : Rows{}),
            row_of(next < cuts.size() ? both(rows, cuts[next]) : rows, left)};
  }

  Progress& watch_;
  Grower grower_;
  std::int64_t least_side_;  // fewest rows that a side may have, from 1 on
  double gain_of_worth_ = 0;
  BitRows<kWords> block_;
  Rows is_one_{};           // by slot
  std::vector<Rows> sets_;  // of the nodes of one growth, by place
  BitNode<kWords> node_{};  // looked at
  BitCounts counts_;
  std::vector<std::uint32_t> best_;  // cuts that may be
  std::unique_ptr<BitEngine<kFewWords>> narrow_;
};

}  // namespace treewright
