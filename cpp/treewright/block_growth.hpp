// Growth on blocks: no row is in two nodes at once.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "treewright/block_engine.hpp"  // for BlockEngine
#include "treewright/count_engine.hpp"  // for CountEngine
#include "treewright/growth.hpp"        // for Growth

namespace treewright {

struct BlockGrowth : Growth {
  template <class Scan>
  Tree grow(const Scan& scan, double reference = 0) {
    auto sprouts = grow_sprouts(scan);
    table.drop_lists();  // a large tree needs the room
    return flatten(sprouts, target.weights.unit, reference, recipe, pool);
  }

 private:
  template <class Scan>
  std::vector<Sprout> grow_sprouts(const Scan& scan) {
    if constexpr (!std::is_void_v<typename CountsFor<Scan>::Type>) {
      if (counts_values) return grow_counted(scan);
    }
    BlockEngine<TopBlock, Scan> engine(table, target, scan, recipe, pool, watch);
    std::vector<Sprout> sprouts;
    sprouts.push_back(grow_trunk(engine));
    for (auto& graft : engine.grafts()) sprouts.push_back(std::move(graft));
    return sprouts;
  }

  template <class Scan>
  std::vector<Sprout> grow_counted(const Scan& scan) {
    CountEngine<Scan> engine(table, target, scan, recipe, pool, watch);
    std::vector<Sprout> sprouts;
    sprouts.push_back(grow_trunk(engine));
    for (auto& graft : engine.grafts()) sprouts.push_back(std::move(graft));
    return sprouts;
  }
};

}  // namespace treewright
