// The target of the slots of a block, and what a leaf stores of it.
//
// Two classes or numbers give a scan two integers per slot, an amount and a weight. For any set of slots they
// tell whether it is pure, what it sums to, and what a leaf of it stores.
#pragma once

#include "treewright/criteria/two_sums.hpp"  // for Sums, SquaredDistance, PoissonDeviance
#include "treewright/recipe/recipe.hpp"      // for LeafValue
#include "treewright/search/scan.hpp"        // for Scan, Tally
#include "treewright/table/weights.hpp"      // for Weights

namespace treewright {

// The target of a growth, by slot of the table: class codes or numbers.
struct Target {
  int n_classes = 0;  // 0: numbers
  std::vector<std::uint16_t> classes;
  std::vector<double> numbers;
  Weights weights;
};

// The number that a criterion measures the sums of leaves from: the middle of their range, or zero.
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

// The same search for slots of another width.
template <class Search, class Index>
struct Resized;
template <template <class, class...> class Search, class Own, class... Rest, class Index>
struct Resized<Search<Own, Rest...>, Index> {
  using Type = Search<Index, Rest...>;
};
template <class Search, class Index>
using OfWidth = typename Resized<Search, Index>::Type;

// The weights of slots, which all kinds of targets have. `Weighted`: std::true_type or std::false_type. The
// data of a search is public: the same search in another width reads it, while engines only see a `Scan`.
//
// Every search is a class template over the width of slots and has
//
//   read_target(target)            the target of the whole table
//   gather_from(search, slots)     some slots of the same search of another width
//   scan(query, scratch, out)      offer the best cut of a column
//   buckets(query, scratch)        the categories of the column, for CategorySearch
//   worth_apart(query, scratch)    of splitting missing from known values
template <class Index, class Weighted>
class WeighedSlots : public Scan<Index> {
 public:
  static constexpr bool kWeighted = Weighted::value;
  static constexpr bool kNeedsGain = false;  // a column whose best score is not above 0 has no split
  using typename Scan<Index>::Slots;
  struct Scratch {};  // working memory of a thread

  void read_target(const Target& target) {
    if constexpr (kWeighted) weight_ = target.weights.of_slot;
    if constexpr (kWeighted) given_ = target.weights.given;
    unit_ = target.weights.unit;
    total_ = target.weights.total;
  }
  template <class Wide>
  void gather_from(const WeighedSlots<Wide, Weighted>& from, std::span<const Wide> slots) {
    if constexpr (kWeighted) gather(weight_, from.weight_, slots);
    if constexpr (kWeighted) gather(given_, from.given_, slots);
    unit_ = from.unit_;
    total_ = from.total_;
  }

  const std::int64_t* weights() const override { return kWeighted ? weight_.data() : nullptr; }
  void weigh(std::span<const std::uint32_t> slots, std::span<const std::int64_t> weights) override {
    for (std::size_t i = 0; kWeighted && i < slots.size(); ++i) {
      weight_[slots[i]] = weights[i];
      given_[slots[i]] = static_cast<double>(weights[i]) * unit_;
    }
  }
  std::int64_t weight_of(std::size_t slot) const {
    if constexpr (kWeighted) return weight_[slot];
    return 1;
  }
  // The weight as the caller gave it.
  double given(std::size_t slot) const {
    if constexpr (kWeighted) return given_[slot];
    return unit_;
  }
  std::int64_t weight_of(Slots slots) const {
    std::int64_t sum = 0;
    for (const auto slot : slots) sum += weight_of(slot);
    return sum;
  }
  // The share of class 1 on a side; the amount is its weight.
  Value value(const Sums& side, std::int64_t) const {
    return {static_cast<double>(side.amount) / static_cast<double>(side.weight), kValueRounding};
  }

  // `is_same(a, b)`: slots a and b have the same target.
  template <class IsSame>
  NodeStatistics statistics(Slots slots, const IsSame& is_same) const {
    const auto is_first = [&](Index slot) { return is_same(slot, slots[0]); };
    return {.rows = static_cast<std::int64_t>(slots.size()),
            .weight = weight_of(slots),
            .is_pure = std::all_of(slots.begin(), slots.end(), is_first)};
  }

