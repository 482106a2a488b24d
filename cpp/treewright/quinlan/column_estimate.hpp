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

#include "treewright/criteria/entropy.hpp"        // for EntropyOfClasses
#include "treewright/criteria/quinlan_worth.hpp"  // for QuinlanWorth
#include "treewright/math/log_terms.hpp"          // for to_x_log_x
#include "treewright/portable.hpp"                // for Int128
#include "treewright/quinlan/value_sums.hpp"      // for ValueSums, ListSums
#include "treewright/recipe/candidate.hpp"        // for Candidate
#include "treewright/search/class_runs.hpp"       // for Sides

namespace treewright {

// What all columns of a node share.
struct QuinlanNode {
  QuinlanWorth worth;
  std::span<const std::int64_t> totals;  // class weights
  double scale = 1;        // a power of two: weights times this have logarithms of moderate size
  std::int64_t least = 0;  // what a branch must weigh
  // Of all rows: x log x of their weight, and that less those of the classes.
  double log_of_weight = 0, information = 0;

  double scaled(std::int64_t weight) const { return static_cast<double>(weight) * scale; }

  void enter(std::span<const std::int64_t> totals_given, std::int64_t weight) {
    totals = totals_given;
    worth.weight_here = weight;
    const auto n = (1 + totals.size() + kLogsAtOnce - 1) / kLogsAtOnce * kLogsAtOnce;
    logs_.assign(n, 0);
    logs_[0] = scaled(weight);
    for (std::size_t k = 0; k < totals.size(); ++k) logs_[1 + k] = scaled(totals[k]);
    to_x_log_x(logs_.data(), n);
    log_of_weight = information = logs_[0];
    for (std::size_t k = 0; k < totals.size(); ++k) information -= logs_[1 + k];
  }

 private:
  std::vector<double> logs_;
};

// kClasses: how many classes there are; 0: only the target knows.
template <std::size_t kClasses>
class ColumnEstimate {
 public:
  ValueSums values;
  ListSums in_order;  // instead of `values`, for `look_for_cut_in_order`: of two classes only

  explicit ColumnEstimate(std::size_t n_classes = kClasses) : n_classes_given_(n_classes) {}

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

  // Offer the best cut: `n_left` is the last mark on its left, `left_amount` the first on its right,
  // `left_weight` its number, see `left_of`.
  void look_for_cut(const QuinlanNode& node, Candidate& out) {
    find_cuts(node, out.information.n_tries = 0);
    look_at_cuts(node, out);
  }
  void look_for_cut_in_order(const QuinlanNode& node, Candidate& out) {
    find_cuts_in_order(node, out.information.n_tries = 0);
    look_at_cuts(node, out);
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
      sides_.left.assign(left_of(c).begin(), left_of(c).end());
      for (std::size_t k = 0; k < n_classes(); ++k) sides_.right[k] = known_[k] - sides_.left[k];
      sides_.left_weight = cut.left;
      sides_.right_weight = known_weight_ - cut.left;
      if (!offer(exact_.judge(sides_, known_, all_classes_), c, out)) continue;
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
      after += exact_.information_of({weights_of(v), n_classes()}, branches_.back());
    }
    out.offer(exact_.fall_to(after), 0, false);
    node.worth.settle_set(branches_, out);
  }

  // Class weights on the left of a cut.
  std::span<const std::int64_t> left_of(std::size_t cut) const {
    return {lefts_.data() + cut * n_classes(), n_classes()};
  }
  std::span<const std::int64_t> known() const { return known_; }
  const std::int64_t* weights_of(std::size_t value) const { return values.weights(value); }

