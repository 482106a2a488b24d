#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"
#include "treewright/kernels/short_lists.hpp"

using namespace treewright;

namespace {

// A list of all slots of a node in some order, and what its cuts are worth, in long doubles.
struct Drawn {
  ShortNode node{};
  std::vector<std::uint8_t> list;
  std::vector<long double> scores;
  long double spread = 0;

  Drawn(std::uint32_t n, const std::vector<double>& amount, std::mt19937_64& draw) : list(n + 8) {
    long double sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      list[i] = static_cast<std::uint8_t>(i);
      sum += amount[i];
    }
    std::shuffle(list.begin(), list.begin() + n, draw);
    const long double mean = sum / n;
    std::vector<double> shares(n + 1);
    for (std::uint32_t i = 1; i <= n; ++i) shares[i] = 1.0 / i;
    node.fill_inverse(n, shares.data());
    node.mean = static_cast<float>(mean);
    for (std::uint32_t i = 0; i < n; ++i) {
      node.from_mean[i] = static_cast<float>(amount[i] - mean);
      spread += std::abs(amount[i] - mean);
    }
    long double left = 0;
    for (std::uint32_t i = 1; i < n; ++i) {
      left += amount[list[i - 1]];
      const long double away = left - mean * i;
      scores.push_back(away * away / (static_cast<long double>(i) * (n - i)));
    }
  }
};

using Bound = bool(const std::uint8_t*, const ShortNode&, float, ShortCuts&);

// Bounds are no lower than the scores and hardly higher, and bits stand where they reach the bar.
void check_bounds(const Drawn& drawn, Bound& bound) {
  const long double best = *std::max_element(drawn.scores.begin(), drawn.scores.end());
  for (const float bar : {-std::numeric_limits<float>::infinity(), 0.0F, static_cast<float>(best) / 2,
                          static_cast<float>(best) * 2 + 1}) {
    ShortCuts cuts;
    const bool any = bound(drawn.list.data(), drawn.node, bar, cuts);
    std::vector<bool> is_set(kShortSlots);
    cuts.for_each([&](std::size_t place) { is_set[place] = true; });
    for (std::size_t i = 0; i < kShortSlots; ++i) {
      CHECK(is_set[i] == (i < drawn.scores.size() && cuts.bounds[i] >= bar));
      if (i >= drawn.scores.size()) continue;
      CHECK(cuts.bounds[i] * (1 + 0x1p-20L) >= drawn.scores[i]);
      CHECK(cuts.bounds[i] <= drawn.scores[i] + 1e-3L * drawn.spread * drawn.spread / drawn.node.n);
    }
    CHECK(any == (std::find(is_set.begin(), is_set.end(), true) != is_set.end()));
  }
}

}  // namespace

TEST(bounds_along_a_short_list_of_numbers_are_no_lower_than_the_scores_and_hardly_higher) {
  std::mt19937_64 draw(11);
  std::normal_distribution<double> normal;
  for (std::uint32_t n = 2; n <= 255; ++n) {
    std::vector<double> amount(n);
    for (auto& each : amount) each = std::round(std::abs(normal(draw)) * 0x1p50);
    Drawn drawn(n, amount, draw);
    drawn.node.slack = static_cast<float>(drawn.spread) * 0x1p-18F;
    check_bounds(drawn, bound_cuts_of_numbers);
  }
}

TEST(bounds_along_a_short_list_of_classes_are_no_lower_than_the_scores_and_hardly_higher) {
  std::mt19937_64 draw(12);
  for (std::uint32_t n = 2; n <= 255; ++n) {
    std::vector<double> amount(n);
    std::vector<std::uint8_t> classes(n);
    for (std::uint32_t i = 0; i < n; ++i) amount[i] = classes[i] = i < 2 ? i == 0 : draw() % 5 < 2;
    Drawn drawn(n, amount, draw);
    drawn.node.pack(classes);
    drawn.node.slack = 0x1p-14F;
    check_bounds(drawn, bound_cuts_of_classes);
    ShortCuts cuts;
    bound_cuts_of_classes(drawn.list.data(), drawn.node, 0, cuts);
    std::int32_t ones = 0;
    for (std::uint32_t i = 0; i + 1 < n; ++i) CHECK(cuts.ones[i] == (ones += classes[drawn.list[i]]));
  }
}

TEST(cuts_of_a_short_list_are_dropped_and_found_as_one_by_one) {
  std::mt19937_64 draw(13);
  for (std::uint32_t n = 2; n <= 255; ++n) {
    std::vector<std::uint8_t> list(n + 8), code(256);
    for (std::uint32_t i = 0; i < n; ++i) list[i] = static_cast<std::uint8_t>(i);
    std::shuffle(list.begin(), list.begin() + n, draw);
    std::uint8_t rank = 0;
    for (std::uint32_t i = 0; i < n; ++i) code[list[i]] = rank = static_cast<std::uint8_t>(rank + draw() % 2);
    ShortCuts cuts{};
    for (auto& bound : cuts.bounds) bound = static_cast<float>(draw() % 50 + 1);
    for (auto& word : cuts.bits) word = draw();
    keep_between(0, n - 2, cuts);
    std::vector<bool> stays(kShortSlots);
    const auto first = static_cast<std::uint32_t>(draw() % n), last = static_cast<std::uint32_t>(draw() % n);
    cuts.for_each([&](std::size_t i) {
      stays[i] =
          i + 1 < n && code[list[i]] != code[list[i + 1]] && first <= i && i <= last && cuts.bounds[i] >= 20;
    });
    drop_ties(list.data(), code.data(), n, cuts);
    const bool any = keep_between(first, last, cuts);
    std::size_t highest = kShortSlots;
    cuts.for_each([&](std::size_t i) {
      if (highest == kShortSlots || cuts.bounds[i] > cuts.bounds[highest]) highest = i;
    });
    CHECK(any == (highest < kShortSlots));
    if (any) CHECK(highest_of(cuts, n) == highest);
    keep_above(20, n, cuts);
    std::vector<bool> is_set(kShortSlots);
    cuts.for_each([&](std::size_t i) { is_set[i] = true; });
    CHECK(is_set == stays);
  }
}
