// Score every cut of a column for any number of classes, over running class weights.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "treewright/recipe/candidate.hpp"      // for Candidate
#include "treewright/recipe/limits.hpp"         // for NodeStatistics, Monotone, Value
#include "treewright/search/class_buckets.hpp"  // for ClassBuckets
#include "treewright/search/class_sides.hpp"    // for ClassCount, Sides, Walk, kCutsInRun
#include "treewright/search/cut_search.hpp"     // for search_cuts
#include "treewright/search/split_query.hpp"    // for SplitQuery, Reach
#include "treewright/search/target.hpp"         // for Target, WeighedSlots, Tally, gather

namespace treewright {

// What a criterion over class weights needs: a cheap running `bound` to pass most cuts by (which need be near
// the worth only where it reaches the floor), and a `judge`.
// Where rows weigh 1 each, it may have `Runs`, which compute the bounds of many cuts at once.
//
// kIsConcave: with two classes the best set of categories is then a prefix in order of their share.
// kIsRatio: worth is the decrease divided by the information of the split itself.
// kPrefersEvenSides (where it is so): even sides break ties between cuts. The bound is then the worth itself.
template <class Impurity, bool kWeighted>
class ClassScan : public WeighedSlots<kWeighted> {
 public:
  using WeighedSlots<kWeighted>::weight_of;

  // One a thread; by arrangement of the missing rows: the sides of the cut under the scan.
  struct Scratch {
    std::array<Sides, 2> sides;
    std::array<std::vector<ClassCount>, 2> counts;
    std::vector<std::int64_t> totals;  // class weights of the rows that are scored
    std::vector<ClassBucket> buckets;
    Grouping grouping;
  };

  Impurity impurity;

  void take(const Target& target) {
    WeighedSlots<kWeighted>::take(target);
    classes_ = target.classes;
    n_classes_ = static_cast<std::size_t>(target.n_classes);
  }

  template <class Index>
  void take(const ClassScan& from, std::span<const Index> slots) {
    WeighedSlots<kWeighted>::take(from, slots);
    gather(classes_, from.classes_, slots);
    n_classes_ = from.n_classes_;
    impurity = from.impurity;
  }

  template <class Index>
  NodeStatistics facts(std::span<const Index> slots, bool with_impurity) const {
    auto facts = this->statistics(slots, [&](Index a, Index b) { return classes_[a] == classes_[b]; });
    if (with_impurity) {
      std::vector<double> shares(n_classes_);
      for (const auto slot : slots) shares[classes_[slot]] += static_cast<double>(weight_of(slot));
      for (auto& share : shares) share /= static_cast<double>(facts.weight);
      facts.impurity = Impurity::impurity(shares);
    }
    return facts;
  }

  template <class Index>
  void enter(std::span<const Index> slots, const NodeStatistics& facts) {
    facts_ = facts;
    totals_.resize(n_classes_);
    for (const auto k : present_) totals_[k] = 0;
    present_.clear();
    for (const auto slot : slots) {
      auto& total = totals_[classes_[slot]];
      if (total == 0) present_.push_back(classes_[slot]);
      total += weight_of(slot);
    }
    std::sort(present_.begin(), present_.end());
    impurity.enter(totals_, present_, facts.weight);
  }

  double gain(double decrease) const { return decrease / static_cast<double>(this->total_); }

  // No cut can be worth more than one that leaves two pure sides.
  double best_possible() const {
    if (present_.size() == 2) return impurity.best_of_two(totals_[present_[0]], totals_[present_[1]]);
    return std::numeric_limits<double>::infinity();
  }

  template <class Index>
  void scan(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    if constexpr (!kWeighted && requires { typename Impurity::template Runs<Index>; }) {
      using Runs = typename Impurity::template Runs<Index>;
      if (Runs::serve(impurity, query.n_scored(), present_.size()))
        return scan_lanes<RunLane<Index, Runs>>(query, scratch, out);
    }
    scan_lanes<RowLane<Index>>(query, scratch, out);
  }

  // Offer the best question about categories.
  template <class Index>
  void scan_categories(const SplitQuery<Index>& query, const SetChoice& choice, Scratch& scratch,
                       Candidate& out) const {
    const auto scored = look_at(query, scratch);
    fill_buckets(query, scratch);
    ClassBuckets<Impurity> buckets(scored.impurity, present_, scored.totals, scratch.buckets,
                                   scratch.sides[0].start(scored.totals, present_));
    CategorySearch(buckets, query.arrangements, query.limits, out, scratch.grouping).find(choice);
    add_own_branch(query, scratch, out);
  }

