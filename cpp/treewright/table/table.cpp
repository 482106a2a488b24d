#include "treewright/table/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "treewright/interrupt.hpp"        // for heed_interrupts
#include "treewright/table/sort_keys.hpp"  // for KeySort, KeyRange

namespace treewright {
namespace {

constexpr auto kNoSlot = std::numeric_limits<std::uint32_t>::max();

// Tables of fewer rows are sorted as quickly as they are counted.
constexpr std::uint32_t kPaysToCount = 4096;

// Whether so many distinct values in n rows are few enough for codes to pay.
bool are_few(std::size_t n_distinct, std::size_t n) {
  return n >= kPaysToCount && n_distinct <= std::min<std::size_t>(4096, n / 16);
}

// Write by slot which values of a list are shared with the one before, of which `ties` has the positions: as
// ranks, or, where there are too many, as marks. Which slots have no value is written with them.
void mark_ties(const std::vector<std::uint32_t>& ties, Ordering& out) {
  const auto n = out.list.size();
  if (out.n_distinct > kMaxCodes) {
    if (out.n_known < n) {
      out.is_missing.assign(n, false);
      for (auto i = std::size_t{out.n_known}; i < n; ++i) out.is_missing[out.list[i]] = true;
    }
    if (ties.empty()) return;
    out.is_tied.assign(n, false);
    for (const auto i : ties) out.is_tied[out.list[i - 1]] = out.is_tied[out.list[i]] = true;
    return;
  }
  if (ties.empty() && out.n_known == n) return;
  out.code.assign(n, kMissingCode);
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < out.n_known; ++i) {
    next += next < ties.size() && ties[next] == i;
    out.code[out.list[i]] = static_cast<std::uint16_t>(i - next);
  }
}

// Number few values, whose places `code` has so far. `slot_of_place`: a slot with the value of each place, or
// kNoSlot; the last place is that of missing values.
void number_codes(std::span<const std::uint32_t> slot_of_place, Ordering& out) {
  std::vector<std::uint16_t> code_of(slot_of_place.size(), kMissingCode);
  for (std::size_t place = 0; place + 1 < slot_of_place.size(); ++place) {
    if (slot_of_place[place] == kNoSlot) continue;
    code_of[place] = static_cast<std::uint16_t>(out.n_distinct++);
    out.slot_of_code.push_back(slot_of_place[place]);
  }
  out.is_few = true;
  for (auto& code : out.code) code = code_of[code];
  out.n_known = static_cast<std::uint32_t>(out.code.size());
  if (slot_of_place.back() != kNoSlot)
    out.n_known -= static_cast<std::uint32_t>(std::ranges::count(out.code, kMissingCode));
}

// Note the first infinite value. Infinite values stand at the ends of an order.
void find_infinite(Table& table) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& column = table.columns[i];
    const auto& ordering = table.orderings[i];
    const bool has_floats = column.type() == ValueType::Float64 || column.type() == ValueType::Float32;
    if (!has_floats || ordering.n_known == 0) continue;
    const auto known =
        ordering.is_few ? std::span(ordering.slot_of_code) : std::span(ordering.list).first(ordering.n_known);
    for (const auto slot : {known.front(), known.back()}) {
      const std::int64_t row = table.row(slot);
      if (!std::isinf(column.number(static_cast<std::size_t>(row)))) continue;
      if (!table.first_infinite || row < table.first_infinite->second) table.first_infinite.emplace(i, row);
    }
    if (table.first_infinite) return;
  }
}

// Whole numbers of one column that lie close together: each has a place in a window about the first one, and
// the column needs no sorting. Places are found as the table is read, with no keys in between.
template <class Value>
class WholeValues {
 public:
  // Write the places of the values of some rows; false where one is not whole or lies outside the window.
  bool place(const Column& column, std::uint32_t first, std::uint32_t last, std::uint16_t* places) {
    for (auto row = first; row < last; ++row) {
      const auto value = column.value<Value>(row);
      std::size_t at = kWidth;  // of missing values
      if (!is_missing(value)) {
        if (!(std::abs(static_cast<double>(value)) < 0x1p62)) return false;
        const auto whole = static_cast<std::int64_t>(value);
        if (!begin_) begin_ = whole - static_cast<std::int64_t>(kWidth / 2);
        at = static_cast<std::size_t>(whole - *begin_);
        if (at >= kWidth || static_cast<Value>(whole) != value) return false;
      }
      places[row - first] = static_cast<std::uint16_t>(at);
      slot_of_place_[at] = row;
    }
    return true;
  }

  std::size_t n_distinct() const {
    return kWidth -
           static_cast<std::size_t>(std::count(slot_of_place_.begin(), slot_of_place_.end() - 1, kNoSlot));
  }
  const std::vector<std::uint32_t>& slot_of_place() const { return slot_of_place_; }

 private:
  static constexpr std::size_t kWidth = 16384;

