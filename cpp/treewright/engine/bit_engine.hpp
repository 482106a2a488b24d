// The local engine for two classes, if values mostly occur often: nodes of at most 255 rows are sets of bits.
#pragma once

#include "treewright/engine/grow.hpp"   // for Grower, gini_of, settle_classes
#include "treewright/engine/lists.hpp"  // for NarrowLists

namespace treewright {

// Whether nodes without missing values need only the best cut: no ledger, categories, bounds or draws.
inline bool has_plain_cuts(const Table& table, const Recipe& recipe) {
  return recipe.wants_best_cuts_only() && table.own_weights.empty() &&
         std::all_of(table.n_categories.begin(), table.n_categories.end(), [](auto n) { return n == 0; });
}

// ... and the winner's split: values that are missing at prediction follow the majority of the rows here.
inline Question threshold(const Recipe& recipe, const OpenNode& node, const Cut& cut,
                          std::uint32_t last_code) {
  const std::int32_t larger = 2 * std::int64_t{node.winner.n_left} > node.facts.rows ? 0 : 1;
  return {.cut = cut,
          .missing_branch = recipe.missing == Missing::Spread ? kEveryBranch : larger,
          .last_code = last_code};
}

// For each cut of a column, the rows on its left are a set. A node is a set, too, and its rows on the left of
// a cut are the intersection, so nothing is partitioned as nodes shrink.
template <std::size_t kWords>
class BitEngine final : public NodeByNode {
 public:
  using Rows = RowSet<kWords>;
  using Lists = NarrowLists<std::uint16_t>;
  static constexpr std::uint32_t kCapacity = std::min<std::uint32_t>(64 * kWords, 255);

  BitEngine(const Recipe& recipe, Progress& watch)
      : recipe_(recipe), grower_(recipe, watch), least_side_(recipe.limits.least_side()) {
    if constexpr (kWords > kFewWords) narrow_ = std::make_unique<BitEngine<kFewWords>>(recipe, watch);
  }

  // Whether it pays off: all columns of a block have few values to cut between, and none is missing.
  static bool suits(const Lists& block, const Recipe& recipe) {
    std::size_t n_values = 0;
    for (std::size_t column = 0; column < block.n_columns(); ++column) {
      if (block.has_missing(column)) return false;
      n_values += block.n_values(column);
    }
    return n_values <= block.n_slots() * block.n_columns() / 4 && has_plain_cuts(block.table(), recipe);
  }

  // Grow a node of a block with lists in this engine, into its tree.
  void grow_rest(const Lists& from, const Scan<std::uint16_t>& scan, const OpenNode& node,
                 GrowingTree& growing) {
    if constexpr (kWords > kFewWords) {
      if (finishes(node)) return narrow_->grow_rest(from, scan, node, growing);
    }
    start(from.table(), from.n_columns(), node.handle.size(), scan.gain(1));
    const auto* is_one = scan.two_classes();
    if (new_slot_.size() < from.n_slots()) new_slot_.resize(from.n_slots());
    for (std::uint32_t i = 0; i < n_; ++i) {
      const auto slot = from.members()[node.handle.begin + i];
      new_slot_[slot] = static_cast<std::uint8_t>(i);
      add_row(i, from.row(slot), is_one[slot]);
    }
    for (std::size_t column = 0; column < n_columns(); ++column) {
      const std::span list(from.list(column) + node.handle.begin, n_);
      const auto put = [=, ranks = codes(column), new_slot = new_slot_.data()](auto i, auto rank) {
        ranks[new_slot[list[i]]] = static_cast<std::uint8_t>(rank);
      };
      add_cuts(column, rank_values(from, column, list, put));
    }
    grower_.grow(*this, node, growing);
  }

