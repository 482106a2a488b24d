#include "treewright/search/function.hpp"  // for FunctionScan

#include "treewright/criteria/gini.hpp"      // for GiniOfClasses
#include "treewright/criteria/registry.hpp"  // for RegisterCriterion
#include "treewright/engine/growth.hpp"      // for Growth
#include "treewright/search/classes.hpp"     // for ClassScan
#include "treewright/search/scan_of.hpp"     // for scan_of

namespace treewright {
namespace {

template <bool kWeighted>
std::unique_ptr<Scan<std::uint32_t>> scan_function(const Growth& growth) {
  const auto& recipe = growth.recipe;
  if (growth.target.n_classes > 0) {
    using Classes = ClassScan<GiniOfClasses<kWeighted>, kWeighted>;
    FunctionScan<Classes, std::int64_t> search(Classes{}, recipe.function);
    search.take(growth.target);
    return scan_of(std::move(search));
  }
  using OfNumbers = Numbers<kWeighted, SquaredDistance>;
  FunctionScan<OfNumbers, double> search(OfNumbers(recipe.leaf_value), recipe.function);
  search.take(growth.target);
  return scan_of(std::move(search));
}

std::unique_ptr<Scan<std::uint32_t>> make_scan(const Growth& growth) {
  return growth.target.weights.all_equal() ? scan_function<false>(growth) : scan_function<true>(growth);
}

// Nodes of classes show Gini, those of numbers the variance.
const RegisterCriterion registered{{.word = "function",
                                    .of_classes = true,
                                    .of_numbers = true,
                                    .is_function = true,
                                    .carries = "a function of the caller's",
                                    .make_scan = make_scan,
                                    .impurity = gini,
                                    .between = SquaredDistance::between,
                                    .reference = reference_of<SquaredDistance>}};

}  // namespace
}  // namespace treewright
