#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "check.hpp"
#include "treewright/bit_kernels.hpp"

using namespace treewright;

namespace {

// Rows one by one: their codes by column, whether they are in the node, and of class 1.
struct Drawn {
  std::vector<std::vector<std::uint32_t>> codes;
  std::vector<bool> is_inside, is_one;
  std::int32_t least_side;
};

Drawn draw_rows(std::uint32_t n_rows, std::size_t n_columns, std::mt19937_64& draw) {
  Drawn drawn;
  const auto share = draw() % 8 + 1;  // of one: all are of one class, and every cut is worth nothing
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
  std::vector<std::uint32_t> begins{0};
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
      begins.push_back(static_cast<std::uint32_t>(cuts.size()));
    }
    node.rows = set_of([&](std::size_t row) { return drawn.is_inside[row]; });
    node.ones = set_of([&](std::size_t row) { return drawn.is_inside[row] && drawn.is_one[row]; });
    for (std::size_t row = 0; row < drawn.is_one.size(); ++row) {
      node.n += drawn.is_inside[row];
      node.n_ones += drawn.is_inside[row] && drawn.is_one[row];
    }
    node.inverse.fill(kNoBound);
    for (auto left = drawn.least_side; left <= node.n - drawn.least_side; ++left)
      node.inverse[static_cast<std::size_t>(left)] =
          1 / (static_cast<float>(node.n) * static_cast<float>(node.n) *
               static_cast<float>(left * (node.n - left)));
  }
};

// Worth of every cut between two values of the node, as a quotient of whole numbers.
struct Cut {
  std::int32_t rows, ones;
  long double worth;
};

std::vector<Cut> cuts_of(const Drawn& drawn, std::size_t column, std::int64_t n, std::int64_t n_ones) {
  std::vector<Cut> cuts;
  for (std::uint32_t last = 0; last < 40; ++last) {
    Cut cut{0, 0, 0};
    for (std::size_t row = 0; row < drawn.is_one.size(); ++row) {
      if (!drawn.is_inside[row] || drawn.codes[column][row] > last) continue;
      ++cut.rows;
      cut.ones += drawn.is_one[row];
    }
    if (cut.rows < drawn.least_side || n - cut.rows < drawn.least_side) continue;
    if (!cuts.empty() && cuts.back().rows == cut.rows) continue;
    const auto away = static_cast<long double>(cut.ones * n - cut.rows * n_ones);
    cut.worth = away * away / static_cast<long double>(n * n * cut.rows * (n - cut.rows));
    cuts.push_back(cut);
  }
  return cuts;
}

template <std::size_t kWords>
void check_against_rows(std::uint64_t seed) {
  std::mt19937_64 draw(seed);
  for (int turn = 0; turn < 300; ++turn) {
    const auto n_rows = static_cast<std::uint32_t>(draw() % (64 * kWords - 2)) + 3;
    const auto drawn = draw_rows(n_rows, 6, draw);
    const Packed<kWords> packed(drawn);
    const auto all = count_rows(packed.node.rows, packed.node.ones);
    CHECK(all.rows == packed.node.n && all.ones == packed.node.n_ones);
    const float bar = turn % 3 == 0 ? 0 : static_cast<float>(turn) * 1e-4F;
    const BitColumns<kWords> columns{packed.cuts.data(), packed.begins.data(), drawn.codes.size()};
    BitCuts found;
    found.column = 0;
    for (std::size_t column = 0; column < drawn.codes.size(); ++column) {
      const auto cuts = cuts_of(drawn, column, packed.node.n, packed.node.n_ones);
      long double best = -1;
      for (const auto& cut : cuts) best = std::max(best, cut.worth);
      const bool any = find_cuts(columns, packed.node, bar, found);
      CHECK(!any || found.column >= column);
      if (!any || found.column > column) {
        CHECK(best < 0 || best < static_cast<long double>(bar) * (1 + 1e-6L));
        continue;
      }
      CHECK(best >= static_cast<long double>(bar) * (1 - 1e-6L));
      // Those found are the best of all, in their order; none of the best is left out.
      std::size_t next = 0;
      for (const auto& cut : cuts) {
        const bool is_found = next < found.n && found.cuts[next].left.rows == cut.rows;
        if (is_found) CHECK(found.cuts[next++].left.ones == cut.ones);
        if (cut.worth == best) CHECK(is_found);
        if (is_found) CHECK(cut.worth >= best * (1 - 1e-5L));
      }
      CHECK(next == found.n);
      ++found.column;
    }
  }
}

}  // namespace

TEST(cuts_of_sets_of_bits_are_those_of_rows_one_by_one) {
  check_against_rows<kFewWords>(1);
  check_against_rows<kMoreWords>(2);
}
