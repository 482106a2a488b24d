#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"
#include "treewright/kernels/kernels.hpp"

using namespace treewright;

namespace {

// Rows one by one: their codes by column, whether they are in the node, whether they are of class 1.
struct Drawn {
  std::vector<std::vector<std::uint32_t>> codes;
  std::vector<bool> is_inside, is_one;
  std::int32_t least_side;
};

Drawn draw_rows(std::uint32_t n_rows, std::size_t n_columns, std::mt19937_64& draw) {
  Drawn drawn;
  const auto share = draw() % 8 + 1;  // 1: all rows are of one class, and no cut has any worth
  for (std::uint32_t row = 0; row < n_rows; ++row) {
    drawn.is_inside.push_back(draw() % 3 > 0 || row < 2);
    drawn.is_one.push_back(draw() % share > 0);
  }
  for (std::size_t column = 0; column < n_columns; ++column) {
    const auto n_codes = draw() % 40 + 1;
    auto& codes = drawn.codes.emplace_back();
    for (std::uint32_t row = 0; row < n_rows; ++row)
      codes.push_back(static_cast<std::uint32_t>(draw() % n_codes));
  }
  drawn.least_side = static_cast<std::int32_t>(draw() % 4) + 1;
  return drawn;
}

template <std::size_t kWords>
struct Packed {
  std::vector<RowSet<kWords>> cuts;
  BitNode<kWords> node{};

  explicit Packed(const Drawn& drawn) {
    const auto set_of = [&](const auto& is_inside) {
      RowSet<kWords> rows{};
      for (std::size_t row = 0; row < drawn.is_one.size(); ++row)
        rows[row / 64] |= std::uint64_t{is_inside(row)} << row % 64;
      return rows;
    };
    for (const auto& codes : drawn.codes) {
      for (std::uint32_t last = 0; last < *std::max_element(codes.begin(), codes.end()); ++last)
        cuts.push_back(set_of([&](std::size_t row) { return codes[row] <= last; }));
    }
    node.rows = set_of([&](std::size_t row) { return drawn.is_inside[row]; });
    node.ones = set_of([&](std::size_t row) { return drawn.is_inside[row] && drawn.is_one[row]; });
    for (std::size_t row = 0; row < drawn.is_one.size(); ++row) {
      node.n += drawn.is_inside[row];
      node.n_ones += drawn.is_inside[row] && drawn.is_one[row];
    }
    node.least_sides =
        2 * drawn.least_side <= node.n ? drawn.least_side * (node.n - drawn.least_side) : 1 << 30;
  }
};

// The worth of every cut, in the order of the sets; -1 if the limits forbid it.
std::vector<long double> worths_of(const Drawn& drawn, std::int64_t n, std::int64_t n_ones) {
  std::vector<long double> worths;
  for (const auto& codes : drawn.codes) {
    for (std::uint32_t last = 0; last < *std::max_element(codes.begin(), codes.end()); ++last) {
      std::int64_t rows = 0, ones = 0;
      for (std::size_t row = 0; row < codes.size(); ++row) {
        if (!drawn.is_inside[row] || codes[row] > last) continue;
        ++rows;
        ones += drawn.is_one[row];
      }
      const auto away = static_cast<long double>(ones * n - rows * n_ones);
      const bool is_allowed = rows >= drawn.least_side && n - rows >= drawn.least_side;
      worths.push_back(is_allowed ? away * away / static_cast<long double>(rows * (n - rows)) : -1);
    }
  }
  return worths;
}

template <std::size_t kWords>
void check_against_rows(std::uint64_t seed) {
  std::mt19937_64 draw(seed);
  BitCounts counts;
  std::vector<std::uint32_t> best;
  for (int turn = 0; turn < 500; ++turn) {
    const auto n_rows = static_cast<std::uint32_t>(draw() % (64 * kWords - 2)) + 3;
    const auto drawn = draw_rows(n_rows, 6, draw);
    const Packed<kWords> packed(drawn);
    const auto all = Twins<count_rows<kWords>>::call(packed.node.rows, packed.node.rows, packed.node.ones);
    CHECK(all.rows == packed.node.n && all.ones == packed.node.n_ones);
    const auto worths = worths_of(drawn, packed.node.n, packed.node.n_ones);
    CHECK(worths.size() == packed.cuts.size());
    const auto highest = worths.empty() ? -1 : *std::max_element(worths.begin(), worths.end());
    Twins<find_best_cuts<kWords>>::call(std::span<const RowSet<kWords>>(packed.cuts), packed.node, counts,
                                        best);
    CHECK(best.empty() == (highest < 0));
    CHECK(std::is_sorted(best.begin(), best.end()));
    for (const auto place : best) CHECK(worths[place] >= highest * (1 - 1e-5L));
    for (std::uint32_t place = 0; place < worths.size(); ++place) {
      if (highest >= 0 && worths[place] == highest)
        CHECK(std::binary_search(best.begin(), best.end(), place));
    }
  }
}

}  // namespace

TEST(best_cuts_of_sets_of_bits_are_those_of_rows_one_by_one) {
  check_against_rows<kFewWords>(1);
  check_against_rows<kMoreWords>(2);
}

TEST(cuts_of_codes_are_the_rows_up_to_each) {
  std::mt19937_64 draw(3);
  const auto check_words = [&]<std::size_t kWords>(std::array<RowSet<kWords>, 255> cuts) {
    for (int turn = 0; turn < 2000; ++turn) {
      const auto n = static_cast<std::uint32_t>(draw() % (64 * kWords - 2)) + 1;
      const auto n_codes = static_cast<std::uint32_t>(draw() % 254) % (turn % 2 == 0 ? 254U : 70U) + 1;
      std::vector<std::uint8_t> codes(n);
      for (auto& code : codes) code = static_cast<std::uint8_t>(draw() % n_codes);
      std::vector<RowSet<kWords>> wanted;
      for (std::uint32_t last = 0; last < n_codes; ++last) {
        RowSet<kWords> rows{};
        for (std::uint32_t i = 0; i < n; ++i) rows[i / 64] |= std::uint64_t{codes[i] <= last} << i % 64;
        if (rows != (wanted.empty() ? RowSet<kWords>{} : wanted.back())) wanted.push_back(rows);
      }
      CHECK(write_cuts(codes.data(), n, n_codes, cuts.data()) == wanted.size() - 1);
      CHECK(std::equal(wanted.begin(), wanted.end() - 1, cuts.begin()));
    }
  };
  check_words(std::array<RowSet<kFewWords>, 255>{});
  check_words(std::array<RowSet<kMoreWords>, 255>{});
}
