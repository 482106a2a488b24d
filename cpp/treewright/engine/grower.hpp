// The loop. There is one: whole trees, parts grown by a thread and small rests all go through it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "treewright/engine/engine.hpp"    // for Engine, OpenNode, Progress
#include "treewright/engine/frontier.hpp"  // for Frontier
#include "treewright/recipe/ranking.hpp"   // for BestScore, AboveAverageGain
#include "treewright/recipe/recipe.hpp"    // for Recipe

namespace treewright {

class Grower {
 public:
  Grower(const Recipe& recipe, Progress& watch);

  // Grow `start`, a node of `growing tree`, to its leaves.
  void grow(Engine& engine, OpenNode start, GrowingTree& growing);

 private:
  void place(Engine& engine, std::span<OpenNode> nodes, GrowingTree& growing);
  void evaluate(Engine& engine, std::span<OpenNode> nodes, GrowingTree& growing);
  Stop choose(OpenNode& node, Proposal& proposal, GrowingTree& growing);
  void write_down(const OpenNode& node, const Proposal& proposal, double average, GrowingTree& growing) const;
  Stop look_in_turn(Engine& engine, OpenNode& node, GrowingTree& growing);
  void take_batch(Engine& engine, GrowingTree& growing);
  void open(Engine& engine, GrowingTree& growing);
  void bind_children(const OpenNode& node, const Question& question, std::span<OpenNode> children) const;
  void write_split(const OpenNode& node, Question& question, std::span<OpenNode> children,
                   GrowingTree& growing);
  void close(Engine& engine, const OpenNode& node, GrowingTree& growing, Stop why);
  static void settle(Engine& engine, const OpenNode& node, GrowingTree& growing);
  void report();

  const Recipe& recipe_;
  Progress& watch_;
  Frontier frontier_;
  std::vector<OpenNode> small_;  // to be finished in one place
  BestScore best_score_;
  AboveAverageGain above_average_;
  std::function<bool(const OpenNode&)> closes_;
  bool had_unknown_ = false;       // from now on Recipe::limits_once_unknown hold
  std::int64_t rows_settled_ = 0;  // not yet told to the watch
  unsigned n_opened_ = 0;
  // Of the nodes that are opened together:
  std::vector<OpenNode> batch_, children_, to_evaluate_;
  std::vector<Question> questions_;
  std::vector<std::span<OpenNode>> families_;  // the children of each
  std::vector<Proposal> proposals_;
};

}  // namespace treewright
