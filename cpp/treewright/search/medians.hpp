// Score every cut of a column by the absolute error: distances of targets from the median of their side.
//
// A median is easy to update while rows leave: with the targets of the node in order in a doubly linked list,
// it moves by one link. So the losses of the left sides are found from the last cut back to the first, those
// of the right sides from the first to the last, and a column costs a constant number of steps per row. With
// weights the median may move by several links at once; by few if weights are of similar size.
#pragma once

#include "treewright/search/ordered_targets.hpp"  // for OrderedTargets, ShrinkingSide, AbsoluteBuckets
#include "treewright/search/target.hpp"           // for Numbers

namespace treewright {

template <class Index, class Weighted>
class AbsoluteScan : public Numbers<Index, Weighted, SquaredDistance> {
  using Base = Numbers<Index, Weighted, SquaredDistance>;
  using Base::number_, Base::low_, Base::step_, Base::largest_, Base::weight_of, Base::kWeighted;
  using typename Base::Slots;

  using Side = ShrinkingSide<Weighted::value>;

  // The losses of both sides at all cuts, one after the other.
  struct CutLosses {
    Int128 loss = 0;  // at the current cut; at first, at the one before the first
    // By number of known rows on the left: what the last of them adds there, and removes on the right. If
    // rows weigh the same, these fit in 64 bits, while losses do not.
    std::vector<std::array<typename Side::Drop, 2>> drops;
    std::vector<std::array<std::int64_t, 2>> middles;  // of both sides, if asked for
  };

 public:
  // One per thread.
  struct Scratch {
    std::vector<Link> left, right;
    std::array<CutLosses, 2> cuts;  // by placement of the missing rows: right, left
  };

  using Base::Base;

  void read_target(const Target& from) {
    Base::read_target(from);
    std::vector<std::uint32_t> in_order(from.numbers.size());
    std::iota(in_order.begin(), in_order.end(), 0);
    long_stable_sort(std::span(in_order), [&](auto a, auto b) { return number_[a] < number_[b]; });
    rank_.resize(in_order.size());
    for (std::uint32_t rank = 0; rank < rank_.size(); ++rank) rank_[in_order[rank]] = rank;
    position_.resize(rank_.size());
  }

  template <class Wide>
  void gather_from(const AbsoluteScan<Wide, Weighted>& from, std::span<const Wide> slots) {
    Base::gather_from(from, slots);
    rank_.resize(slots.size());
    position_.resize(slots.size());
    place(from.rank_, slots, [&](std::size_t i, std::uint32_t place) { rank_[i] = place; });
  }

  NodeStatistics facts(Slots slots, bool with_impurity) override {
    auto facts = Base::facts(slots, false);
    if (with_impurity && !slots.empty())
      facts.impurity = absolute_loss(slots, this->median(slots, facts)) /
                       (static_cast<double>(facts.weight) * this->unit_);
    return facts;
  }

  // Neither medians nor distances from them can be derived from those of the children.
  bool settles_inner() const override { return true; }

  void settle(Slots slots, const NodeStatistics& facts, LeafStore& leaves) override {
    const double middle = this->median(slots, facts);
    leaves.sums.push_back(0);
    leaves.values.push_back(this->value_ == LeafValue::Median ? middle : this->moments(slots, facts).mean);
    leaves.losses.push_back(facts.is_pure ? 0 : absolute_loss(slots, middle));
  }

  void enter(Slots slots, const NodeStatistics&) override {
    const auto n = slots.size();
    auto &height = targets_.height, &weights = targets_.weight;
    height.resize(n + 2);
    if constexpr (kWeighted) weights.resize(n + 2);
    const auto range = this->range_of(slots);
    const double low = range.first, most = range.second - low;
    const int grid = std::max(-1000, (most > 0 ? std::ilogb(most) : 0) + 1 - 53);
    const double scale = std::ldexp(1.0, -grid);
    place(rank_, slots, [&](std::size_t i, std::uint32_t place) {
      const auto position = position_[slots[i]] = place + 1;
      height[position] = std::llrint((number_[slots[i]] - low) * scale);
      if constexpr (kWeighted) weights[position] = weight_of(slots[i]);
    });
    height[n + 1] = 0;
    all_ = Side(targets_);
    low_ = low;
    step_ = std::ldexp(1.0, grid);
    largest_ = std::max(std::abs(low), std::abs(low + most));
    this->gain_factor_ = step_ / static_cast<double>(this->total_);
    best_possible_ = best_in_order();
  }

  double best_possible() const override { return best_possible_; }

