#include "treewright/search/function.hpp"  // for FunctionScan

#include "treewright/criteria/classes.hpp"    // for GiniOfClasses
#include "treewright/criteria/criterion.hpp"  // for ClassScan, scan_of, RegisterCriterion

namespace treewright {
namespace {

std::unique_ptr<Scan<std::uint32_t>> make_scan(const Growth& growth) {
  const auto& target = growth.target;
  const auto& recipe = growth.recipe;
  return by_weights(target, [&]<class Weighted>(Weighted) {
    using Classes = ClassScan<std::uint32_t, GiniOfClasses<Weighted::value>, Weighted>;
    using OfNumbers = Numbers<std::uint32_t, Weighted, SquaredDistance>;
    if (target.n_classes > 0) return scan_of<FunctionScan<std::uint32_t, Classes>>(target, recipe.function);
    return scan_of<FunctionScan<std::uint32_t, OfNumbers>>(target, recipe.function, recipe.leaf_value);
  });
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
