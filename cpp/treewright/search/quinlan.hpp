// The best question of a column as C4.5 finds it: cuts by gain, less the cost of having tried many; rows
// without a value lower the gain and count as a branch in the information of the split (Quinlan 1993, 1996).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "treewright/criteria/entropy.hpp"        // for EntropyOfClasses
#include "treewright/criteria/quinlan_worth.hpp"  // for QuinlanWorth
#include "treewright/portable.hpp"                // for Int128
#include "treewright/recipe/ranking.hpp"          // for AboveAverageGain
#include "treewright/recipe/recipe.hpp"           // for Recipe, Quinlan
#include "treewright/search/classes.hpp"          // for ClassScan
#include "treewright/search/groups.hpp"           // for QuinlanGrouping

namespace treewright {

template <bool kWeighted>
class QuinlanScan : public ClassScan<EntropyOfClasses, kWeighted> {
  using Base = ClassScan<EntropyOfClasses, kWeighted>;
  using Base::classes_, Base::facts_, Base::n_classes_, Base::present_, Base::totals_;
  using Base::look_at, Base::start, Base::move;

 public:
  using Base::impurity;
  using Scratch = typename Base::Scratch;
  using Base::weight_of, Base::gain;

  QuinlanScan() = default;
  QuinlanScan(const Quinlan& rules, Categories categories)
      : rules_(rules), categories_(categories), worth_{.rules = rules, .weights_are_whole = !kWeighted} {}

  void take(const Target& target) {
    Base::take(target);
    worth_.unit = target.weights.unit;
    worth_.n_declared = std::max<std::int64_t>(rules_.n_classes, target.n_classes);
  }
  template <class Index>
  void take(const QuinlanScan& from, std::span<const Index> slots) {
    Base::take(from, slots);
    rules_ = from.rules_;
    categories_ = from.categories_;
    worth_ = from.worth_;
    values_apart_ = from.values_apart_;
  }

  template <class Index>
  void enter(std::span<const Index> slots, const NodeStatistics& facts) {
    Base::enter(slots, facts);
    worth_.weight_here = facts.weight;
    is_second_look_ = false;
    enough_ = -std::numeric_limits<double>::infinity();
  }

  // Where every cut is a candidate of its own: once the average is known, those that reach it compete by
  // ratio.
  bool looks_again(std::span<const Candidate> candidates, const std::vector<bool>& has_many_values) {
    if (!rules_.every_cut_counts || !rules_.by_ratio) return false;
    is_second_look_ = true;
    enough_ = AboveAverageGain(rules_, has_many_values).average(candidates) - rules_.slack;
    return true;
  }

  // The average looks at every column.
  double best_possible() const { return std::numeric_limits<double>::infinity(); }

