#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "treewright/prune.hpp"
#include "treewright/question.hpp"      // for kEveryBranch
#include "treewright/shared_block.hpp"  // for share_out

namespace treewright {

double Pessimism::extra(double n, double errors) const {
  if (adds_none) return 0;
  const double none = n * (1 - std::pow(confidence, 1 / n));
  if (errors <= no_errors) return none;
  if (errors < one_error) return none + errors * (extra(n, 1) - none);
  if (errors + 0.5 >= n) return std::max(all_wrong * (n - errors), least_extra);
  const double c = deviate * deviate, e = errors + 0.5;
  return n * (e + c / 2 + std::sqrt(c * (e * (1 - e / n) + c / 4))) / (n + c) - errors;
}

namespace {

// A training row and how much of it is here.
struct Case {
  std::uint32_t row;
  std::int64_t weight;
};
using Cases = std::vector<Case>;

class ErrorBased {
 public:
  ErrorBased(const PrunedRows& rows, const Router& router, const TreeViews& tree,
             const ErrorBasedRules& rules)
      : rows_(rows), router_(router), rules_(rules), n_classes_(static_cast<std::size_t>(rows.n_classes)) {
    const auto n = tree.question.column.size();
    nodes_.resize(n);
    for (std::size_t id = 0; id < n; ++id) {
      auto& node = nodes_[id];
      node.origin = static_cast<std::int32_t>(id);
      for (auto at = tree.child_begin[id]; at < tree.child_begin[id + 1]; ++at) {
        node.children.push_back(tree.child[static_cast<std::size_t>(at)]);
      }
      node.label = rows.labels[id];
    }
  }

  PrunedTree prune() {
    PrunedTree out;
    const auto root = prune_all(all_cases());
    lay_out(root, out);
    return out;
  }

 private:
  struct Node {
    std::int32_t origin = 0;
    std::int32_t label = 0;
    std::vector<std::int32_t> children;
    std::vector<std::int64_t> weights;  // of the classes; empty: no case ever came here
    std::int64_t n_rows = 0;
    double errors = 0;
  };

  // A node whose children are being pruned.
  struct Frame {
    std::int32_t node;
    Cases cases;
    std::vector<Cases> branches;
    std::vector<std::int64_t> sizes;
    std::size_t next = 0;
    double errors = 0;
    bool is_open = false;
  };

  Cases all_cases() const {
    Cases cases;
    for (std::size_t row = 0; row < rows_.weights.size(); ++row) {
      if (rows_.weights[row] > 0) cases.push_back({static_cast<std::uint32_t>(row), rows_.weights[row]});
    }
    return cases;
  }

  Node& at(std::int32_t node) { return nodes_[static_cast<std::size_t>(node)]; }

  std::vector<std::int64_t> class_weights(const Cases& cases) const {
    std::vector<std::int64_t> weights(n_classes_);
    for (const auto& each : cases) weights[rows_.classes[each.row]] += each.weight;
    return weights;
  }

  // Pessimistic errors of a leaf that answers with its heaviest class.
  double estimate(const std::vector<std::int64_t>& weights) const {
    const auto total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    if (total == 0) return 0;
    const auto wrong = total - *std::max_element(weights.begin(), weights.end());
    const double errors = static_cast<double>(wrong) * rows_.unit;
    return errors + rules_.pessimism.extra(static_cast<double>(total) * rows_.unit, errors);
  }

  // Whoever has no value goes down every branch, as the weight of the others does.
  std::vector<Cases> spread(std::int32_t node, const Cases& cases, std::vector<std::int64_t>& sizes) const {
    const auto& children = nodes_[static_cast<std::size_t>(node)].children;
    std::vector<Cases> branches(children.size());
    std::vector<Case> unknown;
    sizes.assign(children.size(), 0);
    const auto origin = nodes_[static_cast<std::size_t>(node)].origin;
    for (const auto& each : cases) {
      const auto branch = router_.branch_of_node(origin, rows_.columns, each.row);
      if (branch < 0) {
        unknown.push_back(each);
        continue;
      }
      branches[static_cast<std::size_t>(branch)].push_back(each);
      sizes[static_cast<std::size_t>(branch)] += each.weight;
    }
    if (std::all_of(sizes.begin(), sizes.end(), [](auto size) { return size == 0; })) return branches;
    std::vector<std::int64_t> shares(children.size());
    for (const auto& each : unknown) {
      share_out(each.weight, sizes, shares);
      for (std::size_t b = 0; b < branches.size(); ++b) {
        if (shares[b] > 0) branches[b].push_back({each.row, shares[b]});
      }
    }
    // What the unknown add does not depend on their order, and what is the heaviest child counts them in.
    for (std::size_t b = 0; b < branches.size(); ++b) {
      sizes[b] = 0;
      for (const auto& each : branches[b]) sizes[b] += each.weight;
    }
    return branches;
  }

  // Sum of the estimates of the leaves below, with these cases sent down.
  double errors_of_leaves(std::int32_t start, const Cases& all) const {
    std::vector<std::pair<std::int32_t, Cases>> stack{{start, all}};
    double errors = 0;
    std::vector<std::int64_t> sizes;
    while (!stack.empty()) {
      auto [node, cases] = std::move(stack.back());
      stack.pop_back();
      if (cases.empty()) continue;
      const auto& children = nodes_[static_cast<std::size_t>(node)].children;
      if (children.empty()) {
        errors += estimate(class_weights(cases));
        continue;
      }
      auto branches = spread(node, cases, sizes);
      for (std::size_t b = 0; b < branches.size(); ++b)
        stack.emplace_back(children[b], std::move(branches[b]));
    }
    return errors;
  }

