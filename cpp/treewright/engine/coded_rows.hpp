// The table as codes, without lists: where columns have few distinct values, counting the rows of a node by
// code tells all that their order would.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "treewright/engine/lists.hpp"   // for kNarrowRows
#include "treewright/recipe/recipe.hpp"  // for Recipe
#include "treewright/search/target.hpp"  // for Target
#include "treewright/table/table.hpp"    // for Table

namespace treewright {

// A node's rows are members() from its handle, and in no other list.
class CodedRows {
 public:
  using Index = std::uint32_t;

  // The whole table.
  void take(const Table& table) {
    table_ = &table;
    members_.resize(table.n_slots);
    std::iota(members_.begin(), members_.end(), Index{0});
    for (const auto& ordering : table.orderings) codes_.push_back(ordering.code.data());
  }

  // The slots members[begin, end) of another block, numbered anew, so that their codes lie close together.
  void take(const CodedRows& from, std::uint32_t begin, std::uint32_t end) {
    table_ = from.table_;
    const std::size_t n = end - begin;
    const Index* slots = from.members() + begin;
    members_.resize(n);
    std::iota(members_.begin(), members_.end(), Index{0});
    table_slot_.resize(n);
    for (std::size_t i = 0; i < n; ++i) table_slot_[i] = from.table_slot(slots[i]);
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

 private:
  const Table* table_ = nullptr;
  std::vector<Index> members_;
  std::vector<std::uint32_t> table_slot_;    // empty: the same
  std::vector<std::uint16_t> own_codes_;     // column after column, where the table's are not at hand
  std::vector<const std::uint16_t*> codes_;  // by column
};

// As many codes as a word has bits.
inline constexpr std::uint32_t kVeryFewValues = 64;

// The counts of a node of more rows than this are kept for its children. With fewer rows than counts, going
// through the counts takes longer than going through the rows; those of many classes are summed up at once.
// A value has a count for every class but one, which the others tell.
inline std::uint32_t rows_to_keep_counts(const Table& table, int n_classes) {
  std::size_t n_values = 0;
  for (const auto& ordering : table.orderings) n_values += ordering.n_distinct;
  const auto n_counts = n_values * static_cast<std::size_t>(n_classes - 1) / table.columns.size();
  return static_cast<std::uint32_t>(std::max<std::size_t>(64, n_classes > 2 ? n_counts / 2 : 2 * n_counts));
}

// Whether a node of few rows is counted column by column, on the spot; if not, it has lists.
inline bool counts_few_rows(const Table& table) {
  return std::all_of(table.orderings.begin(), table.orderings.end(),
                     [](const Ordering& ordering) { return ordering.n_distinct <= kVeryFewValues; });
}

// Whether rows are counted by code: plain growth of classes on whole columns of few values, where the rows
// are many more than the codes. All else needs rows in order: gaps, categories, weights. With a limit on
// leaves no node leaves the block it began in, and small ones are better off in lists.
inline bool counts_values(const Table& table, const Target& target, const Recipe& recipe) {
  const auto is_whole_and_few = [&](const Ordering& ordering) {
    return ordering.is_few && ordering.n_known == table.n_slots;
  };
  return recipe.wants_best_cuts_only() && recipe.limits.max_leaves < 0 && target.n_classes > 1 &&
         target.weights.all_equal() && table.own_weights.empty() && !table.columns.empty() &&
         std::none_of(table.n_categories.begin(), table.n_categories.end(), [](auto n) { return n > 0; }) &&
         std::all_of(table.orderings.begin(), table.orderings.end(), is_whole_and_few) &&
         rows_to_keep_counts(table, target.n_classes) <=
             std::min<std::uint32_t>(kNarrowRows, table.n_slots / 4);
}

}  // namespace treewright
