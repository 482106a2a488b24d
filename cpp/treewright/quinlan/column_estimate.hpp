// The best split of a column at a node for C4.5: first estimated in doubles with bounds on the errors, then
// scored in whole numbers if a decision depends on it.
#pragma once

#include "treewright/math/logarithm.hpp"      // for WideLog, to_x_log_x, x_log_x
#include "treewright/quinlan/class_sums.hpp"  // for ValueSums
#include "treewright/quinlan/worth.hpp"       // for QuinlanNode, QuinlanGrouping, information_of
#include "treewright/recipe/candidate.hpp"    // for Candidate

namespace treewright {

template <std::size_t kClasses>
class ColumnEstimate {
 public:
  ValueSums<kClasses> values;
  Grouping grouping;  // of the split on categories that was offered, by value

  ColumnEstimate(const QuinlanNode& node, std::size_t n_classes)
      : values(n_classes), node_(node), n_classes_{n_classes} {}

  // Call once `values` is filled. `least`: the minimum weight of a branch.
  void enter(std::int64_t least) {
    least_ = least;
    known_ = {values.below(values.size()), n_classes_};
    known_weight_ = weight_below(values.size());
    cuts_.clear();
    errors_ = {};
  }

  // Whether the figures offered are exact, and bounds on their errors.
  bool is_exact() const { return errors_.split == 0; }
  const FigureErrors& errors() const { return errors_; }
  std::span<const std::int64_t> known() const { return known_; }  // class weights of the rows with a value
  std::int64_t known_weight() const { return known_weight_; }

  // Offer the best cut: `n_left` is the last mark on its left, `left_amount` the first on its right,
  // `left_weight` the index of the value above it, see `left_of`.
  void estimate_cut(Candidate& out) {
    const auto side = least_side();
    const auto tried = cuts_leaving(side);
    const auto allowed = side < least_offered() ? cuts_leaving(least_offered()) : tried;
    out.information.n_tries = static_cast<std::int64_t>(tried.size());
    if (n_classes_ == 2 && allowed.size() >= kPaysToBound) {
      add_runs_that_may_win(allowed);
    } else {
      add_cuts(allowed.begin, allowed.end, allowed);
    }
    if (!cuts_.empty()) estimate_splits(out);
  }

  // The same in whole numbers if every cut is a candidate of its own: cuts that gain at least `enough` bits
  // compete by gain and then, once the average over all cuts is known, by ratio.
  void score_every_cut(double enough, bool by_ratio, Candidate& out) {
    const auto cuts = cuts_leaving(least_side());
    out.information.n_tries = static_cast<std::int64_t>(cuts.size());
    enter_exactly();
    const double rounded = x_log_x(static_cast<double>(known_weight_ + 2)) * 0x1p-30;
    for (auto cut = cuts.begin; cut < cuts.end; ++cut) {
      const double near = near_fall(cut);
      out.information.all_gains += node_.bits(near);
      if (node_.bits(near) < enough || lighter_side(cut) < least_offered()) continue;
      if (!by_ratio && near + rounded < out.score.worth) continue;
      const double fall = exact_fall(cut);
      offer({by_ratio ? node_.bits(fall) / node_.information_of_split(branches_) : fall, fall}, cut, out);
    }
    if (out.has_question()) settle(out);
  }

  // Call `each(candidate, is_allowed)` for every cut, for the ledger; the caller settles the candidates.
  template <class Each>
  void for_every_cut(const Each& each) {
    const auto cuts = cuts_leaving(0);
    enter_exactly();
    for (auto cut = cuts.begin; cut < cuts.end; ++cut) {
      Candidate candidate;
      offer(exact_fall(cut), cut, candidate);
      each(candidate, least_ == 0 || lighter_side(cut) >= std::max(least_side(), least_offered()));
    }
  }
  // Set the figures and the worth of a candidate in whole numbers.
  void settle(Candidate& out) {
    const auto cut = static_cast<std::size_t>(out.left_weight);
    if (cut != kSet) branches_ = {weight_below(cut), known_weight_ - weight_below(cut)};
    settle(node_.information_of_split(branches_), out);
  }
  // Class weights on the left of a cut.
  std::span<const std::int64_t> left_of(const Candidate& candidate) const {
    return {values.below(static_cast<std::size_t>(candidate.left_weight)), n_classes_};
  }

