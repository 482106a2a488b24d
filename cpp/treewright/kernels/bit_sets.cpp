#include "treewright/kernels/bit_sets.hpp"

#include <algorithm>
#include <bit>

#include "treewright/portable.hpp"  // for Twins

namespace treewright {
namespace {

constexpr std::int32_t kNone = -1;  // below all bounds

template <std::size_t kWords>
TREEWRIGHT_INLINE RowCounts count(const RowSet<kWords>& rows, const RowSet<kWords>& among,
                                  const RowSet<kWords>& ones) {
  RowCounts counts{0, 0};
  for (std::size_t word = 0; word < kWords; ++word) {
    counts.rows += std::popcount(rows[word] & among[word]);
    counts.ones += std::popcount(rows[word] & ones[word]);
  }
  return counts;
}

constexpr std::size_t kRun = 16;  // cuts that are bounded side by side

// Bounds of a run of cuts; returns the highest. Floats that are not negative are in order as whole numbers,
// too, and of those some can be struck out without a branch.
TREEWRIGHT_INLINE std::int32_t bound_run(const std::int32_t* __restrict rows,
                                         const std::int32_t* __restrict ones, std::int32_t n,
                                         std::int32_t n_ones, std::int32_t least_sides,
                                         std::int32_t* __restrict bounds) {
  std::int32_t top = kNone;
  for (std::size_t i = 0; i < kRun; ++i) {
    const auto away = static_cast<float>(ones[i] * n - rows[i] * n_ones);
    const auto sides = rows[i] * (n - rows[i]);
    const auto is_allowed = -static_cast<std::int32_t>(sides >= least_sides);
    const auto bound = std::bit_cast<std::int32_t>(away * away / static_cast<float>(sides));
    bounds[i] = (bound & is_allowed) | (kNone & ~is_allowed);
    top = std::max(top, bounds[i]);
  }
  return top;
}

template <std::size_t kWords>
TREEWRIGHT_INLINE void find(std::span<const RowSet<kWords>> cuts, const BitNode<kWords>& node,
                            BitCounts& counts, std::vector<std::uint32_t>& best) {
  const auto n_cuts = cuts.size(), n_runs = (n_cuts + kRun - 1) / kRun;
  for (auto* each : {&counts.rows, &counts.ones, &counts.bounds, &counts.tops}) {
    if (each->size() < n_runs * kRun) each->resize(2 * n_runs * kRun);
  }
  std::int32_t *rows = counts.rows.data(), *ones = counts.ones.data();
  for (std::size_t i = 0; i < n_cuts; ++i) {
    const auto left = count(cuts[i], node.rows, node.ones);
    rows[i] = left.rows;
    ones[i] = left.ones;
  }
  std::fill(rows + n_cuts, rows + n_runs * kRun, 0);  // no cut

  auto *bounds = counts.bounds.data(), *tops = counts.tops.data();
  std::int32_t top = kNone;
  for (std::size_t run = 0; run < n_runs; ++run) {
    tops[run] = bound_run(rows + run * kRun, ones + run * kRun, node.n, node.n_ones, node.least_sides,
                          bounds + run * kRun);
    top = std::max(top, tops[run]);
  }
  best.clear();
  if (top == kNone) return;
  const auto near = std::bit_cast<std::int32_t>(std::bit_cast<float>(top) * (1 - 0x1p-20F));
  for (std::size_t run = 0; run < n_runs; ++run) {
    if (tops[run] < near) continue;
    for (auto i = run * kRun; i < (run + 1) * kRun; ++i) {
      if (bounds[i] >= near) best.push_back(static_cast<std::uint32_t>(i));
    }
  }
}

}  // namespace

// Rows by code, then rows up to each code. A set is written over by the next unless this one has more rows.
template <std::size_t kWords>
std::uint32_t write_cuts(const std::uint8_t* codes, std::uint32_t n, std::uint32_t n_codes,
                         RowSet<kWords>* cuts) {
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

template <std::size_t kWords>
void find_best_cuts(std::span<const RowSet<kWords>> cuts, const BitNode<kWords>& node, BitCounts& counts,
                    std::vector<std::uint32_t>& best) {
  Twins<find<kWords>>::call(cuts, node, counts, best);
}

template <std::size_t kWords>
RowCounts count_rows(const RowSet<kWords>& rows, const RowSet<kWords>& ones) {
  return Twins<count<kWords>>::call(rows, rows, ones);
}

template std::uint32_t write_cuts(const std::uint8_t*, std::uint32_t, std::uint32_t, RowSet<kFewWords>*);
template std::uint32_t write_cuts(const std::uint8_t*, std::uint32_t, std::uint32_t, RowSet<kMoreWords>*);
template void find_best_cuts(std::span<const RowSet<kFewWords>>, const BitNode<kFewWords>&, BitCounts&,
                             std::vector<std::uint32_t>&);
template void find_best_cuts(std::span<const RowSet<kMoreWords>>, const BitNode<kMoreWords>&, BitCounts&,
                             std::vector<std::uint32_t>&);
template RowCounts count_rows(const RowSet<kFewWords>&, const RowSet<kFewWords>&);
template RowCounts count_rows(const RowSet<kMoreWords>&, const RowSet<kMoreWords>&);

}  // namespace treewright
