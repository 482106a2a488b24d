// Score every cut of a column by the absolute error: the sum of the distances of the targets from the median
// of their side.
//
// A median is easily kept up while rows leave: with the targets of the node in a doubly linked list, in
// order, it moves by a link. So the losses of the left sides are found from the last cut back to the first,
// those of the right sides from the first to the last, and a column costs a constant number of steps a row.
// With weights the median may move by several links at once, which no bound holds down but weights of one
// size do.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "treewright/interrupt.hpp"               // for heed_interrupts
#include "treewright/portable.hpp"                // for Int128
#include "treewright/recipe/candidate.hpp"        // for Candidate
#include "treewright/recipe/limits.hpp"           // for NodeStatistics, Monotone, Value
#include "treewright/search/categories.hpp"       // for CategorySearch, Grouping, SetChoice
#include "treewright/search/median_buckets.hpp"   // for AbsoluteBuckets
#include "treewright/search/ordered_targets.hpp"  // for OrderedTargets, ShrinkingSide, TargetOrder
#include "treewright/search/scan.hpp"             // for Run
#include "treewright/search/split_query.hpp"      // for SplitQuery, Reach
#include "treewright/search/target.hpp"           // for Numbers

namespace treewright {

template <bool kWeighted>
class AbsoluteScan : public Numbers<kWeighted, SquaredDistance> {
  using Base = Numbers<kWeighted, SquaredDistance>;
  using Base::number_, Base::value_, Base::weight_of;

 public:
  // Loss of both sides of every cut, by number of known rows on the left; at 0, of all rows that are scored.
  // Twice the heights of the medians too, if asked for.
  struct CutLosses {
    std::tuple<std::vector<std::int64_t>, std::vector<Int128>> losses;
    std::vector<std::int64_t> left_middles, right_middles;
  };

  // One a thread.
  struct Scratch {
    std::vector<Link> left, right;
    std::array<CutLosses, 2> cuts;  // by arrangement of the missing rows
    AbsoluteBuckets buckets;
    Grouping grouping;
  };

  AbsoluteScan() = default;
  explicit AbsoluteScan(LeafValue value) : Base(value) {}

  void take(const Target& from) {
    Base::take(from);
    order_.take(from.numbers);
    place_.resize(from.numbers.size());
  }

  template <class Index>
  void take(const AbsoluteScan& from, std::span<const Index> slots) {
    Base::take(from, slots);
    order_.take(from.order_, slots);
    place_.resize(slots.size());
  }

  template <class Index>
  NodeStatistics facts(std::span<const Index> slots, bool with_impurity) {
    auto facts = Base::facts(slots, false);
    if (with_impurity && !slots.empty())
      facts.impurity =
          absolute_loss(slots, median(slots, facts)) / (static_cast<double>(facts.weight) * this->unit_);
    return facts;
  }

  // Neither medians nor distances from them can be put together from those of the children.
  bool settles_inner() const { return true; }

  template <class Index>
  void settle(std::span<const Index> slots, const NodeStatistics& facts, LeafStore& leaves) {
    const double middle = median(slots, facts);
    leaves.sums.push_back(0);
    leaves.values.push_back(value_ == LeafValue::Median ? middle : this->moments(slots, facts).mean);
    leaves.losses.push_back(facts.is_pure ? 0 : absolute_loss(slots, middle));
  }

