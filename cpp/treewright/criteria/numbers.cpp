#include "treewright/criteria/registry.hpp"  // for RegisterCriterion
#include "treewright/engine/grow.hpp"        // for Growth
#include "treewright/search/medians.hpp"     // for AbsoluteScan
#include "treewright/search/scan_of.hpp"     // for scan_of
#include "treewright/search/two_sums.hpp"    // for TwoSumScan

namespace treewright {
namespace {

template <class NumberCriterion>
std::unique_ptr<Scan<std::uint32_t>> scan_sums(const Growth& growth) {
  return by_weights(growth.target, [&]<class Weighted>(Weighted) {
    using Kind = Numbers<std::uint32_t, Weighted, NumberCriterion>;
    return scan_of<TwoSumScan<std::uint32_t, Kind>>(growth.target, growth.recipe.leaf_value,
                                                    growth.splits_in_two());
  });
}

std::unique_ptr<Scan<std::uint32_t>> scan_medians(const Growth& growth) {
  return by_weights(growth.target, [&]<class Weighted>(Weighted) {
    return scan_of<AbsoluteScan<std::uint32_t, Weighted>>(growth.target, growth.recipe.leaf_value,
                                                          growth.splits_in_two());
  });
}

const RegisterCriterion variance{{.word = "variance",
                                  .of_numbers = true,
                                  .carries = "two running sums",
                                  .make_scan = scan_sums<SquaredDistance>,
                                  .between = SquaredDistance::between,
                                  .reference = reference_of<SquaredDistance>}};
const RegisterCriterion poisson{{.word = "poisson",
                                 .of_numbers = true,
                                 .needs_no_negatives = true,
                                 .carries = "two running sums",
                                 .make_scan = scan_sums<PoissonDeviance>,
                                 .between = PoissonDeviance::between,
                                 .reference = reference_of<PoissonDeviance>}};
const RegisterCriterion absolute{{.word = "absolute_error",
                                  .of_numbers = true,
                                  .by_median = true,
                                  .carries = "medians that follow",
                                  .make_scan = scan_medians,
                                  .between = SquaredDistance::between}};

}  // namespace
}  // namespace treewright
