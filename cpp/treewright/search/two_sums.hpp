// Score every cut of a column where Gini of two classes or variance is asked: two running sums tell all.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "treewright/kernels/partition.hpp"       // for bound_equal, bound_weighted
#include "treewright/kernels/short_lists.hpp"     // for ShortNode, ShortCuts
#include "treewright/recipe/candidate.hpp"        // for Candidate
#include "treewright/recipe/limits.hpp"           // for NodeStatistics, Limits
#include "treewright/recipe/missing.hpp"          // for Arrangements
#include "treewright/recipe/monotone.hpp"         // for Monotone, compare_means
#include "treewright/search/categories.hpp"       // for CategorySearch, Grouping
#include "treewright/search/cut_range.hpp"        // for CutRange, add_up, kStep
#include "treewright/search/cut_tables.hpp"       // for CutTables
#include "treewright/search/list_view.hpp"        // for ListView, Reach
#include "treewright/search/target.hpp"           // for TwoClasses, Numbers, Sums
#include "treewright/search/two_sum_buckets.hpp"  // for TwoSumBuckets

namespace treewright {

template <class TargetKind>
class TwoSumScan {
 public:
  using Criterion = typename TargetKind::Criterion;
  struct Scratch {
    std::vector<SumBucket> sums;
    std::vector<CutRange> ranges;
    Grouping grouping;
  };

  TwoSumScan() = default;
  explicit TwoSumScan(TargetKind kind) : target(std::move(kind)) {}

  const TargetKind& kind() const { return target; }
  void take(const Target& from) { target.take(from); }
  template <class Index>
  void take(const TwoSumScan& from, std::span<const Index> slots) {
    target.take(from.target, slots);
    if constexpr (TargetKind::kIsClasses && !TargetKind::kHasWeights) {
      if (slots.size() <= kShortSlots) short_.pack(target.amount);
    }
  }
  template <class Index>
  NodeStatistics facts(std::span<const Index> slots, bool with_impurity) const {
    return target.facts(slots, with_impurity);
  }
  bool settles_inner() const { return target.settles_inner(); }
  template <class Index>
  void settle(std::span<const Index> slots, const NodeStatistics& facts, LeafStore& leaves) {
    target.settle(slots, facts, leaves);
  }

  template <class Index>
  void enter(std::span<const Index> slots, const NodeStatistics& facts) {
    target.enter(slots, facts);
    all_ = {target.sum, facts.weight};
    if constexpr (!TargetKind::kHasWeights) {
      const auto sum = static_cast<double>(all_.amount), weight = static_cast<double>(all_.weight);
      criterion_ = Criterion(all_);
      cuts_ = {sum / weight, sum * 0x1p-50, weight};
      tables_.fill(slots.size(), cuts_.mean, kRun);
      if constexpr (sizeof(Index) == 1) enter_short(slots);
    }
    best_possible_ = target.best_possible(slots, facts);
  }

  void weigh(std::size_t slot, std::int64_t weight)
    requires TargetKind::kHasWeights
  {
    target.weigh(slot, weight);
  }

  const std::int64_t* weights() const { return target.weights(); }

  template <class Index>
  double value_of(std::span<const Index> slots) const {
    return target.value_of(slots);
  }

  // For the ledger.
  Sums no_tally() const { return {}; }
  template <class List>
  Sums tally_of_node(const List&) const {
    return all_;
  }
  template <class Index>
  Sums tally_of(const Index* slots, std::uint32_t n) const {
    return sums_of(slots, n);
  }
  // The left side of a cut, as it was scored.
  static std::optional<Sums> tally_of_left(const Candidate& cut) {
    return Sums{cut.left_amount, cut.left_weight};
  }
  static void add(Sums& to, const Sums& more) { to = to + more; }
  static void subtract(Sums& from, const Sums& less) { from = from - less; }
  void tell_tally(const Sums& tally, std::vector<double>& outcome) const { target.tell(tally, outcome); }

  // No cut can be worth more; a cut that is worth as much ends the search.
  double best_possible() const { return best_possible_; }

  double gain(double worth) const { return worth * target.gain_factor; }

