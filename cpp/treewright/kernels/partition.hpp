// The inner loops worth compiling for more than one CPU; which one is called is settled at run time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace treewright {

// Upper bounds of the scores of a run of cuts, and the largest of them:
//     (|sum - weight mean| + slack)^2 / (weight (total - weight))
// Bounds, because `slack` covers the rounding of doubles; whoever passes is judged in whole numbers.
struct RunOfCuts {
  double mean, slack, total;
};

// weight = first, first + 1, ...; `inverse` holds 1 / (weight (total - weight)).
double bound_equal(const double* sums, const double* inverse, double first, const RunOfCuts& run,
                   std::size_t n, double* bounds);
double bound_weighted(const double* sums, const double* weights, const RunOfCuts& run, std::size_t n,
                      double* bounds);

// What is left of the cut above a code: rows, the sum of the squares of their class counts, and that of their
// products with those of the node. All are whole numbers, so their order does not count.
struct CodeSquares {
  double rows, squares, products, bound;
};
// `counts` holds n_classes for every code, `lefts` gets where they end, from zero.
void sum_squares(const std::int32_t* counts, std::size_t n_codes, std::size_t n_classes, const double* totals,
                 double* lefts, CodeSquares* sums);

// The same of few rows, for the codes that `present` has a bit for; returns how many these are. n_classes is
// a multiple of kClassesAtOnce. The counts are nothing when this is done.
struct ShortSquares {
  std::int32_t rows, squares, products;
};
inline constexpr std::size_t kClassesAtOnce = 8;
std::size_t sum_short_squares(std::int16_t* counts, std::uint64_t present, std::size_t n_classes,
                              const std::int16_t* totals, std::int16_t* lefts, ShortSquares* sums);

// Move the entries whose side, 0 or 1 by slot, is 0 to the front and the others behind them, both in their
// old order. `spare` has room for n + 8 entries. Returns how many went to the front.
std::uint32_t part(std::uint32_t* list, std::uint32_t n, const std::uint8_t* side, std::uint32_t* spare);
std::uint32_t part(std::uint16_t* list, std::uint32_t n, const std::uint8_t* side, std::uint16_t* spare);
std::uint32_t part(std::uint8_t* list, std::uint32_t n, const std::uint8_t* side, std::uint8_t* spare);

// Part a list among any number of branches, stable; `ends` has an entry for each and gets where it ends.
template <class Index>
void part_many(Index* list, std::uint32_t n, const std::int32_t* branch_of, std::span<std::uint32_t> ends,
               Index* spare) {
  std::fill(ends.begin(), ends.end(), 0);
  for (std::uint32_t i = 0; i < n; ++i) ++ends[static_cast<std::size_t>(branch_of[list[i]])];
  std::uint32_t sum = 0;
  for (auto& end : ends) sum += std::exchange(end, sum);
  for (std::uint32_t i = 0; i < n; ++i) spare[ends[static_cast<std::size_t>(branch_of[list[i]])]++] = list[i];
  std::copy_n(spare, n, list);
}

}  // namespace treewright
