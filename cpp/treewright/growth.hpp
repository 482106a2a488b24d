// What one growth shares, and the kinds of growth that are compiled each in a file of its own.
#pragma once

#include <algorithm>
#include <vector>

#include "treewright/grower.hpp"  // for Grower
#include "treewright/pool.hpp"    // for Pool
#include "treewright/recipe.hpp"  // for Recipe
#include "treewright/table.hpp"   // for Table
#include "treewright/target.hpp"  // for Target

namespace treewright {

struct Growth {
  Table& table;
  const Target& target;
  const Recipe& recipe;
  Pool& pool;
  Watch& watch;
  bool counts_values = false;  // instead of going through lists

  // Logarithms of more numbers than a few sides of each row can have are of no use.
  std::int64_t most_logs() const {
    return std::min<std::int64_t>(target.weights.total, 64 * std::int64_t{table.n_slots});
  }

  // Whether every question parts all rows of its node in two.
  bool parts_in_two() const { return recipe.categories != Categories::Multiway && !table.has_gaps(); }

  // Grow the root of an engine.
  template <class Engine>
  Sprout grow_trunk(Engine& engine) {
    Grower grower(recipe, watch);
    Sprout trunk;
    trunk.leaves.n_classes = target.n_classes;
    auto root = engine.root();
    root.id = trunk.add(root.facts.rows, root.facts.weight);
    root.path = recipe.root_path;
    root.bounds = recipe.root_bounds;
    grower.grow(engine, root, trunk);
    return trunk;
  }
};

// x log2 x of 0, 1, 2, ... up to `most`, if that is not too long.
std::vector<double> x_log_x_table(std::int64_t most);

// Rows without a value go down every branch.
Tree grow_in_shares(const Growth& growth);

// The same as C4.5 does, where the recipe asks for no more than `is_grown_by_codes` says.
Tree grow_quinlan_in_shares(const Growth& growth);
bool is_grown_by_codes(const Recipe& recipe);

// By a criterion of classes or of numbers: in files of their own, for every scan is compiled for three
// blocks, and that takes a while.
Tree grow_classes(const Growth& growth);
Tree grow_numbers(const Growth& growth);

// By a function of the caller's.
Tree grow_by_function(const Growth& growth);

// As C4.5 does, where no row lacks a value.
Tree grow_as_quinlan(const Growth& growth);

}  // namespace treewright
