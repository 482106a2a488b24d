// Small nodes grown apart by threads, each into a sprout of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "treewright/engine.hpp"  // for OpenNode
#include "treewright/limits.hpp"  // for Limits
#include "treewright/pool.hpp"    // for Pool
#include "treewright/tree.hpp"    // for Sprout

namespace treewright {

// The largest first, so that no thread is left with a long one at the end. `grow(node, graft, thread)`.
template <class Grow>
void grow_apart(Pool& pool, const Limits& limits, std::span<const OpenNode> nodes, Sprout& sprout,
                std::vector<Sprout>& grafts, const Grow& grow) {
  std::vector<std::size_t> by_size(nodes.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return nodes[a].facts.rows > nodes[b].facts.rows; });
  grafts.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    sprout.nodes[static_cast<std::size_t>(nodes[i].id)].graft = static_cast<std::int32_t>(i) + 1;
  pool.run(nodes.size(), [&](std::size_t task, int thread) {
    auto node = nodes[by_size[task]];
    auto& graft = grafts[by_size[task]];
    graft.leaves.n_classes = sprout.leaves.n_classes;
    graft.reserve(node.facts.rows, limits.min_rows_leaf);
    node.id = graft.add(node.facts.rows, node.facts.weight);
    grow(node, graft, static_cast<std::size_t>(thread));
  });
}

}  // namespace treewright
