// x log2 x of many numbers at once, near enough to pass most questions by; what may win is judged in whole
// numbers (`WideLog`).
#pragma once

#include <cstddef>

namespace treewright {

// Numbers come in groups of so many, filled up with zeros.
inline constexpr std::size_t kLogsAtOnce = 8;

// A term is off by no more than this times x, but for the rounding of doubles.
inline constexpr double kLogError = 0x1p-40;

// Write x log2 x in place of every x: 0, or between 2^-500 and 2^500. `n` is a multiple of kLogsAtOnce.
void to_x_log_x(double* values, std::size_t n);

}  // namespace treewright
