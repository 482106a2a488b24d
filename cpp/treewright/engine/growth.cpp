#include "treewright/engine/growth.hpp"

#include <utility>

#include "treewright/math/logarithm.hpp"  // for x_log_x

namespace treewright {

const std::vector<double>* Growth::logs() const {
  constexpr std::int64_t kLargest = 1 << 22;
  auto& table_of_logs = tables->emplace_back(std::min(most_looked_up() + 1, kLargest));
  for (std::size_t x = 0; x < table_of_logs.size(); ++x) table_of_logs[x] = x_log_x(static_cast<double>(x));
  return &table_of_logs;
}

const std::vector<double>* Growth::inverses() const {
  constexpr std::int64_t kLargest = 1 << 16;
  auto& table_of_inverses = tables->emplace_back(std::min(most_looked_up() + 1, kLargest));
  for (std::size_t x = 1; x < table_of_inverses.size(); ++x)
    table_of_inverses[x] = 1 / static_cast<double>(x);
  return &table_of_inverses;
}

GrowingTree Growth::grow_root(Engine& engine) const {
  Grower grower(recipe, watch);
  GrowingTree trunk;
  trunk.leaves.n_classes = target.n_classes;
  auto root = engine.root();
  root.id = trunk.add(root.facts.rows, root.facts.weight);
  root.path = recipe.root_path;
  root.bounds = recipe.root_bounds;
  grower.grow(engine, root, trunk);
  return trunk;
}

}  // namespace treewright
