// Score every cut of a column for any number of classes, over running class weights.
#pragma once

#include "treewright/criteria/impurity.hpp"  // for Sides, ClassBucket, best_of_classes
#include "treewright/math/logarithm.hpp"     // for x_log_x
#include "treewright/search/target.hpp"      // for WeighedSlots, gather

namespace treewright {

// The categories of a column as buckets of class weights, for CategorySearch.
template <class Impurity>
class ClassBuckets {
 public:
  // All rows that are scored; by category present, then of the rows without a value.
  ClassBuckets(const Impurity& impurity, const Sides& all, std::span<const ClassBucket> buckets)
      : impurity_(impurity), all_(all), buckets_(buckets), sides_(all) {}

  std::size_t size() const { return buckets_.size() - 1; }
  std::int64_t rows(std::size_t b) const { return buckets_[b].rows; }
  std::int64_t weight(std::size_t b) const { return buckets_[b].weight; }

  void start() { sides_.start(all_.right, all_.present); }
  void move(std::size_t b, bool to_left) {
    for (const auto k : all_.present)
      sides_.move(k, to_left ? buckets_[b].weights[k] : -buckets_[b].weights[k]);
  }
  Merit exact_score() const { return impurity_.exact_score(sides_); }
  // Near a maximum most sets fall short by far, and what bounds a cut in the scan bounds a set.
  bool may_reach(double worth) const {
    const double floor = impurity_.score_floor(worth);
    auto running = impurity_.start(sides_);
    return impurity_.bound(running, sides_, floor) >= floor;
  }

  // With two classes and a concave impurity the best set is a prefix in order of the share of either (Breiman
  // et al. 1984, 4.2.2).
  bool order_is_enough() const { return Impurity::kIsConcave && all_.present.size() <= 2; }

  // By share of each class in turn; and, with more than two, by the first principal component of the shares
  // (Coppersmith, Hong, Hosking 1999).
  std::vector<std::vector<std::uint32_t>> orders() const {
    std::vector<std::vector<std::uint32_t>> orders;
    // Of equals the last, as with two sums.
    const auto by = [&](const auto& less) {
      heed_interrupts_after(size());
      orders.push_back(order_of_buckets(size(), order_is_enough(), less));
    };
    for (const auto k : all_.present.subspan(all_.present.size() == 2 ? 1 : 0)) {
      by([&](std::uint32_t a, std::uint32_t b) {
        const auto &x = buckets_[a], &y = buckets_[b];
        return compare_means(x.weights[k], x.weight, y.weights[k], y.weight) < 0;
      });
    }
    if (all_.present.size() > 2) {
      const auto score = principal_component();
      by([&](std::uint32_t a, std::uint32_t b) { return score[a] < score[b]; });
    }
    return orders;
  }

  // One branch a bucket: weight times impurity before less that after.
  Merit exact_score_of_each(std::int32_t join) {
    if (size() == 2) {
      start();
      move(0, true);
      if (join == 0) move(size(), true);
      return exact_score();
    }
    const auto weight_of = [&](std::size_t b, bool joined) {
      return buckets_[b].weight + (joined ? buckets_.back().weight : 0);
    };
    if (!after_) {
      after_.emplace(size(), join >= 0, [&](std::size_t b, bool joined) {
        return weighted_impurity(weight_of(b, joined), [&](std::uint16_t k) {
          return buckets_[b].weights[k] + (joined ? buckets_.back().weights[k] : 0);
        });
      });
    }
    const auto weight = all_.right_weight;
    // What rounding alone leaves is nothing, or it would decide between columns that gain nothing.
    double fall =
        weighted_impurity(weight, [&](std::uint16_t k) { return all_.right[k]; }) - after_->value(join);
    if (std::abs(fall) < static_cast<double>(weight) * 0x1p-46) fall = 0;
    if constexpr (!Impurity::kIsRatio) {
      return fall;
    } else {
      const auto log_of = [&](std::size_t b, bool joined) {
        return x_log_x(static_cast<double>(weight_of(b, joined)));
      };
      if (!logs_) logs_.emplace(size(), join >= 0, log_of);
      return {fall / (x_log_x(static_cast<double>(weight)) - logs_->value(join)), fall};
    }
  }

