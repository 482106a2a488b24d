// Our own logarithms: those of libm differ between platforms in the last bit, and trees must not.
#pragma once

#include <numbers>

#include "treewright/math/fixed_point.hpp"  // for Fixed, product, ratio, times

namespace treewright {

// log2 of a positive, finite number; exact at powers of two.
inline double log2_of(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // in [0.5, 1)
  if (mantissa < std::numbers::sqrt2 / 2) {
    mantissa *= 2;
    --exponent;
  }
  // log(m) = 2 atanh(t), t = (m - 1) / (m + 1), |t| < 0.172: eleven terms reach double precision.
  const double t = (mantissa - 1) / (mantissa + 1), t2 = t * t;
  double sum = 1.0 / 23;
  for (int k = 21; k >= 1; k -= 2) sum = sum * t2 + 1.0 / k;
  return exponent + t * sum * (2 / std::numbers::ln2);
}

// log2 of a whole number. Small ones come up again and again.
inline double log2_of_whole(std::int64_t x) {
  static const auto small = [] {
    std::array<double, 1024> logs;
    for (std::size_t i = 0; i < logs.size(); ++i) logs[i] = log2_of(static_cast<double>(i));
    return logs;
  }();
  return x < std::ssize(small) ? small[static_cast<std::size_t>(x)] : log2_of(static_cast<double>(x));
}

// x log2 x, and 0 at 0 and 1, which are the shares in most leaves.
inline double x_log_x(double x) { return x > 0 && x != 1 ? x * log2_of(x) : 0.0; }

// x log2 x of many numbers at once, accurate enough to rule out most candidates; those that may win are
// scored in integers (`WideLog`). Numbers come in groups of this size, padded with zeros.
inline constexpr std::size_t kLogsAtOnce = 8;
// The error of a term is at most this times x, plus the rounding of doubles.
inline constexpr double kLogError = 0x1p-40;
TREEWRIGHT_INLINE void to_x_log_x_inline(double* values, std::size_t n) {
  constexpr std::uint64_t kBias = std::uint64_t{1024} << 52, kMiddle = 0x3FE6A09E667F3BCDu;  // sqrt(1/2)
  constexpr std::uint64_t kWhole = std::uint64_t{1075} << 52;                                // 2^52
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) {
    const double x = values[i];
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto above = (bits - kMiddle + kBias) >> 52;  // the exponent + 1024
    const double exponent = std::bit_cast<double>(above | kWhole) - (0x1p52 + 1024);
    const double mantissa = std::bit_cast<double>(bits - (above << 52) + kBias);  // in [sqrt(1/2), sqrt(2))
    // As in `log2_of`, with fewer terms: |t| < 0.172, and t^15 / 15 is the first term left out.
    const double t = (mantissa - 1) / (mantissa + 1), t2 = t * t;
    // Not a loop: Clang 14 would not unroll it before it vectorizes.
    const double sum =
        (((((1.0 / 13 * t2 + 1.0 / 11) * t2 + 1.0 / 9) * t2 + 1.0 / 7) * t2 + 1.0 / 5) * t2 + 1.0 / 3) * t2 +
        1;
    values[i] = x * (exponent + t * sum * (2 / std::numbers::ln2));
  }
}

// Write x log2 x in place of every x, which is 0 or in [2^-500, 2^500]. `n` is a multiple of kLogsAtOnce.
inline void to_x_log_x(double* values, std::size_t n) { Twins<to_x_log_x_inline>::call(values, n); }

// log2 of integers in fixed point, accurate to some 90 bits.
class WholeLogs {
 public:
  static constexpr std::int64_t kSmall = 4096;
  static constexpr int kTermBits = 90;

  static Fixed log2(std::uint64_t x) {
    return x < std::uint64_t{kSmall} ? tables().small_[x] : remembered(x);
  }

  // x log2 x of small numbers with 90 bits behind the point.
  static const Fixed* terms() { return tables().terms_.data(); }

 private:
  static constexpr int kSteps = 128;

  static const WholeLogs& tables() {
    static const WholeLogs only;
    return only;
  }

