// Smaller trees from a grown one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

// One step of weakest-link pruning: `node` becomes a leaf at this alpha.
struct Link {
  std::int32_t node;
  double alpha;
};

// Inner nodes in the order in which weakest-link pruning turns them into leaves: always the node with the
// least (risk(node) - risk of its leaves) / (leaves - 1), first in pre-order on a tie.
//
// Breiman, Friedman, Olshen, Stone (1984), section 3.3. Nodes are in pre-order, `risk` is by node.
std::vector<Link> weakest_links(std::span<const std::int32_t> child_begin,
                                std::span<const std::int32_t> child, std::span<const double> risk);

}  // namespace treewright
