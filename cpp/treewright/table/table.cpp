#include "treewright/table/table.hpp"

#include <atomic>

#include "treewright/table/column_sort.hpp"  // for ColumnSort

namespace treewright {
namespace {

constexpr auto kNoSlot = std::numeric_limits<std::uint32_t>::max();

// Tables of fewer rows are sorted as quickly as they are counted.
constexpr std::uint32_t kPaysToCount = 4096;

// Whether so many distinct values in n rows are few enough for codes to pay off.
bool are_few(std::size_t n_distinct, std::size_t n) {
  return n >= kPaysToCount && n_distinct <= std::min<std::size_t>(4096, n / 16);
}

// Derive what is stored by slot from a list and its `ties`, positions that repeat the value before them:
// codes if they suffice (in place of the list, if values are few), otherwise bits for ties and missing ones.
void tell_slots(const std::vector<std::uint32_t>& ties, Ordering& out) {
  const auto n = out.list.size();
  out.n_distinct = out.n_known - static_cast<std::uint32_t>(ties.size());
  if (out.n_distinct == n) return;
  if (out.n_distinct > kMissingCode) {
    if (out.n_known < n) out.is_missing.assign(n, false);
    for (auto i = std::size_t{out.n_known}; i < n; ++i) out.is_missing[out.list[i]] = true;
    if (!ties.empty()) out.is_tied.assign(n, false);
    for (const auto i : ties) out.is_tied[out.list[i - 1]] = out.is_tied[out.list[i]] = true;
    return;
  }
  out.is_few = are_few(out.n_distinct, n);
  out.code.assign(n, kMissingCode);
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < out.n_known; ++i) {
    const bool is_tie = next < ties.size() && ties[next] == i;
    if (out.is_few && !is_tie) out.slot_of_code.push_back(out.list[i]);
    next += is_tie;
    out.code[out.list[i]] = static_cast<std::uint16_t>(i - next);
  }
  if (out.is_few) out.list = std::vector<std::uint32_t>();
}

// `code` holds the place of each value among `n_places` places; missing values have the place behind the
// last. Turn places into ranks among those that occur.
void number_codes(std::uint32_t n_places, Ordering& out) {
  std::vector<std::uint32_t> slot_of_place(n_places + 1, kNoSlot);  // the first slot that has it
  out.n_known = static_cast<std::uint32_t>(out.code.size());
  for (auto slot = out.n_known; slot-- > 0;) slot_of_place[out.code[slot]] = slot;
  std::vector<std::uint16_t> code_of_place(n_places + 1, kMissingCode);
  for (std::size_t place = 0; place < n_places; ++place) {
    if (slot_of_place[place] == kNoSlot) continue;
    code_of_place[place] = static_cast<std::uint16_t>(out.n_distinct++);
    out.slot_of_code.push_back(slot_of_place[place]);
  }
  for (auto& code : out.code) code = code_of_place[code];
  if (slot_of_place.back() != kNoSlot)
    out.n_known -= static_cast<std::uint32_t>(std::ranges::count(out.code, kMissingCode));
  out.is_few = true;
}

// Note the first row with an infinite value. Infinite values are at the ends of an order.
void find_infinite(Table& table) {
  for (std::size_t i = 0; i < table.columns.size() && !table.first_infinite; ++i) {
    const auto& column = table.columns[i];
    const auto known = table.orderings[i].known();
    const bool has_floats = column.type() == ValueType::Float64 || column.type() == ValueType::Float32;
    if (!has_floats || known.empty()) continue;
    const auto note = [&](std::uint32_t slot) {
      const std::int64_t row = table.row(slot);
      if (!std::isinf(column.number(static_cast<std::size_t>(row)))) return false;
      if (!table.first_infinite || row < table.first_infinite->second) table.first_infinite.emplace(i, row);
      return true;
    };
    std::all_of(known.begin(), known.end(), note);
    std::all_of(known.rbegin(), known.rend(), note);
  }
}

// If a column's whole numbers lie close together, each has a place in a window around the first one, and no
// sorting is needed. Missing values are behind the last place; kElsewhere: not whole, or outside the window.
constexpr std::uint32_t kWidth = 16384, kElsewhere = kWidth + 1;
struct Window {
  std::optional<std::int64_t> begin;
  std::uint32_t width = kWidth;
};

template <class Value>
TREEWRIGHT_INLINE std::uint32_t place_of(Value value, Window& window) {
  constexpr bool is_int32 = std::is_same_v<Value, std::int32_t>;
  if (is_missing(value)) return window.width;
  if (!is_int32 && !(std::abs(static_cast<double>(value)) < 0x1p62)) return kElsewhere;
  const auto whole = static_cast<std::int64_t>(value);
  if (!window.begin) window.begin = whole - kWidth / 2;
  const auto at = static_cast<std::uint64_t>(whole - *window.begin);
  return at < window.width && (is_int32 || static_cast<Value>(whole) == value)
             ? static_cast<std::uint32_t>(at)
             : kElsewhere;
}

// Code those of the adjacent columns [begin, end) that hold few whole numbers. Places are found as the table
// is read, a few rows at a time, so that the values beside the one just read are still in the cache.
template <class Value>
void code_whole_values(Table& table, std::size_t begin, std::size_t end) {
  constexpr std::uint32_t kRows = 64;
  std::vector<std::size_t> coded(end - begin);
  std::iota(coded.begin(), coded.end(), begin);
  std::vector<Window> windows(table.columns.size());
  for (const auto column : coded) {
    const auto n = table.n_categories[column];  // their codes begin at 0
    if (n > 0 && n < kWidth) windows[column] = {0, n};
  }
  for (std::uint32_t first = 0; first < table.n_slots && !coded.empty(); first += kRows) {
    heed_interrupts_at(first);
    const auto last = std::min(table.n_slots, first + kRows);
    std::erase_if(coded, [&](std::size_t column) {
      auto& code = table.orderings[column].code;
      code.reserve(table.n_slots);  // reserved memory is not used until it is written
      code.resize(last);
      auto* const places = code.data();
      const auto values = table.columns[column];
      auto window = windows[column];  // in registers
      for (auto row = first; row < last; ++row) {
        const auto at = place_of(values.value<Value>(row), window);
        if (at == kElsewhere) {
          code = std::vector<std::uint16_t>();
          return true;
        }
        places[row] = static_cast<std::uint16_t>(at);
      }
      windows[column] = window;
      return false;
    });
  }
  for (const auto column : coded) {
    auto& ordering = table.orderings[column];
    number_codes(windows[column].width, ordering);
    if (!are_few(ordering.n_distinct, table.n_slots)) ordering = {};
  }
}

// Adjacent columns that have no codes yet, in groups of at most widest(first column).
template <class Widest>
auto group_columns(const Table& table, const Widest& widest) {
  std::vector<std::pair<std::size_t, std::size_t>> groups;
  for (std::size_t begin = 0, end = 0; begin < table.columns.size(); begin = end) {
    end = begin + 1;
    if (table.orderings[begin].is_few) continue;
    const auto last = end_of_run(table.columns, begin, widest(begin));
    while (end < last && !table.orderings[end].is_few) ++end;
    groups.emplace_back(begin, end);
  }
  return groups;
}

// Code the columns of few whole numbers.
void code_few_values(Table& table, Pool& pool) {
  const auto n_columns = table.columns.size(), n_threads = static_cast<std::size_t>(pool.n_threads());
  table.orderings.resize(n_columns);
  if (table.n_slots < kPaysToCount) return;
  // No keys are held here: the wider the group, the fewer times the table is read.
  const auto widest = std::min<std::size_t>(32, (n_columns + n_threads - 1) / n_threads);
  const auto groups = group_columns(table, [&](std::size_t) { return widest; });
  pool.run(groups.size(), [&](std::size_t task, int) {
    const auto begin = groups[task].first, end = groups[task].second;
    with_type(table.columns[begin].type(),
              [&]<class Value>() { code_whole_values<Value>(table, begin, end); });
  });
}

// Smaller tables are put in order faster than it takes to find out whether they need be.
constexpr std::uint32_t kPaysToWait = 200'000;

// Count the known values of each column; false if some column has categories or an infinite value.
bool count_known(Table& table, Pool& pool) {
  if (std::ranges::any_of(table.n_categories, [](auto n) { return n > 0; })) return false;
  for (auto& ordering : table.orderings) ordering.n_known = table.n_slots;
  constexpr std::uint32_t kRows = 16384;
  const std::span rows = table.row_of_slot;
  std::atomic<bool> are_finite{true};
  pool.run((table.n_slots + kRows - 1) / kRows, [&](std::size_t block, int) {
    const auto begin = static_cast<std::uint32_t>(block) * kRows,
               end = std::min(table.n_slots, begin + kRows);
    for (std::size_t first = 0, last = 0; first < table.columns.size(); first = last) {
      last = end_of_run(table.columns, first, table.columns.size());
      with_type(table.columns[first].type(), [&]<class Value>() {
        bool are_finite_here = true;
        std::vector<std::uint32_t> n_missing(last - first);
        for (auto slot = begin; slot < end; ++slot) {
          const auto row = rows.empty() ? slot : rows[slot];
          for (auto column = first; column < last; ++column) {
            const auto value = table.columns[column].value<Value>(row);
            n_missing[column - first] += is_missing(value);
            if constexpr (std::is_floating_point_v<Value>)
              are_finite_here &= !(std::abs(value) > std::numeric_limits<Value>::max());
          }
        }
        if (!are_finite_here) are_finite = false;
        for (auto column = first; column < last; ++column) {
          if (const auto n = n_missing[column - first]; n > 0)
            std::atomic_ref(table.orderings[column].n_known).fetch_sub(n, std::memory_order_relaxed);
        }
      });
    }
  });
  return are_finite;
}

}  // namespace

