// The table put in order, once: every column becomes a list of its rows by value, or a code for each row.
#pragma once

#include "treewright/pool.hpp"          // for Pool
#include "treewright/table/column.hpp"  // for Column

namespace treewright {

// A slot is a row that takes part; lists hold slots.
struct Ordering {
  std::vector<std::uint32_t> list;  // slots by value, missing last; if values are few, made by `list_slots`
  std::uint32_t n_known = 0;
  std::uint32_t n_distinct = 0;
  std::vector<std::uint16_t> code;  // by slot: rank of its value; empty if all differ or there are too many
  std::vector<bool> is_tied;        // by slot: its value occurs again; only if there are ties but no codes
  std::vector<bool> is_missing;     // by slot: has no value; only if some have none and there are no codes
  bool is_few = false;              // so few distinct values that codes replace the list
  std::vector<std::uint32_t> slot_of_code;  // ... by code: one of the slots that have it

  // Slots with a value, in order of value; one slot per value if values are few.
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
  bool is_ordered = false;  // otherwise columns without codes have `n_known` alone
  std::vector<Ordering> orderings;
  // By slot: weights before priors and losses change them for the scores. Empty: they change nothing.
  std::vector<std::int64_t> own_weights;
  // By column: rows with a value, in order of value; one row per value if values are few. Lists are
  // partitioned as the tree grows, these are not. Only kept if cuts must lie at observed values.
  std::vector<std::vector<std::uint32_t>> rows_in_order;
  std::optional<std::pair<std::int64_t, std::int64_t>> first_infinite;  // column, row
  std::int64_t n_sorted = 0;  // entries times passes over them, to put the columns in order

  bool is_categorical(std::size_t column) const { return n_categories[column] > 0; }
  bool has_gaps() const {
    return std::ranges::any_of(orderings, [&](auto& ordering) { return ordering.n_known < n_slots; });
  }
  void remember_order(Pool& pool);

  // Growing has used the lists up; the numbers of values stay known.
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

// A table of n_rows rows, its columns in order; but if rows are many, and no column has categories or
// infinite values, columns wait until a growth needs their order.
Table read_table(std::vector<Column> columns, std::vector<std::uint32_t> n_categories, std::uint32_t n_rows,
                 Pool& pool);
// Order the columns without codes, unless that was done.
void order_columns(Table& table, Pool& pool);

// The rows of a table that take part (empty: all), in their orders, if it has any. Takes time in proportion
// to the rows of the table, without sorting: folds, audits and forests share one table.
Table take_rows(const Table& from, const std::vector<bool>& takes_part, Pool& pool);

// List the slots of all columns with few values, or of one, for a growth that needs them in order.
void list_slots(Table& table, Pool& pool);
void list_slots(Table& table, std::size_t column);

// A number for every row that depends on its values alone, not on its position or container.
// The 64 bits of every value (as float64 or as a whole number) times the odd constant of its column, summed
// modulo 2^64 and scrambled. Without weights every row weighs 1.
std::vector<std::uint64_t> numbers_of_rows(std::span<const Column> columns, const Column& target,
                                           const Column* weights, std::size_t n_rows, std::uint64_t seed);

// The sum of these numbers over the rows whose weight is not 0.
std::uint64_t fingerprint(std::span<const Column> columns, const Column& target, const Column* weights,
                          std::size_t n_rows, Pool& pool);

}  // namespace treewright
