// The columns as C4.5 reads them. Columns of few distinct values are coded. The codes of a row are side by
// side, so one pass over a node's rows sums class weights by value in all coded columns. Every other column
// has a sorted list. Rows are numbered by their position in the first list, so a node's rows in order of
// position are also that column's list.
#pragma once

#include "treewright/engine/fractional_rows.hpp"      // for NodeRows
#include "treewright/recipe/candidate.hpp"            // for Candidate
#include "treewright/recipe/recipe.hpp"               // for Recipe
#include "treewright/search/target.hpp"               // for Target, gather
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

class QuinlanColumns {
 public:
  // The values of all coded columns share one numbering, as cells. After the last value of a column comes its
  // cell for missing values; the next column begins at a multiple of kApart.
  static constexpr std::uint32_t kMostCodes = 255, kMostCells = 65535, kApart = 8;

  QuinlanColumns(Table& table, const Target& target, const Recipe& recipe)
      : table_(table),
        recipe_(recipe),
        slot_(table.n_slots),
        is_coded_(table.columns.size()),
        number_(table.columns.size()),
        are_apart_(table.columns.size(), true) {
    for (std::size_t column = 0; column < size(); ++column) {
      const auto& ordering = table.orderings[column];
      const auto end = begin_.back() + (ordering.n_distinct + kApart) / kApart * kApart;
      is_coded_[column] = !ordering.code.empty() && ordering.n_distinct <= kMostCodes && end <= kMostCells;
      number_[column] = is_coded_[column] ? n_coded() : n_listed();
      if (is_coded_[column]) {
        begin_.push_back(end);
      } else {
        heed_interrupts();
        list_slots(table, column);
        listed_.push_back(column);
      }
    }
    std::iota(slot_.begin(), slot_.end(), 0);
    if (!listed_.empty()) slot_ = table.orderings[listed_[0]].list;
    gather_cells();
    gather(classes, target.classes, std::span<const std::uint32_t>(slot_));
    list_positions();
    for (std::size_t column = 0; recipe.min_gap > 0 && column < size(); ++column) find_near(column);
  }

  std::vector<std::uint16_t> classes;  // by position
  // The positions of all rows: rising, then by the value of each listed column but the first.
  UninitializedBuffer<std::uint32_t> lists;

  std::size_t size() const { return number_.size(); }
  std::size_t n_coded() const { return begin_.size() - 1; }
  std::size_t n_listed() const { return listed_.size(); }
  std::uint32_t n_rows() const { return static_cast<std::uint32_t>(slot_.size()); }
  const Table& table() const { return table_; }
  bool is_categorical(std::size_t column) const { return table().is_categorical(column); }
  bool is_coded(std::size_t column) const { return is_coded_[column]; }
  // Index of a column among the coded columns or among the listed ones.
  std::size_t number(std::size_t column) const { return number_[column]; }

  // First cell of the coded column `number`; a column's cell for missing values; the cells of a row.
  std::uint32_t begin(std::size_t number) const { return begin_[number]; }
  std::uint32_t missing(std::size_t column) const {
    return begin(number(column)) + table().orderings[column].n_distinct;
  }
  std::size_t n_cells() const { return begin_.back(); }
  const std::uint16_t* cells(std::size_t position) const { return cells_.data() + position * n_coded(); }

  // The slot, and the caller's row, at a position; one of the caller's rows with the value of a cell.
  std::uint32_t slot(std::uint32_t position) const { return slot_[position]; }
  std::uint32_t row(std::uint32_t position) const { return table_.row(slot_[position]); }
  std::uint32_t row_of_cell(std::size_t cell) const { return row_of_cell_[cell]; }
  const std::int32_t* category_of_cell() const { return category_of_cell_.data(); }

  // Ranks of a listed column's values, by position; equal values have the same rank.
  static constexpr std::uint32_t kNoValue = std::numeric_limits<std::uint32_t>::max();
  const std::uint32_t* ranks(std::size_t column) const { return ranks_[number(column)].data(); }

  // Whether cuts may separate all distinct values of a column (recipe.min_gap); and the values of two rows.
  bool are_apart(std::size_t column) const { return are_apart_[column]; }
  bool is_below(std::size_t column, std::uint32_t low_row, std::uint32_t high_row) const {
    return table().columns[column].is_below(low_row, high_row, recipe_.min_gap);
  }

