#include "treewright/tree/tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "treewright/criteria/registry.hpp"  // for CriterionEntry
#include "treewright/interrupt.hpp"          // for heed_interrupts
#include "treewright/pool.hpp"               // for Pool
#include "treewright/portable.hpp"           // for prefetch, TREEWRIGHT_INLINE
#include "treewright/recipe/recipe.hpp"      // for Recipe
#include "treewright/tree/check_tree.hpp"    // for kMostEntries, Children

namespace treewright {
namespace {

struct Place {
  std::int32_t growing, node;
};

class Layout {
 public:
  Layout(std::vector<GrowingTree>& parts, double unit, double reference, const Recipe& recipe, Pool& pool)
      : parts_(parts),
        recipe_(recipe),
        pool_(pool),
        unit_(unit),
        reference_(reference),
        impurity_(recipe.criterion->impurity),
        between_(recipe.criterion->between) {}

  Tree lay_out() {
    number_nodes();
    reserve();
    const auto tell = [&](std::size_t task, int) { task == 0 ? tell_questions() : tell_rows(); };
    if (places_.size() >= kPaysForThreads) {
      pool_.run(2, tell);
    } else {  // few nodes are laid out sooner than a thread wakes up
      tell(0, 0);
      tell(1, 0);
    }
    if (!parts_[0].bounds.empty()) clip_values();
    fill_empty_branches();
    if (recipe_.keeps_ledger) lay_out_ledger();
    tell_ends();
    return std::move(tree_);
  }

 private:
  // Arrays that grow as they go would at times need twice their room.
  void reserve() {
    const auto n = places_.size() + 1;
    tree_.question.reserve(n);
    for (auto* numbers : {&tree_.child_begin, &tree_.child, &tree_.missing_branch}) numbers->reserve(n);
    for (auto* numbers : {&tree_.weight, &tree_.gain}) numbers->reserve(n);
    tree_.n_rows.reserve(n);
  }

  void lay_out_ledger() {
    auto& ledger = tree_.ledger;
    const auto n_classes = static_cast<std::size_t>(parts_[0].leaves.n_classes);
    ledger.n_told = n_classes > 0 ? n_classes : 2;  // of numbers, weight and mean
    ledger.row_begin.push_back(0);
    ledger.rows.reserve(parts_);
    for (std::size_t at = 0; at < places_.size(); ++at) {
      heed_interrupts_at(at);
      const auto& growing = growing_of(at);
      const auto& node = node_of(at);
      auto entry = LedgerEntry{};
      if (node.entry >= 0) {
        const auto i = static_cast<std::size_t>(node.entry);
        entry = growing.entries[i];
        const auto end = i + 1 < growing.entries.size() ? growing.entries[i + 1].begin : growing.ledger.end();
        const double of_gains =
            static_cast<double>(parts_[0].nodes[0].weight) / static_cast<double>(node.weight);
        ledger.rows.take(growing.ledger, entry.begin, end, unit_, of_gains, n_classes > 0 ? 1 : 2);
      }
      ledger.row_begin.push_back(static_cast<std::int64_t>(ledger.rows.size()));
      ledger.average.push_back(entry.average);
      ledger.stop.push_back(static_cast<std::int8_t>(node.stop));
    }
  }

  // Pre-order: a node, then its first branch whole, then the next. Children were opened after their parent,
  // and subtrees stand behind the growing tree that they are put in place on: a walk backwards tells how many
  // nodes each has below it, and one forwards from where on they are numbered.
  void number_nodes() {
    std::size_t n = 0;
    for (const auto& growing : parts_) first_.push_back(std::exchange(n, n + growing.nodes.size()));
    numbers_.resize(n);
    for (auto part = parts_.size(); part-- > 0;) count_nodes(part);
    places_.resize(static_cast<std::size_t>(std::exchange(numbers_[0], 0)));
    for (std::size_t part = 0; part < parts_.size(); ++part) number_nodes(part);
  }

