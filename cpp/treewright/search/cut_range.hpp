// A few entries of a list summed up at once, and how good the cuts among them may be at best.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "treewright/kernels/partition.hpp"  // for RunOfCuts

namespace treewright {

inline constexpr std::int64_t kStep = 16;  // entries that are summed up at once
inline constexpr std::int64_t kHalf = kStep / 2;

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

template <std::int64_t kEntries, class TargetKind, class Index>
Step add_up(const Index* slot, const TargetKind& target, const RunOfCuts& cuts) {
  const auto* amount = target.amount.data();
  std::int64_t sum = 0;
  if constexpr (TargetKind::kIsClasses) {
    for (std::int64_t j = 0; j < kEntries; ++j) sum += amount[slot[j]];
    return {sum, static_cast<double>(sum) * (1 - cuts.mean) + cuts.slack,
            static_cast<double>(kEntries - sum) * cuts.mean + cuts.slack};
  } else {
    const auto middle = std::llrint(cuts.mean);
    std::int64_t spread = 0;
    for (std::int64_t j = 0; j < kEntries; ++j) {
      sum += amount[slot[j]];
      spread += std::abs(amount[slot[j]] - middle);
    }
    const auto drift = static_cast<double>(sum - kEntries * middle);
    const double slack = cuts.slack + static_cast<double>(kEntries);  // the mean is no whole number
    return {sum, (static_cast<double>(spread) + drift) / 2 + slack,
            (static_cast<double>(spread) - drift) / 2 + slack};
  }
}

}  // namespace treewright