  // Offer the best cut of the list to `out`. `parts(i)`: entries i - 1 and i have different values.
  template <class Index, class Parts>
  void scan(const ListView<Index>& list, const Parts& parts, const Arrangements& ways, const Limits& limits,
            const Monotone& monotone, Scratch& scratch, Candidate& out) const {
    if constexpr (!TargetKind::kHasWeights) {
      if (list.n_known == list.n) {
        if (list.n <= kFewRows) {
          scan_few(list, parts, limits, monotone, out);
        } else if constexpr (sizeof(Index) == 1) {
          scan_short(list, parts, limits, monotone, out);
        } else {
          scan_long(list, parts, limits, monotone, scratch.ranges, out);
        }
        return;
      }
    }
    scan_in_runs(list, parts, ways, limits, monotone, out);
  }

  // As `scan`, with weights or missing values: bounds first, of a run of cuts at a time.
  template <class Index, class Parts>
  void scan_in_runs(const ListView<Index>& list, const Parts& parts, const Arrangements& ways,
                    const Limits& limits, const Monotone& monotone, Candidate& out) const {
    const std::int64_t n_known = list.n_known, n = ways.known_only ? n_known : list.n;
    const auto right = reach_missing_right(n, n_known, limits.min_rows_leaf, ways.alone);
    const bool try_left = ways.left && n > n_known;
    const auto left = try_left ? reach_missing_left(n, n_known, limits.min_rows_leaf) : Reach{1, 0};
    const std::int64_t last = std::max(right.last, left.last);
    const Sums missing = n_known < list.n ? sums_of(list.slot + n_known, list.n - n_known) : Sums{};
    const Sums all = ways.known_only ? all_ - missing : all_;
    const bool has_inverses = !TargetKind::kHasWeights && all.weight == all_.weight;
    const RunOfCuts run{static_cast<double>(all.amount) / static_cast<double>(all.weight),
                        static_cast<double>(all.amount) * 0x1p-50, static_cast<double>(all.weight)};

    const Criterion criterion(all);
    Sums sums;
    double bar = bar_over(criterion, out);
    std::array<std::int64_t, kRun> run_sums, run_weights;
    std::array<double, kRun> reals, real_weights, bounds;
    for (std::int64_t base = 0; base < last; base += kRun) {
      const auto length = static_cast<std::size_t>(std::min<std::int64_t>(kRun, last - base));
      for (std::size_t j = 0; j < length; ++j) {
        const Index slot = list.slot[base + static_cast<std::int64_t>(j)];
        sums.amount += target.amount[slot];
        run_sums[j] = sums.amount;
        reals[j] = static_cast<double>(sums.amount);
        if constexpr (TargetKind::kHasWeights) {
          sums.weight += target.weight[slot];
          run_weights[j] = sums.weight;
          real_weights[j] = static_cast<double>(sums.weight);
        }
      }
      // Arrangements are tried in the order of ties: at one cut, missing to the right first.
      const auto bound_run = [&](const Sums& extra, std::int64_t shift) {
        if (shift > 0) {
          for (std::size_t j = 0; j < length; ++j) {
            reals[j] = static_cast<double>(run_sums[j] + extra.amount);
            if constexpr (TargetKind::kHasWeights)
              real_weights[j] = static_cast<double>(run_weights[j] + extra.weight);
          }
        }
        const auto first = base + 1 + shift;
        if (has_inverses) {
          return bound_equal(reals.data(), tables_.inverse() + first, static_cast<double>(first), run, length,
                             bounds.data());
        }
        if constexpr (!TargetKind::kHasWeights) {
          for (std::size_t j = 0; j < length; ++j)
            real_weights[j] = static_cast<double>(first + static_cast<std::int64_t>(j));
        }
        return bound_weighted(reals.data(), real_weights.data(), run, length, bounds.data());
      };
      const auto judge = [&](std::size_t j, const Sums& extra, std::int64_t shift, bool missing_left) {
        const std::int64_t i = base + static_cast<std::int64_t>(j) + 1;
        if (i < n_known && !parts(static_cast<std::uint32_t>(i))) return;
        const std::int64_t weight = TargetKind::kHasWeights ? run_weights[j] + extra.weight : i + shift;
        if (!limits.allows_weights(weight, all.weight - weight)) return;
        const Sums here{run_sums[j] + extra.amount, weight};
        if (!criterion.may_reach(here, out.score.worth)) return;
        if (monotone.is_asked() && i < n_known &&
            !is_in_order(monotone, here, all - here, i + shift, n - i - shift))
          return;
        if (offer(criterion.judge(here), here, i, missing_left, out)) bar = criterion.bar(out.score.worth);
      };
      if (!try_left) {
        if (bound_run({}, 0) < bar) continue;
        for (std::size_t j = 0; j < length; ++j) {
          if (bounds[j] >= bar && right.holds(base + static_cast<std::int64_t>(j) + 1))
            judge(j, {}, 0, false);
        }
        continue;
      }
      double top = bound_run({}, 0);
      std::array<double, kRun> right_bounds = bounds;
      top = std::max(top, bound_run(missing, n - n_known));
      if (top < bar) continue;
      for (std::size_t j = 0; j < length; ++j) {
        const std::int64_t i = base + static_cast<std::int64_t>(j) + 1;
        if (right_bounds[j] >= bar && right.holds(i)) judge(j, {}, 0, false);
        if (bounds[j] >= bar && left.holds(i)) judge(j, missing, n - n_known, true);
      }
    }
    if (ways.own_branch && missing.weight > 0) out.add_worth(Criterion(all_).judge(missing));
  }

