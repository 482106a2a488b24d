// Entropy over the weights of any number of classes, and what of it is left as a ratio.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "treewright/criteria/impurity.hpp"  // for Sides, entropy
#include "treewright/math/logarithm.hpp"     // for x_log_x, WideLog
#include "treewright/portable.hpp"           // for Int128
#include "treewright/recipe/candidate.hpp"   // for Merit

namespace treewright {

struct EntropyOfClasses {
  static constexpr bool kIsConcave = true, kIsRatio = false;

  // sum of x log x over the classes of both sides
  struct Running {
    double sum = 0;
  };

  static constexpr auto impurity = entropy;

  void enter(std::span<const std::int64_t> totals, std::span<const std::uint16_t> present,
             std::int64_t weight) {
    wide_ = WideLog(weight);
    information_ = wide_.x_log_x(weight);
    for (const auto k : present) information_ -= wide_.x_log_x(totals[k]);
    real_information_ = wide_.value(information_);
    // Rounding of some thousand additions to a sum of this size stays far below this.
    slack_ = log_of(weight + 2) * 0x1p-30;
  }

  Running start(const Sides& sides, std::span<const std::uint16_t> present) const {
    Running running;
    for (const auto k : present) running.sum += log_of(sides.left[k]) + log_of(sides.right[k]);
    return running;
  }

  void move(Running& running, const Sides& sides, std::uint16_t k, std::int64_t weight) const {
    const auto left = sides.left[k], right = sides.right[k];
    running.sum += (log_of(left + weight) - log_of(left)) + (log_of(right - weight) - log_of(right));
  }

  double bound(const Running& running, const SideWeights& sides, double) const {
    return real_information_ + running.sum - (log_of(sides.left_weight) + log_of(sides.right_weight));
  }

  double bar(double worth) const { return worth - slack_; }
  // ... or what a cut of this bound is worth, which rounding may have put as far off.
  double floor_of_bound(double bound) const { return bound - 2 * slack_; }

  double judge(const Sides& sides, std::span<const std::int64_t>,
               std::span<const std::uint16_t> present) const {
    auto fall = information_ - logs_of_sides(sides);
    for (const auto k : present) fall += wide_.x_log_x(sides.left[k]) + wide_.x_log_x(sides.right[k]);
    return wide_.value(fall);
  }

  // Weight times entropy of some rows, and by how much it falls where it comes to `after` in all.
  Int128 information_of(std::span<const std::int64_t> weights, std::int64_t weight) const {
    auto sum = wide_.x_log_x(weight);
    for (const auto each : weights) sum -= wide_.x_log_x(each);
    return sum;
  }
  double fall_to(Int128 after) const { return wide_.value(information_ - after); }

  // The worth within `slack`. Told from the sides as they are, so that it is the same however they came
  // about.
  double near(const Sides& sides, std::span<const std::uint16_t> present) const {
    return bound(start(sides, present), sides, 0);
  }
  double slack() const { return slack_; }

  double log_of(std::int64_t x) const {
    const auto at = static_cast<std::uint64_t>(x);
    return at < table_->size() ? (*table_)[at] : x_log_x(static_cast<double>(x));
  }

  // x log2 x of small whole numbers, looked up; shared by every block of one growth.
  void share_table(const std::vector<double>* table) { table_ = table; }

 protected:
  Int128 logs_of_sides(const Sides& sides) const {
    return wide_.x_log_x(sides.left_weight) + wide_.x_log_x(sides.right_weight);
  }

  const std::vector<double>* table_ = nullptr;
  WideLog wide_;
  Int128 information_ = 0;
  double real_information_ = 0, slack_ = 0;
};

// Information gain / information of the split itself. A cut that wins by its ratio still removes its gain.
struct GainRatioOfClasses : EntropyOfClasses {
  static constexpr bool kIsConcave = false, kIsRatio = true;

  void enter(std::span<const std::int64_t> totals, std::span<const std::uint16_t> present,
             std::int64_t weight) {
    EntropyOfClasses::enter(totals, present, weight);
    of_all_ = wide_.x_log_x(weight);
    split_of_all_ = log_of(weight);
  }

  double bound(const Running& running, const SideWeights& sides, double) const {
    const double split = split_of_all_ - (log_of(sides.left_weight) + log_of(sides.right_weight)) - slack_;
    if (!(split > 0)) return std::numeric_limits<double>::infinity();
    return (EntropyOfClasses::bound(running, sides, 0) + slack_) / split;
  }

  double bar(double worth) const { return worth; }
  void floor_of_bound(double) const = delete;

  Merit judge(const Sides& sides, std::span<const std::int64_t> totals,
              std::span<const std::uint16_t> present) const {
    const double gain = EntropyOfClasses::judge(sides, totals, present);
    return {gain / wide_.value(of_all_ - logs_of_sides(sides)), gain};
  }

 private:
  Int128 of_all_ = 0;
  double split_of_all_ = 0;
};

}  // namespace treewright
