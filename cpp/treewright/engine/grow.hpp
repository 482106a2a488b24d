// All rows in this process: presorted lists, scanned and parted in place.
#pragma once

#include "treewright/engine/engine.hpp"  // for Progress
#include "treewright/pool.hpp"           // for Pool
#include "treewright/recipe/recipe.hpp"  // for Recipe
#include "treewright/search/target.hpp"  // for Target
#include "treewright/table/table.hpp"    // for Table
#include "treewright/tree/tree.hpp"      // for Tree

namespace treewright {

// Grow one tree. The lists of the table are used up.
Tree grow_tree(Table& table, const Target& target, const Recipe& recipe, Pool& pool, Progress& watch);

}  // namespace treewright
