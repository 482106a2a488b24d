// Score every cut of a column for any number of classes, over running class weights.
#pragma once

#include "treewright/criteria/impurity.hpp"  // for Sides, ClassBucket, best_of_classes
#include "treewright/kernels/kernels.hpp"    // for sum_squares
#include "treewright/search/class_buckets.hpp"
#include "treewright/search/target.hpp"  // for WeighedSlots, gather

namespace treewright {

// A criterion over class weights needs: `enter`, for rows that are all on the right; a cheap running `bound`
// that rules most cuts out (and must be close to the worth only if it reaches the floor); an `exact_score`.
//
// kIsConcave: with two classes the best set of categories is then a prefix in order of their share.
// kIsRatio: worth is the decrease divided by the split information.
// kPrefersEvenSides (optional): ties between cuts go to even sides. The bound is then the worth itself.
template <class Index, class Impurity, class Weighted>
class ClassScan : public WeighedSlots<Index, Weighted> {
 public:
  static constexpr bool kIsClasses = true;
  using Base = WeighedSlots<Index, Weighted>;
  using Base::weight_of, Base::kWeighted;
  using typename Base::Slots;

  // One placement of the missing rows, while cuts move along the list, a run of cuts at a time.
  static constexpr std::int64_t kCuts = 64;
  struct Lane {
    bool missing_left;
    Reach reach;
    std::array<double, kCuts> bounds;
    std::int64_t at;                     // known values on the left ...
    Sides sides;                         // ... and the class weights of both sides then
    typename Impurity::Running running;  // at the end of a run
    // The sums for exact scores of several cuts of a run; valid if `summed_at` is `at`.
    typename Impurity::Running summed;
    std::int64_t summed_at = -1;
  };
  struct Scratch {
    std::array<Lane, 2> lanes;  // missing rows right, and left
    Sides known;                // all rows with a value, if no others are scored
    std::vector<ClassBucket> buckets;
  };

