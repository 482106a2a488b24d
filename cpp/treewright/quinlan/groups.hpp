// Merge the categories of a column into groups, as C4.5's -s does: two groups at a time, while that raises
// the ratio of gain to the information of the split (Quinlan 1993, 7.3).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "treewright/criteria/classes.hpp"   // for EntropyOfClasses
#include "treewright/criteria/impurity.hpp"  // for ClassBucket
#include "treewright/interrupt.hpp"          // for heed_interrupts
#include "treewright/math/logarithm.hpp"     // for WideLog
#include "treewright/portable.hpp"           // for Int128
#include "treewright/quinlan/worth.hpp"      // for QuinlanWorth
#include "treewright/recipe/candidate.hpp"   // for Candidate
#include "treewright/search/categories.hpp"  // for Grouping

namespace treewright {

struct GroupingRules {
  std::int64_t total = 1;         // weight of the node, with the rows without a value
  bool unknown_is_branch = true;  // ... in the information of the split
  bool has_absent = false;        // categories that no row of the node has: they are in the rest
  std::int64_t light = 0;         // categories of no more weight are never merged: they are the rest
  std::int64_t least = 0;         // two branches must weigh this
  double no_gain = 0;             // weight times bits: a gain of no more is none
};

class QuinlanGrouping {
 public:
  QuinlanGrouping(std::span<const ClassBucket> buckets, const GroupingRules& rules)
      : rules_(rules), wide_(rules.total), n_buckets_(buckets.size()) {
    ClassBucket all{std::vector<std::int64_t>(buckets[0].weights.size())};
    for (const auto& bucket : buckets) add(all, bucket);
    known_ = all.weight;
    before_ = terms_of(all).after;
    before_split_ = rules.unknown_is_branch ? wide_.x_log_x(rules.total) - wide_.x_log_x(rules.total - known_)
                                            : wide_.x_log_x(known_);
    gather(buckets, all.weights.size());
    Int128 apart = 0;
    for (const auto& bucket : buckets) apart += terms_of(bucket).after;
    half_gain_ = gain(apart) / 2;
    merge_while_better();
  }

  // Class weights of the branches, the rest last.
  std::vector<ClassBucket> branches() const {
    std::vector<ClassBucket> branches;
    for (const auto& group : groups_) branches.push_back(group.sum);
    if (rest_) branches.push_back(rest_->sum);
    return branches;
  }

  Grouping grouping() const {
    Grouping found{.branch_of_bucket = std::vector<std::int32_t>(n_buckets_),
                   .n_branches = static_cast<std::int32_t>(groups_.size()),
                   .search = Search::Heuristic};
    const auto mark = [&](const Group& group, std::int32_t branch) {
      for (const auto bucket : group.buckets) found.branch_of_bucket[bucket] = branch;
    };
    for (std::size_t g = 0; g < groups_.size(); ++g) mark(groups_[g], static_cast<std::int32_t>(g));
    if (rest_) {
      mark(*rest_, found.n_branches);
      found.branch_of_absent = found.n_branches++;
    }
    return found;
  }

 private:
  static constexpr double kBetter = 1e-5;  // a merge must raise the ratio by this
  static constexpr double kNone = -1e-3;   // gain and ratio of a split that must not be or tells nothing

  // What a branch adds to the sums that gain and split are made of: weight times entropy of its rows,
  // x log x of their weight.
  struct Terms {
    Int128 after = 0, log = 0;
    int is_large = 0;

    Terms& operator+=(const Terms& more) {
      after += more.after;
      log += more.log;
      is_large += more.is_large;
      return *this;
    }
    Terms& operator-=(const Terms& less) {
      after -= less.after;
      log -= less.log;
      is_large -= less.is_large;
      return *this;
    }
  };
  struct Group {
    ClassBucket sum;
    std::vector<std::size_t> buckets;
    Terms terms;
  };
  struct Worth {
    bool keeps_half;  // of the gain of a branch a category
    double ratio;

    bool beats(const Worth& other) const {
      return keeps_half != other.keeps_half ? keeps_half : ratio > other.ratio;
    }
  };

  static void add(ClassBucket& to, const ClassBucket& more) {
    for (std::size_t k = 0; k < to.weights.size(); ++k) to.weights[k] += more.weights[k];
    to.weight += more.weight;
    to.rows += more.rows;
  }

