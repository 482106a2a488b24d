// Up to 256 rows as sets of bits: for each cut of a column, the rows on its left. Nothing is parted as nodes
// shrink: a node is a set, too, and what it has on the left of a cut is what both have.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/engine/lists.hpp"      // for NarrowLists
#include "treewright/kernels/bit_sets.hpp"  // for RowSet, write_cuts
#include "treewright/table/table.hpp"       // for Table

namespace treewright {

template <std::size_t kWords>
class BitRows {
 public:
  using Rows = RowSet<kWords>;

  // Take the slots [begin, end) of a block with lists.
  void take(const NarrowLists<std::uint16_t>& from, std::uint32_t begin, std::uint32_t end) {
    start(from.table(), end - begin, from.n_columns());
    if (narrow_of_.size() < from.n_slots()) narrow_of_.resize(from.n_slots());
    for (std::uint32_t i = 0; i < n_; ++i) {
      narrow_of_[from.members()[begin + i]] = static_cast<std::uint8_t>(i);
      row_of_[i] = from.row(from.members()[begin + i]);
    }
    if (codes_.size() < n_ * n_columns()) codes_.resize(n_ * n_columns());
    for (std::size_t column = 0; column < n_columns(); ++column) {
      const auto n_values = rank_values(from, column, begin);
      add_cuts(column, n_values, codes(column));
    }
  }

  // Take some rows of a wider one. Nothing is taken from this one then, so it keeps no codes.
  template <std::size_t kWide>
  void take(const BitRows<kWide>& from, const RowSet<kWide>& rows, std::uint32_t n) {
    start(from.table(), n, from.n_columns());
    wide_of_.resize(n);
    for (std::size_t word = 0, i = 0; word < kWide; ++word) {
      for (auto left = rows[word]; left != 0; left &= left - 1, ++i) {
        wide_of_[i] = static_cast<std::uint8_t>(64 * word + static_cast<std::size_t>(std::countr_zero(left)));
        row_of_[i] = from.row(wide_of_[i]);
      }
    }
    std::array<std::uint8_t, 64 * kWords> codes;
    for (std::size_t column = 0; column < n_columns(); ++column) {
      const auto* wide = from.codes(column);
      for (std::uint32_t i = 0; i < n; ++i) codes[i] = wide[wide_of_[i]];
      add_cuts(column, from.n_values(column), codes.data());
    }
  }

  const Table& table() const { return *table_; }
  std::uint32_t n_rows() const { return n_; }
  std::size_t n_columns() const { return n_columns_; }
  std::uint32_t row(std::size_t slot) const { return row_of_[slot]; }
  const std::uint8_t* codes(std::size_t column) const { return codes_.data() + column * n_; }
  std::uint32_t n_values(std::size_t column) const { return begins_[column + 1] - begins_[column] + 1; }

  // Cuts of one column after the other, each with its own from lowest to highest.
  std::span<const Rows> cuts() const { return {cuts_.data(), begins_.back()}; }
  std::uint32_t first_cut(std::size_t column) const { return begins_[column]; }
  std::span<const Rows> cuts(std::size_t column) const {
    return cuts().subspan(begins_[column], begins_[column + 1] - begins_[column]);
  }

 private:
  void start(const Table& table, std::uint32_t n, std::size_t n_columns) {
    table_ = &table;
    n_ = n;
    n_columns_ = n_columns;
    row_of_.resize(n);
    begins_.assign(n_columns + 1, 0);
  }

  // Number the values that the rows have; returns how many there are.
  std::uint32_t rank_values(const NarrowLists<std::uint16_t>& from, std::size_t column, std::uint32_t begin) {
    const auto* list = from.list(column) + begin;
    auto* codes = codes_.data() + column * n_;
    if (!from.has_ties(column)) {
      for (std::uint32_t i = 0; i < n_; ++i) codes[narrow_of_[list[i]]] = static_cast<std::uint8_t>(i);
      return n_;
    }
    const auto* wide = from.code(column);
    std::uint8_t rank = 0;
    auto before = wide[list[0]];
    for (std::uint32_t i = 0; i < n_; ++i) {
      const auto here = wide[list[i]];
      rank = static_cast<std::uint8_t>(rank + (here != before));
      codes[narrow_of_[list[i]]] = rank;
      before = here;
    }
    return rank + 1U;
  }

  void add_cuts(std::size_t column, std::uint32_t n_codes, const std::uint8_t* codes) {
    const auto begin = begins_[column];
    if (cuts_.size() < begin + n_codes) cuts_.resize(2 * (begin + n_codes));
    begins_[column + 1] = begin + write_cuts(codes, n_, n_codes, cuts_.data() + begin);
  }

  const Table* table_ = nullptr;
  std::uint32_t n_ = 0;
  std::size_t n_columns_ = 0;
  std::vector<Rows> cuts_;
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint8_t> codes_;      // by column and slot: the rank of its value
  std::vector<std::uint32_t> row_of_;    // in the caller's table
  std::vector<std::uint8_t> narrow_of_;  // at work: by slot of the wider block
  std::vector<std::uint8_t> wide_of_;    // at work: slots of the wider block
};

}  // namespace treewright
