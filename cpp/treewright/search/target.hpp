// What the slots of a block know of the target, and what a leaf keeps of it.
//
// Each kind here gives the scan two whole numbers a slot, an amount and a weight, and answers for a set of
// slots: is it pure, what does it sum to, what does a leaf of it remember.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/criteria/two_sums.hpp"  // for Sums, SquaredDistance, PoissonDeviance
#include "treewright/math/fixed_point.hpp"   // for ExactSum, power_of_two, exponent_of
#include "treewright/math/median.hpp"        // for weighted_median
#include "treewright/recipe/limits.hpp"      // for NodeStatistics
#include "treewright/recipe/monotone.hpp"    // for Value, kValueRounding
#include "treewright/recipe/recipe.hpp"      // for LeafValue
#include "treewright/table/weights.hpp"      // for Weights
#include "treewright/tree/tree.hpp"          // for LeafStore

namespace treewright {

// The target at the door, by slot of the table: class codes or numbers.
struct Target {
  int n_classes = 0;  // 0: numbers
  std::vector<std::uint16_t> classes;
  std::vector<double> numbers;
  Weights weights;
};

// Where a criterion measures the sums of leaves from: the middle of the range of the numbers, or zero.
template <class NumberCriterion>
double reference_of(const Target& target) {
  const auto [low, high] = std::minmax_element(target.numbers.begin(), target.numbers.end());
  return NumberCriterion::origin(*low / 2 + *high / 2);
}

template <class Value, class Index>
void gather(std::vector<Value>& into, const std::vector<Value>& from, std::span<const Index> slots) {
  into.resize(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) into[i] = from[slots[i]];
}

// Two classes: the amount is the weight of class 1.
template <bool kWeighted>
class TwoClasses {
 public:
  static constexpr bool kHasWeights = kWeighted, kIsClasses = true;
  using Amount = std::conditional_t<kWeighted, std::int64_t, std::uint8_t>;
  using Criterion = SquaredDistance;

  void take(const Target& target) {
    if constexpr (kWeighted) weight = target.weights.of_slot;
    amount.resize(target.classes.size());
    for (std::size_t slot = 0; slot < amount.size(); ++slot) {
      const auto one = kWeighted ? weight[slot] : 1;
      amount[slot] = static_cast<Amount>(target.classes[slot] * one);
    }
    total_ = target.weights.total;
  }

  template <class Index>
  void take(const TwoClasses& from, std::span<const Index> slots) {
    gather(amount, from.amount, slots);
    if constexpr (kWeighted) gather(weight, from.weight, slots);
    total_ = from.total_;
  }

  template <class Index>
  NodeStatistics facts(std::span<const Index> slots, bool with_impurity) const {
    NodeStatistics facts{.rows = static_cast<std::int64_t>(slots.size()),
                         .weight = static_cast<std::int64_t>(slots.size())};
    const auto is_one = [&](Index slot) { return amount[slot] != 0; };
    facts.is_pure =
        std::all_of(slots.begin(), slots.end(), [&](Index s) { return is_one(s) == is_one(slots[0]); });
    if constexpr (kWeighted) {
      facts.weight = 0;
      for (const auto slot : slots) facts.weight += weight[slot];
    }
    if (with_impurity) facts.impurity = impurity({ones_of(slots), facts.weight});
    return facts;
  }
  // ... of rows that weigh the same.
  static NodeStatistics facts(const Sums& all, bool with_impurity)
    requires(!kWeighted)
  {
    NodeStatistics facts{.rows = all.weight, .weight = all.weight};
    facts.is_pure = all.amount == 0 || all.amount == all.weight;
    if (with_impurity) facts.impurity = impurity(all);
    return facts;
  }

  // Make ready to score the cuts of a node.
  template <class Index>
  void enter(std::span<const Index> slots, const NodeStatistics&) {
    sum = ones_of(slots);
    gain_factor = gain_of_worth();
  }

  // Share of class 1: of a side of the node entered, and of any slots.
  Value value(const Sums& side, std::int64_t) const {
    return {static_cast<double>(side.amount) / static_cast<double>(side.weight), kValueRounding};
  }
  template <class Index>
  double value_of(std::span<const Index> slots) const {
    return value({ones_of(slots), facts(slots, false).weight}, 0).value;
  }