  // ... and a node of a wider engine.
  template <std::size_t kWide>
  void grow_rest(const BitEngine<kWide>& from, OpenNode node, GrowingTree& growing) {
    const auto& rows = from.rows_of(node);
    start(*from.table_, from.n_columns(), static_cast<std::uint32_t>(node.facts.rows), from.gain_of_worth_);
    wide_slots_.clear();
    for (std::size_t word = 0; word < kWide; ++word) {
      for (auto left = rows[word]; left != 0; left &= left - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(left)), slot = 64 * word + bit;
        add_row(wide_slots_.size(), from.row_of_[slot], from.is_one_[word] >> bit & 1);
        wide_slots_.push_back(slot);
      }
    }
    for (std::size_t column = 0; column < n_columns(); ++column) {
      for (std::uint32_t i = 0; i < n_; ++i)
        codes(column)[i] = from.codes_[column * from.n_ + wide_slots_[i]];
      add_cuts(column, from.begins_[column + 1] - from.begins_[column] + 1);
    }
    node.handle.store = 0;
    grower_.grow(*this, node, growing);
  }

  std::size_t n_columns() const override { return begins_.size() - 1; }
  OpenNode root() override { return {}; }  // another engine has the root

  void propose_one(const OpenNode& node, Proposal& proposal) override {
    auto& candidates = proposal.candidates;
    candidates.clear();
    work_.look_into_node<std::uint8_t>();
    work_.scanned += node.facts.rows * static_cast<std::int64_t>(n_columns());
    const auto [n, n_ones] = counts_of(rows_of(node));
    BitNode<kWords> here{rows_of(node), both(rows_of(node), is_one_), n, n_ones,
                         std::numeric_limits<std::int32_t>::max()};
    if (2 * least_side_ <= n) here.least_sides = static_cast<std::int32_t>(least_side_ * (n - least_side_));
    Twins<find_best_cuts<kWords>>::call(std::span<const Rows>(cuts_.data(), begins_.back()), here, counts_,
                                        best_);
    if (best_.empty()) return;
    const SquaredDistance criterion({n_ones, n});
    // A column has to beat those before it; the ranking decides by how much.
    double best = -kInfinity;
    Sums best_left;
    std::size_t column = 0;
    for (auto cut = best_.begin(); cut != best_.end();) {
      while (*cut >= begins_[column + 1]) ++column;
      Candidate candidate{.column = static_cast<std::int32_t>(column)};
      candidate.score.worth = best;
      for (; cut != best_.end() && *cut < begins_[column + 1]; ++cut) {
        const Sums left{counts_.ones[*cut], counts_.rows[*cut]};
        if (left.amount == best_left.amount && left.weight == best_left.weight) continue;  // no better
        if (candidate.offer(criterion.exact_score(left), static_cast<std::uint32_t>(left.weight), false))
          best_left = left;
      }
      if (!candidate.has_question()) continue;
      best = candidate.score.worth;
      candidate.score.gain = best * gain_of_worth_;
      candidates.push_back(candidate);
    }
  }

  // The cut is between neighbouring values; of cuts with the same rows on the left it is the first.
  Question ask_one(const OpenNode& node) override {
    const auto column = node.column();
    const auto& rows = rows_of(node);
    const std::span cuts(cuts_.data() + begins_[column], cuts_.data() + begins_[column + 1]);
    const auto n_left = static_cast<std::int32_t>(node.winner.n_left);
    std::size_t at = 0;
    while (counts_of(both(rows, cuts[at])).rows < n_left) ++at;
    const auto left = both(rows, cuts[at]);
    auto next = at + 1;
    while (next < cuts.size() && both(rows, cuts[next]) == left) ++next;
    const auto low = row_of(left, at > 0 ? cuts[at - 1] : Rows{});
    const auto high = row_of(next < cuts.size() ? both(rows, cuts[next]) : rows, left);
    return threshold(recipe_, node, table_->columns[column].between(low, high),
                     static_cast<std::uint32_t>(at));
  }

  void route_one(const OpenNode& node, const Question& question, std::span<OpenNode> children) override {
    auto right = rows_of(node);
    const auto left = both(right, cuts_[begins_[node.column()] + question.last_code]);
    for (std::size_t word = 0; word < kWords; ++word) right[word] &= ~left[word];
    add_set(left, children[0]);
    add_set(right, children[1]);
  }

  void settle_one(const OpenNode& node, LeafStore& leaves) override {
    settle_classes(sums_of(rows_of(node)), leaves);
  }

