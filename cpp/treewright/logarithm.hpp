// Logarithms of our own: libm's differ between platforms in the last bit, and a tree must not.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

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

// x log2 x, and 0 at 0.
inline double x_log_x(double x) { return x > 0 ? x * log2_of(x) : 0.0; }

// x log2 x of whole numbers in fixed point, with some 40 bits more than a double has.
//
// Sums of such terms can be equal though no two terms are: 3 log 3 + 6 log 2 = 6 log 6 - 3 log 3. Rounded to
// doubles one by one the two sides differ; summed in fixed point and rounded once they do not, and a tie is
// seen as a tie.
class WideLog {
 public:
  // Room for sums of terms x log2 x whose x sum up to at most `total`, twice over.
  explicit WideLog(std::int64_t total = 1) {
    const int width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(total)));
    bits_ = std::min(90, 118 - width);
    noise_bits_ = std::max(0, bits_ - (84 - width));
  }

  __int128 x_log_x(std::int64_t x) const {
    if (x <= 1) return 0;
    const auto whole = static_cast<unsigned __int128>(x);
    const auto log = log2_of_whole(static_cast<std::uint64_t>(x));
    const auto above = whole * static_cast<std::uint64_t>(log >> 96);
    const auto high = whole * static_cast<std::uint64_t>(log >> 48 & kHalf);
    const auto low = whole * static_cast<std::uint64_t>(log & kHalf);
    const int drop = 96 - bits_;
    const auto fraction = drop >= 48 ? (high >> (drop - 48)) : (high << (48 - drop));
    return static_cast<__int128>((above << bits_) + fraction + (low >> drop));
  }

  // A term x log2 x is off by some x 2^-93. The bits that this reaches are rounded away: a sum that should be
  // zero is zero.
  double value(__int128 sum) const {
    if (noise_bits_ == 0) return std::ldexp(static_cast<double>(sum), -bits_);
    const auto rounded = (sum + (static_cast<__int128>(1) << (noise_bits_ - 1))) >> noise_bits_;
    return std::ldexp(static_cast<double>(rounded), noise_bits_ - bits_);
  }

 private:
  static constexpr std::uint64_t kHalf = (std::uint64_t{1} << 48) - 1;

  // Of two numbers with 96 bits behind the point.
  static unsigned __int128 product(unsigned __int128 a, unsigned __int128 b) {
    const auto a1 = a >> 48, a0 = a & kHalf, b1 = b >> 48, b0 = b & kHalf;
    return a1 * b1 + ((a1 * b0 + a0 * b1) >> 48);
  }

  // log2 x with 96 bits behind the point, as 2 / ln 2 atanh((m - 1) / (m + 1)) for x = m 2^e.
  static unsigned __int128 compute_log2(std::uint64_t x) {
    int exponent = static_cast<int>(std::bit_width(x)) - 1;
    if (static_cast<double>(x) > std::ldexp(std::numbers::sqrt2, exponent)) ++exponent;
    const auto power = static_cast<unsigned __int128>(1) << exponent;
    const bool below = x < power;
    const auto over = below ? power - x : x - power, under = power + x;
    const auto first = (over << 64) / under, rest = (over << 64) % under;
    const auto t = (first << 32) + (rest << 32) / under, t2 = product(t, t);
    unsigned __int128 sum = 0, term = t;
    for (unsigned k = 1; term > 0; k += 2) {
      sum += term / k;
      term = product(term, t2);
    }
    constexpr auto kTwoOverLn2 = static_cast<unsigned __int128>(0x2E2A8ECA5u) << 64 | 0x705FC2EEFA1FFB41u;
    const auto log = product(sum, kTwoOverLn2);
    const auto whole = static_cast<unsigned __int128>(exponent) << 96;
    return below ? whole - log : whole + log;
  }

  static unsigned __int128 log2_of_whole(std::uint64_t x) {
    static const auto small = [] {
      std::vector<unsigned __int128> table(4096);
      for (std::uint64_t i = 1; i < table.size(); ++i) table[i] = compute_log2(i);
      return table;
    }();
    return x < small.size() ? small[x] : compute_log2(x);
  }

  int bits_, noise_bits_;
};

}  // namespace treewright