  // Worth of the cut that leaves two pure sides.
  template <class Index>
  double best_possible(std::span<const Index>, const NodeStatistics& facts) const {
    return Criterion({sum, facts.weight}).judge({sum, sum});
  }

  const std::int64_t* weights() const { return kWeighted ? weight.data() : nullptr; }
  // From now on a slot weighs this much.
  void weigh(std::size_t slot, std::int64_t weight_given)
    requires kWeighted
  {
    amount[slot] = amount[slot] != 0 ? weight_given : 0;
    weight[slot] = weight_given;
  }

  bool settles_inner() const { return false; }

  template <class Index>
  void settle(std::span<const Index> slots, const NodeStatistics& facts, LeafStore& leaves) const {
    settle({ones_of(slots), facts.weight}, leaves);
  }
  static void settle(const Sums& all, LeafStore& leaves) {
    leaves.weights.insert(leaves.weights.end(), {all.weight - all.amount, all.amount});
  }

  // Weights of both classes of a side, for the ledger.
  void tell(const Sums& side, std::vector<double>& outcome) const {
    outcome.push_back(static_cast<double>(side.weight - side.amount));
    outcome.push_back(static_cast<double>(side.amount));
  }

  double number(std::size_t slot) const { return static_cast<double>(amount[slot]); }
  double gain_of_worth() const { return 2 / static_cast<double>(total_); }

  std::vector<Amount> amount;
  std::vector<std::int64_t> weight;
  std::int64_t sum = 0;    // of the node entered
  double gain_factor = 0;  // gain = worth * gain_factor

 private:
  template <class Index>
  std::int64_t ones_of(std::span<const Index> slots) const {
    std::int64_t ones = 0;
    for (const auto slot : slots) ones += amount[slot];
    return ones;
  }

  static double impurity(const Sums& all) {
    const double share = static_cast<double>(all.amount) / static_cast<double>(all.weight);
    return 2 * share * (1 - share);
  }

  std::int64_t total_ = 0;
};

// Numbers: the amount is the (weighted) target as a whole number, measured anew in every node from where the
// criterion says (the node's least target, or zero) in steps of a power of two, fine enough for the sum to
// stay below 2^62. So sums are exact, the same for any order of the rows, and lose nothing when an outlier
// has been split off.
template <bool kWeighted, class NumberCriterion>
class Numbers {
 public:
  static constexpr bool kHasWeights = kWeighted, kIsClasses = false;
  using Amount = std::int64_t;
  using Criterion = NumberCriterion;

  Numbers() = default;
  // `in_two`: every question parts all rows of its node in two.
  explicit Numbers(LeafValue value, bool in_two = false) : value_(value), in_two_(in_two) {}

  void take(const Target& target) {
    number_ = target.numbers;
    if constexpr (kWeighted) {
      weight = target.weights.of_slot;
      given_ = target.weights.given;
    }
    amount.resize(number_.size());
    total_ = target.weights.total;
    unit_ = target.weights.unit;
    reference_ = reference_of<Criterion>(target);
  }

  template <class Index>
  void take(const Numbers& from, std::span<const Index> slots) {
    gather(number_, from.number_, slots);
    if constexpr (kWeighted) {
      gather(weight, from.weight, slots);
      gather(given_, from.given_, slots);
    }
    amount.resize(slots.size());
    total_ = from.total_;
    unit_ = from.unit_;
    reference_ = from.reference_;
    value_ = from.value_;
    in_two_ = from.in_two_;
  }

  template <class Index>
  NodeStatistics facts(std::span<const Index> slots, bool with_impurity) const {
    NodeStatistics facts{.rows = static_cast<std::int64_t>(slots.size()),
                         .weight = static_cast<std::int64_t>(slots.size())};
    facts.is_pure =
        std::all_of(slots.begin(), slots.end(), [&](Index s) { return number_[s] == number_[slots[0]]; });
    if constexpr (kWeighted) {
      facts.weight = 0;
      for (const auto slot : slots) facts.weight += weight[slot];
    }
    if (with_impurity) {
      facts.impurity = moments(slots, facts).loss / (static_cast<double>(facts.weight) * unit_);
    }
    return facts;
  }

