#include <algorithm>

#include "treewright/block_engine.hpp"  // for BlockEngine
#include "treewright/growth.hpp"
#include "treewright/quinlan_scan.hpp"  // for QuinlanScan

namespace treewright {
namespace {

template <bool kWeighted>
Tree grow(Growth growth) {
  const auto logs = x_log_x_table(growth.target.weights.total);
  QuinlanScan<kWeighted> scan(growth.recipe.quinlan, growth.recipe.categories);
  scan.impurity.share_table(&logs);
  BlockEngine<TopBlock, QuinlanScan<kWeighted>> engine(growth.table, growth.target, scan, growth.recipe,
                                                       growth.pool, growth.watch);
  std::vector<Sprout> sprouts;
  sprouts.push_back(growth.grow_trunk(engine));
  for (auto& graft : engine.grafts()) sprouts.push_back(std::move(graft));
  return flatten(sprouts, growth.target.weights.unit, 0, growth.recipe.criterion);
}

}  // namespace

std::vector<double> x_log_x_table(std::int64_t most) {
  constexpr std::int64_t kLargest = 1 << 22;
  std::vector<double> logs(static_cast<std::size_t>(std::min(most + 1, kLargest)));
  for (std::size_t x = 0; x < logs.size(); ++x) logs[x] = x_log_x(static_cast<double>(x));
  return logs;
}

Tree grow_as_quinlan(const Growth& growth) {
  return growth.target.weights.all_equal() ? grow<false>(growth) : grow<true>(growth);
}

}  // namespace treewright
