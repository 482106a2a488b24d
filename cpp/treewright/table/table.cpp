#include "treewright/table/table.hpp"

namespace treewright {
namespace {

constexpr auto kNoSlot = std::numeric_limits<std::uint32_t>::max();

// Tables of fewer rows are sorted as quickly as they are counted.
constexpr std::uint32_t kPaysToCount = 4096;

// Whether so many distinct values in n rows are few enough for codes to pay.
bool are_few(std::size_t n_distinct, std::size_t n) {
  return n >= kPaysToCount && n_distinct <= std::min<std::size_t>(4096, n / 16);
}

// Write what a list tells of each slot; `ties` are the positions whose value is that of the position before.
// Codes where they suffice, and instead of the list where values are few; else which values are shared and
// which are missing.
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

// Turn the places that `code` has so far, in a row of `n_places` values, into ranks among those that occur.
// Missing values have the place behind the last.
void number_codes(std::uint32_t n_places, Ordering& out) {
  std::vector<std::uint32_t> slot_of_place(n_places + 1, kNoSlot);  // the first that has it
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

// Note the first row with an infinite value. Infinite values stand at the ends of an order.
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

// Whole numbers of one column that lie close together: each has a place in a window about the first one, and
// the column needs no sorting. Places are found as the table is read, with no keys in between.
struct WholeValues {
  static constexpr std::uint32_t kWidth = 16384;

  std::size_t column;
  std::optional<std::int64_t> begin = {};  // of the window

  // Write the places of the values of some rows; false where one is not whole or lies outside the window.
  template <class Value>
  bool place(const Column& values, std::uint32_t first, std::uint32_t last, std::uint16_t* places) {
    for (auto row = first; row < last; ++row) {
      const auto value = values.value<Value>(row);
      std::size_t at = kWidth;  // of missing values
      if (!is_missing(value)) {
        constexpr bool is_int32 = std::is_same_v<Value, std::int32_t>;
        if (!is_int32 && !(std::abs(static_cast<double>(value)) < 0x1p62)) return false;
        const auto whole = static_cast<std::int64_t>(value);
        if (!begin) begin = whole - kWidth / 2;
        at = static_cast<std::size_t>(whole - *begin);
        if (at >= kWidth || (!is_int32 && static_cast<Value>(whole) != value)) return false;
      }
      places[row] = static_cast<std::uint16_t>(at);
    }
    return true;
  }
};

// Code those of the columns [begin, end), which stand side by side, that hold few whole numbers. A few rows
// are read at a time: what a row has beside the value just read is then still at hand.
template <class Value>
void code_whole_values(Table& table, std::size_t begin, std::size_t end) {
  constexpr std::uint32_t kRows = 64;
  std::vector<WholeValues> coded;
  for (auto column = begin; column < end; ++column) coded.push_back({column});
  for (std::uint32_t first = 0; first < table.n_slots && !coded.empty(); first += kRows) {
    heed_interrupts_at(first);
    const auto last = std::min(table.n_slots, first + kRows);
    std::erase_if(coded, [&](WholeValues& values) {
      auto& code = table.orderings[values.column].code;
      code.reserve(table.n_slots);  // what is not written takes no memory
      code.resize(last);
      if (values.place<Value>(table.columns[values.column], first, last, code.data())) return false;
      code = std::vector<std::uint16_t>();
      return true;
    });
  }
  for (const auto& values : coded) {
    auto& ordering = table.orderings[values.column];
    number_codes(WholeValues::kWidth, ordering);
    if (!are_few(ordering.n_distinct, table.n_slots)) ordering = {};
  }
}

// Puts columns in order by keys. The buffers serve one group of columns after the other.
class ColumnSort {
 public:
  std::int64_t n_sorted = 0;  // entries times passes, in all

  // Read the keys of columns [begin, end), which stand side by side, a few rows at a time (see above).
  template <class Value>
  void read(const Table& table, std::size_t begin, std::size_t end) {
    constexpr std::uint32_t kRows = 16;
    n_ = table.n_slots;
    const std::span rows = table.row_of_slot;
    if (n_ * (end - begin) < keys_.size()) keys_ = std::vector<std::uint64_t>();  // of a wider group
    keys_.resize(n_ * (end - begin));
    ranges_.assign(end - begin, {});
    for (std::size_t first = 0; first < n_; first += kRows) {
      const auto last = std::min(n_, first + kRows);
      for (auto column = begin; column < end; ++column) {
        auto* keys = keys_.data() + n_ * (column - begin);
        const auto values = table.columns[column];
        auto range = ranges_[column - begin];
        // Values first: what waits for memory then waits together.
        std::array<Value, kRows> at_hand;
        for (auto slot = first; slot < last; ++slot)
          at_hand[slot - first] = values.value<Value>(rows.empty() ? slot : rows[slot]);
        for (auto row = first; row < last; ++row) range.add(keys[row] = key_of(at_hand[row - first]));
        ranges_[column - begin] = range;
      }
    }
  }

  // List the slots of one of these columns by key, equal ones rising, and those of missing values behind
  // them; or code them where values turn out to be few.
  template <class Value>
  void order(std::size_t column, Ordering& out) {
    const auto keys = std::span(keys_).subspan(n_ * column, n_);
    const auto& range = ranges_[column];
    heed_interrupts_before(n_);
    out.list.resize(n_);
    out.n_known = range.n_known;
    auto missing = out.list.begin() + out.n_known;
    for (std::uint32_t slot = 0; out.n_known < n_ && slot < n_; ++slot) {
      if (keys[slot] == kMissingKey) *missing++ = slot;
    }
    words_.resize(out.n_known);
    const bool share_places =
        place_evenly<Value>(keys, range) || place_by_bits(keys, range);  // keys that differ
    for (int digit = 0; digit << n_bits_ < std::ssize(counts_); ++digit) scatter(digit);
    read_off(keys, share_places, out.list);
    tell_slots(ties_, out);
  }

 private:
  // Of the keys of a column that stand for a value.
  struct Range {
    std::uint64_t least = kMissingKey, most = 0;
    std::uint32_t n_known = 0;

    void add(std::uint64_t key) {
      const bool is_known = key != kMissingKey;
      least = std::min(least, key);
      most = std::max(most, is_known ? key : 0);
      n_known += is_known;
    }
  };

  // Write known values as words, (place, slot), and count the digits of their places.
  template <int kDigits, class PlaceOf>
  void write_words(std::span<const std::uint64_t> keys, int n_bits, const PlaceOf& place_of) {
    n_bits_ = n_bits;
    counts_.assign(std::size_t{kDigits} << n_bits, 0);
    auto* counts = counts_.data();
    auto* word = words_.data();
    const std::uint64_t mask = (std::uint64_t{1} << n_bits) - 1;
    for (std::uint32_t slot = 0; slot < keys.size(); ++slot) {
      if (keys[slot] == kMissingKey) continue;
      const std::uint64_t place = place_of(keys[slot]);
      *word++ = place << 32 | slot;
      for (int digit = 0; digit < kDigits; ++digit)
        ++counts[static_cast<std::uint64_t>(digit) << n_bits | (place >> digit * n_bits & mask)];
    }
  }

  // Numbers that lie evenly enough are nearly in order by where they lie between the least and the largest,
  // in two passes. False: they do not.
  template <class Value>
  bool place_evenly(std::span<const std::uint64_t> keys, const Range& range) {
    const auto number_of = [](std::uint64_t key) { return static_cast<double>(value_of_key<Value>(key)); };
    const double least = number_of(range.least), width = number_of(range.most) - least;
    // Twice as many bits as tell the rows apart, and then some, so that few share a place.
    const int n_bits = std::clamp((static_cast<int>(std::bit_width(range.n_known)) + 8) / 2, 8, 13);
    const double scale = static_cast<double>((std::uint64_t{1} << 2 * n_bits) - 1) / width;
    if (!(width > 0) || !std::isfinite(width) || !std::isfinite(scale)) return false;
    // Rounding keeps the order, so larger numbers have no smaller place.
    write_words<2>(keys, n_bits, [&](std::uint64_t key) {
      return static_cast<std::uint32_t>(static_cast<std::int32_t>((number_of(key) - least) * scale));
    });
    // Neighbours that will have to be told apart by their keys.
    std::uint64_t n_pairs = 0;
    for (const std::uint64_t count : std::span(counts_).subspan(counts_.size() / 2)) n_pairs += count * count;
    return n_pairs >> n_bits <= range.n_known / 4;
  }

  // A radix sort by 64 bits takes twice the passes of one by 32, so keys are first cut down to the 32 bits
  // that tell most. Whether any were cut off comes back.
  bool place_by_bits(std::span<const std::uint64_t> keys, const Range& range) {
    const int width = range.n_known == 0 ? 0 : static_cast<int>(std::bit_width(range.most - range.least));
    const int drop = std::max(0, width - 32);
    write_words<3>(keys, 11, [&](std::uint64_t key) { return (key - range.least) >> drop; });
    return drop > 0;
  }

  // A pass of a radix sort of words, by a digit of their places.
  void scatter(int digit) {
    auto* starts = counts_.data() + (std::size_t{static_cast<unsigned>(digit)} << n_bits_);
    const int shift = 32 + digit * n_bits_;
    const std::uint64_t mask = (std::uint64_t{1} << n_bits_) - 1;
    if (words_.empty() || starts[words_[0] >> shift & mask] == words_.size()) return;  // one digit for all
    std::exclusive_scan(starts, starts + mask + 1, starts, 0U);
    heed_interrupts_before(words_.size());
    spare_.resize(words_.size());
    for (const auto word : words_) spare_[starts[word >> shift & mask]++] = word;
    words_.swap(spare_);
    n_sorted += static_cast<std::int64_t>(words_.size());
  }

  template <class Iterator, class Less>
  void compare(Iterator begin, Iterator end, const Less& less) {
    if (end - begin < static_cast<std::ptrdiff_t>(kStepsToLook)) {
      std::sort(begin, end, less);
    } else {
      long_stable_sort(std::span(begin, end), less);
    }
    n_sorted += (end - begin) * std::bit_width(static_cast<std::size_t>(end - begin));
  }

  // Write the list and note which keys are equal. Where keys that differ may share a place, neighbours are
  // first put in order of their whole keys.
  void read_off(std::span<const std::uint64_t> keys, bool share_places, std::span<std::uint32_t> list) {
    ties_.clear();
    heed_interrupts_before(words_.size());
    auto before = words_.empty() ? 0 : ~words_[0];
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
      list[i] = static_cast<std::uint32_t>(words_[i]);
      if ((words_[i] ^ before) >> 32 == 0) ties_.push_back(i);
      before = words_[i];
    }
    if (!share_places) return;
    for (std::size_t i = 0, next = 0; i < ties_.size(); i = next) {
      for (next = i + 1; next < ties_.size() && ties_[next] == ties_[next - 1] + 1;) ++next;
      const auto run = list.subspan(ties_[i] - 1, next - i + 1);  // slots rise, as those of equal keys are to
      const auto is_other = [&](std::uint32_t slot) { return keys[slot] != keys[run[0]]; };
      if (std::ranges::none_of(run, is_other)) continue;
      compare(run.begin(), run.end(), [&](std::uint32_t a, std::uint32_t b) {
        return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
      });
    }
    std::erase_if(ties_, [&](std::uint32_t i) { return keys[list[i]] != keys[list[i - 1]]; });
  }

  std::size_t n_ = 0;
  std::vector<std::uint64_t> keys_;           // of a group of columns, one after the other
  std::vector<std::uint64_t> words_, spare_;  // place << 32 | slot
  std::vector<std::uint32_t> counts_;         // of the digits of places, one digit after the other
  int n_bits_ = 0;                            // of a digit
  std::vector<Range> ranges_;                 // of the columns read
  std::vector<std::uint32_t> ties_;
};

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

// Take the slots that have a new number, kNoSlot being none. Codes are numbered anew among those left.
void take_codes(std::span<const std::uint32_t> new_slot, const Ordering& from, Ordering& to) {
  const auto behind_last = static_cast<std::uint16_t>(from.n_distinct);
  for (std::size_t slot = 0; slot < new_slot.size(); ++slot) {
    if (new_slot[slot] != kNoSlot) to.code.push_back(std::min(from.code[slot], behind_last));
  }
  number_codes(behind_last, to);
}

// Of a list, ties are found again: a value may now be alone.
void take_list(std::span<const std::uint32_t> new_slot, const Table& table, std::size_t column,
               Ordering& to) {
  const auto& from = table.orderings[column];
  std::vector<std::uint32_t> ties;
  std::uint32_t before = kNoSlot;
  for (std::uint32_t i = 0; i < from.list.size(); ++i) {
    const auto slot = from.list[i];
    if (new_slot[slot] == kNoSlot) continue;
    if (i < from.n_known) {
      if (before != kNoSlot && table.has_same_value(column, before, slot)) ties.push_back(to.n_known);
      before = slot;
      ++to.n_known;
    }
    to.list.push_back(new_slot[slot]);
  }
  tell_slots(ties, to);
}

}  // namespace

Table order_table(std::vector<Column> columns, std::vector<std::uint32_t> n_categories, std::uint32_t n_rows,
                  Pool& pool) {
  n_categories.resize(columns.size());
  Table table{.columns = std::move(columns), .n_categories = std::move(n_categories), .n_slots = n_rows};
  order_columns(table, pool);
  return table;
}

void code_few_values(Table& table, Pool& pool) {
  const auto n_columns = table.columns.size(), n_threads = static_cast<std::size_t>(pool.n_threads());
  table.orderings.resize(n_columns);
  if (table.n_slots < kPaysToCount) return;
  // This takes no keys: the wider the group, the fewer times the table is read.
  const auto widest = std::min<std::size_t>(32, (n_columns + n_threads - 1) / n_threads);
  const auto groups = group_columns(table, [&](std::size_t) { return widest; });
  pool.run(groups.size(), [&](std::size_t task, int) {
    const auto begin = groups[task].first, end = groups[task].second;
    with_type(table.columns[begin].type(),
              [&]<class Value>() { code_whole_values<Value>(table, begin, end); });
  });
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
  if (table.orderings.empty()) code_few_values(table, pool);
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
  std::vector<ColumnSort> sorts(n_threads);
  pool.run(groups.size(), [&](std::size_t task, int thread) {
    auto& sort = sorts[static_cast<std::size_t>(thread)];
    const auto begin = groups[task].first, end = groups[task].second;
    with_type(table.columns[begin].type(), [&]<class Value>() {
      sort.read<Value>(table, begin, end);
      for (auto column = begin; column < end; ++column)
        sort.order<Value>(column - begin, table.orderings[column]);
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
    if (!from.is_ordered && !ordering.is_few) return;
    (ordering.is_few ? to.code.reserve(taken.n_slots) : to.list.reserve(taken.n_slots));
    ordering.is_few ? take_codes(new_slot, ordering, to) : take_list(new_slot, from, column, to);
  });
  taken.is_ordered ? find_infinite(taken) : void(tell_known(taken, pool));
  return taken;
}

}  // namespace treewright
