// What kernels for AVX2 share. Only they include this.
#pragma once

#include "treewright/portable.hpp"  // for TREEWRIGHT_X86

#ifdef TREEWRIGHT_X86
#include <immintrin.h>

namespace treewright {

// Four and four, moved up by one or by two.
template <int kPlaces>
TREEWRIGHT_AVX2_INLINE __m256 move_up(__m256 numbers) {
  return _mm256_castsi256_ps(_mm256_slli_si256(_mm256_castps_si256(numbers), 4 * kPlaces));
}

// Each of eight becomes the sum of those up to it.
TREEWRIGHT_AVX2_INLINE __m256 sum_along(__m256 numbers) {
  auto sums = _mm256_add_ps(numbers, move_up<1>(numbers));
  sums = _mm256_add_ps(sums, move_up<2>(sums));
  const auto of_four = _mm256_permute_ps(sums, 0xFF);
  return _mm256_add_ps(sums, _mm256_permute2f128_ps(of_four, of_four, 0x08));
}
TREEWRIGHT_AVX2_INLINE __m256i sum_along(__m256i numbers) {
  auto sums = _mm256_add_epi32(numbers, _mm256_slli_si256(numbers, 4));
  sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 8));
  const auto of_four = _mm256_shuffle_epi32(sums, 0xFF);
  return _mm256_add_epi32(sums, _mm256_permute2x128_si256(of_four, of_four, 0x08));
}

// (|distance| + slack)^2 inverse
TREEWRIGHT_AVX2_INLINE __m256 bound_of(__m256 distance, __m256 slack, __m256 inverse) {
  const auto away = _mm256_add_ps(_mm256_andnot_ps(_mm256_set1_ps(-0.0F), distance), slack);
  return _mm256_mul_ps(_mm256_mul_ps(away, away), inverse);
}

// A bit for each of eight that is not below the bar.
TREEWRIGHT_AVX2_INLINE unsigned who_reaches(__m256 bounds, __m256 bar) {
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(bounds, bar, _CMP_GE_OQ)));
}

// Bits of eight slots, in the lowest place of each, out of 256.
TREEWRIGHT_AVX2_INLINE __m256i look_up_bits(const std::uint8_t* slots, const std::uint32_t* bits) {
  const auto places = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(slots)));
  const auto table = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bits));
  const auto words = _mm256_permutevar8x32_epi32(table, _mm256_srli_epi32(places, 5));
  return _mm256_srlv_epi32(words, _mm256_and_si256(places, _mm256_set1_epi32(31)));
}

}  // namespace treewright
#endif
