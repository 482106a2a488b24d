#include "treewright/criteria/criterion.hpp"  // for scan_of, RegisterCriterion
#include "treewright/search/medians.hpp"      // for AbsoluteScan
#include "treewright/search/two_sums.hpp"     // for TwoSumScan

namespace treewright {
namespace {

template <class NumberCriterion, bool kByMedian = false>
std::unique_ptr<Scan<std::uint32_t>> scan_numbers(const Growth& growth) {
  return by_weights(growth.target, [&]<class Weighted>(Weighted) {
    using OfSums = TwoSumScan<std::uint32_t, Numbers<std::uint32_t, Weighted, NumberCriterion>>;
    using Search = std::conditional_t<kByMedian, AbsoluteScan<std::uint32_t, Weighted>, OfSums>;
    return scan_of<Search>(growth.target, growth.recipe.leaf_value, growth.splits_in_two());
  });
}

const RegisterCriterion variance{{.word = "variance",
                                  .of_numbers = true,
                                  .carries = "two running sums",
                                  .make_scan = scan_numbers<SquaredDistance>,
                                  .between = SquaredDistance::between,
                                  .reference = reference_of<SquaredDistance>}};
const RegisterCriterion poisson{{.word = "poisson",
                                 .of_numbers = true,
                                 .needs_no_negatives = true,
                                 .carries = "two running sums",
                                 .make_scan = scan_numbers<PoissonDeviance>,
                                 .between = PoissonDeviance::between,
                                 .reference = reference_of<PoissonDeviance>}};
const RegisterCriterion absolute{{.word = "absolute_error",
                                  .of_numbers = true,
                                  .by_median = true,
                                  .carries = "medians that follow",
                                  .make_scan = scan_numbers<SquaredDistance, true>,
                                  .between = SquaredDistance::between}};

}  // namespace
}  // namespace treewright
