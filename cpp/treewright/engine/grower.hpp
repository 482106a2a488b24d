// The loop. There is one: whole trees, parts grown by a thread and small rests all go through it.
#pragma once

#include "treewright/engine/engine.hpp"  // for Engine, OpenNode, Progress
#include "treewright/pool.hpp"           // for Pool
#include "treewright/recipe/recipe.hpp"  // for BestScore, AboveAverageGain, Recipe

namespace treewright {

class Grower {
 public:
  Grower(const Recipe& recipe, Progress& watch)
      : recipe_(recipe),
        watch_(watch),
        best_score_{recipe.tie},
        above_average_(recipe.quinlan, recipe.has_many_values) {}

  // Grow `start`, a node of the growing tree, to its leaves.
  void grow(Engine& engine, OpenNode start, GrowingTree& growing);

 private:
  void place(std::span<OpenNode> nodes);
  void push(OpenNode&& node);
  OpenNode pop();
  void take_batch();
  void propose(std::span<OpenNode> nodes, std::vector<OpenNode>* batch);
  Stop choose(OpenNode& node, Proposal& proposal);
  void write_down(const OpenNode& node, const Proposal& proposal, double average);
  void open_batch();
  void bind_children(const OpenNode& node, const Question& question, std::span<OpenNode> children) const;
  void write_split(const OpenNode& node, Question& question, std::span<OpenNode> children);
  void close(const OpenNode& node, Stop why);
  void settle(const OpenNode& node);
  void report(std::span<const OpenNode> nodes);
  GrowingTree::Node& grown(const OpenNode& node) {
    return growing_->nodes[static_cast<std::size_t>(node.id)];
  }

  const Recipe& recipe_;
  Progress& watch_;
  Engine* engine_ = nullptr;        // of the growth under way
  GrowingTree* growing_ = nullptr;  // the same
  std::vector<OpenNode> waiting_;   // a heap unless depth first
  std::vector<OpenNode> small_;     // to be finished in one place
  BestScore best_score_;
  AboveAverageGain above_average_;
  std::int64_t rows_settled_ = 0;  // not yet told to the watch
  std::size_t n_looked_into_ = 0;  // entries of columns, since the last report
  // Of the nodes that are opened together:
  std::vector<OpenNode> batch_, children_;
  std::vector<Question> questions_;
  std::vector<std::span<OpenNode>> families_;  // the children of each
  std::vector<Proposal> proposals_;
};

// Grow small nodes apart on threads, each into a tree of its own.
// The largest first, so that no thread is left with a long one at the end. `grow(node, subtree, thread)`.
template <class Grow>
void grow_subtrees(Pool& pool, std::span<const OpenNode> nodes, GrowingTree& growing,
                   std::vector<GrowingTree>& subtrees, const Grow& grow) {
  std::vector<std::size_t> by_size(nodes.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  std::ranges::stable_sort(by_size, std::greater(), [&](std::size_t i) { return nodes[i].facts.rows; });
  subtrees.resize(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    growing.nodes[static_cast<std::size_t>(nodes[i].id)].subtree = static_cast<std::int32_t>(i) + 1;
  pool.run(nodes.size(), [&](std::size_t task, int thread) {
    auto node = nodes[by_size[task]];
    auto& subtree = subtrees[by_size[task]];
    subtree.leaves.n_classes = growing.leaves.n_classes;
    node.id = subtree.add(node.facts.rows, node.facts.weight);
    grow(node, subtree, static_cast<std::size_t>(thread));
  });
}

}  // namespace treewright
