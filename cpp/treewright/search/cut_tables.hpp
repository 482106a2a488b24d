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

class CutTables {
 public:
  // Of a node of n rows; up to `beyond` entries behind them may be read.
  void fill(std::size_t n, double mean, std::size_t beyond) {
    if (inverse_.size() < n + beyond + 1) {
      inverse_.resize(n + beyond + 1);
      expected_.resize(n + beyond + 1);
      shares_.resize(n + 1);
      for (std::size_t i = 1; i <= n; ++i) shares_[i] = 1 / static_cast<double>(i);
    }
    // Two sums are sooner had than a quotient: 1 / i + 1 / (n - i) is n times that.
    const double* share = shares_.data();
    double *inverse = inverse_.data(), *expected = expected_.data();
    for (std::size_t i = 1; i < n; ++i) inverse[i] = (share[i] + share[n - i]) * share[n];
    inverse[0] = inverse[n] = 0;
    for (int i = 0; i < static_cast<int>(n); ++i) expected[i] = i * mean;
  }

  const double* inverse() const { return inverse_.data(); }    // 1 / (i (n - i))
  const double* expected() const { return expected_.data(); }  // what i rows would sum up to, were all alike

 private:
  std::vector<double> inverse_, expected_, shares_;
};

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
