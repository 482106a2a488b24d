#include "treewright/tree/tree.hpp"

#include "treewright/criteria/registry.hpp"  // for CriterionEntry
#include "treewright/recipe/recipe.hpp"      // for Recipe
#include "treewright/tree/check_tree.hpp"    // for kMostEntries, Children

namespace treewright {
namespace {

class Layout {
 public:
  Layout(std::vector<GrowingTree>& parts, double unit, double reference, const Recipe& recipe)
      : parts_(parts), recipe_(recipe), unit_(unit), reference_(reference) {
    n_classes_ = index(parts[0].leaves.n_classes);
    tree_.n_values = std::max<std::size_t>(1, n_classes_);
    tree_.ledger.n_told = n_classes_ > 0 ? n_classes_ : 2;  // for numbers: weight and mean
    tree_.ends = std::move(parts[0].ends);
    if (!tree_.ends.empty()) number_of_.resize(parts[0].nodes.size());
    std::size_t n = 0, n_codes = 0;
    for (const auto& part : parts_) {
      n += part.nodes.size();
      for (const auto& set : part.sets) n_codes += set.branch_of_code.code.size();
    }
    if (n > kMostEntries || n_codes > kMostEntries)  // they are numbered in 32 bits
      throw std::length_error("the tree has " + std::to_string(n) + " nodes that tell " +
                              std::to_string(n_codes) + " categories; of either there may be " +
                              std::to_string(kMostEntries) +
                              ". Limit its depth or the number of its leaves.");
    // Without this, arrays that grow would at times need twice their memory.
    n -= parts_.size() - 1;  // the root of a subtree takes the place of a node of its parent tree
    tree_.value.reserve(n * tree_.n_values);
    for (auto* numbers : {&tree_.question.cut, &tree_.gain, &tree_.weight, &tree_.impurity})
      numbers->reserve(n);
    for (auto* numbers : {&tree_.question.column, &tree_.child_begin, &tree_.child, &tree_.missing_branch})
      numbers->reserve(n + 1);
    tree_.n_rows.reserve(n);
    if (n_classes_ == 0) sums_.reserve(n);
    if (recipe_.keeps_ledger) tree_.ledger.rows.reserve(parts_);
  }

  Tree lay_out() {
    visit_nodes();
    // Children have higher numbers than their parent: one walk backwards adds everything up.
    for (auto node = n_nodes(); node-- > 0;) {
      heed_interrupts_at(node);
      if (!is_settled_[node]) n_classes_ > 0 ? sum_classes(node) : sum_numbers(node);
    }
    for (std::size_t node = 0; node < n_nodes(); ++node) {
      heed_interrupts_at(node);
      if (tree_.n_rows[node] > 0) finish(node);
    }
    for (auto& end : tree_.ends) end = number_of_[index(end)];
    return std::move(tree_);
  }

 private:
  std::size_t n_nodes() const { return tree_.n_rows.size(); }
  double* value_of(std::size_t node) { return tree_.value.data() + node * tree_.n_values; }
  std::span<const std::int32_t> children_of(std::size_t node) const {
    return Children{tree_.child_begin, tree_.child}.of(node);
  }