  // Offer one given cut: the first n_left known values go left.
  template <class Index>
  void scan_at(const ListView<Index>& list, std::uint32_t n_left, const Arrangements& ways,
               const Limits& limits, const Monotone& monotone, Scratch&, Candidate& out) const {
    const std::int64_t n_known = list.n_known, n = ways.known_only ? n_known : list.n;
    const Sums missing = sums_of(list.slot + n_known, list.n - n_known);
    const Sums all = ways.known_only ? all_ - missing : all_;
    const auto try_cut = [&](std::int64_t rows, const Sums& sums, bool missing_left) {
      if (rows < limits.min_rows_leaf || n - rows < limits.min_rows_leaf) return;
      if (!limits.allows_weights(sums.weight, all.weight - sums.weight)) return;
      if (monotone.is_asked() && n_left < n_known && !is_in_order(monotone, sums, all - sums, rows, n - rows))
        return;
      offer(Criterion(all).judge(sums), sums, n_left, missing_left, out);
    };
    const Sums sums = sums_of(list.slot, n_left);
    if (n_left < n_known || (ways.alone && n_known < n)) try_cut(n_left, sums, false);
    if (ways.left && n > n_known && n_left < n_known) try_cut(n_left + (n - n_known), sums + missing, true);
    if (ways.own_branch && missing.weight > 0) out.add_worth(Criterion(all_).judge(missing));
  }

  // Offer the best question about categories; `starts(i)`: entry i begins another category.
  template <class Index, class Starts, class Run>
  void scan_categories(const ListView<Index>& list, const Starts& starts, const Arrangements& ways,
                       const Limits& limits, Scratch& scratch, Candidate& out, const Run& run) const {
    TwoSumBuckets<TargetKind> buckets(scratch.sums);
    buckets.fill([&](const Index* slots, std::int64_t n) { return sums_of(slots, n); }, all_, list, starts,
                 ways);
    CategorySearch search(buckets, list.n - list.n_known, ways, limits, out, scratch.grouping);
    run(search);
    if (ways.own_branch && list.n_known < list.n && out.has_question())
      out.add_worth(Criterion(all_).judge(buckets.missing));
  }

 private:
  static constexpr int kRun = 64;
  static constexpr std::uint32_t kFewRows = 8;  // lists of no more are looked at one by one

  static bool offer(double worth, const Sums& left, std::int64_t n_left, bool missing_left, Candidate& out) {
    if (!out.offer(worth, static_cast<std::uint32_t>(n_left), missing_left)) return false;
    out.left_amount = left.amount;
    out.left_weight = left.weight;
    return true;
  }

  // Every row has a value and weighs the same, as in most lists; and they are few.
  template <class Index, class Parts>
  void scan_few(const ListView<Index>& list, const Parts& parts, const Limits& limits,
                const Monotone& monotone, Candidate& out) const {
    const auto reach = reach_missing_right(list.n, list.n, limits.min_rows_leaf, false);
    const auto* amount = target.amount.data();
    const double *expected = tables_.expected(), *inverse = tables_.inverse();
    double bar = bar_over(criterion_, out);  // cuts below it cannot win
    std::int64_t sum = 0;
    for (std::int64_t i = 1; i <= reach.last; ++i) {
      sum += amount[list.slot[i - 1]];
      const double away = std::abs(static_cast<double>(sum) - expected[i]) + cuts_.slack;
      if (away * away * inverse[i] < bar || i < reach.first) [[likely]]
        continue;
      offer_if_allowed({sum, i}, list.n, parts, limits, monotone, out, bar);
    }
  }

