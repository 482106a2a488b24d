#include "treewright/table/whole_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "treewright/table/few_values.hpp"  // for FewValues

namespace treewright {
namespace {

inline bool is_whole(double value, std::int32_t& whole) {
  if (!(std::abs(value) < 0x1p31)) return false;
  whole = static_cast<std::int32_t>(value);
  return whole == value;
}
inline bool is_whole(float value, std::int32_t& whole) { return is_whole(static_cast<double>(value), whole); }
inline bool is_whole(std::int64_t value, std::int32_t& whole) {
  whole = static_cast<std::int32_t>(value);
  return whole == value;
}
inline bool is_whole(std::int32_t code, std::int32_t& whole) {
  whole = code;
  return code >= 0;
}

// Whole numbers of one column that lie in a window about the first ones.
template <class Value>
class WholeValues {
 public:
  // Look at the first rows; false where they hold something else, are spread wide, or hardly one comes twice.
  bool glance(const Table& table, std::size_t column) {
    const auto n = std::min<std::uint32_t>(table.n_slots, FewValues::kGlance);
    std::vector<std::int32_t> seen;
    for (std::uint32_t slot = 0; slot < n; ++slot) {
      const auto value = table.columns[column].value<Value>(table.row(slot));
      std::int32_t whole;
      if (is_whole(value, whole)) {
        seen.push_back(whole);
      } else if (key_of(value) != kMissingKey) {
        return false;
      }
    }
    if (seen.empty()) return false;
    std::sort(seen.begin(), seen.end());
    const auto spread = std::int64_t{seen.back()} - seen.front();
    if (spread >= kWidest) return false;
    n_places_ = static_cast<std::size_t>(std::clamp<std::int64_t>(4 * spread, 512, kWidest));
    begin_ = seen.front() - (static_cast<std::int64_t>(n_places_) - spread) / 2;
    const auto n_seen = static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
    if (!FewValues::may_be_few(n_seen, n)) return false;
    slot_of_.assign(n_places_ + 1, kNobody);
    return true;
  }

  // Places in the window of the values of some slots; false where one has none.
  bool place(const Table& table, Column column, std::uint32_t first, std::uint32_t last,
             std::uint16_t* places) {
    const auto begin = begin_;
    const auto n_places = n_places_;
    const auto* row_of_slot = table.row_of_slot.empty() ? nullptr : table.row_of_slot.data();
    auto* slot_of = slot_of_.data();
    for (auto slot = first; slot < last; ++slot) {
      const auto value = column.value<Value>(row_of_slot == nullptr ? slot : row_of_slot[slot]);
      std::int32_t whole;
      std::size_t at = n_places;
      if (is_whole(value, whole)) [[likely]] {
        at = static_cast<std::size_t>(whole - begin);
        if (at >= n_places) return false;
      } else if (key_of(value) != kMissingKey) {
        return false;
      }
      places[slot] = static_cast<std::uint16_t>(at);
      slot_of[at] = slot;
    }
    return true;
  }

  // Turn places into codes; false where there are too many distinct values.
  bool number(std::span<std::uint16_t> places, Ordering& out) const {
    const auto n = static_cast<std::uint32_t>(places.size());
    const auto n_empty = std::count(slot_of_.begin(), slot_of_.end() - 1, kNobody);
    if (!FewValues::are_few(n_places_ - static_cast<std::size_t>(n_empty), n)) return false;
    std::vector<std::uint16_t> code_of(n_places_ + 1, kMissingCode);
    for (std::size_t at = 0; at < n_places_; ++at) {
      if (slot_of_[at] == kNobody) continue;
      code_of[at] = static_cast<std::uint16_t>(out.n_distinct++);
      out.slot_of_code.push_back(slot_of_[at]);
    }
    out.is_few = true;
    out.n_known = n;
    for (auto& place : places) place = code_of[place];
    if (slot_of_[n_places_] != kNobody)
      out.n_known -= static_cast<std::uint32_t>(std::ranges::count(places, kMissingCode));
    return true;
  }

 private:
  static constexpr std::int64_t kWidest = 16384;
  static constexpr auto kNobody = std::numeric_limits<std::uint32_t>::max();

  std::int64_t begin_ = 0;              // where the window begins
  std::size_t n_places_ = 0;            // how wide it is; a missing value has the place behind it
  std::vector<std::uint32_t> slot_of_;  // by place: the last slot with this value
};

// A few rows are read at a time: what a row has beside the value just read is then still at hand.
template <class Value>
void code(Table& table, std::size_t begin, std::size_t end) {
  constexpr std::uint32_t kRows = 64;
  struct Coded {
    std::size_t column;
    WholeValues<Value> values;
  };
  std::vector<Coded> coded;
  for (auto column = begin; column < end; ++column) {
    WholeValues<Value> values;
    if (!values.glance(table, column)) continue;
    coded.push_back({column, std::move(values)});
    table.orderings[column].code.resize(table.n_slots);
  }
  const auto give_up = [&](std::size_t i) {
    table.orderings[coded[i].column].code = {};
    coded.erase(coded.begin() + static_cast<std::ptrdiff_t>(i));
  };
  for (std::uint32_t first = 0; first < table.n_slots && !coded.empty(); first += kRows) {
    const auto last = std::min(table.n_slots, first + kRows);
    for (auto i = coded.size(); i-- > 0;) {
      auto& [column, values] = coded[i];
      auto* places = table.orderings[column].code.data();
      if (!values.place(table, table.columns[column], first, last, places)) give_up(i);
    }
  }
  for (auto i = coded.size(); i-- > 0;) {
    auto& ordering = table.orderings[coded[i].column];
    if (!coded[i].values.number(ordering.code, ordering)) give_up(i);
  }
}

}  // namespace

void code_whole_values(Table& table, std::size_t begin, std::size_t end) {
  switch (table.columns[begin].type()) {
    case ValueType::Float64:
      return code<double>(table, begin, end);
    case ValueType::Float32:
      return code<float>(table, begin, end);
    case ValueType::Int64:
      return code<std::int64_t>(table, begin, end);
    case ValueType::Category:
      return code<std::int32_t>(table, begin, end);
  }
}

}  // namespace treewright
