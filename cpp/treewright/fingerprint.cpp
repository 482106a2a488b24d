#include "treewright/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace treewright {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kNaN = 0x7FF8000000000000;  // every NaN counts as this one
constexpr std::uint64_t kInfinity = 0x7FF0000000000000;

// Rows looked at together. A row-major table is then read from memory once: what its columns share stays in
// the cache.
constexpr std::size_t kMostRows = 256;
constexpr std::size_t kValues = 8192;

using Totals = std::array<std::uint64_t, kMostRows>;

// The last steps of SplitMix64.
std::uint64_t scrambled(std::uint64_t number) {
  number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9;
  number = (number ^ number >> 27) * 0x94D049BB133111EB;
  return number ^ number >> 31;
}

std::uint64_t bits_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits << 1) > (kInfinity << 1) ? kNaN : bits;
}
std::uint64_t bits_of(float value) { return bits_of(static_cast<double>(value)); }
std::uint64_t bits_of(std::int64_t value) { return static_cast<std::uint64_t>(value); }
std::uint64_t bits_of(std::int32_t code) { return bits_of(std::int64_t{code}); }

// The values of a column from some row on.
template <class Value>
class Walk {
 public:
  Walk(const Column& column, std::size_t begin)
      : at_(column.data() + static_cast<std::ptrdiff_t>(begin) * column.stride()), stride_(column.stride()) {}

  std::uint64_t next_bits() {
    Value value;
    std::memcpy(&value, at_, sizeof value);
    at_ += stride_;
    return bits_of(value);
  }

 private:
  const std::byte* at_;
  std::ptrdiff_t stride_;
};

// Two columns at a time: more do not fit the registers.
template <class Value>
void add(const Column* columns, const std::uint64_t* times, std::size_t n_columns, std::size_t begin,
         std::size_t n, Totals& totals) {
  std::size_t at = 0;
  for (; at + 2 <= n_columns; at += 2) {
    Walk<Value> a(columns[at], begin), b(columns[at + 1], begin);
    const auto of_a = times[at], of_b = times[at + 1];
    for (std::size_t i = 0; i < n; ++i) totals[i] += a.next_bits() * of_a + b.next_bits() * of_b;
  }
  if (at < n_columns) {
    Walk<Value> a(columns[at], begin);
    for (std::size_t i = 0; i < n; ++i) totals[i] += a.next_bits() * times[at];
  }
}

// Columns of one type.
void add(std::span<const Column> columns, const std::uint64_t* times, std::size_t begin, std::size_t n,
         Totals& totals) {
  switch (columns[0].type()) {
    case ValueType::Float64:
      return add<double>(columns.data(), times, columns.size(), begin, n, totals);
    case ValueType::Float32:
      return add<float>(columns.data(), times, columns.size(), begin, n, totals);
    case ValueType::Int64:
      return add<std::int64_t>(columns.data(), times, columns.size(), begin, n, totals);
    case ValueType::Category:
      return add<std::int32_t>(columns.data(), times, columns.size(), begin, n, totals);
  }
}

// Call take(begin, numbers of the rows from there on) for one share of the rows after the other.
template <class Take>
void for_shares(std::span<const Column> columns, const Column& target, const Column* weights,
                std::size_t n_rows, std::uint64_t seed, const Take& take) {
  const auto most = std::clamp<std::size_t>(kValues / (columns.size() + 1), 16, kMostRows);
  std::vector<std::uint64_t> factors(columns.size() + 2);  // of the target, the weight, every column
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = scrambled((i + 1) * kGolden) | 1;
  const auto start = seed * kGolden + (weights ? 0 : bits_of(1.0) * factors[1]);
  Totals totals;
  for (std::size_t begin = 0; begin < n_rows; begin += most) {
    const auto n = std::min(most, n_rows - begin);
    std::fill_n(totals.begin(), n, start);
    add({&target, 1}, &factors[0], begin, n, totals);
    if (weights) add({weights, 1}, &factors[1], begin, n, totals);
    for (std::size_t at = 0, end = 0; at < columns.size(); at = end) {
      while (end < columns.size() && columns[end].type() == columns[at].type()) ++end;
      add(columns.subspan(at, end - at), &factors[at + 2], begin, n, totals);
    }
    for (std::size_t i = 0; i < n; ++i) totals[i] = scrambled(totals[i]);
    take(begin, std::span<const std::uint64_t>(totals.data(), n));
  }
}

}  // namespace

std::vector<std::uint64_t> numbers_of_rows(std::span<const Column> columns, const Column& target,
                                           const Column* weights, std::size_t n_rows, std::uint64_t seed) {
  std::vector<std::uint64_t> numbers(n_rows);
  for_shares(columns, target, weights, n_rows, seed, [&](std::size_t begin, const auto& share) {
    std::copy(share.begin(), share.end(), numbers.begin() + static_cast<std::ptrdiff_t>(begin));
  });
  return numbers;
}

std::uint64_t fingerprint(std::span<const Column> columns, const Column& target, const Column* weights,
                          std::size_t n_rows) {
  std::uint64_t sum = 0;
  for_shares(columns, target, weights, n_rows, 0, [&](std::size_t begin, const auto& share) {
    for (std::size_t i = 0; i < share.size(); ++i) {
      const bool counts = !weights || weights->number(begin + i) != 0;
      sum += counts ? share[i] : 0;
    }
  });
  return sum;
}

}  // namespace treewright
