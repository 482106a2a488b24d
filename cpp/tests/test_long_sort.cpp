#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"
#include "treewright/interrupt.hpp"

using treewright::Interrupt;
using treewright::long_stable_sort;

namespace {

using Entry = std::pair<std::uint32_t, std::uint32_t>;  // a key that many entries share; the original index

std::vector<Entry> entries(std::size_t n) {
  std::mt19937 random(7);
  std::vector<Entry> drawn(n);
  for (std::uint32_t i = 0; i < n; ++i) drawn[i] = {random() % 1000, i};
  return drawn;
}

bool has_less_key(const Entry& a, const Entry& b) { return a.first < b.first; }

}  // namespace

TEST(a_long_sort_gives_the_order_of_a_stable_one) {
  for (const std::size_t n : {0u, 1u, 1000u, 32768u, 32769u, 65536u, 100'000u, 300'001u}) {
    auto sorted = entries(n), expected = sorted;
    long_stable_sort(std::span(sorted), has_less_key);
    std::stable_sort(expected.begin(), expected.end(), has_less_key);
    CHECK(sorted == expected);
  }
}

TEST(a_long_sort_hears_an_interrupt) {
  auto sorted = entries(300'000);
  Interrupt interrupt([] { throw std::runtime_error("enough"); });
  bool caught = false;
  try {
    interrupt.run([&] {
      for (;;) long_stable_sort(std::span(sorted), has_less_key);
    });
  } catch (const std::runtime_error&) {
    caught = true;
  }
  CHECK(caught);
}
