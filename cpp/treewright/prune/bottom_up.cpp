
#include <ranges>

#include "treewright/prune/prune.hpp"

namespace treewright {
namespace {

// Risks as integers, in units so small that no risk that matters loses anything, and so large that their sum
// times a number of leaves fits. So sums are exact in any order: ties stay ties, and no others arise.
constexpr int kSumBits = 92;

// What a node would cost more as a leaf, and how many leaves fewer that would be: alpha is their quotient.
struct Link {
  Int128 more = 0;
  std::int32_t fewer = 0;
};

// Compare alphas without rounding: less than 0, 0 or more.
int compare(const Link& a, const Link& b) {
  const auto left = a.more * b.fewer, right = b.more * a.fewer;
  return (left > right) - (left < right);
}

}  // namespace

// The best pruned subtree at node t costs C_t(alpha) = min(R(t) + alpha, sum of C over its children). Each C
// rises along straight pieces, less steeply from every alpha on at which a node below becomes a leaf. So the
// sum over the children crosses R(t) + alpha once: there t becomes a leaf, and no node below does any more.
//
// From the leaves up, the crossing is searched from large alphas down; at first the children count as leaves.
// While it is not above the largest alpha at which a node below becomes a leaf, that node is taken off the
// heap and counted with its leaves instead. A node leaves a heap once, however deep the tree is; when two
// heaps are merged, the nodes of the smaller one enter the larger one.
WeakestLinks weakest_links(const Children& children, std::span<const double> risk) {
  const auto n = children.n_nodes();
  check_length("risk", risk.size(), n, "nodes");
  double sum = 0;
  for (const double each : risk) sum += std::abs(each);
  if (!std::isfinite(sum)) throw std::invalid_argument("risks must be finite");
  int exponent = 0;  // of the unit: 2^exponent
  std::frexp(sum, &exponent);
  exponent -= kSumBits;
  const auto whole = [&](std::size_t node) {
    return static_cast<Int128>(std::round(std::ldexp(risk[node], -exponent)));
  };
  std::vector<Link> link(n);
  const auto is_weaker = [&](std::int32_t a, std::int32_t b) {
    return compare(link[index(a)], link[index(b)]) < 0;
  };
  std::vector<std::vector<std::int32_t>> heap(n);  // for each node: those below it that become leaves
  const auto push = [&](std::vector<std::int32_t>& onto, std::int32_t node) {
    onto.push_back(node);
    std::ranges::push_heap(onto, is_weaker);
  };
  for (std::size_t node = n; node-- > 0;) {  // children come after their parent
    heed_interrupts_at(node);
    if (children.n_of(node) == 0) continue;
    auto& below = heap[node];
    Link now{whole(node), -1};
    for (const auto each : children.of(node)) {
      auto others = std::move(heap[index(each)]);
      now.more -= whole(index(each));
      now.fewer += 1;
      if (others.size() > below.size()) below.swap(others);
      for (const auto other : others) push(below, other);
    }
    while (!below.empty() && compare(now, link[index(below.front())]) <= 0) {
      const auto& weaker = link[index(below.front())];
      now.more += weaker.more;
      now.fewer += weaker.fewer;
      std::ranges::pop_heap(below, is_weaker);
      below.pop_back();
    }
    link[node] = now;
    push(below, static_cast<std::int32_t>(node));
  }

  auto& order = heap[0];
  long_stable_sort(std::span(order), [&](std::int32_t a, std::int32_t b) {
    const auto found = compare(link[index(a)], link[index(b)]);
    return found != 0 ? found < 0 : a < b;
  });
  std::vector<double> alphas;
  for (const auto node : order) {
    heed_interrupts_at(alphas.size());
    const auto& [more, fewer] = link[index(node)];
    const double alpha = std::ldexp(static_cast<double>(more) / fewer, exponent);
    // Two roundings may put a larger quotient below a smaller one.
    alphas.push_back(alphas.empty() ? alpha : std::max(alpha, alphas.back()));
  }
  return {std::move(order), std::move(alphas)};
}

std::vector<double> complexities(const Children& children, std::span<const double> risk, double least) {
  const auto n = children.n_nodes();
  check_length("risk", risk.size(), n, "nodes");
  // What is left of each node's subtree once the links inside it that are weaker than its own are cut.
  std::vector<std::int32_t> n_leaves(n, 1);
  std::vector<double> leaf_risk(risk.begin(), risk.end()), complexity(n, least);
  std::vector<std::int32_t> by_complexity;
  for (std::size_t node = n; node-- > 0;) {
    heed_interrupts_at(node);
    if (children.of(node).empty() || risk[node] <= least) continue;
    by_complexity.assign(children.of(node).begin(), children.of(node).end());
    std::ranges::reverse(by_complexity);  // among equals, the last child first
    std::ranges::stable_sort(by_complexity, {}, [&](std::int32_t each) { return complexity[index(each)]; });
    double risk_below = 0;
    std::int32_t leaves_below = 0;
    for (const auto each : by_complexity) {
      risk_below += leaf_risk[index(each)];
      leaves_below += n_leaves[index(each)];
    }
    const auto strength = [&] {  // a lone child saves no leaf
      return leaves_below > 1 ? (risk[node] - risk_below) / (leaves_below - 1) : 0.0;
    };
    double own = strength();
    for (const auto each : by_complexity) {
      const auto at = index(each);
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
  for (std::size_t node = 0; node < n; ++node) {  // in pre-order a parent comes first
    for (const auto each : children.of(node)) {
      auto& below = complexity[index(each)];
      below = std::min(below, complexity[node]);
    }
  }
  return complexity;
}

void add_up(const Children& children, std::span<double> values, std::size_t width) {
  const auto n = children.n_nodes();
  check_length("values", width == 0 ? n : values.size() / width, n, "nodes");
  for (auto node = n; node-- > 0;) {
    heed_interrupts_at(node);
    for (auto below = children.of(node); !below.empty(); below = below.first(below.size() - 1)) {
      const auto* from = values.data() + index(below.back()) * width;
      for (auto& sum : values.subspan(node * width, width)) sum += *from++;
    }
  }
}

std::vector<std::int32_t> no_worse_as_leaves(const Children& children, std::span<const double> as_leaf,
                                             std::span<const double> slack, bool bottom_up) {
  const auto n = children.n_nodes();
  check_length("as_leaf", as_leaf.size(), n, "nodes");
  check_length("slack", slack.size(), n, "nodes");
  std::vector<double> of_leaves(as_leaf.begin(), as_leaf.end());
  std::vector<std::int32_t> found;
  for (auto node = n; node-- > 0;) {
    heed_interrupts_at(node);
    if (children.n_of(node) == 0) continue;
    double sum = 0;
    for (const auto each : children.of(node)) sum += of_leaves[index(each)];
    const bool is_no_worse = sum >= as_leaf[node] - slack[node];
    if (is_no_worse) found.push_back(static_cast<std::int32_t>(node));
    of_leaves[node] = is_no_worse && bottom_up ? as_leaf[node] : sum;
  }
  return found;
}

CutTree cut_at(const Children& children, Indices leaves) {
  const auto n = children.n_nodes();
  check_numbers("leaves", leaves, n, "nodes");
  std::vector<char> is_leaf(n);
  for (const auto node : leaves) is_leaf[index(node)] = true;
  return lay_out_left(0, n, [&](std::size_t node) { return is_leaf[node] ? Indices() : children.of(node); });
}

}  // namespace treewright