  void count_nodes(std::size_t at) {
    const auto& growing = parts_[at];
    auto* const sizes = numbers_of(at);
    for (auto i = growing.nodes.size(); i-- > 0;) {
      heed_interrupts_at(i);
      const auto& node = growing.nodes[i];
      if (node.subtree >= 0) {
        sizes[i] = *numbers_of(static_cast<std::size_t>(node.subtree));
        continue;
      }
      sizes[i] = 1;
      for (std::int32_t branch = 0; branch < node.n_children; ++branch)
        sizes[i] += sizes[node.first_child + branch];
    }
  }

  // A node finds its own number, and behind it the sizes of its children.
  void number_nodes(std::size_t at) {
    const auto& growing = parts_[at];
    auto* const numbers = numbers_of(at);
    for (std::size_t i = 0; i < growing.nodes.size(); ++i) {
      heed_interrupts_at(i);
      const auto& node = growing.nodes[i];
      if (node.subtree >= 0) {
        *numbers_of(static_cast<std::size_t>(node.subtree)) = numbers[i];
        continue;
      }
      places_[static_cast<std::size_t>(numbers[i])] = {static_cast<std::int32_t>(at),
                                                       static_cast<std::int32_t>(i)};
      auto next = numbers[i] + 1;
      for (std::int32_t branch = 0; branch < node.n_children; ++branch)
        next += std::exchange(numbers[node.first_child + branch], next);
    }
  }

  void tell_ends() {
    tree_.ends = std::move(parts_[0].ends);
    for (auto& end : tree_.ends) end = numbers_[static_cast<std::size_t>(end)];
  }

  // What is asked.
  void tell_questions() {
    tree_.surrogate_begin.push_back(0);
    for (std::size_t at = 0; at < places_.size(); ++at) {
      heed_interrupts_at(at);
      fetch_node(at + 2 * kAhead);
      fetch_split(at + kAhead);
      append_question(growing_of(at), split_of(at));
    }
  }

  // What came there, and what is known of it.
  void tell_rows() {
    tree_.child_begin.push_back(0);
    for (std::size_t at = 0; at < places_.size(); ++at) {
      fetch_node(at + kAhead);
      heed_interrupts_after(1 + static_cast<std::size_t>(node_of(at).n_children));
      const auto& node = node_of(at);
      const auto* const numbers = numbers_of(static_cast<std::size_t>(places_[at].growing));
      tree_.n_rows.push_back(node.rows);
      tree_.weight.push_back(static_cast<double>(node.weight) * unit_);
      for (std::int32_t branch = 0; branch < node.n_children; ++branch)
        tree_.child.push_back(numbers[node.first_child + branch]);
      tree_.child_begin.push_back(static_cast<std::int32_t>(tree_.child.size()));
    }
    sum_up();
  }

  // Nodes that follow each other here were opened at different times, and lie far apart. (Functions that do
  // nothing else are not called at all by GCC.)
  TREEWRIGHT_INLINE void fetch_node(std::size_t at) const {
    if (at < places_.size()) prefetch(&node_of(at));
  }
  TREEWRIGHT_INLINE void fetch_split(std::size_t at) const {
    if (at >= places_.size() || node_of(at).split < 0) return;
    prefetch(&split_of(at));
    prefetch(&split_of(at) + 1);  // it may lie across a line
  }

  void append_question(const GrowingTree& growing, const GrowingTree::Split& split) {
    tree_.question.add(split.column, split.cut,
                       split.set < 0 ? nullptr : &growing.sets[static_cast<std::size_t>(split.set)]);
    tree_.missing_branch.push_back(split.missing_branch);
    tree_.gain.push_back(split.gain);
    if (recipe_.ranking == Ranking::AboveAverageGain) {
      tree_.worth.push_back(split.worth);
      tree_.net_gain.push_back(split.net_gain);
    }
    tree_.search.push_back(static_cast<std::int8_t>(split.search));
    for (auto i = split.first_surrogate; i < split.first_surrogate + split.n_surrogates; ++i) {
      append_surrogate(growing.surrogates[static_cast<std::size_t>(i)]);
    }
    tree_.surrogate_begin.push_back(static_cast<std::int32_t>(tree_.surrogate.column.size()));
  }