  void scan(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    const auto reach = query.widest_reach();
    if (reach.first > reach.last) return;
    auto& cuts = scratch.cuts;
    const bool tries_left = query.n_missing() > 0;
    const auto find =
        query.monotone.is_asked() ? &AbsoluteScan::find_losses<true> : &AbsoluteScan::find_losses<false>;
    if (tries_left) (this->*find)(query, reach, true, scratch);
    const auto unparted = (this->*find)(query, reach, false, scratch);
    const auto weight_of_missing = weight_of(query.list.missing());
    const auto scored_weight = all_.weight() - (query.leaves_rows_out() ? weight_of_missing : 0);

    // The least loss wins, compared in integers; the first of equals.
    auto best = unparted + 1;
    std::pair<std::uint32_t, bool> best_cut{0, false};
    auto weight = weight_of(query.list.known().first(reach.first - 1));
    const auto try_cut = [&](std::uint32_t i, bool missing_left) {
      auto& loss = cuts[missing_left].loss;
      loss += cuts[missing_left].drops[i][0];
      loss -= cuts[missing_left].drops[i][1];
      if (!(loss < best) || !query.reach(missing_left).holds(i)) return;
      const auto left_weight = weight + (missing_left ? weight_of_missing : 0);
      const auto is_in_order = [&] {
        const auto [left, right] = cuts[missing_left].middles[i];
        return query.monotone.allows(left < right ? -1 : left > right, value_at(left), value_at(right));
      };
      if (!query.allows(i, left_weight, scored_weight - left_weight, is_in_order)) return;
      if (out.every != nullptr) {
        out.offer(static_cast<double>(unparted - loss), i, missing_left);
      } else {
        best = loss;
        best_cut = {i, missing_left};
      }
    };
    for (auto i = static_cast<std::uint32_t>(reach.first); i <= reach.last; ++i) {
      weight += weight_of(query.list.slot[i - 1]);
      try_cut(i, false);
      if (tries_left) try_cut(i, true);
    }
    if (best_cut.first > 0) out.offer(static_cast<double>(unparted - best), best_cut.first, best_cut.second);
  }

  auto buckets(const SplitQuery<Index>& query, Scratch&) const {
    std::vector<Run> runs;
    query.for_each_value([&](std::uint32_t begin, std::uint32_t end) { runs.push_back({begin, end, 0}); });
    runs.push_back({query.list.n_known, query.list.n, query.leaves_rows_out() ? -1 : 0});
    return AbsoluteBuckets(targets_, position_, query.list, runs);
  }

  double worth_apart(const SplitQuery<Index>& query, Scratch& scratch) const {
    auto known = all_, missing = all_;
    link_all(scratch);
    remove(query.list.known(), missing, scratch.right);
    remove(query.list.missing(), known, scratch.left);
    return static_cast<double>(all_.loss() - known.loss() - missing.loss());
  }

  // Weight and mean distance from the median of each of n branches.
  void tell_branches(const ListView<Index>& list, std::span<const Run> runs, std::int32_t n,
                     std::vector<double>& outcome) const override {
    AbsoluteBuckets buckets(targets_, position_, list, runs);
    std::vector<std::vector<std::size_t>> of_branch(static_cast<std::size_t>(n));
    for (std::size_t b = 0; b < runs.size(); ++b) {
      if (runs[b].branch >= 0) of_branch[static_cast<std::size_t>(runs[b].branch)].push_back(b);
    }
    for (const auto& branch : of_branch) {
      for (const auto b : branch) buckets.move(b, true);
      const auto [weight, loss] = buckets.left();
      outcome.insert(outcome.end(), {weight, loss * step_ / weight});
      for (const auto b : branch) buckets.move(b, false);
    }
  }

  void tell_cut(const ListView<Index>& list, const Candidate& cut, ToldCuts&, Noted& noted) const override {
    const auto missing = noted.missing_branch;
    const Run runs[] = {{0, cut.n_left, 0}, {cut.n_left, list.n_known, 1}, {list.n_known, list.n, missing}};
    tell_branches(list, runs, missing == 2 ? 3 : 2, noted.outcome);
  }

  // Median.
  double value_of(Slots slots) override { return this->median(slots, Base::facts(slots, false)); }

  // Call put(i, place) for all slots, places in order of targets: ranks differ, so each is a bit to count.
  template <class Slot, class Put>
  void place(const std::vector<std::uint32_t>& rank, std::span<const Slot> slots, const Put& put) {
    marks_.assign((rank.size() + 63) / 64, {});
    for (const auto slot : slots) marks_[rank[slot] / 64].bits |= std::uint64_t{1} << rank[slot] % 64;
    std::uint32_t sum = 0;
    for (auto& [bits, n_before] : marks_) {
      n_before = sum;
      sum += static_cast<std::uint32_t>(std::popcount(bits));
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto at = rank[slots[i]];
      const auto& [bits, n_before] = marks_[at / 64];
      const auto below = bits & ((std::uint64_t{1} << at % 64) - 1);
      put(i, n_before + static_cast<std::uint32_t>(std::popcount(below)));
    }
  }

