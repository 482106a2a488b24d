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
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/portable.hpp"               // for Int128
#include "treewright/recipe/candidate.hpp"       // for Candidate
#include "treewright/recipe/limits.hpp"          // for NodeStatistics, Limits
#include "treewright/recipe/missing.hpp"         // for Arrangements
#include "treewright/recipe/monotone.hpp"        // for Monotone, Value
#include "treewright/search/categories.hpp"      // for CategorySearch, Grouping
#include "treewright/search/list_view.hpp"       // for ListView, Reach
#include "treewright/search/median_buckets.hpp"  // for AbsoluteBuckets
#include "treewright/search/shrinking_side.hpp"  // for OrderedTargets, ShrinkingSide
#include "treewright/search/target.hpp"          // for Numbers
#include "treewright/search/target_order.hpp"    // for TargetOrder

namespace treewright {

// Twice the heights of the medians of both sides of every cut, by number of known rows on the left.
struct Middles {
  std::vector<std::int64_t> left, right;
};

template <bool kWeighted>
class AbsoluteScan {
 public:
  // One a thread.
  struct Scratch {
    std::vector<Link> left, right;
    std::vector<std::int64_t> losses, losses_missing_left;
    std::vector<Int128> wide_losses, wide_losses_missing_left;
    Middles middles, middles_missing_left;  // only where they are asked for
    AbsoluteBuckets buckets;
    Grouping grouping;

    template <class Sum>
    std::vector<Sum>& losses_of(bool missing_left) {
      if constexpr (std::is_same_v<Sum, std::int64_t>) {
        return missing_left ? losses_missing_left : losses;
      } else {
        return missing_left ? wide_losses_missing_left : wide_losses;
      }
    }
  };

  AbsoluteScan() = default;
  explicit AbsoluteScan(LeafValue value) : value_(value) {}

  void take(const Target& from) {
    target_.take(from);
    order_.take(from.numbers);
    place_.resize(from.numbers.size());
  }

  template <class Index>
  void take(const AbsoluteScan& from, std::span<const Index> slots) {
    target_.take(from.target_, slots);
    order_.take(from.order_, slots);
    value_ = from.value_;
    place_.resize(slots.size());
  }

  template <class Index>
  NodeStatistics facts(std::span<const Index> slots, bool with_impurity) {
    auto facts = target_.facts(slots, false);
    if (with_impurity && !slots.empty()) {
      facts.impurity = target_.absolute_loss(slots, median(slots, facts)) / target_.given_weight(facts);
    }
    return facts;
  }

  // Neither medians nor distances from them can be put together from those of the children.
  bool settles_inner() const { return true; }

  template <class Index>
  void settle(std::span<const Index> slots, const NodeStatistics& facts, LeafStore& leaves) {
    const double middle = median(slots, facts);
    leaves.sums.push_back(0);
    leaves.values.push_back(value_ == LeafValue::Median ? middle : target_.mean(slots, facts));
    leaves.losses.push_back(facts.is_pure ? 0 : target_.absolute_loss(slots, middle));
  }

  template <class Index>
  void enter(std::span<const Index> slots, const NodeStatistics& facts) {
    const auto sorted = order_.sorted(slots);
    const auto n = sorted.size();
    auto& [height, weight, links] = targets_;
    height.resize(n + 2);
    links.resize(n + 2);
    if constexpr (kWeighted) weight.resize(n + 2);
    const double low = target_.number(sorted[0]), most = target_.number(sorted[n - 1]) - low;
    int grid = std::max(-1000, (most > 0 ? std::ilogb(most) : 0) + 1 - 53);
    const double scale = std::ldexp(1.0, -grid);
    value_slack_ = std::max(std::abs(low), std::abs(low + most)) * kValueRounding + std::ldexp(1.0, grid);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < n; ++i) {
      height[i + 1] = std::llrint((target_.number(sorted[i]) - low) * scale);
      bits |= static_cast<std::uint64_t>(height[i + 1]);
      place_[sorted[i]] = static_cast<std::uint32_t>(i + 1);
      if constexpr (kWeighted) weight[i + 1] = target_.weight[sorted[i]];
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
    facts_ = facts;
    gain_factor_ = std::ldexp(1.0, grid) / static_cast<double>(target_.total());
    low_ = low;
    step_ = std::ldexp(1.0, grid);
    all_ = {};
    wide_all_ = {};
    best_possible_ = is_wide_ ? fill(wide_all_) : fill(all_);
  }

