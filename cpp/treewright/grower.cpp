#include "treewright/grower.hpp"

#include <array>
#include <utility>

#include "treewright/missing.hpp"  // for larger_branch
#include "treewright/random.hpp"   // for path_of_child

namespace treewright {

Grower::Grower(const Recipe& recipe, Watch& watch) : recipe_(recipe), watch_(watch) {
  closes_ = [this](const OpenNode& node) { return recipe_.limits.closes(node.facts, node.depth); };
}

void Grower::grow(Engine& engine, OpenNode start, Sprout& sprout) {
  Frontier frontier(recipe_.order);
  std::vector<OpenNode> small;
  std::int64_t n_leaves = 1;
  std::array<OpenNode, 2> children;

  place(engine, start, sprout, frontier, small);
  while (!frontier.empty() && n_leaves != recipe_.limits.max_leaves) {
    const auto node = frontier.pop();
    open(engine, node, sprout, children);
    ++n_leaves;
    for (auto& child : children) place(engine, child, sprout, frontier, small);
    if (++n_opened_ % 64 == 0) report();
  }
  for (const auto& node : frontier.nodes()) close(engine, node, sprout);  // the budget of leaves is spent
  if (!small.empty()) engine.finish(small, sprout);
}

// A node is closed at once, set aside to be finished in one place, or opened when its turn comes.
void Grower::place(Engine& engine, OpenNode& node, Sprout& sprout, Frontier& frontier,
                   std::vector<OpenNode>& small) {
  if (closes_(node)) {
    close(engine, node, sprout);
  } else if (recipe_.limits.max_leaves < 0 && engine.finishes(node)) {
    small.push_back(node);
  } else if (evaluate(engine, node)) {
    frontier.push(std::move(node));
  } else {
    close(engine, node, sprout);
  }
}

bool Grower::evaluate(Engine& engine, OpenNode& node) {
  candidates_.assign(engine.n_columns(), Candidate{});
  engine.propose(node, candidates_);
  node.column = ranking_.pick(candidates_);
  if (node.column < 0) return false;
  node.winner = candidates_[static_cast<std::size_t>(node.column)];
  return recipe_.limits.allows_gain(node.winner.score.gain);
}

void Grower::open(Engine& engine, const OpenNode& node, Sprout& sprout, std::span<OpenNode, 2> children) {
  const auto cut = engine.cut_of(node);
  if (engine.settles_inner()) settle(engine, node, sprout);
  for (std::size_t branch = 0; branch < children.size(); ++branch) {
    children[branch] = OpenNode{.depth = node.depth + 1, .path = path_of_child(node.path, branch)};
  }
  engine.route(node, children, closes_);
  const auto first = static_cast<std::int32_t>(sprout.nodes.size());
  for (auto& child : children) child.id = sprout.add(child.facts.rows, child.facts.weight);
  auto& split = sprout.nodes[static_cast<std::size_t>(node.id)];
  split.column = node.column;
  split.cut = cut;
  split.gain = node.winner.score.gain;
  split.first_child = first;
  if (node.winner.n_missing > 0) {
    split.missing_branch = node.winner.missing_left ? 0 : 1;
  } else {
    split.missing_branch = larger_branch(children[0].facts.rows, children[1].facts.rows);
  }
}

void Grower::close(Engine& engine, const OpenNode& node, Sprout& sprout) {
  settle(engine, node, sprout);
  rows_settled_ += node.facts.rows;
}

void Grower::settle(Engine& engine, const OpenNode& node, Sprout& sprout) {
  sprout.nodes[static_cast<std::size_t>(node.id)].settled = sprout.leaves.size();
  engine.settle(node, sprout.leaves);
}

void Grower::report() {
  watch_.rows_settled.fetch_add(std::exchange(rows_settled_, 0), std::memory_order_relaxed);
  if (watch_.look && std::this_thread::get_id() == watch_.caller) watch_.look();
}

}  // namespace treewright
