#include "treewright/math/logarithm.hpp"

#include "treewright/portable.hpp"  // for Twins

namespace treewright {
namespace {

TREEWRIGHT_INLINE void to_x_log_x_inline(double* values, std::size_t n) {
  constexpr std::uint64_t kBias = std::uint64_t{1024} << 52, kMiddle = 0x3FE6A09E667F3BCDu;  // sqrt(1/2)
  constexpr std::uint64_t kWhole = std::uint64_t{1075} << 52;                                // 2^52
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) {
    const double x = values[i];
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto above = (bits - kMiddle + kBias) >> 52;  // the exponent, and 1024
    const double exponent = std::bit_cast<double>(above | kWhole) - (0x1p52 + 1024);
    const double mantissa = std::bit_cast<double>(bits - (above << 52) + kBias);  // in [sqrt(1/2), sqrt(2))
    // As `log2_of` does, with fewer terms: |t| < 0.172, and t^15 / 15 is what is left out.
    const double t = (mantissa - 1) / (mantissa + 1), t2 = t * t;
    double sum = 1.0 / 13;
    sum = sum * t2 + 1.0 / 11;
    sum = sum * t2 + 1.0 / 9;
    sum = sum * t2 + 1.0 / 7;
    sum = sum * t2 + 1.0 / 5;
    sum = sum * t2 + 1.0 / 3;
    sum = sum * t2 + 1.0;
    values[i] = x * (exponent + t * sum * (2 / std::numbers::ln2));
  }
}

}  // namespace

void to_x_log_x(double* values, std::size_t n) { Twins<to_x_log_x_inline>::call(values, n); }

}  // namespace treewright
