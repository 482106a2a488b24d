#include <cmath>
#include <random>

#include "check.hpp"
#include "treewright/math/logarithm.hpp"

using namespace treewright;

TEST(log2_is_exact_at_powers_of_two) {
  for (int e = -1000; e < 1000; ++e) CHECK(log2_of(std::ldexp(1.0, e)) == e);
}

TEST(log2_agrees_with_the_library_to_the_last_bits) {
  std::mt19937_64 draw(1);
  for (int i = 0; i < 100000; ++i) {
    const double x =
        std::ldexp(1 + static_cast<double>(draw() >> 12) * 0x1p-52, static_cast<int>(draw() % 100) - 50);
    const double expected = std::log2(x);
    CHECK(std::abs(log2_of(x) - expected) <= 4e-16 * std::max(1.0, std::abs(expected)));
  }
}

TEST(nothing_of_nothing_is_nothing) { CHECK(x_log_x(0) == 0 && x_log_x(1) == 0 && x_log_x(8) == 24); }

TEST(wide_logarithms_agree_with_plain_ones) {
  const WideLog wide(1 << 20);
  for (std::int64_t x = 0; x < 100000; ++x) {
    const double expected = x_log_x(static_cast<double>(x));
    CHECK(std::abs(wide.value(wide.x_log_x(x)) - expected) <= 1e-15 * std::max(1.0, expected));
  }
}

TEST(sums_that_are_equal_by_arithmetic_are_equal) {
  const WideLog wide(1000);
  for (std::int64_t a = 1; a < 30; ++a) {
    for (std::int64_t b = 1; b < 30; ++b) {
      // ab log ab = b (a log a) + a (b log b)
      Int128 right = 0;
      for (std::int64_t i = 0; i < b; ++i) right += wide.x_log_x(a);
      for (std::int64_t i = 0; i < a; ++i) right += wide.x_log_x(b);
      CHECK(wide.value(wide.x_log_x(a * b)) == wide.value(right));
      CHECK(wide.value(wide.x_log_x(a * b) - right) == 0);
    }
  }
}

TEST(wide_logarithms_of_large_weights_fit) {
  const std::int64_t total = std::int64_t{1} << 61;
  const WideLog wide(total);
  CHECK(wide.value(wide.x_log_x(total)) == static_cast<double>(total) * 61);
}

TEST(logarithms_of_large_whole_numbers_add_up) {
  std::mt19937_64 draw(2);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t a = (draw() >> (33 + draw() % 20)) + 1, b = (draw() >> (33 + draw() % 20)) + 1;
    const auto sum = WholeLogs::log2(a) + WholeLogs::log2(b), whole = WholeLogs::log2(a * b);
    CHECK((sum > whole ? sum - whole : whole - sum) < static_cast<Fixed>(1) << (kFixedBits - 88));
  }
}
