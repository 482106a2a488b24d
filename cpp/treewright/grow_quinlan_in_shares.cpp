#include "treewright/growth.hpp"
#include "treewright/quinlan_engine.hpp"  // for QuinlanEngine

namespace treewright {
namespace {

template <std::size_t kClasses>
Tree grow(Growth growth) {
  QuinlanEngine<kClasses> engine(growth.table, growth.target, growth.recipe, growth.pool);
  std::vector<Sprout> sprouts;
  sprouts.push_back(growth.grow_trunk(engine));
  sprouts[0].ends = engine.ends();
  return flatten(sprouts, growth.target.weights.unit, 0, growth.recipe, growth.pool);
}

}  // namespace

Tree grow_quinlan_in_shares(const Growth& growth) {
  return growth.target.n_classes == 2 ? grow<2>(growth) : grow<0>(growth);
}

bool is_grown_by_codes(const Recipe& recipe) { return QuinlanEngine<0>::serves(recipe); }

}  // namespace treewright