Table read_table(std::vector<Column> columns, std::vector<std::uint32_t> n_categories, std::uint32_t n_rows,
                 Pool& pool) {
  n_categories.resize(columns.size());
  Table table{.columns = std::move(columns), .n_categories = std::move(n_categories), .n_slots = n_rows};
  code_few_values(table, pool);
  if (n_rows < kPaysToWait || std::ranges::all_of(table.orderings, &Ordering::is_few) ||
      !count_known(table, pool))
    order_columns(table, pool);
  return table;
}

void Table::remember_order(Pool& pool) {
  order_columns(*this, pool);
  rows_in_order.resize(columns.size());
  for (std::size_t column = 0; column < columns.size(); ++column) {
    for (const auto slot : orderings[column].known()) rows_in_order[column].push_back(row(slot));
  }
}

void order_columns(Table& table, Pool& pool) {
  if (table.is_ordered) return;
  const auto n_rows = table.n_slots;
  const auto n_columns = table.columns.size(), n_threads = static_cast<std::size_t>(pool.n_threads());
  // Lists are allocated first as they stay; the buffers, allocated last, can be returned to the system.
  for (auto& ordering : table.orderings) {
    if (ordering.is_few) {
      table.n_sorted += n_rows;
    } else {
      ordering.list.reserve(n_rows);
    }
  }
  // The keys of a group are held at once, 8 bytes per value. Groups become narrower, so that threads end
  // together. In large tables they are narrow from the start: memory use peaks near the end.
  const bool is_large = n_rows > 200'000;
  const auto groups = group_columns(table, [&](std::size_t begin) {
    return std::clamp<std::size_t>((n_columns - begin) / (is_large ? 2 : n_threads), 1, is_large ? 4 : 8);
  });
  const std::span rows = table.row_of_slot;
  const auto row_of = [&](std::size_t slot) { return rows.empty() ? slot : rows[slot]; };
  std::vector<ColumnSort> sorts(n_threads);
  pool.run(groups.size(), [&](std::size_t task, int thread) {
    auto& sort = sorts[static_cast<std::size_t>(thread)];
    const auto begin = groups[task].first, end = groups[task].second;
    with_type(table.columns[begin].type(), [&]<class Value>() {
      sort.read<Value>(std::span(table.columns).subspan(begin, end - begin), n_rows, row_of);
      for (auto column = begin; column < end; ++column) {
        auto& ordering = table.orderings[column];
        ordering.n_known = sort.order<Value>(column - begin, ordering.list);
        tell_slots(sort.ties, ordering);
      }
    });
  });
  for (const auto& sort : sorts) table.n_sorted += sort.n_sorted;
  table.is_ordered = true;
  find_infinite(table);
}