  Terms terms_of(const ClassBucket& sum) const {
    Terms terms{.log = wide_.x_log_x(sum.weight), .is_large = sum.weight >= rules_.least};
    terms.after = terms.log;
    for (const auto weight : sum.weights) terms.after -= wide_.x_log_x(weight);
    return terms;
  }
  Terms terms_of_union(const Group& a, const Group& b) const {
    const auto weight = a.sum.weight + b.sum.weight;
    Terms terms{.log = wide_.x_log_x(weight), .is_large = weight >= rules_.least};
    terms.after = terms.log;
    for (std::size_t k = 0; k < a.sum.weights.size(); ++k)
      terms.after -= wide_.x_log_x(a.sum.weights[k] + b.sum.weights[k]);
    return terms;
  }

  void join(Group& to, const Group& more) const {
    add(to.sum, more.sum);
    to.buckets.insert(to.buckets.end(), more.buckets.begin(), more.buckets.end());
    to.terms = terms_of(to.sum);
  }

  static bool is_pure_in(const Group& group, std::size_t k) {
    return group.sum.weights[k] == group.sum.weight;
  }

  // A pure category joins the group that is pure in its class, if there is one; others start a group.
  void gather(std::span<const ClassBucket> buckets, std::size_t n_classes) {
    if (rules_.has_absent) rest_ = Group{.sum = {std::vector<std::int64_t>(n_classes)}};
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      Group one{buckets[b], {b}, terms_of(buckets[b])};
      if (one.sum.weight <= rules_.light) {
        if (!rest_) rest_ = Group{.sum = {std::vector<std::int64_t>(n_classes)}};
        join(*rest_, one);
        continue;
      }
      const auto heaviest = std::max_element(one.sum.weights.begin(), one.sum.weights.end());
      const auto k = static_cast<std::size_t>(heaviest - one.sum.weights.begin());
      const auto mate = !is_pure_in(one, k)
                            ? groups_.end()
                            : std::find_if(groups_.begin(), groups_.end(),
                                           [&](const Group& group) { return is_pure_in(group, k); });
      if (mate == groups_.end()) {
        groups_.push_back(std::move(one));
      } else {
        join(*mate, one);
      }
    }
  }

  double gain(Int128 after) const {
    const double fall = wide_.value(before_ - after);
    return std::abs(fall) <= rules_.no_gain ? 0 : fall / static_cast<double>(rules_.total);
  }

  double split(Int128 logs) const {
    return wide_.value(before_split_ - logs) /
           static_cast<double>(rules_.unknown_is_branch ? rules_.total : known_);
  }

  Worth judge(const Terms& sum) const {
    if (sum.is_large < 2) return {kNone >= half_gain_, kNone};
    const double bits = gain(sum.after), of_split = split(sum.log);
    return {bits >= half_gain_, of_split > -kNone ? bits / of_split : kNone};
  }

  // The union takes the place of the first of the two, the last group that of the second: so the order of
  // branches and of later pairs comes about.
  void merge_while_better() {
    Terms sum;
    for (const auto& group : groups_) sum += group.terms;
    if (rest_) sum += rest_->terms;
    double ratio = judge(sum).ratio;
    std::vector<std::vector<Terms>> unions(groups_.size());  // of p and q: [q][p], p < q
    const auto unite = [&](std::size_t g) {
      heed_interrupts_after(g * groups_[g].sum.weights.size());
      unions[g].resize(g);
      for (std::size_t p = 0; p < g; ++p) unions[g][p] = terms_of_union(groups_[p], groups_[g]);
    };
    for (std::size_t q = 0; groups_.size() > 2 && q < groups_.size(); ++q) unite(q);
    while (groups_.size() > 2) {
      std::optional<Worth> best;
      std::size_t first = 0, second = 0;
      for (std::size_t p = 0; p < groups_.size(); ++p) {
        heed_interrupts_at(p, 64);
        for (std::size_t q = p + 1; q < groups_.size(); ++q) {
          auto merged = sum;
          merged -= groups_[p].terms;
          merged -= groups_[q].terms;
          merged += unions[q][p];
          const auto worth = judge(merged);
          if (best && !worth.beats(*best)) continue;
          best = worth;
          first = p;
          second = q;
        }
      }
      if (best->ratio < ratio + kBetter) return;
      ratio = best->ratio;
      sum -= groups_[first].terms;
      sum -= groups_[second].terms;
      join(groups_[first], groups_[second]);
      sum += groups_[first].terms;
      std::swap(groups_[second], groups_.back());
      groups_.pop_back();
      for (const auto changed : {first, second}) {
        if (changed >= groups_.size()) continue;
        unite(changed);
        heed_interrupts_after(groups_.size() * groups_[changed].sum.weights.size());
        for (auto q = changed + 1; q < groups_.size(); ++q)
          unions[q][changed] = terms_of_union(groups_[changed], groups_[q]);
      }
    }
  }

