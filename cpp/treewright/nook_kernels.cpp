#include "treewright/nook_kernels.hpp"

#include <bit>
#include <cmath>

#include "treewright/avx2.hpp"  // for sum_along, bound_of, who_reaches

namespace treewright {
namespace {

// 1 / (i (n - i)) at place i - 1 of row n, and nothing where there is no such cut.
struct Inverses {
  alignas(32) std::array<std::array<float, kNookRows + 1>, kNookRows + 1> of{};

  constexpr Inverses() {
    for (std::size_t n = 2; n <= kNookRows; ++n) {
      for (std::size_t i = 1; i < n; ++i) of[n][i - 1] = 1 / static_cast<float>(i * (n - i));
    }
  }
};
constexpr Inverses kInverses;

#ifdef TREEWRIGHT_X86

// For each pattern of eight bits: the places of the ones, in order, then nobody.
struct Choices {
  std::array<std::array<std::uint8_t, 8>, 256> places{};

  constexpr Choices() {
    for (unsigned pattern = 0; pattern < 256; ++pattern) {
      std::size_t at = 0;
      for (unsigned lane = 0; lane < 8; ++lane) {
        if (pattern >> lane & 1) places[pattern][at++] = static_cast<std::uint8_t>(lane);
      }
      while (at < 8) places[pattern][at++] = 0x80;
    }
  }
};
constexpr Choices kChoices;

TREEWRIGHT_AVX2 __m128i choose(__m128i eight, unsigned pattern) {
  const auto* places = reinterpret_cast<const __m128i*>(kChoices.places[pattern].data());
  return _mm_shuffle_epi8(eight, _mm_loadl_epi64(places));
}

// 255 by row where a bit is set.
TREEWRIGHT_AVX2 __m128i spread_bits(std::uint32_t rows) {
  const auto bits = _mm_set1_epi64x(static_cast<std::int64_t>(0x8040201008040201U));
  const auto bytes =
      _mm_shuffle_epi8(_mm_cvtsi32_si128(static_cast<int>(rows)), _mm_set_epi64x(0x0101010101010101, 0));
  return _mm_cmpeq_epi8(_mm_and_si128(bytes, bits), bits);
}

// The rows of the node among those of the column, in their order.
template <bool kMoreThanEight>
TREEWRIGHT_AVX2 __m128i rows_inside(const NookColumn& column, __m128i is_inside) {
  const auto rows = _mm_load_si128(reinterpret_cast<const __m128i*>(column.rows.data()));
  const auto pattern = static_cast<unsigned>(_mm_movemask_epi8(_mm_shuffle_epi8(is_inside, rows)));
  const unsigned first = pattern & 255;
  const auto front = choose(rows, first), back = choose(_mm_unpackhi_epi64(rows, rows), pattern >> 8);
  const auto n_front = static_cast<unsigned>(__builtin_popcount(first));
  if constexpr (kMoreThanEight) {
    alignas(16) std::uint8_t both[24];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(both + 8), _mm_setzero_si128());
    _mm_storel_epi64(reinterpret_cast<__m128i*>(both), front);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(both + n_front), back);
    return _mm_load_si128(reinterpret_cast<const __m128i*>(both));
  } else {
    // Eight in front leave nobody behind, wherever that is moved.
    const auto behind = static_cast<std::uint64_t>(_mm_cvtsi128_si64(back)) << (8 * n_front & 63);
    return _mm_cvtsi64_si128(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(_mm_cvtsi128_si64(front)) | behind));
  }
}

// Numbers of eight rows.
TREEWRIGHT_AVX2 __m256 look_up(__m256 low, __m256 high, __m128i rows) {
  const auto places = _mm256_cvtepu8_epi32(rows);
  const auto is_high = _mm256_castsi256_ps(_mm256_slli_epi32(places, 28));
  return _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, places), _mm256_permutevar8x32_ps(high, places),
                          is_high);
}

