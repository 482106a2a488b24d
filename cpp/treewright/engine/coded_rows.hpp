// The rows of a table as records that move with their nodes: a byte a column says in which bin the value
// lies.
//
// A record holds the bins of a row, its target and its number. A second byte a column, the place in the bin,
// is told by the value when it is asked for; where most rows are, as in noise, places are written down once,
// and stay where they are.
#pragma once

#include <atomic>

#include "treewright/engine/grow.hpp"                 // for Growth
#include "treewright/search/row_counts.hpp"           // for TwoClassRows, NumberRows, tag_at, kSpareBit
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer
#include "treewright/table/value_bins.hpp"            // for ValueBins

namespace treewright {

// Rows of a node by bin, one column after the other.
template <class Kind>
using BinCounts = std::vector<typename Kind::Count>;

// Adds up records. Counts are packed, so few rows are added up at a time.
template <class Kind>
class RecordCounter {
 public:
  explicit RecordCounter(std::size_t n_columns) : packed_(n_columns * ValueBins::kBins * Kind::kWidth) {}

  void add(const std::uint8_t* records, std::size_t n, std::size_t stride, std::size_t n_columns,
           const typename Kind::Measure& measure);
  void move_to(BinCounts<Kind>& counts);

 private:
  static constexpr std::size_t kMostAtOnce = 65535, kRowsAtHand = 256;

  void add_few(const std::uint8_t* records, std::size_t n, std::size_t stride, std::size_t n_columns,
               const typename Kind::Measure& measure);
  void spill(BinCounts<Kind>& counts);

  std::vector<typename Kind::Packed> packed_;
  BinCounts<Kind> spilled_;
  std::size_t n_packed_ = 0;
};

template <class Kind>
class CodedRows {
 public:
  using Summary = typename Kind::Summary;

  explicit CodedRows(const Growth& growth);

  std::size_t n_columns() const { return bins_.size(); }
  std::uint32_t n_rows() const { return n_rows_; }
  std::size_t stride() const { return stride_; }
  const ValueBins& bins(std::size_t column) const { return bins_[column]; }

  // The records of nodes at even depths lie in one buffer, those at odd depths in the other: parting a node
  // writes its children's.
  const std::uint8_t* records(std::int32_t depth, std::uint32_t begin) const {
    return buffers_[depth & 1].data() + begin * stride_;
  }
  std::uint32_t tag(const std::uint8_t* record) const { return tag_at(record + stride_); }
  static std::uint32_t row(std::uint32_t tag) { return tag & (kSpareBit - 1); }

  // Where in its bin the value of a row lies.
  TREEWRIGHT_INLINE std::uint8_t place(std::uint32_t row, std::size_t column, std::size_t bin) const {
    if (has_places_) return places(row)[column];
    return bins_[column].place_of(bin, table_.columns[column].real(row));
  }
  TREEWRIGHT_INLINE void ask_for_place(std::uint32_t row, std::size_t column) const {
    const auto& values = table_.columns[column];
    has_places_ ? prefetch(places(row) + column)
                : prefetch(values.data() + static_cast<std::ptrdiff_t>(row) * values.stride());
  }
  const std::uint8_t* places(std::uint32_t row) const {
    return has_places_ ? places_.data() + row * n_columns() : nullptr;
  }
  // As long as no record has moved.
  void write_places(Pool& pool);

  // Part some of the records of a node, from `begin` on: those that go left are put in front of `left_end`,
  // which grows, the others from `right_begin` down. Blocks of a node may be parted at once, for the order of
  // rows decides nothing. Adds to what is known of both sides, and calls `count(side, records, n)`.
  struct Ends {
    std::atomic<std::uint32_t> left, right;
  };
  using Sides = std::array<Summary, 2>;
  template <class GoesRight, class Count>
  void part(std::int32_t depth, std::uint32_t begin, std::uint32_t n, std::size_t column,
            std::uint8_t cut_bin, const GoesRight& goes_right, Ends& ends, Sides& sides, const Count& count);

 private:
  const Table& table_;
  std::uint32_t n_rows_;
  std::size_t stride_;
  std::vector<ValueBins> bins_;
  std::array<UninitializedBuffer<std::uint8_t>, 2> buffers_;
  UninitializedBuffer<std::uint8_t> places_;
  bool has_places_ = false;
};

template <class Kind>
template <class GoesRight, class Count>
void CodedRows<Kind>::part(std::int32_t depth, std::uint32_t begin, std::uint32_t n, std::size_t column,
                           std::uint8_t cut_bin, const GoesRight& goes_right, Ends& ends, Sides& sides,
                           const Count& count) {
  constexpr std::uint32_t kAtOnce = 1024;  // what was written is counted while it is at hand
  std::array<std::uint8_t, kAtOnce> right;
  auto* const to = buffers_[(depth + 1) & 1].data();
  const auto stride = stride_;
  for (std::uint32_t first = 0; first < n; first += kAtOnce) {
    heed_interrupts_at(first, 32 * kAtOnce);
    const auto n_here = std::min(kAtOnce, n - first);
    const auto* from = records(depth, begin + first);
    std::uint32_t n_right = 0;
    for (std::uint32_t i = 0; i < n_here; ++i) {
      const auto* record = from + i * stride;
      const auto bin = record[column];
      right[i] = bin == cut_bin ? goes_right(row(tag(record))) : bin > cut_bin;
      n_right += right[i];
    }
    const auto n_left = n_here - n_right;
    const std::array n_of_side{n_left, n_right};
    const std::array begins{
        to + ends.left.fetch_add(n_left, std::memory_order_relaxed) * stride,
        to + (ends.right.fetch_sub(n_right, std::memory_order_relaxed) - n_right) * stride};
    auto [next_left, next_right] = begins;
    for (std::uint32_t i = 0; i < n_here; ++i) {
      // A choice by sums: no branch to guess.
      const auto goes = -static_cast<std::ptrdiff_t>(right[i]);
      auto* const next = next_left + ((next_right - next_left) & goes);
      const auto* record = from + i * stride;
      for (std::size_t at = 0; at < stride; at += 8) std::memcpy(next + at, record + at, 8);
      next_left += static_cast<std::ptrdiff_t>(stride) & ~goes;
      next_right += static_cast<std::ptrdiff_t>(stride) & goes;
    }
    for (std::size_t side = 0; side < 2; ++side) {
      auto summary = sides[side];
      const auto* end = begins[side] + stride;
      for (std::uint32_t i = 0; i < n_of_side[side]; ++i, end += stride) summary.add(end);
      sides[side] = summary;
      count(side, begins[side], n_of_side[side]);
    }
  }
}

}  // namespace treewright
