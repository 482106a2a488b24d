// Criteria over the weights of any number of classes.
#pragma once

#include "treewright/criteria/impurity.hpp"  // for Sides, difference_squared, gini, entropy
#include "treewright/math/fixed_point.hpp"   // for product, ratio, times
#include "treewright/math/logarithm.hpp"     // for x_log_x, WideLog
#include "treewright/recipe/candidate.hpp"   // for Merit

namespace treewright {

template <bool kWeighted>
struct GiniOfClasses {
  static constexpr bool kIsConcave = true, kIsRatio = false;

  // Sums of squares, and of products with the weight of the class on both sides, are kept as integers: near
  // the end of a list the squares on the right are the small remainder of many subtractions.
  using Squares = std::conditional_t<kWeighted, UInt128, std::uint64_t>;
  struct Running {
    Squares left = 0, products = 0;
  };

  static constexpr auto impurity = gini;

  void enter(const Sides& all) {
    squares_ = 0;
    for (const auto k : all.present) squares_ += product(all.right[k], all.right[k]);
    weight_ = static_cast<double>(all.right_weight);
  }

  Running start(const Sides& sides) const {
    Running running;
    for (const auto k : sides.present) {
      running.left += product(sides.left[k], sides.left[k]);
      running.products += product(sides.left[k], sides.left[k] + sides.right[k]);
    }
    return running;
  }

  // `weight` of class k is about to move from right to left; or of one that weighs so much there, and in all.
  void move(Running& running, const Sides& sides, std::uint16_t k, std::int64_t weight) const {
    move(running, sides.left[k], sides.left[k] + sides.right[k], weight);
  }
  void move(Running& running, std::int64_t left, std::int64_t all, std::int64_t weight) const {
    running.left += product(weight, 2 * left + weight);
    running.products += product(weight, all);
  }

  // With S the sum of squared class weights of a side and W its weight: S / W, summed over the sides.
  double bound(const Running& running, const SideWeights& sides, double) const {
    return largest_bound(running, sides, running, sides);
  }
  // No cut of a run has a larger bound: the squares on the left are most after it, what they are divided by
  // is least before it, and on the right it is the other way round.
  double largest_bound(const Running& before, const SideWeights& sides_before, const Running& after,
                       const SideWeights& sides_after) const {
    return real_of(after.left) / static_cast<double>(sides_before.left_weight) +
           real_of(squares_ - 2 * before.products + before.left) /
               static_cast<double>(sides_after.right_weight);
  }

  // Cuts whose bound is below this cannot reach `worth`.
  double score_floor(double worth) const { return worth + real_of(squares_) / weight_ - weight_ * 0x1p-36; }
  // Cuts whose bound is below this cannot reach what a cut with this bound is worth.
  double floor_of_bound(double bound) const { return bound - weight_ * 0x1p-35; }

  double exact_score(const Sides& sides) const {
    const std::int64_t weight = sides.left_weight + sides.right_weight;
    double sum = 0;
    for (const auto k : sides.present)
      sum += difference_squared(sides.left[k], sides.left_weight, sides.left[k] + sides.right[k], weight);
    return sum / (static_cast<double>(sides.left_weight) * static_cast<double>(sides.right_weight)) / weight_;
  }

  // The same from sums of squares and of products l_k a_k, for at most this many rows that all weigh 1. With
  // D_k = l_k W - a_k W_left, the sum of D_k^2 is
  //     W (W S_left - 2 W_left P) + W_left^2 S,
  // which is below 2^53, as are its terms, so it is exact.
  static constexpr std::int64_t kExactInSquares = 8192;
  double judge_squares(std::int64_t n, std::int64_t left, std::int64_t squares, std::int64_t products) const {
    const auto sum =
        n * (n * squares - 2 * left * products) + left * left * static_cast<std::int64_t>(squares_);
    return static_cast<double>(sum) / (static_cast<double>(left) * static_cast<double>(n - left)) / weight_;
  }

 private:
  static Squares product(std::int64_t x, std::int64_t y) {
    return static_cast<Squares>(x) * static_cast<Squares>(y);
  }

  Squares squares_ = 0;  // of all rows
  double weight_ = 1;
};

struct EntropyOfClasses {
  static constexpr bool kIsConcave = true, kIsRatio = false;

  // sum of x log x over the classes of both sides
  struct Running {
    double sum = 0;
  };

  static constexpr auto impurity = entropy;

  void enter(const Sides& all) {
    wide_ = WideLog(all.right_weight);
    information_ = wide_.x_log_x(all.right_weight);
    for (const auto k : all.present) information_ -= wide_.x_log_x(all.right[k]);
    real_information_ = wide_.value(information_);
    // The rounding errors of some thousand additions to a sum of this size stay far below this.
    slack_ = log_of(all.right_weight + 2) * 0x1p-30;
  }

