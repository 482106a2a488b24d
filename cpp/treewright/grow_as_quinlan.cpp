#include "treewright/block_growth.hpp"  // for BlockGrowth
#include "treewright/growth.hpp"
#include "treewright/quinlan_scan.hpp"  // for QuinlanScan

namespace treewright {
namespace {

template <bool kWeighted>
Tree grow(BlockGrowth growth) {
  const auto logs = x_log_x_table(growth.most_logs());
  QuinlanScan<kWeighted> scan(growth.recipe.quinlan, growth.recipe.categories);
  scan.impurity.share_table(&logs);
  return growth.grow(scan);
}

}  // namespace

Tree grow_as_quinlan(const Growth& given) {
  auto recipe = given.recipe;
  recipe.limits_once_unknown.reset();  // every value is known
  const Growth growth{given.table, given.target, recipe, given.pool, given.watch};
  return growth.target.weights.all_equal() ? grow<false>({growth}) : grow<true>({growth});
}

}  // namespace treewright
