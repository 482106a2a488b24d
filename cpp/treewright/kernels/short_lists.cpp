#include "treewright/kernels/short_lists.hpp"

#include <cmath>

#include "treewright/kernels/avx2.hpp"  // for sum_along, bound_of, who_reaches, look_up_bits
#include "treewright/portable.hpp"      // for uses_avx2

namespace treewright {

void ShortNode::fill_inverse(std::uint32_t n_given, const double* shares) {
  n = n_given;
  for (std::uint32_t i = 1; i < n; ++i)
    inverse[i - 1] = static_cast<float>((shares[i] + shares[n - i]) * shares[n]);
  for (std::uint32_t i = n - 1; i < n + 8; ++i) inverse[i] = 0;
}

void ShortNode::pack(std::span<const std::uint8_t> classes) {
  is_one = {};
  for (std::size_t slot = 0; slot < classes.size(); ++slot)
    is_one[slot / 32] |= std::uint32_t{classes[slot]} << slot % 32;
}

void ShortNode::measure_classes(double mean_given) {
  mean = static_cast<float>(mean_given);
  slack = 0x1p-14F;  // whole numbers below 256, and their products with the mean
}

void ShortNode::measure_numbers(std::span<const std::uint8_t> slots, std::span<const std::int64_t> amounts,
                                double mean_given) {
  double spread = 0;
  for (const auto slot : slots) {
    const double away = static_cast<double>(amounts[slot]) - mean_given;
    spread += std::abs(away);
    from_mean[slot] = static_cast<float>(away);
  }
  // Numbers of 24 bits, rounded once each, and added up in fewer than fifty steps.
  slack = static_cast<float>(spread) * 0x1p-18F;
}

namespace {

template <class DistanceAfter>
bool bound_plain(const std::uint8_t* list, const ShortNode& node, float bar, ShortCuts& cuts,
                 const DistanceAfter& distance_after) {
  cuts.bits = {};
  for (std::uint32_t i = 0; i + 1 < node.n; ++i) {
    const float away = std::abs(distance_after(list[i], i)) + node.slack;
    cuts.bounds[i] = away * away * node.inverse[i];
    if (cuts.bounds[i] >= bar) cuts.bits[i / 64] |= std::uint64_t{1} << i % 64;
  }
  return keep_between(0, node.n - 2, cuts);
}

// Each of eight becomes the sum of those up to it, added up as AVX2 does: both twins round alike.
TREEWRIGHT_INLINE void sum_along_plain(std::array<float, 8>& numbers) {
  for (const std::size_t places : {1, 2}) {
    for (std::size_t lane = 8; lane-- > 0;) {
      if (lane % 4 >= places) numbers[lane] += numbers[lane - places];
    }
  }
  for (std::size_t lane = 4; lane < 8; ++lane) numbers[lane] += numbers[3];
}

bool numbers_plain(const std::uint8_t* list, const ShortNode& node, float bar, ShortCuts& cuts) {
  float before = 0;
  std::array<float, 8> sums;
  return bound_plain(list, node, bar, cuts, [&](std::uint8_t, std::uint32_t i) {
    if (i % 8 == 0) {
      for (std::uint32_t lane = 0; lane < 8; ++lane)
        sums[lane] = i + lane < node.n ? node.from_mean[list[i + lane]] : 0;
      sum_along_plain(sums);
      for (auto& sum : sums) sum += before;
      before = sums[7];
    }
    return sums[i % 8];
  });
}

bool classes_plain(const std::uint8_t* list, const ShortNode& node, float bar, ShortCuts& cuts) {
  std::int32_t ones = 0;
  return bound_plain(list, node, bar, cuts, [&](std::uint8_t slot, std::uint32_t i) {
    ones += static_cast<std::int32_t>(node.is_one[slot / 32] >> slot % 32 & 1);
    cuts.ones[i] = ones;
    return static_cast<float>(ones) - static_cast<float>(i + 1) * node.mean;
  });
}

// `along`: codes in the order of the list.
void tied_plain(const std::uint8_t* along, std::uint32_t n, std::uint64_t* is_tied) {
  for (std::uint32_t i = 0; i + 1 < n; ++i) {
    if (along[i] == along[i + 1]) is_tied[i / 64] |= std::uint64_t{1} << i % 64;
  }
}

std::size_t highest_plain(const ShortCuts& cuts) {
  std::size_t highest = kShortSlots;
  cuts.for_each([&](std::size_t place) {
    if (highest == kShortSlots || cuts.bounds[place] > cuts.bounds[highest]) highest = place;
  });
  return highest;
}

#ifdef TREEWRIGHT_X86

TREEWRIGHT_AVX2 void tied_avx2(const std::uint8_t* along, std::uint32_t n, std::uint64_t* is_tied) {
  for (std::uint32_t i = 0; i + 1 < n; i += 32) {
    const auto here = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(along + i));
    const auto next = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(along + i + 1));
    const auto same = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(here, next)));
    is_tied[i / 64] |= std::uint64_t{same} << i % 64;
  }
}

