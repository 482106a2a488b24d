#include <stdexcept>

#include "treewright/prune.hpp"

namespace treewright {

void add_up(std::span<const std::int32_t> parent, std::span<double> values, std::size_t width) {
  if (values.size() != parent.size() * width)
    throw std::invalid_argument("values of another number of nodes");
  for (auto node = parent.size(); node-- > 1;) {  // children come after their parent
    const auto above = static_cast<std::size_t>(parent[node]);
    for (std::size_t k = 0; k < width; ++k) values[above * width + k] += values[node * width + k];
  }
}

std::vector<std::int32_t> no_worse_as_leaves(std::span<const std::int32_t> child_begin,
                                             std::span<const std::int32_t> child,
                                             std::span<const double> as_leaf, std::span<const double> slack,
                                             bool bottom_up) {
  const auto n = as_leaf.size();
  if (child_begin.size() != n + 1 || slack.size() != n)
    throw std::invalid_argument("as_leaf or slack of another number of nodes");
  std::vector<double> of_leaves(as_leaf.begin(), as_leaf.end());
  std::vector<std::int32_t> found;
  for (auto node = n; node-- > 0;) {
    const auto begin = static_cast<std::size_t>(child_begin[node]);
    const auto end = static_cast<std::size_t>(child_begin[node + 1]);
    if (begin == end) continue;
    double sum = 0;
    for (auto i = begin; i < end; ++i) sum += of_leaves[static_cast<std::size_t>(child[i])];
    const bool is_no_worse = sum >= as_leaf[node] - slack[node];
    if (is_no_worse) found.push_back(static_cast<std::int32_t>(node));
    of_leaves[node] = is_no_worse && bottom_up ? as_leaf[node] : sum;
  }
  return found;
}

}  // namespace treewright
