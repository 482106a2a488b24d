#include "treewright/interrupt.hpp"  // for heed_interrupts
#include "treewright/prune/prune.hpp"
#include "treewright/tree/check_tree.hpp"  // for check_children, check_parents, check_length, check_numbers

namespace treewright {

void add_up(std::span<const std::int32_t> parent, std::span<double> values, std::size_t width) {
  check_parents(parent);
  check_length("values", width == 0 ? parent.size() : values.size() / width, parent.size(), "nodes");
  for (auto node = parent.size(); node-- > 1;) {  // children come after their parent
    heed_interrupts_at(node);
    const auto above = static_cast<std::size_t>(parent[node]);
    for (std::size_t k = 0; k < width; ++k) values[above * width + k] += values[node * width + k];
  }
}

std::vector<std::int32_t> no_worse_as_leaves(std::span<const std::int32_t> child_begin,
                                             std::span<const std::int32_t> child,
                                             std::span<const double> as_leaf, std::span<const double> slack,
                                             bool bottom_up) {
  const auto children = check_children(child_begin, child);
  const auto n = children.n_nodes();
  check_length("as_leaf", as_leaf.size(), n, "nodes");
  check_length("slack", slack.size(), n, "nodes");
  std::vector<double> of_leaves(as_leaf.begin(), as_leaf.end());
  std::vector<std::int32_t> found;
  for (auto node = n; node-- > 0;) {
    heed_interrupts_at(node);
    if (children.n_of(node) == 0) continue;
    double sum = 0;
    for (const auto each : children.of(node)) sum += of_leaves[static_cast<std::size_t>(each)];
    const bool is_no_worse = sum >= as_leaf[node] - slack[node];
    if (is_no_worse) found.push_back(static_cast<std::int32_t>(node));
    of_leaves[node] = is_no_worse && bottom_up ? as_leaf[node] : sum;
  }
  return found;
}

CutTree cut_at(std::span<const std::int32_t> child_begin, std::span<const std::int32_t> child,
               std::span<const std::int32_t> leaves) {
  const auto children = check_children(child_begin, child);
  const auto n = children.n_nodes();
  check_numbers("leaves", leaves, n, "nodes");
  std::vector<char> is_leaf(n), is_left(n);
  for (const auto node : leaves) is_leaf[static_cast<std::size_t>(node)] = true;
  std::vector<std::int32_t> number(n);
  CutTree left;
  left.child_begin.push_back(0);
  is_left[0] = true;
  for (std::size_t node = 0; node < n; ++node) {  // children come after their parent
    heed_interrupts_at(node);
    if (!is_left[node]) continue;
    number[node] = static_cast<std::int32_t>(left.origin.size());
    left.origin.push_back(static_cast<std::int32_t>(node));
    if (!is_leaf[node]) {
      for (const auto below : children.of(node)) {
        is_left[static_cast<std::size_t>(below)] = true;
        left.child.push_back(below);
      }
    }
    left.child_begin.push_back(static_cast<std::int32_t>(left.child.size()));
  }
  for (auto& below : left.child) below = number[static_cast<std::size_t>(below)];
  return left;
}

FoundInCut find_in_cut(std::span<const std::int32_t> child_begin, std::span<const std::int32_t> child,
                       std::span<const std::int32_t> child_begin_of_cut) {
  const auto children = check_children(child_begin, child);
  check_child_begin("child_begin_of_cut", child_begin_of_cut);
  const Children cut{child_begin_of_cut, {}};
  const auto n = children.n_nodes();
  std::vector<std::size_t> end(n);  // of what is below a node
  for (auto node = n; node-- > 0;) {
    const auto below = children.of(node);
    end[node] = below.empty() ? node + 1 : end[static_cast<std::size_t>(below.back())];
  }
  FoundInCut found;
  found.number.resize(n);
  std::size_t node = 0;
  for (std::size_t number = 0; number < cut.n_nodes(); ++number) {
    const auto n_left = cut.n_of(number);
    if (node == n || (n_left > 0 && n_left != children.n_of(node))) return {};
    found.origin.push_back(static_cast<std::int32_t>(node));
    const auto next = n_left > 0 ? node + 1 : end[node];
    for (; node < next; ++node) found.number[node] = static_cast<std::int32_t>(number);
  }
  return node == n ? found : FoundInCut{};
}

}  // namespace treewright