  // Offer a split on categories; `n_categories`: as declared.
  void estimate_set(Categories categories, std::uint32_t n_categories, Candidate& out) {
    if (has_branch_a_value(categories, n_categories)) {
      std::size_t n_large = 0;
      for (std::size_t v = 0; v < values.size(); ++v) n_large += weight_of(v) >= least_;
      if (n_large < 2) return;
      grouping = {.is_each_apart = true};
      cuts_.assign(1, kSet);
      return estimate_splits(out);
    }
    enter_exactly();
    categories == Categories::OneVsRest ? score_one_against_rest(out) : score_groups(n_categories, out);
  }

  // Offer again in whole numbers what was offered in doubles.
  void score_exactly(Candidate& out) {
    if (is_exact() || !out.has_figures()) return;
    enter_exactly();
    out.score = {};
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      if (near_[c] >= best_near_ - 2 * margin_) offer(exact_fall(cuts_[c]), cuts_[c], out);
    }
    settle(out);
  }

 private:
  // Consecutive cuts; a cut is known by the index of the value above it.
  struct Range {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
  };
  static constexpr std::size_t kRun = 16, kPaysToBound = 256;  // cuts
  static constexpr std::size_t kSet = 0;                       // in place of a cut

  std::int64_t weight_below(std::size_t value) const {
    return std::accumulate(values.below(value), values.below(value) + n_classes_, std::int64_t{0});
  }
  std::int64_t weight_of(std::size_t value) const { return weight_below(value + 1) - weight_below(value); }

  // The minimum weight of a side: `least_`, or if more, a tenth of the average class weight, 25 at most.
  std::int64_t least_side() const {
    if (!node_.rules.scales_side) return least_;
    const double side = 0.1 * static_cast<double>(known_weight_) / static_cast<double>(node_.n_declared);
    if (side <= static_cast<double>(least_)) return least_;
    const double rounded = node_.weights_are_whole ? 0 : 1e-6 / node_.unit;
    return static_cast<std::int64_t>(std::ceil(std::min(side, 25 / node_.unit) - rounded));
  }
  // Release 8 tries cuts with a side lighter than a branch must be, but offers none of them.
  std::int64_t least_offered() const { return node_.rules.is_strict ? 0 : least_; }
  std::int64_t lighter_side(std::size_t cut) const {
    return std::min(weight_below(cut), known_weight_ - weight_below(cut));
  }

  // The cuts that leave at least `side` on either side.
  Range cuts_leaving(std::int64_t side) const {
    heed_interrupts_before(values.size() * n_classes_);
    // Searches from both ends: the limits are near them, because a side need not weigh much.
    std::size_t begin = 1, end = std::max<std::size_t>(1, values.size());
    while (begin < end && weight_below(begin) < side) ++begin;
    while (begin < end && known_weight_ - weight_below(end - 1) < side) --end;
    return {begin, end};
  }

  // Add those of the cuts [begin, end) that may be the best one allowed. If only rows of one class lie
  // between two cuts, no cut between them beats both (Fayyad and Irani 1992): the gain is convex.
  void add_cuts(std::size_t begin, std::size_t end, const Range& allowed) {
    auto n = cuts_.size();
    cuts_.resize(n + end - begin);
    for (auto value = begin; value < end; ++value) {  // written either way: a branch would be hard to predict
      const auto *low = values.below(value - 1), *high = values.below(value + 1);
      std::size_t n_classes_beside = 0;
      for (std::size_t k = 0; k < n_classes_; ++k) n_classes_beside += low[k] != high[k];
      const bool is_inside = value > allowed.begin && value + 1 < allowed.end;
      cuts_[n] = value;
      n += !is_inside | (n_classes_beside > 1);
    }
    cuts_.resize(n);
  }

