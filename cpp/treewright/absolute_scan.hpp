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

#include "treewright/candidate.hpp"     // for Candidate
#include "treewright/limits.hpp"        // for Facts, Limits
#include "treewright/missing.hpp"       // for Arrangements
#include "treewright/monotone.hpp"      // for Monotone, Value
#include "treewright/target.hpp"        // for Numbers
#include "treewright/target_order.hpp"  // for TargetOrder
#include "treewright/two_sum_scan.hpp"  // for ListView, Reach

namespace treewright {

// Neighbours in the list of those rows of the node that are left; by place in the order of targets.
struct Link {
  std::uint32_t before, after;
};

// A node's targets in order, from place 1 on, as whole numbers; places 0 and n + 1 are the ends of the list.
struct OrderedTargets {
  std::vector<std::int64_t> height;  // distance from the node's least target
  std::vector<std::int64_t> weight;  // empty: 1 each
  std::vector<Link> links;           // nobody has left yet

  std::int64_t weight_at(std::uint32_t place) const { return weight.empty() ? 1 : weight[place]; }
};

// The rows of a node while they leave one by one, and their loss: the sum of the distances from the median.
//
// Rows at or below the median are "low"; of two middle targets the lower is the median, for the loss is the
// same at every point between them. The loss is never added up again: whoever leaves takes his distance
// along, and where the median moves on, the loss changes by the step times the weight that is nearer now less
// that which is farther.
template <class Sum, bool kWeighted>
class ShrinkingSide {
 public:
  // Everybody is here.
  void fill(const OrderedTargets& of) {
    const auto n = static_cast<std::uint32_t>(of.height.size() - 2);
    loss_ = low_ = weight_ = 0;
    median_ = 0;
    for (std::uint32_t place = 1; place <= n; ++place) weight_ += of.weight_at(place);
    while (low_ < weight_ - low_) low_ += of.weight_at(++median_);
    for (std::uint32_t place = 1; place <= n; ++place) {
      loss_ += distance(of.height[place], of.height[median_]) * of.weight_at(place);
    }
  }

  Sum loss() const { return loss_; }

  // Twice the height of the median, which is half-way to the next row where half the weight lies below.
  std::int64_t middle(const OrderedTargets& of, const Link* links) const {
    const bool is_half = kWeighted ? low_ == weight_ - low_ : weight_ % 2 == 0;
    return of.height[median_] + of.height[is_half ? links[median_].after : median_];
  }

  void remove(std::uint32_t place, const OrderedTargets& of, Link* links) {
    const auto [before, after] = links[place];
    links[before].after = after;
    links[after].before = before;
    if constexpr (kWeighted) {
      remove_weight(place, of, links);
    } else {
      remove_one(place, of, links);
    }
  }

 private:
  // The median before or the one after is a median of both sets of rows. Half the rows leave on either side
  // of it, at random, so no branch may hang on that: the sign decides, for of ?: compilers make one.
  void remove_one(std::uint32_t place, const OrderedTargets& of, const Link* links) {
    const auto* height = of.height.data();
    if (weight_ % 2 == 0) {
      median_ = if_negative(std::int64_t{place} - median_ - 1, links[median_].after, median_);
      loss_ -= distance(height[place], height[median_]);
    } else {
      loss_ -= distance(height[place], height[median_]);
      median_ = if_negative(std::int64_t{median_} - place - 1, links[median_].before, median_);
    }
    --weight_;
  }

  void remove_weight(std::uint32_t place, const OrderedTargets& of, const Link* links) {
    const auto leaving = of.weight[place];
    loss_ -= distance(of.height[place], of.height[median_]) * leaving;
    weight_ -= leaving;
    low_ -= leaving & (std::int64_t{place} - median_ - 1) >> 63;
    if (place == median_) move_median(links[median_].before, of);
    // One link up or down without a branch, which could not be foreseen; more are rare where weights are
    // alike.
    const auto up = 2 * low_ - weight_;
    move_median(if_negative(up, links[median_].after, median_), of);
    low_ += of.weight[median_] & up >> 63;
    const auto here = of.weight[median_];
    const auto down = weight_ - 2 * (low_ - here) - 1;
    low_ -= here & down >> 63;
    move_median(if_negative(down, links[median_].before, median_), of);
    while (low_ < weight_ - low_) {
      move_median(links[median_].after, of);
      low_ += of.weight[median_];
    }
    while (median_ != 0 && low_ - of.weight[median_] >= weight_ - low_ + of.weight[median_]) {
      low_ -= of.weight[median_];
      move_median(links[median_].before, of);
    }
  }

