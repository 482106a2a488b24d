// Weights as integers, so that sums do not depend on order; the median of weighted numbers.
#pragma once

#include "treewright/interrupt.hpp"

namespace treewright {

// weight of slot i = of_slot[i] * unit. Whole weights are divided by their greatest common divisor: so weight
// 2 is the same as the row given twice, to the bit, and multiplying all weights by 3 changes nothing.
struct Weights {
  std::vector<std::int64_t> of_slot;  // empty: 1 each
  std::vector<double> given;          // the caller's, by slot; empty if of_slot is
  double unit = 1;
  double rounded = 0;  // by which a weight may differ from the given one
  std::int64_t total = 0;

  bool all_equal() const { return of_slot.empty(); }
};

// Every one of n slots weighs `unit`.
inline Weights equal_weights(std::uint32_t n, double unit = 1) { return {.unit = unit, .total = n}; }

// `given` holds positive, finite weights, one per slot.
inline Weights whole_weights(std::vector<double> given) {
  const auto n = static_cast<std::uint32_t>(given.size());
  // If all are equal, one is enough.
  if (std::ranges::adjacent_find(given, std::not_equal_to()) == given.end()) given.resize(1);
  double most = 0;
  int low = 2000, exponent = 0;  // low: exponent of the lowest bit set in any weight
  for (const double w : given) {
    most = std::max(most, w);
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(w, &exponent), 53));
    low = std::min(low, exponent - 53 + std::countr_zero(mantissa));
  }
  // The total must stay below 2^62: finer weights are rounded to the finest grid that fits, but never to 0.
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

// The same weights, one per slot, in units so fine that shares of shares are still large whole numbers.
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

struct WeighedNumber {
  double number;
  std::int64_t weight;
};

// The least number with at least half the weight at or below it; if that is exactly half, the midpoint of it
// and the next number. Reorders the numbers, of which there must be one at least; takes linear time.
inline double weighted_median(std::span<WeighedNumber> numbers, std::int64_t weight) {
  const auto by_number = [](const WeighedNumber& a, const WeighedNumber& b) { return a.number < b.number; };
  auto first = numbers.begin(), last = numbers.end();  // the median is among these ...
  std::int64_t below = 0;                              // ... and this is the weight of those in front of them
  for (;;) {
    const auto middle = first + (last - first - 1) / 2;
    std::nth_element(first, middle, last, by_number);
    auto half = below;
    for (auto each = first; each < middle; ++each) half += each->weight;
    const auto with_middle = half + middle->weight;
    if (half >= weight - half) {
      last = middle;
    } else if (with_middle < weight - with_middle) {
      first = middle + 1;
      below = with_middle;
    } else if (with_middle > weight - with_middle) {
      return middle->number;
    } else {
      return (middle->number + std::min_element(middle + 1, numbers.end(), by_number)->number) / 2;
    }
  }
}

}  // namespace treewright
