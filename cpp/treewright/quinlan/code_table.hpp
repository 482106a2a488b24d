// The columns of few distinct values by code, what a row has in each of them side by side: weights of classes
// by value are then summed up in one pass over the rows of a node, and no column need be kept in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/table/table.hpp"                 // for Table, Ordering
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

class CodeTable {
 public:
  // Codes of all columns are numbered through as places; behind the last one of a column is that of rows
  // without a value, and the next column begins at a multiple of kApart.
  static constexpr std::uint32_t kMostCodes = 255, kMostPlaces = 65535, kApart = 8;

  // Tells which columns are coded; what rows have in them is taken next.
  explicit CodeTable(const Table& table) : at_(table.columns.size(), -1), begin_(1, 0) {
    for (std::size_t column = 0; column < at_.size(); ++column) {
      const auto& ordering = table.orderings[column];
      const bool is_few = !ordering.code.empty() && ordering.n_distinct <= kMostCodes;
      const auto end = begin_.back() + (ordering.n_distinct + kApart) / kApart * kApart;
      if (!is_few || end > kMostPlaces) continue;
      at_[column] = static_cast<std::int32_t>(n_coded_++);
      missing_.push_back(begin_.back() + ordering.n_distinct);
      begin_.push_back(end);
    }
    row_at_.resize(n_places());
  }

  // Take the rows in their turns. A few at a time: what they have in one column stands beside the next.
  void take(const Table& table, std::span<const std::uint32_t> slots) {
    constexpr std::size_t kRows = 128;
    for (std::size_t column = 0; column < at_.size(); ++column) {
      if (is_coded(column)) find_rows(table, column);
    }
    places_.make_room(slots.size() * n_coded());
    for (std::size_t first = 0; first < slots.size(); first += kRows) {
      const auto rows = slots.subspan(first, std::min(kRows, slots.size() - first));
      for (std::size_t column = 0; column < at_.size(); ++column) {
        if (!is_coded(column)) continue;
        const auto* code = table.orderings[column].code.data();
        const auto begin_here = begin(column), none = missing(column);
        auto* place = places_.data() + first * n_coded() + number(column);
        for (const auto slot : rows) {
          *place = static_cast<std::uint16_t>(code[slot] == kMissingCode ? none : begin_here + code[slot]);
          place += n_coded();
        }
      }
    }
  }

  bool is_coded(std::size_t column) const { return at_[column] >= 0; }
  std::size_t n_coded() const { return n_coded_; }
  std::size_t n_places() const { return begin_.back(); }

  // Of a column that is coded: its number among these, where its places begin, that of missing values.
  std::size_t number(std::size_t column) const { return static_cast<std::size_t>(at_[column]); }
  std::uint32_t begin(std::size_t column) const { return begin_[number(column)]; }
  std::uint32_t missing(std::size_t column) const { return missing_[number(column)]; }

  std::uint32_t begin_of(std::size_t number) const { return begin_[number]; }

  // Places of the row with this turn, one a coded column.
  const std::uint16_t* of_turn(std::size_t turn) const { return places_.data() + turn * n_coded(); }

  // A row that has the value of a place.
  std::uint32_t row_at(std::size_t place) const { return row_at_[place]; }

 private:
  // A row for every value of a column.
  void find_rows(const Table& table, std::size_t column) {
    const auto& ordering = table.orderings[column];
    auto* const row_at = row_at_.data() + begin(column);
    if (ordering.is_few) {
      for (std::uint32_t code = 0; code < ordering.n_distinct; ++code)
        row_at[code] = table.row(ordering.slot_of_code[code]);
      return;
    }
    for (std::uint32_t slot = 0; slot < table.n_slots; ++slot) {
      if (ordering.code[slot] != kMissingCode) row_at[ordering.code[slot]] = table.row(slot);
    }
  }

  std::size_t n_coded_ = 0;
  std::vector<std::int32_t> at_;                // by column; -1: it is not coded
  std::vector<std::uint32_t> begin_, missing_;  // by number
  std::vector<std::uint32_t> row_at_;           // by place
  UninitializedBuffer<std::uint16_t> places_;
};

}  // namespace treewright
