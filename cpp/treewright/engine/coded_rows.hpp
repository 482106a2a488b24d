// The table as codes, without lists: where columns have few distinct values, counting the rows of a node by
// code tells all that their order would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "treewright/search/target.hpp"  // for Target, gather
#include "treewright/table/table.hpp"    // for Table

namespace treewright {

// A node's rows are members() from its handle, and in no other list.
class CodedRows {
 public:
  using Index = std::uint32_t;

  CodedRows() = default;
  CodedRows(const Table& table, const Target& target)
      : table_(&table), members_(table.n_slots), classes_(target.classes) {
    std::iota(members_.begin(), members_.end(), Index{0});
    for (const auto& ordering : table.orderings) codes_.push_back(ordering.code.data());
  }

  // The slots members[begin, end) of another block, numbered anew, so that their codes lie close together.
  void gather_from(const CodedRows& from, std::uint32_t begin, std::uint32_t end) {
    table_ = from.table_;
    const std::size_t n = end - begin;
    const std::span slots(from.members() + begin, n);
    members_.resize(n);
    std::iota(members_.begin(), members_.end(), Index{0});
    table_slot_.resize(n);
    for (std::size_t i = 0; i < n; ++i) table_slot_[i] = from.table_slot(slots[i]);
    gather(classes_, from.classes_, slots);
    own_codes_.resize(n * from.n_columns());
    codes_.clear();
    for (std::size_t column = 0; column < from.n_columns(); ++column) {
      auto* to = own_codes_.data() + column * n;
      const auto* wide = from.codes(column);
      for (std::size_t i = 0; i < n; ++i) to[i] = wide[slots[i]];
      codes_.push_back(to);
    }
  }

  const Table& table() const { return *table_; }
  std::size_t n_columns() const { return codes_.size(); }
  Index n_slots() const { return static_cast<Index>(members_.size()); }
  Index* members() { return members_.data(); }
  const Index* members() const { return members_.data(); }
  std::uint32_t table_slot(Index slot) const { return table_slot_.empty() ? slot : table_slot_[slot]; }

  const std::uint16_t* codes(std::size_t column) const { return codes_[column]; }
  std::uint32_t n_values(std::size_t column) const { return table_->orderings[column].n_distinct; }
  std::uint32_t row_of_code(std::size_t column, std::uint32_t code) const {
    return table_->row(table_->orderings[column].slot_of_code[code]);
  }
  std::uint16_t class_of(Index slot) const { return classes_[slot]; }

 private:
  const Table* table_ = nullptr;
  std::vector<Index> members_;
  std::vector<std::uint32_t> table_slot_;    // empty: the same
  std::vector<std::uint16_t> classes_;       // by slot
  std::vector<std::uint16_t> own_codes_;     // column after column, where the table's are not at hand
  std::vector<const std::uint16_t*> codes_;  // by column
};

}  // namespace treewright
