// Code compiled for AVX2 and for any CPU gives the same bits.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "check.hpp"
#include "treewright/kernels/kernels.hpp"
#include "treewright/math/logarithm.hpp"
#include "treewright/portable.hpp"
#include "treewright/search/two_sums.hpp"
#include "treewright/table/table.hpp"

using namespace treewright;

namespace {

// Whether the answer is the same with AVX2, if the CPU has it, and without.
template <class Do>
bool is_same(const Do& answer) {
  const bool had = uses_avx2;
  const auto first = answer();
  uses_avx2 = false;
  const auto second = answer();
  uses_avx2 = had;
  return first == second;
}

template <class Number>
std::vector<std::uint64_t> bits_of(const std::vector<Number>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const auto number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(double{number}));
  return bits;
}

// Numbers of all magnitudes, none of them round.
double drawn(std::mt19937_64& draw) {
  return static_cast<double>(draw() >> 11) / static_cast<double>(draw() % 1000 + 3);
}

}  // namespace

TEST(twins_of_logarithms_give_the_same_bits) {
  std::mt19937_64 draw(21);
  for (std::size_t n = 1; n < 200; ++n) {
    std::vector<double> terms((n + kLogsAtOnce - 1) / kLogsAtOnce * kLogsAtOnce);
    std::generate_n(terms.begin(), n, [&] { return drawn(draw); });
    const auto logs = [&] {
      auto copy = terms;
      to_x_log_x(copy.data(), copy.size());
      return bits_of(copy);
    };
    CHECK(is_same(logs));
  }
}

TEST(twins_of_bounds_of_short_lists_give_the_same_bits) {
  std::mt19937_64 draw(26);
  for (std::size_t n = 1; n < 252; ++n) {
    std::vector<std::uint8_t> slots(n + kReadPadding);
    std::vector<std::int64_t> amounts(kMostBytes);
    std::vector<double> expected(n + kAtOnce), inverse(n + kAtOnce);
    for (auto& slot : slots) slot = static_cast<std::uint8_t>(draw());
    for (auto& amount : amounts) amount = static_cast<std::int64_t>(draw() >> 10) - (std::int64_t{1} << 53);
    for (auto* numbers : {&expected, &inverse}) {
      for (auto& number : *numbers) number = drawn(draw);
    }
    const auto bounds = [&] {
      std::vector<double> found(n + kAtOnce);
      std::vector<std::int64_t> sums(n + kAtOnce);
      found.push_back(Twins<bound_few<std::int64_t, std::int64_t>>::call(
          slots.data(), amounts.data(), expected.data(), inverse.data(), 0.5, n, sums.data(), found.data()));
      CHECK(sums[n - 1] == std::accumulate(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(n),
                                           std::int64_t{0},
                                           [&](auto sum, auto slot) { return sum + amounts[slot]; }));
      return bits_of(found);
    };
    CHECK(is_same(bounds));
  }
}

TEST(twins_of_partitions_give_the_same_lists) {
  std::mt19937_64 draw(24);
  const auto check_lists = [&]<class Index>(Index, std::uint32_t most) {
    for (int turn = 0; turn < 300; ++turn) {
      const auto n = static_cast<std::uint32_t>(draw() % most);
      std::vector<Index> list(n + kReadPadding);
      std::vector<std::uint8_t> sides(std::max<std::size_t>(most, kMostBytes));
      for (auto& side : sides) side = draw() % 3 == 0;
      for (std::uint32_t i = 0; i < n; ++i) list[i] = static_cast<Index>(i);
      std::shuffle(list.begin(), list.begin() + n, draw);
      const auto parted = [&] {
        auto all = list, spare = std::vector<Index>(n + kReadPadding);
        const auto n_left = part(all.data(), n, sides.data(), spare.data());
        return std::pair{n_left, all};
      };
      CHECK(is_same(parted));
    }
  };
  check_lists(std::uint8_t{}, 255);
  check_lists(std::uint16_t{}, 3000);
  check_lists(std::uint32_t{}, 3000);
}

