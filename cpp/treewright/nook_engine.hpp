// The end of the local engine's road: nodes of at most 15 rows, of which a fully grown tree has most. Their
// rows are numbered anew, so that an order of them fits in a register and a node is a set of bits; nothing
// is parted, a node picks its rows out of each column as it looks at it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "treewright/best_cut_engine.hpp"  // for BestCutEngine
#include "treewright/block.hpp"            // for NarrowBlock
#include "treewright/grower.hpp"           // for Grower
#include "treewright/list_view.hpp"        // for reach_missing_right
#include "treewright/nook_kernels.hpp"     // for find_cuts
#include "treewright/two_sum_scan.hpp"     // for TwoSumScan

namespace treewright {

// Where all rows weigh the same and bounds tell what a cut is worth but for rounding.
template <class TargetKind>
class NookEngine final : public BestCutEngine {
 public:
  using Block = NarrowBlock<std::uint8_t>;

  NookEngine(const Recipe& recipe, Watch& watch) : BestCutEngine(recipe), grower_(recipe, watch) {
    for (std::uint32_t n = 2; n <= kNookRows; ++n) allowed_[n] = allowed_cuts(n);
  }

  // Grow a node of a block, here, into its sprout.
  void grow_rest(const Block& block, const TwoSumScan<TargetKind>& scan, const OpenNode& node,
                 Sprout& sprout) {
    take(block, scan.kind(), node);
    auto start = node;
    start.place = (2U << (node.end - node.begin)) - 2;
    grower_.grow(*this, start, sprout);
  }

  std::size_t n_columns() const override { return columns_.size() - 1; }
  bool settles_inner() const override { return target_.settles_inner(); }

  void propose(const OpenNode& node, std::span<Candidate> candidates) override {
    work_.look_into_node<std::uint8_t>();
    enter(node);
    const typename TargetKind::Criterion criterion({target_.sum, node.facts.weight});
    const double enough = best_possible(criterion);
    double best = -std::numeric_limits<double>::infinity();
    float bar = 0;
    std::size_t n_seen = 0;
    NookCuts found;
    found.column = 0;
    while (best < enough && find_cuts(columns_.data(), candidates.size(), node_, bar, found)) {
      for (; n_seen < found.column; ++n_seen) candidates[n_seen].verdict = Verdict::NotNeeded;
      auto& candidate = candidates[n_seen++] = {.verdict = Verdict::NotNeeded};
      candidate.score.worth = best;
      judge(criterion, found, bar, candidate);
      if (candidate.has_question()) {
        best = candidate.score.worth;
        candidate.score.gain = best * target_.gain_factor;
        ask_for_neighbours(found, candidate);
      }
      ++found.column;
    }
    work_.scanned += static_cast<std::int64_t>(best < enough ? n_columns() : n_seen) * node.facts.rows;
    for (; n_seen < candidates.size(); ++n_seen) candidates[n_seen].verdict = Verdict::NotNeeded;
  }

  Question question_of(const OpenNode& node) override {
    const auto column = static_cast<std::size_t>(node.column);
    const auto rows = rows_in_order(columns_[column], node.place);
    const auto n_left = node.winner.n_left;
    left_ = 0;
    for (std::uint32_t i = 0; i < n_left; ++i) left_ |= 1U << rows[i];
    return ask(node,
               block_->table().columns[column].between(row_of_[rows[n_left - 1]], row_of_[rows[n_left]]));
  }

  void route(const OpenNode& node, const Question&, std::span<OpenNode> children,
             const std::function<bool(const OpenNode&)>&) override {
    children[0].place = left_;
    children[1].place = node.place & ~left_;
    for (auto& child : children)
      child.facts = target_.facts(rows_of(child).span(), recipe_.limits.min_impurity > 0);
  }

  void settle(const OpenNode& node, LeafStore& leaves) override {
    target_.settle(rows_of(node).span(), node.facts, leaves);
  }

 private:
  // The rows of a node, rising.
  struct Rows {
    std::array<std::uint8_t, kNookRows> row;
    std::uint32_t n = 0;
    std::span<const std::uint8_t> span() const { return {row.data(), n}; }
  };

  static Rows rows_of(const OpenNode& node) {
    Rows rows;
    for (auto bits = node.place; bits != 0; bits &= bits - 1)
      rows.row[rows.n++] = static_cast<std::uint8_t>(std::countr_zero(bits));
    return rows;
  }

  void take(const Block& block, const TargetKind& target, const OpenNode& node) {
    block_ = &block;
    const auto n = node.end - node.begin;
    sort_by_target({block.members() + node.begin, n}, target);
    for (std::uint32_t row = 1; row <= n; ++row) {
      narrow_of_[wide_[row]] = static_cast<std::uint8_t>(row);
      row_of_[row] = block.row(wide_[row]);
    }
    columns_.resize(block.n_columns() + 1);
    for (std::size_t column = 0; column < n_columns(); ++column) take_column(node, column);
    work_.moved += std::int64_t{n} * static_cast<std::int64_t>(1 + n_columns());
    auto& by_target = columns_.back();
    for (std::uint32_t i = 0; i <= kNookRows; ++i) {
      by_target.rows[i] = static_cast<std::uint8_t>(i < n ? i + 1 : 0);
      by_target.ranks[i] = static_cast<std::uint8_t>(i);
    }
    target_.take(target, std::span<const std::uint8_t>(wide_.data(), n + 1));
  }

