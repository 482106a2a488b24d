// The columns of few distinct values by code, what a row has in each of them side by side: weights of classes
// by value are then summed up in one pass over the rows of a node, and no column need be kept in order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "treewright/interrupt.hpp"                   // for heed_interrupts
#include "treewright/portable.hpp"                    // for swap_bytes
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
      heed_interrupts_at(first);
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

// Class weights by value of the coded columns, summed up over the rows of a node.
//
// kClasses: how many classes there are; 0: only the target knows.
template <std::size_t kClasses>
class CodeSums {
 public:
  // `classes` by turn.
  CodeSums(const CodeTable& codes, const std::vector<std::uint16_t>& classes, std::size_t n_classes)
      : codes_(codes),
        classes_(classes),
        n_classes_given_(n_classes),
        other_(size()),
        few_(size()),
        is_marked_(codes.n_places()) {}

  std::size_t n_columns() const { return codes_.n_coded(); }

  // How many sums there are: so many classes a place.
  std::size_t size() const { return codes_.n_places() * n_classes(); }

  // How many of them some of the coded columns have, by number.
  std::size_t size_of(std::span<const std::uint16_t> numbers) const {
    std::size_t size = 0;
    for (const auto number : numbers) size += begin(number + 1u) - begin(number);
    return size;
  }

  // Sum up rows in some of the coded columns.
  void sum_up(std::span<const std::uint16_t> numbers, const std::uint32_t* turns, const std::int64_t* weights,
              std::uint32_t n, std::int64_t* sums) {
    clear(numbers, sums);
    std::uint32_t i = 0;
    if (n >= kPaysToPart) {
      // Most rows have the same few values, and a sum just written is slow to be read again: every other row
      // is added up elsewhere.
      auto* const other = other_.data();
      clear(numbers, other);
      for (; i + 1 < n; i += 2) {
        heed_interrupts_at(i);
        add(numbers, turns[i], weights[i], sums);
        add(numbers, turns[i + 1], weights[i + 1], other);
      }
      for (const auto number : numbers) {
        for (auto at = begin(number); at < begin(number + 1u); ++at) sums[at] += other[at];
      }
    }
    for (; i < n; ++i) add(numbers, turns[i], weights[i], sums);
  }

  // Hand over the class weights at each place of a column where there are any, places rising.
  template <class Take>
  void each_place(std::size_t number, const std::int64_t* sums, const Take& take) const {
    for (auto place = codes_.begin_of(number); place < codes_.begin_of(number + 1); ++place) {
      const auto* weights = sums + place * n_classes();
      std::int64_t any = 0;
      for (std::size_t k = 0; k < n_classes(); ++k) any |= weights[k];
      if (any != 0) take(place, weights);
    }
  }

  // The same for a few rows: only where they are is looked at, and forgotten as it is handed over.
  void sum_up_few(std::span<const std::uint16_t> numbers, const std::uint32_t* turns,
                  const std::int64_t* weights, std::uint32_t n) {
    auto* const is_marked = is_marked_.data();
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto* const places = codes_.of_turn(turns[i]);
      auto* const sums = few_.data() + classes_[turns[i]];
      const auto weight = weights[i];
      for (const auto number : numbers) {
        const std::size_t place = places[number];
        sums[place * n_classes()] += weight;
        is_marked[place] = 1;
      }
    }
  }
  const std::int64_t* few() const { return few_.data(); }
  template <class Take>
  void each_place_of_few(std::size_t number, const Take& take) {
    const auto end = codes_.begin_of(number + 1);
    for (auto first = codes_.begin_of(number); first < end; first += CodeTable::kApart) {
      for (auto marks = marks_from(first); marks != 0; marks &= marks - 1) {
        const auto place = first + static_cast<std::uint32_t>(std::countr_zero(marks)) / 8;
        auto* weights = few_.data() + place * n_classes();
        take(place, weights);
        std::fill(weights, weights + n_classes(), 0);
      }
    }
  }

  // Take rows off, or what was summed up of them.
  void take_off(std::span<const std::uint16_t> numbers, const std::uint32_t* turns,
                const std::int64_t* weights, std::uint32_t n, std::int64_t* sums) const {
    heed_interrupts_before(n);
    for (std::uint32_t i = 0; i < n; ++i) add(numbers, turns[i], -weights[i], sums);
  }
  void take_off(std::span<const std::uint16_t> numbers, const std::int64_t* less, std::int64_t* sums) const {
    for (const auto number : numbers) {
      for (auto at = begin(number); at < begin(number + 1u); ++at) sums[at] -= less[at];
    }
  }

 private:
  static constexpr std::uint32_t kPaysToPart = 64;  // rows

  std::size_t n_classes() const { return kClasses > 0 ? kClasses : n_classes_given_; }
  std::size_t begin(std::size_t number) const { return codes_.begin_of(number) * n_classes(); }

  // The marks of kApart places, a byte each, the first of them lowest; they are forgotten.
  std::uint64_t marks_from(std::uint32_t first) {
    std::uint64_t marks;
    static_assert(sizeof marks == CodeTable::kApart);
    std::memcpy(&marks, is_marked_.data() + first, sizeof marks);
    if (marks == 0) return 0;
    std::memset(is_marked_.data() + first, 0, sizeof marks);
    return std::endian::native == std::endian::little ? marks : swap_bytes(marks);
  }

  void clear(std::span<const std::uint16_t> numbers, std::int64_t* sums) const {
    for (const auto number : numbers) std::fill(sums + begin(number), sums + begin(number + 1u), 0);
  }

  void add(std::span<const std::uint16_t> numbers, std::uint32_t turn, std::int64_t weight,
           std::int64_t* sums) const {
    const auto* places = codes_.of_turn(turn);
    sums += classes_[turn];
    for (const auto number : numbers) sums[places[number] * n_classes()] += weight;
  }

  const CodeTable& codes_;
  const std::vector<std::uint16_t>& classes_;
  std::size_t n_classes_given_;
  std::vector<std::int64_t> other_;      // at work
  std::vector<std::int64_t> few_;        // of a few rows
  std::vector<std::uint8_t> is_marked_;  // by place: they are there
};

}  // namespace treewright
