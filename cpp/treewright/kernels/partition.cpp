#include "treewright/kernels/partition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "treewright/portable.hpp"  // for Twins, TREEWRIGHT_X86, TREEWRIGHT_AVX2

#ifdef TREEWRIGHT_X86
#include <immintrin.h>
#endif

namespace treewright {
namespace {

TREEWRIGHT_INLINE double bound_equal_inline(const double* sums, const double* inverse, double first,
                                            const RunOfCuts& run, std::size_t n, double* bounds) {
  const double mean = run.mean, slack = run.slack;
  double top = -std::numeric_limits<double>::infinity();
  TREEWRIGHT_SIMD_MAX(top)
  for (int j = 0; j < static_cast<int>(n); ++j) {
    const double d = std::abs(sums[j] - (first + j) * mean) + slack;
    const double bound = d * d * inverse[j];
    bounds[j] = bound;
    top = bound > top ? bound : top;
  }
  return top;
}

TREEWRIGHT_INLINE double bound_weighted_inline(const double* sums, const double* weights,
                                               const RunOfCuts& run, std::size_t n, double* bounds) {
  const double mean = run.mean, slack = run.slack, total = run.total;
  double top = -std::numeric_limits<double>::infinity();
  TREEWRIGHT_SIMD_MAX(top)
  for (int j = 0; j < static_cast<int>(n); ++j) {
    const double d = std::abs(sums[j] - weights[j] * mean) + slack;
    const double bound = d * d / (weights[j] * (total - weights[j]));
    bounds[j] = bound;
    top = bound > top ? bound : top;
  }
  return top;
}

TREEWRIGHT_INLINE void sum_squares_inline(const std::int32_t* counts, std::size_t n_codes,
                                          std::size_t n_classes, const double* totals, double* lefts,
                                          CodeSquares* sums) {
  const int n = static_cast<int>(n_classes);
  for (std::size_t code = 0; code < n_codes; ++code, counts += n_classes) {
    double rows = 0, squares = 0, products = 0;
#pragma omp simd reduction(+ : rows, squares, products)
    for (int k = 0; k < n; ++k) {
      const double left = lefts[k] + counts[k];
      lefts[k] = left;
      rows += left;
      squares += left * left;
      products += left * totals[k];
    }
    sums[code].rows = rows;
    sums[code].squares = squares;
    sums[code].products = products;
  }
}

}  // namespace

double bound_equal(const double* sums, const double* inverse, double first, const RunOfCuts& run,
                   std::size_t n, double* bounds) {
  return Twins<bound_equal_inline>::call(sums, inverse, first, run, n, bounds);
}

double bound_weighted(const double* sums, const double* weights, const RunOfCuts& run, std::size_t n,
                      double* bounds) {
  return Twins<bound_weighted_inline>::call(sums, weights, run, n, bounds);
}

void sum_squares(const std::int32_t* counts, std::size_t n_codes, std::size_t n_classes, const double* totals,
                 double* lefts, CodeSquares* sums) {
  Twins<sum_squares_inline>::call(counts, n_codes, n_classes, totals, lefts, sums);
}

namespace {

// Move the counts of a code left, and leave nothing where they were.
inline ShortSquares move_left(std::int16_t* counts, std::size_t n_classes, const std::int16_t* totals,
                              std::int16_t* lefts) {
  ShortSquares sums{};
  for (std::size_t k = 0; k < n_classes; ++k) {
    const std::int32_t left = lefts[k] + std::exchange(counts[k], std::int16_t{0});
    lefts[k] = static_cast<std::int16_t>(left);
    sums.rows += left;
    sums.squares += left * left;
    sums.products += left * totals[k];
  }
  return sums;
}

}  // namespace

std::size_t sum_short_squares(std::int16_t* counts, std::uint64_t present, std::size_t n_classes,
                              const std::int16_t* totals, std::int16_t* lefts, ShortSquares* sums) {
  std::size_t n_codes = 0;
  for (; present != 0; present &= present - 1) {
    const auto code = static_cast<std::size_t>(std::countr_zero(present));
    sums[n_codes++] = move_left(counts + code * n_classes, n_classes, totals, lefts);
  }
  return n_codes;
}

namespace {

// Both writes happen, one of them counts: no branch to guess.
template <class Index>
std::uint32_t part_plain(Index* list, std::uint32_t begin, std::uint32_t n, const std::uint8_t* side,
                         Index* spare, std::uint32_t n_left) {
  std::uint32_t n_right = begin - n_left;
  for (std::uint32_t i = begin; i < n; ++i) {
    const Index entry = list[i];
    const std::uint32_t right = side[entry];
    list[n_left] = entry;
    spare[n_right] = entry;
    n_left += 1 - right;
    n_right += right;
  }
  if (n_right > 32) {
    std::copy_n(spare, n_right, list + n_left);
  } else {  // not worth a call
    for (std::uint32_t i = 0; i < n_right; ++i) list[n_left + i] = spare[i];
  }
  return n_left;
}

#ifdef TREEWRIGHT_X86

// For each of the 256 patterns of eight sides: the places of the zeros, in order, then anything.
struct Shuffles {
  std::array<std::array<std::uint8_t, 8>, 256> bytes{};
  std::array<std::array<std::uint8_t, 16>, 256> words{};
  std::array<std::array<std::uint32_t, 8>, 256> longs{};