 private:
  struct CutAt {
    std::uint32_t before, after;  // the last mark on its left, the first on its right
    std::int64_t left;            // weight
    double near;                  // weight times entropy that it takes off, scaled
  };
  static constexpr std::int32_t kNothing = -1, kMixed = -2;
  static constexpr std::uint32_t kRun = 16, kPaysToBound = 256;  // rows

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
      cuts_.push_back({values.last(v - 1), values.first(v), left, 0});
      for (std::size_t k = 0; k < n_classes(); ++k) *lefts++ = left_of[k];
      run = kNothing;
    }
  }

  // The same along a list. While a run of rows passes from the right to the left, the class weights there
  // stay in a rectangle, and the gain is convex in them: no cut of the run is better than the best corner. So
  // most runs of a long list are passed over with a look at their corners.
  void find_cuts_in_order(const QuinlanNode& node, std::int64_t& n_tries) {
    const auto side = node.worth.least_side(known_weight_, node.least);
    const auto begin = std::max(std::uint32_t{1}, in_order.reach(side));
    const auto end = std::max(begin, in_order.reach(known_weight_ - side + 1));
    n_tries = in_order.n_starts(begin, end);
    const auto n_numbers = static_cast<std::size_t>(n_tries) * n_classes();
    if (lefts_.size() < n_numbers) lefts_.resize(n_numbers);
    if (end - begin < kPaysToBound) {
      add_cuts(begin, end, begin, end);
      return;
    }
    const double enough = bound_runs(node, begin, end) - 8 * margin_;
    for (std::uint32_t run = 0; run < bounds_.size(); ++run) {
      const auto first = begin + run * kRun;
      if (bounds_[run] >= enough) add_cuts(first, std::min(first + kRun, end), begin, end);
    }
  }

  // Write what the cuts at the rows [begin, end), so many a run, offer at most; returns what the best of some
  // of them offers.
  double bound_runs(const QuinlanNode& node, std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t n_runs = (end - begin + kRun - 1) / kRun;
    const auto corner = [&](std::uint32_t run) { return std::min(begin + run * kRun, end - 1); };
    const auto put_total = [&](std::int64_t left, double* at) {
      *at++ = node.scaled(left);
      *at++ = node.scaled(known_weight_ - left);
      return at;
    };
    double* at = put_common(node, std::size_t{10} * (n_runs + 1));
    const double* terms = at;
    for (std::uint32_t run = 0; run <= n_runs; ++run) {
      const auto low = in_order.before(corner(run)), high = in_order.before(corner(run + 1));
      *at++ = node.scaled(low.first);
      *at++ = node.scaled(known_[0] - low.first);
      *at++ = node.scaled(low.second);
      *at++ = node.scaled(known_[1] - low.second);
      at = put_total(low.all(), at);
      at = put_total(low.first + high.second, at);
      at = put_total(high.first + low.second, at);
    }
    finish_logs(node, at, 2 * n_classes() + 2);
    bounds_.resize(n_runs);
    double best = -std::numeric_limits<double>::infinity();
    for (std::uint32_t run = 0; run < n_runs; ++run, terms += 10) {
      const double first = terms[0] + terms[1], second = terms[2] + terms[3];
      const double next_first = terms[10] + terms[11], next_second = terms[12] + terms[13];
      const double low = first + second - (terms[4] + terms[5]);
      const double high = next_first + next_second - (terms[14] + terms[15]);
      const double one = first + next_second - (terms[6] + terms[7]);
      const double other = next_first + second - (terms[8] + terms[9]);
      bounds_[run] = std::max(std::max(low, high), std::max(one, other));
      if (in_order.starts(corner(run))) best = std::max(best, low);
    }
    return best;
  }

  // Cuts at the rows [from, to) of [begin, end), which leave enough on either side.
  void add_cuts(std::uint32_t from, std::uint32_t to, std::uint32_t begin, std::uint32_t end) {
    for (auto row = from; row < to; ++row) {
      if (!in_order.starts(row) || is_inside_of_run(row, begin, end)) continue;
      const auto& left = in_order.before(row);
      lefts_[2 * cuts_.size()] = left.first;
      lefts_[2 * cuts_.size() + 1] = left.second;
      cuts_.push_back({row - 1, row, left.all(), 0});
    }
  }
  bool is_inside_of_run(std::uint32_t row, std::uint32_t begin, std::uint32_t end) const {
    const auto before = in_order.start_before(row), after = in_order.start_after(row);
    if (before < begin || after >= end) return false;
    const auto passed = in_order.only_class(before, row);
    return passed >= 0 && passed == in_order.only_class(row, after);
  }

  void look_at_cuts(const QuinlanNode& node, Candidate& out) {
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

  bool offer(double worth, std::size_t cut, Candidate& out) const {
    if (!out.offer(worth, cuts_[cut].before, false)) return false;
    out.left_amount = cuts_[cut].after;
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
    exact_.enter(known_, all_classes_, known_weight_);
  }

  std::size_t n_classes_given_;
  std::vector<std::int64_t> known_;  // class weights of the rows with a value
  std::int64_t known_weight_ = 0;
  std::vector<CutAt> cuts_;
  std::vector<std::int64_t> lefts_, left_;  // class weights on the left of each cut; of the next
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
