#include "treewright/engine/list_growth.hpp"

#include <utility>

#include "treewright/engine/growth.hpp"       // for grow_in_lists
#include "treewright/engine/list_engine.hpp"  // for ListEngine

namespace treewright {

std::vector<GrowingTree> grow_in_lists(const Growth& growth, std::unique_ptr<Scan<std::uint32_t>> scan) {
  ListEngine<TableLists> engine(growth.table, std::move(scan), growth.recipe, growth.pool, growth.watch);
  return growth.grow(engine);
}

struct SmallLists::Engines {
  std::unique_ptr<ListEngine<NarrowLists<std::uint16_t>>> narrow;
  std::unique_ptr<ListEngine<NarrowLists<std::uint8_t>>> least;
};

SmallLists::SmallLists(const Recipe& recipe, Progress& watch)
    : recipe_(recipe), watch_(watch), engines_(std::make_unique<Engines>()) {}

SmallLists::~SmallLists() = default;

void SmallLists::grow_rest(const CodedRows& block, const Scan<std::uint32_t>& scan, const OpenNode& node,
                           GrowingTree& growing) {
  auto& [narrow, least] = *engines_;
  // Sets of bits are made of lists.
  if (node.facts.rows <= NarrowLists<std::uint8_t>::kCapacity && scan.two_classes() == nullptr) {
    if (!least)
      least = std::make_unique<ListEngine<NarrowLists<std::uint8_t>>>(scan.make_short(), recipe_, watch_);
    least->grow_rest(block, scan, node, growing);
  } else {
    if (!narrow)
      narrow = std::make_unique<ListEngine<NarrowLists<std::uint16_t>>>(scan.make_narrow(), recipe_, watch_);
    narrow->grow_rest(block, scan, node, growing);
  }
}

}  // namespace treewright