  const std::int64_t* weights() const { return target_.weights(); }
  void weigh(std::size_t slot, std::int64_t weight)
    requires kWeighted
  {
    target_.weigh(slot, weight);
  }

  std::int64_t weight_of(std::size_t slot) const {
    if constexpr (kWeighted) return target_.weight[slot];
    return 1;
  }

  // A cut that leaves no loss at all.
  double best_possible() const { return best_possible_; }

  double gain(double worth) const { return worth * gain_factor_; }

  template <class Index, class Parts>
  void scan(const ListView<Index>& list, const Parts& parts, const Arrangements& ways, const Limits& limits,
            const Monotone& monotone, Scratch& scratch, Candidate& out) const {
    if (is_wide_) {
      scan_in(wide_all_, list, parts, ways, limits, monotone, scratch, out);
    } else {
      scan_in(all_, list, parts, ways, limits, monotone, scratch, out);
    }
  }

  template <class Index>
  void scan_at(const ListView<Index>& list, std::uint32_t n_left, const Arrangements& ways,
               const Limits& limits, const Monotone& monotone, Scratch& scratch, Candidate& out) const {
    if (is_wide_) {
      scan_at_in(wide_all_, list, n_left, ways, limits, monotone, scratch, out);
    } else {
      scan_at_in(all_, list, n_left, ways, limits, monotone, scratch, out);
    }
  }

  // Offer the best question about categories; `starts(i)`: entry i begins another category.
  template <class Index, class Starts, class Run>
  void scan_categories(const ListView<Index>& list, const Starts& starts, const Arrangements& ways,
                       const Limits& limits, Scratch& scratch, Candidate& out, const Run& run) const {
    scratch.buckets.fill(targets_, place_, list, starts, ways);
    CategorySearch search(scratch.buckets, list.n - list.n_known, ways, limits, out, scratch.grouping);
    run(search);
    if (!ways.own_branch) return;
    out.add_worth(is_wide_ ? worth_of_missing(wide_all_, list, scratch)
                           : worth_of_missing(all_, list, scratch));
  }

  // Weight and mean distance from the median of each of n branches, for the ledger. Runs as in `noting.hpp`.
  template <class Index, class Runs>
  void tell(const ListView<Index>& list, const Runs& runs, std::int32_t n,
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
    walk([](Branch& branch, std::int64_t, std::int64_t weight) { branch.weight += weight; });
    walk([](Branch& branch, std::int64_t height, std::int64_t weight) {
      if (branch.low < branch.weight - branch.low) branch.median = height;
      branch.low += weight;
    });
    walk([](Branch& branch, std::int64_t height, std::int64_t weight) {
      branch.loss += static_cast<Int128>(std::abs(height - branch.median)) * weight;
    });
    for (const auto& branch : branches) {
      const auto weight = static_cast<double>(branch.weight);
      outcome.push_back(weight);
      outcome.push_back(static_cast<double>(branch.loss) * step_ / weight);
    }
  }

  // Median.
  template <class Index>
  double value_of(std::span<const Index> slots) {
    return median(slots, target_.facts(slots, false));
  }

 private:
  bool is_in_order(const Monotone& monotone, std::int64_t left, std::int64_t right) const {
    const auto value = [&](std::int64_t middle) {
      return Value{low_ + static_cast<double>(middle) / 2 * step_, value_slack_};
    };
    return monotone.allows(left < right ? -1 : left > right, value(left), value(right));
  }

  // As `weighted_median`, from the order that is known already.
  template <class Index>
  double median(std::span<const Index> slots, const NodeStatistics& facts) {
    if (slots.empty()) return 0;  // an empty branch; it will answer as its parent
    if (facts.is_pure) return target_.number(slots[0]);
    const auto sorted = order_.sorted(slots);
    std::size_t i = (sorted.size() - 1) / 2;
    std::int64_t low = static_cast<std::int64_t>(i) + 1;
    if constexpr (kWeighted) {
      for (i = 0, low = target_.weight[sorted[0]]; low < facts.weight - low;)
        low += target_.weight[sorted[++i]];
    }
    const double number = target_.number(sorted[i]);
    return low > facts.weight - low ? number : (number + target_.number(sorted[i + 1])) / 2;
  }

  template <class Sum>
  using Side = ShrinkingSide<Sum, kWeighted>;

  template <class Sum>
  double fill(Side<Sum>& side) const {
    side.fill(targets_);
    return static_cast<double>(side.loss());
  }

