// All rows in this process: one growth, from the table to the flat tree.
#pragma once

#include "treewright/engine/engine.hpp"  // for Engine, Progress
#include "treewright/pool.hpp"           // for Pool
#include "treewright/recipe/recipe.hpp"  // for Recipe
#include "treewright/search/target.hpp"  // for Target, Scan
#include "treewright/table/table.hpp"    // for Table

namespace treewright {

// Grow one tree. The lists of the table are used up.
Tree grow_tree(Table& table, const Target& target, const Recipe& recipe, Pool& pool, Progress& watch);

// What one growth shares.
struct Growth {
  Table& table;
  const Target& target;
  const Recipe& recipe;
  Pool& pool;
  Progress& watch;
  bool is_fractional = false;  // rows without a value go down every branch

  // Whether every split has two branches and all rows of its node in them.
  bool splits_in_two() const { return recipe.categories != Categories::Multiway && !table.has_gaps(); }

  // Grow an engine's root: the trunk, and the subtrees that threads grew apart.
  std::vector<GrowingTree> grow(Engine& engine) const;
};

// As C4.5 does.
std::vector<GrowingTree> grow_quinlan(const Growth& growth);

}  // namespace treewright
