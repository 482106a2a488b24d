#include "treewright/criteria/class_criterion.hpp"  // for criterion_of_classes, grow_by_counts
#include "treewright/criteria/classes.hpp"          // for GiniOfClasses
#include "treewright/search/two_sums.hpp"           // for TwoSumScan

namespace treewright {
namespace {

// Of two classes, two running sums tell all.
std::unique_ptr<Scan<std::uint32_t>> make_scan(const Growth& growth) {
  if (growth.target.n_classes != 2) return scan_classes<GiniOfClasses<false>, GiniOfClasses<true>>(growth);
  return by_weights(growth.target, [&](auto is_weighted) {
    return scan_of(TwoSumScan<TwoClasses<is_weighted>>(), growth.target);
  });
}

std::vector<GrowingTree> grow_counted(const Growth& growth) {
  if (growth.target.n_classes != 2) return grow_class_counts<GiniOfClasses<false>>(growth);
  TwoClassCounts<std::uint64_t> counts;
  counts.take(growth.target);
  return grow_by_counts(growth, std::move(counts), make_scan(growth));
}

const RegisterCriterion registered{{.word = "gini",
                                    .of_classes = true,
                                    .make_scan = make_scan,
                                    .grow_counted = grow_counted,
                                    .impurity = gini}};

}  // namespace
}  // namespace treewright