  template <class Index>
  void enter(std::span<const Index> slots, const NodeStatistics&) {
    auto [low, high] = range_of(slots);
    low = Criterion::origin(low);
    double most = high - low;
    if constexpr (kWeighted) {
      most = 0;
      for (const auto slot : slots) most = std::max(most, height(slot, low));
    }
    const int bits = std::min(53, 62 - static_cast<int>(std::bit_width(slots.size())));
    const int grid = std::max(-1000, (most > 0 ? exponent_of(most) : 0) + 1 - bits);
    const double scale = power_of_two(-grid);
    sum = 0;
    for (const auto slot : slots) {
      amount[slot] = Criterion::whole(height(slot, low) * scale);
      sum += amount[slot];
    }
    const double step = power_of_two(grid) / (kWeighted ? unit_ : 1);
    gain_factor = Criterion::factor(step) / static_cast<double>(total_);
    low_ = low;
    step_ = step;
    largest_ = std::max(std::abs(low), std::abs(high));
  }

  // Mean: of a side of the node entered, each of whose rows may be off by a step, and of any slots.
  Value value(const Sums& side, std::int64_t rows) const {
    const double step = step_ / static_cast<double>(side.weight);
    return {low_ + static_cast<double>(side.amount) * step,
            largest_ * kValueRounding + static_cast<double>(rows) * step};
  }
  template <class Index>
  double value_of(std::span<const Index> slots) const {
    return moments(slots, facts(slots, false)).mean;
  }

  // Worth of the best way to part a few rows in two. It goes along the order of their numbers (Fisher 1958),
  // and there is a fair chance that one of the first columns does so too.
  template <class Index>
  double best_possible(std::span<const Index> slots, const NodeStatistics& facts) const {
    const Criterion criterion({sum, facts.weight});
    if (slots.size() == 2) return criterion.judge({amount[slots[0]], kWeighted ? weight[slots[0]] : 1});
    if constexpr (!kWeighted && !Criterion::kNeedsAmount) {
      if (in_two_ && slots.size() <= kFewRows) return best_in_order(slots, criterion);
    }
    return std::numeric_limits<double>::infinity();
  }

  const std::int64_t* weights() const { return kWeighted ? weight.data() : nullptr; }
  // From now on a slot weighs this much.
  void weigh(std::size_t slot, std::int64_t weight_given)
    requires kWeighted
  {
    weight[slot] = weight_given;
    given_[slot] = static_cast<double>(weight_given) * unit_;
  }

  bool settles_inner() const { return value_ == LeafValue::Median; }

  template <class Index>
  void settle(std::span<const Index> slots, const NodeStatistics& facts, LeafStore& leaves) {
    const auto leaf = moments(slots, facts);
    leaves.sums.push_back(leaf.sum);
    leaves.values.push_back(value_ == LeafValue::Median ? median(slots, facts) : leaf.mean);
    leaves.losses.push_back(leaf.loss);
  }

  // Weight and mean of a side of the node entered, for the ledger.
  void tell(const Sums& side, std::vector<double>& outcome) const {
    outcome.push_back(static_cast<double>(side.weight));
    outcome.push_back(value(side, 0).value);
  }

  double number(std::size_t slot) const { return number_[slot]; }
  std::int64_t total() const { return total_; }
  double given_weight(const NodeStatistics& facts) const { return static_cast<double>(facts.weight) * unit_; }

  template <class Index>
  double mean(std::span<const Index> slots, const NodeStatistics& facts) const {
    return moments(slots, facts).mean;
  }

  // Weighted sum of the distances from a point.
  template <class Index>
  double absolute_loss(std::span<const Index> slots, double from) const {
    return exact_sum(slots, [&](Index slot) { return given(slot) * std::abs(number_[slot] - from); });
  }

  std::vector<Amount> amount;
  std::vector<std::int64_t> weight;
  std::int64_t sum = 0;
  double gain_factor = 0;

 private:
  static constexpr std::size_t kFewRows = 8;

