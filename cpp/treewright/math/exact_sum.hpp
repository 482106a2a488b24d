// Sums of doubles that do not depend on the order of their terms.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "treewright/portable.hpp"  // for Int128

namespace treewright {

// Adds doubles as 128-bit fixed-point numbers. Every term is cut at the same place, some 70 bits below the
// last bit of the largest one, so the sum is exact unless the terms are more than 2^70 apart, and the same
// for any order always.
class ExactSum {
 public:
  // `most`: no term is larger in size; `n`: no more terms than this.
  ExactSum(double most, std::size_t n) {
    const int top = most > 0 ? std::ilogb(most) : 0;
    grid_ = top + 1 + std::bit_width(n) - 126;
  }

  void add(double term) {
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

}  // namespace treewright
