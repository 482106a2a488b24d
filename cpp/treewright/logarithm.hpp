// One log2 of our own: libm's differs between platforms in the last bit, and a tree must not.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

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

}  // namespace treewright
