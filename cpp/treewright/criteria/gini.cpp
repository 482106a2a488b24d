#include "treewright/criteria/class_criterion.hpp"  // for scan_classes, count_classes
#include "treewright/criteria/classes.hpp"          // for GiniOfClasses
#include "treewright/search/two_sums.hpp"           // for TwoSumScan

namespace treewright {
namespace {

// Of two classes, two running sums tell all.
std::unique_ptr<Scan<std::uint32_t>> make_scan(const Growth& growth) {
  if (growth.target.n_classes != 2) return scan_classes<GiniOfClasses<false>, GiniOfClasses<true>>(growth);
  return by_weights(growth.target, [&]<class Weighted>(Weighted) {
    return scan_of<TwoSumScan<std::uint32_t, TwoClasses<std::uint32_t, Weighted>>>(growth.target);
  });
}

std::unique_ptr<CountSearch> make_counts(const Growth& growth) {
  if (growth.target.n_classes != 2) return count_classes<GiniOfClasses<false>>(growth);
  return std::make_unique<TwoClassCounts>(growth.target.weights.total);
}

const RegisterCriterion registered{{.word = "gini",
                                    .of_classes = true,
                                    .make_scan = make_scan,
                                    .make_counts = make_counts,
                                    .impurity = gini}};

}  // namespace
}  // namespace treewright