  // The same of up to 255 rows: first, bounds of all cuts at once.
  template <class Parts>
  void scan_short(const ListView<std::uint8_t>& list, const Parts& parts, const Limits& limits,
                  const Monotone& monotone, Candidate& out) const {
    double bar = bar_over(criterion_, out);
    ShortCuts cuts;
    if (!bound_cuts(list.slot, rounded_down(bar), cuts)) return;
    if (parts.code != nullptr && !drop_ties(list.slot, parts.code, list.n, cuts)) return;
    if (limits.min_rows_leaf > 1) {
      const auto reach = reach_missing_right(list.n, list.n, limits.min_rows_leaf, false);
      if (reach.first > reach.last || !keep_between(static_cast<std::uint32_t>(reach.first - 1),
                                                    static_cast<std::uint32_t>(reach.last - 1), cuts))
        return;
    }
    if (out.every == nullptr) {
      // The highest, if it may be chosen, is what others have to beat.
      const auto here = left_of(cuts, list, highest_of(cuts, list.n), {});
      if (is_allowed(here, list.n, parts, limits, monotone)) {
        bar = std::max(bar, criterion_.bar(criterion_.judge(here)));
        keep_above(rounded_down(bar), list.n, cuts);
      }
    }
    Sums here;
    cuts.for_each([&](std::size_t place) {
      if (cuts.bounds[place] < rounded_down(bar)) return;
      here = left_of(cuts, list, place, here);
      offer_if_allowed(here, list.n, parts, limits, monotone, out, bar);
    });
  }

  // What is on the left of a cut; `before`, of one further left.
  Sums left_of(const ShortCuts& cuts, const ListView<std::uint8_t>& list, std::size_t place,
               const Sums& before) const {
    const auto n_left = static_cast<std::int64_t>(place) + 1;
    if constexpr (TargetKind::kIsClasses) return {cuts.ones[place], n_left};
    return before + sums_of(list.slot + before.weight, n_left - before.weight);
  }

  // Bounds are floats, rounded a few times.
  static float rounded_down(double bar) { return static_cast<float>(bar - std::abs(bar) * 0x1p-20); }

  bool bound_cuts(const std::uint8_t* list, float bar, ShortCuts& cuts) const {
    if constexpr (TargetKind::kIsClasses) {
      return bound_cuts_of_classes(list, short_, bar, cuts);
    } else {
      return bound_cuts_of_numbers(list, short_, bar, cuts);
    }
  }

  template <class Parts>
  void offer_if_allowed(const Sums& here, std::int64_t n, const Parts& parts, const Limits& limits,
                        const Monotone& monotone, Candidate& out, double& bar) const {
    if (!criterion_.may_reach(here, out.score.worth) || !is_allowed(here, n, parts, limits, monotone)) return;
    if (offer(criterion_.judge(here), here, here.weight, false, out))
      bar = std::max(bar, criterion_.bar(out.score.worth));
  }