  template <class Index, class Parts>
  void scan(const ListView<Index>& list, const Parts& parts, const Arrangements& ways, const Limits& limits,
            const Monotone&, Scratch& scratch, Candidate& out) const {
    if constexpr (!kWeighted) {
      if (present_.size() == 2 && list.n_known == list.n && list.n < impurity.table().size() &&
          !rules_.every_cut_counts && out.every == nullptr) {
        scan_two_classes(list, parts, limits, scratch, out);
        return;
      }
    }
    const auto judges = look_at(list, ways, scratch);
    auto& sides = start(scratch.with_missing_right, scratch.totals);
    auto running = judges.start(sides, present_);
    const auto side = worth_.least_side(sides.right_weight, limits.min_weight_leaf);
    auto& information = out.information;
    information.n_tries = 0;
    double bar = -std::numeric_limits<double>::infinity();
    std::int64_t left_of_best = 0;
    bool is_first = true;
    for (std::uint32_t i = 1; i < list.n_known; ++i) {
      const auto slot = list.slot[i - 1];
      judges.move(running, sides, classes_[slot], weight_of(slot));
      move(sides, classes_[slot], weight_of(slot));
      if (!parts(i)) continue;
      if (out.every != nullptr) {
        const bool is_allowed = sides.left_weight >= side && sides.right_weight >= side &&
                                limits.allows_weights(sides.left_weight, sides.right_weight);
        if (is_allowed || limits.min_weight_leaf == 0)
          out.offer(judges.judge(sides, scratch.totals, present_), i, false);
        continue;
      }
      if (sides.left_weight < side) continue;
      if (sides.right_weight < side) break;
      ++information.n_tries;
      if (rules_.every_cut_counts) {
        const double near = judges.near(sides, present_);
        information.all_gains += bits(near);
        if (bits(near) < enough_ || !limits.allows_weights(sides.left_weight, sides.right_weight)) continue;
        if ((is_second_look_ ? ratio_at_most(judges, near, sides) : near + judges.slack()) < out.score.worth)
          continue;
        const double worth = judges.judge(sides, scratch.totals, present_);
        if (out.offer({is_second_look_ ? ratio(worth, sides) : worth, worth}, i, false))
          left_of_best = sides.left_weight;
        continue;
      }
      if (!limits.allows_weights(sides.left_weight, sides.right_weight)) continue;
      if (!std::exchange(is_first, false) && is_inside_of_run(list, parts, i, sides, side)) continue;
      if (judges.bound(running, sides, bar) < bar) continue;
      const double worth = judges.judge(sides, scratch.totals, present_);
      if (!out.offer(worth, i, false)) continue;
      bar = judges.bar(worth);
      left_of_best = sides.left_weight;
    }
    if (!out.has_question()) return;
    settle_cut(left_of_best, sides.left_weight + sides.right_weight, out);
  }

  // The left side of a cut, where the scan kept it: of two classes.
  std::optional<typename Base::Tally> tally_of_left(const Candidate& cut) const {
    if (cut.left_weight == 0) return std::nullopt;
    auto tally = this->no_tally();
    tally[present_[0]] = cut.left_weight - cut.left_amount;
    tally[present_[1]] = cut.left_amount;
    return tally;
  }

  // By column and slot of the table: the value above lies further off than values that count as one.
  void share_values_apart(std::shared_ptr<const std::vector<std::vector<bool>>> apart) {
    values_apart_ = std::move(apart);
  }
  const std::vector<std::vector<bool>>* values_apart() const { return values_apart_.get(); }

  void settle_cut(std::int64_t left, std::int64_t known, Candidate& out) const {
    worth_.settle_cut(left, known, out);
  }

  // Cuts at random are not Quinlan's, and `check` lets nobody ask for them.
  template <class Index>
  void scan_at(const ListView<Index>&, std::uint32_t, const Arrangements&, const Limits&, const Monotone&,
               Scratch&, Candidate&) const {}

  template <class Index, class Starts, class Run>
  void scan_categories(const ListView<Index>& list, const Starts& starts, const Arrangements& ways,
                       const Limits& limits, Scratch& scratch, Candidate& out, const Run&) const {
    const auto judges = look_at(list, ways, scratch);
    scratch.buckets.clear();
    for (std::uint32_t begin = 0, end = 0; begin < list.n_known; begin = end) {
      for (end = begin + 1; end < list.n_known && !starts(end);) ++end;
      ClassBucket bucket{std::vector<std::int64_t>(n_classes_), 0, end - begin};
      for (auto i = begin; i < end; ++i) {
        bucket.weights[classes_[list.slot[i]]] += weight_of(list.slot[i]);
        bucket.weight += weight_of(list.slot[i]);
      }
      scratch.buckets.push_back(std::move(bucket));
    }
    if (categories_ == Categories::OneVsRest) {
      one_against_rest(judges, limits, scratch, out);
    } else if (categories_ == Categories::Groups && list.n_categories > 2) {
      in_groups(judges, limits, list.n_categories, scratch, out);
    } else {
      each_apart(judges, limits, scratch, out);
    }
  }

 private:
  double bits(double worth) const { return worth_.bits(worth); }

