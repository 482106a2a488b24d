// One growth, from the table to the flat tree, with whatever scan.
#pragma once

#include <utility>
#include <vector>

#include "treewright/block_engine.hpp"  // for BlockEngine
#include "treewright/grower.hpp"        // for Grower

namespace treewright {

// Everything one growth shares.
struct Growth {
  Table& table;
  const Target& target;
  const Recipe& recipe;
  Pool& pool;
  Watch& watch;

  template <class Scan>
  Tree grow(const Scan& scan, double reference = 0) {
    BlockEngine<TopBlock, Scan> engine(table, target, scan, recipe, pool, watch);
    Grower grower(recipe, watch);
    Sprout trunk;
    trunk.leaves.n_classes = target.n_classes;
    auto root = engine.root();
    root.id = trunk.add(root.facts.rows, root.facts.weight);
    grower.grow(engine, root, trunk);
    std::vector<Sprout> sprouts;
    sprouts.push_back(std::move(trunk));
    for (auto& graft : engine.grafts()) sprouts.push_back(std::move(graft));
    return flatten(sprouts, target.weights.unit, reference, recipe.criterion);
  }
};

// By a function of the caller's. In a file of its own: every scan is compiled for three blocks, and that
// takes a while.
template <bool kWeighted>
Tree grow_by_function(Growth& growth);

}  // namespace treewright
