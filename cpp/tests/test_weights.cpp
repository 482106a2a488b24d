#include <cmath>

#include "check.hpp"
#include "treewright/table/weights.hpp"

using namespace treewright;
using Whole = std::vector<std::int64_t>;

TEST(whole_weights_stay_what_they_are) {
  const auto weights = whole_weights({1, 2, 3});
  CHECK((weights.of_slot == Whole{1, 2, 3}));
  CHECK(weights.unit == 1 && weights.total == 6);
}

TEST(a_common_factor_is_taken_out) {
  const auto weights = whole_weights({1.5, 3, 4.5});
  CHECK((weights.of_slot == Whole{1, 2, 3}));
  CHECK(weights.unit == 1.5);
}

TEST(equal_weights_are_no_weights) {
  const auto weights = whole_weights({0.1, 0.1, 0.1});
  CHECK(weights.all_equal());
  CHECK(weights.unit == 0.1 && weights.total == 3);
}

TEST(the_total_stays_below_two_to_the_62_and_no_weight_is_lost) {
  const auto weights = whole_weights({1e150, 1e-150, 1.0 / 3});
  CHECK(weights.total > 0 && weights.total < (std::int64_t{1} << 62));
  for (const auto weight : weights.of_slot) CHECK(weight > 0);
}

TEST(fine_units_leave_weights_what_they_are) {
  for (const auto& given : {std::vector<double>{1, 2, 3}, std::vector<double>{0.1, 0.1, 0.1}}) {
    const auto fine = in_fine_units(whole_weights(given));
    CHECK(fine.total >= (std::int64_t{1} << 57) && fine.total < (std::int64_t{1} << 58));
    CHECK(fine.of_slot.size() == 3 && fine.given == given);
    std::int64_t sum = 0;
    for (std::size_t slot = 0; slot < 3; ++slot) {
      CHECK(static_cast<double>(fine.of_slot[slot]) * fine.unit == given[slot]);
      sum += fine.of_slot[slot];
    }
    CHECK(sum == fine.total);
  }
}