  // A mark stands for a value at a node: it is a cell, or an index into a listed column's list.
  std::uint32_t row_of(std::size_t column, std::size_t mark, const NodeRows& here) const {
    return is_coded(column) ? row_of_cell_[mark] : row(here.list(number(column))[mark]);
  }
  std::int32_t category_of(std::size_t column, std::size_t mark, const NodeRows& here) const {
    return is_coded(column) ? category_of_cell_[mark]
                            : table().columns[column].code(row_of(column, mark, here));
  }
  Cut cut_of(std::size_t column, const Candidate& candidate, const NodeRows& here) const {
    const auto low = row_of(column, candidate.n_left, here);
    const auto high = row_of(column, static_cast<std::size_t>(candidate.left_amount), here);
    const auto cut = table().columns[column].between(low, high);
    return recipe_.cut_at == CutAt::Observed ? table().observed(column, cut) : cut;
  }

 private:
  // A block of rows at a time, because the cells of all columns are written side by side.
  void gather_cells() {
    constexpr std::size_t kRows = 128;
    row_of_cell_.resize(n_cells());
    category_of_cell_.resize(n_cells(), -1);
    cells_.make_room(slot_.size() * n_coded());
    for (std::size_t first = 0; first < slot_.size(); first += kRows) {
      heed_interrupts_at(first);
      const auto slots = std::span(slot_).subspan(first, std::min(kRows, slot_.size() - first));
      for (std::size_t column = 0; column < size(); ++column) {
        if (!is_coded(column)) continue;
        const auto* code = table().orderings[column].code.data();
        const auto begin_here = begin(number(column)), none = missing(column);
        auto* cell = cells_.data() + first * n_coded() + number(column);
        for (const auto slot : slots) {
          *cell = static_cast<std::uint16_t>(code[slot] == kMissingCode ? none : begin_here + code[slot]);
          cell += n_coded();
        }
      }
    }
    for (std::size_t column = 0; column < size(); ++column) {
      if (!is_coded(column)) continue;
      const auto& ordering = table().orderings[column];
      for (const auto slot : ordering.known()) {
        const auto cell = begin(number(column)) + ordering.code[slot], row = table().row(slot);
        row_of_cell_[cell] = row;
        if (is_categorical(column)) category_of_cell_[cell] = table().columns[column].code(row);
      }
    }
  }

  void list_positions() {
    lists.make_room(n_rows() * std::max<std::size_t>(1, n_listed()));
    std::iota(lists.data(), lists.data() + n_rows(), 0);
    std::vector<std::uint32_t> position_of(n_listed() > 1 ? n_rows() : 0);
    for (std::uint32_t i = 0; i < position_of.size(); ++i) position_of[slot_[i]] = i;
    for (const auto column : listed_) {
      heed_interrupts();
      const auto& ordering = table_.orderings[column];
      auto* const list = lists.data() + number(column) * n_rows();
      auto& ranks = ranks_.emplace_back(n_rows(), kNoValue);
      for (std::uint32_t i = 0, rank = 0; i < n_rows(); ++i) {
        if (number(column) > 0) list[i] = position_of[ordering.list[i]];
        if (i >= ordering.n_known) continue;
        if (ordering.code.empty())
          rank += i > 0 && !table_.has_same_value(column, ordering.list[i - 1], ordering.list[i]);
        ranks[list[i]] = ordering.code.empty() ? rank : ordering.code[ordering.list[i]];
      }
    }
  }

  void find_near(std::size_t column) {
    if (is_categorical(column)) return;
    heed_interrupts();
    const auto are_near = [&](std::uint32_t low, std::uint32_t high) {
      return !table_.has_same_value(column, low, high) &&
             !is_below(column, table_.row(low), table_.row(high));
    };
    const auto known = table().orderings[column].known();
    are_apart_[column] = std::ranges::adjacent_find(known, are_near) == known.end();
  }

  const Table& table_;
  const Recipe& recipe_;
  std::vector<std::uint32_t> slot_;      // by position
  std::vector<bool> is_coded_;           // by column
  std::vector<std::size_t> number_;      // by column
  std::vector<std::uint32_t> begin_{0};  // by number of a coded column, and the end of the last
  std::vector<std::uint32_t> row_of_cell_;
  std::vector<std::int32_t> category_of_cell_;     // -1: numeric column, or missing value
  UninitializedBuffer<std::uint16_t> cells_;       // by position, then by number
  std::vector<std::size_t> listed_;                // columns with lists
  std::vector<std::vector<std::uint32_t>> ranks_;  // by listed column and position
  std::vector<bool> are_apart_;                    // by column
};

}  // namespace treewright