  template <class Index>
  void enter(std::span<const Index> slots, const NodeStatistics& facts) {
    const auto sorted = order_.sorted(slots);
    const auto n = sorted.size();
    auto& [height, weights, links] = targets_;
    height.resize(n + 2);
    links.resize(n + 2);
    if constexpr (kWeighted) weights.resize(n + 2);
    const double low = number_[sorted[0]], most = number_[sorted[n - 1]] - low;
    int grid = std::max(-1000, (most > 0 ? std::ilogb(most) : 0) + 1 - 53);
    const double scale = std::ldexp(1.0, -grid);
    value_slack_ = std::max(std::abs(low), std::abs(low + most)) * kValueRounding + std::ldexp(1.0, grid);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < n; ++i) {
      height[i + 1] = std::llrint((number_[sorted[i]] - low) * scale);
      bits |= static_cast<std::uint64_t>(height[i + 1]);
      place_[sorted[i]] = static_cast<std::uint32_t>(i + 1);
      if constexpr (kWeighted) weights[i + 1] = weight_of(sorted[i]);
    }
    links[0] = {0, 1};
    for (std::size_t place = 1; place < n + 2; ++place) {
      links[place] = {static_cast<std::uint32_t>(place - 1), static_cast<std::uint32_t>(place + 1)};
    }
    // Bits that no target uses are left out: sums of the usual whole or decimal targets then fit in 64 bits.
    const int unused = bits == 0 ? 0 : std::countr_zero(bits);
    for (auto& each : height) each >>= unused;
    height[0] = height[n + 1] = 0;
    grid += unused;
    is_wide_ = std::bit_width(bits >> unused) + std::bit_width(static_cast<std::uint64_t>(facts.weight)) > 61;
    node_weight_ = facts.weight;
    this->gain_factor_ = std::ldexp(1.0, grid) / static_cast<double>(this->total_);
    low_ = low;
    step_ = std::ldexp(1.0, grid);
    best_possible_ = is_wide_ ? wide_all_.fill(targets_) : all_.fill(targets_);
  }

  // A cut that leaves no loss at all.
  double best_possible() const { return best_possible_; }

  double gain(double worth) const { return worth * this->gain_factor_; }

  template <class Index>
  void scan(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    const auto reach = query.widest_reach();
    if (reach.first > reach.last) return;
    is_wide_ ? scan_in(wide_all_, query, reach, scratch, out) : scan_in(all_, query, reach, scratch, out);
    add_own_branch(query, scratch, out);
  }

  // Offer the best question about categories.
  template <class Index>
  void scan_categories(const SplitQuery<Index>& query, const SetChoice& choice, Scratch& scratch,
                       Candidate& out) const {
    scratch.buckets.fill(targets_, place_, query);
    CategorySearch(scratch.buckets, query.arrangements, query.limits, out, scratch.grouping).find(choice);
    add_own_branch(query, scratch, out);
  }

  // Weight and mean distance from the median of each of n branches, for the ledger.
  template <class Index>
  void tell(const ListView<Index>& list, std::span<const Run> runs, std::int32_t n,
            std::vector<double>& outcome) const {
    std::vector<std::int32_t> branch_at(targets_.height.size(), -1);
    for (const auto& run : runs) {
      for (auto i = run.begin; i < run.end; ++i) branch_at[place_[list.slot[i]]] = run.branch;
    }
    struct Branch {
      std::int64_t weight = 0, low = 0, median = 0;
      Int128 loss = 0;
    };
    std::vector<Branch> branches(static_cast<std::size_t>(n));
    const auto walk = [&](const auto& step) {
      for (std::size_t place = 1; place + 1 < branch_at.size(); ++place) {
        if (branch_at[place] < 0) continue;
        step(branches[static_cast<std::size_t>(branch_at[place])], targets_.height[place],
             targets_.weight_at(static_cast<std::uint32_t>(place)));
      }
    };
    walk([](Branch& branch, std::int64_t, std::int64_t of_row) { branch.weight += of_row; });
    walk([](Branch& branch, std::int64_t height, std::int64_t of_row) {
      if (branch.low < branch.weight - branch.low) branch.median = height;
      branch.low += of_row;
    });
    walk([](Branch& branch, std::int64_t height, std::int64_t of_row) {
      branch.loss += static_cast<Int128>(std::abs(height - branch.median)) * of_row;
    });
    for (const auto& branch : branches) {
      const auto whole = static_cast<double>(branch.weight);
      outcome.push_back(whole);
      outcome.push_back(static_cast<double>(branch.loss) * step_ / whole);
    }
  }

  // Median.
  template <class Index>
  double value_of(std::span<const Index> slots) {
    return median(slots, Base::facts(slots, false));
  }