  template <class Sum, class Index, class Parts>
  void scan_in(const Side<Sum>& all, const ListView<Index>& list, const Parts& parts,
               const Arrangements& ways, const Limits& limits, const Monotone& monotone, Scratch& scratch,
               Candidate& out) const {
    const std::int64_t n_known = list.n_known, n = ways.known_only ? n_known : list.n;
    const auto right = reach_missing_right(n, n_known, limits.min_rows_leaf, ways.alone);
    const bool try_left = ways.left && n > n_known;
    const auto left = try_left ? reach_missing_left(n, n_known, limits.min_rows_leaf) : Reach{1, 0};
    const bool known_only = ways.known_only;
    const auto& losses = losses_of_cuts(all, list, false, known_only, monotone, scratch);
    const auto& other_losses = try_left ? losses_of_cuts(all, list, true, false, monotone, scratch) : losses;
    const auto missing_weight = weight_of_missing(list);
    const auto scored_weight = facts_.weight - (ways.known_only ? missing_weight : 0);

    // The least loss wins, in whole numbers; of equals the first.
    const Sum unparted = losses[0];
    Sum best = unparted + 1;
    std::int64_t best_cut = 0, weight = 0;
    bool best_missing_left = false;
    const auto last = std::max(right.last, left.last);
    for (std::int64_t i = 1; i <= last; ++i) {
      weight += weight_of(list.slot[i - 1]);
      const auto judge = [&](const Sum& loss, std::int64_t left_weight, bool missing_left) {
        if (i < n_known && !parts(static_cast<std::uint32_t>(i))) return;
        if (!limits.allows_weights(left_weight, scored_weight - left_weight)) return;
        if (monotone.is_asked() && i < n_known) {
          const auto& [low, high] = missing_left ? scratch.middles_missing_left : scratch.middles;
          if (!is_in_order(monotone, low[static_cast<std::size_t>(i)], high[static_cast<std::size_t>(i)]))
            return;
        }
        if (out.every != nullptr) {
          out.offer(static_cast<double>(unparted - loss), static_cast<std::uint32_t>(i), missing_left);
          return;
        }
        best = loss;
        best_cut = i;
        best_missing_left = missing_left;
      };
      const auto at = static_cast<std::size_t>(i);
      if (losses[at] < best && right.holds(i)) judge(losses[at], weight, false);
      if (left.holds(i) && other_losses[at] < best) judge(other_losses[at], weight + missing_weight, true);
    }
    if (best_cut > 0) {
      out.offer(static_cast<double>(unparted - best), static_cast<std::uint32_t>(best_cut),
                best_missing_left);
    }
    if (ways.own_branch) out.add_worth(worth_of_missing(all, list, scratch));
  }

  template <class Index>
  std::int64_t weight_of_missing(const ListView<Index>& list) const {
    std::int64_t weight = 0;
    for (auto i = list.n_known; i < list.n; ++i) weight += weight_of(list.slot[i]);
    return weight;
  }

  // Worth of parting the rows without a value from the others.
  template <class Sum, class Index>
  double worth_of_missing(const Side<Sum>& all, const ListView<Index>& list, Scratch& scratch) const {
    if (list.n_known == list.n) return 0;
    scratch.left = scratch.right = targets_.links;
    auto known = all, missing = all;
    for (std::uint32_t i = 0; i < list.n; ++i) {
      const auto place = place_[list.slot[i]];
      if (i < list.n_known) {
        missing.remove(place, targets_, scratch.right.data());
      } else {
        known.remove(place, targets_, scratch.left.data());
      }
    }
    return static_cast<double>(all.loss() - known.loss() - missing.loss());
  }

  template <class Sum, class Index>
  const std::vector<Sum>& losses_of_cuts(const Side<Sum>& all, const ListView<Index>& list, bool missing_left,
                                         bool known_only, const Monotone& monotone, Scratch& scratch) const {
    return monotone.is_asked() ? add_losses<true>(all, list, missing_left, known_only, scratch)
                               : add_losses<false>(all, list, missing_left, known_only, scratch);
  }

