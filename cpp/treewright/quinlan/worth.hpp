// What a question is worth as C4.5 sees it, once it is known by how much it lowers weight times entropy: a
// gain a unit of weight, less the cost of having tried many cuts, beside the information of the split itself.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "treewright/interrupt.hpp"             // for heed_interrupts
#include "treewright/math/logarithm.hpp"        // for WideLog, to_x_log_x, log2_of
#include "treewright/portable.hpp"              // for Int128
#include "treewright/recipe/candidate.hpp"      // for Candidate, kNoRatio
#include "treewright/recipe/recipe.hpp"         // for Quinlan
#include "treewright/search/categories.hpp"     // for Grouping
#include "treewright/search/class_buckets.hpp"  // for ClassBucket

namespace treewright {

// Weight times entropy of some rows, by their class weights, in whole numbers.
inline Int128 information_of(const WideLog& wide, std::span<const std::int64_t> weights,
                             std::int64_t weight) {
  auto sum = wide.x_log_x(weight);
  for (const auto each : weights) sum -= wide.x_log_x(each);
  return sum;
}

// What all columns of a node share.
struct QuinlanNode {
  Quinlan rules;
  double unit = 1;                // of weights
  std::int64_t n_declared = 1;    // classes
  bool weights_are_whole = true;  // fractions are rounded, whole weights are not
  double scale = 1;               // a power of two: weights times this have logarithms of moderate size

  // Of the node entered.
  std::span<const std::int64_t> totals;  // class weights
  std::int64_t weight = 1;
  // x log x of its weight, and that less those of the classes; scaled.
  double log_of_weight = 0, information = 0;

  void enter(std::span<const std::int64_t> totals_given, std::int64_t weight_given) {
    totals = totals_given;
    weight = weight_given;
    const auto n = (1 + totals.size() + kLogsAtOnce - 1) / kLogsAtOnce * kLogsAtOnce;
    logs_.assign(n, 0);
    logs_[0] = scaled(weight);
    for (std::size_t k = 0; k < totals.size(); ++k) logs_[1 + k] = scaled(totals[k]);
    to_x_log_x(logs_.data(), n);
    log_of_weight = information = logs_[0];
    for (std::size_t k = 0; k < totals.size(); ++k) information -= logs_[1 + k];
  }

  double scaled(std::int64_t some_weight) const { return static_cast<double>(some_weight) * scale; }

  // From weight times bits to bits a unit of the node's weight.
  double bits(double worth) const { return worth / static_cast<double>(weight); }

  // What either side of a cut must weigh: a tenth of the average class, at least `least` and 25 at most.
  std::int64_t least_side(std::int64_t known, std::int64_t least) const {
    if (!rules.scales_side) return least;
    const double side = 0.1 * static_cast<double>(known) / static_cast<double>(n_declared);
    if (side <= static_cast<double>(least)) return least;
    const double rounded = weights_are_whole ? 0 : 1e-6 / unit;
    return static_cast<std::int64_t>(std::ceil(std::min(side, 25 / unit) - rounded));
  }

  double cost_of(std::int64_t n_tries) const {
    if (!rules.charges_tries) return 0;
    return log2_of(static_cast<double>(n_tries)) / (static_cast<double>(weight) * unit);
  }

  // Take off what the cuts tried cost, and judge what is left by the information of the split.
  void settle_cut(std::int64_t left, std::int64_t known, Candidate& out) const {
    out.information.gain = bits(out.decrease) - cost_of(out.information.n_tries);
    if (!(out.information.gain > rules.tolerance)) {
      out.verdict = Verdict::NoGain;
      return;
    }
    const std::int64_t branches[] = {left, known - left};
    out.information.split = information_of_split(branches);
    settle_worth(out);
  }

  // The same of a branch a category, or a group of them.
  void settle_set(std::span<const std::int64_t> branches, Candidate& out) const {
    out.information.gain = is_no_gain(out.score.worth) ? 0 : bits(out.score.worth);
    out.information.all_gains = out.information.gain;
    out.information.split = information_of_split(branches);
    settle_worth(out);
  }

  // What rounding may have made of nothing is nothing.
  bool is_no_gain(double worth) const { return rules.is_strict && std::abs(worth) * unit <= rules.tolerance; }

  // T(unknown, branches) / weight of the node.
  double information_of_split(std::span<const std::int64_t> branches) const {
    const WideLog wide(weight);
    std::int64_t known = 0;
    for (const auto branch : branches) known += branch;
    if (!rules.unknown_is_branch)
      return wide.value(information_of(wide, branches, known)) / static_cast<double>(known);
    return bits(wide.value(information_of(wide, branches, weight) - wide.x_log_x(weight - known)));
  }

