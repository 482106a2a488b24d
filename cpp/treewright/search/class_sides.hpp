// Class weights on either side of a cut.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace treewright {

struct SideWeights {
  std::int64_t left_weight = 0, right_weight = 0;
};

// Class weights of a node's rows on either side of a moving cut.
struct Sides : SideWeights {
  std::vector<std::int64_t> left, right;  // by class; only the classes present in the node are kept up

  Sides() = default;
  Sides(std::vector<std::int64_t> on_left, std::vector<std::int64_t> on_right)
      : left(std::move(on_left)), right(std::move(on_right)) {}

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

}  // namespace treewright
