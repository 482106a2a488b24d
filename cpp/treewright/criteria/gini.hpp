// Gini over the weights of any number of classes.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "treewright/criteria/impurity.hpp"  // for Sides, difference_squared, gini
#include "treewright/portable.hpp"           // for UInt128

namespace treewright {

template <bool kWeighted>
struct GiniOfClasses {
  static constexpr bool kIsConcave = true, kIsRatio = false;

  // Sums of squares are kept in whole numbers: near the end of a list the right one is the small rest of a
  // long subtraction.
  using Squares = std::conditional_t<kWeighted, UInt128, std::uint64_t>;
  struct Running {
    Squares left = 0, right = 0;
  };

  static constexpr auto impurity = gini;

  void enter(std::span<const std::int64_t> totals, std::span<const std::uint16_t> present,
             std::int64_t weight) {
    squares_ = 0;
    for (const auto k : present) squares_ += static_cast<double>(totals[k]) * static_cast<double>(totals[k]);
    weight_ = static_cast<double>(weight);
    looks_up_ = !kWeighted && static_cast<std::uint64_t>(weight) < inverses_->size();
  }

  Running start(const Sides& sides, std::span<const std::uint16_t> present) const {
    Running running;
    for (const auto k : present) {
      running.left += square(sides.left[k]);
      running.right += square(sides.right[k]);
    }
    return running;
  }

  // `weight` of class k is about to move from right to left.
  void move(Running& running, const Sides& sides, std::uint16_t k, std::int64_t weight) const {
    const auto w = static_cast<Squares>(weight);
    running.left += w * (2 * static_cast<Squares>(sides.left[k]) + w);
    running.right -= w * (2 * static_cast<Squares>(sides.right[k]) - w);
  }

  // 1 / i of whole numbers, shared by every block of one growth.
  void share_inverses(const std::vector<double>* inverses)
    requires(!kWeighted)
  {
    inverses_ = inverses;
  }

  // With S the sum of squares of class weights on a side and W its weight, the sides come to S / W each.
  double bound(const Running& running, const SideWeights& sides, double) const {
    const auto left = static_cast<double>(sides.left_weight), right = static_cast<double>(sides.right_weight);
    if (!looks_up_) return (real_of(running.left) * right + real_of(running.right) * left) / (left * right);
    const double* inverses = inverses_->data();
    return real_of(running.left) * inverses[sides.left_weight] +
           real_of(running.right) * inverses[sides.right_weight];
  }

  // Cuts whose bound is below this cannot reach `worth`.
  double bar(double worth) const { return worth + squares_ / weight_ - weight_ * 0x1p-36; }
  // ... or what a cut of this bound is worth, which rounding may have put as far off.
  double floor_of_bound(double bound) const { return bound - weight_ * 0x1p-35; }

  double squares() const { return squares_; }  // of the class weights of the node

  double judge(const Sides& sides, std::span<const std::int64_t> totals,
               std::span<const std::uint16_t> present) const {
    const std::int64_t weight = sides.left_weight + sides.right_weight;
    double sum = 0;
    for (const auto k : present)
      sum += difference_squared(sides.left[k], sides.left_weight, totals[k], weight);
    return sum / (static_cast<double>(sides.left_weight) * static_cast<double>(sides.right_weight)) / weight_;
  }

  // The same from sums of squares, of at most 8192 rows that weigh 1: with D_k = l_k W - a_k W_left, the sum
  // of D_k^2 is
  //     W^2 S_left - W W_left (S + S_left - S_right) + W_left^2 S,
  // and below 2^53, as are its terms, so it is right to the last bit.
  static double judge_squares(std::int64_t n, std::int64_t left, std::int64_t of_left, std::int64_t of_right,
                              std::int64_t of_all) {
    const auto sum = n * (n * of_left - left * (of_all + of_left - of_right)) + left * left * of_all;
    return static_cast<double>(sum) / (static_cast<double>(left) * static_cast<double>(n - left)) /
           static_cast<double>(n);
  }

 private:
  static Squares square(std::int64_t x) { return static_cast<Squares>(x) * static_cast<Squares>(x); }

  double squares_ = 0, weight_ = 1;
  inline static const std::vector<double> kNoInverses;
  bool looks_up_ = false;
  const std::vector<double>* inverses_ = &kNoInverses;
};

}  // namespace treewright
