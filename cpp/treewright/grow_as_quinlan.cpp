#include <algorithm>

#include "treewright/block_growth.hpp"  // for BlockGrowth
#include "treewright/growth.hpp"
#include "treewright/quinlan_scan.hpp"  // for QuinlanScan

namespace treewright {
namespace {

template <bool kWeighted>
Tree grow(BlockGrowth growth) {
  const auto logs = x_log_x_table(
      std::min<std::int64_t>(growth.target.weights.total, 64 * std::int64_t{growth.table.n_slots}));
  QuinlanScan<kWeighted> scan(growth.recipe.quinlan, growth.recipe.categories);
  scan.impurity.share_table(&logs);
  return growth.grow(scan);
}

}  // namespace

std::vector<double> x_log_x_table(std::int64_t most) {
  constexpr std::int64_t kLargest = 1 << 22;
  std::vector<double> logs(static_cast<std::size_t>(std::min(most + 1, kLargest)));
  for (std::size_t x = 0; x < logs.size(); ++x) logs[x] = x_log_x(static_cast<double>(x));
  return logs;
}

Tree grow_as_quinlan(const Growth& growth) {
  return growth.target.weights.all_equal() ? grow<false>({growth}) : grow<true>({growth});
}

}  // namespace treewright
