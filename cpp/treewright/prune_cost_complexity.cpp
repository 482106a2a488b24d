#include <queue>
#include <stdexcept>

#include "treewright/prune.hpp"

namespace treewright {

std::vector<WeakestLink> weakest_links(std::span<const std::int32_t> child_begin,
                                       std::span<const std::int32_t> child, std::span<const double> risk) {
  const auto n = risk.size();
  if (child_begin.size() != n + 1)
    throw std::invalid_argument("child_begin must have one entry more than risk");
  std::vector<std::int32_t> parent(n, -1), n_leaves(n, 0);
  std::vector<double> leaf_risk(n, 0);
  const auto children = [&](std::size_t node) {
    return child.subspan(static_cast<std::size_t>(child_begin[node]),
                         static_cast<std::size_t>(child_begin[node + 1] - child_begin[node]));
  };
  for (std::size_t node = n; node-- > 0;) {
    if (children(node).empty()) {
      n_leaves[node] = 1;
      leaf_risk[node] = risk[node];
    }
    for (const auto next : children(node)) {
      parent[static_cast<std::size_t>(next)] = static_cast<std::int32_t>(node);
      n_leaves[node] += n_leaves[static_cast<std::size_t>(next)];
      leaf_risk[node] += leaf_risk[static_cast<std::size_t>(next)];
    }
  }

  // Entries of nodes that changed since, or went away with a branch above them, are passed over.
  struct Entry {
    double alpha;
    std::int32_t node;
    std::int32_t n_leaves;
    bool operator>(const Entry& other) const {
      return alpha != other.alpha ? alpha > other.alpha : node > other.node;
    }
  };
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto push = [&](std::size_t node) {
    queue.push({(risk[node] - leaf_risk[node]) / (n_leaves[node] - 1), static_cast<std::int32_t>(node),
                n_leaves[node]});
  };
  for (std::size_t node = 0; node < n; ++node) {
    if (n_leaves[node] > 1) push(node);
  }
  // A pruned branch is a run of pre-order numbers; nodes in it are recognised by `alive`.
  std::vector<std::int32_t> size(n, 1);
  for (std::size_t node = n; node-- > 1;) size[static_cast<std::size_t>(parent[node])] += size[node];
  std::vector<bool> alive(n, true);

  std::vector<WeakestLink> links;
  while (!queue.empty()) {
    const auto entry = queue.top();
    queue.pop();
    const auto node = static_cast<std::size_t>(entry.node);
    if (!alive[node] || n_leaves[node] != entry.n_leaves || n_leaves[node] == 1) continue;
    links.push_back({entry.node, entry.alpha});
    const auto end = node + static_cast<std::size_t>(size[node]);
    for (auto below = node + 1; below < end;) {
      const bool was_alive = alive[below];
      alive[below] = false;
      below += was_alive ? 1 : static_cast<std::size_t>(size[below]);
    }
    const auto fewer = n_leaves[node] - 1;
    const double more = risk[node] - leaf_risk[node];
    n_leaves[node] = 1;
    leaf_risk[node] = risk[node];
    for (auto up = parent[node]; up >= 0; up = parent[static_cast<std::size_t>(up)]) {
      const auto above = static_cast<std::size_t>(up);
      n_leaves[above] -= fewer;
      leaf_risk[above] += more;
      push(above);
    }
  }
  return links;
}

}  // namespace treewright
