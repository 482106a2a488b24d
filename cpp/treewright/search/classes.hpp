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
#include "treewright/recipe/limits.hpp"         // for NodeStatistics, Limits
#include "treewright/recipe/missing.hpp"        // for Arrangements
#include "treewright/recipe/monotone.hpp"       // for Monotone, Value, compare_means
#include "treewright/search/class_buckets.hpp"  // for ClassBuckets
#include "treewright/search/class_runs.hpp"     // for ClassCount, Sides, Walk, kCutsInRun
#include "treewright/search/list_view.hpp"      // for ListView, Reach
#include "treewright/search/target.hpp"         // for Target, gather

namespace treewright {

// What a criterion over class weights needs: a cheap running `bound` to pass most cuts by (which need be near
// the worth only where it reaches the bar), and a `judge`.
// Where rows weigh 1 each, it may have `Runs`, which compute the bounds of many cuts at once.
//
// kIsConcave: with two classes the best set of categories is then a prefix in order of their share.
// kIsRatio: worth is the decrease divided by the information of the split itself.
// kPrefersEvenSides (where it is so): even sides break ties between cuts. The bound is then the worth itself.
template <class Impurity, bool kWeighted>
class ClassScan {
 public:
  // One a thread: the sides of the cut under the scan.
  struct Scratch {
    Sides with_missing_right, with_missing_left;
    std::vector<ClassCount> counts, counts_missing_left;
    std::vector<std::int64_t> totals;  // class weights of the rows that are scored
    std::vector<ClassBucket> buckets;
    Grouping grouping;
  };

  Impurity impurity;
  bool parts_in_two = false;  // no question has more than two branches

  void take(const Target& target) {
    classes_ = target.classes;
    if constexpr (kWeighted) weights_ = target.weights.of_slot;
    n_classes_ = static_cast<std::size_t>(target.n_classes);
    total_ = target.weights.total;
  }

  template <class Index>
  void take(const ClassScan& from, std::span<const Index> slots) {
    gather(classes_, from.classes_, slots);
    if constexpr (kWeighted) gather(weights_, from.weights_, slots);
    n_classes_ = from.n_classes_;
    total_ = from.total_;
    impurity = from.impurity;
    parts_in_two = from.parts_in_two;
  }