  std::optional<std::int64_t> begin_;  // of the window
  std::vector<std::uint32_t> slot_of_place_ = std::vector<std::uint32_t>(kWidth + 1, kNoSlot);
};

// Code those of the columns [begin, end), which stand side by side, that hold few whole numbers, of
// kPaysToCount rows or more. A few rows are read at a time: what a row has beside the value just read is then
// still at hand.
template <class Value>
void code_whole_values(Table& table, std::size_t begin, std::size_t end) {
  constexpr std::uint32_t kRows = 64;
  std::vector<std::pair<std::size_t, WholeValues<Value>>> coded;
  for (auto column = begin; column < end; ++column) {
    WholeValues<Value> values;
    std::array<std::uint16_t, kRows> glance;
    if (!values.place(table.columns[column], 0, kRows, glance.data())) continue;
    auto& code = table.orderings[column].code;
    code.resize(table.n_slots);
    std::ranges::copy(glance, code.begin());
    coded.emplace_back(column, std::move(values));
  }
  for (auto first = kRows; first < table.n_slots && !coded.empty(); first += kRows) {
    heed_interrupts_at(first);
    const auto last = std::min(table.n_slots, first + kRows);
    std::erase_if(coded, [&](auto& each) {
      auto& code = table.orderings[each.first].code;
      if (each.second.place(table.columns[each.first], first, last, code.data() + first)) return false;
      code = std::vector<std::uint16_t>();
      return true;
    });
  }
  for (const auto& [column, values] : coded) {
    auto& ordering = table.orderings[column];
    if (are_few(values.n_distinct(), table.n_slots)) {
      number_codes(values.slot_of_place(), ordering);
    } else {
      ordering.code = std::vector<std::uint16_t>();
    }
  }
}

struct SortBuffers {
  std::vector<std::uint64_t> keys;  // of a group of columns, one after the other
  std::vector<KeyRange> ranges;     // of each of them
  KeySort sort;

  // Memory of a wider group is given back first.
  void hold_keys(std::size_t n) {
    if (n < keys.size()) keys = std::vector<std::uint64_t>();
    keys.resize(n);
  }
};

// List the slots of one column by key, or code them where their values turn out to be few.
void order_column(std::span<const std::uint64_t> keys, const KeyRange& range, KeySort& sort, Ordering& out) {
  const auto n = static_cast<std::uint32_t>(keys.size());
  heed_interrupts_before(n);
  out.n_known = range.n_known;
  out.list.resize(n);
  sort.sort(keys, range, out.list);
  out.n_distinct = out.n_known - static_cast<std::uint32_t>(sort.ties().size());
  mark_ties(sort.ties(), out);
  if (!are_few(out.n_distinct, n)) return;
  out.is_few = true;
  out.slot_of_code.resize(out.n_distinct);
  for (auto i = out.n_known; i-- > 0;) out.slot_of_code[out.code[out.list[i]]] = out.list[i];
  out.list = std::vector<std::uint32_t>();
}

// Columns that stand side by side and have no codes yet, at most widest(first one) to a group.
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

// Write the keys of some columns that stand side by side, one column after the other. A few rows are read at
// a time: what a row has beside the value just read is then still at hand.
template <class Value>
void read_keys(const Table& table, std::size_t begin, std::size_t end, SortBuffers& out) {
  constexpr std::uint32_t kRows = 16;
  const auto n = table.n_slots;
  out.hold_keys(std::size_t{n} * (end - begin));
  out.ranges.assign(end - begin, {});
  for (std::uint32_t first = 0; first < n; first += kRows) {
    const auto last = std::min(n, first + kRows);
    for (auto column = begin; column < end; ++column) {
      auto* keys = out.keys.data() + std::size_t{n} * (column - begin);
      const auto values = table.columns[column];
      auto range = out.ranges[column - begin];
      for (auto row = first; row < last; ++row) range.add(keys[row] = key_of(values.value<Value>(row)));
      out.ranges[column - begin] = range;
    }
  }
}

// The slots of some rows of a table, and which slot of theirs each slot of the table becomes.
struct RowsTaken {
  const Table& from;
  std::vector<std::uint32_t> old_slot, new_slot;

  std::uint32_t n() const { return static_cast<std::uint32_t>(old_slot.size()); }
};

// Codes of few values, numbered anew among those that are left.
void take_codes(const RowsTaken& rows, const Ordering& from, Ordering& to) {
  std::vector<std::uint32_t> slot_of_place(from.n_distinct + 1, kNoSlot);
  to.code.resize(rows.n());
  for (auto slot = rows.n(); slot-- > 0;) {  // of equal ones the first stays
    const auto place = std::min<std::uint32_t>(from.code[rows.old_slot[slot]], from.n_distinct);
    to.code[slot] = static_cast<std::uint16_t>(place);
    slot_of_place[place] = slot;
  }
  number_codes(slot_of_place, to);
}

