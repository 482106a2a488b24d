// Criteria that need two integers per side: a sum and a weight. Each says how its sums are measured, how good
// a cut is, and what a single number loses against the value of its leaf.
#pragma once

#include <numbers>

#include "treewright/criteria/impurity.hpp"  // for difference_squared

namespace treewright {

// Squared distance from the mean; for two classes, half of Gini.
class SquaredDistance {
 public:
  static constexpr bool kNeedsAmount = false;  // a side may sum to zero
  static constexpr bool kBoundIsWorth = true;  // up to rounding, and in units of the floor

  SquaredDistance() = default;
  // `all`: sums of the node whose sides are scored.
  explicit SquaredDistance(const Sums& all) : all_(all), weight_(static_cast<double>(all.weight)) {}

  // Sums may be measured from any number; the steps are finest from the least one.
  static double origin(double least) { return least; }
  static std::int64_t whole(double steps) { return std::llrint(steps); }
  static double loss(double number, double mean) { return (number - mean) * (number - mean); }

  // The weighted loss of a whole less that of its parts is this, summed over the parts.
  static double between(double sum, double weight, double mean) {
    const double away = sum / weight - mean;
    return weight * away * away;
  }

  // Worth times this is the decrease of weight times impurity, if sums are measured in steps.
  static double factor(double step) { return step * step; }

  // Decrease of weight times impurity, in whole units of target and weight.
  double exact_score(const Sums& left) const {
    return difference_squared(left.amount, left.weight, all_.amount, all_.weight) /
           (static_cast<double>(left.weight) * static_cast<double>(all_.weight - left.weight)) / weight_;
  }

  // The contribution of one branch of any number of them: D^2 / (W_b W^2).
  double part(const Sums& branch) const {
    return difference_squared(branch.amount, branch.weight, all_.amount, all_.weight) /
           (static_cast<double>(branch.weight) * (weight_ * weight_));
  }

  // A quick check of a cut that passed the bound of its search, which here is as good as the worth.
  bool may_reach(const Sums&, double) const { return true; }

  // Cuts whose bound, |S_left - W_left S / W|^2 / (W_left W_right), is below this cannot reach `worth`.
  double score_floor(double worth) const { return worth / weight_ * (1 - 0x1p-40); }

 private:
  Sums all_;
  double weight_ = 1;
};

// Half the Poisson deviance. With sums s and weights w of the sides, weight times impurity decreases by the
// sum of s ln(s W / (w S)): by how far the sides' shares of the sum are from their shares of the weight.
class PoissonDeviance {
 public:
  static constexpr bool kNeedsAmount = true;
  static constexpr bool kBoundIsWorth = false;

  PoissonDeviance() = default;
  explicit PoissonDeviance(const Sums& all) : all_(all) {
    if (all.amount == 0) return;  // then no cut is allowed
    logs_ = logs(all);
    // The worth has some 62 bits, however small the sums; the bits below are noise.
    const int width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(all.amount)));
    noise_bits_ = std::max(24, kBits - 62 + width);
  }

  static double origin(double) { return 0; }
  // None is rounded to 0: whether a side sums to zero must not depend on the largest number of the node.
  static std::int64_t whole(double steps) { return steps > 0 && steps < 1 ? 1 : std::llrint(steps); }
  static double factor(double step) { return step * std::numbers::ln2; }

  // The terms (number - mean) sum to zero; with them no loss is negative.
  static double loss(double number, double mean) {
    return number > 0 ? number * natural_log(number / mean) - (number - mean) : mean;
  }

  static double between(double sum, double weight, double mean) {
    return sum * natural_log(sum / weight / mean) - (sum - weight * mean);
  }

  double exact_score(const Sums& left) const {
    if (left.amount == 0 || left.amount == all_.amount) return -kInfinity;
    return real(term(left) + term(all_ - left), kBits, noise_bits_);
  }

  double part(const Sums& branch) const {
    if (branch.amount == 0) return -kInfinity;
    return real(term(branch), kBits, noise_bits_);
  }

  // As `exact_score`, but in doubles and never less: exact logarithms take longer.
  bool may_reach(const Sums& left, double worth) const {
    if (left.amount == 0 || left.amount == all_.amount) return false;
    const auto all = static_cast<double>(all_.amount), weight = static_cast<double>(all_.weight);
    const auto about = [&](const Sums& side) {
      const auto sum = static_cast<double>(side.amount);
      return sum * log2_of((sum / all) * (weight / static_cast<double>(side.weight)));
    };
    return about(left) + about(all_ - left) + all * 0x1p-40 >= worth;
  }

  // Since ln x <= x - 1, the decrease is at most (s - S w / W)^2 W^2 / (S w (W - w)).
  double score_floor(double worth) const {
    const auto all = static_cast<double>(all_.amount), weight = static_cast<double>(all_.weight);
    return (worth - all * 0x1p-40) * std::numbers::ln2 * all / (weight * weight);
  }

 private:
  static constexpr int kBits = 57;  // behind the point of a term, which is below 2^69

  static double natural_log(double x) { return log2_of(x) * std::numbers::ln2; }

  static Int128 logs(const Sums& sums) {
    return static_cast<Int128>(WholeLogs::log2(static_cast<std::uint64_t>(sums.amount))) -
           static_cast<Int128>(WholeLogs::log2(static_cast<std::uint64_t>(sums.weight)));
  }

  // s log2(s W / (w S))
  Int128 term(const Sums& side) const {
    const auto log = logs(side) - logs_;
    const auto size =
        static_cast<Int128>(times(side.amount, static_cast<Fixed>(log < 0 ? -log : log), kBits));
    return log < 0 ? -size : size;
  }

  Sums all_;
  Int128 logs_ = 0;
  int noise_bits_ = 0;
};

}  // namespace treewright
