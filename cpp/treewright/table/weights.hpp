// Weights as whole numbers, so that their sums do not depend on the order of the rows.
#pragma once

#include <cstdint>
#include <vector>

namespace treewright {

// weight of slot i = of_slot[i] * unit. Whole weights stay what they are, divided by their common divisor:
// weight 2 is then the same as the row given twice, to the bit, and so are weights all multiplied by 3.
struct Weights {
  std::vector<std::int64_t> of_slot;  // empty: 1 each
  std::vector<double> given;          // the caller's, by slot; empty where of_slot is
  double unit = 1;
  std::int64_t total = 0;

  bool all_equal() const { return of_slot.empty(); }
};

// `given` holds positive, finite weights, one a slot.
Weights whole_weights(std::vector<double> given);

// Every one of n slots weighs `unit`.
Weights equal_weights(std::uint32_t n, double unit = 1);

// The same weights, one a slot, in units so fine that shares of shares of them are still large whole numbers.
Weights in_fine_units(Weights weights);

}  // namespace treewright
