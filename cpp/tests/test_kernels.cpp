#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"
#include "treewright/kernels/kernels.hpp"

using namespace treewright;

namespace {

// The naive twin: std::stable_partition.
template <class Index>
void compare_with_stable_partition(std::uint32_t most) {
  std::mt19937 draw(7);
  for (int round = 0; round < 300; ++round) {
    const auto n = static_cast<std::uint32_t>(draw() % most);
    std::vector<Index> list(n + kReadPadding), spare(n + kReadPadding);
    std::vector<std::uint8_t> side(std::max<std::size_t>(n, kMostBytes));
    for (auto& each : side) each = static_cast<std::uint8_t>(draw() % 3 == 0);
    std::iota(list.begin(), list.begin() + n, Index{0});
    std::shuffle(list.begin(), list.begin() + n, draw);
    for (auto i = n; i < list.size(); ++i) list[i] = static_cast<Index>(draw() % 256);  // of another node
    auto expected = list;
    const auto middle = std::stable_partition(expected.begin(), expected.begin() + n,
                                              [&](Index slot) { return side[slot] == 0; });
    const auto n_left = part(list.data(), n, side.data(), spare.data());
    CHECK(list == expected);
    CHECK(n_left == static_cast<std::uint32_t>(middle - expected.begin()));
  }
}

}  // namespace

TEST(parting_bytes_is_a_stable_partition) { compare_with_stable_partition<std::uint8_t>(255); }
TEST(parting_words_is_a_stable_partition) { compare_with_stable_partition<std::uint16_t>(3000); }
TEST(parting_longs_is_a_stable_partition) { compare_with_stable_partition<std::uint32_t>(3000); }

// The naive twin: sums of the counts of all codes up to each, one after the other.
TEST(squares_of_counts_are_those_of_their_sums) {
  std::mt19937 draw(11);
  for (int round = 0; round < 200; ++round) {
    const std::size_t n_codes = 1 + draw() % 64, n_classes = kClassesAtOnce * (1 + draw() % 10);
    std::vector<std::int32_t> counts(n_codes * n_classes), totals(n_classes), lefts(n_classes);
    std::vector<std::uint32_t> codes;
    for (std::uint32_t code = 0; code < n_codes; ++code) {
      if (draw() % 3 == 0) continue;
      codes.push_back(code);
      for (std::size_t k = 0; k < n_classes; ++k)
        totals[k] += counts[code * n_classes + k] = static_cast<std::int32_t>(draw() % 5);
    }
    std::vector<CodeSquares> sums(codes.size());
    Twins<sum_squares>::call(counts.data(), codes, totals, lefts.data(), sums.data());
    CHECK(lefts == totals);
    std::vector<std::int64_t> expected(n_classes);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      std::int64_t rows = 0, squares = 0, products = 0;
      for (std::size_t k = 0; k < n_classes; ++k) {
        expected[k] += counts[codes[i] * n_classes + k];
        rows += expected[k];
        squares += expected[k] * expected[k];
        products += expected[k] * totals[k];
      }
      CHECK(sums[i].rows == rows && sums[i].squares == squares && sums[i].products == products);
    }
  }
}