 private:
  template <class WeightOfClass>
  double weighted_impurity(std::int64_t weight, const WeightOfClass& weight_of) const {
    heed_interrupts_after(all_.present.size());
    std::vector<double> shares;
    for (const auto k : all_.present)
      shares.push_back(static_cast<double>(weight_of(k)) / static_cast<double>(weight));
    return static_cast<double>(weight) * Impurity::impurity(shares);
  }

  // Power iteration on the weighted covariance of the categories' class shares, from a fixed start.
  std::vector<double> principal_component() const {
    const auto n_classes = all_.present.size();
    const auto categories = buckets_.first(size());
    std::vector<std::vector<double>> centred(size(), std::vector<double>(n_classes));
    double total = 0;
    for (const auto& bucket : categories) total += static_cast<double>(bucket.weight);
    for (std::size_t at = 0; at < n_classes; ++at) {
      const auto k = all_.present[at];
      double sum = 0;
      for (const auto& bucket : categories) sum += static_cast<double>(bucket.weights[k]);
      for (std::size_t b = 0; b < size(); ++b) {
        centred[b][at] =
            static_cast<double>(buckets_[b].weights[k]) / static_cast<double>(buckets_[b].weight) -
            sum / total;
      }
    }
    std::vector<double> direction(n_classes), scores(size());
    for (std::size_t at = 0; at < n_classes; ++at) direction[at] = 1.0 / static_cast<double>(at + 1);
    for (int round = 0; round < 64; ++round) {
      heed_interrupts_before(size() * n_classes);
      std::vector<double> next(n_classes);
      for (std::size_t b = 0; b < size(); ++b) {
        scores[b] = std::inner_product(direction.begin(), direction.end(), centred[b].begin(), 0.0);
        for (std::size_t at = 0; at < n_classes; ++at)
          next[at] += static_cast<double>(buckets_[b].weight) * scores[b] * centred[b][at];
      }
      const double size = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
      if (!(size > 0)) break;
      for (std::size_t at = 0; at < n_classes; ++at) direction[at] = next[at] / size;
    }
    return scores;
  }

  Impurity impurity_;
  const Sides& all_;
  std::span<const ClassBucket> buckets_;
  Sides sides_;
  // With one branch a bucket: weight times impurity, and x log2 x of the weights.
  std::optional<BranchSum> after_, logs_;
};

// What a criterion over class weights needs: to `enter` rows, all of them on the right; a cheap running
// `bound` to pass most cuts by (which need be near the worth only where it reaches the floor), and a
// `exact_score`.
//
// kIsConcave: with two classes the best set of categories is then a prefix in order of their share.
// kIsRatio: worth is the decrease divided by the information of the split itself.
// kPrefersEvenSides (where it is so): even sides break ties between cuts. The bound is then the worth itself.
template <class Index, class Impurity, class Weighted>
class ClassScan : public WeighedSlots<Index, Weighted> {
 public:
  static constexpr bool kIsClasses = true;
  using Base = WeighedSlots<Index, Weighted>;
  using Base::weight_of, Base::kWeighted;
  using typename Base::Slots;

  // One a thread; by arrangement of the missing rows: the sides of the cut under the scan.
  struct Scratch {
    std::array<Sides, 2> sides;
    Sides known;  // all rows that have a value, where no others are scored
    std::vector<ClassBucket> buckets;
  };

  ClassScan() = default;
  explicit ClassScan(const Impurity& given) : impurity(given) {}

  void read_target(const Target& target) {
    Base::read_target(target);
    classes_ = target.classes;
    n_classes_ = static_cast<std::size_t>(target.n_classes);
  }

  template <class Wide>
  void gather_from(const ClassScan<Wide, Impurity, Weighted>& from, std::span<const Wide> slots) {
    Base::gather_from(from, slots);
    gather(classes_, from.classes_, slots);
    n_classes_ = from.n_classes_;
    impurity = from.impurity;
  }

