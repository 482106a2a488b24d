// How C4.5 numbers rows: each has its turn in the order of one column, the first of those that are not coded.
// The rows of a node, turns rising, then are that column's list as well.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "treewright/search/target.hpp"               // for Target
#include "treewright/table/table.hpp"                 // for Table, list_slots
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

class RowPositions {
 public:
  // `listed`: columns of which lists are kept.
  RowPositions(Table& table, const Target& target, std::span<const std::size_t> listed)
      : table_(table), slot_(table.n_slots), codes_(listed.size()), n_known_(table.n_slots) {
    for (const auto column : listed) list_slots(table, column);
    std::iota(slot_.begin(), slot_.end(), 0);
    if (!listed.empty()) {
      slot_ = table.orderings[listed[0]].list;
      n_known_ = table.orderings[listed[0]].n_known;
    }
    classes = by_turn(target.classes);
    weights.make_room(size());
    for (std::uint32_t turn = 0; turn < size(); ++turn) weights[turn] = target.weights.of_slot[slot_[turn]];
    for (std::size_t at = 0; at < listed.size(); ++at) codes_[at] = by_turn(table.orderings[listed[at]].code);
  }

  std::uint32_t size() const { return table_.n_slots; }
  std::span<const std::uint32_t> slots() const { return slot_; }
  std::uint32_t slot(std::uint32_t turn) const { return slot_[turn]; }
  std::uint32_t row(std::uint32_t turn) const { return table_.row(slot_[turn]); }

  // What is given by turn.
  template <class Value>
  std::vector<Value> by_slot(const std::vector<Value>& by_turn) const {
    std::vector<Value> values(size());
    for (std::uint32_t turn = 0; turn < size(); ++turn) values[slot_[turn]] = by_turn[turn];
    return values;
  }

  // Rows that have a value of the first column listed have the first turns.
  std::uint32_t n_known() const { return n_known_; }

  // Codes of a listed column, where it has some.
  const std::vector<std::uint16_t>& codes(std::size_t at) const { return codes_[at]; }

  // The turns of all rows: rising, then by the value of each listed column but the first.
  UninitializedBuffer<std::uint32_t> lists(std::span<const std::size_t> listed) const {
    UninitializedBuffer<std::uint32_t> turns(size() * std::max<std::size_t>(1, listed.size()));
    auto* next = turns.data() + size();
    std::iota(turns.data(), next, 0);
    if (listed.size() < 2) return turns;
    std::vector<std::uint32_t> turn_of(size());
    for (std::uint32_t turn = 0; turn < size(); ++turn) turn_of[slot_[turn]] = turn;
    for (const auto column : listed.subspan(1)) {
      for (const auto slot : table_.orderings[column].list) *next++ = turn_of[slot];
    }
    return turns;
  }

  // Of the target, by turn.
  std::vector<std::uint16_t> classes;
  UninitializedBuffer<std::int64_t> weights;

 private:
  template <class Value>
  std::vector<Value> by_turn(const std::vector<Value>& by_slot) const {
    std::vector<Value> values;
    if (by_slot.empty()) return values;
    gather(values, by_slot, slots());
    return values;
  }

  const Table& table_;
  std::vector<std::uint32_t> slot_;                // by turn
  std::vector<std::vector<std::uint16_t>> codes_;  // by listed column and turn
  std::uint32_t n_known_;
};

}  // namespace treewright
