#include "treewright/table/table.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <span>

#include "treewright/table/few_values.hpp"    // for FewValues
#include "treewright/table/side_by_side.hpp"  // for end_of_run
#include "treewright/table/sort_keys.hpp"     // for KeySort, KeyRange, short_key_of
#include "treewright/table/whole_values.hpp"  // for code_whole_values

namespace treewright {
namespace {

struct SortBuffers {
  std::vector<std::uint64_t> keys;  // of a group of columns, one after the other
  std::vector<KeyRange> ranges;     // of each of them
  KeySort sort;
  FewValues few;

  // Memory of a wider group is given back first.
  void hold_keys(std::size_t n) {
    if (n < keys.size()) keys = std::vector<std::uint64_t>();
    keys.resize(n);
  }
};

// Tables of fewer rows are sorted as quickly as they are counted.
constexpr std::uint32_t kPaysToCount = 4096;

// Codes of a column of few distinct values.
void write_codes(const FewValues& values, Ordering& out, std::uint32_t n) {
  const bool has_missing = values.largest() == kMissingKey;
  out.is_few = true;
  out.n_distinct = values.n_distinct() - has_missing;
  out.n_known = n;
  out.code.resize(n);
  out.slot_of_code.resize(out.n_distinct);
  for (auto slot = n; slot-- > 0;) {  // of equal ones the first stays
    const auto rank = values.rank(slot);
    if (rank < out.n_distinct) {
      out.code[slot] = rank;
      out.slot_of_code[rank] = slot;
    } else {
      out.code[slot] = kMissingCode;
      --out.n_known;
    }
  }
}

// List the slots of a column by code, each in its place at once.
void scatter(Ordering& ordering) {
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

// List the slots of one column by key.
void order_column(std::span<const std::uint64_t> keys, const KeyRange& range, ValueType type,
                  SortBuffers& buffers, Ordering& out) {
  const auto n = static_cast<std::uint32_t>(keys.size());
  if (n >= kPaysToCount && buffers.few.number(keys)) {
    write_codes(buffers.few, out, n);
    buffers.sort.n_sorted += n;
    return;
  }
  out.n_known = range.n_known;
  out.list.resize(n);
  buffers.sort.sort(keys, range, type, out.list);
  out.n_distinct = out.n_known - static_cast<std::uint32_t>(buffers.sort.ties().size());
  mark_ties(buffers.sort.ties(), out);
}

// The keys of a group are held at once, 8 bytes a value. Groups are as many as threads can share evenly. In a
// large table they are narrow, the last ones most: by then nearly all lists are there, and memory stands
// highest.
using Groups = std::vector<std::pair<std::size_t, std::size_t>>;
Groups group_columns(const Table& table, std::size_t n_threads) {
  constexpr std::size_t kWidest = 8;
  const auto& columns = table.columns;
  const bool is_large = table.n_slots > 200'000;
  const auto up = [](std::size_t over, std::size_t under) { return (over + under - 1) / under; };
  const auto n_groups = up(up(columns.size(), kWidest), n_threads) * n_threads;
  Groups groups;
  for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
    const auto most =
        is_large ? std::clamp<std::size_t>((columns.size() - begin) / 2, 1, 4) : up(columns.size(), n_groups);
    end = begin + 1;
    if (table.orderings[begin].is_few) continue;
    const auto last = end_of_run(columns, begin, most);
    while (end < last && !table.orderings[end].is_few) ++end;
    groups.emplace_back(begin, end);
  }
  return groups;
}

// The first look takes no keys: the wider the group, the fewer times the table is read.
Groups group_for_threads(const std::vector<Column>& columns, std::size_t n_threads) {
  const auto most = std::min<std::size_t>(32, (columns.size() + n_threads - 1) / n_threads);
  Groups groups;
  for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end) {
    end = end_of_run(columns, begin, most);
    groups.emplace_back(begin, end);
  }
  return groups;
}

// Write the keys of some columns that lie side by side, one column after the other. A few rows are read at a
// time: what a row has beside the value just read is then still at hand.
void read_keys(const Table& table, std::size_t begin, std::size_t end, std::span<std::uint64_t> keys,
               std::vector<KeyRange>& ranges) {
  constexpr std::uint32_t kRows = 16;
  const auto n = table.n_slots;
  ranges.assign(end - begin, {});
  const auto read = [&](const auto& key) {
    for (std::uint32_t first = 0; first < n; first += kRows) {
      const auto last = std::min(n, first + kRows);
      for (auto column = begin; column < end; ++column) {
        auto* of_column = keys.data() + std::size_t{n} * (column - begin);
        auto range = ranges[column - begin];
        for (auto slot = first; slot < last; ++slot)
          range.add(of_column[slot] = key(table.columns[column], slot));
        ranges[column - begin] = range;
      }
    }
  };
  const auto type = table.columns[begin].type();
  if (type == ValueType::Float32 && table.row_of_slot.empty()) {
    read([](const Column& column, std::uint32_t row) { return short_key_of(column.value<float>(row)); });
  } else if (type == ValueType::Float32) {
    read([&](const Column& column, std::uint32_t slot) {
      return short_key_of(column.value<float>(table.row(slot)));
    });
  } else if (type == ValueType::Float64 && table.row_of_slot.empty()) {
    read([](const Column& column, std::uint32_t row) { return key_of(column.value<double>(row)); });
  } else {
    read([&](const Column& column, std::uint32_t slot) { return column.key(table.row(slot)); });
  }
}

// Whether a key stands for an infinite value of a column of floats.
bool is_infinite(std::uint64_t key, ValueType type) {
  return type == ValueType::Float32 ? key == 0xFF80'0000 || key == 0x007F'FFFF
                                    : key == 0xFFF0'0000'0000'0000 || key == 0x000F'FFFF'FFFF'FFFF;
}

}  // namespace

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