 private:
  template <class Sum>
  using Side = ShrinkingSide<Sum, kWeighted>;

  bool are_in_order(const Monotone& monotone, std::int64_t left, std::int64_t right) const {
    const auto value = [&](std::int64_t middle) {
      return Value{low_ + static_cast<double>(middle) / 2 * step_, value_slack_};
    };
    return monotone.allows(left < right ? -1 : left > right, value(left), value(right));
  }

  // Weighted sum of the distances from a point.
  template <class Index>
  double absolute_loss(std::span<const Index> slots, double from) const {
    return this->exact_sum(slots,
                           [&](Index slot) { return this->given(slot) * std::abs(number_[slot] - from); });
  }

  // As `weighted_median`, from the order that is known already.
  template <class Index>
  double median(std::span<const Index> slots, const NodeStatistics& facts) {
    if (slots.empty()) return 0;  // an empty branch; it will answer as its parent
    if (facts.is_pure) return number_[slots[0]];
    const auto sorted = order_.sorted(slots);
    std::size_t i = (sorted.size() - 1) / 2;
    std::int64_t low = static_cast<std::int64_t>(i) + 1;
    if constexpr (kWeighted) {
      for (i = 0, low = weight_of(sorted[0]); low < facts.weight - low;) low += weight_of(sorted[++i]);
    }
    const double number = number_[sorted[i]];
    return low > facts.weight - low ? number : (number + number_[sorted[i + 1]]) / 2;
  }

  template <class Sum, class Index>
  void scan_in(const Side<Sum>& all, const SplitQuery<Index>& query, const Reach& reach, Scratch& scratch,
               Candidate& out) const {
    const bool tries_left = query.tries_missing_left();
    for (const bool missing_left : {false, true}) {
      if (missing_left && !tries_left) continue;
      query.monotone.is_asked() ? add_losses<true>(all, query, reach, missing_left, scratch)
                                : add_losses<false>(all, query, reach, missing_left, scratch);
    }
    const auto weight_of_missing = weight_of(query.list.missing());
    const auto scored_weight = node_weight_ - (query.leaves_rows_out() ? weight_of_missing : 0);

    // The least loss wins, in whole numbers; of equals the first.
    const auto losses_of = [&](bool missing_left) {
      return std::get<std::vector<Sum>>(scratch.cuts[missing_left].losses).data();
    };
    const Sum *with_right = losses_of(false), *with_left = losses_of(true);
    const Sum unparted = with_right[0];
    Sum best = unparted + 1;
    std::int64_t best_cut = 0, weight = 0;
    bool best_missing_left = false;
    const auto try_cut = [&](std::int64_t i, const Sum& loss, bool missing_left) {
      if (!query.reach(missing_left).holds(i)) return;
      const auto left_weight = weight + (missing_left ? weight_of_missing : 0);
      const auto is_in_order = [&] {
        const auto& [losses, left, right] = scratch.cuts[missing_left];
        const auto at = static_cast<std::size_t>(i);
        return are_in_order(query.monotone, left[at], right[at]);
      };
      if (!query.allows(i, left_weight, scored_weight - left_weight, is_in_order)) return;
      if (out.every != nullptr) {
        out.offer(static_cast<double>(unparted - loss), static_cast<std::uint32_t>(i), missing_left);
        return;
      }
      best = loss;
      best_cut = i;
      best_missing_left = missing_left;
    };
    for (std::int64_t i = 1; i <= reach.last; ++i) {
      weight += weight_of(query.list.slot[i - 1]);
      if (i < reach.first) continue;
      if (with_right[i] < best) try_cut(i, with_right[i], false);
      if (tries_left && with_left[i] < best) try_cut(i, with_left[i], true);
    }
    if (best_cut > 0)
      out.offer(static_cast<double>(unparted - best), static_cast<std::uint32_t>(best_cut),
                best_missing_left);
  }

