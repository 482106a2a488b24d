// What a question is worth as C4.5 sees it, once it is known by how much it lowers weight times entropy: a
// gain a unit of weight, less the cost of having tried many cuts, beside the information of the split itself.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/math/logarithm.hpp"    // for WideLog, to_x_log_x, log2_of
#include "treewright/portable.hpp"          // for Int128
#include "treewright/recipe/candidate.hpp"  // for Candidate, kNoRatio
#include "treewright/recipe/recipe.hpp"     // for Quinlan

namespace treewright {

struct QuinlanWorth {
  Quinlan rules;
  double unit = 1;                // of weights
  std::int64_t n_declared = 1;    // classes
  std::int64_t weight_here = 1;   // of the node
  bool weights_are_whole = true;  // shares are rounded, whole weights are not

  double given(std::int64_t weight) const { return static_cast<double>(weight) * unit; }

  // From weight times bits to bits a unit of the node's weight.
  double bits(double worth) const { return worth / static_cast<double>(weight_here); }

  // What either side of a cut must weigh: a tenth of the average class, at least `least` and 25 at most.
  std::int64_t least_side(std::int64_t known, std::int64_t least) const {
    if (!rules.scales_side) return least;
    const double side = 0.1 * static_cast<double>(known) / static_cast<double>(n_declared);
    if (side <= static_cast<double>(least)) return least;
    const double rounded = weights_are_whole ? 0 : 1e-6 / unit;
    return static_cast<std::int64_t>(std::ceil(std::min(side, 25 / unit) - rounded));
  }

  double cost_of(std::int64_t n_tries) const {
    return rules.charges_tries ? log2_of(static_cast<double>(n_tries)) / given(weight_here) : 0;
  }

  // Take off what the cuts tried cost, and judge what is left by the information of the split.
  void settle_cut(std::int64_t left, std::int64_t known, Candidate& out) const {
    auto& information = out.information;
    information.gain = bits(out.decrease) - cost_of(information.n_tries);
    if (!(information.gain > rules.tolerance)) {
      out.verdict = Verdict::NoGain;
      return;
    }
    const std::int64_t branches[] = {left, known - left};
    information.split = information_of_split(weight_here - known, branches);
    settle_worth(out);
  }

  // The same of a branch a category, or a group of them.
  void settle_set(std::span<const std::int64_t> branches, Candidate& out) const {
    std::int64_t known = 0;
    for (const auto branch : branches) known += branch;
    out.information.gain = is_no_gain(out.score.worth) ? 0 : bits(out.score.worth);
    out.information.all_gains = out.information.gain;
    out.information.split = information_of_split(weight_here - known, branches);
    settle_worth(out);
  }

  // What rounding may have made of nothing is nothing.
  bool is_no_gain(double worth) const { return rules.is_strict && std::abs(worth) * unit <= rules.tolerance; }

  // T(unknown, branches) / weight of the node.
  double information_of_split(std::int64_t unknown, std::span<const std::int64_t> branches) const {
    WideLog wide(weight_here);
    std::int64_t known = 0;
    Int128 sum = 0;
    for (const auto branch : branches) {
      known += branch;
      sum -= wide.x_log_x(branch);
    }
    if (!rules.unknown_is_branch) return wide.value(sum + wide.x_log_x(known)) / static_cast<double>(known);
    return bits(wide.value(sum + wide.x_log_x(known + unknown) - wide.x_log_x(unknown)));
  }

  // A split that tells less of its own has no ratio.
  double least_split() const { return rules.is_strict ? rules.tolerance : rules.slack; }

  void settle_worth(Candidate& out) const {
    auto& information = out.information;
    out.score.worth = !rules.by_ratio                     ? information.gain
                      : information.split > least_split() ? information.gain / information.split
                                                          : kNoRatio;
  }
};

// What all columns of a node share.
struct QuinlanNode {
  QuinlanWorth worth;
  std::span<const std::int64_t> totals;  // class weights
  double scale = 1;  // a power of two: weights times this have logarithms of moderate size
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
  std::vector<double> logs_, bounds_;
};

}  // namespace treewright
