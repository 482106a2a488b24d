#include "treewright/recipe/random.hpp"  // for mix, kGolden
#include "treewright/table/table.hpp"    // for Column, Pool

namespace treewright {
namespace {

template <class Value>
std::uint64_t bits_of(Value value) {
  if constexpr (std::is_integral_v<Value>) return static_cast<std::uint64_t>(std::int64_t{value});
  constexpr std::uint64_t kNaN = 0x7FF8000000000000;  // every NaN counts as this one
  return value == value ? std::bit_cast<std::uint64_t>(static_cast<double>(value)) : kNaN;
}

// Add to `totals` the values of adjacent columns times their factors: of the columns from `first` on, one per
// factor, and of the rows from `begin` on, one per total.
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

// Write the numbers of rows from `begin` on. Few rows at a time, so that the cache lines that columns of a
// row-major table share stay in the cache.
void write_numbers(std::span<const Column> columns, const Column& target, const Column* weights,
                   std::uint64_t seed, std::size_t begin, std::span<std::uint64_t> numbers) {
  std::vector<Column> all{target};
  if (weights) all.push_back(*weights);
  all.insert(all.end(), columns.begin(), columns.end());
  std::vector<std::uint64_t> factors(columns.size() + 2);  // the target's first, then the weights'
  for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = mix(i * kGolden) | 1;
  // `mix` adds kGolden once by itself.
  std::ranges::fill(numbers, (seed - 1) * kGolden + (weights ? 0 : bits_of(1.0) * factors[1]));
  if (!weights) factors.erase(factors.begin() + 1);
  const auto most = std::clamp<std::size_t>(4096 / all.size(), 16, 256);
  for (std::size_t first = 0; first < numbers.size(); first += most) {
    heed_interrupts_after(most * all.size());
    const auto share = numbers.subspan(first, std::min(most, numbers.size() - first));
    for (std::size_t at = 0, end = 0; at < all.size(); at = end) {
      end = end_of_run(all, at, all.size());
      with_type(all[at].type(), [&]<class Value>() {
        Twins<add_rows<Value>>::call(all[at], begin + first, std::span(factors).subspan(at, end - at), share);
      });
    }
    std::ranges::transform(share, share.begin(), mix);
  }
}

}  // namespace

std::vector<std::uint64_t> numbers_of_rows(std::span<const Column> columns, const Column& target,
                                           const Column* weights, std::size_t n_rows, std::uint64_t seed) {
  std::vector<std::uint64_t> numbers(n_rows);
  write_numbers(columns, target, weights, seed, 0, numbers);
  return numbers;
}

std::uint64_t fingerprint(std::span<const Column> columns, const Column& target, const Column* weights,
                          std::size_t n_rows, Pool& pool) {
  constexpr std::size_t kRows = 8192;  // rows whose numbers are held at once
  std::vector<std::uint64_t> sums((n_rows + kRows - 1) / kRows);
  pool.run(sums.size(), [&](std::size_t block, int) {
    std::array<std::uint64_t, kRows> room;
    const auto begin = block * kRows;
    const auto numbers = std::span(room).first(std::min(kRows, n_rows - begin));
    write_numbers(columns, target, weights, 0, begin, numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!weights || weights->number(begin + i) != 0) sums[block] += numbers[i];
    }
  });
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

}  // namespace treewright