  // Unsigned on the way, so that nothing is done for a sign that is never there.
  static Sum distance(std::int64_t a, std::int64_t b) {
    return static_cast<Sum>(static_cast<std::uint64_t>(std::abs(a - b)));
  }

  static std::uint32_t if_negative(std::int64_t sign, std::uint32_t yes, std::uint32_t no) {
    return no ^ ((no ^ yes) & static_cast<std::uint32_t>(sign >> 63));
  }

  // `low_` is the weight at or below the lower end of the step.
  void move_median(std::uint32_t to, const OrderedTargets& of) {
    loss_ += static_cast<Sum>(of.height[to] - of.height[median_]) * (low_ - (weight_ - low_));
    median_ = to;
  }

  Sum loss_ = 0;
  std::int64_t weight_ = 0, low_ = 0;
  std::uint32_t median_ = 0;
};

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
    std::vector<__int128> wide_losses, wide_losses_missing_left;
    Middles middles, middles_missing_left;  // only where they are asked for

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
  Facts facts(std::span<const Index> slots, bool with_impurity) {
    auto facts = target_.facts(slots, false);
    if (with_impurity) {
      facts.impurity = target_.absolute_loss(slots, median(slots, facts)) / target_.given_weight(facts);
    }
    return facts;
  }

  // Neither medians nor distances from them can be put together from those of the children.
  bool settles_inner() const { return true; }

  template <class Index>
  void settle(std::span<const Index> slots, const Facts& facts, LeafStore& leaves) {
    const double middle = median(slots, facts);
    leaves.sums.push_back(0);
    leaves.values.push_back(value_ == LeafValue::Median ? middle : target_.mean(slots, facts));
    leaves.losses.push_back(facts.is_pure ? 0 : target_.absolute_loss(slots, middle));
  }