  // A split that tells less of its own has no ratio.
  double least_split() const { return rules.is_strict ? rules.tolerance : rules.slack; }

  void settle_worth(Candidate& out) const {
    const auto [gain, split] = std::pair(out.information.gain, out.information.split);
    out.score.worth = !rules.by_ratio ? gain : split > least_split() ? gain / split : kNoRatio;
  }

 private:
  std::vector<double> logs_;
};

// Merges the categories of a column into groups, as C4.5's -s does: two groups at a time, while that raises
// the ratio of gain to the information of the split (Quinlan 1993, 7.3).
class QuinlanGrouping {
 public:
  static constexpr double kRounded = 1e-6;  // what weighs 1 or 1/2 but for this does: fractions are rounded

  // `has_absent`: there are categories that no row of the node has: they are in the rest. `least`: what two
  // branches must weigh.
  QuinlanGrouping(const QuinlanNode& node, std::span<const ClassBucket> buckets, bool has_absent,
                  std::int64_t least)
      : node_(node), wide_(node.weight), least_(least), n_buckets_(buckets.size()), both_(nobody(buckets)) {
    auto all = nobody(buckets);
    Int128 apart = 0;
    for (const auto& bucket : buckets) {
      add(all, bucket);
      apart += terms_of(bucket).after;
    }
    before_ = terms_of(all).after;
    const bool unknown_is_branch = node.rules.unknown_is_branch;
    parted_ = unknown_is_branch ? node.weight : all.weight;
    before_split_ =
        wide_.x_log_x(parted_) - (unknown_is_branch ? wide_.x_log_x(node.weight - all.weight) : 0);
    half_gain_ = gain(apart) / 2;
    if (has_absent) rest_ = Group{.sum = nobody(buckets)};
    start_groups(buckets);
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
                   .n_branches = 0,
                   .search = Search::Heuristic};
    const auto add_branch = [&](const Group& group) {
      for (const auto bucket : group.buckets) found.branch_of_bucket[bucket] = found.n_branches;
      return found.n_branches++;
    };
    for (const auto& group : groups_) add_branch(group);
    if (rest_) found.branch_of_absent = add_branch(*rest_);
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

    void add(const Terms& more, int sign = 1) {
      after += sign * more.after;
      log += sign * more.log;
      is_large += sign * more.is_large;
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

  static ClassBucket nobody(std::span<const ClassBucket> buckets) {
    return {std::vector<std::int64_t>(buckets[0].weights.size())};
  }

  static void add(ClassBucket& to, const ClassBucket& more) {
    for (std::size_t k = 0; k < to.weights.size(); ++k) to.weights[k] += more.weights[k];
    to.weight += more.weight;
    to.rows += more.rows;
  }

  Terms terms_of(const ClassBucket& sum) const {
    return {information_of(wide_, sum.weights, sum.weight), wide_.x_log_x(sum.weight), sum.weight >= least_};
  }
  Terms terms_of_union(const Group& a, const Group& b) {
    both_ = a.sum;
    add(both_, b.sum);
    return terms_of(both_);
  }

  void join(Group& to, const Group& more) const {
    add(to.sum, more.sum);
    to.buckets.insert(to.buckets.end(), more.buckets.begin(), more.buckets.end());
    to.terms = terms_of(to.sum);
  }

  // Light categories are never merged: they are the rest. A pure one joins the group that is pure in its
  // class, if there is one; others start a group.
  void start_groups(std::span<const ClassBucket> buckets) {
    const auto light = static_cast<std::int64_t>((0.5 + kRounded) / node_.unit);
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      const auto& bucket = buckets[b];
      const Group one{bucket, {b}, terms_of(bucket)};
      if (bucket.weight <= light) {
        if (!rest_) rest_ = Group{.sum = nobody(buckets)};
        join(*rest_, one);
        continue;
      }
      const auto heaviest = std::ranges::max_element(bucket.weights) - bucket.weights.begin();
      const auto is_pure = [&](const ClassBucket& sum) {
        return sum.weights[static_cast<std::size_t>(heaviest)] == sum.weight;
      };
      const auto mate =
          !is_pure(bucket) ? groups_.end() : std::ranges::find_if(groups_, is_pure, &Group::sum);
      mate == groups_.end() ? groups_.push_back(one) : join(*mate, one);
    }
  }

  double gain(Int128 after) const {
    const double fall = wide_.value(before_ - after);
    const bool is_none = std::abs(fall) <= (node_.rules.is_strict ? node_.rules.tolerance / node_.unit : 0);
    return is_none ? 0 : node_.bits(fall);
  }

