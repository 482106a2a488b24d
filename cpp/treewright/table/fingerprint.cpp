#include "treewright/table/fingerprint.hpp"

#include <algorithm>
#include <bit>

#include "treewright/interrupt.hpp"      // for heed_interrupts
#include "treewright/portable.hpp"       // for Twins
#include "treewright/recipe/random.hpp"  // for mix, kGolden

namespace treewright {
namespace {

template <class Value>
std::uint64_t bits_of(Value value) {
  if constexpr (std::is_integral_v<Value>) return static_cast<std::uint64_t>(std::int64_t{value});
  constexpr std::uint64_t kNaN = 0x7FF8000000000000;  // every NaN counts as this one
  return value == value ? std::bit_cast<std::uint64_t>(static_cast<double>(value)) : kNaN;
}

// Add the values of a column, from some row on, to as many totals.
template <class Value>
TREEWRIGHT_INLINE void add_values(const Column& column, std::size_t begin, std::uint64_t factor,
                                  std::span<std::uint64_t> totals) {
  if (column.stride() == sizeof(Value)) {
    const Column dense(column.data(), sizeof(Value), column.type());
#pragma omp simd
    for (std::size_t i = 0; i < totals.size(); ++i)
      totals[i] += bits_of(dense.value<Value>(begin + i)) * factor;
  } else {
    for (auto& total : totals) total += bits_of(column.value<Value>(begin++)) * factor;
  }
}

void add(const Column& column, std::size_t begin, std::uint64_t factor, std::span<std::uint64_t> totals) {
  with_type(column.type(),
            [&]<class Value>() { Twins<add_values<Value>>::call(column, begin, factor, totals); });
}

}  // namespace

std::vector<std::uint64_t> numbers_of_rows(std::span<const Column> columns, const Column& target,
                                           const Column* weights, std::size_t n_rows, std::uint64_t seed) {
  std::vector<std::uint64_t> factors(columns.size() + 2);  // of the target, the weight, every column
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = mix(i * kGolden) | 1;
  // `mix` adds kGolden first, which is no part of the numbers.
  const auto start = (seed - 1) * kGolden + (weights ? 0 : bits_of(1.0) * factors[1]);
  std::vector<std::uint64_t> numbers(n_rows, start);
  // So few rows at a time that a row-major table is read from memory once: what its columns share stays in
  // the cache.
  const auto most = std::clamp<std::size_t>(4096 / factors.size(), 16, 256);
  for (std::size_t begin = 0; begin < n_rows; begin += most) {
    heed_interrupts_after(most * factors.size());
    const auto share = std::span(numbers).subspan(begin, std::min(most, n_rows - begin));
    add(target, begin, factors[0], share);
    if (weights) add(*weights, begin, factors[1], share);
    for (std::size_t i = 0; i < columns.size(); ++i) add(columns[i], begin, factors[i + 2], share);
    std::ranges::transform(share, share.begin(), mix);
  }
  return numbers;
}

std::uint64_t fingerprint(std::span<const Column> columns, const Column& target, const Column* weights,
                          std::size_t n_rows) {
  const auto numbers = numbers_of_rows(columns, target, weights, n_rows, 0);
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (!weights || weights->number(row) != 0) sum += numbers[row];
  }
  return sum;
}

}  // namespace treewright