  // From a cut to the kRun-th after it, the left weights of the two classes stay in a rectangle. The gain is
  // convex in them, so no cut in between beats the best corner. Hence most cuts of a long list are skipped
  // after computing a few corners.
  void add_runs_that_may_win(const Range& allowed) {
    const auto n_runs = (allowed.size() + kRun - 1) / kRun;
    const auto corner = [&](std::size_t run) {
      return values.below(std::min(allowed.begin + run * kRun, allowed.end - 1));
    };
    double* at = put_common(10 * (n_runs + 1));
    const double* terms = at;
    const auto put = [&](std::int64_t left, std::int64_t all) {
      *at++ = node_.scaled(left);
      *at++ = node_.scaled(all - left);
    };
    for (std::size_t run = 0; run <= n_runs; ++run) {
      const auto *low = corner(run), *high = corner(run + 1);
      put(low[0], known_[0]);
      put(low[1], known_[1]);
      put(low[0] + low[1], known_weight_);
      put(low[0] + high[1], known_weight_);
      put(high[0] + low[1], known_weight_);
    }
    finish_logs(at, 2 * n_classes_ + 2);
    const auto gain = [&](const double* first, const double* second, const double* both) {
      return first[0] + first[1] + second[0] + second[1] - (both[0] + both[1]);
    };
    double best = -std::numeric_limits<double>::infinity();
    bounds_.resize(n_runs);
    for (std::size_t run = 0; run < n_runs; ++run, terms += 10) {
      const auto* const next = terms + 10;
      const double low = gain(terms, terms + 2, terms + 4), high = gain(next, next + 2, next + 4);
      const double one = gain(terms, next + 2, terms + 6), other = gain(next, terms + 2, terms + 8);
      bounds_[run] = std::max(std::max(low, high), std::max(one, other));
      best = std::max(best, low);
    }
    for (std::size_t run = 0; run < n_runs; ++run) {
      const auto begin = allowed.begin + run * kRun;
      if (bounds_[run] >= best - 8 * margin_) add_cuts(begin, std::min(begin + kRun, allowed.end), allowed);
    }
  }

  std::size_t n_branches_of(std::size_t split) const { return split == kSet ? values.size() : 2; }
  // Class weights of a branch and all branches before it.
  const std::int64_t* upto(std::size_t split, std::size_t branch) const {
    return split == kSet ? values.below(branch + 1) : branch == 0 ? values.below(split) : known_.data();
  }