  Running start(const Sides& sides) const {
    Running running;
    for (const auto k : sides.present) running.sum += log_of(sides.left[k]) + log_of(sides.right[k]);
    return running;
  }

  TREEWRIGHT_INLINE void move(Running& running, const Sides& sides, std::uint16_t k,
                              std::int64_t weight) const {
    const auto left = sides.left[k], right = sides.right[k];
    running.sum += (log_of(left + weight) - log_of(left)) + (log_of(right - weight) - log_of(right));
  }

  TREEWRIGHT_INLINE double bound(const Running& running, const SideWeights& sides, double) const {
    return real_information_ + running.sum - (log_of(sides.left_weight) + log_of(sides.right_weight));
  }

  double score_floor(double worth) const { return worth - slack_; }
  // Cuts whose bound is below this cannot reach what a cut with this bound is worth.
  double floor_of_bound(double bound) const { return bound - 2 * slack_; }

  double exact_score(const Sides& sides) const {
    auto fall = information_ - logs_of_sides(sides);
    for (const auto k : sides.present) fall += wide_.x_log_x(sides.left[k]) + wide_.x_log_x(sides.right[k]);
    return wide_.value(fall);
  }

  double log_of(std::int64_t x) const {
    const auto at = static_cast<std::uint64_t>(x);
    return at < table_->size() ? (*table_)[at] : x_log_x(static_cast<double>(x));
  }

  // x log2 x of integers up to the weight of a side, shared by all blocks of one growth. Fractional weights
  // are not small integers, and a table of many more entries than rows is not looked up often enough to pay.
  static std::vector<double> table(std::int64_t total, std::int64_t n_rows) {
    const auto last = total >> 20 > n_rows ? 0 : std::min({total, 64 * n_rows, std::int64_t{1} << 22});
    std::vector<double> logs(static_cast<std::size_t>(last) + 1);
    for (std::size_t x = 0; x < logs.size(); ++x) logs[x] = x_log_x(static_cast<double>(x));
    return logs;
  }
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

// Gain ratio: information gain / split information. A cut that wins by its ratio still keeps its gain.
struct GainRatioOfClasses : EntropyOfClasses {
  static constexpr bool kIsConcave = false, kIsRatio = true;

  void enter(const Sides& all) {
    EntropyOfClasses::enter(all);
    of_all_ = wide_.x_log_x(all.right_weight);
    split_of_all_ = log_of(all.right_weight);
  }

  double bound(const Running& running, const SideWeights& sides, double) const {
    const double of_sides = log_of(sides.left_weight) + log_of(sides.right_weight);
    const double split = split_of_all_ - of_sides - slack_;
    return split > 0 ? (real_information_ + running.sum - of_sides + slack_) / split
                     : std::numeric_limits<double>::infinity();
  }

  double score_floor(double worth) const { return worth; }
  void floor_of_bound(double) const = delete;

  Merit exact_score(const Sides& sides) const {
    const double gain = EntropyOfClasses::exact_score(sides);
    return {gain / wide_.value(of_all_ - logs_of_sides(sides)), gain};
  }

 private:
  Int128 of_all_ = 0;
  double split_of_all_ = 0;
};

// Worth: the decrease of the weight of rows that are not in the largest class of their side.
//
// Most cuts decrease it by nothing or by the same few rows. The lowest of them would split off one row at a
// time, so ties go to the most even sides.
struct MisclassificationOfClasses {
  static constexpr bool kIsConcave = true, kIsRatio = false, kPrefersEvenSides = true;

  // Weight of the largest class of either side, and which class that is on the right.
  struct Running {
    std::int64_t left = 0, right = 0;
    std::uint16_t largest_right = 0;
  };

  static double impurity(std::span<const double> shares) {
    return 1 - *std::max_element(shares.begin(), shares.end());
  }

  void enter(const Sides& all) {
    largest_ = 0;
    for (const auto k : all.present) largest_ = std::max(largest_, all.right[k]);
  }

  Running start(const Sides& sides) const {
    Running running;
    for (const auto k : sides.present) running.left = std::max(running.left, sides.left[k]);
    find_right(running, sides, sides.present[0], sides.right[sides.present[0]]);
    return running;
  }

  void move(Running& running, const Sides& sides, std::uint16_t k, std::int64_t weight) const {
    running.left = std::max(running.left, sides.left[k] + weight);
    if (k == running.largest_right) find_right(running, sides, k, sides.right[k] - weight);
  }

  double bound(const Running& running, const SideWeights&, double) const {
    return static_cast<double>(running.left + running.right - largest_);
  }

