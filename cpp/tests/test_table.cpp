#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "check.hpp"
#include "treewright/table/table.hpp"

using namespace treewright;

namespace {

// The naive twin: a comparison sort by value, missing last.
template <class Value>
void compare_with_sort(const std::vector<Value>& values) {
  Pool pool(1);
  const auto n = static_cast<std::uint32_t>(values.size());
  const auto type = sizeof(Value) == 8 ? ValueType::Float64 : ValueType::Float32;
  auto table = read_table({Column(values.data(), sizeof(Value), type)}, {}, n, pool);
  list_slots(table, pool);
  const auto& ordering = table.orderings[0];
  std::vector<Value> known;
  for (const Value value : values) {
    if (!std::isnan(value)) known.push_back(value);
  }
  std::sort(known.begin(), known.end());
  CHECK(ordering.n_known == known.size());
  std::vector<bool> seen(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Value value = values[ordering.list[i]];
    CHECK(i < known.size() ? value == known[i] : std::isnan(value));
    seen[ordering.list[i]] = true;
    if (i > 0 && i < known.size() && values[ordering.list[i - 1]] == value)
      CHECK(ordering.list[i - 1] < ordering.list[i]);
    if (!ordering.code.empty() && i > 0 && i < known.size()) {
      const bool same = values[ordering.list[i - 1]] == value;
      CHECK((ordering.code[ordering.list[i - 1]] == ordering.code[ordering.list[i]]) == same);
    }
  }
  CHECK(std::find(seen.begin(), seen.end(), false) == seen.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  CHECK(ordering.n_distinct == known.size());
}

}  // namespace

TEST(lists_are_in_order_for_every_kind_of_column) {
  std::mt19937_64 draw(5);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {0, 1, 2, 63, 64, 500, 5000, 100000}) {
    std::vector<double> plain(n), few(n), close(n), gaps(n), wide(n), some(n), late(n), none(n, std::nan(""));
    for (std::size_t i = 0; i < n; ++i) {
      plain[i] = normal(draw);
      few[i] = static_cast<double>(draw() % 7) - 3;
      close[i] = 1 + static_cast<double>(draw() % 1000) * 0x1p-52;  // their upper 32 bits are equal
      gaps[i] = draw() % 3 == 0 ? std::nan("") : (draw() % 2 == 0 ? -0.0 : 0.0);
      some[i] = draw() % 5 == 0 ? std::nan("") : static_cast<double>(draw() % 3000) / 7;
      late[i] = i < n / 2 ? static_cast<double>(draw() % 3) : normal(draw);  // few values in the first half
      wide[i] = std::ldexp(normal(draw), static_cast<int>(draw() % 2000) - 1000);
    }
    if (n > 10) close[3] = 1e300;  // one outlier leaves few bits for the others
    for (const auto& values : {plain, few, close, gaps, wide, some, late, none}) {
      compare_with_sort(values);
      compare_with_sort(std::vector<float>(values.begin(), values.end()));
    }
  }
}

TEST(lists_are_in_order_however_unevenly_the_values_lie) {
  std::mt19937_64 draw(7);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {64, 1000, 20000}) {
    std::vector<double> skewed(n), two_heaps(n), tiny(n), ends(n), far(n);
    for (std::size_t i = 0; i < n; ++i) {
      skewed[i] = std::exp(12 * normal(draw));
      two_heaps[i] = normal(draw) + (draw() % 2 == 0 ? 1e9 : -1e9);
      tiny[i] = static_cast<double>(draw() % 100000) * std::numeric_limits<double>::denorm_min();
      ends[i] = (draw() % 2 == 0 ? 1 : -1) * std::numeric_limits<double>::max();
      far[i] = normal(draw);
    }
    far[n / 2] = std::numeric_limits<double>::max();
    for (const auto& values : {skewed, two_heaps, tiny, ends, far}) compare_with_sort(values);
  }
}

TEST(the_first_infinite_value_is_named) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> values{1, -inf, 2, 3, 4, inf};  // two columns, row-major
  Pool pool(1);
  const auto table = read_table(
      {Column(values.data(), 16, ValueType::Float64), Column(values.data() + 1, 16, ValueType::Float64)}, {},
      3, pool);
  CHECK(table.first_infinite.has_value() && table.first_infinite->first == 1);
}

TEST(of_many_infinite_values_the_first_row_is_named) {
  const double inf = std::numeric_limits<double>::infinity();
  Pool pool(1);
  for (const auto& values : {std::vector<double>{1, inf, 2, inf, inf, -inf}, {0, -inf, inf, -inf, 5, inf}}) {
    const auto table = read_table({Column(values.data(), 8, ValueType::Float64)}, {}, values.size(), pool);
    CHECK(table.first_infinite.has_value() && table.first_infinite->second == 1);
  }
}

TEST(infinite_values_of_narrow_floats_are_found_too) {
  const float inf = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  for (const float far : {inf, -inf, most, -most}) {
    const std::vector<float> values{1, 2, far, 3};
    Pool pool(1);
    const auto table = read_table({Column(values.data(), 4, ValueType::Float32)}, {}, 4, pool);
    CHECK(table.first_infinite.has_value() == (std::abs(far) == inf));
    if (table.first_infinite) CHECK(table.first_infinite->second == 2);
  }
}

TEST(rows_that_take_no_part_have_no_slot) {
  const std::vector<double> values{3, 1, 2};
  Pool pool(1);
  const auto all = read_table({Column(values.data(), 8, ValueType::Float64)}, {}, 3, pool);
  const auto table = take_rows(all, {true, false, true}, pool);
  CHECK(table.n_slots == 2);
  CHECK(table.row(table.orderings[0].list[0]) == 2);
  CHECK(table.row(table.orderings[0].list[1]) == 0);
}
