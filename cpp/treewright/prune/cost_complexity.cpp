#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "treewright/portable.hpp"  // for Int128
#include "treewright/prune/prune.hpp"
#include "treewright/tree/check_tree.hpp"  // for check_children, check_length

namespace treewright {
namespace {

// Risks as whole numbers of units so small that nothing is lost of any risk that matters, and so few that the
// sum of all of them times a number of leaves fits. Sums are then exact in any order, which keeps apart what
// differs and together what ties.
using Whole = Int128;
constexpr int kSumBits = 92;

struct WholeRisks {
  std::vector<Whole> of_node;
  int exponent = 0;  // of the unit: 2^exponent

  explicit WholeRisks(std::span<const double> risk) {
    double sum = 0;
    for (const double each : risk) sum += std::abs(each);
    if (!std::isfinite(sum)) throw std::invalid_argument("risks must be finite");
    int sum_exponent = 0;
    std::frexp(sum, &sum_exponent);
    exponent = sum_exponent - kSumBits;
    of_node.reserve(risk.size());
    for (const double each : risk) {
      int own = 0;
      const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(each, &own), 53));
      const int shift = own - 53 - exponent;
      // Below the unit, half of it is added before the rest is cut off.
      of_node.push_back(shift >= 0    ? static_cast<Whole>(mantissa) << shift
                        : shift < -60 ? 0
                                      : ((mantissa >> (-shift - 1)) + 1) >> 1);
    }
  }
};

// What a node would cost more as a leaf, and how many leaves fewer there would be: alpha is their quotient.
struct Link {
  Whole more = 0;
  std::int32_t fewer = 0;
};

// Less than 0, 0 or more: alphas compared without rounding.
int compare(const Link& a, const Link& b) {
  const auto left = a.more * b.fewer, right = b.more * a.fewer;
  return (left > right) - (left < right);
}

// Heaps of nodes, largest alpha on top, each below its subtree; two are melded in constant time.
//
// Fredman, Sedgewick, Sleator, Tarjan (1986), The pairing heap.
class Heaps {
 public:
  explicit Heaps(const std::vector<Link>& link)
      : link_(link), first_(link.size(), kNone), next_(link.size(), kNone) {}

  static constexpr std::int32_t kNone = -1;

  std::int32_t meld(std::int32_t a, std::int32_t b) {
    if (a == kNone) return b;
    if (b == kNone) return a;
    if (compare(link_[at(a)], link_[at(b)]) < 0) std::swap(a, b);
    next_[at(b)] = first_[at(a)];
    first_[at(a)] = b;
    return a;
  }

  // The heap without its top: what was below it is melded in pairs, then pair by pair from the last.
  std::int32_t without_top(std::int32_t top) {
    pairs_.clear();
    for (auto node = first_[at(top)]; node != kNone;) {
      const auto other = next_[at(node)];
      const auto rest = other == kNone ? kNone : next_[at(other)];
      next_[at(node)] = kNone;
      if (other != kNone) next_[at(other)] = kNone;
      pairs_.push_back(meld(node, other));
      node = rest;
    }
    auto melded = kNone;
    for (auto i = pairs_.size(); i-- > 0;) melded = meld(pairs_[i], melded);
    return melded;
  }

 private:
  static std::size_t at(std::int32_t node) { return static_cast<std::size_t>(node); }

  const std::vector<Link>& link_;
  std::vector<std::int32_t> first_, next_;  // first below, next beside
  std::vector<std::int32_t> pairs_;
};

}  // namespace

// The best pruned subtree at node t costs C_t(alpha) = min(R(t) + alpha, sum of C of its children). Each C is
// a rising line of straight pieces, less steep from every alpha on at which a node below becomes a leaf. So
// the sum of the children's crosses R(t) + alpha once, where t becomes a leaf, and what would have become one
// below t at that alpha or later never does.
//
// Going up from the leaves, the crossing is looked for from large alphas down: there the children are leaves.
// While it is not above the largest alpha at which a node below becomes a leaf, this node is taken off the
// heap and counted with its leaves instead. A node enters a heap once and leaves one once, however deep the
// tree is.
std::vector<WeakestLink> weakest_links(std::span<const std::int32_t> child_begin,
                                       std::span<const std::int32_t> child, std::span<const double> risk) {
  check_children(child_begin, child);
  const auto n = child_begin.size() - 1;
  check_length("risk", risk.size(), n, "nodes");
  const WholeRisks whole(risk);
  std::vector<Link> link(n);
  std::vector<std::int32_t> heap(n, Heaps::kNone);
  std::vector<bool> becomes_leaf(n, false);
  Heaps heaps(link);
  for (std::size_t node = n; node-- > 0;) {  // children come after their parent
    const auto begin = static_cast<std::size_t>(child_begin[node]);
    const auto end = static_cast<std::size_t>(child_begin[node + 1]);
    if (begin == end) continue;
    auto below = Heaps::kNone;
    Link now{whole.of_node[node], -1};
    for (auto i = begin; i < end; ++i) {
      const auto next = static_cast<std::size_t>(child[i]);
      now.more -= whole.of_node[next];
      now.fewer += 1;
      below = heaps.meld(below, heap[next]);
    }
    while (below != Heaps::kNone && compare(now, link[static_cast<std::size_t>(below)]) <= 0) {
      const auto top = static_cast<std::size_t>(below);
      now.more += link[top].more;
      now.fewer += link[top].fewer;
      becomes_leaf[top] = false;
      below = heaps.without_top(below);
    }
    link[node] = now;
    becomes_leaf[node] = true;
    heap[node] = heaps.meld(below, static_cast<std::int32_t>(node));
  }

  std::vector<std::int32_t> order;
  for (std::size_t node = 0; node < n; ++node) {
    if (becomes_leaf[node]) order.push_back(static_cast<std::int32_t>(node));
  }
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return compare(link[static_cast<std::size_t>(a)], link[static_cast<std::size_t>(b)]) < 0;
  });
  std::vector<WeakestLink> links;
  links.reserve(order.size());
  for (const auto node : order) {
    const auto& [more, fewer] = link[static_cast<std::size_t>(node)];
    double alpha = std::ldexp(static_cast<double>(more) / fewer, whole.exponent);
    // Two roundings may put a larger quotient below a smaller one.
    if (!links.empty()) alpha = std::max(alpha, links.back().alpha);
    links.push_back({node, alpha});
  }
  return links;
}

}  // namespace treewright