  void read_target(const Target& target) {
    Base::read_target(target);
    classes_ = target.classes;
    n_classes_ = static_cast<std::size_t>(target.n_classes);
    if constexpr (requires { impurity.share_table(&logs_); }) {
      logs_ = Impurity::table(this->total_, std::ssize(classes_));
      impurity.share_table(&logs_);
    }
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

  // Upper bounds of a run of cuts come first, then exact scores if one of the cuts may win.
  void scan(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    const auto [first, last] = query.widest_reach();
    if (first > last) return;
    const auto scored = look_at(query, scratch);
    const auto& criterion = scored.impurity;
    const auto lanes = std::span(scratch.lanes).first(query.n_missing() > 0 ? 2 : 1);
    for (auto& lane : lanes) start(lane, &lane != lanes.data(), query, scored, first - 1);
    double floor = score_floor_over(criterion, out);  // of bounds: cuts below it cannot win
    for (auto base = first - 1; base < last; base += kCuts) {
      heed_interrupts_at(static_cast<std::size_t>(base - (first - 1)));
      const auto n = static_cast<std::size_t>(std::min(kCuts, last - base));
      if (lanes.size() == 1 && passes_over(lanes[0], query.list, scored, base, floor)) continue;
      double top = -std::numeric_limits<double>::infinity();
      for (auto& lane : lanes) top = std::max(top, bound(lane, query.list.slot, criterion, base, n, floor));
      if (top < floor) continue;
      // Whether the cut with base + 1 + j known values on the left is allowed.
      const auto is_allowed = [&](Lane& lane, std::size_t j) {
        const auto i = base + static_cast<std::int64_t>(j) + 1;
        if (!lane.reach.holds(i)) return false;
        go_to(lane, query.list.slot, i);
        return query.allows(i, lane.sides.left_weight, lane.sides.right_weight,
                            [&] { return is_in_order(query.monotone, lane.sides); });
      };
      // If bounds are close to scores, only cuts about as good as the best of the run get an exact score.
      double floor_here = floor;
      if constexpr (requires { criterion.floor_of_bound(floor); }) {
        for (std::size_t j = 0; out.every == nullptr && j < n; ++j) {
          for (auto& lane : lanes) {
            const double raised = criterion.floor_of_bound(lane.bounds[j]);
            if (raised > floor_here && is_allowed(lane, j)) floor_here = raised;
          }
        }
      }
      // In the order that decides ties: at each cut, missing rows on the right first.
      for (std::size_t j = 0; j < n; ++j) {
        for (auto& lane : lanes) {
          if (!(lane.bounds[j] >= std::max(floor, floor_here)) || !is_allowed(lane, j)) continue;
          const auto uneven = unevenness_of<Impurity>(lane.sides.left_weight, lane.sides.right_weight);
          if (kPrefersEvenSides<Impurity> && !out.takes(lane.bounds[j], uneven)) continue;
          if (out.offer(exact_score(criterion, lane), static_cast<std::uint32_t>(lane.at), lane.missing_left,
                        uneven))
            floor = score_floor_over(criterion, out);
        }
      }
    }
  }

  void enter_counts(std::span<const std::int32_t> totals) override { enter_totals(totals); }
  void best_counted_cut(const ColumnCounts& counts, const Reach& allowed, Candidate& out) override {
    const auto n = all_.left_weight + all_.right_weight;
    if constexpr (requires { impurity.judge_squares(n, n, n, n); }) {
      if (n <= Impurity::kExactInSquares) return offer_by_squares(counts, n, allowed, out);
    }
    auto& sides = all_.start(totals_, present_);
    auto running = impurity.start(sides);
    double floor = score_floor_over(impurity, out);
    for (const auto code : counts.codes) {
      const auto before = sides.left_weight;
      for (const auto k : present_) {
        const std::int64_t n_moved = counts.of(code)[k];
        if (n_moved == 0) continue;
        impurity.move(running, sides, k, n_moved);
        sides.move(k, n_moved);
      }
      const auto left = sides.left_weight;
      if (left > allowed.last) break;
      if (left == before || left < allowed.first) continue;
      const double bound = impurity.bound(running, sides, floor);
      const auto uneven = unevenness_of<Impurity>(left, n - left);
      if (!(bound >= floor) || (kPrefersEvenSides<Impurity> && !out.takes(bound, uneven))) continue;
      if (out.offer(impurity.exact_score(sides), static_cast<std::uint32_t>(left), false, uneven))
        floor = score_floor_over(impurity, out);
    }
  }

  void enter_tally(std::span<const std::int64_t> all, const NumberGrid&) override { enter_totals(all); }
  void offer_tally(std::span<const std::int64_t> left, std::uint32_t n_left, bool missing_left,
                   Candidate& out) override {
    auto& sides = all_.start(totals_, present_);
    for (const auto k : present_) sides.move(k, left[k]);
    out.offer(impurity.exact_score(sides), n_left, missing_left,
              unevenness_of<Impurity>(sides.left_weight, sides.right_weight));
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
    auto& sides = scratch.known.start(totals_, present_);
    move_left(query.list.missing(), sides);
    return impurity.exact_score(sides);
  }

  double value_of(Slots slots) override {
    return this->value({tally_of(slots)[1], weight_of(slots)}, 0).value;
  }

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
  template <class Weight>
  void enter_totals(std::span<const Weight> totals) {
    totals_.assign(totals.begin(), totals.end());
    present_.clear();
    for (std::size_t k = 0; k < totals.size(); ++k) {
      if (totals[k] > 0) present_.push_back(static_cast<std::uint16_t>(k));
    }
    impurity.enter(all_.start(totals_, present_));
  }

  // The criterion of the rows that are scored, and these rows, all on the right.
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

  // Score every cut exactly at once: that takes no longer than bounds.
  void offer_by_squares(const ColumnCounts& counts, std::int64_t n, const Reach& allowed, Candidate& out) {
    lefts_.assign(counts.totals.size(), 0);
    by_code_.resize(counts.codes.size());
    Twins<sum_squares>::call(counts.cells, counts.codes, counts.totals, lefts_.data(), by_code_.data());
    std::int32_t before = 0;
    for (const auto& at : by_code_) {
      if (std::exchange(before, at.rows) == at.rows || !allowed.holds(at.rows)) continue;
      out.offer(impurity.judge_squares(n, at.rows, at.squares, at.products),
                static_cast<std::uint32_t>(at.rows), false);
    }
  }

  // Go to the cut with the first `at` known values on the left.
  void start(Lane& lane, bool missing_left, const SplitQuery<Index>& query, const Scored& scored,
             std::int64_t at) const {
    lane.missing_left = missing_left;
    lane.reach = query.reach(missing_left);
    lane.at = 0;
    lane.summed_at = -1;
    lane.sides.start(scored.all.right, present_);
    if (missing_left) move_left(query.list.missing(), lane.sides);
    go_to(lane, query.list.slot, at);
    lane.running = scored.impurity.start(lane.sides);
  }

  void go_to(Lane& lane, const Index* slots, std::int64_t i) const {
    const bool has_sums = lane.summed_at == lane.at;
    const auto move = [&](Index slot, std::int64_t weight) {
      const auto k = classes_[slot];
      if (has_sums) impurity.move(lane.summed, lane.sides, k, weight);
      lane.sides.move(k, weight);
    };
    for (; lane.at < i; ++lane.at) move(slots[lane.at], weight_of(slots[lane.at]));
    for (; lane.at > i; --lane.at) move(slots[lane.at - 1], -weight_of(slots[lane.at - 1]));
    if (has_sums) lane.summed_at = lane.at;
  }

  // If many cuts of many classes are equal, sums that follow the cut avoid reading every class at each.
  auto exact_score(const Impurity& criterion, Lane& lane) const {
    const auto& sides = lane.sides;
    const auto all = sides.left_weight + sides.right_weight;
    if constexpr (requires { criterion.judge_squares(all, all, all, all); }) {
      if (all <= Impurity::kExactInSquares) {
        if (lane.summed_at != lane.at) {
          lane.summed_at = lane.at;
          lane.summed = criterion.start(sides);
        }
        return criterion.judge_squares(all, sides.left_weight, static_cast<std::int64_t>(lane.summed.left),
                                       static_cast<std::int64_t>(lane.summed.products));
      }
    }
    return criterion.exact_score(sides);
  }

  // Whether the ends of a run show that no cut in it reaches the floor, as for most runs. The lane is then at
  // the end of the run; class weights on the right are computed when the next run needs them.
  bool passes_over(Lane& lane, const ListView<Index>& list, const Scored& scored, std::int64_t base,
                   double floor) const {
    if constexpr (requires { &Impurity::largest_bound; }) {
      if (list.n_known <= 2 * kCuts) return false;
      go_to(lane, list.slot, base);
      auto& sides = lane.sides;
      auto* const left = sides.left.data();
      const auto* const all = scored.all.right.data();
      if (base + kCuts < list.n_known) {
        const std::span run(list.slot + base, kCuts);
        auto after = lane.running;
        auto reached = static_cast<const SideWeights&>(sides);
        for (const auto slot : run) {
          const auto k = classes_[slot];
          const auto weight = weight_of(slot);
          scored.impurity.move(after, left[k], all[k], weight);
          left[k] += weight;
          reached.move(weight);
        }
        if (scored.impurity.largest_bound(lane.running, sides, after, reached) < floor) {
          lane.running = after;
          static_cast<SideWeights&>(sides) = reached;
          lane.at += kCuts;
          return true;
        }
        for (const auto slot : run) left[classes_[slot]] -= weight_of(slot);
      }
      for (const auto k : present_) sides.right[k] = all[k] - left[k];
    }
    return false;
  }

  // Bound the cuts with base + 1, ..., base + n known values on the left; returns the largest bound. Bounds
  // below the floor need not be close.
  double bound(Lane& lane, const Index* slots, const Impurity& criterion, std::int64_t base, std::size_t n,
               double floor) const {
    go_to(lane, slots, base);
    auto& sides = lane.sides;
    auto running = lane.running;
    auto left = sides.left_weight;
    const auto all = left + sides.right_weight;
    for (std::size_t j = 0; j < n; ++j) {
      const auto slot = slots[base + static_cast<std::int64_t>(j)];
      const auto k = classes_[slot];
      const auto weight = weight_of(slot);
      criterion.move(running, sides, k, weight);
      sides.left[k] += weight;
      sides.right[k] -= weight;
      left += weight;
      lane.bounds[j] = criterion.bound(running, {left, all - left}, floor);
    }
    static_cast<SideWeights&>(sides) = {left, all - left};
    lane.at = base + static_cast<std::int64_t>(n);
    lane.running = running;
    double top = -std::numeric_limits<double>::infinity();
    TREEWRIGHT_SIMD_MAX(top)
    for (std::size_t j = 0; j < n; ++j) top = std::max(top, lane.bounds[j]);
    return top;
  }

  // For two classes, both present: a node of one class is a leaf.
  bool is_in_order(const Monotone& monotone, const Sides& sides) const {
    return treewright::is_in_order(*this, monotone, {sides.left[1], sides.left_weight},
                                   {sides.right[1], sides.right_weight}, 0, 0);
  }

  void move_left(Slots slots, Sides& sides) const {
    for (const auto slot : slots) sides.move(classes_[slot], weight_of(slot));
  }

  template <class Other, class OtherImpurity, class OtherWeighted>
  friend class ClassScan;

  Impurity impurity;
  std::vector<double> logs_;  // of the whole table, if the criterion looks them up
  std::vector<std::uint16_t> classes_;
  std::size_t n_classes_ = 0;
  Tally totals_;
  std::vector<std::uint16_t> present_;
  Sides all_;  // of the node, on the right
  // Working memory for counts:
  std::vector<std::int32_t> lefts_;
  std::vector<CodeSquares> by_code_;
};

}  // namespace treewright
