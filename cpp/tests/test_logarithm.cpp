#include "treewright/logarithm.hpp"

#include <cmath>
#include <random>

#include "check.hpp"

using namespace treewright;

TEST(log2_is_exact_at_powers_of_two) {
  for (int e = -1000; e < 1000; ++e) CHECK(log2_of(std::ldexp(1.0, e)) == e);
}

TEST(log2_agrees_with_the_library_to_the_last_bits) {
  std::mt19937_64 draw(1);
  for (int i = 0; i < 100000; ++i) {
    const double x = std::ldexp(1 + static_cast<double>(draw() >> 12) * 0x1p-52, static_cast<int>(draw() % 100) - 50);
    const double expected = std::log2(x);
    CHECK(std::abs(log2_of(x) - expected) <= 4e-16 * std::max(1.0, std::abs(expected)));
  }
}

TEST(nothing_of_nothing_is_nothing) { CHECK(x_log_x(0) == 0 && x_log_x(1) == 0 && x_log_x(8) == 24); }