  template <class Index>
  NodeStatistics facts(std::span<const Index> slots, bool with_impurity) const {
    NodeStatistics facts{.rows = static_cast<std::int64_t>(slots.size())};
    facts.is_pure = true;
    for (const auto slot : slots) facts.weight += weight_of(slot);
    for (const auto slot : slots) {
      if (classes_[slot] == classes_[slots[0]]) continue;
      facts.is_pure = false;
      break;
    }
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

  double gain(double decrease) const { return decrease / static_cast<double>(total_); }

  // No cut can be worth more than one that leaves two pure sides; rows of a class each have no such cut, but
  // a best one all the same, if they are parted in two.
  double best_possible() const {
    if (present_.size() == 2) return impurity.best_of_two(totals_[present_[0]], totals_[present_[1]]);
    if constexpr (!kWeighted && requires { impurity.best_of_singles(1); }) {
      if (parts_in_two && static_cast<std::int64_t>(present_.size()) == facts_.rows)
        return impurity.best_of_singles(facts_.rows);
    }
    return std::numeric_limits<double>::infinity();
  }

  template <class Index, class Parts>
  void scan(const ListView<Index>& list, const Parts& parts, const Arrangements& ways, const Limits& limits,
            const Monotone& monotone, Scratch& scratch, Candidate& out) const {
    const std::int64_t n_known = list.n_known, n = ways.known_only ? n_known : list.n;
    if constexpr (!kWeighted && requires { typename Impurity::template Runs<Index>; }) {
      if (!monotone.is_asked() && Impurity::template Runs<Index>::serve(impurity, n, present_.size())) {
        scan_in_runs(list, parts, ways, limits, scratch, out);
        return;
      }
    }
    const auto right = reach_missing_right(n, n_known, limits.min_rows_leaf, ways.alone);
    const bool try_left = ways.left && n > n_known;
    const auto left = try_left ? reach_missing_left(n, n_known, limits.min_rows_leaf) : Reach{1, 0};
    const auto judges = look_at(list, ways, scratch);
    auto& sides = start(scratch.with_missing_right, scratch.totals);
    auto running = judges.start(sides, present_);
    auto& other_sides =
        try_left ? start(scratch.with_missing_left, scratch.totals) : scratch.with_missing_left;
    if (try_left) move_all(other_sides, list.slot + n_known, n - n_known);
    auto other_running = try_left ? judges.start(other_sides, present_) : running;

    double bar = bar_over(judges, out);
    const std::int64_t last = std::max(right.last, left.last);
    for (std::int64_t i = 1; i <= last; ++i) {
      const auto slot = list.slot[i - 1];
      const auto k = classes_[slot];
      const auto weight = weight_of(slot);
      judges.move(running, sides, k, weight);
      move(sides, k, weight);
      const auto judge = [&](const Sides& at, bool missing_left) {
        if (i < n_known && !parts(static_cast<std::uint32_t>(i))) return;
        if (!limits.allows_weights(at.left_weight, at.right_weight)) return;
        if (monotone.is_asked() && i < n_known && !is_in_order(monotone, at)) return;
        const Merit merit = judges.judge(at, scratch.totals, present_);
        if (out.offer(merit, static_cast<std::uint32_t>(i), missing_left, unevenness(at)))
          bar = bar_over(judges, out);
      };
      const auto may_win = [&](auto& of_cut, const Sides& at) {
        const double bound = judges.bound(of_cut, at, bar);
        return bound >= bar && (!kPrefersEvenSides<Impurity> || out.takes(bound, unevenness(at)));
      };
      if (right.holds(i) && may_win(running, sides)) judge(sides, false);
      if (!try_left) continue;
      judges.move(other_running, other_sides, k, weight);
      move(other_sides, k, weight);
      if (left.holds(i) && may_win(other_running, other_sides)) judge(other_sides, true);
    }
    if (ways.own_branch) out.add_worth(worth_of_missing(list, scratch));
  }

  template <class Index>
  void scan_at(const ListView<Index>& list, std::uint32_t n_left, const Arrangements& ways,
               const Limits& limits, const Monotone& monotone, Scratch& scratch, Candidate& out) const {
    const std::int64_t n_known = list.n_known, n = ways.known_only ? n_known : list.n;
    const auto judges = look_at(list, ways, scratch);
    auto& sides = start(scratch.with_missing_right, scratch.totals);
    move_all(sides, list.slot, n_left);
    const auto try_cut = [&](std::int64_t rows, bool missing_left) {
      if (rows < limits.min_rows_leaf || n - rows < limits.min_rows_leaf) return;
      if (!limits.allows_weights(sides.left_weight, sides.right_weight)) return;
      if (monotone.is_asked() && n_left < n_known && !is_in_order(monotone, sides)) return;
      out.offer(judges.judge(sides, scratch.totals, present_), n_left, missing_left, unevenness(sides));
    };
    if (n_left < n_known || (ways.alone && n_known < n)) try_cut(n_left, false);
    if (ways.left && n > n_known && n_left < n_known) {
      move_all(sides, list.slot + n_known, n - n_known);
      try_cut(n_left + (n - n_known), true);
    }
    if (ways.own_branch) out.add_worth(worth_of_missing(list, scratch));
  }

  // Offer the best question about categories; `starts(i)`: entry i begins another category.
  template <class Index, class Starts, class Run>
  void scan_categories(const ListView<Index>& list, const Starts& starts, const Arrangements& ways,
                       const Limits& limits, Scratch& scratch, Candidate& out, const Run& run) const {
    const auto judges = look_at(list, ways, scratch);
    ClassBuckets<Impurity> buckets(judges, present_, scratch.totals, scratch.buckets,
                                   start(scratch.with_missing_right, scratch.totals));
    scratch.buckets.clear();
    for (std::uint32_t begin = 0, end = 0; begin < list.n_known; begin = end) {
      for (end = begin + 1; end < list.n_known && !starts(end);) ++end;
      buckets.add(list.slot + begin, end - begin, *this);
    }
    buckets.add_missing(list.slot + list.n_known, list.n - list.n_known, *this,
                        ways.known_only ? list.n_known : list.n);
    CategorySearch search(buckets, list.n - list.n_known, ways, limits, out, scratch.grouping);
    run(search);
    if (ways.own_branch) out.add_worth(worth_of_missing(list, scratch));
  }

  // From now on a slot weighs this much.
  void weigh(std::size_t slot, std::int64_t weight)
    requires kWeighted
  {
    weights_[slot] = weight;
  }

  const std::int64_t* weights() const { return kWeighted ? weights_.data() : nullptr; }
  std::uint16_t class_of(std::size_t slot) const { return classes_[slot]; }

  std::int64_t weight_of(std::size_t slot) const {
    if constexpr (kWeighted) return weights_[slot];
    return 1;
  }

  // Share of class 1: of a side that has this weight of it, and of any slots.
  Value value(const Sums& side, std::int64_t) const {
    return {static_cast<double>(side.amount) / static_cast<double>(side.weight), kValueRounding};
  }
  template <class Index>
  double value_of(std::span<const Index> slots) const {
    Sums side;
    for (const auto slot : slots) {
      side.amount += classes_[slot] == 1 ? weight_of(slot) : 0;
      side.weight += weight_of(slot);
    }
    return value(side, 0).value;
  }

  // Class weights, for the ledger: of a node, of some slots, and put down.
  using Tally = std::vector<std::int64_t>;
  Tally no_tally() const { return Tally(n_classes_); }
  template <class List>
  Tally tally_of_node(const List&) const {
    return totals_;
  }
  template <class Index>
  Tally tally_of(const Index* slots, std::uint32_t n) const {
    auto tally = no_tally();
    for (std::uint32_t i = 0; i < n; ++i) tally[classes_[slots[i]]] += weight_of(slots[i]);
    return tally;
  }
  static void add(Tally& to, const Tally& more) {
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += more[k];
  }
  static void subtract(Tally& from, const Tally& less) {
    for (std::size_t k = 0; k < from.size(); ++k) from[k] -= less[k];
  }
  void tell_tally(const Tally& tally, std::vector<double>& outcome) const {
    for (const auto weight : tally) outcome.push_back(static_cast<double>(weight));
  }

  bool settles_inner() const { return false; }

  template <class Index>
  void settle(std::span<const Index> slots, const NodeStatistics&, LeafStore& leaves) const {
    const auto begin = leaves.weights.size();
    leaves.weights.resize(begin + n_classes_);
    for (const auto slot : slots) leaves.weights[begin + classes_[slot]] += weight_of(slot);
  }

 protected:
  // An arrangement of the missing rows while cuts move along the list.
  template <class Index>
  struct Lane {
    using Runs = typename Impurity::template Runs<Index>;

    Lane(const Impurity& judges, std::span<const std::uint16_t> present, std::int64_t n,
         const Walk<Index>& from, std::int64_t rows_left, const Reach& holds)
        : walk(from), runs(judges, present, n), n_extra(rows_left), reach(holds) {
      runs.begin(walk.counts, present, rows_left);
    }

    Walk<Index> walk;
    Runs runs;
    std::int64_t n_extra;  // missing rows that are left with every cut
    Reach reach;
    std::array<double, kCutsInRun> bounds;
  };

  // As `scan`, where every row weighs 1: bounds first, of a run of cuts at a time.
  template <class Index, class Parts>
  void scan_in_runs(const ListView<Index>& list, const Parts& parts, const Arrangements& ways,
                    const Limits& limits, Scratch& scratch, Candidate& out) const {
    const std::int64_t n_known = list.n_known, n = ways.known_only ? n_known : list.n;
    const bool known_only = ways.known_only && n_known < list.n, try_left = ways.left && n > n_known;
    const Impurity judges = known_only ? look_at(list, ways, scratch) : impurity;
    const auto& totals = known_only ? scratch.totals : totals_;
    const auto count_from = [&](std::vector<ClassCount>& counts, std::int64_t first_left) {
      counts.resize(n_classes_);
      for (const auto k : present_) counts[k] = {0, static_cast<std::int32_t>(totals[k])};
      for (auto i = first_left; i < n; ++i) ++counts[classes_[list.slot[i]]].left;
      return Walk<Index>{list.slot, classes_.data(), counts.data(), 0};
    };
    Lane<Index> right(judges, present_, n, count_from(scratch.counts, n), 0,
                      reach_missing_right(n, n_known, limits.min_rows_leaf, ways.alone));
    std::optional<Lane<Index>> left;
    if (try_left) {
      left.emplace(judges, present_, n, count_from(scratch.counts_missing_left, n_known), n - n_known,
                   reach_missing_left(n, n_known, limits.min_rows_leaf));
    }

    double bar = bar_over(judges, out);
    const auto last = left ? std::max(right.reach.last, left->reach.last) : right.reach.last;
    for (std::int64_t base = 0; base < last; base += kCutsInRun) {
      const auto length = static_cast<std::size_t>(std::min<std::int64_t>(kCutsInRun, last - base));
      const auto run = [&](Lane<Index>& lane) {
        lane.walk.go_to(base);
        return lane.runs.run(lane.walk, length, base + 1 + lane.n_extra, lane.bounds.data());
      };
      const auto allows = [&](const Lane<Index>& lane, std::size_t j) {
        const auto i = base + static_cast<std::int64_t>(j) + 1, rows_left = i + lane.n_extra;
        return lane.reach.holds(i) && (i == n_known || parts(static_cast<std::uint32_t>(i))) &&
               limits.allows_weights(rows_left, n - rows_left);
      };
      double bar_here = bar;
      const auto judge = [&](Lane<Index>& lane, std::size_t j, bool missing_left) {
        if (!(lane.bounds[j] >= std::max(bar, bar_here))) return;
        const auto i = base + static_cast<std::int64_t>(j) + 1, rows_left = i + lane.n_extra;
        const auto uneven = unevenness_of<Impurity>(rows_left, n - rows_left);
        if (kPrefersEvenSides<Impurity> && !out.takes(lane.bounds[j], uneven)) return;
        if (!allows(lane, j)) return;
        const auto merit_of = [&]() -> Merit {
          if constexpr (requires { lane.runs.judge(j, rows_left); }) {
            if (lane.runs.judges()) return lane.runs.judge(j, rows_left);
          }
          lane.walk.go_to(i);
          return judges.judge(sides_of(lane, rows_left, n, scratch.with_missing_right), totals, present_);
        };
        const auto merit = merit_of();
        if (out.offer(merit, static_cast<std::uint32_t>(i), missing_left, uneven))
          bar = bar_over(judges, out);
      };
      double top = run(right);
      if (left) top = std::max(top, run(*left));
      if (top < bar) continue;
      // Where a judge has to look at every class, only what is as good as the best of the run, but for
      // rounding, gets to it.
      if constexpr (requires { judges.floor_of_bound(top); }) {
        if (!right.runs.judges() && out.every == nullptr) {
          const auto raise = [&](const Lane<Index>& lane, std::size_t j) {
            const double raised = judges.floor_of_bound(lane.bounds[j]);
            if (raised > bar_here && allows(lane, j)) bar_here = raised;
          };
          for (std::size_t j = 0; j < length; ++j) {
            raise(right, j);
            if (left) raise(*left, j);
          }
        }
      }
      for (std::size_t j = 0; j < length; ++j) {
        judge(right, j, false);
        if (left) judge(*left, j, true);
      }
    }
    if (ways.own_branch) out.add_worth(worth_of_missing(list, scratch));
  }

  // What a lane has counted, as a judge wants it.
  template <class Index>
  const Sides& sides_of(const Lane<Index>& lane, std::int64_t rows_left, std::int64_t n, Sides& sides) const {
    sides.left.resize(n_classes_);
    sides.right.resize(n_classes_);
    for (const auto k : present_) {
      const auto& count = lane.walk.counts[k];
      sides.left[k] = count.left;
      sides.right[k] = count.all - count.left;
    }
    sides.left_weight = rows_left;
    sides.right_weight = n - rows_left;
    return sides;
  }

  // The criterion for the rows that are scored, whose class weights go to scratch.totals.
  template <class Index>
  Impurity look_at(const ListView<Index>& list, const Arrangements& ways, Scratch& scratch) const {
    scratch.totals = totals_;
    if (!ways.known_only || list.n_known == list.n) return impurity;
    std::int64_t weight = facts_.weight;
    for (std::uint32_t i = list.n_known; i < list.n; ++i) {
      scratch.totals[classes_[list.slot[i]]] -= weight_of(list.slot[i]);
      weight -= weight_of(list.slot[i]);
    }
    auto known = impurity;
    known.enter(scratch.totals, present_, weight);
    return known;
  }

  // Worth of parting the rows without a value from the others.
  template <class Index>
  Merit worth_of_missing(const ListView<Index>& list, Scratch& scratch) const {
    if (list.n_known == list.n) return 0;
    auto& sides = start(scratch.with_missing_right, totals_);
    move_all(sides, list.slot + list.n_known, list.n - list.n_known);
    return impurity.judge(sides, totals_, present_);
  }

  // Of two classes, both present: a node of one is a leaf.
  bool is_in_order(const Monotone& monotone, const Sides& sides) const {
    const Sums left{sides.left[1], sides.left_weight}, right{sides.right[1], sides.right_weight};
    const auto order = compare_means(left.amount, left.weight, right.amount, right.weight);
    return monotone.allows(order, value(left, 0), value(right, 0));
  }

  static std::int64_t unevenness(const Sides& sides) {
    return unevenness_of<Impurity>(sides.left_weight, sides.right_weight);
  }

  // Everything on the right.
  Sides& start(Sides& sides, const std::vector<std::int64_t>& totals) const {
    sides.left.resize(n_classes_);
    sides.right.resize(n_classes_);
    sides.left_weight = sides.right_weight = 0;
    for (const auto k : present_) {
      sides.left[k] = 0;
      sides.right[k] = totals[k];
      sides.right_weight += totals[k];
    }
    return sides;
  }

  static void move(Sides& sides, std::uint16_t k, std::int64_t weight) {
    sides.left[k] += weight;
    sides.right[k] -= weight;
    sides.left_weight += weight;
    sides.right_weight -= weight;
  }

  template <class Index>
  void move_all(Sides& sides, const Index* slots, std::int64_t n) const {
    for (std::int64_t i = 0; i < n; ++i) move(sides, classes_[slots[i]], weight_of(slots[i]));
  }

  std::vector<std::uint16_t> classes_;
  std::vector<std::int64_t> weights_;
  std::size_t n_classes_ = 0;
  std::int64_t total_ = 0;
  NodeStatistics facts_;
  std::vector<std::int64_t> totals_;
  std::vector<std::uint16_t> present_;
};

}  // namespace treewright