  template <class Index>
  double best_in_order(std::span<const Index> slots, const Criterion& criterion) const {
    std::array<std::int64_t, kFewRows> rising;
    for (std::size_t n = 0; n < slots.size(); ++n) {
      auto at = n;
      for (; at > 0 && rising[at - 1] > amount[slots[n]]; --at) rising[at] = rising[at - 1];
      rising[at] = amount[slots[n]];
    }
    Sums left;
    double best = 0;
    for (std::size_t i = 0; i + 1 < slots.size(); ++i) {
      left = left + Sums{rising[i], 1};
      best = std::max(best, criterion.judge(left));
    }
    return best;
  }

  // The least and the largest number. Comparisons that wait for one another take longer than reading, so four
  // go on side by side.
  template <class Index>
  std::pair<double, double> range_of(std::span<const Index> slots) const {
    const double first = number_[slots[0]];
    std::array<double, 4> low{first, first, first, first}, high = low;
    std::size_t i = 0;
    for (; i + 4 <= slots.size(); i += 4) {
      for (std::size_t lane = 0; lane < 4; ++lane) {
        const double number = number_[slots[i + lane]];
        low[lane] = std::min(low[lane], number);
        high[lane] = std::max(high[lane], number);
      }
    }
    for (; i < slots.size(); ++i) {
      low[0] = std::min(low[0], number_[slots[i]]);
      high[0] = std::max(high[0], number_[slots[i]]);
    }
    return {std::min(std::min(low[0], low[1]), std::min(low[2], low[3])),
            std::max(std::max(high[0], high[1]), std::max(high[2], high[3]))};
  }

  template <class Index>
  double height(Index slot, double low) const {
    if constexpr (kWeighted) return given_[slot] * (number_[slot] - low);
    return number_[slot] - low;
  }

  struct Moments {
    double sum = 0, mean = 0, loss = 0;
  };

  template <class Index>
  double median(std::span<const Index> slots, const NodeStatistics& facts) {
    if (slots.empty()) return 0;  // as in `moments`
    if (facts.is_pure) return number_[slots[0]];
    weighed_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      weighed_[i] = {number_[slots[i]], kWeighted ? weight[slots[i]] : 1};
    }
    return weighted_median(weighed_, facts.weight);
  }

  // Weight as the caller gave it.
  template <class Index>
  double given(Index slot) const {
    if constexpr (kWeighted) return given_[slot];
    return unit_;
  }

  // Add up term(slot) for all slots, in any order.
  template <class Index, class Term>
  static double exact_sum(std::span<const Index> slots, const Term& term) {
    double most = 0;
    for (const auto slot : slots) most = std::max(most, std::abs(term(slot)));
    ExactSum sum(most, slots.size());
    for (const auto slot : slots) sum.add(term(slot));
    return sum.value();
  }

  // Weighted sum of the distances from the reference, mean of the numbers, weighted loss about it.
  template <class Index>
  Moments moments(std::span<const Index> slots, const NodeStatistics& facts) const {
    if (slots.empty()) return {};  // an empty branch; it will answer as its parent
    const auto weight_here = static_cast<double>(facts.weight);
    if (facts.is_pure) {
      const double number = number_[slots[0]];
      return {weight_here * unit_ * (number - reference_), number, 0};
    }
    const auto distance = [&](Index slot) { return given(slot) * (number_[slot] - reference_); };
    const double sum_here = exact_sum(slots, distance);
    double mean = reference_ + sum_here / (weight_here * unit_);
    if constexpr (!kWeighted)
      mean = exact_sum(slots, [&](Index slot) { return number_[slot]; }) / weight_here;
    const auto loss = [&](Index slot) { return given(slot) * Criterion::loss(number_[slot], mean); };
    return {sum_here, mean, exact_sum(slots, loss)};
  }

  std::vector<double> number_, given_;
  std::int64_t total_ = 0;
  double unit_ = 1;
  double reference_ = 0;
  double low_ = 0, step_ = 1, largest_ = 0;  // of the node entered
  LeafValue value_ = LeafValue::Mean;
  bool in_two_ = false;
  std::vector<WeighedNumber> weighed_;  // at work
};

}  // namespace treewright
