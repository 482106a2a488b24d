// Class weights on either side of a cut, and what a cut that moves along a list counts where every row
// weighs 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

// Class weights of a node's rows on either side of a moving cut.
struct Sides {
  std::vector<std::int64_t> left, right;  // by class; only the classes present in the node are kept up
  std::int64_t left_weight = 0, right_weight = 0;

  // Everything on the right.
  Sides& start(std::span<const std::int64_t> totals, std::span<const std::uint16_t> present) {
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

  // From right to left; back, where the weight is negative.
  void move(std::uint16_t k, std::int64_t weight) {
    left[k] += weight;
    right[k] -= weight;
    left_weight += weight;
    right_weight -= weight;
  }
};

// Rows of a class on the left, and on both sides.
struct ClassCount {
  std::int32_t left, all;
};

// Bounds of so many cuts are computed at once, and the cuts passed by if none reaches the floor.
inline constexpr std::size_t kCutsInRun = 64;

// Rows of a list, the first of which are counted as left. What a criterion's `Runs` are given counts as it
// goes; where a cut gets its exact score, the count goes back to it.
template <class Index>
struct Walk {
  const Index* slots;
  const std::uint16_t* classes;  // by slot
  ClassCount* counts;            // by class
  std::int64_t at;               // rows counted as left

  // The class of the next row, whose count is left to the caller.
  ClassCount& next() { return counts[classes[slots[at++]]]; }

  void go_to(std::int64_t i) {
    while (at < i) ++next().left;
    while (at > i) --counts[classes[slots[--at]]].left;
  }
};

}  // namespace treewright
