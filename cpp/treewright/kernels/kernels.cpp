#include "treewright/kernels/kernels.hpp"

#ifdef TREEWRIGHT_X86
#include <immintrin.h>
#endif

namespace treewright {
namespace {

#ifdef TREEWRIGHT_X86

// For each of the 256 patterns of eight sides: the bytes of the entries with side 0, in order, then anything.
template <std::size_t kSize>
constexpr auto zeros_of_pattern = [] {
  std::array<std::array<std::uint8_t, 8 * kSize>, 256> places{};
  for (unsigned pattern = 0; pattern < 256; ++pattern) {
    std::size_t at = 0;
    for (std::size_t byte = 0; byte < 8 * kSize; ++byte) {
      if ((pattern >> byte / kSize & 1) == 0) places[pattern][at++] = static_cast<std::uint8_t>(byte);
    }
  }
  return places;
}();

// Write those of eight entries whose bit in the pattern is 0, in order, then anything.
TREEWRIGHT_AVX2 inline void compress(const std::uint32_t* from, unsigned pattern, std::uint32_t* to) {
  const auto entries = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  const auto places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&zeros_of_pattern<1>[pattern]));
  const auto parted = _mm256_permutevar8x32_epi32(entries, _mm256_cvtepu8_epi32(places));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), parted);
}

TREEWRIGHT_AVX2 inline void compress(const std::uint16_t* from, unsigned pattern, std::uint16_t* to) {
  const auto entries = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  const auto places = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&zeros_of_pattern<2>[pattern]));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(entries, places));
}

TREEWRIGHT_AVX2 inline void compress(const std::uint8_t* from, unsigned pattern, std::uint8_t* to) {
  const auto entries = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  const auto places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&zeros_of_pattern<1>[pattern]));
  _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(entries, places));
}

// Eight entries at a time. Writing eight at the front is safe: the front never overtakes what was read. The
// last few bytes are partitioned along with what lies behind them, which is restored at the end.
template <class Index>
TREEWRIGHT_AVX2 std::uint32_t part_avx2(Index* list, std::uint32_t n, const std::uint8_t* side,
                                        Index* spare) {
  constexpr bool kIsBytes = sizeof(Index) == 1;
  Index eight[8], behind[8];
  if constexpr (kIsBytes) std::memcpy(behind, list + n, sizeof behind);
  std::uint32_t n_left = 0, i = 0;
  for (; kIsBytes ? i < n : i + 8 <= n; i += 8) {
    const Index* entries = list + i;
    unsigned right = 0;  // one bit per entry
    for (unsigned lane = 0; lane < 8; ++lane) right |= static_cast<unsigned>(side[entries[lane]]) << lane;
    if (kIsBytes && n - i < 8) right = (right | 0xFFu << (n - i)) & 0xFFu;
    std::memcpy(eight, entries, sizeof eight);
    compress(eight, right, list + n_left);
    compress(eight, right ^ 0xFFu, spare + (i - n_left));
    n_left += 8 - static_cast<std::uint32_t>(std::popcount(right));
  }
  if constexpr (kIsBytes) {
    for (std::uint32_t j = n_left; j < n; j += 8) std::memcpy(list + j, spare + (j - n_left), 8);
    std::memcpy(list + n, behind, sizeof behind);
    return n_left;
  }
  return part_one_by_one(list, i, n, [=](Index entry) { return side[entry]; }, spare, n_left);
}

#endif

}  // namespace

template <class Index>
std::uint32_t part(Index* list, std::uint32_t n, const std::uint8_t* side, Index* spare) {
#ifdef TREEWRIGHT_X86
  constexpr std::uint32_t kPartsByEight = sizeof(Index) == 1 ? 1 : 16;  // fewer are partitioned one by one
  if (uses_avx2 && n >= kPartsByEight) return part_avx2(list, n, side, spare);
#endif
  return part_one_by_one(list, 0, n, [=](Index entry) { return side[entry]; }, spare, 0);
}

template std::uint32_t part(std::uint32_t*, std::uint32_t, const std::uint8_t*, std::uint32_t*);
template std::uint32_t part(std::uint16_t*, std::uint32_t, const std::uint8_t*, std::uint16_t*);
template std::uint32_t part(std::uint8_t*, std::uint32_t, const std::uint8_t*, std::uint8_t*);

}  // namespace treewright
