// The table as codes, without lists: where columns have few distinct values, counting the rows of a node by
// code tells all that their order would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "treewright/search/target.hpp"  // for Target
#include "treewright/table/table.hpp"    // for Table

namespace treewright {

// A node's rows are members() from its handle, and in no other list. Threads may each have nodes of their
// own.
class CodedRows {
 public:
  using Index = std::uint32_t;

  CodedRows(const Table& table, const Target& target)
      : table_(table), classes_(target.classes), members_(table.n_slots) {
    std::iota(members_.begin(), members_.end(), Index{0});
  }

  const Table& table() const { return table_; }
  std::size_t n_columns() const { return table_.columns.size(); }
  Index n_slots() const { return table_.n_slots; }
  Index* members() { return members_.data(); }
  const Index* members() const { return members_.data(); }
  std::uint32_t table_slot(Index slot) const { return slot; }

  const std::uint16_t* codes(std::size_t column) const { return table_.orderings[column].code.data(); }
  std::uint32_t n_values(std::size_t column) const { return table_.orderings[column].n_distinct; }
  std::uint32_t row_of_code(std::size_t column, std::uint32_t code) const {
    return table_.row(table_.orderings[column].slot_of_code[code]);
  }
  std::uint16_t class_of(Index slot) const { return classes_[slot]; }

 private:
  const Table& table_;
  const std::vector<std::uint16_t>& classes_;  // by slot
  std::vector<Index> members_;
};

}  // namespace treewright
