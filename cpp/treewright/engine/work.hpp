// What a growth cost, in operations: the same on every machine, whatever the clock says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace treewright {

// An entry is a row in the list of a column. Counted by list, not one by one.
struct Work {
  std::int64_t sorted = 0;                // entries times passes over them
  std::int64_t scanned = 0;               // in search of a cut
  std::int64_t moved = 0;                 // to the side of their branch, or to a narrower block
  std::array<std::int64_t, 3> n_nodes{};  // looked into: in lists of 32, 16, 8 bits

  template <class Index>
  void look_into_node() {
    ++n_nodes[sizeof(Index) == 4 ? 0 : sizeof(Index) == 2 ? 1 : 2];
  }

  Work& operator+=(const Work& other) {
    sorted += other.sorted;
    scanned += other.scanned;
    moved += other.moved;
    for (std::size_t i = 0; i < n_nodes.size(); ++i) n_nodes[i] += other.n_nodes[i];
    return *this;
  }
};

}  // namespace treewright
