#include "treewright/table/fingerprint.hpp"

#include "treewright/recipe/random.hpp"  // for mix, kGolden

namespace treewright {
namespace {

template <class Value>
std::uint64_t bits_of(Value value) {
  if constexpr (std::is_integral_v<Value>) return static_cast<std::uint64_t>(std::int64_t{value});
  constexpr std::uint64_t kNaN = 0x7FF8000000000000;  // every NaN counts as this one
  return value == value ? std::bit_cast<std::uint64_t>(static_cast<double>(value)) : kNaN;
}

// Add up the values of columns that stand side by side, `first` and as many more as there are factors: of as
// many rows from `begin` on as there are totals.
template <class Value>
TREEWRIGHT_INLINE void add_rows(const Column& first, std::size_t begin,
                                std::span<const std::uint64_t> factors, std::span<std::uint64_t> totals) {
  const auto stride = first.stride();
  const auto* row = first.data() + static_cast<std::ptrdiff_t>(begin) * stride;
  if (factors.size() == 1 && stride == sizeof(Value)) {
#pragma omp simd
    for (std::size_t i = 0; i < totals.size(); ++i)
      totals[i] += bits_of(load<Value>(row + i * sizeof(Value))) * factors[0];
    return;
  }
  for (auto& total : totals) {
    std::uint64_t sum = 0;
    for (std::size_t j = 0; j < factors.size(); ++j)
      sum += bits_of(load<Value>(row + j * sizeof(Value))) * factors[j];
    total += sum;
    row += stride;
  }
}

}  // namespace

std::vector<std::uint64_t> numbers_of_rows(std::span<const Column> columns, const Column& target,
                                           const Column* weights, std::size_t n_rows, std::uint64_t seed) {
  std::vector<Column> all{target};
  if (weights) all.push_back(*weights);
  all.insert(all.end(), columns.begin(), columns.end());
  std::vector<std::uint64_t> factors(columns.size() + 2);  // of the target, the weight, every column
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = mix(i * kGolden) | 1;
  // `mix` adds kGolden first, which is no part of the numbers.
  const auto start = (seed - 1) * kGolden + (weights ? 0 : bits_of(1.0) * factors[1]);
  if (!weights) factors.erase(factors.begin() + 1);
  std::vector<std::uint64_t> numbers(n_rows, start);
  // So few rows at a time that a row-major table is read from memory once: what its columns share stays in
  // the cache.
  const auto most = std::clamp<std::size_t>(4096 / all.size(), 16, 256);
  for (std::size_t begin = 0; begin < n_rows; begin += most) {
    heed_interrupts_after(most * all.size());
    const auto share = std::span(numbers).subspan(begin, std::min(most, n_rows - begin));
    for (std::size_t at = 0, end = 0; at < all.size(); at = end) {
      end = end_of_run(all, at, all.size());
      with_type(all[at].type(), [&]<class Value>() {
        Twins<add_rows<Value>>::call(all[at], begin, std::span(factors).subspan(at, end - at), share);
      });
    }
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