  Worth worth_of(const Terms& sum) const {
    if (sum.is_large < 2) return {kNone >= half_gain_, kNone};
    const double bits = gain(sum.after);
    const double of_split = wide_.value(before_split_ - sum.log) / static_cast<double>(parted_);
    return {bits >= half_gain_, of_split > -kNone ? bits / of_split : kNone};
  }

  // The union takes the place of the first of the two, the last group that of the second: so the order of
  // branches and of later pairs comes about.
  void merge_while_better() {
    Terms sum;
    for (const auto& group : groups_) sum.add(group.terms);
    if (rest_) sum.add(rest_->terms);
    double ratio = worth_of(sum).ratio;
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
          merged.add(groups_[p].terms, -1);
          merged.add(groups_[q].terms, -1);
          merged.add(unions[q][p]);
          const auto worth = worth_of(merged);
          if (best && !worth.beats(*best)) continue;
          best = worth;
          first = p;
          second = q;
        }
      }
      if (best->ratio < ratio + kBetter) return;
      ratio = best->ratio;
      sum.add(groups_[first].terms, -1);
      sum.add(groups_[second].terms, -1);
      join(groups_[first], groups_[second]);
      sum.add(groups_[first].terms);
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

  const QuinlanNode& node_;
  WideLog wide_;
  std::int64_t least_;
  std::size_t n_buckets_;
  ClassBucket both_;         // at work
  Int128 before_ = 0;        // weight times entropy of the rows with a value
  Int128 before_split_ = 0;  // x log x of what is parted, the rows without a value taken off
  std::int64_t parted_ = 0;
  double half_gain_ = 0;
  std::vector<Group> groups_;
  std::optional<Group> rest_;
};

// Sets of categories in whole numbers.
class ExactSets {
 public:
  explicit ExactSets(const QuinlanNode& node) : node_(node) {}

  // Class weights of the rows with a value.
  void enter(std::span<const std::int64_t> known, std::int64_t weight) {
    known_.assign(known.begin(), known.end());
    weight_ = weight;
    wide_ = WideLog(weight);
    before_ = information_of(known, weight);
  }

  // Weight times entropy of some rows; and by how much it falls where it comes to `after` in all.
  Int128 information_of(std::span<const std::int64_t> weights, std::int64_t weight) const {
    return treewright::information_of(wide_, weights, weight);
  }
  double fall_to(Int128 after) const { return wide_.value(before_ - after); }

  void offer_set(std::span<const ClassBucket> branches, Candidate& out) const {
    Int128 after = 0;
    std::vector<std::int64_t> weights;
    for (const auto& branch : branches) {
      after += information_of(branch.weights, branch.weight);
      weights.push_back(branch.weight);
    }
    out.offer(fall_to(after), 0, false);
    node_.settle_set(weights, out);
  }

  // `buckets`: the categories present; `least`: what a branch must weigh.
  void offer_one_against_rest(std::span<const ClassBucket> buckets, std::int64_t least, Grouping& grouping,
                              Candidate& out) const {
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      ClassBucket rest{known_, weight_ - buckets[b].weight};
      if (std::min(buckets[b].weight, rest.weight) < least) continue;
      for (std::size_t k = 0; k < known_.size(); ++k) rest.weights[k] -= buckets[b].weights[k];
      const ClassBucket branches[] = {buckets[b], rest};
      Candidate one;
      offer_set(branches, one);
      if (out.has_question() && !(one.score.worth > out.score.worth + node_.rules.tolerance)) continue;
      out = one;
      const std::int32_t of_one = b == 0 ? 0 : 1;
      grouping = {.branch_of_bucket = std::vector<std::int32_t>(buckets.size(), 1 - of_one)};
      grouping.branch_of_bucket[b] = of_one;
      grouping.branch_of_absent = 1 - of_one;
    }
  }

  void offer_groups(std::span<const ClassBucket> buckets, std::size_t n_categories, std::int64_t least,
                    Grouping& grouping, Candidate& out) const {
    const auto are_enough = [](std::span<const ClassBucket> branches, std::int64_t least_of_two) {
      const auto is_enough = [&](const auto& branch) { return branch.weight >= least_of_two; };
      return std::ranges::count_if(branches, is_enough) >= 2;
    };
    const double one = (1 - QuinlanGrouping::kRounded) / node_.unit;
    if (!are_enough(buckets, static_cast<std::int64_t>(std::ceil(one)))) return;
    const QuinlanGrouping search(node_, buckets, buckets.size() < n_categories, least);
    const auto groups = search.branches();
    if (!are_enough(groups, least)) return;
    offer_set(groups, out);
    grouping = search.grouping();
  }

 private:
  const QuinlanNode& node_;
  std::vector<std::int64_t> known_;
  std::int64_t weight_ = 0;
  WideLog wide_;
  Int128 before_ = 0;  // weight times entropy
};

}  // namespace treewright