  // Pre-order: a node, then its first branch whole, then the next.
  void visit_nodes() {
    struct Ahead {
      const GrowingTree* part;
      std::int32_t node, child;  // child: index in `Tree::child` of its number; -1: none
      std::int32_t depth;
    };
    std::vector<Ahead> ahead{{&parts_[0], 0, -1, 0}};
    while (!ahead.empty()) {
      auto [part, id, child, depth] = ahead.back();
      ahead.pop_back();
      if (const auto subtree = part->nodes[index(id)].subtree; subtree >= 0) {
        part = &parts_[index(subtree)];
        id = 0;
      }
      const auto at = index(id);
      const auto& node = part->nodes[at];
      // Nodes come in about the order in which they were opened, so those ahead are prefetched.
      constexpr std::ptrdiff_t kAhead = 16;
      prefetch(&node + kAhead);
      if (node.split >= 0) prefetch(part->splits.data() + node.split + kAhead / 2);
      heed_interrupts_after(1 + index(node.n_children));
      tree_.max_depth = std::max(tree_.max_depth, depth);
      const auto number = static_cast<std::int32_t>(n_nodes());
      if (child >= 0) tree_.child[index(child)] = number;
      if (!number_of_.empty()) number_of_[at] = number;
      if (recipe_.is_monotone()) bounds_.push_back(part->bounds[at]);
      append_question(*part, node.split);
      append_rows(*part, node);
      if (recipe_.keeps_ledger) append_ledger(*part, node, part->entries[at]);
      const auto begin = static_cast<std::int32_t>(tree_.child.size());
      tree_.child_begin.push_back(begin);
      tree_.child.resize(tree_.child.size() + index(node.n_children));
      for (auto branch = node.n_children; branch-- > 0;)
        ahead.push_back({part, node.first_child + branch, begin + branch, depth + 1});
    }
    tree_.child_begin.push_back(static_cast<std::int32_t>(tree_.child.size()));
    tree_.surrogate_begin.push_back(static_cast<std::int32_t>(tree_.surrogate.column.size()));
    if (recipe_.keeps_ledger)
      tree_.ledger.row_begin.push_back(static_cast<std::int64_t>(tree_.ledger.rows.size()));
  }

  // `at`: index of its split in the part; -1: it has none.
  void append_question(const GrowingTree& part, std::int32_t at) {
    static const GrowingTree::Set kNoSet{{}, Search::None};
    const auto i = index(at);
    const auto split = at < 0 ? GrowingTree::Split{} : part.splits[i];
    const auto& set = split.set < 0 ? kNoSet : part.sets[index(split.set)];
    tree_.question.add(split.column, split.cut, set.branch_of_code);
    tree_.missing_branch.push_back(split.missing_branch);
    tree_.gain.push_back(split.gain);
    if (recipe_.ranking == Ranking::AboveAverageGain) {
      const auto ranked = at < 0 ? GrowingTree::Ranked{} : part.ranked[i];
      tree_.worth.push_back(ranked.worth);
      tree_.net_gain.push_back(ranked.net_gain);
    }
    tree_.search.push_back(static_cast<std::int8_t>(set.search));
    tree_.surrogate_begin.push_back(static_cast<std::int32_t>(tree_.surrogate.column.size()));
    if (at < 0 || part.surrogates.empty()) return;
    const auto end =
        i + 1 < part.splits.size() ? index(part.splits[i + 1].first_surrogate) : part.surrogates.size();
    for (auto each = index(split.first_surrogate); each < end; ++each) {
      const auto& surrogate = part.surrogates[each];
      tree_.surrogate.add(surrogate.column, surrogate.cut, surrogate.branch_of_code);
      tree_.surrogate_low_branch.push_back(surrogate.low_branch);
      tree_.surrogate_agree.push_back(surrogate.agree);
      tree_.surrogate_adjusted.push_back(surrogate.adjusted);
      tree_.surrogate_n_placed.push_back(surrogate.n_placed);
    }
  }

  // The node's rows, and its statistics if settled. Until `finish`, `impurity` of numbers is times weight.
  void append_rows(const GrowingTree& part, const GrowingTree::Node& node) {
    tree_.n_rows.push_back(node.rows);
    tree_.weight.push_back(static_cast<double>(node.weight) * unit_);
    is_settled_.push_back(node.settled >= 0);
    const auto at = index(std::max(0, node.settled));
    const auto& leaves = part.leaves;
    if (n_classes_ > 0) {
      tree_.impurity.push_back(0);
      tree_.value.resize(tree_.value.size() + n_classes_);
      if (is_settled_.back())
        std::copy_n(leaves.weights.data() + at * n_classes_, n_classes_, value_of(n_nodes() - 1));
    } else {
      sums_.push_back(is_settled_.back() ? leaves.sums[at] : 0);
      tree_.value.push_back(is_settled_.back() ? leaves.values[at] : 0);
      tree_.impurity.push_back(is_settled_.back() ? leaves.losses[at] : 0);
    }
  }

