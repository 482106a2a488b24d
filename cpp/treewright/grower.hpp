// The loop. There is one: whole trees, parts grown by a thread and small rests all go through it.
#pragma once

#include <functional>
#include <vector>

#include "treewright/engine.hpp"   // for Engine, OpenNode, Watch
#include "treewright/order.hpp"    // for Frontier
#include "treewright/ranking.hpp"  // for BestScore, AboveAverageGain
#include "treewright/recipe.hpp"   // for Recipe

namespace treewright {

class Grower {
 public:
  Grower(const Recipe& recipe, Watch& watch);

  // Grow `start`, a node of `sprout`, to its leaves.
  void grow(Engine& engine, OpenNode start, Sprout& sprout);

 private:
  Stop evaluate(Engine& engine, OpenNode& node, Sprout& sprout);
  void write_down(Engine& engine, const OpenNode& node, double average, Sprout& sprout) const;
  void place(Engine& engine, OpenNode& node, Sprout& sprout);
  Stop look_in_turn(Engine& engine, OpenNode& node, Sprout& sprout);
  void open(Engine& engine, const OpenNode& node, Sprout& sprout);
  void hand_on_bounds(Engine& engine, const OpenNode& node);
  void close(Engine& engine, const OpenNode& node, Sprout& sprout, Stop why);
  static void settle(Engine& engine, const OpenNode& node, Sprout& sprout);
  void report();

  const Recipe& recipe_;
  Watch& watch_;
  Frontier frontier_;
  std::vector<OpenNode> small_;  // to be finished in one place
  BestScore best_score_;
  AboveAverageGain above_average_;
  std::vector<Candidate> candidates_;
  std::vector<OpenNode> children_;  // of the node opened last
  std::function<bool(const OpenNode&)> closes_;
  bool had_unknown_ = false;       // from now on Recipe::limits_once_unknown hold
  std::int64_t rows_settled_ = 0;  // not yet told to the watch
  unsigned n_opened_ = 0;
};

}  // namespace treewright