  // The cases that are here now decide what the node knows; without any it stays as it was.
  void recount(std::int32_t id, const Cases& cases) {
    auto& node = at(id);
    node.weights = class_weights(cases);
    node.n_rows = static_cast<std::int64_t>(cases.size());
    const auto heaviest = std::max_element(node.weights.begin(), node.weights.end());
    const auto label = static_cast<std::size_t>(node.label);
    if (rules_.keeps_label_on_tie && node.weights[label] == *heaviest) return;
    node.label = static_cast<std::int32_t>(heaviest - node.weights.begin());
  }

  bool is_no_worse(double errors, double than) const {
    return !(errors - (than + rules_.slack) > rules_.tolerance);
  }

  // Bottom up: a leaf if that is no worse, else the heaviest child instead of the node if that is no worse.
  std::int32_t prune_all(Cases all) {
    std::vector<Frame> stack;
    stack.push_back({0, std::move(all), {}, {}});
    for (;;) {
      auto& frame = stack.back();
      if (!frame.is_open && !frame.cases.empty()) recount(frame.node, frame.cases);
      const bool is_leaf = at(frame.node).children.empty();
      if (!is_leaf && !frame.cases.empty() && !frame.is_open) {
        frame.branches = spread(frame.node, frame.cases, frame.sizes);
        frame.is_open = true;
      }
      if (frame.is_open && frame.next < frame.branches.size()) {
        const auto child = at(frame.node).children[frame.next];
        auto cases = std::move(frame.branches[frame.next]);
        stack.push_back({child, std::move(cases), {}, {}});
        continue;
      }
      auto& node = at(frame.node);
      node.errors = 0;
      if (!frame.cases.empty()) {
        node.errors = estimate(node.weights);
        if (frame.is_open && decide(frame)) continue;  // the heaviest child takes the node's place
      }
      const auto done = frame.node;
      const double errors = at(done).errors;
      stack.pop_back();
      if (stack.empty()) return done;
      auto& parent = stack.back();
      at(parent.node).children[parent.next++] = done;
      parent.errors += errors;
    }
  }

  // Settle a node whose children are done; true: the frame starts again with the child that was raised.
  bool decide(Frame& frame) {
    auto& node = at(frame.node);
    const double as_leaf = node.errors, as_tree = frame.errors;
    const auto child = node.children[heaviest(frame.sizes)];
    const double raised =
        rules_.raises ? errors_of_leaves(child, frame.cases) : std::numeric_limits<double>::infinity();
    if (is_no_worse(as_leaf, raised) && is_no_worse(as_leaf, as_tree)) {
      node.children.clear();
      return false;
    }
    if (is_no_worse(raised, as_tree)) {
      frame = {child, std::move(frame.cases), {}, {}};
      return true;
    }
    node.errors = as_tree;
    return false;
  }

  // The last of equals; what the rounding of shares may have made of a weight does not tell two apart.
  std::size_t heaviest(const std::vector<std::int64_t>& sizes) const {
    const auto most = *std::max_element(sizes.begin(), sizes.end());
    const auto rounded = static_cast<std::int64_t>(1e-6 / rows_.unit);
    auto at = sizes.size() - 1;
    while (sizes[at] < most - rounded) --at;
    return at;
  }

  void lay_out(std::int32_t root, PrunedTree& out) const {
    struct Step {
      std::int32_t node, slot;
    };
    std::vector<Step> stack{{root, -1}};
    out.child_begin.push_back(0);
    while (!stack.empty()) {
      const auto [id, slot] = stack.back();
      stack.pop_back();
      const auto& node = nodes_[static_cast<std::size_t>(id)];
      const auto number = static_cast<std::int32_t>(out.origin.size());
      if (slot >= 0) out.child[static_cast<std::size_t>(slot)] = number;
      out.origin.push_back(node.origin);
      out.label.push_back(node.label);
      out.errors.push_back(node.errors);
      out.n_rows.push_back(node.weights.empty() ? -1 : node.n_rows);
      for (std::size_t k = 0; k < n_classes_; ++k) {
        out.weights.push_back(node.weights.empty() ? 0 : static_cast<double>(node.weights[k]) * rows_.unit);
      }
      const auto first = out.child.size();
      out.child.resize(first + node.children.size());
      out.child_begin.push_back(static_cast<std::int32_t>(out.child.size()));
      for (auto b = node.children.size(); b-- > 0;) {
        stack.push_back({node.children[b], static_cast<std::int32_t>(first + b)});
      }
    }
  }

  const PrunedRows& rows_;
  const Router& router_;
  ErrorBasedRules rules_;
  std::size_t n_classes_;
  std::vector<Node> nodes_;
};

}  // namespace

PrunedTree prune_error_based(const PrunedRows& rows, const Router& router, const TreeViews& tree,
                             const ErrorBasedRules& rules) {
  if (router.lets_rows_stop())
    throw std::invalid_argument("error-based pruning has no place for rows that stop at inner nodes");
  return ErrorBased(rows, router, tree, rules).prune();
}

}  // namespace treewright