  template <class Index>
  void enter(std::span<const Index> slots, const Facts& facts) {
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
  double median(std::span<const Index> slots, const Facts& facts) {
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
    const std::int64_t n = list.n, n_known = list.n_known;
    const auto right = reach_missing_right(n, n_known, limits.min_rows_leaf, ways.alone);
    const bool try_left = ways.left && n > n_known;
    const auto left = try_left ? reach_missing_left(n, n_known, limits.min_rows_leaf) : Reach{1, 0};
    const auto& losses = losses_of_cuts(all, list, false, monotone, scratch);
    const auto& other_losses = try_left ? losses_of_cuts(all, list, true, monotone, scratch) : losses;
    std::int64_t missing_weight = 0;
    for (auto i = n_known; i < n; ++i) missing_weight += weight_of(list.slot[i]);

    // The least loss wins, in whole numbers; of equals the first.
    const Sum unparted = all.loss();
    Sum best = unparted + 1;
    std::int64_t best_cut = 0, weight = 0;
    bool best_missing_left = false;
    const auto last = std::max(right.last, left.last);
    for (std::int64_t i = 1; i <= last; ++i) {
      weight += weight_of(list.slot[i - 1]);
      const auto judge = [&](const Sum& loss, std::int64_t left_weight, bool missing_left) {
        if (i < n_known && !parts(static_cast<std::uint32_t>(i))) return;
        if (!limits.allows_weights(left_weight, facts_.weight - left_weight)) return;
        if (monotone.is_asked() && i < n_known) {
          const auto& [low, high] = missing_left ? scratch.middles_missing_left : scratch.middles;
          if (!is_in_order(monotone, low[static_cast<std::size_t>(i)], high[static_cast<std::size_t>(i)]))
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
  }

  template <class Sum, class Index>
  const std::vector<Sum>& losses_of_cuts(const Side<Sum>& all, const ListView<Index>& list, bool missing_left,
                                         const Monotone& monotone, Scratch& scratch) const {
    return monotone.is_asked() ? add_losses<true>(all, list, missing_left, scratch)
                               : add_losses<false>(all, list, missing_left, scratch);
  }

  // Loss of both sides of every cut, by number of known rows on the left; the medians too, if asked for.
  template <bool kMiddles, class Sum, class Index>
  const std::vector<Sum>& add_losses(const Side<Sum>& all, const ListView<Index>& list, bool missing_left,
                                     Scratch& scratch) const {
    auto& middles = missing_left ? scratch.middles_missing_left : scratch.middles;
    if constexpr (kMiddles) {
      middles.left.resize(list.n_known + 1);
      middles.right.resize(list.n_known + 1);
    }
    auto& losses = scratch.template losses_of<Sum>(missing_left);
    losses.assign(list.n_known + 1, 0);
    scratch.left = targets_.links;
    scratch.right = targets_.links;
    auto left = all, right = all;
    Link *left_links = scratch.left.data(), *right_links = scratch.right.data();
    for (std::uint32_t i = list.n_known; i < list.n; ++i) {
      if (missing_left) {
        right.remove(place_[list.slot[i]], targets_, right_links);
      } else {
        left.remove(place_[list.slot[i]], targets_, left_links);
      }
    }
    // Two chains of steps that wait on nothing of each other, so that they run side by side.
    Sum *up = losses.data() + 1, *down = losses.data() + list.n_known;
    const Index *first = list.slot, *last = list.slot + list.n_known - 1;
    for (std::uint32_t i = 0; i < list.n_known; ++i) {
      if constexpr (kMiddles) middles.left[list.n_known - i] = left.middle(targets_, left_links);
      *down-- += left.loss();
      left.remove(place_[*last--], targets_, left_links);
      right.remove(place_[*first++], targets_, right_links);
      *up++ += right.loss();
      if constexpr (kMiddles) middles.right[i + 1] = right.middle(targets_, right_links);
    }
    return losses;
  }

  template <class Sum, class Index>
  void scan_at_in(const Side<Sum>& all, const ListView<Index>& list, std::uint32_t n_left,
                  const Arrangements& ways, const Limits& limits, const Monotone& monotone, Scratch& scratch,
                  Candidate& out) const {
    const std::int64_t n = list.n, n_known = list.n_known;
    const auto try_cut = [&](std::int64_t rows, bool missing_left) {
      if (rows < limits.min_rows_leaf || n - rows < limits.min_rows_leaf) return;
      scratch.left = targets_.links;
      scratch.right = targets_.links;
      auto left = all, right = all;
      std::int64_t weight = 0;
      for (std::int64_t i = 0; i < n; ++i) {
        const auto place = place_[list.slot[i]];
        if (i < n_left || (missing_left && i >= n_known)) {
          right.remove(place, targets_, scratch.right.data());
          weight += weight_of(list.slot[i]);
        } else {
          left.remove(place, targets_, scratch.left.data());
        }
      }
      if (!limits.allows_weights(weight, facts_.weight - weight)) return;
      if (monotone.is_asked() && n_left < n_known &&
          !is_in_order(monotone, left.middle(targets_, scratch.left.data()),
                       right.middle(targets_, scratch.right.data())))
        return;
      const Sum loss = left.loss() + right.loss();
      out.offer(static_cast<double>(all.loss() - loss), n_left, missing_left);
    };
    if (n_left < n_known || ways.alone) try_cut(n_left, false);
    if (ways.left && n > n_known && n_left < n_known) try_cut(n_left + (n - n_known), true);
  }

  Numbers<kWeighted, SquaredDistance> target_;
  TargetOrder order_;
  LeafValue value_ = LeafValue::Median;
  // Of the node entered:
  Facts facts_;
  OrderedTargets targets_;
  std::vector<std::uint32_t> place_;  // by slot
  bool is_wide_ = false;              // sums need more than 64 bits
  ShrinkingSide<std::int64_t, kWeighted> all_;
  ShrinkingSide<__int128, kWeighted> wide_all_;
  double gain_factor_ = 0, best_possible_ = 0;
  double low_ = 0, step_ = 1, value_slack_ = 0;
};

}  // namespace treewright
