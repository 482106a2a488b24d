// Score every cut of a column where Gini of two classes or variance is asked: two running sums tell all.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/candidate.hpp"  // for Candidate
#include "treewright/criterion.hpp"  // for between_sides
#include "treewright/kernels.hpp"    // for bound_equal, bound_weighted
#include "treewright/limits.hpp"     // for Facts, Limits
#include "treewright/missing.hpp"    // for Arrangements
#include "treewright/target.hpp"     // for TwoClasses, Numbers

namespace treewright {

// A column's slots at a node, in order of value; the first n_known have one.
template <class Index>
struct ListView {
  const Index* slot;
  std::uint32_t n, n_known;
};

// First and last number of known values that may go left.
struct Reach {
  std::int64_t first, last;
  bool holds(std::int64_t i) const { return first <= i && i <= last; }
};

// With the missing rows right: i | rest. With m missing rows left: i + m | rest.
inline Reach reach_missing_right(std::int64_t n, std::int64_t n_known, std::int64_t min_rows, bool alone) {
  return {min_rows, std::min(n - min_rows, alone && n > n_known ? n_known : n_known - 1)};
}
inline Reach reach_missing_left(std::int64_t n, std::int64_t n_known, std::int64_t min_rows) {
  return {std::max<std::int64_t>(1, min_rows - (n - n_known)), n_known - min_rows};
}

template <class TargetKind>
class TwoSumScan {
 public:
  struct Scratch {};

  TwoSumScan() = default;
  explicit TwoSumScan(TargetKind kind) : target(std::move(kind)) {}

  void take(const Target& from) { target.take(from); }
  template <class Index>
  void take(const TwoSumScan& from, std::span<const Index> slots) {
    target.take(from.target, slots);
  }
  template <class Index>
  Facts facts(std::span<const Index> slots, bool with_impurity) const {
    return target.facts(slots, with_impurity);
  }
  bool settles_inner() const { return target.settles_inner(); }
  template <class Index>
  void settle(std::span<const Index> slots, const Facts& facts, LeafStore& leaves) {
    target.settle(slots, facts, leaves);
  }

  template <class Index>
  void enter(std::span<const Index> slots, const Facts& facts) {
    target.enter(slots, facts);
    facts_ = facts;
    const auto weight = static_cast<double>(facts.weight);
    run_ = {static_cast<double>(target.sum) / weight, static_cast<double>(target.sum) * 0x1p-50, weight};
    if constexpr (!TargetKind::kHasWeights) fill_inverses(slots.size());
    best_possible_ = target.best_possible(slots, facts);
  }

  // No cut can be worth more; a cut that is worth as much ends the search.
  double best_possible() const { return best_possible_; }

  double gain(double worth) const { return worth * target.gain_factor; }