  std::vector<std::int64_t> weight_;
  std::vector<double> given_;
  double unit_ = 1;
  std::int64_t total_ = 0;
};

// ... and their amounts.
template <class Index, class Weighted, class Amount>
class SummedSlots : public WeighedSlots<Index, Weighted> {
 public:
  using typename Scan<Index>::Slots;

  Sums sums_of(Slots slots) const {
    Sums sums{0, this->weight_of(slots)};
    for (const auto slot : slots) sums.amount += amount[slot];
    return sums;
  }
  Tally tally_of(Slots slots) const override {
    const auto sums = sums_of(slots);
    return {sums.amount, sums.weight};
  }
  Tally tally_of_node() const override { return {all_.amount, all_.weight}; }

  double gain(double worth) const override { return worth * gain_factor_; }

  template <class Wide>
  void gather_from(const SummedSlots<Wide, Weighted, Amount>& from, std::span<const Wide> slots) {
    WeighedSlots<Index, Weighted>::gather_from(from, slots);
    gather(amount, from.amount, slots);
    in_two = from.in_two;
    gain_factor_ = from.gain(1);
  }

  std::vector<Amount> amount;
  bool in_two = false;  // every split sends all rows of its node to two branches

  Sums all_;  // of the node entered
  double gain_factor_ = 0;
};

// Whether the sides of a cut of the current node satisfy `monotone`.
template <class Kind>
bool is_in_order(const Kind& kind, const Monotone& monotone, const Sums& left, const Sums& right,
                 std::int64_t left_rows, std::int64_t right_rows) {
  return monotone.allows(compare_means(left.amount, left.weight, right.amount, right.weight),
                         kind.value(left, left_rows), kind.value(right, right_rows));
}

// For rows of two classes, from their sums: the amount is the weight of class 1.
inline double gini_of(const Sums& all) {
  const double share = static_cast<double>(all.amount) / static_cast<double>(all.weight);
  return 2 * share * (1 - share);
}
inline void settle_classes(const Sums& all, LeafStore& leaves) {
  leaves.weights.insert(leaves.weights.end(), {all.weight - all.amount, all.amount});
}

template <class Index, class Weighted>
class TwoClasses
    : public SummedSlots<Index, Weighted, std::conditional_t<Weighted::value, std::int64_t, std::uint8_t>> {
 public:
  static constexpr bool kIsClasses = true;
  using Amount = std::conditional_t<Weighted::value, std::int64_t, std::uint8_t>;
  using Base = SummedSlots<Index, Weighted, Amount>;
  using Base::amount, Base::all_, Base::sums_of, Base::weight_of;
  using typename Base::Slots;
  using Criterion = SquaredDistance;

  void read_target(const Target& target) {
    Base::read_target(target);
    amount.resize(target.classes.size());
    for (std::size_t slot = 0; slot < amount.size(); ++slot)
      amount[slot] = static_cast<Amount>(target.classes[slot] * weight_of(slot));
    this->gain_factor_ = 2 / static_cast<double>(this->total_);
  }

  NodeStatistics facts(Slots slots, bool with_impurity) override {
    auto facts =
        this->statistics(slots, [&](Index a, Index b) { return (amount[a] != 0) == (amount[b] != 0); });
    if (with_impurity) facts.impurity = gini_of(sums_of(slots));
    return facts;
  }

  void enter(Slots slots, const NodeStatistics& facts) override {
    all_ = {sums_of(slots).amount, facts.weight};
  }

  double value_of(Slots slots) override { return this->value(sums_of(slots), 0).value; }

  // Worth of the cut with two pure sides.
  double best_worth(Slots) const { return Criterion(all_).exact_score({all_.amount, all_.amount}); }

  void weigh(std::span<const std::uint32_t> slots, std::span<const std::int64_t> weights) override {
    Base::weigh(slots, weights);
    for (const auto slot : slots) amount[slot] = static_cast<Amount>(amount[slot] != 0 ? weight_of(slot) : 0);
  }

  void settle(Slots slots, const NodeStatistics&, LeafStore& leaves) override {
    settle_classes(sums_of(slots), leaves);
  }

  // Weights of both classes of a side.
  void tell_tally(const Tally& side, std::vector<double>& outcome) const override {
    outcome.push_back(static_cast<double>(side[1] - side[0]));
    outcome.push_back(static_cast<double>(side[0]));
  }

  const std::uint8_t* two_classes() const override {
    if constexpr (!Weighted::value) return amount.data();
    return nullptr;
  }
};

// Numbers: the amount is the (weighted) target as an integer, measured anew in every node from the
// criterion's origin (the node's least target, or zero), in steps of a power of two that keep the sum below
// 2^62. So sums are exact in any order of the rows, and become finer once an outlier has been split off.
template <class Index, class Weighted, class NumberCriterion>
class Numbers : public SummedSlots<Index, Weighted, std::int64_t> {
 public:
  static constexpr bool kIsClasses = false;
  using Base = SummedSlots<Index, Weighted, std::int64_t>;
  using Base::amount, Base::all_, Base::given, Base::weight_of, Base::kWeighted, Base::unit_;
  using typename Base::Slots;
  using Criterion = NumberCriterion;

