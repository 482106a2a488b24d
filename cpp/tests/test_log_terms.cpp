#include <cmath>
#include <vector>

#include "check.hpp"
#include "treewright/math/logarithm.hpp"

using namespace treewright;

// Where logarithms are hard: around powers of two and their roots, at 0, far from 1.
TEST(terms_of_many_numbers_are_as_near_as_they_promise) {
  std::vector<double> numbers{0.0};
  for (int exponent = -60; exponent <= 60; ++exponent) {
    for (const double mantissa :
         {1.0, 1 + 0x1p-52, 1.25, 1.414213562373095, 1.4142135623730951, 1.99999, 1.7})
      numbers.push_back(std::ldexp(mantissa, exponent));
  }
  for (int whole = 1; whole < 3000; ++whole) numbers.push_back(whole);
  auto terms = numbers;
  terms.resize((terms.size() + kLogsAtOnce - 1) / kLogsAtOnce * kLogsAtOnce);
  to_x_log_x(terms.data(), terms.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double truth = x_log_x(numbers[i]), rounding = std::abs(truth) * 0x1p-50;
    CHECK(std::abs(terms[i] - truth) <= kLogError * numbers[i] + rounding);
  }
  for (auto i = numbers.size(); i < terms.size(); ++i) CHECK(terms[i] == 0);
}
