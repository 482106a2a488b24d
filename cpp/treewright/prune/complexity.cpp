#include <algorithm>

#include "treewright/prune/prune.hpp"
#include "treewright/tree/check_tree.hpp"  // for check_children, check_length

namespace treewright {

std::vector<double> complexities(std::span<const std::int32_t> child_begin,
                                 std::span<const std::int32_t> child, std::span<const double> risk,
                                 double least) {
  check_children(child_begin, child);
  const auto n = child_begin.size() - 1;
  check_length("risk", risk.size(), n, "nodes");
  const auto children = [&](std::size_t node) {
    return child.subspan(static_cast<std::size_t>(child_begin[node]),
                         static_cast<std::size_t>(child_begin[node + 1] - child_begin[node]));
  };
  // What is left of the subtree at a node, once the links inside it that are weaker than its own are cut.
  std::vector<std::int32_t> n_leaves(n, 1);
  std::vector<double> leaf_risk(risk.begin(), risk.end()), complexity(n, least);
  std::vector<std::int32_t> by_complexity;
  for (std::size_t node = n; node-- > 0;) {
    if (children(node).empty() || risk[node] <= least) continue;
    by_complexity.assign(children(node).begin(), children(node).end());
    std::ranges::reverse(by_complexity);  // of equals the last child first
    std::ranges::stable_sort(by_complexity, {},
                             [&](std::int32_t each) { return complexity[static_cast<std::size_t>(each)]; });
    double risk_below = 0;
    std::int32_t leaves_below = 0;
    for (const auto each : by_complexity) {
      risk_below += leaf_risk[static_cast<std::size_t>(each)];
      leaves_below += n_leaves[static_cast<std::size_t>(each)];
    }
    const auto strength = [&] {  // a lone child saves no leaf
      return leaves_below > 1 ? (risk[node] - risk_below) / (leaves_below - 1) : 0.0;
    };
    double own = strength();
    for (const auto each : by_complexity) {
      const auto at = static_cast<std::size_t>(each);
      if (own <= complexity[at]) break;
      risk_below += risk[at] - leaf_risk[at];
      leaves_below -= n_leaves[at] - 1;
      own = strength();
    }
    complexity[node] = own;
    if (own <= least) continue;
    n_leaves[node] = leaves_below;
    leaf_risk[node] = risk_below;
  }
  for (std::size_t node = 0; node < n; ++node) {  // in pre-order what is above comes first
    for (const auto each : children(node)) {
      auto& below = complexity[static_cast<std::size_t>(each)];
      below = std::min(below, complexity[node]);
    }
  }
  return complexity;
}

}  // namespace treewright