TREEWRIGHT_AVX2 void above_avx2(float bar, std::uint32_t n, ShortCuts& cuts) {
  const auto least = _mm256_set1_ps(bar);
  std::array<std::uint64_t, kShortSlots / 64> above{};
  for (std::uint32_t i = 0; i + 1 < n; i += 8)
    above[i / 64] |= std::uint64_t{who_reaches(_mm256_load_ps(cuts.bounds.data() + i), least)} << i % 64;
  for (std::size_t word = 0; word < above.size(); ++word) cuts.bits[word] &= above[word];
}

// Bounds are not negative, and whoever is asked about has one: others may stand there with nothing.
TREEWRIGHT_AVX2 std::size_t highest_avx2(const ShortCuts& cuts, std::uint32_t n) {
  const auto lanes = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
  const auto who = [&](std::uint32_t i) TREEWRIGHT_AVX2 {
    const auto bits = _mm256_set1_epi32(static_cast<int>(cuts.bits[i / 64] >> i % 64 & 255));
    const auto is_set = _mm256_cmpeq_epi32(_mm256_and_si256(bits, lanes), lanes);
    return _mm256_and_ps(_mm256_load_ps(cuts.bounds.data() + i), _mm256_castsi256_ps(is_set));
  };
  auto most = _mm256_setzero_ps();
  for (std::uint32_t i = 0; i + 1 < n; i += 8) most = _mm256_max_ps(most, who(i));
  most = _mm256_max_ps(most, _mm256_permute2f128_ps(most, most, 1));
  most = _mm256_max_ps(most, _mm256_permute_ps(most, 0x4E));
  most = _mm256_max_ps(most, _mm256_permute_ps(most, 0xB1));
  for (std::uint32_t i = 0; i + 1 < n; i += 8) {
    const auto found = who_reaches(who(i), most) & static_cast<unsigned>(cuts.bits[i / 64] >> i % 64 & 255);
    if (found != 0) return i + static_cast<std::uint32_t>(std::countr_zero(found));
  }
  return kShortSlots;
}

// `distances_after(i)`: of eight cuts from place i on.
template <class DistancesAfter>
TREEWRIGHT_AVX2_INLINE bool bound_avx2(const ShortNode& node, float bar, ShortCuts& cuts,
                                       const DistancesAfter& distances_after) {
  const auto slack = _mm256_set1_ps(node.slack), least = _mm256_set1_ps(bar);
  cuts.bits = {};
  for (std::uint32_t i = 0; i + 1 < node.n; i += 8) {
    const auto bounds = bound_of(distances_after(i), slack, _mm256_load_ps(node.inverse.data() + i));
    _mm256_store_ps(cuts.bounds.data() + i, bounds);
    cuts.bits[i / 64] |= std::uint64_t{who_reaches(bounds, least)} << i % 64;
  }
  return keep_between(0, node.n - 2, cuts);
}

struct NumbersAfter {
  const std::uint8_t* list;
  const float* from_mean;
  mutable __m256 before;

  TREEWRIGHT_AVX2_INLINE __m256 operator()(std::uint32_t i) const {
    const auto* slot = list + i;
    // One by one: CPUs that must not leak what they gather take long over it.
    const auto eight =
        _mm256_set_ps(from_mean[slot[7]], from_mean[slot[6]], from_mean[slot[5]], from_mean[slot[4]],
                      from_mean[slot[3]], from_mean[slot[2]], from_mean[slot[1]], from_mean[slot[0]]);
    const auto sums = _mm256_add_ps(sum_along(eight), before);
    before = _mm256_permutevar8x32_ps(sums, _mm256_set1_epi32(7));
    return sums;
  }
};

