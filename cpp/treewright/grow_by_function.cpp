#include "treewright/block_growth.hpp"   // for BlockGrowth
#include "treewright/class_gini.hpp"     // for GiniOfClasses
#include "treewright/class_scan.hpp"     // for ClassScan
#include "treewright/function_scan.hpp"  // for FunctionScan
#include "treewright/growth.hpp"

namespace treewright {
namespace {

template <bool kWeighted>
Tree grow(BlockGrowth growth) {
  const auto& recipe = growth.recipe;
  if (growth.target.n_classes > 0) {
    using Classes = ClassScan<GiniOfClasses<kWeighted>, kWeighted>;
    return growth.grow(FunctionScan<Classes, std::int64_t>(Classes{}, recipe.function));
  }
  using OfNumbers = Numbers<kWeighted, SquaredDistance>;
  return growth.grow(FunctionScan<OfNumbers, double>(OfNumbers(recipe.leaf_value), recipe.function),
                     reference_of<SquaredDistance>(growth.target));
}

}  // namespace

Tree grow_by_function(const Growth& growth) {
  return growth.target.weights.all_equal() ? grow<false>({growth}) : grow<true>({growth});
}

}  // namespace treewright
