#include <vector>

#include "treewright/block.hpp"         // for TopBlock
#include "treewright/block_growth.hpp"  // for BlockGrowth
#include "treewright/growth.hpp"
#include "treewright/quinlan_scan.hpp"  // for QuinlanScan

namespace treewright {
namespace {

// By column and slot: whether the next value above is more than `gap` off.
std::vector<std::vector<bool>> values_apart(Table& table, double gap) {
  const TopBlock block(table);
  std::vector<std::vector<bool>> apart(table.columns.size());
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (table.is_categorical(column)) continue;
    apart[column].resize(table.n_slots);
    const auto* slots = block.list(column);
    bool is_apart = true;
    for (auto i = table.n_slots; i-- > 0;) {
      if (i + 1 < table.n_slots && !block.same_value(column, slots[i], slots[i + 1]))
        is_apart = table.columns[column].is_below(table.row(slots[i]), table.row(slots[i + 1]), gap);
      apart[column][slots[i]] = is_apart;
    }
  }
  return apart;
}

template <bool kWeighted>
Tree grow(BlockGrowth growth) {
  const auto logs = x_log_x_table(growth.most_logs());
  QuinlanScan<kWeighted> scan(growth.recipe.quinlan, growth.recipe.categories);
  scan.impurity.share_table(&logs);
  std::vector<std::vector<bool>> apart;
  if (growth.recipe.min_gap > 0) {
    apart = values_apart(growth.table, growth.recipe.min_gap);
    scan.share_gaps(&apart);
  }
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
