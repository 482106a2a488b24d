// The weighted median, from whole weights: half the weight lies on either side of it, to the last unit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace treewright {

struct WeighedNumber {
  double number;
  std::int64_t weight;
};

// The least number with at least half the weight at or below it; where that is exactly half, the midpoint of
// it and the next one. Puts the numbers, at least one, in another order; takes linear time.
inline double weighted_median(std::span<WeighedNumber> numbers, std::int64_t weight) {
  const auto by_number = [](const WeighedNumber& a, const WeighedNumber& b) { return a.number < b.number; };
  auto first = numbers.begin(), last = numbers.end();  // the median is one of these ...
  std::int64_t below = 0;                              // ... and this is the weight of those in front of them
  while (last - first > 1) {
    const auto middle = first + (last - first) / 2;
    std::nth_element(first, middle, last, by_number);
    std::int64_t half = below;
    for (auto each = first; each < middle; ++each) half += each->weight;
    if (half >= weight - half) {
      last = middle;
    } else {
      below = half;
      first = middle;
    }
  }
  below += first->weight;
  if (below > weight - below) return first->number;
  return (first->number + std::min_element(last, numbers.end(), by_number)->number) / 2;
}

}  // namespace treewright