  // The bound is the worth itself, so only a larger bound beats it.
  double score_floor(double worth) const {
    return std::nextafter(worth, std::numeric_limits<double>::infinity());
  }
  double floor_of_bound(double bound) const { return bound; }

  double exact_score(const Sides& sides) const { return bound(start(sides), sides, 0); }

 private:
  // Find the largest class on the right, where class k is about to weigh `weight`.
  void find_right(Running& running, const Sides& sides, std::uint16_t k, std::int64_t weight) const {
    running.right = weight;
    running.largest_right = k;
    for (const auto other : sides.present) {
      if (other == k || sides.right[other] <= running.right) continue;
      running.right = sides.right[other];
      running.largest_right = other;
    }
  }

  std::int64_t largest_ = 0;
};

// With S2 and S3 the sums of squares and cubes of class weights, weight times impurity is
//     3 W / 2 - 2 S2 / W + S3 / (2 W^2).
// So its decrease is half the increase of 4 S2 / W - S3 / W^2.
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

  static double impurity(std::span<const double> shares) {
    double sum = 0;
    for (const double share : shares) sum += share * (1 - share) * (1 + (1 - share) / 2);
    return sum;
  }

  void enter(const Sides& all) {
    const auto width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(all.right_weight)));
    shift_ = std::max(0, width - (kWeighted ? 42 : 21));
    cube_of_step_ = std::ldexp(1.0, 3 * shift_);
    bits_ = std::min(90, 122 - width);
    weight_ = static_cast<double>(all.right_weight);
    noise_bits_ = std::max(0, bits_ - (76 - width));
    own_ = part(all.right, all.right_weight, all.present);
    real_own_ = real(own_, bits_, 0);
  }

  Running start(const Sides& sides) const {
    Running running;
    for (const auto k : sides.present) {
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

  double score_floor(double worth) const { return worth - weight_ * 0x1p-36; }

  double exact_score(const Sides& sides) const {
    const auto sum = part(sides.left, sides.left_weight, sides.present) +
                     part(sides.right, sides.right_weight, sides.present);
    return real(sum - own_, bits_, noise_bits_) / 2;
  }

 private:
  // Cubes of large weights would overflow, so their last bits are dropped. Cubes lower the score, so this
  // only raises the bound.
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

  // 4 S2 / W - S3 / W^2 of one side, in fixed point.
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

  int shift_ = 0, bits_ = 90, noise_bits_ = 0;
  Int128 own_ = 0;
  double cube_of_step_ = 1, weight_ = 1, real_own_ = 0;
};

// With D_j = W left_j - W_left all_j, weight times twoing is
//     (sum |D_j|)^2 / (4 W W_left W_right).
struct TwoingOfClasses {
  static constexpr bool kIsConcave = true, kIsRatio = false;

  // An upper bound of sum |D_j|. Moving weight w of class k adds at most 2 w (W - all_k) to it, so most cuts
  // are ruled out without reading every class.
  struct Running {
    const Sides* sides = nullptr;
    double spread = 0;
  };

  static constexpr auto impurity = gini;

  void enter(const Sides& all) { weight_ = all.right_weight; }

  Running start(const Sides& sides) const { return {&sides, spread(sides, sides)}; }

  void move(Running& running, const Sides& sides, std::uint16_t k, std::int64_t weight) const {
    const auto others = weight_ - (sides.left[k] + sides.right[k]);
    running.spread += 2 * static_cast<double>(weight) * static_cast<double>(others);
  }

  double bound(Running& running, const SideWeights& weights, double floor) const {
    // The rounding errors of two billion additions to a growing sum stay below this.
    constexpr double kSlack = 1 + 0x1p-20;
    const double far = score(running.spread * kSlack, weights);
    if (far < floor) return far;
    running.spread = spread(*running.sides, weights);
    return score(running.spread * (1 + 0x1p-40), weights);
  }

  double score_floor(double worth) const { return worth; }
  double floor_of_bound(double bound) const { return bound * (1 - 0x1p-36); }

  double exact_score(const Sides& sides) const { return score(spread(sides, sides), sides); }

 private:
  double spread(const Sides& sides, const SideWeights& weights) const {
    Int128 sum = 0;
    for (const auto k : sides.present) {
      const auto d = static_cast<Int128>(sides.left[k]) * weight_ -
                     static_cast<Int128>(sides.left[k] + sides.right[k]) * weights.left_weight;
      sum += d < 0 ? -d : d;
    }
    return static_cast<double>(sum);
  }

  double score(double spread, const SideWeights& sides) const {
    const double product = static_cast<double>(sides.left_weight) * static_cast<double>(sides.right_weight);
    return spread * spread / product / (4 * static_cast<double>(weight_));
  }

  std::int64_t weight_ = 1;
};

}  // namespace treewright
