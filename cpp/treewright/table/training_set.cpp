#include "treewright/table/training_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace treewright {
namespace {

constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();

// The slots of some rows of a table, and which slot of theirs each slot of the table becomes.
struct RowsTaken {
  const Table& from;
  std::vector<std::uint32_t> old_slot, new_slot;
};

// Codes of few values, numbered anew among those that are left.
void take_codes(const RowsTaken& rows, const Ordering& from, Ordering& to) {
  const auto n = rows.old_slot.size();
  std::vector<std::uint16_t> rank(from.n_distinct, 0);
  for (const auto slot : rows.old_slot) {
    if (from.code[slot] != kMissingCode) rank[from.code[slot]] = 1;
  }
  for (auto& each : rank) to.n_distinct += std::exchange(each, static_cast<std::uint16_t>(to.n_distinct));
  to.is_few = true;
  to.code.resize(n);
  to.slot_of_code.resize(to.n_distinct);
  for (auto slot = static_cast<std::uint32_t>(n); slot-- > 0;) {  // of equal ones the first stays
    const auto code = from.code[rows.old_slot[slot]];
    to.code[slot] = code == kMissingCode ? kMissingCode : rank[code];
    if (code == kMissingCode) continue;
    to.slot_of_code[rank[code]] = slot;
    ++to.n_known;
  }
}

// A list, with its ties found again: a value may now be alone.
void take_list(const RowsTaken& rows, std::size_t column, const Ordering& from, Ordering& to) {
  to.list.reserve(rows.old_slot.size());
  std::vector<std::uint32_t> ties;
  std::uint32_t before = kNoSlot;
  for (std::uint32_t i = 0; i < from.list.size(); ++i) {
    const auto slot = from.list[i];
    if (rows.new_slot[slot] == kNoSlot) continue;
    if (i < from.n_known) {
      if (before != kNoSlot && rows.from.has_same_value(column, before, slot))
        ties.push_back(static_cast<std::uint32_t>(to.list.size()));
      before = slot;
      ++to.n_known;
    }
    to.list.push_back(rows.new_slot[slot]);
  }
  to.n_distinct = to.n_known - static_cast<std::uint32_t>(ties.size());
  mark_ties(ties, to);
}

// Infinite values stand at the ends of an order.
std::int64_t infinite_row(const Table& table, std::size_t column) {
  const auto& ordering = table.orderings[column];
  const auto type = table.columns[column].type();
  if (ordering.n_known == 0 || (type != ValueType::Float64 && type != ValueType::Float32)) return -1;
  const auto& few = ordering.slot_of_code;
  const auto ends = ordering.is_few ? std::pair(few.front(), few.back())
                                    : std::pair(ordering.list[0], ordering.list[ordering.n_known - 1]);
  std::int64_t found = -1;
  for (const auto slot : {ends.first, ends.second}) {
    const std::int64_t row = table.row(slot);
    const auto& values = table.columns[column];
    const bool is_infinite = type == ValueType::Float64
                                 ? std::isinf(values.value<double>(static_cast<std::size_t>(row)))
                                 : std::isinf(values.value<float>(static_cast<std::size_t>(row)));
    if (is_infinite) found = found < 0 ? row : std::min(found, row);
  }
  return found;
}

}  // namespace

Table TrainingSet::of_rows(const std::vector<bool>& takes_part, Pool& pool) const {
  if (takes_part.empty()) return table_;
  RowsTaken rows{table_, {}, std::vector<std::uint32_t>(table_.n_slots, kNoSlot)};
  Table taken;
  for (std::uint32_t slot = 0; slot < table_.n_slots; ++slot) {
    if (!takes_part[table_.row(slot)]) continue;
    rows.new_slot[slot] = static_cast<std::uint32_t>(rows.old_slot.size());
    rows.old_slot.push_back(slot);
    taken.row_of_slot.push_back(table_.row(slot));
  }
  taken.columns = table_.columns;
  taken.n_categories = table_.n_categories;
  taken.n_slots = static_cast<std::uint32_t>(rows.old_slot.size());
  taken.orderings.resize(table_.orderings.size());
  std::mutex mutex;
  pool.run(taken.orderings.size(), [&](std::size_t column, int) {
    const auto& from = table_.orderings[column];
    auto& to = taken.orderings[column];
    from.is_few ? take_codes(rows, from, to) : take_list(rows, column, from, to);
    const auto row = infinite_row(taken, column);
    if (row < 0) return;
    const std::lock_guard lock(mutex);
    const std::pair<std::int64_t, std::int64_t> found{static_cast<std::int64_t>(column), row};
    if (!taken.first_infinite || found < *taken.first_infinite) taken.first_infinite = found;
  });
  return taken;
}

}  // namespace treewright