  // Offer the best split with figures in doubles, or exact ones where doubles do not decide. For cuts, which
  // most splits are, the number of branches is a compile-time constant.
  void estimate_splits(Candidate& out) {
    cuts_[0] == kSet ? estimate_splits(values.size(), out)
                     : estimate_splits(std::integral_constant<std::size_t, 2>(), out);
  }
  void estimate_splits(const auto n_branches, Candidate& out) {
    const auto n_splits = cuts_.size(), n_terms = n_branches * (n_classes_ + 1);
    heed_interrupts_before(n_terms * n_splits);
    double* at = put_common(n_terms * n_splits);
    const double* const begin = at;
    for (std::size_t s = 0; s < n_splits; ++s) {
      const auto* before = values.below(0);
      for (std::size_t b = 0; b < n_branches; ++b) {
        const auto* const upto_here = upto(cuts_[s], b);
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < n_classes_; ++k) {
          const auto of_class = upto_here[k] - before[k];
          sum += of_class;
          *at++ = node_.scaled(of_class);
        }
        before = upto_here;
        *at++ = node_.scaled(sum);
      }
    }
    finish_logs(at, n_terms);
    best_near_ = -std::numeric_limits<double>::infinity();
    double second = best_near_;
    std::size_t best = 0;
    near_.resize(n_splits);
    for (std::size_t s = 0; s < n_splits; ++s) {
      const double* terms = begin + n_terms * s;
      double near = information_;
      for (std::size_t b = 0; b < n_branches; ++b) {
        for (std::size_t k = 0; k < n_classes_; ++k) near += *terms++;
        near -= *terms++;
      }
      near_[s] = near;
      if (near > best_near_) {
        second = std::exchange(best_near_, near);
        best = s;
      } else {
        second = std::max(second, near);
      }
    }
    offer(best_near_ / node_.scale, cuts_[best], out);
    double logs = 0;
    for (std::size_t b = 1; b <= n_branches; ++b) logs += begin[n_terms * best + b * (n_classes_ + 1) - 1];
    const double split = near_split(logs);
    const bool is_clear = second < best_near_ - 2 * margin_;
    if (!is_clear || !settle(split, out)) score_exactly(out);
  }

  // Make room for terms and write those that all splits share; returns where the others begin.
  double* put_common(std::size_t n_others) {
    const auto n = 3 + n_classes_ + n_others;
    if (logs_.size() < n + kLogsAtOnce) logs_.resize(n + kLogsAtOnce);
    double* at = logs_.data();
    *at++ = node_.scaled(node_.weight);
    *at++ = node_.scaled(node_.weight - known_weight_);
    *at++ = node_.scaled(known_weight_);
    for (const auto weight : known_) *at++ = node_.scaled(weight);
    return at;
  }

  // Turn weights into x log x; bound the error of a sum of a split's `n_terms` terms. Each is off by
  // kLogError times its weight; the sums, below 2^7 times the node's weight, are rounded.
  void finish_logs(double* end, std::size_t n_terms) {
    const auto n =
        (static_cast<std::size_t>(end - logs_.data()) + kLogsAtOnce - 1) / kLogsAtOnce * kLogsAtOnce;
    std::fill(end, logs_.data() + n, 0.0);
    to_x_log_x(logs_.data(), n);
    const auto n_added = static_cast<double>(n_terms + 3 + n_classes_);
    margin_ = node_.scaled(node_.weight) * (4 * kLogError + n_added * 0x1p-44);
    information_ = logs_[2];
    for (std::size_t k = 0; k < n_classes_; ++k) information_ -= logs_[3 + k];
  }

  // Estimate the split information and set the error bounds. `logs`: sum of x log x of the branch weights.
  double near_split(double logs) {
    const bool unknown_is_branch = node_.rules.unknown_is_branch;
    const double parted = node_.scaled(unknown_is_branch ? node_.weight : known_weight_);
    errors_ = {margin_ / node_.scaled(node_.weight), margin_ / parted, 0};
    return ((unknown_is_branch ? logs_[0] - logs_[1] : logs_[2]) - logs) / parted;
  }

  // `split`: the index of the value above a cut, or kSet.
  void offer(const Merit& merit, std::size_t split, Candidate& out) const {
    if (!out.offer(merit, split == kSet ? 0 : values.last(split - 1), false)) return;
    out.left_amount = values.first(split);
    out.left_weight = static_cast<std::int64_t>(split);
  }

  // False: within the errors of the figures, the outcome could be another.
  bool settle(double split, Candidate& out) {
    const bool is_set = out.left_weight == kSet;
    return is_set ? node_.settle_set(split, errors_, out) : node_.settle_cut(split, errors_, out);
  }

  void enter_exactly() {
    errors_ = {};
    wide_ = WideLog(known_weight_);
    before_ = information_of(wide_, known_, known_weight_);
  }

  // The decrease of weight times entropy by a split, in whole numbers. `weight(branch, k)`: a class weight.
  template <class Weight>
  double exact_fall(std::size_t n_branches, const Weight& weight) {
    auto fall = before_;
    branches_.assign(n_branches, 0);
    for (std::size_t b = 0; b < n_branches; ++b) {
      for (std::size_t k = 0; k < n_classes_; ++k) {
        branches_[b] += weight(b, k);
        fall += wide_.x_log_x(weight(b, k));
      }
      fall -= wide_.x_log_x(branches_[b]);
    }
    return wide_.value(fall);
  }
  double exact_fall(std::size_t split) {
    heed_interrupts_at(split);
    return exact_fall(n_branches_of(split), [&](std::size_t b, std::size_t k) {
      return upto(split, b)[k] - (b == 0 ? 0 : upto(split, b - 1)[k]);
    });
  }
  // The same in doubles; the terms are added in the same order for every cut.
  double near_fall(std::size_t cut) const {
    heed_interrupts_at(cut);
    const auto log_of = [](std::int64_t x) { return x_log_x(static_cast<double>(x)); };
    const auto* const left = values.below(cut);
    double sum = 0;
    for (std::size_t k = 0; k < n_classes_; ++k) sum += log_of(left[k]) + log_of(known_[k] - left[k]);
    return wide_.value(before_) + sum -
           (log_of(weight_below(cut)) + log_of(known_weight_ - weight_below(cut)));
  }

  void score_one_against_rest(Candidate& out) {
    for (std::size_t v = 0; v < values.size(); ++v) {
      if (std::min(weight_of(v), known_weight_ - weight_of(v)) < least_) continue;
      const auto weight = [&](std::size_t branch, std::size_t k) {
        return branch == 0 ? values.weight(v, k) : known_[k] - values.weight(v, k);
      };
      Candidate one{.column = out.column};
      offer(exact_fall(2, weight), kSet, one);
      settle(one);
      if (out.has_question() && !(one.score.worth > out.score.worth + node_.rules.tolerance)) continue;
      out = one;
      const std::int32_t of_one = v == 0 ? 0 : 1;
      grouping = {.branch_of_bucket = std::vector<std::int32_t>(values.size(), 1 - of_one)};
      grouping.branch_of_bucket[v] = of_one;
      grouping.branch_of_absent = 1 - of_one;
    }
  }

  void score_groups(std::uint32_t n_categories, Candidate& out) {
    const auto are_enough = [](std::span<const ClassBucket> branches, std::int64_t least) {
      return std::ranges::count_if(branches, [&](const auto& each) { return each.weight >= least; }) >= 2;
    };
    std::vector<ClassBucket> all;  // the categories present
    for (std::size_t v = 0; v < values.size(); ++v) {
      auto& bucket = all.emplace_back(ClassBucket{std::vector<std::int64_t>(n_classes_), weight_of(v)});
      for (std::size_t k = 0; k < n_classes_; ++k) bucket.weights[k] = values.weight(v, k);
    }
    const double one = (1 - QuinlanGrouping::kRounded) / node_.unit;
    if (!are_enough(all, static_cast<std::int64_t>(std::ceil(one)))) return;
    const QuinlanGrouping search(node_, all, all.size() < n_categories, least_);
    if (!are_enough(search.branches, least_)) return;
    const auto weight = [&](std::size_t b, std::size_t k) { return search.branches[b].weights[k]; };
    offer(exact_fall(search.branches.size(), weight), kSet, out);
    settle(out);
    grouping = search.grouping;
  }

  const QuinlanNode& node_;
  ClassCount<kClasses> n_classes_;
  std::span<const std::int64_t> known_;
  std::int64_t known_weight_ = 0, least_ = 0;
  std::vector<std::int64_t> branches_;  // weights of the split being scored
  std::vector<std::size_t> cuts_;       // that may win, by the value above them; or kSet
  std::vector<double> logs_, bounds_;
  std::vector<double> near_;  // by split: decrease of weight times entropy, scaled
  double information_ = 0;    // of the rows with a value: weight times entropy, scaled
  double margin_ = 0, best_near_ = 0;
  FigureErrors errors_;
  WideLog wide_;
  Int128 before_ = 0;  // weight times entropy of the rows with a value
};

}  // namespace treewright