  // What parting the rows without a value from the others adds, where they have a branch of their own.
  template <class Index>
  void add_own_branch(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    if (!query.arrangements.own_branch || query.list.missing().empty()) return;
    const auto worth = [&](const auto& all) {
      scratch.left = scratch.right = targets_.links;
      auto known = all, missing = all;
      remove(query.list.known(), missing, scratch.right);
      remove(query.list.missing(), known, scratch.left);
      return static_cast<double>(all.loss() - known.loss() - missing.loss());
    };
    out.add_worth(is_wide_ ? worth(wide_all_) : worth(all_));
  }

  // Not inlined, which would leave no room to inline the steps of `add_losses`.
  template <class Sum, class Index>
  TREEWRIGHT_NOINLINE void remove(std::span<const Index> slots, Side<Sum>& side,
                                  std::vector<Link>& links) const {
    for (const auto slot : slots) side.remove(place_[slot], targets_, links.data());
  }

  template <bool kMiddles, class Sum, class Index>
  void add_losses(const Side<Sum>& all, const SplitQuery<Index>& query, const Reach& reach, bool missing_left,
                  Scratch& scratch) const {
    heed_interrupts_before(query.list.n);  // where weights are equal, looks in the loop slow it by a tenth
    const auto& list = query.list;
    auto& [all_losses, left_middles, right_middles] = scratch.cuts[missing_left];
    if constexpr (kMiddles) {
      left_middles.resize(list.n_known + 1);
      right_middles.resize(list.n_known + 1);
    }
    auto& losses = std::get<std::vector<Sum>>(all_losses);
    losses.resize(list.n_known + 1);
    scratch.left = targets_.links;
    scratch.right = targets_.links;
    auto left_of_last = all, right_of_first = all;
    if (!missing_left) remove(list.missing(), left_of_last, scratch.left);
    if (missing_left || query.leaves_rows_out()) remove(list.missing(), right_of_first, scratch.right);
    losses[0] = right_of_first.loss();
    // Cuts that nobody asks about are passed by.
    remove(list.known().subspan(static_cast<std::size_t>(reach.last)), left_of_last, scratch.left);
    remove(list.known().first(static_cast<std::size_t>(reach.first) - 1), right_of_first, scratch.right);
    auto left = left_of_last, right = right_of_first;  // of which nobody else knows: they stay in registers
    const Index *first = list.slot + (reach.first - 1), *last = list.slot + (reach.last - 1);
    Link *left_links = scratch.left.data(), *right_links = scratch.right.data();
    // Two chains of steps that wait on nothing of each other, so that they run side by side. Until they meet,
    // each writes where the other has not been yet.
    Sum* const loss = losses.data();
    auto up = reach.first, down = reach.last;
    const auto step = [&](const auto& put_left, const auto& put_right) {
      if constexpr (kMiddles || kWeighted) heed_interrupts_at(static_cast<std::size_t>(up));
      if constexpr (kMiddles)
        left_middles[static_cast<std::size_t>(down)] = left.middle(targets_, left_links);
      put_left(loss[down--], left.loss());
      left.remove(place_[*last--], targets_, left_links);
      right.remove(place_[*first++], targets_, right_links);
      put_right(loss[up], right.loss());
      if constexpr (kMiddles)
        right_middles[static_cast<std::size_t>(up)] = right.middle(targets_, right_links);
      ++up;
    };
    const auto put = [](Sum& at, Sum of_side) { at = of_side; };
    const auto add = [](Sum& at, Sum of_side) { at += of_side; };
    while (up < down) step(put, put);
    if (up == down) step(put, add);
    while (up <= reach.last) step(add, add);
  }

  TargetOrder order_;
  // Of the node entered:
  std::int64_t node_weight_ = 0;
  OrderedTargets targets_;
  std::vector<std::uint32_t> place_;  // by slot
  bool is_wide_ = false;              // sums need more than 64 bits
  ShrinkingSide<std::int64_t, kWeighted> all_;
  ShrinkingSide<Int128, kWeighted> wide_all_;
  double best_possible_ = 0;
  double low_ = 0, step_ = 1, value_slack_ = 0;
};

}  // namespace treewright
