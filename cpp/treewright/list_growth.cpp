#include "treewright/list_growth.hpp"

#include <utility>

#include "treewright/block_engine.hpp"  // for BlockEngine
#include "treewright/growth.hpp"        // for grow_in_lists

namespace treewright {

std::vector<Sprout> grow_in_lists(const Growth& growth, std::unique_ptr<Scan<std::uint32_t>> scan) {
  BlockEngine<TopBlock> engine(growth.table, std::move(scan), growth.recipe, growth.pool, growth.watch);
  std::vector<Sprout> sprouts;
  sprouts.push_back(growth.grow_root(engine));
  for (auto& graft : engine.grafts()) sprouts.push_back(std::move(graft));
  return sprouts;
}

struct NarrowLists::Engines {
  std::unique_ptr<BlockEngine<NarrowBlock<std::uint16_t>>> narrow;
  std::unique_ptr<BlockEngine<NarrowBlock<std::uint8_t>>> least;
};

NarrowLists::NarrowLists(const Recipe& recipe, Watch& watch)
    : recipe_(recipe), watch_(watch), engines_(std::make_unique<Engines>()) {}

NarrowLists::~NarrowLists() = default;

void NarrowLists::grow_rest(const CountedBlock& block, const Scan<std::uint32_t>& scan, const OpenNode& node,
                            Sprout& sprout) {
  auto& [narrow, least] = *engines_;
  // Sets of bits are made of lists.
  if (node.facts.rows <= NarrowBlock<std::uint8_t>::kCapacity && scan.two_classes() == nullptr) {
    if (!least)
      least = std::make_unique<BlockEngine<NarrowBlock<std::uint8_t>>>(scan.make_short(), recipe_, watch_);
    least->grow_rest(block, scan, node, sprout);
  } else {
    if (!narrow)
      narrow = std::make_unique<BlockEngine<NarrowBlock<std::uint16_t>>>(scan.make_narrow(), recipe_, watch_);
    narrow->grow_rest(block, scan, node, sprout);
  }
}

}  // namespace treewright
