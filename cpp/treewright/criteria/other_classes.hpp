// More criteria for the scan over classes: misclassification, Taylor's entropy, twoing.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "treewright/criteria/impurity.hpp"  // for Sides, misclassification, taylor_entropy, gini
#include "treewright/math/fixed_point.hpp"   // for product, ratio, times
#include "treewright/portable.hpp"           // for Int128, UInt128

namespace treewright {

// Worth: by how much the weight of the rows outside the largest class of their side falls.
//
// Most cuts lower it by nothing or by the same few rows. The lowest of them would take a row off at a time,
// so sides as even as can be break ties.
struct MisclassificationOfClasses {
  static constexpr bool kIsConcave = true, kIsRatio = false, kPrefersEvenSides = true;

  // Weight of the largest class of either side, and which it is on the right.
  struct Running {
    std::int64_t left = 0, right = 0;
    std::uint16_t largest_right = 0;
  };

  static constexpr auto impurity = misclassification;

  void enter(std::span<const std::int64_t> totals, std::span<const std::uint16_t> present, std::int64_t) {
    present_ = present;
    largest_ = 0;
    for (const auto k : present) largest_ = std::max(largest_, totals[k]);
  }

  Running start(const Sides& sides, std::span<const std::uint16_t> present) const {
    Running running;
    for (const auto k : present) running.left = std::max(running.left, sides.left[k]);
    find_right(running, sides, present[0], sides.right[present[0]]);
    return running;
  }

  void move(Running& running, const Sides& sides, std::uint16_t k, std::int64_t weight) const {
    running.left = std::max(running.left, sides.left[k] + weight);
    if (k == running.largest_right) find_right(running, sides, k, sides.right[k] - weight);
  }

  double bound(const Running& running, const SideWeights&, double) const {
    return static_cast<double>(running.left + running.right - largest_);
  }

  // The bound is the worth itself, so only what is worth more beats it.
  double bar(double worth) const { return std::nextafter(worth, std::numeric_limits<double>::infinity()); }

  double judge(const Sides& sides, std::span<const std::int64_t>,
               std::span<const std::uint16_t> present) const {
    std::int64_t left = 0, right = 0;
    for (const auto k : present) {
      left = std::max(left, sides.left[k]);
      right = std::max(right, sides.right[k]);
    }
    return static_cast<double>(left + right - largest_);
  }

 private:
  // The largest class on the right, where class k is about to weigh `weight` there.
  void find_right(Running& running, const Sides& sides, std::uint16_t k, std::int64_t weight) const {
    running.right = weight;
    running.largest_right = k;
    for (const auto other : present_) {
      if (other == k || sides.right[other] <= running.right) continue;
      running.right = sides.right[other];
      running.largest_right = other;
    }
  }

  std::span<const std::uint16_t> present_;
  std::int64_t largest_ = 0;
};

// With S2 and S3 the sums of squares and cubes of class weights, weight times impurity is
//     3 W / 2 - 2 S2 / W + S3 / (2 W^2).
// So it falls by half of what 4 S2 / W - S3 / W^2 rises by.
template <bool kWeighted>
struct TaylorEntropyOfClasses {
  static constexpr bool kIsConcave = true, kIsRatio = false;

  using Whole = std::conditional_t<kWeighted, UInt128, std::uint64_t>;
  struct Powers {
    Whole squares = 0, cubes = 0;
  };
  struct Running {
    Powers left, right;
  };

  static constexpr auto impurity = taylor_entropy;

