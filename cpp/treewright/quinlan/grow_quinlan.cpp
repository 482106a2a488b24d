#include <vector>

#include "treewright/engine/growth.hpp"   // for Growth
#include "treewright/quinlan/engine.hpp"  // for QuinlanEngine

namespace treewright {
namespace {

template <std::size_t kClasses>
std::vector<GrowingTree> grow_classes(const Growth& growth) {
  QuinlanEngine<kClasses> engine(growth.table, growth.target, growth.recipe, growth.pool);
  auto parts = growth.grow(engine);
  // Where a column has one set of branches wherever it is asked, pruning need not send rows down again.
  if (growth.recipe.categories == Categories::Multiway) parts[0].ends = engine.ends();
  return parts;
}

}  // namespace

std::vector<GrowingTree> grow_quinlan(const Growth& growth) {
  return growth.target.n_classes == 2 ? grow_classes<2>(growth) : grow_classes<0>(growth);
}

}  // namespace treewright