  // Offer the best cut of the list to `out`. `parts(i)`: entries i - 1 and i have different values.
  template <class Index, class Parts>
  void scan(const ListView<Index>& list, const Parts& parts, const Arrangements& ways, const Limits& limits,
            Scratch&, Candidate& out) const {
    const std::int64_t n = list.n, n_known = list.n_known;
    const auto right = reach_missing_right(n, n_known, limits.min_rows_leaf, ways.alone);
    const bool try_left = ways.left && n > n_known;
    const auto left = try_left ? reach_missing_left(n, n_known, limits.min_rows_leaf) : Reach{1, 0};
    const std::int64_t last = std::max(right.last, left.last);
    const Sums missing = try_left ? sums_of(list.slot + n_known, n - n_known) : Sums{};

    Sums sums;
    double bar = -std::numeric_limits<double>::infinity();
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
        if (extra.amount != 0 || extra.weight != 0) {
          for (std::size_t j = 0; j < length; ++j) {
            reals[j] = static_cast<double>(run_sums[j] + extra.amount);
            if constexpr (TargetKind::kHasWeights)
              real_weights[j] = static_cast<double>(run_weights[j] + extra.weight);
          }
        }
        if (length <= kFew) return bound_few(reals, real_weights, base + 1 + shift, length, bounds);
        if constexpr (TargetKind::kHasWeights) {
          return bound_weighted(reals.data(), real_weights.data(), run_, length, bounds.data());
        } else {
          const auto first = base + 1 + shift;
          return bound_equal(reals.data(), inverse_.data() + first, static_cast<double>(first), run_, length,
                             bounds.data());
        }
      };
      const auto judge = [&](std::size_t j, const Sums& extra, std::int64_t shift, bool missing_left) {
        const std::int64_t i = base + static_cast<std::int64_t>(j) + 1;
        if (i < n_known && !parts(static_cast<std::uint32_t>(i))) return;
        const std::int64_t weight = TargetKind::kHasWeights ? run_weights[j] + extra.weight : i + shift;
        if (!limits.allows_weights(weight, facts_.weight - weight)) return;
        const double worth = between_sides(run_sums[j] + extra.amount, weight, target.sum, facts_.weight);
        if (out.offer(worth, static_cast<std::uint32_t>(i), missing_left)) {
          const auto all = static_cast<double>(facts_.weight);
          bar = out.score.worth / (all * all) * (1 - 0x1p-40);
        }
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
  }

  // Offer one given cut: the first n_left known values go left.
  template <class Index>
  void scan_at(const ListView<Index>& list, std::uint32_t n_left, const Arrangements& ways,
               const Limits& limits, Scratch&, Candidate& out) const {
    const std::int64_t n = list.n, n_known = list.n_known;
    const Sums sums = sums_of(list.slot, n_left);
    const auto try_cut = [&](std::int64_t rows, const Sums& extra, bool missing_left) {
      const std::int64_t weight = sums.weight + extra.weight;
      if (rows < limits.min_rows_leaf || n - rows < limits.min_rows_leaf) return;
      if (!limits.allows_weights(weight, facts_.weight - weight)) return;
      out.offer(between_sides(sums.amount + extra.amount, weight, target.sum, facts_.weight), n_left,
                missing_left);
    };
    if (n_left < n_known || ways.alone) try_cut(n_left, {}, false);
    if (ways.left && n > n_known && n_left < n_known) {
      try_cut(n_left + (n - n_known), sums_of(list.slot + n_known, n - n_known), true);
    }
  }

 private:
  static constexpr int kRun = 64;
  static constexpr std::size_t kFew = 12;  // cuts not worth the call of a kernel

  double bound_few(const std::array<double, kRun>& sums, const std::array<double, kRun>& weights,
                   std::int64_t first, std::size_t n, std::array<double, kRun>& bounds) const {
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < n; ++j) {
      const double weight =
          TargetKind::kHasWeights ? weights[j] : static_cast<double>(first + static_cast<std::int64_t>(j));
      const double d = std::abs(sums[j] - weight * run_.mean) + run_.slack;
      const double bound = TargetKind::kHasWeights ? d * d / (weight * (run_.total - weight))
                                                   : d * d * inverse_[static_cast<std::size_t>(first) + j];
      bounds[j] = bound;
      top = bound > top ? bound : top;
    }
    return top;
  }

  struct Sums {
    std::int64_t amount = 0, weight = 0;
  };

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

  // 1 / (i (n - i)), shared by all columns of the node.
  void fill_inverses(std::size_t n) {
    inverse_.resize(n + kRun + 1);
    const auto all = static_cast<double>(n);
    inverse_[0] = 0;
    for (std::size_t i = 1; i < n; ++i)
      inverse_[i] = 1 / (static_cast<double>(i) * (all - static_cast<double>(i)));
    inverse_[n] = 0;
  }

  TargetKind target;
  Facts facts_;
  RunOfCuts run_{};
  std::vector<double> inverse_;
  double best_possible_ = 0;
};

}  // namespace treewright