  bool finishes(const OpenNode& node) const override {
    return kWords > kFewWords && node.facts.rows <= BitEngine<kFewWords>::kCapacity;
  }

  void finish(std::span<const OpenNode> nodes, GrowingTree& growing) override {
    if constexpr (kWords > kFewWords) {
      for (const auto& node : nodes) narrow_->grow_rest(*this, node, growing);
    }
  }

 private:
  template <std::size_t kOthers>
  friend class BitEngine;

  void start(const Table& table, std::size_t n_columns, std::uint32_t n, double gain_of_worth) {
    table_ = &table;
    n_ = n;
    gain_of_worth_ = gain_of_worth;
    row_of_.resize(n);
    is_one_ = {};
    sets_.assign(1, Rows{});
    begins_.assign(n_columns + 1, 0);
    if (codes_.size() < n * n_columns) codes_.resize(n * n_columns);
    work_.moved += std::int64_t{n} * static_cast<std::int64_t>(1 + n_columns);
  }

  void add_row(std::size_t i, std::uint32_t row, std::uint64_t is_one) {
    row_of_[i] = row;
    is_one_[i / 64] |= is_one << i % 64;
    sets_[0][i / 64] |= std::uint64_t{1} << i % 64;
  }

  void add_cuts(std::size_t column, std::uint32_t n_codes) {
    const auto begin = begins_[column];
    if (cuts_.size() < begin + n_codes) cuts_.resize(2 * (begin + n_codes));
    begins_[column + 1] = begin + write_cuts(codes(column), n_, n_codes, cuts_.data() + begin);
  }

  RowCounts counts_of(const Rows& rows) const { return Twins<count_rows<kWords>>::call(rows, rows, is_one_); }
  Sums sums_of(const Rows& rows) const {
    const auto counts = counts_of(rows);
    return {counts.ones, counts.rows};
  }

  void add_set(const Rows& rows, OpenNode& child) {
    child.handle.store = static_cast<std::uint32_t>(sets_.size());
    const auto all = sums_of(rows);
    child.facts = {
        .rows = all.weight, .weight = all.weight, .is_pure = all.amount == 0 || all.amount == all.weight};
    if (recipe_.limits.min_impurity > 0) child.facts.impurity = gini_of(all);
    sets_.push_back(rows);
  }

  static Rows both(const Rows& a, const Rows& b) {
    Rows rows;
    for (std::size_t word = 0; word < kWords; ++word) rows[word] = a[word] & b[word];
    return rows;
  }

  // Some row of the table that is in `rows` and not in `but`.
  std::uint32_t row_of(const Rows& rows, const Rows& but) const {
    std::size_t word = 0;
    while ((rows[word] & ~but[word]) == 0) ++word;
    return row_of_[64 * word + static_cast<std::size_t>(std::countr_zero(rows[word] & ~but[word]))];
  }

  std::uint8_t* codes(std::size_t column) { return codes_.data() + column * n_; }
  const Rows& rows_of(const OpenNode& node) const { return sets_[node.handle.store]; }

  const Recipe& recipe_;
  Grower grower_;
  std::int64_t least_side_;  // fewest rows that a side may have, at least 1
  const Table* table_ = nullptr;
  std::uint32_t n_ = 0;  // slots
  double gain_of_worth_ = 0;
  std::vector<std::uint32_t> row_of_;  // by slot: in the caller's table
  Rows is_one_{};                      // slots of class 1
  std::vector<Rows> sets_;             // of the nodes of one growth
  std::vector<std::uint8_t> codes_;    // by column and slot: the rank of its value
  std::vector<Rows> cuts_;             // of one column after the other, from lowest to highest
  std::vector<std::uint32_t> begins_;  // by column: its first cut; one more
  BitCounts counts_;
  std::vector<std::uint32_t> best_;      // cuts that may be the best
  std::vector<std::uint8_t> new_slot_;   // buffer: by slot of the lists
  std::vector<std::size_t> wide_slots_;  // buffer: by slot, of the wider block
  std::unique_ptr<BitEngine<kFewWords>> narrow_;
};

}  // namespace treewright
