// What the cuts of a node share where rows weigh the same: tables by the number of rows on the left, and sums
// of a few entries of a list, which tell how good the cuts among them may be at best.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "treewright/kernels/partition.hpp"  // for RunOfCuts

namespace treewright {

inline constexpr std::int64_t kStep = 16;  // entries that are summed up at once

// Entries that may hold the best cut.
struct CutRange {
  double at_most;  // what a cut among them may be worth
  std::int64_t sum_before;
  std::int64_t first;  // entries to the left of the first cut
};

// A sum of a few entries, and how far it may rise above and fall below what the mean would give on the way:
// if first all that is above the mean comes, or below it.
struct Step {
  std::int64_t sum;
  double rise, fall;
};

template <class TargetKind, class Index>
Step add_up(const Index* slot, const TargetKind& target, const RunOfCuts& cuts) {
  const auto* amount = target.amount.data();
  std::int64_t sum = 0;
  if constexpr (TargetKind::kIsClasses) {
    for (std::int64_t j = 0; j < kStep; ++j) sum += amount[slot[j]];
    return {sum, static_cast<double>(sum) * (1 - cuts.mean) + cuts.slack,
            static_cast<double>(kStep - sum) * cuts.mean + cuts.slack};
  } else {
    const auto middle = std::llrint(cuts.mean);
    std::int64_t spread = 0;
    for (std::int64_t j = 0; j < kStep; ++j) {
      sum += amount[slot[j]];
      spread += std::abs(amount[slot[j]] - middle);
    }
    const auto drift = static_cast<double>(sum - kStep * middle);
    const double slack = cuts.slack + static_cast<double>(kStep);  // the mean is no whole number
    return {sum, (static_cast<double>(spread) + drift) / 2 + slack,
            (static_cast<double>(spread) - drift) / 2 + slack};
  }
}

}  // namespace treewright
