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

#include "treewright/candidate.hpp"      // for Candidate
#include "treewright/class_entropy.hpp"  // for EntropyOfClasses
#include "treewright/class_runs.hpp"     // for Sides
#include "treewright/log_terms.hpp"      // for to_x_log_x
#include "treewright/quinlan_worth.hpp"  // for QuinlanWorth

namespace treewright {

// What all columns of a node share.
struct QuinlanNode {
  QuinlanWorth worth;
  std::span<const std::int64_t> totals;  // class weights
  double scale = 1;        // a power of two: weights times this have logarithms of moderate size
  std::int64_t least = 0;  // what a branch must weigh

  double scaled(std::int64_t weight) const { return static_cast<double>(weight) * scale; }
};

// The rows of a node that have a value, summed up by value, values rising. The engine knows the rows of a
// value by two marks, of the first and of the last.
class ValueSums {
 public:
  std::size_t size() const { return n_; }
  std::uint32_t first(std::size_t value) const { return marks_[value].first; }
  std::uint32_t last(std::size_t value) const { return marks_[value].last; }
  const std::int64_t* weights(std::size_t value) const { return weights_.data() + value * n_classes_; }

  // Forget all, and have room for `most` values.
  void clear(std::size_t n_classes, std::size_t most) {
    n_ = 0;
    n_classes_ = n_classes;
    if (weights_.size() < most * n_classes) weights_.resize(most * n_classes);
    if (marks_.size() < most) marks_.resize(most);
  }

  // One more value, whose class weights are to be filled in.
  std::int64_t* add(std::uint32_t mark) {
    marks_[n_] = {mark, mark};
    return weights_.data() + n_++ * n_classes_;
  }
  // The last one, which goes on to this mark.
  std::int64_t* extend(std::uint32_t mark) {
    marks_[n_ - 1].last = mark;
    return weights_.data() + (n_ - 1) * n_classes_;
  }

 private:
  struct Marks {
    std::uint32_t first, last;
  };
  std::size_t n_ = 0, n_classes_ = 0;
  std::vector<std::int64_t> weights_;  // of the classes, so many a value
  std::vector<Marks> marks_;
};

// kClasses: how many classes there are; 0: only the target knows.
template <std::size_t kClasses>
class QuinlanLook {
 public:
  ValueSums values;

  explicit QuinlanLook(std::size_t n_classes = kClasses) : n_classes_given_(n_classes) {}

  std::size_t n_classes() const { return kClasses > 0 ? kClasses : n_classes_given_; }