  // From now on a slot weighs this much.
  void weigh(std::size_t slot, std::int64_t weight_given)
    requires kWeighted
  {
    this->weight_[slot] = weight_given;
  }

  // Share of class 1: of a side that has this weight of it, and of any slots.
  Value value(const Sums& side, std::int64_t) const {
    return {static_cast<double>(side.amount) / static_cast<double>(side.weight), kValueRounding};
  }
  template <class Index>
  double value_of(std::span<const Index> slots) const {
    return value({tally_of(slots)[1], weight_of(slots)}, 0).value;
  }

  // Class weights, for the ledger: of a node, of some slots, and put down.
  const Tally& tally_of_node() const { return totals_; }
  template <class Index>
  Tally tally_of(std::span<const Index> slots) const {
    Tally tally(n_classes_);
    for (const auto slot : slots) tally[classes_[slot]] += weight_of(slot);
    return tally;
  }
  static void tell_tally(const Tally& tally, std::vector<double>& outcome) {
    outcome.insert(outcome.end(), tally.begin(), tally.end());
  }

  template <class Index>
  void settle(std::span<const Index> slots, const NodeStatistics&, LeafStore& leaves) const {
    const auto begin = leaves.weights.size();
    leaves.weights.resize(begin + n_classes_);
    for (const auto slot : slots) leaves.weights[begin + classes_[slot]] += weight_of(slot);
  }

 protected:
  // The criterion for the rows that are scored, and their class weights.
  struct Scored {
    Impurity impurity;
    std::span<const std::int64_t> totals;
  };
  template <class Index>
  Scored look_at(const SplitQuery<Index>& query, Scratch& scratch) const {
    if (!query.leaves_rows_out()) return {impurity, totals_};
    scratch.totals = totals_;
    for (const auto slot : query.list.missing()) scratch.totals[classes_[slot]] -= weight_of(slot);
    Scored known{impurity, scratch.totals};
    known.impurity.enter(known.totals, present_, facts_.weight - weight_of(query.list.missing()));
    return known;
  }

  // The categories present; then the rows without a value, if they are scored.
  template <class Index>
  void fill_buckets(const SplitQuery<Index>& query, Scratch& scratch) const {
    scratch.buckets.clear();
    const auto add = [&](std::span<const Index> slots) {
      scratch.buckets.push_back({tally_of(slots), weight_of(slots), static_cast<std::int64_t>(slots.size())});
    };
    query.for_each_value(
        [&](std::uint32_t begin, std::uint32_t end) { add(query.list.known().subspan(begin, end - begin)); });
    add(query.list.missing().first(static_cast<std::size_t>(query.n_missing())));
  }

  // An arrangement of the missing rows while cuts move along the list, a row at a time.
  template <class Index>
  class RowLane {
   public:
    static constexpr int kCuts = 1;

    RowLane(const ClassScan& scan, const Scored& scored, const SplitQuery<Index>& query, bool missing_left,
            Scratch& scratch)
        : reach(query.reach(missing_left)),
          scan_(scan),
          scored_(scored),
          slots_(query.list.slot),
          sides_(scratch.sides[missing_left].start(scored.totals, scan.present_)) {
      scan.move_left(query.list.known().first(query.widest_reach().first - 1), sides_);
      if (missing_left) scan.move_left(query.list.missing(), sides_);
      running_ = scored.impurity.start(sides_, scan.present_);
    }

    double bound(std::int64_t base, std::size_t, double floor) {
      const auto slot = slots_[base];
      const auto k = scan_.classes_[slot];
      scored_.impurity.move(running_, sides_, k, scan_.weight_of(slot));
      sides_.move(k, scan_.weight_of(slot));
      return bounds[0] = scored_.impurity.bound(running_, sides_, floor);
    }

    std::int64_t left_weight(std::size_t) const { return sides_.left_weight; }
    std::int64_t right_weight(std::size_t) const { return sides_.right_weight; }
    bool is_in_order(const Monotone& monotone, std::size_t) const {
      return scan_.is_in_order(monotone, sides_);
    }
    Merit exact_score(std::size_t, double) const {
      return scored_.impurity.judge(sides_, scored_.totals, scan_.present_);
    }

    Reach reach;
    std::array<double, kCuts> bounds;

   private:
    const ClassScan& scan_;
    const Scored& scored_;
    const Index* slots_;
    Sides& sides_;
    typename Impurity::Running running_;
  };

