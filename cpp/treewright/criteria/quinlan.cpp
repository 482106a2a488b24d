#include "treewright/search/quinlan.hpp"  // for QuinlanScan

#include <vector>

#include "treewright/engine/growth.hpp"   // for Growth
#include "treewright/engine/lists.hpp"    // for TableLists
#include "treewright/quinlan/engine.hpp"  // for QuinlanEngine
#include "treewright/search/scan_of.hpp"  // for scan_of

namespace treewright {
namespace {

// By column and slot: whether the next value above is more than `gap` off.
std::vector<std::vector<bool>> find_values_apart(Table& table, double gap) {
  const TableLists block(table);
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
std::unique_ptr<Scan<std::uint32_t>> make_scan(const Growth& growth) {
  QuinlanScan<kWeighted> search(growth.recipe.quinlan, growth.recipe.categories);
  search.impurity.share_table(growth.logs());
  if (growth.recipe.min_gap > 0 && !growth.is_fractional) {
    search.share_values_apart(std::make_shared<std::vector<std::vector<bool>>>(
        find_values_apart(growth.table, growth.recipe.min_gap)));
  }
  search.take(growth.target);
  return scan_of(std::move(search));
}

template <std::size_t kClasses>
std::vector<GrowingTree> grow_codes(const Growth& growth) {
  QuinlanEngine<kClasses> engine(growth.table, growth.target, growth.recipe, growth.pool);
  std::vector<GrowingTree> parts;
  parts.push_back(growth.grow_root(engine));
  parts[0].ends = engine.ends();
  return parts;
}

}  // namespace

std::unique_ptr<Scan<std::uint32_t>> make_quinlan_scan(const Growth& growth) {
  return growth.target.weights.all_equal() ? make_scan<false>(growth) : make_scan<true>(growth);
}

std::vector<GrowingTree> grow_by_codes(const Growth& growth) {
  return growth.target.n_classes == 2 ? grow_codes<2>(growth) : grow_codes<0>(growth);
}

bool is_grown_by_codes(const Recipe& recipe) { return QuinlanEngine<0>::serves(recipe); }

}  // namespace treewright