  void enter(std::span<const std::int64_t> totals, std::span<const std::uint16_t> present,
             std::int64_t weight) {
    const auto width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(weight)));
    shift_ = std::max(0, width - (kWeighted ? 42 : 21));
    cube_of_step_ = std::ldexp(1.0, 3 * shift_);
    bits_ = std::min(90, 122 - width);
    weight_ = static_cast<double>(weight);
    noise_bits_ = std::max(0, bits_ - (76 - width));
    own_ = part(totals, weight, present);
    real_own_ = real(own_, bits_, 0);
  }

  Running start(const Sides& sides, std::span<const std::uint16_t> present) const {
    Running running;
    for (const auto k : present) {
      add(running.left, 0, sides.left[k]);
      add(running.right, 0, sides.right[k]);
    }
    return running;
  }

  void move(Running& running, const Sides& sides, std::uint16_t k, std::int64_t weight) const {
    add(running.left, sides.left[k], sides.left[k] + weight);
    add(running.right, sides.right[k], sides.right[k] - weight);
  }

  double bound(const Running& running, const SideWeights& sides, double) const {
    const double sum =
        bound_of(running.left, sides.left_weight) + bound_of(running.right, sides.right_weight);
    return (sum - real_own_) / 2;
  }

  double bar(double worth) const { return worth - weight_ * 0x1p-36; }

  double judge(const Sides& sides, std::span<const std::int64_t>,
               std::span<const std::uint16_t> present) const {
    return fall(part(sides.left, sides.left_weight, present) +
                part(sides.right, sides.right_weight, present));
  }

 private:
  // The cube of a large weight has no room, so its last bits are left out. Cubes count against a cut, so what
  // is left out only raises the bound.
  void add(Powers& powers, std::int64_t before, std::int64_t after) const {
    const auto a = static_cast<Whole>(before), b = static_cast<Whole>(after);
    powers.squares += b * b - a * a;
    const auto coarse_a = a >> shift_, coarse_b = b >> shift_;
    powers.cubes += coarse_b * coarse_b * coarse_b - coarse_a * coarse_a * coarse_a;
  }

  double bound_of(const Powers& powers, std::int64_t weight) const {
    const auto w = static_cast<double>(weight);
    return (4 * w * real_of(powers.squares) - cube_of_step_ * real_of(powers.cubes)) / (w * w);
  }

  // Of one side, in fixed point.
  Int128 part(std::span<const std::int64_t> classes, std::int64_t weight,
              std::span<const std::uint16_t> present) const {
    Fixed sum = 0;
    for (const auto k : present) {
      if (classes[k] == 0) continue;
      const auto share = ratio(static_cast<Fixed>(classes[k]), static_cast<Fixed>(weight));
      sum += product(product(share, share), 4 * kFixedOne - share);
    }
    return static_cast<Int128>(times(weight, sum, bits_));
  }

  double fall(Int128 sum) const { return real(sum - own_, bits_, noise_bits_) / 2; }

  int shift_ = 0, bits_ = 90, noise_bits_ = 0;
  Int128 own_ = 0;
  double cube_of_step_ = 1, weight_ = 1, real_own_ = 0;
};

// With D_j = W left_j - W_left all_j, weight times twoing is
//     (sum |D_j|)^2 / (4 W W_left W_right).
struct TwoingOfClasses {
  static constexpr bool kIsConcave = true, kIsRatio = false;

  // At least sum |D_j|. Moving weight w of class k adds at most 2 w (W - all_k) to it, so most cuts are
  // passed by without looking at every class.
  struct Running {
    double spread = 0;
  };

  static constexpr auto impurity = gini;

  void enter(std::span<const std::int64_t> totals, std::span<const std::uint16_t> present,
             std::int64_t weight) {
    totals_ = totals;
    present_ = present;
    weight_ = weight;
  }

  Running start(const Sides& sides, std::span<const std::uint16_t>) const { return {spread(sides)}; }

  void move(Running& running, const Sides&, std::uint16_t k, std::int64_t weight) const {
    running.spread += 2 * static_cast<double>(weight) * static_cast<double>(weight_ - totals_[k]);
  }

  double bound(Running& running, const Sides& sides, double bar) const {
    // Two billion roundings of a growing sum stay below this.
    constexpr double kSlack = 1 + 0x1p-20;
    const double far = score(std::min(running.spread, 2 * product_of(sides)) * kSlack, sides);
    if (far < bar) return far;
    running.spread = spread(sides);
    return score(running.spread * (1 + 0x1p-40), sides);
  }

  double bar(double worth) const { return worth; }

  double judge(const Sides& sides, std::span<const std::int64_t>, std::span<const std::uint16_t>) const {
    return score(spread(sides), sides);
  }

 private:
  double spread(const Sides& sides) const {
    Int128 sum = 0;
    for (const auto k : present_) {
      const auto d =
          static_cast<Int128>(sides.left[k]) * weight_ - static_cast<Int128>(totals_[k]) * sides.left_weight;
      sum += d < 0 ? -d : d;
    }
    return static_cast<double>(sum);
  }

  static double product_of(const SideWeights& sides) {
    return static_cast<double>(sides.left_weight) * static_cast<double>(sides.right_weight);
  }

  double score(double spread, const SideWeights& sides) const {
    return spread * spread / product_of(sides) / (4 * static_cast<double>(weight_));
  }

  std::span<const std::int64_t> totals_;
  std::span<const std::uint16_t> present_;
  std::int64_t weight_ = 1;
};

}  // namespace treewright