  // Worth of the best split of the rows in two, in the order of their targets; there is a fair chance that
  // one of the first columns has it. A row that joins at either end adds its distance from the median.
  double best_in_order() const {
    const auto unparted = all_.loss();
    if (kWeighted || !this->in_two) return static_cast<double>(unparted);
    const auto* height = targets_.height.data();
    const auto n = targets_.n();
    auto loss = unparted, least = unparted;
    for (std::uint32_t k = 1; k < n; ++k) {
      loss += height[k] - height[(k + 1) / 2];              // what a row adds on the left
      loss -= height[n + 1 - (n - k + 2) / 2] - height[k];  // ... and takes off on the right
      least = std::min(least, loss);
    }
    return static_cast<double>(unparted - least);
  }

  Value value_at(std::int64_t middle) const {
    return {low_ + static_cast<double>(middle) / 2 * step_, largest_ * kValueRounding + step_};
  }

  // Weighted sum of the distances from a point.
  double absolute_loss(Slots slots, double from) const {
    const auto term = [&](Index slot) { return this->given(slot) * std::abs(number_[slot] - from); };
    return this->exact_sum(slots, term, slots);
  }

  void link_all(Scratch& scratch) const {
    const auto n = targets_.n() + 2;
    for (auto* links : {&scratch.left, &scratch.right}) {
      links->resize(n);
      for (std::uint32_t at = 0; at < n; ++at) (*links)[at] = {at - 1, at + 1};
    }
  }

  // Not inlined: that would leave no room to inline the steps of `find_losses`.
  TREEWRIGHT_NOINLINE void remove(Slots slots, Side& side, std::vector<Link>& links) const {
    for (const auto slot : slots) side.remove(position_[slot], targets_, links.data());
  }

  // Find the losses of the cuts within reach; returns the loss of all rows that are scored.
  template <bool kMiddles>
  Int128 find_losses(const SplitQuery<Index>& query, const Reach& reach, bool missing_left,
                     Scratch& scratch) const {
    heed_interrupts_before(query.list.n);  // with equal weights, checks in the loop would slow it by a tenth
    const auto& list = query.list;
    auto& cuts = scratch.cuts[missing_left];
    cuts.drops.resize(list.n_known + 1);
    if (kMiddles) cuts.middles.resize(list.n_known + 1);
    link_all(scratch);
    auto left_of_last = all_, right_of_first = all_;
    if (!missing_left) remove(list.missing(), left_of_last, scratch.left);
    if (missing_left || query.leaves_rows_out()) remove(list.missing(), right_of_first, scratch.right);
    const auto unparted = right_of_first.loss();
    // Cuts out of reach are skipped.
    remove(list.known().subspan(static_cast<std::size_t>(reach.last)), left_of_last, scratch.left);
    remove(list.known().first(static_cast<std::size_t>(reach.first) - 1), right_of_first, scratch.right);
    // Two chains of steps that do not depend on each other, so that they run in parallel.
    auto left = left_of_last, right = right_of_first;  // no pointers to these, so that they stay in registers
    Link *left_links = scratch.left.data(), *right_links = scratch.right.data();
    auto* drops = cuts.drops.data();
    for (auto up = reach.first, down = reach.last; up <= reach.last; ++up, --down) {
      if constexpr (kMiddles || kWeighted) heed_interrupts_at(static_cast<std::size_t>(up));
      if constexpr (kMiddles) cuts.middles[down][0] = left.middle(targets_, left_links);
      drops[down][0] = left.remove(position_[list.slot[down - 1]], targets_, left_links);
      drops[up][1] = right.remove(position_[list.slot[up - 1]], targets_, right_links);
      if constexpr (kMiddles) cuts.middles[up][1] = right.middle(targets_, right_links);
    }
    // Summed here, because in the loop there are no registers left for 128 bits.
    cuts.loss = left_of_last.loss() + right_of_first.loss();
    for (auto i = reach.first; i <= reach.last; ++i) cuts.loss -= drops[i][0];
    return unparted;
  }

  struct Marks {
    std::uint64_t bits;
    std::uint32_t n_before;
  };

  std::vector<std::uint32_t> rank_;  // of targets, by slot
  std::vector<Marks> marks_;         // for `place`
  // Of the current node:
  OrderedTargets targets_;
  std::vector<std::uint32_t> position_;  // by slot
  Side all_;                             // of all rows
  double best_possible_ = 0;
};

}  // namespace treewright