  void append_surrogate(const Surrogate& surrogate) {
    const bool is_set = !surrogate.branch_of_code.code.empty();
    tree_.surrogate.add(surrogate.column, surrogate.cut, is_set ? &surrogate.branch_of_code : nullptr);
    tree_.surrogate_low_branch.push_back(surrogate.low_branch);
    tree_.surrogate_agree.push_back(surrogate.agree);
    tree_.surrogate_adjusted.push_back(surrogate.adjusted);
    tree_.surrogate_n_placed.push_back(surrogate.n_placed);
  }

  const GrowingTree& growing_of(std::size_t node) const {
    return parts_[static_cast<std::size_t>(places_[node].growing)];
  }

  const GrowingTree::Node& node_of(std::size_t node) const {
    return growing_of(node).nodes[static_cast<std::size_t>(places_[node].node)];
  }
  const GrowingTree::Split& split_of(std::size_t node) const {
    const auto at = node_of(node).split;
    return at < 0 ? kNoSplit : growing_of(node).splits[static_cast<std::size_t>(at)];
  }
  std::int32_t* numbers_of(std::size_t growing) { return numbers_.data() + first_[growing]; }

  std::span<const std::int32_t> children_of(std::size_t node) const {
    return Children{tree_.child_begin, tree_.child}.of(node);
  }

  // Children have higher numbers than their parent, so one walk backwards adds everything up.
  void sum_up() {
    const auto n = places_.size();
    const auto n_classes = static_cast<std::size_t>(parts_[0].leaves.n_classes);
    tree_.n_values = n_classes > 0 ? n_classes : 1;
    tree_.value.assign(n * tree_.n_values, 0);
    tree_.impurity.assign(n, 0);
    if (n_classes == 0) sums_.assign(n, 0);
    for (std::size_t node = n; node-- > 0;) {
      heed_interrupts_at(node);
      fetch_node(node - kAhead);
      n_classes > 0 ? sum_classes(node) : sum_numbers(node);
    }
    for (std::size_t node = 0; node < n; ++node) {
      heed_interrupts_at(node);
      if (n_classes > 0) {
        finish_classes(node);
      } else if (tree_.n_rows[node] > 0) {
        tree_.impurity[node] /= tree_.weight[node];
      }
    }
  }

  void clip_values() {
    for (std::size_t node = 0; node < places_.size(); ++node) {
      const auto& bounds = growing_of(node).bounds[static_cast<std::size_t>(places_[node].node)];
      double* value = tree_.value.data() + node * tree_.n_values;
      if (tree_.n_values == 1) {
        value[0] = bounds.clip(value[0]);
      } else if (tree_.n_rows[node] > 0) {
        clip_share(value, tree_.weight[node], bounds);
      }
    }
  }

  // The share of class 1; class 0 has the rest. What is kept are weights, and the share that is read off them
  // must not round to the far side of its bound: neighbours would be out of order by the last bit.
  static void clip_share(double* value, double weight, const Bounds& bounds) {
    const double share = value[1] / weight;
    if (share > bounds.high) {
      value[1] = bounds.high * weight;
      while (value[1] / weight > bounds.high) value[1] = std::nextafter(value[1], 0.0);
    } else if (share < bounds.low) {
      value[1] = bounds.low * weight;
      while (value[1] / weight < bounds.low) value[1] = std::nextafter(value[1], weight);
    } else {
      return;
    }
    value[0] = weight - value[1];
  }

  // A branch that no row took answers as the node above it.
  void fill_empty_branches() {
    const auto k = tree_.n_values;
    for (std::size_t node = 0; node < places_.size(); ++node) {
      heed_interrupts_at(node);
      for (const auto below : children_of(node)) {
        const auto child = static_cast<std::size_t>(below);
        if (tree_.n_rows[child] > 0) continue;
        std::copy_n(tree_.value.data() + node * k, k, tree_.value.data() + child * k);
        tree_.impurity[child] = tree_.impurity[node];
      }
    }
  }

