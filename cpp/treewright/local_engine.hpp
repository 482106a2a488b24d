// All rows in this process: presorted lists, scanned and parted in place.
#pragma once

#include "treewright/engine.hpp"  // for Watch
#include "treewright/pool.hpp"    // for Pool
#include "treewright/recipe.hpp"  // for Recipe
#include "treewright/table.hpp"   // for Table
#include "treewright/target.hpp"  // for Target
#include "treewright/tree.hpp"    // for Tree

namespace treewright {

// Grow one tree. The lists of the table are used up.
Tree grow_locally(Table& table, const Target& target, const Recipe& recipe, Pool& pool, Watch& watch);

}  // namespace treewright