// A list, with its ties found again: a value may now be alone.
void take_list(const RowsTaken& rows, std::size_t column, const Ordering& from, Ordering& to) {
  to.list.reserve(rows.n());
  std::vector<std::uint32_t> ties;
  std::uint32_t before = kNoSlot;
  for (std::uint32_t i = 0; i < from.list.size(); ++i) {
    const auto slot = from.list[i];
    if (rows.new_slot[slot] == kNoSlot) continue;
    if (i < from.n_known) {
      if (before != kNoSlot && rows.from.has_same_value(column, before, slot)) ties.push_back(to.n_known);
      before = slot;
      ++to.n_known;
    }
    to.list.push_back(rows.new_slot[slot]);
  }
  to.n_distinct = to.n_known - static_cast<std::uint32_t>(ties.size());
  mark_ties(ties, to);
}

}  // namespace

Table order_table(std::vector<Column> columns, std::vector<std::uint32_t> n_categories, std::uint32_t n_rows,
                  Pool& pool) {
  Table table;
  const auto n_columns = columns.size(), n_threads = static_cast<std::size_t>(pool.n_threads());
  table.columns = std::move(columns);
  table.n_categories = std::move(n_categories);
  table.n_categories.resize(n_columns);
  table.n_slots = n_rows;
  table.orderings.resize(n_columns);
  if (n_rows >= kPaysToCount) {
    // This takes no keys: the wider the group, the fewer times the table is read.
    const auto widest = std::min<std::size_t>(32, (n_columns + n_threads - 1) / n_threads);
    const auto groups = group_columns(table, [&](std::size_t) { return widest; });
    pool.run(groups.size(), [&](std::size_t task, int) {
      const auto begin = groups[task].first, end = groups[task].second;
      with_type(table.columns[begin].type(),
                [&]<class Value>() { code_whole_values<Value>(table, begin, end); });
    });
  }
  // Lists stay and buffers go: what is taken last can be given back.
  for (auto& ordering : table.orderings) {
    if (ordering.is_few) {
      table.n_sorted += n_rows;
    } else {
      ordering.list.reserve(n_rows);
    }
  }
  // The keys of a group are held at once, 8 bytes a value. Groups become narrower, so that threads end
  // together. In a large table they are narrow from the start: when nearly all lists are there, memory stands
  // highest.
  const bool is_large = n_rows > 200'000;
  const auto groups = group_columns(table, [&](std::size_t begin) {
    return std::clamp<std::size_t>((n_columns - begin) / (is_large ? 2 : n_threads), 1, is_large ? 4 : 8);
  });
  std::vector<SortBuffers> buffers(n_threads);
  pool.run(groups.size(), [&](std::size_t task, int thread) {
    auto& buffer = buffers[static_cast<std::size_t>(thread)];
    const auto begin = groups[task].first, end = groups[task].second;
    with_type(table.columns[begin].type(),
              [&]<class Value>() { read_keys<Value>(table, begin, end, buffer); });
    for (auto column = begin; column < end; ++column) {
      const auto keys = std::span(buffer.keys).subspan(std::size_t{n_rows} * (column - begin), n_rows);
      order_column(keys, buffer.ranges[column - begin], buffer.sort, table.orderings[column]);
    }
  });
  for (const auto& buffer : buffers) table.n_sorted += buffer.sort.n_sorted;
  find_infinite(table);
  return table;
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
  std::uint32_t sum = 0;
  for (auto& count : next) sum += std::exchange(count, sum);
  ordering.list.resize(ordering.code.size());
  for (std::uint32_t slot = 0; slot < ordering.code.size(); ++slot) {
    const auto code = ordering.code[slot];
    ordering.list[code == kMissingCode ? sum++ : next[code]++] = slot;
  }
}

Table take_rows(const Table& from, const std::vector<bool>& takes_part, Pool& pool) {
  if (takes_part.empty()) return from;
  RowsTaken rows{from, {}, std::vector<std::uint32_t>(from.n_slots, kNoSlot)};
  Table taken{.columns = from.columns, .n_categories = from.n_categories};
  for (std::uint32_t slot = 0; slot < from.n_slots; ++slot) {
    if (!takes_part[from.row(slot)]) continue;
    rows.new_slot[slot] = rows.n();
    rows.old_slot.push_back(slot);
    taken.row_of_slot.push_back(from.row(slot));
  }
  taken.n_slots = rows.n();
  taken.orderings.resize(from.orderings.size());
  pool.run(taken.orderings.size(), [&](std::size_t column, int) {
    const auto& ordering = from.orderings[column];
    auto& to = taken.orderings[column];
    ordering.is_few ? take_codes(rows, ordering, to) : take_list(rows, column, ordering, to);
  });
  find_infinite(taken);
  return taken;
}

}  // namespace treewright
