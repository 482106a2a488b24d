// Numbers in fixed point: sums of them do not depend on order.
#pragma once

#include "treewright/interrupt.hpp"

namespace treewright {

// With 96 bits behind the point: truncation makes equal sums differ some 40 bits below a double's last bit.
using Fixed = UInt128;

inline constexpr int kFixedBits = 96;
inline constexpr Fixed kFixedOne = static_cast<Fixed>(1) << kFixedBits;
inline constexpr std::uint64_t kLowHalf = (std::uint64_t{1} << 48) - 1;

// The product of numbers below 2^15.
inline Fixed product(Fixed a, Fixed b) {
  const auto a1 = static_cast<std::uint64_t>(a >> 48), a0 = static_cast<std::uint64_t>(a) & kLowHalf;
  const auto b1 = static_cast<std::uint64_t>(b >> 48), b0 = static_cast<std::uint64_t>(b) & kLowHalf;
  return static_cast<Fixed>(a1) * b1 + ((static_cast<Fixed>(a1) * b0 + static_cast<Fixed>(a0) * b1) >> 48);
}

// over / under, which is at most 1; over below 2^63, under below 2^95.
inline Fixed ratio(Fixed over, Fixed under) {
  const auto first = (over << 64) / under, rest = (over << 64) - first * under;
  return (first << 32) + (rest << 32) / under;
}

// whole * x, truncated to `bits` behind the point, 48 or more.
inline Fixed times(std::int64_t whole, Fixed x, int bits) {
  const auto factor = static_cast<Fixed>(whole);
  const auto above = factor * static_cast<std::uint64_t>(x >> 96);
  const auto high = factor * (static_cast<std::uint64_t>(x >> 48) & kLowHalf);
  const auto low = factor * (static_cast<std::uint64_t>(x) & kLowHalf);
  const int drop = kFixedBits - bits;
  return (above << bits) + (high << (48 - drop)) + (low >> drop);
}

// A sum with `bits` behind the point, the last `noise_bits` of them noise, as a double.
inline double real(Int128 sum, int bits, int noise_bits) {
  if (noise_bits == 0) return std::ldexp(static_cast<double>(sum), -bits);
  const auto rounded = (sum + (static_cast<Int128>(1) << (noise_bits - 1))) >> noise_bits;
  return std::ldexp(static_cast<double>(rounded), noise_bits - bits);
}

// Adds doubles as 128-bit fixed-point numbers, the same in any order. Every term is truncated some 70 bits
// below the last bit of the largest one, so the sum is exact unless terms are more than 2^70 apart.
class ExactSum {
 public:
  // `most`: the largest magnitude of a term; `n`: the largest number of terms.
  ExactSum(double most, std::size_t n) {
    const int top = most > 0 ? std::ilogb(most) : 0;
    grid_ = top + 1 + std::bit_width(n) - 126;
  }

  TREEWRIGHT_INLINE void add(double term) {
    const auto bits = std::bit_cast<std::uint64_t>(term);
    const auto field = static_cast<int>(bits >> 52 & 0x7FF);
    auto mantissa = static_cast<std::int64_t>(bits & ((std::uint64_t{1} << 52) - 1));
    if (field > 0) mantissa |= std::int64_t{1} << 52;
    if (bits >> 63) mantissa = -mantissa;
    const int shift = (field > 0 ? field : 1) - 1075 - grid_;
    if (shift >= 0) {
      sum_ += static_cast<Int128>(mantissa) << shift;
    } else if (shift > -64) {
      sum_ += mantissa >> -shift;
    }
  }

  // Correctly rounded.
  double value() const { return std::ldexp(static_cast<double>(sum_), grid_); }

 private:
  Int128 sum_ = 0;
  int grid_ = 0;
};

// 2^exponent, -1022 <= exponent <= 1023; faster than the library, which handles what cannot occur here.
inline double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// The exponent of the largest power of two not above a positive number; -1023 if that is below 2^-1022.
inline int exponent_of(double number) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(number) >> 52 & 0x7FF) - 1023;
}

// Sums over some rows.
template <class Amount>
struct SumsOf {
  Amount amount = 0;
  std::int64_t weight = 0;
  SumsOf operator+(const SumsOf& more) const { return {amount + more.amount, weight + more.weight}; }
  SumsOf operator-(const SumsOf& less) const { return {amount - less.amount, weight - less.weight}; }
};
using Sums = SumsOf<std::int64_t>;

// Numbers are measured from the least of them, in steps of a power of two that keep their sum below 2^62.
struct NumberGrid {
  double low = 0, scale = 1;   // steps per unit
  int exponent = 0, bits = 1;  // of a step; of the largest number, in steps

  NumberGrid() = default;
  // `most`: distance of the largest number from the least.
  NumberGrid(double least, double most, std::size_t n_rows)
      : low(least), bits(std::min(53, 62 - static_cast<int>(std::bit_width(n_rows)))) {
    exponent = std::max(-1000, (most > 0 ? exponent_of(most) : 0) + 1 - bits);
    scale = power_of_two(-exponent);
  }

  std::int64_t whole(double number) const { return std::llrint((number - low) * scale); }
};

}  // namespace treewright
