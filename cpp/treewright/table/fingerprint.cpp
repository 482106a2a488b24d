#include "treewright/table/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "treewright/portable.hpp"            // for Twins
#include "treewright/table/side_by_side.hpp"  // for end_of_run

namespace treewright {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kNaN = 0x7FF8000000000000;  // every NaN counts as this one

// Rows looked at together. A row-major table is then read from memory once: what its columns share stays in
// the cache.
constexpr std::size_t kMostRows = 256;
constexpr std::size_t kValues = 4096;

using Totals = std::array<std::uint64_t, kMostRows>;

// The last steps of SplitMix64.
std::uint64_t scrambled(std::uint64_t number) {
  number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9;
  number = (number ^ number >> 27) * 0x94D049BB133111EB;
  return number ^ number >> 31;
}

inline std::uint64_t bits_of(double value) {
  return value == value ? std::bit_cast<std::uint64_t>(value) : kNaN;
}
inline std::uint64_t bits_of(float value) { return bits_of(static_cast<double>(value)); }
inline std::uint64_t bits_of(std::int64_t value) { return static_cast<std::uint64_t>(value); }
inline std::uint64_t bits_of(std::int32_t code) { return bits_of(std::int64_t{code}); }

template <class Value>
inline Value read(const std::byte* at) {
  Value value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Some columns side by side, from some row on, with their constants.
struct Run {
  const std::byte* data;
  std::ptrdiff_t stride;
  int n_columns;
  const std::uint64_t* factors;
};

// Four values of a row at a time, in whatever registers there are.
typedef std::uint64_t Four TREEWRIGHT_VECTOR(32);

template <class Value>
TREEWRIGHT_INLINE void add_rows(const Run& run, int n, std::uint64_t* totals) {
  const auto* row = run.data;
  for (int i = 0; i < n; ++i, row += run.stride) {
    Four four{};
    int j = 0;
    for (; j + 4 <= run.n_columns; j += 4) {
      const auto* at = row + j * sizeof(Value);
      const auto bits = [&](int k) { return bits_of(read<Value>(at + k * sizeof(Value))); };
      Four factors;
      std::memcpy(&factors, run.factors + j, sizeof factors);
      four += Four{bits(0), bits(1), bits(2), bits(3)} * factors;
    }
    auto total = four[0] + four[1] + four[2] + four[3];
    for (; j < run.n_columns; ++j) total += bits_of(read<Value>(row + j * sizeof(Value))) * run.factors[j];
    totals[i] += total;
  }
}

template <class Value>
TREEWRIGHT_INLINE void add_column(const std::byte* data, std::ptrdiff_t stride, std::uint64_t factor, int n,
                                  std::uint64_t* totals) {
  if (stride == sizeof(Value)) {
#pragma omp simd
    for (int i = 0; i < n; ++i) totals[i] += bits_of(read<Value>(data + i * sizeof(Value))) * factor;
  } else {
    for (int i = 0; i < n; ++i) totals[i] += bits_of(read<Value>(data + i * stride)) * factor;
  }
}

template <class Value>
TREEWRIGHT_INLINE void add_run(const Run& run, int n, std::uint64_t* totals) {
  if (run.n_columns >= 4) return add_rows<Value>(run, n, totals);
  for (int j = 0; j < run.n_columns; ++j)
    add_column<Value>(run.data + j * sizeof(Value), run.stride, run.factors[j], n, totals);
}

TREEWRIGHT_INLINE void add_any(ValueType type, const Run& run, int n, std::uint64_t* totals) {
  switch (type) {
    case ValueType::Float64:
      return add_run<double>(run, n, totals);
    case ValueType::Float32:
      return add_run<float>(run, n, totals);
    case ValueType::Int64:
      return add_run<std::int64_t>(run, n, totals);
    case ValueType::Category:
      return add_run<std::int32_t>(run, n, totals);
  }
}

void add(std::span<const Column> columns, const std::uint64_t* factors, std::size_t begin, std::size_t n,
         Totals& totals) {
  for (std::size_t at = 0, end = 0; at < columns.size(); at = end) {
    end = end_of_run(columns, at, columns.size());
    const auto& first = columns[at];
    const Run run{first.data() + static_cast<std::ptrdiff_t>(begin) * first.stride(), first.stride(),
                  static_cast<int>(end - at), factors + at};
    Twins<add_any>::call(first.type(), run, static_cast<int>(n), totals.data());
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
    add(columns, factors.data() + 2, begin, n, totals);
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