  // Loss of both sides of every cut, by number of known rows on the left; at 0, of all rows that are scored.
  // The medians too, if asked for.
  template <bool kMiddles, class Sum, class Index>
  const std::vector<Sum>& add_losses(const Side<Sum>& all, const ListView<Index>& list, bool missing_left,
                                     bool known_only, Scratch& scratch) const {
    auto& middles = missing_left ? scratch.middles_missing_left : scratch.middles;
    if constexpr (kMiddles) {
      middles.left.resize(list.n_known + 1);
      middles.right.resize(list.n_known + 1);
    }
    auto& losses = scratch.template losses_of<Sum>(missing_left);
    losses.resize(list.n_known + 1);
    scratch.left = targets_.links;
    scratch.right = targets_.links;
    auto left = all, right = all;
    Link *left_links = scratch.left.data(), *right_links = scratch.right.data();
    for (std::uint32_t i = list.n_known; i < list.n; ++i) {
      if (missing_left || known_only) right.remove(place_[list.slot[i]], targets_, right_links);
      if (!missing_left) left.remove(place_[list.slot[i]], targets_, left_links);
    }
    losses[0] = right.loss();
    // Two chains of steps that wait on nothing of each other, so that they run side by side. Until they meet,
    // each writes where the other has not been yet.
    Sum *up = losses.data() + 1, *down = losses.data() + list.n_known;
    const Index *first = list.slot, *last = list.slot + list.n_known - 1;
    const auto step = [&](std::uint32_t i, const auto& put_left, const auto& put_right) {
      if constexpr (kMiddles) middles.left[list.n_known - i] = left.middle(targets_, left_links);
      put_left(*down--, left.loss());
      left.remove(place_[*last--], targets_, left_links);
      right.remove(place_[*first++], targets_, right_links);
      put_right(*up++, right.loss());
      if constexpr (kMiddles) middles.right[i + 1] = right.middle(targets_, right_links);
    };
    const auto put = [](Sum& at, Sum loss) { at = loss; };
    const auto add = [](Sum& at, Sum loss) { at += loss; };
    std::uint32_t i = 0;
    while (i < list.n_known / 2) step(i++, put, put);
    if (list.n_known % 2 == 1) step(i++, put, add);
    while (i < list.n_known) step(i++, add, add);
    return losses;
  }

  template <class Sum, class Index>
  void scan_at_in(const Side<Sum>& all, const ListView<Index>& list, std::uint32_t n_left,
                  const Arrangements& ways, const Limits& limits, const Monotone& monotone, Scratch& scratch,
                  Candidate& out) const {
    const std::int64_t n_known = list.n_known, n = ways.known_only ? n_known : list.n;
    const auto scored_weight = facts_.weight - (ways.known_only ? weight_of_missing(list) : 0);
    const auto try_cut = [&](std::int64_t rows, bool missing_left) {
      if (rows < limits.min_rows_leaf || n - rows < limits.min_rows_leaf) return;
      scratch.left = targets_.links;
      scratch.right = targets_.links;
      auto left = all, right = all;
      std::int64_t weight = 0;
      for (std::int64_t i = n; i < list.n; ++i) {
        left.remove(place_[list.slot[i]], targets_, scratch.left.data());
        right.remove(place_[list.slot[i]], targets_, scratch.right.data());
      }
      const Sum unparted = left.loss();
      for (std::int64_t i = 0; i < n; ++i) {
        const auto place = place_[list.slot[i]];
        if (i < n_left || (missing_left && i >= n_known)) {
          right.remove(place, targets_, scratch.right.data());
          weight += weight_of(list.slot[i]);
        } else {
          left.remove(place, targets_, scratch.left.data());
        }
      }
      if (!limits.allows_weights(weight, scored_weight - weight)) return;
      if (monotone.is_asked() && n_left < n_known &&
          !is_in_order(monotone, left.middle(targets_, scratch.left.data()),
                       right.middle(targets_, scratch.right.data())))
        return;
      const Sum loss = left.loss() + right.loss();
      out.offer(static_cast<double>(unparted - loss), n_left, missing_left);
    };
    if (n_left < n_known || (ways.alone && n_known < n)) try_cut(n_left, false);
    if (ways.left && n > n_known && n_left < n_known) try_cut(n_left + (n - n_known), true);
    if (ways.own_branch) out.add_worth(worth_of_missing(all, list, scratch));
  }

  Numbers<kWeighted, SquaredDistance> target_;
  TargetOrder order_;
  LeafValue value_ = LeafValue::Median;
  // Of the node entered:
  NodeStatistics facts_;
  OrderedTargets targets_;
  std::vector<std::uint32_t> place_;  // by slot
  bool is_wide_ = false;              // sums need more than 64 bits
  ShrinkingSide<std::int64_t, kWeighted> all_;
  ShrinkingSide<Int128, kWeighted> wide_all_;
  double gain_factor_ = 0, best_possible_ = 0;
  double low_ = 0, step_ = 1, value_slack_ = 0;
};

}  // namespace treewright