TEST(twins_of_squares_give_the_same_sums) {
  std::mt19937_64 draw(25);
  for (std::size_t n_classes = kClassesAtOnce; n_classes < 60; n_classes += kClassesAtOnce) {
    const std::size_t n_codes = 1 + draw() % 30;
    std::vector<std::int32_t> counts(n_codes * n_classes), totals(n_classes);
    std::vector<std::uint32_t> codes(n_codes);
    std::iota(codes.begin(), codes.end(), 0U);
    for (std::size_t i = 0; i < counts.size(); ++i)
      totals[i % n_classes] += counts[i] = static_cast<std::int32_t>(draw() % 20);
    const auto squares = [&] {
      std::vector<std::int32_t> lefts(n_classes), out;
      std::vector<CodeSquares> sums(n_codes);
      Twins<sum_squares>::call(counts.data(), codes, totals, lefts.data(), sums.data());
      for (const auto& sum : sums) out.insert(out.end(), {sum.rows, sum.squares, sum.products});
      return out;
    };
    CHECK(is_same(squares));
  }
}

TEST(twins_of_fingerprints_give_the_same_bits) {
  Pool pool(1);
  std::mt19937_64 draw(26);
  for (std::ptrdiff_t n_columns = 1; n_columns < 12; ++n_columns) {
    const std::size_t n = 1 + draw() % 300;
    std::vector<double> values(n * static_cast<std::size_t>(n_columns));
    for (auto& value : values) value = drawn(draw);
    for (const bool by_rows : {true, false}) {
      std::vector<Column> columns;
      for (std::ptrdiff_t j = 0; j < n_columns; ++j)
        columns.emplace_back(values.data() + j * (by_rows ? 1 : static_cast<std::ptrdiff_t>(n)),
                             8 * (by_rows ? n_columns : 1), ValueType::Float64);
      CHECK(is_same([&] { return fingerprint(columns, columns[0], nullptr, n, pool); }));
    }
  }
}

TEST(twins_of_sets_of_bits_find_the_same_cuts) {
  std::mt19937_64 draw(23);
  const auto check_words = [&]<std::size_t kWords>(RowSet<kWords> none) {
    for (int turn = 0; turn < 300; ++turn) {
      const auto n = static_cast<std::uint32_t>(draw() % (64 * kWords - 2)) + 2, n_codes = 64u;
      std::vector<std::uint8_t> codes(n);
      for (auto& code : codes) code = static_cast<std::uint8_t>(draw() % n_codes);
      std::vector<RowSet<kWords>> cuts(n_codes, none);
      const auto n_cuts = write_cuts(codes.data(), n, n_codes, cuts.data());
      BitNode<kWords> node{};
      for (std::uint32_t row = 0; row < n; ++row) {
        node.rows[row / 64] |= std::uint64_t{1} << row % 64;
        node.ones[row / 64] |= std::uint64_t{draw() % 2} << row % 64;
      }
      const auto counts = Twins<count_rows<kWords>>::call(node.rows, node.rows, node.ones);
      CHECK(is_same([&] {
        std::vector<RowSet<kWords>> written(n_codes, none);
        const auto n_written = write_cuts(codes.data(), n, n_codes, written.data());
        const auto again = Twins<count_rows<kWords>>::call(node.rows, node.rows, node.ones);
        written.resize(n_written);
        return std::tuple{written, again.rows, again.ones};
      }));
      node.n = counts.rows;
      node.n_ones = counts.ones;
      node.least_sides = node.n - 1;
      const auto found = [&] {
        BitCounts room;
        std::vector<std::uint32_t> best;
        Twins<find_best_cuts<kWords>>::call(std::span<const RowSet<kWords>>(cuts).first(n_cuts), node, room,
                                            best);
        room.bounds.resize(n_cuts);
        return std::pair{best, room.bounds};
      };
      CHECK(is_same(found));
    }
  };
  check_words(RowSet<kFewWords>{});
  check_words(RowSet<kMoreWords>{});
}
