// What a split is worth to C4.5, given its decrease of weight times entropy: the gain per unit of weight,
// less the charge for trying many cuts, and the information of the split itself.
#pragma once

#include "treewright/criteria/impurity.hpp"  // for ClassBucket
#include "treewright/math/logarithm.hpp"     // for WideLog, log2_of_whole
#include "treewright/recipe/candidate.hpp"   // for Candidate, kNoRatio
#include "treewright/recipe/recipe.hpp"      // for Quinlan
#include "treewright/search/categories.hpp"  // for Grouping

namespace treewright {

// Weight times entropy of rows with these class weights, in whole numbers.
inline Int128 information_of(const WideLog& wide, std::span<const std::int64_t> weights,
                             std::int64_t weight) {
  auto sum = wide.x_log_x(weight);
  for (const auto each : weights) sum -= wide.x_log_x(each);
  return sum;
}

// Whether a split on categories has a branch for each of them.
inline bool has_branch_a_value(Categories categories, std::uint32_t n_categories) {
  return categories == Categories::Multiway || (categories == Categories::Groups && n_categories <= 2);
}

// Bounds on the errors of a column's figures, in bits.
struct FigureErrors {
  double gain = 0, split = 0, worth = 0;
};

// What all columns of a node share.
struct QuinlanNode {
  Quinlan rules;
  double unit = 1;                // of weights
  std::int64_t n_declared = 1;    // classes
  bool weights_are_whole = true;  // fractions are rounded, whole weights are not
  double scale = 1;               // a power of two: weights times this have logarithms of moderate size
  std::span<const std::int64_t> totals;  // class weights
  std::int64_t weight = 1;

  double scaled(std::int64_t some_weight) const { return static_cast<double>(some_weight) * scale; }

  // Convert weight times bits to bits per unit of the node's weight.
  double bits(double worth) const { return worth / static_cast<double>(weight); }

  // Information of the split per unit of weight; missing values count as a branch if the rules say so.
  double information_of_split(std::span<const std::int64_t> branches) const {
    const WideLog wide(weight);
    std::int64_t known = 0;
    for (const auto branch : branches) known += branch;
    if (!rules.unknown_is_branch)
      return wide.value(information_of(wide, branches, known)) / static_cast<double>(known);
    return bits(wide.value(information_of(wide, branches, weight) - wide.x_log_x(weight - known)));
  }

  // Set the gain of a cut, less the charge for the cuts tried, and its worth by the split information. False:
  // within the errors of the figures, the outcome could be another.
  bool settle_cut(double split, FigureErrors& errors, Candidate& out) const {
    double gain = bits(out.decrease);
    if (rules.charges_tries)
      gain -= log2_of_whole(out.information.n_tries) / (static_cast<double>(weight) * unit);
    if (errors.gain > 0 && std::abs(gain - rules.tolerance) <= errors.gain) return false;
    out.information.gain = gain;
    if (gain > rules.tolerance) return settle_worth(split, errors, out);
    out.verdict = Verdict::NoGain;
    return true;
  }

  // The same for a branch per category or group. Under strict rules a mere rounding error counts as no gain.
  bool settle_set(double split, FigureErrors& errors, Candidate& out) const {
    const double off = errors.gain * static_cast<double>(weight);
    const auto is_none = [&](double fall) {
      return rules.is_strict && std::abs(fall) * unit <= rules.tolerance;
    };
    const bool is_nothing = is_none(out.decrease);
    if (is_none(out.decrease - off) != is_nothing || is_none(out.decrease + off) != is_nothing) return false;
    if (is_nothing) errors.gain = 0;
    out.information.gain = out.information.all_gains = is_nothing ? 0 : bits(out.decrease);
    return settle_worth(split, errors, out);
  }

 private:
  // A split with no more information than `least` has no gain ratio.
  bool settle_worth(double split, FigureErrors& errors, Candidate& out) const {
    const double least = rules.is_strict ? rules.tolerance : rules.slack, gain = out.information.gain;
    if (errors.split > 0 && std::abs(split - least) <= errors.split) return false;
    out.information.split = split;
    out.score.worth = !rules.by_ratio ? gain : split > least ? gain / split : kNoRatio;
    errors.worth = !rules.by_ratio ? errors.gain : 0;
    if (rules.by_ratio && split > least)
      errors.worth = (errors.gain + std::abs(out.score.worth) * errors.split) / (split - errors.split);
    return split > errors.split;
  }
};

// Merges the categories of a column into groups, as C4.5's -s does: two groups at a time, while that raises
// the gain ratio (Quinlan 1993, 7.3).
class QuinlanGrouping {
 public:
  static constexpr double kRounded = 1e-6;  // weights within this of 1 or 1/2 equal it: fractions are rounded

  // `has_absent`: some categories occur in no row of the node; they go into the rest. `least`: the weight
  // that two branches must reach.
  QuinlanGrouping(const QuinlanNode& node, std::span<const ClassBucket> buckets, bool has_absent,
                  std::int64_t least)
      : node_(node), wide_(node.weight), least_(least), nobody_(buckets[0].weights.size()) {
    ClassBucket all{nobody_};
    Int128 apart = 0;
    for (const auto& bucket : buckets) {
      add(all, bucket);
      apart += terms_of(bucket).after;
    }
    before_ = terms_of(all).after;
    const auto unknown = node.rules.unknown_is_branch ? node.weight - all.weight : 0;
    parted_ = all.weight + unknown;
    before_split_ = wide_.x_log_x(parted_) - wide_.x_log_x(unknown);
    half_gain_ = gain(apart) / 2;
    if (has_absent) rest_ = Group{{nobody_}, {}, {}};
    start_groups(buckets);
    merge_while_better();
    if (rest_) groups_.push_back(*rest_);
    grouping = {.branch_of_bucket = std::vector<std::int32_t>(buckets.size()),
                .n_branches = static_cast<std::int32_t>(groups_.size()),
                .branch_of_absent = rest_ ? static_cast<std::int32_t>(groups_.size()) - 1 : -1,
                .search = Search::Heuristic};
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      branches.push_back(groups_[g].sum);
      for (const auto bucket : groups_[g].buckets)
        grouping.branch_of_bucket[bucket] = static_cast<std::int32_t>(g);
    }
  }