void list_slots(Table& table, Pool& pool) {
  pool.run(table.orderings.size(), [&](std::size_t column, int) { list_slots(table, column); });
}

void list_slots(Table& table, std::size_t column) {
  auto& ordering = table.orderings[column];
  if (!ordering.is_few || !ordering.list.empty()) return;
  std::vector<std::uint32_t> next(ordering.n_distinct);
  for (const auto code : ordering.code) {
    if (code != kMissingCode) ++next[code];
  }
  std::exclusive_scan(next.begin(), next.end(), next.begin(), 0U);
  auto missing = ordering.n_known;
  ordering.list.resize(ordering.code.size());
  for (std::uint32_t slot = 0; slot < ordering.code.size(); ++slot) {
    const auto code = ordering.code[slot];
    ordering.list[code == kMissingCode ? missing++ : next[code]++] = slot;
  }
}

Table take_rows(const Table& from, const std::vector<bool>& takes_part, Pool& pool) {
  if (takes_part.empty()) return from;
  Table taken{.columns = from.columns, .n_categories = from.n_categories, .is_ordered = from.is_ordered};
  std::vector<std::uint32_t> new_slot(from.n_slots, kNoSlot);
  for (std::uint32_t slot = 0; slot < from.n_slots; ++slot) {
    if (!takes_part[from.row(slot)]) continue;
    new_slot[slot] = taken.n_slots++;
    taken.row_of_slot.push_back(from.row(slot));
  }
  taken.orderings.resize(from.orderings.size());
  pool.run(taken.orderings.size(), [&](std::size_t column, int) {
    const auto& ordering = from.orderings[column];
    auto& to = taken.orderings[column];
    if (ordering.is_few) {  // number the codes that are left anew
      to.code.reserve(taken.n_slots);
      const auto behind_last = static_cast<std::uint16_t>(ordering.n_distinct);
      for (std::size_t slot = 0; slot < new_slot.size(); ++slot) {
        if (new_slot[slot] != kNoSlot) to.code.push_back(std::min(ordering.code[slot], behind_last));
      }
      return number_codes(behind_last, to);
    }
    if (!from.is_ordered) return;
    to.list.reserve(taken.n_slots);
    std::vector<std::uint32_t> ties;  // found again: a value may now occur once
    std::uint32_t before = kNoSlot;
    for (std::uint32_t i = 0; i < ordering.list.size(); ++i) {
      const auto slot = ordering.list[i];
      if (new_slot[slot] == kNoSlot) continue;
      if (i < ordering.n_known) {
        if (before != kNoSlot && from.has_same_value(column, before, slot)) ties.push_back(to.n_known);
        before = slot;
        ++to.n_known;
      }
      to.list.push_back(new_slot[slot]);
    }
    tell_slots(ties, to);
  });
  taken.is_ordered ? find_infinite(taken) : void(count_known(taken, pool));
  return taken;
}

}  // namespace treewright