  NodeStatistics facts(Slots slots, bool with_impurity) override {
    auto facts = this->statistics(slots, [&](Index a, Index b) { return classes_[a] == classes_[b]; });
    if (with_impurity) {
      std::vector<double> shares(n_classes_);
      for (const auto slot : slots) shares[classes_[slot]] += static_cast<double>(weight_of(slot));
      for (auto& share : shares) share /= static_cast<double>(facts.weight);
      facts.impurity = Impurity::impurity(shares);
    }
    return facts;
  }

  void enter(Slots slots, const NodeStatistics&) override {
    totals_.resize(n_classes_);
    for (const auto k : present_) totals_[k] = 0;
    present_.clear();
    for (const auto slot : slots) {
      auto& total = totals_[classes_[slot]];
      if (total == 0) present_.push_back(classes_[slot]);
      total += weight_of(slot);
    }
    std::sort(present_.begin(), present_.end());
    impurity.enter(all_.start(totals_, present_));
  }

  double gain(double decrease) const override { return decrease / static_cast<double>(this->total_); }

  double best_possible() const override { return best_of_classes(impurity, totals_, present_); }

  void scan(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    const auto scored = look_at(query, scratch);
    const auto lane = [&](bool missing_left) { return Lane(*this, scored, query, missing_left, scratch); };
    search_cuts(query, scored.impurity, lane, out);
  }

  auto buckets(const SplitQuery<Index>& query, Scratch& scratch) const {
    const auto scored = look_at(query, scratch);
    // The categories present; then the rows without a value, if they are scored.
    scratch.buckets.clear();
    const auto add = [&](Slots slots) {
      scratch.buckets.push_back({tally_of(slots), weight_of(slots), static_cast<std::int64_t>(slots.size())});
    };
    query.for_each_value(
        [&](std::uint32_t begin, std::uint32_t end) { add(query.list.known().subspan(begin, end - begin)); });
    add(query.list.missing().first(static_cast<std::size_t>(query.n_missing())));
    return ClassBuckets<Impurity>(scored.impurity, scored.all, scratch.buckets);
  }

  Merit worth_apart(const SplitQuery<Index>& query, Scratch& scratch) const {
    auto& sides = scratch.sides[0].start(totals_, present_);
    move_left(query.list.missing(), sides);
    return impurity.exact_score(sides);
  }

  // Share of class 1: of a side that has this weight of it, and of any slots.
  Value value(const Sums& side, std::int64_t) const {
    return {static_cast<double>(side.amount) / static_cast<double>(side.weight), kValueRounding};
  }
  double value_of(Slots slots) override { return value({tally_of(slots)[1], weight_of(slots)}, 0).value; }

  // Class weights.
  Tally tally_of_node() const override { return totals_; }
  Tally tally_of(Slots slots) const override {
    Tally tally(n_classes_);
    for (const auto slot : slots) tally[classes_[slot]] += weight_of(slot);
    return tally;
  }
  void tell_tally(const Tally& tally, std::vector<double>& outcome) const override {
    outcome.insert(outcome.end(), tally.begin(), tally.end());
  }

  void settle(Slots slots, const NodeStatistics&, LeafStore& leaves) override {
    const auto tally = tally_of(slots);
    leaves.weights.insert(leaves.weights.end(), tally.begin(), tally.end());
  }

 protected:
  // The criterion for the rows that are scored, and these, all on the right.
  struct Scored {
    Impurity impurity;
    const Sides& all;
  };
  Scored look_at(const SplitQuery<Index>& query, Scratch& scratch) const {
    if (!query.leaves_rows_out()) return {impurity, all_};
    auto totals = totals_;
    for (const auto slot : query.list.missing()) totals[classes_[slot]] -= weight_of(slot);
    Scored known{impurity, scratch.known.start(totals, present_)};
    known.impurity.enter(known.all);
    return known;
  }

