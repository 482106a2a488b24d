// What a column offers C4.5 at a node: first in doubles, with a bound on what they are off by, and in whole
// numbers once something hangs on it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "treewright/criteria/classes.hpp"    // for EntropyOfClasses
#include "treewright/criteria/impurity.hpp"   // for Sides
#include "treewright/interrupt.hpp"           // for heed_interrupts
#include "treewright/math/logarithm.hpp"      // for to_x_log_x
#include "treewright/portable.hpp"            // for Int128
#include "treewright/quinlan/groups.hpp"      // for QuinlanSets
#include "treewright/quinlan/value_sums.hpp"  // for ValueSums
#include "treewright/quinlan/worth.hpp"       // for QuinlanNode
#include "treewright/recipe/candidate.hpp"    // for Candidate

namespace treewright {

// kClasses: how many classes there are; 0: only the target knows.
template <std::size_t kClasses>
class ColumnEstimate {
 public:
  ValueSums<kClasses> values;
  Grouping grouping;  // of the set that was offered, by value

  explicit ColumnEstimate(std::size_t n_classes = kClasses) : n_classes_given_(n_classes) {}

  std::size_t n_classes() const { return kClasses > 0 ? kClasses : n_classes_given_; }

  // `missing`: class weights of the rows without a value; `most`: values there may be; `least`: what a branch
  // must weigh.
  void enter(const QuinlanNode& node, const std::int64_t* missing, std::size_t most, std::int64_t least) {
    least_ = least;
    known_.resize(n_classes());
    known_weight_ = 0;
    for (std::size_t k = 0; k < n_classes(); ++k) known_weight_ += known_[k] = node.totals[k] - missing[k];
    values.clear(n_classes(), most);
    cuts_.clear();
    is_exact_ = true;  // where nothing is offered
    gain_error_ = worth_error_ = 0;
  }

  // Whether what was offered is the truth, and by how much it may differ from it.
  bool is_exact() const { return is_exact_; }
  double gain_error() const { return gain_error_; }
  double worth_error() const { return worth_error_; }
  std::int64_t known_weight() const { return known_weight_; }

  // Offer the best cut: `n_left` is the last mark on its left, `left_amount` the first on its right,
  // `left_weight` its number, see `left_of`.
  void look_for_cut(const QuinlanNode& node, Candidate& out) {
    out.information.n_tries = find_cuts(least_side(node), least_offered(node), true);
    if (n_classes() == 2 && cuts_.size() >= kPaysToBound) drop_poor_runs(node);
    look_at_cuts(node, out);
  }

  // The same where every cut is a candidate of its own: those that gain `enough` bits compete by gain, and,
  // once the average of all is known, by ratio.
  void look_for_any_cut(const QuinlanNode& node, double enough, bool by_ratio, Candidate& out) {
    out.information.n_tries = find_cuts(least_side(node), 0, false);
    enter_exactly();
    std::int64_t left_of_best = 0;
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      const auto& sides = sides_of(c);
      const double near = exact_.near(sides);
      out.information.all_gains += node.worth.bits(near);
      if (node.worth.bits(near) < enough || lighter_side(c) < least_offered(node)) continue;
      if (!by_ratio && near + exact_.slack() < out.score.worth) continue;
      const double fall = exact_.judge(sides);
      const std::int64_t branches[] = {sides.left_weight, sides.right_weight};
      const auto unknown = node.worth.weight_here - known_weight_;
      const double worth =
          by_ratio ? node.worth.bits(fall) / node.worth.information_of_split(unknown, branches) : fall;
      if (offer({worth, fall}, c, out)) left_of_best = sides.left_weight;
    }
    if (out.has_question()) node.worth.settle_cut(left_of_best, known_weight_, out);
  }