  // `missing`: class weights of the rows without a value; `most`: values there may be.
  void enter(const QuinlanNode& node, const std::int64_t* missing, std::size_t most) {
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

  // Offer the best cut: `n_left` is the last mark on its left, `left_amount` the first on its right.
  void look_for_cut(const QuinlanNode& node, Candidate& out) {
    find_cuts(node, out.information.n_tries = 0);
    if (cuts_.empty()) return;
    const auto n_terms = 2 * n_classes() + 2;
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
    if (!is_clear || !tell_cut(node, cuts_[best], sides[0] + sides[1], out)) judge_cut(node, out);
  }

  // Offer a branch a value.
  void look_for_set(const QuinlanNode& node, Candidate& out) {
    std::size_t n_large = 0;
    for (std::size_t v = 0; v < values.size(); ++v) n_large += weight_of(v) >= node.least;
    if (n_large < 2) return;
    const auto n_terms = (n_classes() + 1) * values.size();
    double* at = put_common(node, n_terms);
    const double* from = at;
    for (std::size_t v = 0; v < values.size(); ++v) {
      for (std::size_t k = 0; k < n_classes(); ++k) *at++ = node.scaled(weights_of(v)[k]);
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

  // What was offered, in whole numbers.
  void judge_cut(const QuinlanNode& node, Candidate& out) {
    if (cuts_.empty()) return;
    enter_exactly();
    out.score = {};
    std::int64_t left_of_best = 0;
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
      const auto& cut = cuts_[c];
      if (cut.near < best_near_ - 2 * margin_) continue;
      sides_.left.assign(lefts_.begin() + static_cast<std::ptrdiff_t>(c * n_classes()),
                         lefts_.begin() + static_cast<std::ptrdiff_t>((c + 1) * n_classes()));
      for (std::size_t k = 0; k < n_classes(); ++k) sides_.right[k] = known_[k] - sides_.left[k];
      sides_.left_weight = cut.left;
      sides_.right_weight = known_weight_ - cut.left;
      if (!offer(exact_.judge(sides_, known_, all_classes_), cut, out)) continue;
      left_of_best = cut.left;
    }
    node.worth.settle_cut(left_of_best, known_weight_, out);
  }

  void judge_set(const QuinlanNode& node, Candidate& out) {
    enter_exactly();
    out.score = {};
    __int128 after = 0;
    branches_.clear();
    for (std::size_t v = 0; v < values.size(); ++v) {
      branches_.push_back(weight_of(v));
      after += exact_.information_of({weights_of(v), n_classes()}, branches_.back());
    }
    out.offer(exact_.fall_to(after), 0, false);
    node.worth.settle_set(branches_, out);
  }

  // Class weights of the values before one.
  void sum_before(std::size_t value, std::span<std::int64_t> sums) const {
    std::fill(sums.begin(), sums.end(), 0);
    for (std::size_t v = 0; v < value; ++v) {
      for (std::size_t k = 0; k < n_classes(); ++k) sums[k] += weights_of(v)[k];
    }
  }
  std::span<const std::int64_t> known() const { return known_; }
  const std::int64_t* weights_of(std::size_t value) const { return values.weights(value); }

 private:
  struct CutAt {
    std::uint32_t value;  // the first on its right
    std::int64_t left;    // weight
    double near;          // weight times entropy that it takes off, scaled
  };
  static constexpr std::int32_t kNothing = -1, kMixed = -2;

  std::int64_t weight_of(std::size_t value) const {
    const auto* weights = weights_of(value);
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < n_classes(); ++k) sum += weights[k];
    return sum;
  }

  // The class that all rows of a value are of, or kMixed.
  std::int32_t only_class(std::size_t value) const {
    const auto* weights = weights_of(value);
    if constexpr (kClasses == 2) return weights[0] == 0 ? 1 : weights[1] == 0 ? 0 : kMixed;
    std::int32_t found = kNothing;
    for (std::size_t k = 0; k < n_classes(); ++k) {
      if (weights[k] == 0) continue;
      if (found != kNothing) return kMixed;
      found = static_cast<std::int32_t>(k);
    }
    return found;
  }

  // Cuts with enough on either side. Between two of them with rows of one class only, no cut is better than
  // both (Fayyad and Irani 1992): the gain is convex there.
  void find_cuts(const QuinlanNode& node, std::int64_t& n_tries) {
    if (lefts_.size() < values.size() * n_classes()) lefts_.resize(values.size() * n_classes());
    auto* lefts = lefts_.data();
    const auto side = node.worth.least_side(known_weight_, node.least);
    left_.assign(n_classes(), 0);
    std::int64_t left = 0;
    std::int32_t run = kMixed;  // class of the rows since the last cut that counts
    auto next = values.size() > 0 ? only_class(0) : kMixed;
    auto* const left_of = left_.data();
    for (std::size_t v = 1; v < values.size(); ++v) {
      const auto passed = std::exchange(next, only_class(v));
      const auto* weights = weights_of(v - 1);
      for (std::size_t k = 0; k < n_classes(); ++k) left_of[k] += weights[k];
      left += weight_of(v - 1);
      run = run == kNothing || run == passed ? passed : kMixed;
      const auto right = known_weight_ - left;
      if (left < side) continue;
      if (right < side) break;
      ++n_tries;
      if (run >= 0 && run == next && v + 1 < values.size() && right - weight_of(v) >= side) continue;
      cuts_.push_back({static_cast<std::uint32_t>(v), left, 0});
      for (std::size_t k = 0; k < n_classes(); ++k) *lefts++ = left_of[k];
      run = kNothing;
    }
  }

  // Room for terms, the first of which are the same for every question; where the others begin.
  double* put_common(const QuinlanNode& node, std::size_t n_others) {
    const auto n = 3 + n_classes() + n_others;
    if (logs_.size() < n + kLogsAtOnce) logs_.resize(n + kLogsAtOnce);
    double* at = logs_.data();
    *at++ = node.scaled(node.worth.weight_here);
    *at++ = node.scaled(node.worth.weight_here - known_weight_);
    *at++ = node.scaled(known_weight_);
    for (const auto weight : known_) *at++ = node.scaled(weight);
    return at;
  }

  double* put_sides(const QuinlanNode& node, std::size_t c, double* at) const {
    const auto* left = lefts_.data() + c * n_classes();
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
    information_ = logs_[2];
    for (std::size_t k = 0; k < n_classes(); ++k) information_ -= logs_[3 + k];
    split_ = node.worth.rules.unknown_is_branch ? logs_[0] - logs_[1] : logs_[2];
  }

  double near_of(const double* terms) const {
    double sum = information_;
    for (std::size_t k = 0; k < 2 * n_classes(); ++k) sum += terms[k];
    return sum - terms[2 * n_classes()] - terms[2 * n_classes() + 1];
  }

  bool offer(double worth, const CutAt& cut, Candidate& out) const {
    if (!out.offer(worth, values.last(cut.value - 1), false)) return false;
    out.left_amount = values.first(cut.value);
    out.left_weight = cut.value;
    return true;
  }

  // Offer what is near the truth; false: that is not near enough.
  bool tell_cut(const QuinlanNode& node, const CutAt& cut, double logs, Candidate& out) {
    const double gain = bits(node, cut.near) - node.worth.cost_of(out.information.n_tries);
    gain_error_ = bits(node, margin_);
    if (std::abs(gain - node.worth.rules.tolerance) <= gain_error_) return false;
    out.score = {};
    offer(cut.near / node.scale, cut, out);
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
    exact_.enter(known_, all_classes_, known_weight_);
  }

  std::size_t n_classes_given_;
  std::vector<std::int64_t> known_;  // class weights of the rows with a value
  std::int64_t known_weight_ = 0;
  std::vector<CutAt> cuts_;
  std::vector<std::int64_t> lefts_, left_;  // class weights on the left of each cut; of the next
  std::vector<double> logs_;
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