  Shuffles() {
    for (unsigned pattern = 0; pattern < 256; ++pattern) {
      std::size_t at = 0;
      for (unsigned lane = 0; lane < 8; ++lane) {
        if (pattern >> lane & 1) continue;
        bytes[pattern][at] = static_cast<std::uint8_t>(lane);
        words[pattern][2 * at] = static_cast<std::uint8_t>(2 * lane);
        words[pattern][2 * at + 1] = static_cast<std::uint8_t>(2 * lane + 1);
        longs[pattern][at] = lane;
        ++at;
      }
    }
  }
};

const Shuffles& shuffles() {
  static const Shuffles table;
  return table;
}

TREEWRIGHT_AVX2 inline void compress(const std::uint32_t* from, unsigned keep, std::uint32_t* to,
                                     const Shuffles& table) {
  const auto entries = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  const auto order = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(table.longs[keep].data()));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(entries, order));
}

TREEWRIGHT_AVX2 inline void compress(const std::uint16_t* from, unsigned keep, std::uint16_t* to,
                                     const Shuffles& table) {
  const auto entries = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  const auto order = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table.words[keep].data()));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(entries, order));
}

TREEWRIGHT_AVX2 inline void compress(const std::uint8_t* from, unsigned keep, std::uint8_t* to,
                                     const Shuffles& table) {
  const auto entries = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  const auto order = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(table.bytes[keep].data()));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(entries, order));
}

// Eight entries at a time. Writing eight at the front is safe: the front never overtakes what was read.
template <class Index>
TREEWRIGHT_AVX2 std::uint32_t part_avx2(Index* list, std::uint32_t n, const std::uint8_t* side,
                                        Index* spare) {
  const auto& table = shuffles();
  std::uint32_t n_left = 0, i = 0;
  for (; i + 8 <= n; i += 8) {
    unsigned right = 0;  // a bit for each
    for (unsigned lane = 0; lane < 8; ++lane) right |= static_cast<unsigned>(side[list[i + lane]]) << lane;
    Index eight[8];
    std::memcpy(eight, list + i, sizeof eight);
    compress(eight, right, list + n_left, table);
    compress(eight, right ^ 255u, spare + (i - n_left), table);
    n_left += 8 - static_cast<std::uint32_t>(std::popcount(right));
  }
  return part_plain(list, i, n, side, spare, n_left);
}

#endif

template <class Index>
std::uint32_t part_any(Index* list, std::uint32_t n, const std::uint8_t* side, Index* spare) {
#ifdef TREEWRIGHT_X86
  constexpr std::uint32_t kPartsByEight = 16;  // fewer are parted one by one
  if (uses_avx2 && n >= kPartsByEight) return part_avx2(list, n, side, spare);
#endif
  return part_plain(list, 0, n, side, spare, 0);
}

}  // namespace

std::uint32_t part(std::uint32_t* list, std::uint32_t n, const std::uint8_t* side, std::uint32_t* spare) {
  return part_any(list, n, side, spare);
}
std::uint32_t part(std::uint16_t* list, std::uint32_t n, const std::uint8_t* side, std::uint16_t* spare) {
  return part_any(list, n, side, spare);
}
std::uint32_t part(std::uint8_t* list, std::uint32_t n, const std::uint8_t* side, std::uint8_t* spare) {
  return part_any(list, n, side, spare);
}

}  // namespace treewright
