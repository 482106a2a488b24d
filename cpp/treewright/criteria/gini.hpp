// Gini over the weights of any number of classes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "treewright/criteria/impurity.hpp"   // for difference_squared, gini
#include "treewright/portable.hpp"            // for UInt128, TREEWRIGHT_SIMD_MAX
#include "treewright/search/class_sides.hpp"  // for ClassCount, Sides, kCutsInRun

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
    whole_squares_ = 0;
    for (const auto k : present) {
      squares_ += static_cast<double>(totals[k]) * static_cast<double>(totals[k]);
      whole_squares_ += square(totals[k]);
    }
    weight_ = static_cast<double>(weight);
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
    running.left += square(sides.left[k] + weight) - square(sides.left[k]);
    running.right -= square(sides.right[k]) - square(sides.right[k] - weight);
  }

  // Bounds of runs of cuts, where every row weighs 1. With S the sum of squares of class weights on a side
  // and W its weight, the two sides come to S / W each. As a row moves left, the sum on the left grows by 2 l
  // + 1, that on the right shrinks by 2 (a - l) - 1, where l of a rows of its class are left.
  template <class Index>
  class Runs {
    using Whole = std::conditional_t<sizeof(Index) <= 2, std::uint32_t, std::uint64_t>;
    using Signed = std::make_signed_t<Whole>;  // which converts sooner

   public:
    static bool serve(const GiniOfClasses& of, std::int64_t n, std::size_t) {
      return !kWeighted && n < static_cast<std::int64_t>(of.inverses_->size()) &&
             (sizeof(Whole) == 8 || n <= 46340);
    }

    Runs(const GiniOfClasses& of, std::span<const std::uint16_t>, std::int64_t n)
        : inverses_(of.inverses_->data()), n_(n), all_(static_cast<Whole>(of.whole_squares_)) {}

    // So many rows are left already.
    void begin(const ClassCount* counts, std::span<const std::uint16_t> present, std::int64_t n_left) {
      if (n_left == 0) return;
      for (const auto k : present) {
        left_ += static_cast<Whole>(counts[k].left) * static_cast<Whole>(counts[k].left);
        products_ += static_cast<Whole>(counts[k].left) * static_cast<Whole>(counts[k].all);
      }
    }

    // Move `length` rows left one by one, after the first of which `first` are there; the largest bound.
    double run(Walk<Index>& walk, std::size_t length, std::int64_t first, double* bounds) {
      for (std::size_t j = 0; j < length; ++j) {
        auto& count = walk.next();
        left_ += 2 * static_cast<Whole>(count.left++) + 1;
        products_ += static_cast<Whole>(count.all);
        lefts_[j] = static_cast<Signed>(left_);
        rights_[j] = static_cast<Signed>(all_ + left_ - 2 * products_);
      }
      double top = -std::numeric_limits<double>::infinity();
      const double *of_left = inverses_ + first, *of_right = inverses_ + (n_ - first);
      TREEWRIGHT_SIMD_MAX(top)
      for (std::size_t j = 0; j < length; ++j) {
        bounds[j] = static_cast<double>(lefts_[j]) * of_left[j] +
                    static_cast<double>(rights_[j]) * of_right[-static_cast<std::ptrdiff_t>(j)];
        top = std::max(top, bounds[j]);
      }
      return top;
    }

   private:
    const double* inverses_;
    std::int64_t n_;
    Whole all_, left_ = 0, products_ = 0;  // sums of squares; of rows left times all of their class
    std::array<Signed, kCutsInRun> lefts_, rights_;
  };

  // 1 / i of whole numbers, shared by every block of one growth.
  void share_inverses(const std::vector<double>* inverses)
    requires(!kWeighted)
  {
    inverses_ = inverses;
  }

  double bound(const Running& running, const Sides& sides, double) const {
    const auto left = static_cast<double>(sides.left_weight), right = static_cast<double>(sides.right_weight);
    return (real_of(running.left) * right + real_of(running.right) * left) / (left * right);
  }

  // Cuts whose bound is below this cannot reach `worth`.
  double bar(double worth) const { return worth + squares_ / weight_ - weight_ * 0x1p-36; }
  // ... or what a cut of this bound is worth, which rounding may have put as far off.
  double floor_of_bound(double bound) const { return bound - weight_ * 0x1p-35; }

  double judge(const Sides& sides, std::span<const std::int64_t> totals,
               std::span<const std::uint16_t> present) const {
    const std::int64_t weight = sides.left_weight + sides.right_weight;
    double sum = 0;
    for (const auto k : present)
      sum += difference_squared(sides.left[k], sides.left_weight, totals[k], weight);
    return sum / (static_cast<double>(sides.left_weight) * static_cast<double>(sides.right_weight)) / weight_;
  }

  // The same from sums of squares and products l_k a_k of so many rows that weigh 1, at most: with
  // D_k = l_k W - a_k W_left, the sum of D_k^2 is
  //     W (W S_left - 2 W_left P) + W_left^2 S,
  // and below 2^53, as are its terms, so it is right to the last bit.
  static constexpr std::int64_t kExactInSquares = 8192;
  double judge_squares(std::int64_t n, std::int64_t left, std::int64_t squares, std::int64_t products) const {
    const auto all = static_cast<std::int64_t>(whole_squares_);
    const auto sum = n * (n * squares - 2 * left * products) + left * left * all;
    return static_cast<double>(sum) / (static_cast<double>(left) * static_cast<double>(n - left)) / weight_;
  }

  // Two classes, a and b, each on a side of its own; as `judge` computes it.
  double best_of_two(std::int64_t a, std::int64_t b) const {
    const double squared = difference_squared(a, a, a, a + b);
    return (squared + squared) / (static_cast<double>(a) * static_cast<double>(b)) / weight_;
  }

 private:
  static Squares square(std::int64_t x) { return static_cast<Squares>(x) * static_cast<Squares>(x); }

  double squares_ = 0, weight_ = 1;
  Squares whole_squares_ = 0;
  const std::vector<double>* inverses_ = nullptr;
};

}  // namespace treewright
