// Powers of two, quicker than the library's functions, which must also mind what cannot come up here.
#pragma once

#include <bit>
#include <cstdint>

namespace treewright {

// 2^exponent, for -1022 <= exponent <= 1023.
inline double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// The largest power of two that is not above a positive number; -1023 where the number is below 2^-1022.
inline int exponent_of(double number) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(number) >> 52 & 0x7FF) - 1023;
}

}  // namespace treewright
