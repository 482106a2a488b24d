// Inner loops worth compiling for more than one CPU; `Twins` and `part` choose the version at run time.
#pragma once

#include "treewright/interrupt.hpp"

namespace treewright {

// The left side of the cut above a code: its rows, the sum of squares of its class counts, and the sum of
// products of its class counts with the node's. Nodes have at most 32,768 rows.
struct CodeSquares {
  std::int32_t rows, squares, products;
};
inline constexpr std::size_t kClassesAtOnce = 4;
using Lanes = std::int32_t TREEWRIGHT_VECTOR(4 * kClassesAtOnce);

TREEWRIGHT_INLINE Lanes load_lanes(const std::int32_t* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

TREEWRIGHT_INLINE std::int32_t sum_of(const Lanes& lanes) {
  return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

// `counts`: of each class, code by code; `codes`: those to visit. `lefts` starts at zero and gets the class
// counts up to the last code. There are as many totals as classes, a multiple of kClassesAtOnce.
TREEWRIGHT_INLINE void sum_squares(const std::int32_t* counts, std::span<const std::uint32_t> codes,
                                   std::span<const std::int32_t> totals, std::int32_t* lefts,
                                   CodeSquares* sums) {
  for (const auto code : codes) {
    const auto* here = counts + code * totals.size();
    Lanes rows{}, squares{}, products{};
    for (std::size_t k = 0; k < totals.size(); k += kClassesAtOnce) {
      const Lanes left = load_lanes(lefts + k) + load_lanes(here + k);
      std::memcpy(lefts + k, &left, sizeof left);
      rows += left;
      squares += left * left;
      products += left * load_lanes(totals.data() + k);
    }
    *sums++ = {sum_of(rows), sum_of(squares), sum_of(products)};
  }
}

// Entries behind the end of a list of bytes that a kernel may read and write; it restores them.
inline constexpr std::uint32_t kReadPadding = 8;

inline constexpr std::size_t kMostBytes = 256;  // slots that a list of bytes can hold

// Stable partition: moves entries of side 0 to the front, those of side 1 behind them; returns how many are
// in front. `spare` has room for n + kReadPadding entries; `side` has an entry for every possible byte.
template <class Index>
std::uint32_t part(Index* list, std::uint32_t n, const std::uint8_t* side, Index* spare);

// The same from `begin` on, if those before are done. Of two writes one counts: no branch to mispredict.
template <class Index, class GoesRight>
std::uint32_t part_one_by_one(Index* list, std::uint32_t begin, std::uint32_t n, const GoesRight& goes_right,
                              Index* spare, std::uint32_t n_left) {
  std::uint32_t n_right = begin - n_left;
  for (std::uint32_t i = begin; i < n; ++i) {
    const Index entry = list[i];
    const std::uint32_t right = goes_right(entry);
    list[n_left] = entry;
    spare[n_right] = entry;
    n_left += 1 - right;
    n_right += right;
  }
  if (n_right > 32) {
    std::copy_n(spare, n_right, list + n_left);
  } else {  // not worth a call
    for (std::uint32_t i = 0; i < n_right; ++i) list[n_left + i] = spare[i];
  }
  return n_left;
}

// Stable partition of a list among any number of branches; `ends` has one entry per branch, for its end.
template <class Index>
void part_many(Index* list, std::uint32_t n, const std::int32_t* branch_of, std::span<std::uint32_t> ends,
               Index* spare) {
  std::fill(ends.begin(), ends.end(), 0);
  for (std::uint32_t i = 0; i < n; ++i) ++ends[static_cast<std::size_t>(branch_of[list[i]])];
  std::uint32_t sum = 0;
  for (auto& end : ends) sum += std::exchange(end, sum);
  for (std::uint32_t i = 0; i < n; ++i) spare[ends[static_cast<std::size_t>(branch_of[list[i]])]++] = list[i];
  std::copy_n(spare, n, list);
}

// A subset of up to 64 or 256 rows, as bits: the rows on the left of every cut are counted.
template <std::size_t kWords>
using RowSet = std::array<std::uint64_t, kWords>;

inline constexpr std::size_t kFewWords = 1, kMoreWords = 4;

// A node of two classes.
template <std::size_t kWords>
struct BitNode {
  RowSet<kWords> rows, ones;  // all, and those of class 1
  std::int32_t n, n_ones;
  std::int32_t least_sides;  // least product of the row counts of both sides that is allowed; n - 1 or more
};

struct RowCounts {
  std::int32_t rows, ones;
};

// Of a set of rows, count those in `among` and those in `ones`.
template <std::size_t kWords>
TREEWRIGHT_INLINE RowCounts count_rows(const RowSet<kWords>& rows, const RowSet<kWords>& among,
                                       const RowSet<kWords>& ones) {
  RowCounts counts{0, 0};
  for (std::size_t word = 0; word < kWords; ++word) {
    counts.rows += std::popcount(rows[word] & among[word]);
    counts.ones += std::popcount(rows[word] & ones[word]);
  }
  return counts;
}

// What every cut has on its left, and bounds of its score; the memory is reused from node to node.
struct BitCounts {
  std::vector<std::int32_t> rows, ones;
  std::vector<std::int32_t> bounds, tops;  // bits of floats: per cut, and the highest per run
};

inline constexpr std::int32_t kNoBound = -1;    // below all bounds
inline constexpr std::size_t kCutsAtOnce = 16;  // cuts that are bounded at a time

// Bounds of a run of cuts; returns the highest. Floats that are not negative are in the same order as their
// bits taken as integers, in which cuts that are not allowed can be masked without a branch.
TREEWRIGHT_INLINE std::int32_t bound_run(const std::int32_t* __restrict rows,
                                         const std::int32_t* __restrict ones, std::int32_t n,
                                         std::int32_t n_ones, std::int32_t least_sides,
                                         std::int32_t* __restrict bounds) {
  std::int32_t top = kNoBound;
  for (std::size_t i = 0; i < kCutsAtOnce; ++i) {
    const auto away = static_cast<float>(ones[i] * n - rows[i] * n_ones);
    const auto sides = rows[i] * (n - rows[i]);
    const auto is_allowed = -static_cast<std::int32_t>(sides >= least_sides);
    const auto bound = std::bit_cast<std::int32_t>(away * away / static_cast<float>(sides));
    bounds[i] = (bound & is_allowed) | (kNoBound & ~is_allowed);
    top = std::max(top, bounds[i]);
  }
  return top;
}

// Write, in order, the cuts that may be the best: those with the highest
//     (n * ones on the left - n_ones * rows on the left)^2 / (rows on the left * rows on the right)
// up to rounding. None if no cut leaves enough rows on both sides.
template <std::size_t kWords>
TREEWRIGHT_INLINE void find_best_cuts(std::span<const RowSet<kWords>> cuts, const BitNode<kWords>& node,
                                      BitCounts& counts, std::vector<std::uint32_t>& best) {
  const auto n_cuts = cuts.size(), n_runs = (n_cuts + kCutsAtOnce - 1) / kCutsAtOnce;
  for (auto* each : {&counts.rows, &counts.ones, &counts.bounds, &counts.tops}) {
    if (each->size() < n_runs * kCutsAtOnce) each->resize(2 * n_runs * kCutsAtOnce);
  }
  std::int32_t *rows = counts.rows.data(), *ones = counts.ones.data();
  for (std::size_t i = 0; i < n_cuts; ++i) {
    const auto left = count_rows(cuts[i], node.rows, node.ones);
    rows[i] = left.rows;
    ones[i] = left.ones;
  }
  std::fill(rows + n_cuts, rows + n_runs * kCutsAtOnce, 0);  // no cut

  auto *bounds = counts.bounds.data(), *tops = counts.tops.data();
  std::int32_t top = kNoBound;
  for (std::size_t run = 0; run < n_runs; ++run) {
    tops[run] = bound_run(rows + run * kCutsAtOnce, ones + run * kCutsAtOnce, node.n, node.n_ones,
                          node.least_sides, bounds + run * kCutsAtOnce);
    top = std::max(top, tops[run]);
  }
  best.clear();
  if (top == kNoBound) return;
  const auto near = std::bit_cast<std::int32_t>(std::bit_cast<float>(top) * (1 - 0x1p-20F));
  for (std::size_t run = 0; run < n_runs; ++run) {
    if (tops[run] < near) continue;
    for (auto i = run * kCutsAtOnce; i < (run + 1) * kCutsAtOnce; ++i) {
      if (bounds[i] >= near) best.push_back(static_cast<std::uint32_t>(i));
    }
  }
}

// For each code below n_codes that a row has, except the last one, write the set of rows whose code is not
// higher. Returns the number of sets; there must be room for one per code.
template <std::size_t kWords>
std::uint32_t write_cuts(const std::uint8_t* codes, std::uint32_t n, std::uint32_t n_codes,
                         RowSet<kWords>* cuts) {
  // Rows by code, then rows up to each code. A set is overwritten by the next if it has no new rows.
  std::fill_n(cuts, n_codes, RowSet<kWords>{});
  for (std::uint32_t i = 0; i < n; ++i) cuts[codes[i]][i / 64] |= std::uint64_t{1} << i % 64;
  std::uint32_t n_cuts = 0;
  RowSet<kWords> before{};
  for (std::uint32_t code = 0; code < n_codes; ++code) {
    auto rows = before;
    for (std::size_t word = 0; word < kWords; ++word) rows[word] |= cuts[code][word];
    cuts[n_cuts] = rows;
    n_cuts += rows != before;
    before = rows;
  }
  return n_cuts - 1;
}

}  // namespace treewright
