// Small nodes in lists, for an engine that keeps its rows in another way. The engines on lists stay behind
// this header: they are compiled once.
#pragma once

#include <memory>

#include "treewright/counted_block.hpp"  // for CountedBlock
#include "treewright/engine.hpp"         // for OpenNode, Watch
#include "treewright/recipe.hpp"         // for Recipe
#include "treewright/scan.hpp"           // for Scan

namespace treewright {

class NarrowLists {
 public:
  NarrowLists(const Recipe& recipe, Watch& watch);
  ~NarrowLists();

  // Grow a node of a block of codes, here, into its sprout.
  void grow_rest(const CountedBlock& block, const Scan<std::uint32_t>& scan, const OpenNode& node,
                 Sprout& sprout);

 private:
  struct Engines;
  const Recipe& recipe_;
  Watch& watch_;
  std::unique_ptr<Engines> engines_;
};

}  // namespace treewright
