// The trees to grow: recipes and tables that together reach every engine of the core.
#pragma once

#include <string>
#include <vector>

#include "tables.hpp"
#include "treewright/recipe/recipe.hpp"

namespace treewright::digests {

struct Plan {
  std::string name;
  const DrawnTable* table = nullptr;
  Recipe recipe;
  bool of_classes = true, is_weighted = false;
};

std::vector<DrawnTable> draw_tables();
std::vector<Plan> plans_for(const std::vector<DrawnTable>& tables);

}  // namespace treewright::digests
