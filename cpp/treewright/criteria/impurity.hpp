// The scores. Each is a function of integer totals and symmetric in the two sides, so that equal partitions
// have equal scores to the bit, whichever column, side or order of rows they come from.
#pragma once

#include "treewright/math/logarithm.hpp"    // for x_log_x
#include "treewright/recipe/candidate.hpp"  // for Merit

namespace treewright {

struct SideWeights {
  std::int64_t left_weight = 0, right_weight = 0;

  // From right to left; back, where the weight is negative.
  void move(std::int64_t weight) {
    left_weight += weight;
    right_weight -= weight;
  }
};

// Class weights of a node's rows on either side of a moving cut.
struct Sides : SideWeights {
  std::vector<std::int64_t> left, right;   // by class
  std::span<const std::uint16_t> present;  // of the node; only these classes are kept up to date

  // Start with everything on the right.
  Sides& start(std::span<const std::int64_t> totals, std::span<const std::uint16_t> classes) {
    present = classes;
    left.resize(totals.size());
    right.resize(totals.size());
    left_weight = right_weight = 0;
    for (const auto k : present) {
      left[k] = 0;
      right[k] = totals[k];
      right_weight += totals[k];
    }
    return *this;
  }

  // Move weight from right to left, or back if it is negative.
  void move(std::uint16_t k, std::int64_t weight) {
    left[k] += weight;
    right[k] -= weight;
    SideWeights::move(weight);
  }
};

// Rows of one category or branch.
struct ClassBucket {
  std::vector<std::int64_t> weights;  // by class
  std::int64_t weight = 0, rows = 0;
};

// Impurity of a node, from the shares of its classes.
inline double gini(std::span<const double> shares) {
  double sum = 0;
  for (const double share : shares) sum += share * (1 - share);
  return sum;
}

inline double entropy(std::span<const double> shares) {
  double sum = 0;
  for (const double share : shares) sum -= x_log_x(share);
  return sum;
}

// Converting 128 bits at once takes a function call; this does not. Numbers of 64 bits are below 2^63.
inline double real_of(std::uint64_t x) { return static_cast<double>(static_cast<std::int64_t>(x)); }
inline double real_of(UInt128 x) {
  return static_cast<double>(static_cast<std::uint64_t>(x >> 64)) * 0x1p64 +
         static_cast<double>(static_cast<std::uint64_t>(x));
}

// Gini and variance are one formula: with D = S_left W - S W_left, weight times impurity decreases by D^2 /
// (W W_left W_right) (for Gini summed over the classes, where S is the weight of a class).
inline double difference_squared(std::int64_t left, std::int64_t left_weight, std::int64_t all,
                                 std::int64_t weight) {
  const Int128 d = static_cast<Int128>(left) * weight - static_cast<Int128>(all) * left_weight;
  // Most differences fit in 64 bits, whose conversion is one instruction.
  const auto narrow = static_cast<std::int64_t>(d);
  const double size = narrow == d ? static_cast<double>(narrow) : static_cast<double>(d);
  return size * size;
}

// No cut is worth more than one that separates two classes; for more classes no maximum is known.
template <class Impurity>
double best_of_classes(const Impurity& impurity, std::span<const std::int64_t> totals,
                       std::span<const std::uint16_t> present) {
  if (present.size() != 2) return kInfinity;
  Sides sides;
  sides.start(totals, present).move(present[0], totals[present[0]]);
  return Merit(impurity.exact_score(sides)).worth;
}

}  // namespace treewright
