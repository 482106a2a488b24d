// Small nodes grown apart by threads, each into a tree of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "treewright/engine/engine.hpp"  // for OpenNode
#include "treewright/pool.hpp"           // for Pool
#include "treewright/recipe/limits.hpp"  // for Limits
#include "treewright/tree/tree.hpp"      // for GrowingTree

namespace treewright {

// The largest first, so that no thread is left with a long one at the end. `grow(node, subtree, thread)`.
template <class Grow>
void grow_subtrees(Pool& pool, const Limits& limits, std::span<const OpenNode> nodes, GrowingTree& growing,
                   std::vector<GrowingTree>& subtrees, const Grow& grow) {
  std::vector<std::size_t> by_size(nodes.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return nodes[a].facts.rows > nodes[b].facts.rows; });
  subtrees.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    growing.nodes[static_cast<std::size_t>(nodes[i].id)].subtree = static_cast<std::int32_t>(i) + 1;
  pool.run(nodes.size(), [&](std::size_t task, int thread) {
    auto node = nodes[by_size[task]];
    auto& subtree = subtrees[by_size[task]];
    subtree.leaves.n_classes = growing.leaves.n_classes;
    subtree.reserve(node.facts.rows, limits.min_rows_leaf);
    node.id = subtree.add(node.facts.rows, node.facts.weight);
    grow(node, subtree, static_cast<std::size_t>(thread));
  });
}

}  // namespace treewright
