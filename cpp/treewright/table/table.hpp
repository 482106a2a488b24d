// The table put in order, once: every numeric column becomes a list of its rows in order of value.
#pragma once

#include "treewright/pool.hpp"          // for Pool
#include "treewright/table/column.hpp"  // for Column

namespace treewright {

// A slot is a row that takes part. Lists hold slots, so that later a row may have several of them, each
// with a share of its weight.
struct Ordering {
  std::vector<std::uint32_t> list;  // slots by value, missing ones last; of few values, see `list_slots`
  std::uint32_t n_known = 0;
  std::uint32_t n_distinct = 0;
  std::vector<std::uint16_t> code;  // rank of the value by slot; only where values are few
  std::vector<bool> is_tied;        // by slot: shares its value; only where there are ties but no codes
  std::vector<bool> is_missing;     // by slot: has no value; only where some have none and there are no codes
  bool is_few = false;              // distinct values, so few that codes do for a list
  std::vector<std::uint32_t> slot_of_code;  // ... by code: one of the slots that have it

  // Slots with a value, in order of it; one a value where values are few.
  std::span<const std::uint32_t> known() const {
    return is_few ? std::span(slot_of_code) : std::span(list).first(n_known);
  }
};

// Columns with more distinct values than this have no code; their values are compared in place.
inline constexpr std::uint16_t kMissingCode = 65535;

struct Table {
  std::vector<Column> columns;
  std::vector<std::uint32_t> n_categories;  // declared, by column; 0: numeric
  std::vector<std::uint32_t> row_of_slot;   // empty: slot i is row i
  std::uint32_t n_slots = 0;
  bool is_ordered = false;  // otherwise orderings tell how many values are known, and no more
  std::vector<Ordering> orderings;
  // By slot: what a row weighs where the target does not count. Empty: as much as in the scores, which
  // priors and losses may alter.
  std::vector<std::int64_t> own_weights;
  // By column: rows with a value, in order of it; one a value where values are few. Lists are parted as the
  // tree grows; these stay. Only kept where cuts are to lie at values that were observed.
  std::vector<std::vector<std::uint32_t>> rows_in_order;
  std::optional<std::pair<std::int64_t, std::int64_t>> first_infinite;  // column, row
  std::int64_t n_sorted = 0;  // entries times passes over them, to put the columns in order

  bool is_categorical(std::size_t column) const { return n_categories[column] > 0; }
  bool has_gaps() const {
    return std::ranges::any_of(orderings, [&](auto& ordering) { return ordering.n_known < n_slots; });
  }
  void remember_order(Pool& pool);

  // Growing has used the lists up; how many values there were stays known.
  void drop_lists() {
    for (auto& ordering : orderings)
      ordering = {.n_known = ordering.n_known, .n_distinct = ordering.n_distinct};
  }

  // The largest value not above a cut; the cut itself if another thread has changed the values meanwhile.
  Cut observed(std::size_t column, const Cut& cut) const {
    const auto& rows = rows_in_order[column];
    const auto above = std::partition_point(
        rows.begin(), rows.end(), [&](std::uint32_t row) { return columns[column].at_most(row, cut); });
    return above == rows.begin() ? cut : columns[column].at(*(above - 1));
  }

  std::uint32_t row(std::uint32_t slot) const { return row_of_slot.empty() ? slot : row_of_slot[slot]; }

  TREEWRIGHT_NOINLINE bool has_same_value(std::size_t column, std::uint32_t a, std::uint32_t b) const {
    const auto& ordering = orderings[column];
    if (!ordering.code.empty()) return ordering.code[a] == ordering.code[b];
    if (ordering.is_tied.empty() || !ordering.is_tied[a] || !ordering.is_tied[b]) return false;
    return columns[column].key(row(a)) == columns[column].key(row(b));
  }
};

// Order every column, of n_rows rows.
Table order_table(std::vector<Column> columns, std::vector<std::uint32_t> n_categories, std::uint32_t n_rows,
                  Pool& pool);

// The same, but columns of which no value is infinite or a category are not ordered as long as it is not
// known whether growing will want it. It is worth while to wait for that if rows are many.
Table read_table(std::vector<Column> columns, std::vector<std::uint32_t> n_categories, std::uint32_t n_rows,
                 Pool& pool);
// Tell how many values of each column are known; false where some column has categories or an infinite value.
bool tell_known(Table& table, Pool& pool);
// Code the columns that hold few whole numbers; order all that have no codes, unless that was done.
void code_few_values(Table& table, Pool& pool);
void order_columns(Table& table, Pool& pool);

// The rows of a table that take part (empty: all), in their orders, if it has any. Takes time in proportion
// to the rows of the table, without sorting: folds, audits and forests share one table.
Table take_rows(const Table& from, const std::vector<bool>& takes_part, Pool& pool);

// List the slots of columns of few values, for a growth that needs them in order; or those of one such
// column.
void list_slots(Table& table, Pool& pool);
void list_slots(Table& table, std::size_t column);

}  // namespace treewright