  // As `scan`, where every row weighs 1 and is of one of two classes: what there is to look up is looked up
  // for those cuts only that may be the best.
  template <class Index, class Parts>
  void scan_two_classes(const ListView<Index>& list, const Parts& parts, const Limits& limits,
                        Scratch& scratch, Candidate& out) const {
    const double* const logs = impurity.table().data();
    const std::int64_t n = list.n, of_first = totals_[present_[0]], of_second = totals_[present_[1]];
    const auto side = std::max<std::int64_t>(1, worth_.least_side(n, limits.min_weight_leaf));
    auto& information = out.information;
    information.n_tries = 0;
    double bar = -std::numeric_limits<double>::infinity();
    std::int64_t second = 0, left_of_best = 0;  // rows of the second class on the left
    constexpr int kNothing = -1, kMixed = -2;
    int run = kMixed;  // class of the rows since the last cut that was looked up, if they are of one
    bool next_is_cut = parts(1);
    auto next = classes_[list.slot[0]];
    for (std::int64_t i = 1; i <= n - side; ++i) {
      const int passed = std::exchange(next, classes_[list.slot[i]]);
      second += passed == present_[1];
      run = run == kNothing || run == passed ? passed : kMixed;
      const bool is_cut = std::exchange(next_is_cut, i + 1 < n && parts(static_cast<std::uint32_t>(i + 1)));
      if (!is_cut || i < side) continue;
      ++information.n_tries;
      if (run == next && next_is_cut && i < n - side) continue;  // see `is_inside_of_run`
      run = kNothing;
      const auto first = i - second;
      const double sum = logs[first] + logs[of_first - first] + logs[second] + logs[of_second - second];
      if (impurity.bound_at(sum, logs[i] + logs[n - i]) < bar) continue;
      const double worth = judge_two(first, second, scratch.with_missing_right);
      if (!out.offer(worth, static_cast<std::uint32_t>(i), false)) continue;
      bar = impurity.bar(worth);
      left_of_best = i;
      out.left_amount = second;
      out.left_weight = i;
    }
    if (out.has_question()) settle_cut(left_of_best, n, out);
  }

  double judge_two(std::int64_t first, std::int64_t second, Sides& sides) const {
    start(sides, totals_);
    move(sides, present_[0], first);
    move(sides, present_[1], second);
    return impurity.judge(sides, totals_, present_);
  }

  // Between the first and the last cut of a run of rows of one class none is better than both of them (Fayyad
  // and Irani 1992): the gain is convex there.
  template <class Index, class Parts>
  bool is_inside_of_run(const ListView<Index>& list, const Parts& parts, std::uint32_t i, const Sides& sides,
                        std::int64_t side) const {
    if (i + 1 >= list.n_known || i < 2) return false;
    const auto k = classes_[list.slot[i]];
    if (classes_[list.slot[i - 1]] != k || !parts(i - 1) || !parts(i + 1)) return false;
    return sides.right_weight - weight_of(list.slot[i]) >= side;
  }

  // No less than `ratio`, and sooner told.
  double ratio_at_most(const EntropyOfClasses& judges, double near, const Sides& sides) const {
    const auto known = sides.left_weight + sides.right_weight, unknown = facts_.weight - known;
    const double of_sides = judges.log_of(sides.left_weight) + judges.log_of(sides.right_weight);
    const double split = rules_.unknown_is_branch
                             ? judges.log_of(facts_.weight) - judges.log_of(unknown) - of_sides
                             : judges.log_of(known) - of_sides;
    const auto weight = static_cast<double>(rules_.unknown_is_branch ? facts_.weight : known);
    if (!(split > judges.slack())) return std::numeric_limits<double>::infinity();
    return bits(near + judges.slack()) / ((split - judges.slack()) / weight);
  }

  double ratio(double worth, const Sides& sides) const {
    const std::int64_t branches[] = {sides.left_weight, sides.right_weight};
    const auto known = sides.left_weight + sides.right_weight;
    return bits(worth) / worth_.information_of_split(facts_.weight - known, branches);
  }

  static std::int64_t weight_of_all(const Scratch& scratch) {
    std::int64_t sum = 0;
    for (const auto& bucket : scratch.buckets) sum += bucket.weight;
    return sum;
  }

