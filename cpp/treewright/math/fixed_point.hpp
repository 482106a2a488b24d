// Numbers with 96 bits behind the point. Sums of them do not depend on order, and where two sums are truly
// equal, what truncation leaves between them lies some 40 bits below the last bit of a double.
#pragma once

#include <cmath>
#include <cstdint>

#include "treewright/portable.hpp"  // for Int128, UInt128

namespace treewright {

using Fixed = UInt128;

inline constexpr int kFixedBits = 96;
inline constexpr Fixed kFixedOne = static_cast<Fixed>(1) << kFixedBits;

// Of numbers below 2^15.
inline Fixed product(Fixed a, Fixed b) {
  constexpr std::uint64_t kHalf = (std::uint64_t{1} << 48) - 1;
  const auto a1 = static_cast<std::uint64_t>(a >> 48), a0 = static_cast<std::uint64_t>(a) & kHalf;
  const auto b1 = static_cast<std::uint64_t>(b >> 48), b0 = static_cast<std::uint64_t>(b) & kHalf;
  return static_cast<Fixed>(a1) * b1 + ((static_cast<Fixed>(a1) * b0 + static_cast<Fixed>(a0) * b1) >> 48);
}

// over / under, which is at most 1; over below 2^63, under below 2^95.
inline Fixed ratio(Fixed over, Fixed under) {
  const auto first = (over << 64) / under, rest = (over << 64) - first * under;
  return (first << 32) + (rest << 32) / under;
}

// whole * x, cut off at `bits` behind the point.
inline Fixed times(std::int64_t whole, Fixed x, int bits) {
  constexpr std::uint64_t kHalf = (std::uint64_t{1} << 48) - 1;
  const auto factor = static_cast<Fixed>(whole);
  const auto above = factor * static_cast<std::uint64_t>(x >> 96);
  const auto high = factor * (static_cast<std::uint64_t>(x >> 48) & kHalf);
  const auto low = factor * (static_cast<std::uint64_t>(x) & kHalf);
  const int drop = kFixedBits - bits;
  const auto fraction = drop >= 48 ? (high >> (drop - 48)) : (high << (48 - drop));
  return (above << bits) + fraction + (low >> drop);
}

// A sum with `bits` behind the point, of which the last are noise, as a double.
inline double real(Int128 sum, int bits, int noise_bits) {
  if (noise_bits == 0) return std::ldexp(static_cast<double>(sum), -bits);
  const auto rounded = (sum + (static_cast<Int128>(1) << (noise_bits - 1))) >> noise_bits;
  return std::ldexp(static_cast<double>(rounded), noise_bits - bits);
}

}  // namespace treewright