  // The same where every row weighs 1, a run of cuts at a time.
  template <class Index, class Runs>
  class RunLane {
   public:
    static constexpr int kCuts = kCutsInRun;

    RunLane(const ClassScan& scan, const Scored& scored, const SplitQuery<Index>& query, bool missing_left,
            Scratch& scratch)
        : reach(query.reach(missing_left)),
          scan_(scan),
          scored_(scored),
          walk_{query.list.slot, scan.classes_.data(), nullptr, 0},
          runs_(scored.impurity, scan.present_, query.n_scored()),
          sides_(scratch.sides[0].start(scored.totals, scan.present_)),
          n_(query.n_scored()),
          n_extra_(missing_left ? query.n_missing() : 0) {
      auto& counts = scratch.counts[missing_left];
      counts.resize(scan.n_classes_);
      walk_.counts = counts.data();
      for (const auto k : scan.present_) counts[k] = {0, static_cast<std::int32_t>(scored.totals[k])};
      if (missing_left) {
        for (const auto slot : query.list.missing()) ++counts[scan.classes_[slot]].left;
      }
      walk_.go_to(query.widest_reach().first - 1);
      runs_.begin(walk_.counts, scan.present_, walk_.at + n_extra_);
    }

    double bound(std::int64_t base, std::size_t n, double) {
      base_ = base;
      walk_.go_to(base);
      return runs_.run(walk_, n, left_weight(0), bounds.data());
    }

    // Missing rows that are left are left with every cut.
    std::int64_t left_weight(std::size_t j) const {
      return base_ + static_cast<std::int64_t>(j) + 1 + n_extra_;
    }
    std::int64_t right_weight(std::size_t j) const { return n_ - left_weight(j); }
    bool is_in_order(const Monotone& monotone, std::size_t j) const {
      return scan_.is_in_order(monotone, sides_at(j));
    }
    Merit exact_score(std::size_t j, double) const {
      return scored_.impurity.judge(sides_at(j), scored_.totals, scan_.present_);
    }
    double floor_of(std::size_t j) const
      requires requires(const Impurity& of) { of.floor_of_bound(1.0); }
    {
      return scored_.impurity.floor_of_bound(bounds[j]);
    }

    Reach reach;
    std::array<double, kCuts> bounds;

   private:
    // What is counted at a cut, as a judge wants it.
    const Sides& sides_at(std::size_t j) const {
      walk_.go_to(base_ + static_cast<std::int64_t>(j) + 1);
      for (const auto k : scan_.present_) {
        sides_.left[k] = walk_.counts[k].left;
        sides_.right[k] = walk_.counts[k].all - walk_.counts[k].left;
      }
      sides_.left_weight = left_weight(j);
      sides_.right_weight = right_weight(j);
      return sides_;
    }

    const ClassScan& scan_;
    const Scored& scored_;
    mutable Walk<Index> walk_;
    Runs runs_;
    Sides& sides_;
    std::int64_t n_, n_extra_, base_ = 0;
  };

  template <class Lane, class Index>
  void scan_lanes(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    if (const auto [first, last] = query.widest_reach(); first > last) return;
    const auto scored = look_at(query, scratch);
    Lane right(*this, scored, query, false, scratch);
    std::optional<Lane> left;
    if (query.tries_missing_left()) left.emplace(*this, scored, query, true, scratch);
    search_cuts(query, scored.impurity, right, left ? &*left : nullptr, out);
    add_own_branch(query, scratch, out);
  }

  // What parting the rows without a value from the others adds, where they have a branch of their own.
  template <class Index>
  void add_own_branch(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    if (!query.arrangements.own_branch || query.list.missing().empty()) return;
    auto& sides = scratch.sides[0].start(totals_, present_);
    move_left(query.list.missing(), sides);
    out.add_worth(impurity.judge(sides, totals_, present_));
  }

  // Of two classes, both present: a node of one is a leaf.
  bool is_in_order(const Monotone& monotone, const Sides& sides) const {
    const Sums left{sides.left[1], sides.left_weight}, right{sides.right[1], sides.right_weight};
    return treewright::is_in_order(*this, monotone, left, right, 0, 0);
  }

  template <class Index>
  void move_left(std::span<const Index> slots, Sides& sides) const {
    for (const auto slot : slots) sides.move(classes_[slot], weight_of(slot));
  }

  std::vector<std::uint16_t> classes_;
  std::size_t n_classes_ = 0;
  NodeStatistics facts_;
  Tally totals_;
  std::vector<std::uint16_t> present_;
};

}  // namespace treewright
