#include <cmath>
#include <limits>
#include <random>

#include "check.hpp"
#include "treewright/table/training_set.hpp"

using namespace treewright;

namespace {

// The slow twin: the rows that take part are put in order anew.
void compare_with_ordering(const TrainingSet& all, const std::vector<Column>& columns, std::uint32_t n,
                           const std::vector<bool>& takes_part) {
  Pool pool(2);
  auto taken = all.of_rows(takes_part, pool);
  auto anew = order_table(columns, {}, n, takes_part, pool);
  list_slots(taken, pool);
  list_slots(anew, pool);
  CHECK(taken.n_slots == anew.n_slots);
  CHECK(taken.first_infinite == anew.first_infinite);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const auto &ours = taken.orderings[column], &theirs = anew.orderings[column];
    CHECK(ours.list == theirs.list);
    CHECK(ours.n_known == theirs.n_known);
    CHECK(ours.n_distinct == theirs.n_distinct);
    for (std::uint32_t i = 1; i < ours.n_known; ++i) {
      CHECK(taken.has_same_value(column, ours.list[i - 1], ours.list[i]) ==
            anew.has_same_value(column, theirs.list[i - 1], theirs.list[i]));
    }
    for (std::uint32_t slot = 0; slot < taken.n_slots; ++slot) CHECK(taken.row(slot) == anew.row(slot));
  }
}

}  // namespace

TEST(rows_taken_from_a_training_set_are_in_the_order_they_would_be_put_in) {
  std::mt19937_64 draw(11);
  for (const std::uint32_t n : {1u, 2u, 70u, 5000u, 80000u}) {
    std::vector<std::vector<double>> values(5, std::vector<double>(n));
    for (std::uint32_t row = 0; row < n; ++row) {
      values[0][row] = std::ldexp(static_cast<double>(draw() >> 11), -40);  // hardly a tie
      values[1][row] = static_cast<double>(draw() % 5);                     // few values
      values[2][row] = draw() % 3 == 0 ? std::nan("") : static_cast<double>(draw() % 900);
      values[3][row] = draw() % 9 == 0 ? std::nan("") : static_cast<double>(draw() % (n + 1)) / 3;
      values[4][row] = draw() % 4000 == 0 ? std::numeric_limits<double>::infinity() : 1;
    }
    std::vector<Column> columns;
    for (const auto& each : values) columns.emplace_back(each.data(), sizeof(double), ValueType::Float64);
    Pool pool(2);
    const TrainingSet all(columns, {}, n, pool);
    for (const std::uint64_t one_in : {1u, 2u, 3u, 10u, 1000u}) {
      std::vector<bool> takes_part(n);
      for (std::uint32_t row = 0; row < n; ++row) takes_part[row] = draw() % one_in == 0;
      takes_part[draw() % n] = true;
      compare_with_ordering(all, columns, n, takes_part);
    }
  }
}

TEST(a_training_set_is_handed_over_without_a_copy) {
  const std::vector<double> values{3, 1, 2};
  Pool pool(1);
  TrainingSet all({Column(values.data(), sizeof(double), ValueType::Float64)}, {}, 3, pool);
  const auto* list = all.table().orderings[0].list.data();
  const auto copied = all.of_rows({}, pool);
  CHECK(copied.orderings[0].list == all.table().orderings[0].list);
  const auto handed = all.hand_over();
  CHECK(handed.orderings[0].list.data() == list);
}