  // Class weights are whole numbers below 2^62 in all; sums below 2^53 are exact in a double.
  void sum_classes(std::size_t node) {
    const auto k = tree_.n_values;
    double* value = tree_.value.data() + node * k;
    if (const auto settled = node_of(node).settled; settled >= 0) {
      const auto* weights = growing_of(node).leaves.weights.data() + static_cast<std::size_t>(settled) * k;
      for (std::size_t c = 0; c < k; ++c) value[c] = static_cast<double>(weights[c]);
      return;
    }
    for (const auto child : children_of(node)) {
      const double* from = tree_.value.data() + static_cast<std::size_t>(child) * k;
      for (std::size_t c = 0; c < k; ++c) value[c] += from[c];
    }
  }

  void finish_classes(std::size_t node) {
    const auto k = tree_.n_values;
    double* value = tree_.value.data() + node * k;
    double total = 0;
    for (std::size_t c = 0; c < k; ++c) total += value[c];
    if (total > 0) {
      shares_.resize(k);
      for (std::size_t c = 0; c < k; ++c) shares_[c] = value[c] / total;
      tree_.impurity[node] = impurity_(shares_);
    }
    for (std::size_t c = 0; c < k; ++c) value[c] *= unit_;
  }

  // While summing, `impurity` holds losses: weight times impurity.
  void sum_numbers(std::size_t node) {
    if (const auto settled = node_of(node).settled; settled >= 0) {
      const auto& leaves = growing_of(node).leaves;
      const auto at = static_cast<std::size_t>(settled);
      sums_[node] = leaves.sums[at];
      tree_.value[node] = leaves.values[at];
      tree_.impurity[node] = leaves.losses[at];
      return;
    }
    for (const auto child : children_of(node)) sums_[node] += sums_[static_cast<std::size_t>(child)];
    const double mean = sums_[node] / tree_.weight[node];
    tree_.value[node] = reference_ + mean;
    for (const auto below : children_of(node)) {
      const auto child = static_cast<std::size_t>(below);
      if (tree_.n_rows[child] == 0) continue;
      tree_.impurity[node] += tree_.impurity[child] + between_(sums_[child], tree_.weight[child], mean);
    }
  }

  static constexpr std::size_t kPaysForThreads = 4096;  // nodes
  static constexpr std::size_t kAhead = 8;              // nodes
  static constexpr GrowingTree::Split kNoSplit{};

  std::vector<GrowingTree>& parts_;
  const Recipe& recipe_;
  Pool& pool_;
  double unit_, reference_;
  double (*impurity_)(std::span<const double> shares);
  double (*between_)(double sum, double weight, double mean);
  std::vector<std::size_t> first_;  // by growing tree: where its nodes begin in the next list
  std::vector<std::int32_t>
      numbers_;                // of the nodes as they were opened; a subtree has that of where it stands
  std::vector<Place> places_;  // by number
  std::vector<double> sums_, shares_;
  Tree tree_;
};

}  // namespace

void QuestionArrays::reserve(std::size_t n) {
  column.reserve(n);
  cut.reserve(n);
}

void QuestionArrays::add(std::int32_t column_given, const Cut& cut_given, const BranchOfCode* set) {
  column.push_back(column_given);
  cut.push_back(cut_given.number);
  cut_integer.push_back(cut_given.integer);
  if (set != nullptr) {
    set_code.insert(set_code.end(), set->code.begin(), set->code.end());
    set_branch.insert(set_branch.end(), set->branch.begin(), set->branch.end());
  }
  set_begin.push_back(static_cast<std::int32_t>(set_code.size()));
}

// Arrays of a tree are numbered in 32 bits.
static void check_size(std::span<const GrowingTree> parts) {
  std::size_t n_nodes = 0, n_codes = 0;
  for (const auto& part : parts) {
    n_nodes += part.nodes.size();
    for (const auto& set : part.sets) n_codes += set.code.size();
  }
  if (n_nodes <= kMostEntries && n_codes <= kMostEntries) return;
  throw std::length_error("the tree has " + std::to_string(n_nodes) + " nodes that tell " +
                          std::to_string(n_codes) + " categories; of either there may be " +
                          std::to_string(kMostEntries) + ". Limit its depth or the number of its leaves.");
}

Tree flatten(std::vector<GrowingTree>& parts, double weight_unit, double reference, const Recipe& recipe,
             Pool& pool) {
  check_size(parts);
  return Layout(parts, weight_unit, reference, recipe, pool).lay_out();
}

}  // namespace treewright
