// The median of weighted numbers.
#pragma once

#include "treewright/standard.hpp"

namespace treewright {

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