  // An arrangement of the missing rows while cuts move along the list.
  class Lane {
   public:
    static constexpr int kCuts = 64;

    Lane(const ClassScan& scan, const Scored& scored, const SplitQuery<Index>& query, bool missing_left,
         Scratch& scratch)
        : reach(query.reach(missing_left)),
          scan_(scan),
          scored_(scored),
          slots_(query.list.slot),
          sides_(scratch.sides[missing_left].start(scored.all.right, scan.present_)) {
      if (missing_left) scan.move_left(query.list.missing(), sides_);
      go_to(query.widest_reach().first - 1);
      running_ = scored.impurity.start(sides_);
    }

    double bound(std::int64_t base, std::size_t n, double floor) {
      go_to(base_ = base);
      auto running = running_;
      auto left = sides_.left_weight;
      const auto all = left + sides_.right_weight;
      for (std::size_t j = 0; j < n; ++j) {
        const auto slot = slots_[base + static_cast<std::int64_t>(j)];
        const auto k = scan_.classes_[slot];
        const auto weight = scan_.weight_of(slot);
        scored_.impurity.move(running, sides_, k, weight);
        sides_.left[k] += weight;
        sides_.right[k] -= weight;
        left += weight;
        bounds[j] = scored_.impurity.bound(running, {left, all - left}, floor);
      }
      static_cast<SideWeights&>(sides_) = {left, all - left};
      at_ = base + static_cast<std::int64_t>(n);
      running_ = running;
      double top = -std::numeric_limits<double>::infinity();
      TREEWRIGHT_SIMD_MAX(top)
      for (std::size_t j = 0; j < n; ++j) top = std::max(top, bounds[j]);
      return top;
    }

    std::int64_t left_weight(std::size_t j) {
      if constexpr (kWeighted) return sides_at(j).left_weight;
      return sides_.left_weight - at_ + base_ + static_cast<std::int64_t>(j) + 1;
    }
    std::int64_t right_weight(std::size_t j) { return scored_.all.right_weight - left_weight(j); }
    bool is_in_order(const Monotone& monotone, std::size_t j) {
      // Of two classes, both present: a node of one is a leaf.
      const auto& sides = sides_at(j);
      const Sums left{sides.left[1], sides.left_weight}, right{sides.right[1], sides.right_weight};
      return treewright::is_in_order(scan_, monotone, left, right, 0, 0);
    }
    Merit exact_score(std::size_t j, double) { return scored_.impurity.exact_score(sides_at(j)); }
    double floor_of(std::size_t j) const
      requires requires(const Impurity& of) { of.floor_of_bound(1.0); }
    {
      return scored_.impurity.floor_of_bound(bounds[j]);
    }

    Reach reach;
    std::array<double, kCuts> bounds;

   private:
    const Sides& sides_at(std::size_t j) { return go_to(base_ + static_cast<std::int64_t>(j) + 1); }

    // The sides of the cut that leaves the first i entries left.
    const Sides& go_to(std::int64_t i) {
      for (; at_ < i; ++at_) sides_.move(scan_.classes_[slots_[at_]], scan_.weight_of(slots_[at_]));
      for (; at_ > i; --at_) sides_.move(scan_.classes_[slots_[at_ - 1]], -scan_.weight_of(slots_[at_ - 1]));
      return sides_;
    }

    const ClassScan& scan_;
    const Scored& scored_;
    const Index* slots_;
    Sides& sides_;
    std::int64_t at_ = 0, base_ = 0;
    typename Impurity::Running running_;  // at the end of a run
  };

  void move_left(Slots slots, Sides& sides) const {
    for (const auto slot : slots) sides.move(classes_[slot], weight_of(slot));
  }

  template <class Other, class OtherImpurity, class OtherWeighted>
  friend class ClassScan;

  Impurity impurity;
  std::vector<std::uint16_t> classes_;
  std::size_t n_classes_ = 0;
  Tally totals_;
  std::vector<std::uint16_t> present_;
  Sides all_;  // of the node, on the right
};

}  // namespace treewright