Table order_table(std::vector<Column> columns, std::vector<std::uint32_t> n_categories, std::uint32_t n_rows,
                  const std::vector<bool>& takes_part, Pool& pool) {
  Table table;
  table.columns = std::move(columns);
  table.n_categories = std::move(n_categories);
  table.n_categories.resize(table.columns.size());
  table.n_slots = n_rows;
  if (!takes_part.empty()) {
    for (std::uint32_t row = 0; row < n_rows; ++row) {
      if (takes_part[row]) table.row_of_slot.push_back(row);
    }
    table.n_slots = static_cast<std::uint32_t>(table.row_of_slot.size());
    if (table.n_slots == n_rows) table.row_of_slot.clear();
  }
  table.orderings.resize(table.columns.size());
  const auto n = table.n_slots;
  if (n >= kPaysToCount) {
    const auto groups = group_for_threads(table.columns, static_cast<std::size_t>(pool.n_threads()));
    pool.run(groups.size(), [&](std::size_t task, int) {
      code_whole_values(table, groups[task].first, groups[task].second);
    });
    for (const auto& ordering : table.orderings) table.n_sorted += ordering.is_few ? n : 0;
  }
  // Lists stay and buffers go: what is taken last can be given back.
  for (auto& ordering : table.orderings) {
    if (!ordering.is_few) ordering.list.reserve(n);
  }

  const auto groups = group_columns(table, static_cast<std::size_t>(pool.n_threads()));
  std::vector<SortBuffers> buffers(static_cast<std::size_t>(pool.n_threads()));
  std::mutex mutex;
  pool.run(groups.size(), [&](std::size_t task, int thread) {
    auto& buffer = buffers[static_cast<std::size_t>(thread)];
    const auto [begin, end] = groups[task];
    buffer.hold_keys(std::size_t{n} * (end - begin));
    read_keys(table, begin, end, buffer.keys, buffer.ranges);
    for (auto column = begin; column < end; ++column) {
      const std::span keys(buffer.keys.data() + std::size_t{n} * (column - begin), n);
      auto& ordering = table.orderings[column];
      order_column(keys, buffer.ranges[column - begin], table.columns[column].type(), buffer, ordering);
      if (table.columns[column].type() == ValueType::Int64 || ordering.n_known == 0) continue;
      // Infinite values stand at the ends of the order.
      const auto& few = ordering.slot_of_code;
      const auto ends = !ordering.is_few ? std::pair(ordering.list[0], ordering.list[ordering.n_known - 1])
                                         : std::pair(few.front(), few.back());
      for (const auto slot : {ends.first, ends.second}) {
        if (!is_infinite(keys[slot], table.columns[column].type())) continue;
        const std::lock_guard lock(mutex);
        const std::pair<std::int64_t, std::int64_t> found{static_cast<std::int64_t>(column), table.row(slot)};
        if (!table.first_infinite || found < *table.first_infinite) table.first_infinite = found;
      }
    }
  });
  for (const auto& buffer : buffers) table.n_sorted += buffer.sort.n_sorted;
  return table;
}

void list_slots(Table& table, Pool& pool) {
  pool.run(table.orderings.size(), [&](std::size_t column, int) { list_slots(table, column); });
}

void list_slots(Table& table, std::size_t column) {
  auto& ordering = table.orderings[column];
  if (ordering.is_few && ordering.list.empty()) scatter(ordering);
}

}  // namespace treewright
