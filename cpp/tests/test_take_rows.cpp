#include <cmath>
#include <limits>
#include <random>

#include "check.hpp"
#include "treewright/table/table.hpp"

using namespace treewright;

namespace {

std::vector<Column> columns_of(const std::vector<std::vector<double>>& values) {
  std::vector<Column> columns;
  for (const auto& each : values) columns.emplace_back(each.data(), sizeof(double), ValueType::Float64);
  return columns;
}

// The slow twin: a table read from only the rows that take part.
void compare_with_ordering(const Table& all, const std::vector<std::vector<double>>& values,
                           const std::vector<bool>& takes_part) {
  Pool pool(2);
  auto taken = take_rows(all, takes_part, pool);
  std::vector<std::uint32_t> rows;
  std::vector<std::vector<double>> kept(values.size());
  for (std::uint32_t row = 0; row < takes_part.size(); ++row) {
    if (!takes_part[row]) continue;
    rows.push_back(row);
    for (std::size_t column = 0; column < values.size(); ++column)
      kept[column].push_back(values[column][row]);
  }
  auto anew = read_table(columns_of(kept), {}, static_cast<std::uint32_t>(rows.size()), pool);
  list_slots(taken, pool);
  list_slots(anew, pool);
  CHECK(taken.n_slots == anew.n_slots);
  CHECK(taken.row_of_slot == rows);
  CHECK(taken.first_infinite.has_value() == anew.first_infinite.has_value());
  if (taken.first_infinite) {
    CHECK(taken.first_infinite->first == anew.first_infinite->first);
    CHECK(taken.first_infinite->second == rows[static_cast<std::size_t>(anew.first_infinite->second)]);
  }
  for (std::size_t column = 0; column < values.size(); ++column) {
    const auto &ours = taken.orderings[column], &theirs = anew.orderings[column];
    CHECK(ours.list == theirs.list);
    CHECK(ours.n_known == theirs.n_known);
    CHECK(ours.n_distinct == theirs.n_distinct);
    for (std::uint32_t i = 1; i < ours.n_known; ++i) {
      CHECK(taken.has_same_value(column, ours.list[i - 1], ours.list[i]) ==
            anew.has_same_value(column, theirs.list[i - 1], theirs.list[i]));
    }
  }
}

}  // namespace

TEST(rows_taken_from_a_table_are_in_the_order_they_would_be_put_in) {
  std::mt19937_64 draw(11);
  for (const std::uint32_t n : {1u, 2u, 70u, 5000u, 80000u}) {
    std::vector<std::vector<double>> values(5, std::vector<double>(n));
    for (std::uint32_t row = 0; row < n; ++row) {
      values[0][row] = std::ldexp(static_cast<double>(draw() >> 11), -40);  // almost no ties
      values[1][row] = static_cast<double>(draw() % 5);                     // few values
      values[2][row] = draw() % 3 == 0 ? std::nan("") : static_cast<double>(draw() % 900);
      values[3][row] = draw() % 9 == 0 ? std::nan("") : static_cast<double>(draw() % (n + 1)) / 3;
      values[4][row] = draw() % 4000 == 0 ? std::numeric_limits<double>::infinity() : 1;
    }
    Pool pool(2);
    const auto all = read_table(columns_of(values), {}, n, pool);
    for (const std::uint64_t one_in : {1u, 2u, 3u, 10u, 1000u}) {
      std::vector<bool> takes_part(n);
      for (std::uint32_t row = 0; row < n; ++row) takes_part[row] = draw() % one_in == 0;
      takes_part[draw() % n] = true;
      compare_with_ordering(all, values, takes_part);
    }
  }
}

TEST(all_rows_are_taken_where_nobody_says_which) {
  const std::vector<std::vector<double>> values{{3, 1, 2}};
  Pool pool(1);
  const auto all = read_table(columns_of(values), {}, 3, pool);
  CHECK(take_rows(all, {}, pool).orderings[0].list == all.orderings[0].list);
}