  WholeLogs() : small_(kSmall), terms_(kSmall), of_step_(kSteps) {
    for (std::size_t i = 1; i < small_.size(); ++i) {
      small_[i] = by_series(i);
      terms_[i] = times(static_cast<std::int64_t>(i), small_[i], kTermBits);
    }
    for (std::size_t step = 0; step < kSteps; ++step) {
      of_step_[step] = by_series(2 * kSteps + 2 * step + 1) - (static_cast<Fixed>(8) << kFixedBits);
    }
  }

  // From the logarithm of a number near x: they differ by 2 / ln 2 atanh(t), t = (x - near) / (x + near).
  static Fixed from(Fixed near, Fixed log_of_near, Fixed x, std::size_t n_terms) {
    const bool below = x < near;
    const auto t = ratio(below ? near - x : x - near, near + x), t2 = product(t, t);
    Fixed sum = 0;
    for (auto i = n_terms; i-- > 0;) sum = product(sum, t2) + kInverse[i];
    const auto log = product(product(t, sum), kTwoOverLn2);
    return below ? log_of_near - log : log_of_near + log;
  }

  // From the power of two at or below x: t is at most 1/3.
  static Fixed by_series(std::uint64_t x) {
    const auto exponent = static_cast<Fixed>(std::bit_width(x) - 1);
    return from(static_cast<Fixed>(1) << exponent, exponent << kFixedBits, x, kTerms);
  }

  // The sums of few rows come up again and again, however fine their units.
  static Fixed remembered(std::uint64_t x) {
    constexpr int kBits = 10;
    thread_local std::array<std::pair<std::uint64_t, Fixed>, std::size_t{1} << kBits> all;
    auto& [known, log] = all[(x * 0x9E3779B97F4A7C15u) >> (64 - kBits)];
    if (std::exchange(known, x) != x) log = tables().reduced(x);
    return log;
  }

  // From the middle of one of 128 steps between 2^e and 2^(e + 1): six terms are enough.
  Fixed reduced(std::uint64_t x) const {
    const int exponent = static_cast<int>(std::bit_width(x)) - 1;
    const auto step = static_cast<std::size_t>(x >> (exponent - 7)) - kSteps;
    const auto middle = static_cast<Fixed>(2 * kSteps + 2 * step + 1) << exponent;
    return from(middle, (static_cast<Fixed>(exponent) << kFixedBits) + of_step_[step],
                static_cast<Fixed>(x) << 8, 6);
  }

  static constexpr Fixed kTwoOverLn2 = static_cast<Fixed>(0x2E2A8ECA5u) << 64 | 0x705FC2EEFA1FFB41u;
  static constexpr std::size_t kTerms = 31;
  static constexpr auto kInverse = [] {  // of 1, 3, 5, ...
    std::array<Fixed, kTerms> all{};
    for (std::size_t i = 0; i < kTerms; ++i) all[i] = kFixedOne / (2 * i + 1);
    return all;
  }();

  std::vector<Fixed> small_;    // of 0, 1, 2, ...
  std::vector<Fixed> terms_;    // ... times that number
  std::vector<Fixed> of_step_;  // of the middles of the steps
};

// x log2 x of integers in fixed point, with some 40 bits more than a double has.
//
// Sums of such terms can be equal even if no two terms are: 3 log 3 + 6 log 2 = 6 log 6 - 3 log 3. If each
// term is rounded to a double, the two sides differ; if they are summed in fixed point and rounded once, they
// are equal, and the tie is recognized.
class WideLog {
 public:
  // Room for twice a sum of terms x log2 x whose x sum to at most `total`.
  explicit WideLog(std::int64_t total = 1) {
    const int width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(total)));
    bits_ = std::min(WholeLogs::kTermBits, 118 - width);
    noise_bits_ = std::max(0, bits_ - (84 - width));
    terms_ = bits_ == WholeLogs::kTermBits ? WholeLogs::terms() : nullptr;
  }

  Int128 x_log_x(std::int64_t x) const {
    if (x <= 1) return 0;
    if (x < WholeLogs::kSmall && terms_ != nullptr) return static_cast<Int128>(terms_[x]);
    return static_cast<Int128>(times(x, WholeLogs::log2(static_cast<std::uint64_t>(x)), bits_));
  }

  // A term x log2 x is off by some x 2^-90. The bits that this error reaches are rounded away, so that a sum
  // that should be zero is zero.
  double value(Int128 sum) const { return real(sum, bits_, noise_bits_); }

 private:
  int bits_, noise_bits_;
  const Fixed* terms_;
};

}  // namespace treewright
