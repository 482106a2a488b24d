// Growth on blocks: no row is in two nodes at once.
#pragma once

#include <utility>
#include <vector>

#include "treewright/block_engine.hpp"  // for BlockEngine
#include "treewright/growth.hpp"        // for Growth

namespace treewright {

struct BlockGrowth : Growth {
  template <class Scan>
  Tree grow(const Scan& scan, double reference = 0) {
    auto sprouts = grow_sprouts(scan);
    table.drop_lists();  // a large tree needs the room
    return flatten(sprouts, target.weights.unit, reference, recipe);
  }

 private:
  template <class Scan>
  std::vector<Sprout> grow_sprouts(const Scan& scan) {
    BlockEngine<TopBlock, Scan> engine(table, target, scan, recipe, pool, watch);
    std::vector<Sprout> sprouts;
    sprouts.push_back(grow_trunk(engine));
    for (auto& graft : engine.grafts()) sprouts.push_back(std::move(graft));
    return sprouts;
  }
};

}  // namespace treewright
