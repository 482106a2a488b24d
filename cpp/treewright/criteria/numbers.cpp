#include "treewright/criteria/registry.hpp"  // for RegisterCriterion
#include "treewright/engine/growth.hpp"      // for Growth
#include "treewright/search/medians.hpp"     // for AbsoluteScan
#include "treewright/search/scan_of.hpp"     // for scan_of
#include "treewright/search/two_sums.hpp"    // for TwoSumScan

namespace treewright {
namespace {

template <class NumberCriterion, bool kWeighted>
std::unique_ptr<Scan<std::uint32_t>> scan_sums(const Growth& growth) {
  using Kind = Numbers<kWeighted, NumberCriterion>;
  TwoSumScan<Kind> search(Kind(growth.recipe.leaf_value, growth.splits_in_two()));
  search.take(growth.target);
  return scan_of(std::move(search));
}

template <class NumberCriterion>
std::unique_ptr<Scan<std::uint32_t>> scan_numbers(const Growth& growth) {
  return growth.target.weights.all_equal() ? scan_sums<NumberCriterion, false>(growth)
                                           : scan_sums<NumberCriterion, true>(growth);
}

template <bool kWeighted>
std::unique_ptr<Scan<std::uint32_t>> scan_medians(const Growth& growth) {
  AbsoluteScan<kWeighted> search(growth.recipe.leaf_value);
  search.take(growth.target);
  return scan_of(std::move(search));
}

std::unique_ptr<Scan<std::uint32_t>> scan_absolute(const Growth& growth) {
  return growth.target.weights.all_equal() ? scan_medians<false>(growth) : scan_medians<true>(growth);
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
                                  .make_scan = scan_absolute,
                                  .between = SquaredDistance::between}};

}  // namespace
}  // namespace treewright
