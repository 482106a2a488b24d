#include "treewright/criteria/classes.hpp"    // for GiniOfClasses
#include "treewright/criteria/criterion.hpp"  // for criterion_of_classes
#include "treewright/search/two_sums.hpp"     // for TwoSumScan

namespace treewright {
namespace {

// For two classes two running sums are enough.
std::unique_ptr<Scan<std::uint32_t>> scan_gini(const Growth& growth) {
  if (growth.target.n_classes != 2) return scan_classes<GiniOfClasses<false>, GiniOfClasses<true>>(growth);
  return by_weights(growth.target, [&]<class Weighted>(Weighted) {
    return scan_of<TwoSumScan<std::uint32_t, TwoClasses<std::uint32_t, Weighted>>>(growth.target);
  });
}

const RegisterCriterion of_gini{
    {.word = "gini", .of_classes = true, .make_scan = scan_gini, .impurity = gini}};

}  // namespace
}  // namespace treewright