  // Number the rows by their targets.
  void sort_by_target(std::span<const std::uint8_t> slots, const TargetKind& target) {
    wide_[0] = slots[0];  // nobody is never looked up
    for (std::uint32_t n = 0; n < slots.size(); ++n) {
      auto row = n + 1;
      for (; row > 1 && target.number(wide_[row - 1]) > target.number(slots[n]); --row)
        wide_[row] = wide_[row - 1];
      wide_[row] = slots[n];
    }
  }

  void take_column(const OpenNode& node, std::size_t column) {
    const auto* list = block_->list(column) + node.begin;
    const auto n = node.end - node.begin;
    const bool has_ties = block_->has_ties(column);
    auto& narrow = columns_[column];
    narrow.rows = {};
    std::uint8_t rank = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto row = narrow.rows[i] = narrow_of_[list[i]];
      rank = static_cast<std::uint8_t>(
          rank + (!has_ties || (i > 0 && !block_->same_value(column, list[i - 1], list[i]))));
      narrow.ranks[row] = rank;
    }
  }

  // Make ready to look at the columns of a node.
  void enter(const OpenNode& node) {
    const auto rows = rows_of(node);
    target_.enter(rows.span(), node.facts);
    const double mean = static_cast<double>(target_.sum) / rows.n;
    double spread = 0;
    for (const auto row : rows.span()) {
      const double away = static_cast<double>(target_.amount[row]) - mean;
      spread += std::abs(away);
      node_.from_mean[row] = static_cast<float>(away);
    }
    node_.rows = node.place;
    node_.n = rows.n;
    node_.allowed = allowed_[rows.n];
    // Numbers of 24 bits, rounded once each, and added up in fewer than eight steps.
    node_.slack = static_cast<float>(spread) * 0x1p-20F;
  }

  // The best way to part the rows goes along the order of their targets (Fisher 1958), and there is a fair
  // chance that one of the first columns does so too; then no other need be looked at.
  template <class Criterion>
  double best_possible(const Criterion& criterion) const {
    NookCuts found;
    found.column = 0;
    float bar = 0;
    Candidate best;
    if (find_cuts(&columns_.back(), 1, node_, bar, found)) judge(criterion, found, bar, best);
    return best.score.worth;
  }

  std::uint32_t allowed_cuts(std::uint32_t n) const {
    const auto reach = reach_missing_right(n, n, recipe_.limits.min_rows_leaf, false);
    std::uint32_t allowed = 0;
    for (std::uint32_t i = 1; i < n; ++i) {
      if (reach.holds(i) && recipe_.limits.allows_weights(i, n - i)) allowed |= 1U << (i - 1);
    }
    return allowed;
  }

  // Offer the best of the cuts found to `out`, the first of equals. The one with the highest bound is looked
  // at first: it tells what others have to reach.
  template <class Criterion>
  void judge(const Criterion& criterion, const NookCuts& found, float& bar, Candidate& out) const {
    std::uint32_t n_left = 0;
    double worth = -std::numeric_limits<double>::infinity();
    const auto look_at = [&](std::uint32_t cut) {
      Sums left{0, std::int64_t{cut} + 1};
      for (std::uint32_t i = 0; i <= cut; ++i) left.amount += target_.amount[found.rows[i]];
      const double here = criterion.judge(left);
      if (here < worth || (here == worth && cut + 1 > n_left)) return;
      worth = here;
      n_left = cut + 1;
    };
    const auto highest = highest_of(found);
    look_at(highest);
    // Bounds are rounded thrice.
    bar = std::max(bar, static_cast<float>(criterion.bar(worth) * (1 - 0x1p-20)));
    for (auto cuts = found.cuts; cuts != 0; cuts &= cuts - 1) {
      const auto cut = static_cast<std::uint32_t>(std::countr_zero(cuts));
      if (cut != highest && found.bounds[cut] >= bar) look_at(cut);
    }
    out.offer(worth, n_left, false);
  }

  static std::uint32_t highest_of(const NookCuts& found) {
    auto highest = static_cast<std::uint32_t>(std::countr_zero(found.cuts));
    for (auto cuts = found.cuts & (found.cuts - 1); cuts != 0; cuts &= cuts - 1) {
      const auto cut = static_cast<std::uint32_t>(std::countr_zero(cuts));
      if (found.bounds[cut] > found.bounds[highest]) highest = cut;
    }
    return highest;
  }

  // The cut of the best so far lies between values in the caller's memory, which take a while to come.
  [[gnu::always_inline]] void ask_for_neighbours(const NookCuts& found, const Candidate& cut) const {
    const auto& values = block_->table().columns[found.column];
    for (const auto i : {cut.n_left - 1, cut.n_left})
      __builtin_prefetch(values.data() +
                         static_cast<std::ptrdiff_t>(row_of_[found.rows[i]]) * values.stride());
  }

  Grower grower_;
  const Block* block_ = nullptr;
  TargetKind target_;
  std::vector<NookColumn> columns_;                     // and behind them, rows in order of the target
  std::array<std::uint32_t, kNookRows + 1> allowed_{};  // by the number of rows
  std::array<std::uint8_t, 256> narrow_of_{};           // by slot of the block
  std::array<std::uint8_t, kNookRows + 1> wide_{};      // slots of the block
  std::array<std::uint32_t, kNookRows + 1> row_of_{};   // in the caller's table
  NookNode node_{};                                     // looked at
  std::uint32_t left_ = 0;                              // rows that go left by the question just asked
};

struct NoNook {};
template <class Scan>
struct NookFor {
  using Type = NoNook;
};
template <class TargetKind>
  requires(!TargetKind::kHasWeights && TargetKind::Criterion::kBoundIsWorth)
struct NookFor<TwoSumScan<TargetKind>> {
  using Type = NookEngine<TargetKind>;
};

}  // namespace treewright
