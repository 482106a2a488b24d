#include "treewright/table/weights.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace treewright {
namespace {

// Exponent of the lowest bit set in x > 0.
int lowest_bit(double x) {
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  return exponent - 53 + std::countr_zero(mantissa);
}

}  // namespace

Weights equal_weights(std::uint32_t n, double unit) {
  Weights weights;
  weights.unit = unit;
  weights.total = n;
  return weights;
}

Weights whole_weights(std::vector<double> given) {
  Weights out;
  double most = 0;
  int low = 2000;
  const bool are_equal = std::all_of(given.begin(), given.end(), [&](double w) { return w == given[0]; });
  for (const double w : given) {
    most = std::max(most, w);
    low = std::min(low, lowest_bit(w));
    if (are_equal) break;
  }
  // The total must stay below 2^62. Weights too fine for that are rounded to the finest grid that fits,
  // and none is rounded away.
  const int fits = std::ilogb(most) + 1 + static_cast<int>(std::bit_width(given.size())) - 62;
  const int grid = std::max(low, fits);
  const auto whole = [&](double w) { return std::max<std::int64_t>(1, std::llrint(std::ldexp(w, -grid))); };
  if (are_equal) {
    const auto unit = std::ldexp(static_cast<double>(whole(most)), grid);
    return equal_weights(static_cast<std::uint32_t>(given.size()), unit);
  }
  out.of_slot.reserve(given.size());
  std::int64_t divisor = 0;
  for (const double w : given) {
    out.of_slot.push_back(whole(w));
    divisor = std::gcd(divisor, out.of_slot.back());
  }
  out.unit = std::ldexp(static_cast<double>(divisor), grid);
  for (auto& w : out.of_slot) {
    w /= divisor;
    out.total += w;
  }
  if (std::all_of(out.of_slot.begin(), out.of_slot.end(), [](auto w) { return w == 1; })) {
    return equal_weights(static_cast<std::uint32_t>(given.size()), out.unit);
  }
  out.given = std::move(given);
  return out;
}

Weights in_fine_units(Weights weights) {
  if (weights.all_equal()) {
    weights.of_slot.assign(static_cast<std::size_t>(weights.total), 1);
    weights.given.assign(static_cast<std::size_t>(weights.total), weights.unit);
  }
  const int shift =
      std::max(0, 58 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(weights.total))));
  for (auto& weight : weights.of_slot) weight <<= shift;
  weights.total <<= shift;
  weights.unit = std::ldexp(weights.unit, -shift);
  return weights;
}

}  // namespace treewright