  // Every cut there is, for the ledger: `each(cut, candidate, is_allowed)`.
  template <class Each>
  void for_every_cut(const QuinlanNode& node, const Each& each) {
    find_cuts(0, 0, false);
    enter_exactly();
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      Candidate candidate;
      offer(exact_.judge(sides_of(c)), c, candidate);
      const bool is_allowed =
          least_ == 0 || lighter_side(c) >= std::max(least_side(node), least_offered(node));
      each(c, candidate, is_allowed);
    }
  }
  std::int64_t left_weight(std::size_t cut) const { return cuts_[cut].left; }

  // Offer a set of categories, of which so many are declared.
  void look_for_set(const QuinlanNode& node, Categories categories, std::uint32_t n_categories,
                    Candidate& out) {
    if (categories == Categories::Multiway || (categories == Categories::Groups && n_categories <= 2)) {
      look_for_branch_a_value(node, out);
      return;
    }
    enter_exactly();
    std::vector<ClassBucket> buckets;
    for (std::size_t v = 0; v < values.size(); ++v) buckets.push_back({weights_of(v), weight_of(v)});
    const QuinlanSets sets{exact_, node.worth, known_, least_};
    if (categories == Categories::OneVsRest) {
      sets.one_against_rest(buckets, grouping, out);
    } else {
      sets.in_groups(buckets, n_categories, grouping, out);
    }
  }

  // What was offered, in whole numbers.
  void judge_cut(const QuinlanNode& node, Candidate& out) {
    if (cuts_.empty()) return;
    enter_exactly();
    out.score = {};
    std::int64_t left_of_best = 0;
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      const auto& cut = cuts_[c];
      if (cut.near < best_near_ - 2 * margin_) continue;
      if (!offer(exact_.judge(sides_of(c)), c, out)) continue;
      left_of_best = cut.left;
    }
    node.worth.settle_cut(left_of_best, known_weight_, out);
  }

  void judge_set(const QuinlanNode& node, Candidate& out) {
    enter_exactly();
    out.score = {};
    Int128 after = 0;
    branches_.clear();
    for (std::size_t v = 0; v < values.size(); ++v) {
      branches_.push_back(weight_of(v));
      after += exact_.information_of(weights_of(v), branches_.back());
    }
    out.offer(exact_.fall_to(after), 0, false);
    node.worth.settle_set(branches_, out);
  }

  // Class weights on the left of a cut.
  std::span<const std::int64_t> left_of(std::size_t cut) const {
    return {values.below(cuts_[cut].value), n_classes()};
  }
  std::span<const std::int64_t> known() const { return known_; }

 private:
  struct CutAt {
    std::uint32_t value;  // the first on its right
    std::int64_t left;    // weight
    double near;          // weight times entropy that it takes off, scaled
  };
  static constexpr std::int32_t kNothing = -1, kMixed = -2;
  static constexpr std::size_t kRun = 16, kPaysToBound = 256;  // cuts

  static std::int64_t sum(std::span<const std::int64_t> weights) {
    return std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  }
  std::vector<std::int64_t> weights_of(std::size_t value) const {
    std::vector<std::int64_t> weights(n_classes());
    for (std::size_t k = 0; k < n_classes(); ++k) weights[k] = values.weight(value, k);
    return weights;
  }
  std::int64_t weight_of(std::size_t value) const {
    std::int64_t weight = 0;
    for (std::size_t k = 0; k < n_classes(); ++k) weight += values.weight(value, k);
    return weight;
  }

  // The class that all rows of a value are of, or kMixed.
  std::int32_t only_class(std::size_t value) const {
    std::int32_t found = kNothing;
    for (std::size_t k = 0; k < n_classes(); ++k) {
      if (values.weight(value, k) == 0) continue;
      if (found != kNothing) return kMixed;
      found = static_cast<std::int32_t>(k);
    }
    return found;
  }

  void look_for_branch_a_value(const QuinlanNode& node, Candidate& out) {
    std::size_t n_large = 0;
    for (std::size_t v = 0; v < values.size(); ++v) n_large += weight_of(v) >= least_;
    if (n_large < 2) return;
    grouping = {.is_each_apart = true};
    const auto n_terms = (n_classes() + 1) * values.size();
    double* at = put_common(node, n_terms);
    const double* from = at;
    for (std::size_t v = 0; v < values.size(); ++v) {
      for (std::size_t k = 0; k < n_classes(); ++k) *at++ = node.scaled(values.weight(v, k));
      *at++ = node.scaled(weight_of(v));
    }
    finish_logs(node, at, n_terms);
    double fall = information_, logs = 0;
    for (std::size_t v = 0; v < values.size(); ++v) {
      for (std::size_t k = 0; k < n_classes(); ++k) fall += *from++;
      fall -= *from;
      logs += *from++;
    }
    is_exact_ = false;
    if (!tell_set(node, fall, logs, out)) judge_set(node, out);
  }

  std::int64_t least_side(const QuinlanNode& node) const {
    return node.worth.least_side(known_weight_, least_);
  }
  // Release 8 tries cuts that leave a side less than a branch must weigh, and offers none of them.
  std::int64_t least_offered(const QuinlanNode& node) const {
    return node.worth.rules.is_strict ? 0 : least_;
  }
  std::int64_t lighter_side(std::size_t cut) const {
    return std::min(cuts_[cut].left, known_weight_ - cuts_[cut].left);
  }

  // Find the cuts that leave `least` on either side; returns how many leave `side` there. Between two cuts
  // with rows of one class only, no cut is better than both (Fayyad and Irani 1992): the gain is convex. So,
  // if asked, cuts in between are left out.
  std::int64_t find_cuts(std::int64_t side, std::int64_t least, bool only_best) {
    heed_interrupts_before(values.size() * n_classes());
    cuts_.clear();
    least = std::max(side, least);
    std::int64_t n_tries = 0;
    std::int32_t run = kMixed;  // class of the rows since the last cut that counts
    auto next = values.size() > 0 ? only_class(0) : kMixed;
    for (std::size_t v = 1; v < values.size(); ++v) {
      const auto passed = std::exchange(next, only_class(v));
      run = run == kNothing || run == passed ? passed : kMixed;
      const auto left = sum({values.below(v), n_classes()}), right = known_weight_ - left;
      if (left < side) continue;
      if (right < side) break;
      ++n_tries;
      if (left < least || right < least) continue;
      const bool is_in_run = run >= 0 && run == next && v + 1 < values.size();
      if (only_best && is_in_run && right - weight_of(v) >= least) continue;
      cuts_.push_back({static_cast<std::uint32_t>(v), left, 0});
      run = kNothing;
    }
    return n_tries;
  }

  // From one cut to the kRun-th after it, the weights of the two classes on the left stay in a rectangle, and
  // the gain is convex in them: no cut in between is better than the best corner. So most cuts of a long list
  // are passed over with a look at some corners.
  void drop_poor_runs(const QuinlanNode& node) {
    const auto n_runs = (cuts_.size() + kRun - 1) / kRun;
    const auto corner = [&](std::size_t run) { return left_of(std::min(run * kRun, cuts_.size() - 1)); };
    double* at = put_common(node, 10 * (n_runs + 1));
    const double* terms = at;
    const auto put = [&](std::int64_t left, std::int64_t all) {
      *at++ = node.scaled(left);
      *at++ = node.scaled(all - left);
    };
    for (std::size_t run = 0; run <= n_runs; ++run) {
      const auto low = corner(run), high = corner(run + 1);
      put(low[0], known_[0]);
      put(low[1], known_[1]);
      put(low[0] + low[1], known_weight_);
      put(low[0] + high[1], known_weight_);
      put(high[0] + low[1], known_weight_);
    }
    finish_logs(node, at, 2 * n_classes() + 2);
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
    std::size_t at_cut = 0;
    std::erase_if(cuts_, [&](const CutAt&) { return bounds_[at_cut++ / kRun] < best - 8 * margin_; });
  }

  const Sides& sides_of(std::size_t cut) {
    heed_interrupts_at(cut);
    sides_.left.assign(left_of(cut).begin(), left_of(cut).end());
    for (std::size_t k = 0; k < n_classes(); ++k) sides_.right[k] = known_[k] - sides_.left[k];
    sides_.left_weight = cuts_[cut].left;
    sides_.right_weight = known_weight_ - cuts_[cut].left;
    return sides_;
  }

  void look_at_cuts(const QuinlanNode& node, Candidate& out) {
    if (cuts_.empty()) return;
    const auto n_terms = 2 * n_classes() + 2;
    heed_interrupts_before(n_terms * cuts_.size());
    double* at = put_common(node, n_terms * cuts_.size());
    const double* const begin = at;
    for (std::size_t c = 0; c < cuts_.size(); ++c) at = put_sides(node, c, at);
    finish_logs(node, at, n_terms);
    best_near_ = -std::numeric_limits<double>::infinity();
    double second = best_near_;
    std::size_t best = 0;
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      const double near = cuts_[c].near = near_of(begin + n_terms * c);
      if (near > best_near_) {
        second = std::exchange(best_near_, near);
        best = c;
      } else {
        second = std::max(second, near);
      }
    }
    is_exact_ = false;
    const double* sides = begin + n_terms * best + 2 * n_classes();
    const bool is_clear = second < best_near_ - 2 * margin_;
    if (!is_clear || !tell_cut(node, best, sides[0] + sides[1], out)) judge_cut(node, out);
  }

  // Room for terms, the first of which are the same for every question; where the others begin. Where all
  // rows have a value the node knows the first ones.
  double* put_common(const QuinlanNode& node, std::size_t n_others) {
    const auto n = 3 + n_classes() + n_others;
    if (logs_.size() < n + kLogsAtOnce) logs_.resize(n + kLogsAtOnce);
    double* at = logs_.data();
    if (known_weight_ == node.worth.weight_here) return at;
    *at++ = node.scaled(node.worth.weight_here);
    *at++ = node.scaled(node.worth.weight_here - known_weight_);
    *at++ = node.scaled(known_weight_);
    for (const auto weight : known_) *at++ = node.scaled(weight);
    return at;
  }

  double* put_sides(const QuinlanNode& node, std::size_t c, double* at) const {
    const auto left = left_of(c);
    for (std::size_t k = 0; k < n_classes(); ++k) *at++ = node.scaled(left[k]);
    for (std::size_t k = 0; k < n_classes(); ++k) *at++ = node.scaled(known_[k] - left[k]);
    *at++ = node.scaled(cuts_[c].left);
    *at++ = node.scaled(known_weight_ - cuts_[c].left);
    return at;
  }

  // `n_terms`: of a question. Each is off by kLogError of its weight and by some rounding of sums that stay
  // below 2^7 times the weight of the node.
  void finish_logs(const QuinlanNode& node, double* end, std::size_t n_terms) {
    const auto n =
        (static_cast<std::size_t>(end - logs_.data()) + kLogsAtOnce - 1) / kLogsAtOnce * kLogsAtOnce;
    std::fill(end, logs_.data() + n, 0.0);
    to_x_log_x(logs_.data(), n);
    const auto n_added = static_cast<double>(n_terms + 3 + n_classes());
    margin_ = node.scaled(node.worth.weight_here) * (4 * kLogError + n_added * 0x1p-44);
    if (known_weight_ == node.worth.weight_here) {
      information_ = node.information;
      split_ = node.log_of_weight;
      return;
    }
    information_ = logs_[2];
    for (std::size_t k = 0; k < n_classes(); ++k) information_ -= logs_[3 + k];
    split_ = node.worth.rules.unknown_is_branch ? logs_[0] - logs_[1] : logs_[2];
  }

  double near_of(const double* terms) const {
    double sum = information_;
    for (std::size_t k = 0; k < 2 * n_classes(); ++k) sum += terms[k];
    return sum - terms[2 * n_classes()] - terms[2 * n_classes() + 1];
  }

  bool offer(const Merit& merit, std::size_t cut, Candidate& out) const {
    const auto value = cuts_[cut].value;
    if (!out.offer(merit, values.last(value - 1), false)) return false;
    out.left_amount = values.first(value);
    out.left_weight = static_cast<std::int64_t>(cut);
    return true;
  }

  // Offer what is near the truth; false: that is not near enough.
  bool tell_cut(const QuinlanNode& node, std::size_t cut, double logs, Candidate& out) {
    const double near = cuts_[cut].near,
                 gain = bits(node, near) - node.worth.cost_of(out.information.n_tries);
    gain_error_ = bits(node, margin_);
    if (std::abs(gain - node.worth.rules.tolerance) <= gain_error_) return false;
    out.score = {};
    offer(near / node.scale, cut, out);
    out.information.gain = gain;
    if (gain > node.worth.rules.tolerance) return tell_worth(node, logs, out);
    out.verdict = Verdict::NoGain;
    return true;
  }

  bool tell_set(const QuinlanNode& node, double fall, double logs, Candidate& out) {
    const double worth = fall / node.scale;
    const bool is_none = node.worth.is_no_gain(worth);
    for (const double other : {fall - margin_, fall + margin_}) {
      if (node.worth.is_no_gain(other / node.scale) != is_none) return false;
    }
    out.score = {};
    out.offer(worth, 0, false);
    out.information.gain = is_none ? 0 : bits(node, fall);
    gain_error_ = is_none ? 0 : bits(node, margin_);
    return tell_worth(node, logs, out);
  }

  // `logs`: of what the branches weigh.
  bool tell_worth(const QuinlanNode& node, double logs, Candidate& out) {
    const double parted =
        node.scaled(node.worth.rules.unknown_is_branch ? node.worth.weight_here : known_weight_);
    const double split = out.information.split = (split_ - logs) / parted, error = margin_ / parted;
    if (std::abs(split - node.worth.least_split()) <= error) return false;
    node.worth.settle_worth(out);
    const bool is_ratio = node.worth.rules.by_ratio && split > node.worth.least_split();
    worth_error_ = is_ratio ? (gain_error_ + std::abs(out.score.worth) * error) / (split - error)
                   : node.worth.rules.by_ratio ? 0
                                               : gain_error_;
    return split > error;
  }

  double bits(const QuinlanNode& node, double amount) const {
    return amount / node.scaled(node.worth.weight_here);
  }

  void enter_exactly() {
    static const std::vector<double> kNoLogs(1);
    is_exact_ = true;
    gain_error_ = worth_error_ = 0;
    if (all_classes_.empty()) {
      all_classes_.resize(n_classes());
      std::iota(all_classes_.begin(), all_classes_.end(), std::uint16_t{0});
      sides_.right.resize(n_classes());
      exact_.share_table(&kNoLogs);
    }
    exact_.enter(sides_.start(known_, all_classes_));
  }

  std::size_t n_classes_given_;
  std::vector<std::int64_t> known_;  // class weights of the rows with a value
  std::int64_t known_weight_ = 0, least_ = 0;
  std::vector<CutAt> cuts_;
  std::vector<double> logs_, bounds_;
  double information_ = 0, split_ = 0;  // of the node: weight times entropy; x log x of what is parted
  double margin_ = 0, best_near_ = 0;
  bool is_exact_ = true;
  double gain_error_ = 0, worth_error_ = 0;
  EntropyOfClasses exact_;
  std::vector<std::uint16_t> all_classes_;
  Sides sides_;
  std::vector<std::int64_t> branches_;
};

}  // namespace treewright
