#include "treewright/tree.hpp"

#include <limits>

#include "treewright/logarithm.hpp"  // for x_log_x
#include "treewright/recipe.hpp"     // for Criterion

namespace treewright {
namespace {

struct Place {
  std::int32_t sprout, node;
};

// Follow a graft to the node that goes on.
Place settle_graft(const std::vector<Sprout>& sprouts, Place at) {
  for (;;) {
    const auto& node = sprouts[static_cast<std::size_t>(at.sprout)].nodes[static_cast<std::size_t>(at.node)];
    if (node.graft < 0) return at;
    at = {node.graft, 0};
  }
}

double class_impurity(const double* weights, std::size_t n, double total, Criterion criterion) {
  if (!(total > 0)) return 0;
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const double share = weights[k] / total;
    sum += criterion == Criterion::Entropy ? -x_log_x(share) : share * (1 - share);
  }
  return sum;
}

class Layout {
 public:
  Layout(std::vector<Sprout>& sprouts, double unit, double reference, Criterion criterion)
      : sprouts_(sprouts), unit_(unit), reference_(reference), criterion_(criterion) {}

  Tree lay_out() {
    number_nodes();
    sum_up();
    return std::move(tree_);
  }

 private:
  // Pre-order: a node, then its first branch whole, then the next.
  void number_nodes() {
    struct Step {
      Place place;
      std::int32_t slot;  // where in `child` its number belongs; -1 for the root
    };
    std::vector<Step> stack{{{0, 0}, -1}};
    tree_.child_begin.push_back(0);
    while (!stack.empty()) {
      const auto step = stack.back();
      stack.pop_back();
      const auto place = settle_graft(sprouts_, step.place);
      const auto& node =
          sprouts_[static_cast<std::size_t>(place.sprout)].nodes[static_cast<std::size_t>(place.node)];
      if (step.slot >= 0) {
        tree_.child[static_cast<std::size_t>(step.slot)] = static_cast<std::int32_t>(places_.size());
      }
      places_.push_back(place);
      append(node);
      if (node.column < 0) continue;
      for (std::int32_t branch = 1; branch >= 0; --branch) {
        const auto slot = tree_.child_begin[places_.size() - 1] + branch;
        stack.push_back({{place.sprout, node.first_child + branch}, slot});
      }
    }
  }

  void append(const Sprout::Node& node) {
    const bool is_leaf = node.column < 0;
    tree_.column.push_back(node.column);
    tree_.cut.push_back(is_leaf ? std::numeric_limits<double>::quiet_NaN() : node.cut.number);
    tree_.cut_integer.push_back(is_leaf ? 0 : node.cut.integer);
    tree_.missing_branch.push_back(node.missing_branch);
    tree_.n_rows.push_back(node.rows);
    tree_.weight.push_back(static_cast<double>(node.weight) * unit_);
    tree_.gain.push_back(node.gain);
    tree_.child.resize(tree_.child.size() + (is_leaf ? 0 : 2));
    tree_.child_begin.push_back(static_cast<std::int32_t>(tree_.child.size()));
  }

  const Sprout& sprout_of(std::size_t node) const {
    return sprouts_[static_cast<std::size_t>(places_[node].sprout)];
  }

  // Where in the leaves the node has been settled; -1: nowhere.
  std::int32_t settled(std::size_t node) const {
    return sprout_of(node).nodes[static_cast<std::size_t>(places_[node].node)].settled;
  }

  // Children have higher numbers than their parent, so one walk backwards adds everything up.
  void sum_up() {
    const auto n = places_.size();
    const auto n_classes = static_cast<std::size_t>(sprouts_[0].leaves.n_classes);
    tree_.n_values = n_classes > 0 ? n_classes : 1;
    tree_.value.assign(n * tree_.n_values, 0);
    tree_.impurity.assign(n, 0);
    if (n_classes > 0) {
      for (std::size_t node = n; node-- > 0;) sum_classes(node);
      for (std::size_t node = 0; node < n; ++node) finish_classes(node);
    } else {
      sums_.assign(n, 0);
      for (std::size_t node = n; node-- > 0;) sum_numbers(node);
      for (std::size_t node = 0; node < n; ++node) tree_.impurity[node] /= tree_.weight[node];
    }
  }

  // Class weights are whole numbers below 2^62 in all; sums below 2^53 are exact in a double.
  void sum_classes(std::size_t node) {
    const auto k = tree_.n_values;
    double* value = tree_.value.data() + node * k;
    if (tree_.column[node] < 0) {
      const auto* weights =
          sprout_of(node).leaves.weights.data() + static_cast<std::size_t>(settled(node)) * k;
      for (std::size_t c = 0; c < k; ++c) value[c] = static_cast<double>(weights[c]);
      return;
    }
    for (auto at = tree_.child_begin[node]; at < tree_.child_begin[node + 1]; ++at) {
      const double* from =
          tree_.value.data() + static_cast<std::size_t>(tree_.child[static_cast<std::size_t>(at)]) * k;
      for (std::size_t c = 0; c < k; ++c) value[c] += from[c];
    }
  }

  void finish_classes(std::size_t node) {
    const auto k = tree_.n_values;
    double* value = tree_.value.data() + node * k;
    double total = 0;
    for (std::size_t c = 0; c < k; ++c) total += value[c];
    tree_.impurity[node] = class_impurity(value, k, total, criterion_);
    for (std::size_t c = 0; c < k; ++c) value[c] *= unit_;
  }

  // While summing, `impurity` holds losses: weight times impurity.
  void sum_numbers(std::size_t node) {
    if (settled(node) >= 0) {
      const auto& leaves = sprout_of(node).leaves;
      const auto at = static_cast<std::size_t>(settled(node));
      sums_[node] = leaves.sums[at];
      tree_.value[node] = leaves.values[at];
      tree_.impurity[node] = leaves.losses[at];
      return;
    }
    const auto begin = tree_.child_begin[node], end = tree_.child_begin[node + 1];
    for (auto at = begin; at < end; ++at) {
      sums_[node] += sums_[static_cast<std::size_t>(tree_.child[static_cast<std::size_t>(at)])];
    }
    const double mean = sums_[node] / tree_.weight[node];
    tree_.value[node] = reference_ + mean;
    for (auto at = begin; at < end; ++at) {
      const auto child = static_cast<std::size_t>(tree_.child[static_cast<std::size_t>(at)]);
      const double away = sums_[child] / tree_.weight[child] - mean;
      tree_.impurity[node] += tree_.impurity[child] + tree_.weight[child] * away * away;
    }
  }

  std::vector<Sprout>& sprouts_;
  double unit_, reference_;
  Criterion criterion_;
  std::vector<Place> places_;
  std::vector<double> sums_;
  Tree tree_;
};

}  // namespace

Tree flatten(std::vector<Sprout>& sprouts, double weight_unit, double reference, Criterion criterion) {
  return Layout(sprouts, weight_unit, reference, criterion).lay_out();
}

}  // namespace treewright