  GroupingRules rules_;
  WideLog wide_;
  std::size_t n_buckets_;
  std::int64_t known_ = 0;
  Int128 before_ = 0;        // weight times entropy of the rows with a value
  Int128 before_split_ = 0;  // x log x of what is parted, the rows without a value taken off
  double half_gain_ = 0;
  std::vector<Group> groups_;
  std::optional<Group> rest_;
};

// Sets as C4.5 offers them where a category has no branch of its own, in whole numbers.
struct QuinlanSets {
  const EntropyOfClasses& exact;  // of the rows with a value
  const QuinlanWorth& worth;
  std::span<const std::int64_t> known;  // their class weights
  std::int64_t least;                   // what a branch must weigh

  // `buckets`: the categories present.
  void one_against_rest(std::span<const ClassBucket> buckets, Grouping& grouping, Candidate& out) const {
    std::int64_t weight = 0;
    for (const auto each : known) weight += each;
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      const auto& bucket = buckets[b];
      if (std::min(bucket.weight, weight - bucket.weight) < least) continue;
      std::vector<std::int64_t> rest(known.begin(), known.end());
      for (std::size_t k = 0; k < rest.size(); ++k) rest[k] -= bucket.weights[k];
      const ClassBucket branches[] = {bucket, {rest, weight - bucket.weight}};
      Candidate one;
      offer(branches, one);
      if (out.has_question() && !(one.score.worth > out.score.worth + worth.rules.tolerance)) continue;
      out = one;
      grouping = {.branch_of_bucket = std::vector<std::int32_t>(buckets.size(), b == 0 ? 1 : 0)};
      grouping.branch_of_bucket[b] = b == 0 ? 0 : 1;
      grouping.branch_of_absent = b == 0 ? 1 : 0;
    }
  }

  void in_groups(std::span<const ClassBucket> buckets, std::size_t n_categories, Grouping& grouping,
                 Candidate& out) const {
    constexpr double kRounded = 1e-6;  // what weighs 1 or 1/2 but for this does: fractions are rounded
    if (!are_enough(buckets, static_cast<std::int64_t>(std::ceil((1 - kRounded) / worth.unit)))) return;
    const QuinlanGrouping search(buckets,
                                 {.total = worth.weight_here,
                                  .unknown_is_branch = worth.rules.unknown_is_branch,
                                  .has_absent = buckets.size() < n_categories,
                                  .light = static_cast<std::int64_t>((0.5 + kRounded) / worth.unit),
                                  .least = least,
                                  .no_gain = worth.rules.is_strict ? worth.rules.tolerance / worth.unit : 0});
    const auto groups = search.branches();
    if (!are_enough(groups, least)) return;
    offer(groups, out);
    grouping = search.grouping();
  }

 private:
  static bool are_enough(std::span<const ClassBucket> branches, std::int64_t least_of_two) {
    return std::count_if(branches.begin(), branches.end(),
                         [&](const auto& branch) { return branch.weight >= least_of_two; }) >= 2;
  }

  void offer(std::span<const ClassBucket> branches, Candidate& out) const {
    Int128 after = 0;
    std::vector<std::int64_t> weights;
    for (const auto& branch : branches) {
      after += exact.information_of(branch.weights, branch.weight);
      weights.push_back(branch.weight);
    }
    out.offer(exact.fall_to(after), 0, false);
    worth.settle_set(weights, out);
  }
};

}  // namespace treewright