  void each_apart(const EntropyOfClasses& judges, const Limits& limits, Scratch& scratch,
                  Candidate& out) const {
    const auto n_large = std::count_if(scratch.buckets.begin(), scratch.buckets.end(),
                                       [&](const auto& b) { return b.weight >= limits.min_weight_leaf; });
    if (n_large < 2) return;
    Int128 after = 0;
    std::vector<std::int64_t> branches;
    for (const auto& bucket : scratch.buckets) {
      after += judges.information_of(bucket.weights, bucket.weight);
      branches.push_back(bucket.weight);
    }
    auto& best = scratch.grouping;
    best = {.n_branches = static_cast<std::int32_t>(branches.size()), .is_each_apart = true};
    out.offer(judges.fall_to(after), 0, false);
    worth_.settle_set(branches, out);
  }

  void one_against_rest(const EntropyOfClasses& judges, const Limits& limits, Scratch& scratch,
                        Candidate& out) const {
    const auto known = weight_of_all(scratch);
    for (std::size_t b = 0; b < scratch.buckets.size(); ++b) {
      const auto& bucket = scratch.buckets[b];
      if (!limits.allows_weights(bucket.weight, known - bucket.weight)) continue;
      auto rest = scratch.totals;
      for (const auto k : present_) rest[k] -= bucket.weights[k];
      const auto after = judges.information_of(bucket.weights, bucket.weight) +
                         judges.information_of(rest, known - bucket.weight);
      Candidate one;
      one.offer(judges.fall_to(after), 0, false);
      const std::int64_t branches[] = {bucket.weight, known - bucket.weight};
      worth_.settle_set(branches, one);
      if (out.has_question() && !(one.score.worth > out.score.worth + rules_.tolerance)) continue;
      one.n_missing = out.n_missing;
      out = one;
      auto& best = scratch.grouping;
      best = {.branch_of_bucket = std::vector<std::int32_t>(scratch.buckets.size(), b == 0 ? 1 : 0)};
      best.branch_of_bucket[b] = b == 0 ? 0 : 1;
      best.branch_of_absent = b == 0 ? 1 : 0;
    }
  }

  void in_groups(const EntropyOfClasses& judges, const Limits& limits, std::size_t n_categories,
                 Scratch& scratch, Candidate& out) const {
    const auto are_enough = [](const std::vector<ClassBucket>& branches, std::int64_t least) {
      return std::count_if(branches.begin(), branches.end(),
                           [&](const auto& b) { return b.weight >= least; }) >= 2;
    };
    // Shares of rows are rounded: what weighs 1 or 1/2 but for that does.
    const auto one = static_cast<std::int64_t>(std::ceil((1 - kRounded) / worth_.unit));
    if (!are_enough(scratch.buckets, one)) return;
    const QuinlanGrouping search(scratch.buckets,
                                 {.total = facts_.weight,
                                  .unknown_is_branch = rules_.unknown_is_branch,
                                  .has_absent = scratch.buckets.size() < n_categories,
                                  .light = static_cast<std::int64_t>((0.5 + kRounded) / worth_.unit),
                                  .least = limits.min_weight_leaf,
                                  .no_gain = rules_.is_strict ? rules_.tolerance / worth_.unit : 0});
    const auto groups = search.branches();
    if (!are_enough(groups, limits.min_weight_leaf)) return;
    Int128 after = 0;
    std::vector<std::int64_t> branches;
    for (const auto& group : groups) {
      after += judges.information_of(group.weights, group.weight);
      branches.push_back(group.weight);
    }
    scratch.grouping = search.grouping();
    out.offer(judges.fall_to(after), 0, false);
    worth_.settle_set(branches, out);
  }

  static constexpr double kRounded = 1e-6;

  Quinlan rules_;
  Categories categories_ = Categories::Multiway;
  QuinlanWorth worth_;
  std::shared_ptr<const std::vector<std::vector<bool>>> values_apart_;
  bool is_second_look_ = false;
  double enough_ = -std::numeric_limits<double>::infinity();  // that a cut must gain
};

}  // namespace treewright