  Numbers() = default;
  explicit Numbers(LeafValue value, bool splits_in_two = false) : value_(value) {
    this->in_two = splits_in_two;
  }

  void read_target(const Target& target) {
    Base::read_target(target);
    number_ = target.numbers;
    amount.resize(number_.size());
    reference_ = reference_of<Criterion>(target);
  }

  template <class Wide>
  void gather_from(const Numbers<Wide, Weighted, Criterion>& from, std::span<const Wide> slots) {
    Base::gather_from(from, slots);
    gather(number_, from.number_, slots);
    reference_ = from.reference_;
    value_ = from.value_;
  }

  NodeStatistics facts(Slots slots, bool with_impurity) override {
    auto facts = this->statistics(slots, [&](Index a, Index b) { return number_[a] == number_[b]; });
    if (with_impurity)
      facts.impurity = moments(slots, facts).loss / (static_cast<double>(facts.weight) * unit_);
    return facts;
  }

  void enter(Slots slots, const NodeStatistics& facts) override {
    auto [low, high] = range_of(slots);
    low = Criterion::origin(low);
    double most = high - low;
    if constexpr (kWeighted) {
      most = 0;
      for (const auto slot : slots) most = std::max(most, height(slot, low));
    }
    const NumberGrid grid(low, most, slots.size());
    all_ = {0, facts.weight};
    for (const auto slot : slots) {
      amount[slot] = Criterion::whole(height(slot, low) * grid.scale);
      all_.amount += amount[slot];
    }
    measure_in(grid);
    low_ = low;
    largest_ = std::max(std::abs(low), std::abs(high));
  }

  // The step of amounts, divided by the unit of weights.
  void measure_in(const NumberGrid& grid) {
    step_ = power_of_two(grid.exponent) / (kWeighted ? unit_ : 1);
    this->gain_factor_ = Criterion::factor(step_) / static_cast<double>(this->total_);
  }

  // The mean: of a side of the current node, each of whose rows may be off by a step; and of any slots.
  Value value(const Sums& side, std::int64_t rows) const {
    const double step = step_ / static_cast<double>(side.weight);
    return {low_ + static_cast<double>(side.amount) * step,
            largest_ * kValueRounding + static_cast<double>(rows) * step};
  }
  double value_of(Slots slots) override { return moments(slots, Numbers::facts(slots, false)).mean; }

  // Worth of the best way to split a few rows in two. It follows the order of their numbers (Fisher 1958),
  // and there is a fair chance that one of the first columns has it.
  double best_worth(Slots slots) const {
    const Criterion criterion(all_);
    if (slots.size() == 2) return criterion.exact_score({amount[slots[0]], weight_of(slots[0])});
    if constexpr (!kWeighted && !Criterion::kNeedsAmount) {
      if (this->in_two && slots.size() <= kFewRows) return best_in_order(slots, criterion);
    }
    return kInfinity;
  }

  bool settles_inner() const override { return value_ == LeafValue::Median; }

  void settle(Slots slots, const NodeStatistics& facts, LeafStore& leaves) override {
    const auto leaf = moments(slots, facts);
    leaves.sums.push_back(leaf.sum);
    leaves.values.push_back(value_ == LeafValue::Median ? median(slots, facts) : leaf.mean);
    leaves.losses.push_back(leaf.loss);
  }

