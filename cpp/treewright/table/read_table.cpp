#include <atomic>

#include "treewright/table/table.hpp"

namespace treewright {
namespace {

// Tables of fewer rows are sooner in order than it is known whether they need be.
constexpr std::uint32_t kPaysToWait = 200'000;

}  // namespace

bool tell_known(Table& table, Pool& pool) {
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

Table read_table(std::vector<Column> columns, std::vector<std::uint32_t> n_categories, std::uint32_t n_rows,
                 Pool& pool) {
  n_categories.resize(columns.size());
  Table table{.columns = std::move(columns), .n_categories = std::move(n_categories), .n_slots = n_rows};
  code_few_values(table, pool);
  if (n_rows < kPaysToWait || std::ranges::all_of(table.orderings, &Ordering::is_few) ||
      !tell_known(table, pool))
    order_columns(table, pool);
  return table;
}

}  // namespace treewright
