// Small nodes in lists, for an engine that keeps its rows in another way. The engines on lists stay behind
// this header: they are compiled once.
#pragma once

#include <memory>

#include "treewright/engine/coded_rows.hpp"  // for CodedRows
#include "treewright/engine/engine.hpp"      // for OpenNode, Progress
#include "treewright/recipe/recipe.hpp"      // for Recipe
#include "treewright/search/scan.hpp"        // for Scan

namespace treewright {

class SmallLists {
 public:
  SmallLists(const Recipe& recipe, Progress& watch);
  ~SmallLists();

  // Grow a node of a block of codes, here, into its tree.
  void grow_rest(const CodedRows& block, const Scan<std::uint32_t>& scan, const OpenNode& node,
                 GrowingTree& growing);

 private:
  struct Engines;
  const Recipe& recipe_;
  Progress& watch_;
  std::unique_ptr<Engines> engines_;
};

}  // namespace treewright