struct ClassesAfter {
  const std::uint8_t* list;
  const std::uint32_t* is_one;
  __m256 mean;
  std::int32_t* ones_left;
  mutable __m256i before;

  TREEWRIGHT_AVX2_INLINE __m256 operator()(std::uint32_t i) const {
    const auto ones = _mm256_and_si256(look_up_bits(list + i, is_one), _mm256_set1_epi32(1));
    const auto sums = _mm256_add_epi32(sum_along(ones), before);
    before = _mm256_permutevar8x32_epi32(sums, _mm256_set1_epi32(7));
    _mm256_store_si256(reinterpret_cast<__m256i*>(ones_left + i), sums);
    const auto n_left = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(i) + 1),
                                         _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    return _mm256_sub_ps(_mm256_cvtepi32_ps(sums), _mm256_mul_ps(_mm256_cvtepi32_ps(n_left), mean));
  }
};

TREEWRIGHT_AVX2 bool numbers_avx2(const std::uint8_t* list, const ShortNode& node, float bar,
                                  ShortCuts& cuts) {
  return bound_avx2(node, bar, cuts, NumbersAfter{list, node.from_mean.data(), _mm256_setzero_ps()});
}

TREEWRIGHT_AVX2 bool classes_avx2(const std::uint8_t* list, const ShortNode& node, float bar,
                                  ShortCuts& cuts) {
  return bound_avx2(node, bar, cuts,
                    ClassesAfter{list, node.is_one.data(), _mm256_set1_ps(node.mean), cuts.ones.data(),
                                 _mm256_setzero_si256()});
}

#endif

}  // namespace

bool keep_between(std::uint32_t first, std::uint32_t last, ShortCuts& cuts) {
  std::uint64_t any = 0;
  for (std::uint32_t word = 0; word < cuts.bits.size(); ++word) {
    const auto below = [&](std::uint32_t place) {  // bits of the word that stand for a lower place
      const auto n_below = place > 64 * word ? place - 64 * word : 0;
      return n_below >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n_below) - 1;
    };
    cuts.bits[word] &= below(last + 1) & ~below(first);
    any |= cuts.bits[word];
  }
  return any != 0;
}

bool drop_ties(const std::uint8_t* list, const std::uint8_t* code, std::uint32_t n, ShortCuts& cuts) {
  alignas(32) std::array<std::uint8_t, kShortSlots + 32> along;
  for (std::uint32_t i = 0; i < n; ++i) along[i] = code[list[i]];
  std::array<std::uint64_t, kShortSlots / 64> is_tied{};
#ifdef TREEWRIGHT_X86
  if (uses_avx2) {
    tied_avx2(along.data(), n, is_tied.data());
  } else {
    tied_plain(along.data(), n, is_tied.data());
  }
#else
  tied_plain(along.data(), n, is_tied.data());
#endif
  std::uint64_t any = 0;
  for (std::size_t word = 0; word < is_tied.size(); ++word) any |= cuts.bits[word] &= ~is_tied[word];
  return any != 0;
}

void keep_above(float bar, std::uint32_t n, ShortCuts& cuts) {
#ifdef TREEWRIGHT_X86
  if (uses_avx2) return above_avx2(bar, n, cuts);
#endif
  for (std::uint32_t i = 0; i + 1 < n; ++i) {
    if (cuts.bounds[i] < bar) cuts.bits[i / 64] &= ~(std::uint64_t{1} << i % 64);
  }
}

std::size_t highest_of(const ShortCuts& cuts, [[maybe_unused]] std::uint32_t n) {
#ifdef TREEWRIGHT_X86
  if (uses_avx2) return highest_avx2(cuts, n);
#endif
  return highest_plain(cuts);
}

bool bound_cuts_of_numbers(const std::uint8_t* list, const ShortNode& node, float bar, ShortCuts& cuts) {
#ifdef TREEWRIGHT_X86
  if (uses_avx2) return numbers_avx2(list, node, bar, cuts);
#endif
  return numbers_plain(list, node, bar, cuts);
}

bool bound_cuts_of_classes(const std::uint8_t* list, const ShortNode& node, float bar, ShortCuts& cuts) {
#ifdef TREEWRIGHT_X86
  if (uses_avx2) return classes_avx2(list, node, bar, cuts);
#endif
  return classes_plain(list, node, bar, cuts);
}

}  // namespace treewright