  void append_ledger(const GrowingTree& part, const GrowingTree::Node& node, const LedgerEntry& entry) {
    auto& ledger = tree_.ledger;
    ledger.row_begin.push_back(static_cast<std::int64_t>(ledger.rows.size()));
    const double of_gains = static_cast<double>(parts_[0].nodes[0].weight) / static_cast<double>(node.weight);
    ledger.rows.take(part.ledger, entry.begin, entry.end, unit_, of_gains, n_classes_ > 0 ? 1 : 2);
    ledger.average.push_back(entry.average);
    ledger.stop.push_back(static_cast<std::int8_t>(entry.stop));
  }

  // Class weights are whole numbers below 2^62 in all; sums below 2^53 are exact in a double.
  void sum_classes(std::size_t node) {
    for (const auto child : children_of(node)) {
      const double* from = value_of(index(child));
      for (std::size_t c = 0; c < n_classes_; ++c) value_of(node)[c] += from[c];
    }
  }

  void sum_numbers(std::size_t node) {
    for (const auto child : children_of(node)) sums_[node] += sums_[index(child)];
    const double mean = sums_[node] / tree_.weight[node];
    tree_.value[node] = reference_ + mean;
    for (const auto below : children_of(node)) {
      const auto child = index(below);
      if (tree_.n_rows[child] == 0) continue;
      tree_.impurity[node] +=
          tree_.impurity[child] + recipe_.criterion->between(sums_[child], tree_.weight[child], mean);
    }
  }

  // Finish a node with rows once all sums are complete. Its ancestors are finished already.
  void finish(std::size_t node) {
    const std::span value(value_of(node), tree_.n_values);
    if (n_classes_ > 0) {
      const double total = std::accumulate(value.begin(), value.end(), 0.0);
      shares_.assign(value.begin(), value.end());
      for (auto& share : shares_) share /= total;
      for (auto& weight : value) weight *= unit_;
      if (total > 0) tree_.impurity[node] = recipe_.criterion->impurity(shares_);
    } else {
      tree_.impurity[node] /= tree_.weight[node];
    }
    if (!bounds_.empty()) clip(value, tree_.weight[node], bounds_[node]);
    for (const auto below : children_of(node)) {
      const auto child = index(below);
      if (tree_.n_rows[child] > 0) continue;
      std::ranges::copy(value, value_of(child));  // a branch without rows answers as its parent
      tree_.impurity[child] = tree_.impurity[node];
    }
  }

  // Clip a number, or of two classes the share of class 1; class 0 has the rest. The tree keeps weights: the
  // share computed from them must not round to beyond its bound, or neighbours would be out of order.
  static void clip(std::span<double> value, double weight, const Bounds& bounds) {
    if (value.size() == 1) {
      value[0] = bounds.clip(value[0]);
      return;
    }
    const double share = value[1] / weight, clipped = bounds.clip(share);
    if (clipped == share) return;
    value[1] = clipped * weight;
    const double inwards = clipped < share ? 0.0 : weight;
    while (clipped < share ? value[1] / weight > clipped : value[1] / weight < clipped)
      value[1] = std::nextafter(value[1], inwards);
    value[0] = weight - value[1];
  }

  std::vector<GrowingTree>& parts_;
  const Recipe& recipe_;
  double unit_, reference_;
  std::size_t n_classes_;
  std::vector<std::int32_t> number_of_;  // by node of the trunk; only if rows' ends are recorded
  std::vector<bool> is_settled_;
  std::vector<Bounds> bounds_;
  std::vector<double> sums_, shares_;
  Tree tree_;
};

}  // namespace

Tree flatten(std::vector<GrowingTree>& parts, double weight_unit, double reference, const Recipe& recipe) {
  return Layout(parts, weight_unit, reference, recipe).lay_out();
}

}  // namespace treewright
