#include "treewright/prune/prune.hpp"
#include "treewright/tree/check_tree.hpp"  // for check_children, check_parents, check_length, check_numbers

namespace treewright {

void add_up(std::span<const std::int32_t> parent, std::span<double> values, std::size_t width) {
  check_parents(parent);
  check_length("values", width == 0 ? parent.size() : values.size() / width, parent.size(), "nodes");
  for (auto node = parent.size(); node-- > 1;) {  // children come after their parent
    const auto above = static_cast<std::size_t>(parent[node]);
    for (std::size_t k = 0; k < width; ++k) values[above * width + k] += values[node * width + k];
  }
}

std::vector<std::int32_t> no_worse_as_leaves(std::span<const std::int32_t> child_begin,
                                             std::span<const std::int32_t> child,
                                             std::span<const double> as_leaf, std::span<const double> slack,
                                             bool bottom_up) {
  check_children(child_begin, child);
  const auto n = child_begin.size() - 1;
  check_length("as_leaf", as_leaf.size(), n, "nodes");
  check_length("slack", slack.size(), n, "nodes");
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

CutTree cut_at(std::span<const std::int32_t> child_begin, std::span<const std::int32_t> child,
               std::span<const std::int32_t> leaves) {
  check_children(child_begin, child);
  const auto n = child_begin.size() - 1;
  check_numbers("leaves", leaves, n, "nodes");
  std::vector<char> is_leaf(n), is_left(n);
  for (const auto node : leaves) is_leaf[static_cast<std::size_t>(node)] = true;
  std::vector<std::int32_t> number(n);
  CutTree left;
  left.origin.reserve(n);
  left.child.reserve(n);
  left.child_begin.reserve(n + 1);
  left.child_begin.push_back(0);
  is_left[0] = true;
  for (std::size_t node = 0; node < n; ++node) {  // children come after their parent
    if (!is_left[node]) continue;
    number[node] = static_cast<std::int32_t>(left.origin.size());
    left.origin.push_back(static_cast<std::int32_t>(node));
    const auto end = is_leaf[node] ? child_begin[node] : child_begin[node + 1];
    for (auto i = child_begin[node]; i < end; ++i) {
      const auto below = child[static_cast<std::size_t>(i)];
      is_left[static_cast<std::size_t>(below)] = true;
      left.child.push_back(below);
    }
    left.child_begin.push_back(static_cast<std::int32_t>(left.child.size()));
  }
  for (auto& below : left.child) below = number[static_cast<std::size_t>(below)];
  return left;
}

FoundInCut find_in_cut(std::span<const std::int32_t> child_begin, std::span<const std::int32_t> child,
                       std::span<const std::int32_t> child_begin_of_cut) {
  check_children(child_begin, child);
  check_child_begin("child_begin_of_cut", child_begin_of_cut);
  const auto n = child_begin.size() - 1;
  const auto n_children = [](std::span<const std::int32_t> begins, std::size_t node) {
    return begins[node + 1] - begins[node];
  };
  std::vector<std::size_t> end(n);  // of what is below a node
  for (auto node = n; node-- > 0;) {
    const bool asks = n_children(child_begin, node) > 0;
    const auto last = static_cast<std::size_t>(child_begin[node + 1]) - 1;
    end[node] = asks ? end[static_cast<std::size_t>(child[last])] : node + 1;
  }
  FoundInCut found;
  found.number.resize(n);
  found.origin.reserve(child_begin_of_cut.size());
  std::size_t node = 0;
  for (std::size_t number = 0; number + 1 < child_begin_of_cut.size(); ++number) {
    const auto n_left = n_children(child_begin_of_cut, number);
    if (node == n || (n_left > 0 && n_left != n_children(child_begin, node))) return {};
    found.origin.push_back(static_cast<std::int32_t>(node));
    const auto next = n_left > 0 ? node + 1 : end[node];
    for (; node < next; ++node) found.number[node] = static_cast<std::int32_t>(number);
  }
  return node == n ? found : FoundInCut{};
}

}  // namespace treewright