  // The same of many rows. From the sum of a few entries, and how far they are from the mean, follows how
  // good the cuts among them may be at best. Only where that is enough are the cuts looked at, once it is
  // known what is to be beaten: any cut that may be chosen is.
  template <class Index, class Parts>
  void scan_long(const ListView<Index>& list, const Parts& parts, const Limits& limits,
                 const Monotone& monotone, std::vector<CutRange>& ranges, Candidate& out) const {
    const std::int64_t n = list.n;
    const auto reach = reach_missing_right(n, n, limits.min_rows_leaf, false);
    const auto* amount = target.amount.data();
    const auto* slot = list.slot;
    const double *expected = tables_.expected(), *inverse = tables_.inverse();
    const double slack = cuts_.slack;
    double bar = bar_over(criterion_, out);  // cuts below it cannot win
    // Worth of a cut in units of the bar, rounded down.
    const auto at_least = [&](std::int64_t i, std::int64_t sum) {
      const double away = std::max(0.0, std::abs(static_cast<double>(sum) - expected[i]) - slack);
      return away * away * inverse[i] * (1 - 0x1p-40);
    };
    // What a cut among a few entries may be worth, of which so much is on the left of the first.
    const auto at_most = [&](const Step& step, std::int64_t first, std::int64_t last, std::int64_t sum) {
      const double before = static_cast<double>(sum) - expected[first - 1];
      const double away =
          std::max(std::abs(before + step.rise), std::abs(before - step.fall)) * (1 + 0x1p-40);
      return away * away * std::max(inverse[first], inverse[last]);
    };
    // The cuts that leave first, ..., last entries on the left.
    const auto look_at = [&](std::int64_t first, std::int64_t last, std::int64_t sum) {
      for (auto i = first; i <= last; ++i) {
        sum += amount[slot[i - 1]];
        const double away = std::abs(static_cast<double>(sum) - expected[i]) + slack;
        if (away * away * inverse[i] >= bar) [[unlikely]]
          offer_if_allowed({sum, i}, n, parts, limits, monotone, out, bar);
      }
    };

    auto first = reach.first;
    std::int64_t sum = 0;
    for (std::int64_t i = 1; i < first; ++i) sum += amount[slot[i - 1]];
    const auto n_steps = std::max<std::int64_t>(0, reach.last - first + 1) / kStep;
    if (ranges.size() < static_cast<std::size_t>(n_steps)) ranges.resize(static_cast<std::size_t>(n_steps));
    auto* stretch = ranges.data();
    std::int64_t n_kept = 0;
    for (std::int64_t k = 0; k < n_steps; ++k, first += kStep) {
      const auto step = add_up<kStep>(slot + (first - 1), target, cuts_);
      const auto last = first + kStep - 1;
      if (const double most = at_most(step, first, last, sum); most >= bar) {
        stretch[n_kept++] = {most, sum, first};
        if constexpr (Criterion::kBoundIsWorth) {
          const double least = at_least(last, sum + step.sum);
          const Sums here{sum + step.sum, last};
          if (least > bar && out.every == nullptr && is_allowed(here, n, parts, limits, monotone))
            bar = least;
        }
      }
      sum += step.sum;
    }
    for (std::int64_t k = 0; k < n_kept; ++k) {
      if (stretch[k].at_most < bar) continue;
      auto sum_before = stretch[k].sum_before;
      for (auto at = stretch[k].first; at < stretch[k].first + kStep; at += kHalf) {
        const auto half = add_up<kHalf>(slot + (at - 1), target, cuts_);
        if (at_most(half, at, at + kHalf - 1, sum_before) >= bar) look_at(at, at + kHalf - 1, sum_before);
        sum_before += half.sum;
      }
    }
    look_at(first, reach.last, sum);
  }

  template <class Parts>
  bool is_allowed(const Sums& left, std::int64_t n, const Parts& parts, const Limits& limits,
                  const Monotone& monotone) const {
    const auto i = left.weight;
    if (!parts(static_cast<std::uint32_t>(i)) || !limits.allows_weights(i, n - i)) return false;
    return !monotone.is_asked() || is_in_order(monotone, left, all_ - left, i, n - i);
  }

  bool is_in_order(const Monotone& monotone, const Sums& left, const Sums& right, std::int64_t left_rows,
                   std::int64_t right_rows) const {
    return monotone.allows(compare_means(left.amount, left.weight, right.amount, right.weight),
                           target.value(left, left_rows), target.value(right, right_rows));
  }

  template <class Index>
  Sums sums_of(const Index* slots, std::int64_t n) const {
    Sums sums;
    for (std::int64_t i = 0; i < n; ++i) {
      sums.amount += target.amount[slots[i]];
      if constexpr (TargetKind::kHasWeights) sums.weight += target.weight[slots[i]];
    }
    if constexpr (!TargetKind::kHasWeights) sums.weight = n;
    return sums;
  }

  // What kernels for short lists want to know of the node.
  void enter_short(std::span<const std::uint8_t> slots) {
    if (slots.size() <= kFewRows) return;
    short_.fill_inverse(static_cast<std::uint32_t>(slots.size()), tables_.shares());
    if constexpr (TargetKind::kIsClasses) {
      short_.measure_classes(cuts_.mean);
    } else {
      short_.measure_numbers(slots, target.amount, cuts_.mean);
    }
  }

  TargetKind target;
  Sums all_;
  Criterion criterion_;  // of rows that weigh the same, as are those below
  RunOfCuts cuts_{};
  CutTables tables_;
  ShortNode short_{};  // where lists are short
  double best_possible_ = 0;
};

}  // namespace treewright