  std::vector<ClassBucket> branches;  // the rest is last
  Grouping grouping;

 private:
  static constexpr double kBetter = 1e-5;  // a merge must raise the ratio by at least this
  static constexpr double kNone = -1e-3;   // gain and ratio of a split that is not allowed or tells nothing

  // What a branch adds to the sums behind gain and split information: weight times entropy of its rows, x log
  // x of their weight; and whether it is heavy enough.
  struct Terms {
    Int128 after = 0, log = 0;
    int is_large = 0;

    Terms plus(const Terms& more, int sign = 1) const {
      return {after + sign * more.after, log + sign * more.log, is_large + sign * more.is_large};
    }
  };
  struct Group {
    ClassBucket sum;
    std::vector<std::size_t> buckets;
    Terms terms;
  };
  // Whether the gain is at least half that of a branch per category; then the gain ratio.
  using Worth = std::pair<bool, double>;

  static void add(ClassBucket& to, const ClassBucket& more) {
    for (std::size_t k = 0; k < to.weights.size(); ++k) to.weights[k] += more.weights[k];
    to.weight += more.weight;
  }

  Terms terms_of(const ClassBucket& sum) const {
    return {information_of(wide_, sum.weights, sum.weight), wide_.x_log_x(sum.weight), sum.weight >= least_};
  }

  void join(Group& to, const Group& more) const {
    add(to.sum, more.sum);
    to.buckets.insert(to.buckets.end(), more.buckets.begin(), more.buckets.end());
    to.terms = terms_of(to.sum);
  }

  // Light categories form the rest and are never merged. A pure category joins the group that is pure in the
  // same class, if there is one; every other category starts a group.
  void start_groups(std::span<const ClassBucket> buckets) {
    const auto light = static_cast<std::int64_t>((0.5 + kRounded) / node_.unit);
    for (std::size_t b = 0; b < buckets.size(); ++b) {
      const auto& bucket = buckets[b];
      const Group one{bucket, {b}, terms_of(bucket)};
      if (bucket.weight <= light) {
        if (!rest_) rest_ = Group{{nobody_}, {}, {}};
        join(*rest_, one);
        continue;
      }
      const auto heaviest = std::ranges::max_element(bucket.weights) - bucket.weights.begin();
      const auto is_pure = [&](const ClassBucket& sum) {
        return sum.weights[static_cast<std::size_t>(heaviest)] == sum.weight;
      };
      const auto mate = is_pure(bucket) ? std::ranges::find_if(groups_, is_pure, &Group::sum) : groups_.end();
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
    const double split = wide_.value(before_split_ - sum.log) / static_cast<double>(parted_);
    return {bits >= half_gain_, split > -kNone ? bits / split : kNone};
  }

  // The union replaces the first of the two groups, and the last group moves to the place of the second. This
  // determines the order of the branches and of later pairs.
  void merge_while_better() {
    Terms sum;
    for (const auto& group : groups_) sum = sum.plus(group.terms);
    if (rest_) sum = sum.plus(rest_->terms);
    double ratio = worth_of(sum).second;
    std::vector<std::vector<Terms>> changes(groups_.size());  // of the sums if p and q merge: [q][p], p < q
    ClassBucket both;
    const auto merge_with_all = [&](std::size_t g, std::size_t end) {
      heed_interrupts_after(end * nobody_.size());
      changes[g].resize(g);
      for (std::size_t other = 0; other < end; ++other) {
        if (other == g) continue;
        both = groups_[g].sum;
        add(both, groups_[other].sum);
        changes[std::max(g, other)][std::min(g, other)] =
            terms_of(both).plus(groups_[g].terms, -1).plus(groups_[other].terms, -1);
      }
    };
    for (std::size_t q = 0; groups_.size() > 2 && q < groups_.size(); ++q) merge_with_all(q, q);
    while (groups_.size() > 2) {
      std::optional<Worth> best;
      std::size_t first = 0, second = 0;
      for (std::size_t p = 0; p < groups_.size(); ++p) {
        heed_interrupts_at(p, 64);
        for (std::size_t q = p + 1; q < groups_.size(); ++q) {
          const auto worth = worth_of(sum.plus(changes[q][p]));
          if (best && !(worth > *best)) continue;
          best = worth;
          first = p;
          second = q;
        }
      }
      if (best->second < ratio + kBetter) return;
      ratio = best->second;
      sum = sum.plus(changes[second][first]);
      join(groups_[first], groups_[second]);
      std::swap(groups_[second], groups_.back());
      groups_.pop_back();
      for (const auto changed : {first, second}) {
        if (changed < groups_.size()) merge_with_all(changed, groups_.size());
      }
    }
  }

  const QuinlanNode& node_;
  WideLog wide_;
  std::int64_t least_;
  std::vector<std::int64_t> nobody_;  // class weights
  Int128 before_ = 0;                 // weight times entropy of the rows with a value
  Int128 before_split_ = 0;           // x log x of parted_, less that of the rows without a value
  std::int64_t parted_ = 0;
  double half_gain_ = 0;
  std::vector<Group> groups_;
  std::optional<Group> rest_;
};

}  // namespace treewright
