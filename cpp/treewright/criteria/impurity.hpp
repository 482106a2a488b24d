// The scores. Every one is a function of whole-number totals and symmetric in the two sides, so that equal
// partitions score equally to the bit, whichever column, side or order of rows they come from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "treewright/math/logarithm.hpp"  // for x_log_x
#include "treewright/portable.hpp"        // for Int128

namespace treewright {

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

inline double misclassification(std::span<const double> shares) {
  return 1 - *std::max_element(shares.begin(), shares.end());
}

inline double taylor_entropy(std::span<const double> shares) {
  double sum = 0;
  for (const double share : shares) sum += share * (1 - share) * (1 + (1 - share) / 2);
  return sum;
}

// A conversion of 128 bits at once is a call; this is not. Numbers of 64 bits are below 2^63.
inline double real_of(std::uint64_t x) { return static_cast<double>(static_cast<std::int64_t>(x)); }
inline double real_of(UInt128 x) {
  return static_cast<double>(static_cast<std::uint64_t>(x >> 64)) * 0x1p64 +
         static_cast<double>(static_cast<std::uint64_t>(x));
}

// Gini and variance are one formula: with D = S_left W - S W_left, the weighted impurity falls by
//     D^2 / (W W_left W_right)
// (Gini: summed over the classes, S being the weight of a class). The judge leaves out the last 1 / W, which
// is the same for every cut of a node.
inline double difference_squared(std::int64_t left, std::int64_t left_weight, std::int64_t all,
                                 std::int64_t weight) {
  const Int128 d = static_cast<Int128>(left) * weight - static_cast<Int128>(all) * left_weight;
  // Most differences fit in 64 bits, whose conversion is one instruction.
  const auto narrow = static_cast<std::int64_t>(d);
  const double size = narrow == d ? static_cast<double>(narrow) : static_cast<double>(d);
  return size * size;
}

inline double between_sides(std::int64_t left, std::int64_t left_weight, std::int64_t all,
                            std::int64_t weight) {
  return difference_squared(left, left_weight, all, weight) /
         (static_cast<double>(left_weight) * static_cast<double>(weight - left_weight));
}

}  // namespace treewright
