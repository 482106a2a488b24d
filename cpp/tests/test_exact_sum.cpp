#include <algorithm>
#include <random>
#include <vector>

#include "check.hpp"
#include "treewright/math/fixed_point.hpp"

using treewright::ExactSum;

namespace {

double sum_of(const std::vector<double>& terms) {
  double most = 0;
  for (const double term : terms) most = std::max(most, std::abs(term));
  ExactSum sum(most, terms.size());
  for (const double term : terms) sum.add(term);
  return sum.value();
}

}  // namespace

TEST(a_sum_does_not_depend_on_the_order_of_its_terms) {
  std::mt19937_64 draw(1);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> terms(1 + draw() % 500);
    for (auto& term : terms) term = normal(draw) * std::ldexp(1.0, static_cast<int>(draw() % 80) - 40);
    const double sum = sum_of(terms);
    std::shuffle(terms.begin(), terms.end(), draw);
    CHECK(sum_of(terms) == sum);
  }
}

TEST(what_cancels_in_doubles_does_not_cancel_here) {
  CHECK(sum_of({1e16, 1, -1e16}) == 1);
  CHECK(sum_of({0.1, 0.2, -0.3}) == 2.7755575615628914e-17);
  CHECK(sum_of({1e-300, 2e-300}) == 3e-300);
  CHECK(sum_of({0, 0}) == 0);
}