template <bool kMoreThanEight>
__attribute__((target("avx2"))) bool find_avx2(const NookColumn* columns, std::size_t n_columns,
                                               const NookNode& node, float bar, NookCuts& found) {
  const auto low = _mm256_load_ps(node.from_mean.data()), high = _mm256_load_ps(node.from_mean.data() + 8);
  const auto is_inside = spread_bits(node.rows);
  const auto slack = _mm256_set1_ps(node.slack), least = _mm256_set1_ps(bar);
  const float* inverse = kInverses.of[node.n].data();
  for (auto column = found.column; column < n_columns; ++column) {
    const auto rows = rows_inside<kMoreThanEight>(columns[column], is_inside);
    const auto sums = sum_along(look_up(low, high, rows));
    const auto bounds = bound_of(sums, slack, _mm256_load_ps(inverse));
    auto cuts = who_reaches(bounds, least);
    __m256 more_bounds{};
    if constexpr (kMoreThanEight) {
      const auto before = _mm256_permutevar8x32_ps(sums, _mm256_set1_epi32(7));
      const auto more = sum_along(look_up(low, high, _mm_unpackhi_epi64(rows, rows)));
      more_bounds = bound_of(_mm256_add_ps(more, before), slack, _mm256_load_ps(inverse + 8));
      cuts |= who_reaches(more_bounds, least) << 8;
    }
    const auto ranks = _mm_shuffle_epi8(
        _mm_load_si128(reinterpret_cast<const __m128i*>(columns[column].ranks.data())), rows);
    const auto is_tied = _mm_cmpeq_epi8(ranks, _mm_srli_si128(ranks, 1));
    cuts &= node.allowed & ~static_cast<unsigned>(_mm_movemask_epi8(is_tied));
    if (cuts == 0) continue;
    found.column = column;
    found.cuts = cuts;
    _mm_store_si128(reinterpret_cast<__m128i*>(found.rows.data()), rows);
    _mm256_store_ps(found.bounds.data(), bounds);
    if constexpr (kMoreThanEight) _mm256_store_ps(found.bounds.data() + 8, more_bounds);
    return true;
  }
  return false;
}

__attribute__((target("avx2"))) NookBytes rows_in_order_avx2(const NookColumn& column, std::uint32_t rows) {
  NookBytes out;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out.data()), rows_inside<true>(column, spread_bits(rows)));
  return out;
}

#endif

}  // namespace

NookBytes rows_in_order_plain(const NookColumn& column, std::uint32_t rows) {
  NookBytes out{};
  std::uint32_t n = 0;
  for (const auto row : column.rows) {
    if (rows >> row & 1) out[n++] = row;
  }
  return out;
}

bool find_cuts_plain(const NookColumn* columns, std::size_t n_columns, const NookNode& node, float bar,
                     NookCuts& found) {
  const auto& inverse = kInverses.of[node.n];
  for (auto column = found.column; column < n_columns; ++column) {
    found.rows = rows_in_order_plain(columns[column], node.rows);
    const auto& ranks = columns[column].ranks;
    float sum = 0;
    found.cuts = 0;
    for (std::uint32_t i = 0; i + 1 < node.n; ++i) {
      sum += node.from_mean[found.rows[i]];
      const float away = std::abs(sum) + node.slack;
      found.bounds[i] = away * away * inverse[i];
      const bool is_tied = ranks[found.rows[i]] == ranks[found.rows[i + 1]];
      if (found.bounds[i] >= bar && !is_tied) found.cuts |= 1U << i;
    }
    found.cuts &= node.allowed;
    found.column = column;
    if (found.cuts != 0) return true;
  }
  return false;
}

bool find_cuts(const NookColumn* columns, std::size_t n_columns, const NookNode& node, float bar,
               NookCuts& found) {
#ifdef TREEWRIGHT_X86
  if (kHasAvx2) {
    return node.n > 8 ? find_avx2<true>(columns, n_columns, node, bar, found)
                      : find_avx2<false>(columns, n_columns, node, bar, found);
  }
#endif
  return find_cuts_plain(columns, n_columns, node, bar, found);
}

NookBytes rows_in_order(const NookColumn& column, std::uint32_t rows) {
#ifdef TREEWRIGHT_X86
  if (kHasAvx2) return rows_in_order_avx2(column, rows);
#endif
  return rows_in_order_plain(column, rows);
}

}  // namespace treewright