  // Weight and mean of a side of the current node.
  void tell_tally(const Tally& side, std::vector<double>& outcome) const override {
    outcome.push_back(static_cast<double>(side[1]));
    outcome.push_back(value({side[0], side[1]}, 0).value);
  }

  static constexpr std::size_t kFewRows = 8;

  double best_in_order(Slots slots, const Criterion& criterion) const {
    std::array<std::int64_t, kFewRows> rising;
    for (std::size_t i = 0; i < slots.size(); ++i) rising[i] = amount[slots[i]];
    std::sort(rising.begin(), rising.begin() + std::ssize(slots));
    Sums left;
    double best = 0;
    for (std::size_t i = 0; i + 1 < slots.size(); ++i) {
      left = left + Sums{rising[i], 1};
      best = std::max(best, criterion.exact_score(left));
    }
    return best;
  }

  // The least and the largest number, several compared at a time: waiting for each other would slow reading.
  std::pair<double, double> range_of(Slots slots) const {
    double high = number_[slots[0]], minus_low = -high;
    TREEWRIGHT_SIMD_MAX(high)
    for (std::size_t i = 0; i < slots.size(); ++i) high = std::max(high, number_[slots[i]]);
    TREEWRIGHT_SIMD_MAX(minus_low)
    for (std::size_t i = 0; i < slots.size(); ++i) minus_low = std::max(minus_low, -number_[slots[i]]);
    return {-minus_low, high};
  }

  double height(Index slot, double low) const {
    if constexpr (kWeighted) return given(slot) * (number_[slot] - low);
    return number_[slot] - low;
  }

  struct Moments {
    double sum = 0, mean = 0, loss = 0;
  };

  double median(Slots slots, const NodeStatistics& facts) {
    if (slots.empty()) return 0;  // as in `moments`
    if (facts.is_pure) return number_[slots[0]];
    weighed_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) weighed_[i] = {number_[slots[i]], weight_of(slots[i])};
    return weighted_median(weighed_, facts.weight);
  }

  // Sum of term(slot), the same for any order of slots; one of `largest` has the term of largest size.
  template <class Term>
  static double exact_sum(Slots slots, const Term& term, const Slots& largest) {
    heed_interrupts_before(slots.size());
    double most = 0;
    for (const auto slot : largest) most = std::max(most, std::abs(term(slot)));
    ExactSum sum(most, slots.size());
    for (const auto slot : slots) sum.add(term(slot));
    return sum.value();
  }

  // The weighted sum of distances from the reference, the mean, and the weighted loss about the mean.
  Moments moments(Slots slots, const NodeStatistics& facts) const {
    if (slots.empty()) return {};  // an empty branch; it will answer as its parent
    const auto weight_here = static_cast<double>(facts.weight);
    if (facts.is_pure) {
      const double number = number_[slots[0]];
      return {weight_here * unit_ * (number - reference_), number, 0};
    }
    std::array<Index, 2> ends{slots[0], slots[0]};
    // If all rows weigh the same, the least or the largest number has the largest term, rounded or not.
    constexpr bool kEndsAreLargest = !kWeighted && !Criterion::kNeedsAmount;
    for (const auto slot : slots) {
      if (!kEndsAreLargest) break;
      ends[0] = number_[slot] < number_[ends[0]] ? slot : ends[0];
      ends[1] = number_[slot] > number_[ends[1]] ? slot : ends[1];
    }
    const auto largest = kEndsAreLargest ? Slots(ends) : slots;
    const auto distance = [&](Index slot) { return given(slot) * (number_[slot] - reference_); };
    const double sum_here = exact_sum(slots, distance, largest);
    double mean = reference_ + sum_here / (weight_here * unit_);
    if constexpr (!kWeighted)
      mean = exact_sum(slots, [&](Index slot) { return number_[slot]; }, largest) / weight_here;
    const auto loss = [&](Index slot) { return given(slot) * Criterion::loss(number_[slot], mean); };
    return {sum_here, mean, exact_sum(slots, loss, largest)};
  }

  std::vector<double> number_;
  double reference_ = 0;
  double low_ = 0, step_ = 1, largest_ = 0;  // of the node entered
  LeafValue value_ = LeafValue::Mean;
  std::vector<WeighedNumber> weighed_;  // for `median`
};

}  // namespace treewright
