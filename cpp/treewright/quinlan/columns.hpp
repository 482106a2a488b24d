// The columns as C4.5 reads them. Those of few distinct values are coded. Of the others lists are kept, and
// rows are numbered by their position in the first of them: the rows of a node, positions rising, then are
// that column's list as well.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "treewright/engine/lists.hpp"                // for TableLists
#include "treewright/interrupt.hpp"                   // for heed_interrupts
#include "treewright/quinlan/codes.hpp"               // for CodeTable
#include "treewright/recipe/recipe.hpp"               // for Recipe
#include "treewright/search/target.hpp"               // for Target, gather
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

class QuinlanColumns {
 public:
  QuinlanColumns(Table& table, const Target& target, const Recipe& recipe)
      : codes(table),
        values_(table),
        recipe_(recipe),
        slot_(table.n_slots),
        list_at_(table.columns.size()),
        n_known_(table.n_slots),
        near_(table.columns.size()) {
    for (std::size_t column = 0; column < size(); ++column) {
      if (codes.is_coded(column)) continue;
      heed_interrupts();
      list_slots(table, column);
      list_at_[column] = listed_.size();
      listed_.push_back(column);
    }
    std::iota(slot_.begin(), slot_.end(), 0);
    if (!listed_.empty()) {
      slot_ = table.orderings[listed_[0]].list;
      n_known_ = table.orderings[listed_[0]].n_known;
    }
    codes.take(table, slot_);
    gather(classes, target.classes, std::span<const std::uint32_t>(slot_));
    for (const auto column : listed_) {
      heed_interrupts();
      const auto& code = table.orderings[column].code;
      ranks_.emplace_back();
      if (!code.empty()) gather(ranks_.back(), code, std::span<const std::uint32_t>(slot_));
    }
    for (std::size_t column = 0; column < size(); ++column) find_near(column);
  }

  CodeTable codes;
  std::vector<std::uint16_t> classes;  // by position

  std::size_t size() const { return list_at_.size(); }
  std::size_t n_listed() const { return listed_.size(); }
  std::size_t list_at(std::size_t column) const { return list_at_[column]; }
  std::uint32_t n_rows() const { return static_cast<std::uint32_t>(slot_.size()); }
  const Table& table() const { return values_.table(); }
  bool is_categorical(std::size_t column) const { return table().is_categorical(column); }

  // What is given by slot, by position, and the other way round.
  template <class Value>
  Value at_position(const std::vector<Value>& by_slot, std::uint32_t position) const {
    return by_slot[slot_[position]];
  }
  template <class Value>
  std::vector<Value> by_slot(const std::vector<Value>& by_position) const {
    std::vector<Value> values(n_rows());
    for (std::uint32_t position = 0; position < n_rows(); ++position)
      values[slot_[position]] = by_position[position];
    return values;
  }

  // The positions of all rows: rising, then by the value of each listed column but the first.
  UninitializedBuffer<std::uint32_t> lists() const {
    UninitializedBuffer<std::uint32_t> positions(n_rows() * std::max<std::size_t>(1, n_listed()));
    auto* next = positions.data() + n_rows();
    std::iota(positions.data(), next, 0);
    if (n_listed() < 2) return positions;
    std::vector<std::uint32_t> position_of(n_rows());
    for (std::uint32_t position = 0; position < n_rows(); ++position) position_of[slot_[position]] = position;
    for (const auto column : std::span(listed_).subspan(1)) {
      heed_interrupts();
      for (const auto slot : table().orderings[column].list) *next++ = position_of[slot];
    }
    return positions;
  }

  std::uint32_t row(std::uint32_t position) const { return values_.row(slot_[position]); }

  // Of listed columns, by position.
  bool is_missing(std::size_t column, std::uint32_t position) const {
    if (list_at_[column] == 0) return position >= n_known_;
    return values_.has_missing(column) && values_.is_missing(column, slot_[position]);
  }
  bool is_same(std::size_t column, std::uint32_t a, std::uint32_t b) const {
    return values_.has_ties(column) && values_.same_value(column, slot_[a], slot_[b]);
  }
  const std::vector<std::uint16_t>& ranks(std::size_t column) const { return ranks_[list_at_[column]]; }

  // Whether all values of a column lie far enough apart to be told from each other; and whether two do.
  bool are_apart(std::size_t column) const { return near_[column].empty(); }
  bool is_below(std::size_t column, std::uint32_t low_row, std::uint32_t high_row) const {
    return table().columns[column].is_below(low_row, high_row, recipe_.min_gap);
  }

  // The same of rows by position, neighbours in a list. Few values need be read for that, which lie far from
  // each other in the caller's memory.
  bool are_apart(std::size_t column, std::uint32_t low, std::uint32_t high) const {
    return near_[column][slot_[low]] ? is_below(column, row(low), row(high)) : !is_same(column, low, high);
  }

  Cut cut_between(std::size_t column, std::uint32_t low_row, std::uint32_t high_row) const {
    const auto cut = table().columns[column].between(low_row, high_row);
    return recipe_.cut_at == CutAt::Observed ? table().observed(column, cut) : cut;
  }

 private:
  // Which values have others too near above them. Of a column that has codes it is enough to know that there
  // are some.
  void find_near(std::size_t column) {
    if (!(recipe_.min_gap > 0) || is_categorical(column)) return;
    heed_interrupts();
    auto& near = near_[column];
    if (codes.is_coded(column)) {
      for (auto place = codes.begin(column) + 1; near.empty() && place < codes.missing(column); ++place) {
        if (!is_below(column, codes.row_at(place - 1), codes.row_at(place))) near.resize(1);
      }
      return;
    }
    const auto* slots = values_.list(column);
    bool is_near = false, any = false;
    near.resize(n_rows());
    for (auto i = table().orderings[column].n_known; i-- > 1;) {
      if (!values_.same_value(column, slots[i - 1], slots[i]))
        is_near = !is_below(column, values_.row(slots[i - 1]), values_.row(slots[i]));
      near[slots[i - 1]] = is_near;
      any |= is_near;
    }
    if (!any) near.clear();
  }

  TableLists values_;
  const Recipe& recipe_;
  std::vector<std::uint32_t> slot_;                // by position
  std::vector<std::size_t> listed_;                // columns that are not coded
  std::vector<std::size_t> list_at_;               // by column: which of them it is
  std::vector<std::vector<std::uint16_t>> ranks_;  // by listed column and position, where it has codes
  std::uint32_t n_known_;                          // rows with a value of the first listed column come first
  std::vector<std::vector<bool>> near_;            // by column and slot; empty: no value is near another
};

}  // namespace treewright
