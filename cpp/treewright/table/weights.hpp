// Weights as whole numbers, so that their sums do not depend on the order of the rows.
#pragma once

#include "treewright/interrupt.hpp"

namespace treewright {

// weight of slot i = of_slot[i] * unit. Whole weights stay what they are, divided by their common divisor:
// weight 2 is then the same as the row given twice, to the bit, and so are weights all multiplied by 3.
struct Weights {
  std::vector<std::int64_t> of_slot;  // empty: 1 each
  std::vector<double> given;          // the caller's, by slot; empty where of_slot is
  double unit = 1;
  double rounded = 0;  // by which a weight may differ from the given one
  std::int64_t total = 0;

  bool all_equal() const { return of_slot.empty(); }
};

// Every one of n slots weighs `unit`.
inline Weights equal_weights(std::uint32_t n, double unit = 1) { return {.unit = unit, .total = n}; }

// Exponent of the lowest bit set in x > 0.
inline int lowest_bit(double x) {
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  return exponent - 53 + std::countr_zero(mantissa);
}

// `given` holds positive, finite weights, one a slot.
inline Weights whole_weights(std::vector<double> given) {
  const auto n = static_cast<std::uint32_t>(given.size());
  // Where all are equal, one tells of all.
  if (std::ranges::adjacent_find(given, std::not_equal_to()) == given.end()) given.resize(1);
  double most = 0;
  int low = 2000;
  for (const double w : given) {
    most = std::max(most, w);
    low = std::min(low, lowest_bit(w));
  }
  // The total must stay below 2^62. Weights too fine for that are rounded to the finest grid that fits,
  // and none is rounded away.
  const int fits = std::ilogb(most) + 1 + static_cast<int>(std::bit_width(n)) - 62;
  const int grid = std::max(low, fits);
  Weights out;
  std::int64_t divisor = 0;
  out.of_slot.reserve(given.size());
  for (const double w : given) {
    out.of_slot.push_back(std::max<std::int64_t>(1, std::llrint(std::ldexp(w, -grid))));
    out.rounded =
        std::max(out.rounded, std::abs(std::ldexp(static_cast<double>(out.of_slot.back()), grid) - w));
    divisor = std::gcd(divisor, out.of_slot.back());
  }
  out.unit = std::ldexp(static_cast<double>(divisor), grid);
  for (auto& w : out.of_slot) {
    w /= divisor;
    out.total += w;
  }
  if (out.total == std::ssize(given)) return equal_weights(n, out.unit);
  out.given = std::move(given);
  return out;
}

// The same weights, one a slot, in units so fine that shares of shares of them are still large whole numbers.
inline Weights in_fine_units(Weights weights) {
  if (weights.all_equal()) {
    weights.of_slot.assign(static_cast<std::size_t>(weights.total), 1);
    weights.given.assign(static_cast<std::size_t>(weights.total), weights.unit);
  }
  const int shift =
      std::max(0, 58 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(weights.total))));
  for (auto& weight : weights.of_slot) weight <<= shift;
  weights.total <<= shift;
  weights.unit = std::ldexp(weights.unit, -shift);
  return weights;
}

}  // namespace treewright
