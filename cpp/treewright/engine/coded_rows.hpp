// The rows of a table as records that move with their nodes: a byte a column says in which bin the value
// lies.
//
// A record holds the bins of a row, its class and its number. A second byte a column, the place in the bin,
// stays where it was written; few rows of a node are asked for it. Values themselves are asked for fewer
// still.
#pragma once

#include <atomic>

#include "treewright/engine/grow.hpp"                 // for Growth
#include "treewright/search/two_class_bounds.hpp"     // for TwoClassCount
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer
#include "treewright/table/value_bins.hpp"            // for ValueBins

namespace treewright {

// Rows of a node by bin, one column after the other.
using BinCounts = std::vector<TwoClassCount>;

// Adds up records. Both counts of a bin are halves of one number, so few rows are added up at a time.
class RecordCounter {
 public:
  explicit RecordCounter(std::size_t n_columns) : packed_(n_columns * ValueBins::kBins) {}

  void add(const std::uint8_t* records, std::size_t n, std::size_t stride, std::size_t n_columns);
  void move_to(BinCounts& counts);

 private:
  static constexpr std::size_t kMostAtOnce = 65535;

  void spill(BinCounts& counts);

  std::vector<std::uint32_t> packed_;  // rows, and 2^16 times those of class 1
  BinCounts spilled_;
  std::size_t n_packed_ = 0;
};

class CodedRows {
 public:
  static constexpr std::uint32_t kOne = std::uint32_t{1} << 31;  // a tag: class 1, and the number of a row

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
  std::uint32_t tag(const std::uint8_t* record) const {
    std::uint32_t tag;
    std::memcpy(&tag, record + (stride_ - sizeof tag), sizeof tag);
    return tag;
  }
  static std::uint32_t row(std::uint32_t tag) { return tag & (kOne - 1); }

  // Where in its bin the value of a row lies.
  const std::uint8_t* places(std::uint32_t row) const { return places_.data() + row * n_columns(); }

  // Part some of the records of a node, from `begin` on: those that go left are put in front of `left_end`,
  // which grows, the others from `right_begin` down. Blocks of a node may be parted at once, for the order of
  // rows decides nothing. Returns what went left; counts one side if there is a counter.
  struct Ends {
    std::atomic<std::uint32_t> left, right;
  };
  template <class GoesRight>
  TwoClassCount part(std::int32_t depth, std::uint32_t begin, std::uint32_t n, std::size_t column,
                     std::uint8_t cut_bin, const GoesRight& goes_right, Ends& ends, bool counts_right,
                     RecordCounter* counter);

 private:
  void write_rows(const Growth& growth, std::uint32_t begin, std::uint32_t end);

  std::uint32_t n_rows_;
  std::size_t stride_;
  std::vector<ValueBins> bins_;
  std::array<UninitializedBuffer<std::uint8_t>, 2> buffers_;
  UninitializedBuffer<std::uint8_t> places_;
};

template <class GoesRight>
TwoClassCount CodedRows::part(std::int32_t depth, std::uint32_t begin, std::uint32_t n, std::size_t column,
                              std::uint8_t cut_bin, const GoesRight& goes_right, Ends& ends,
                              bool counts_right, RecordCounter* counter) {
  constexpr std::uint32_t kAtOnce = 1024;  // what was written is counted while it is at hand
  std::array<std::uint8_t, kAtOnce> right;
  auto* const to = buffers_[(depth + 1) & 1].data();
  const auto stride = stride_;
  TwoClassCount all_left;
  for (std::uint32_t first = 0; first < n; first += kAtOnce) {
    heed_interrupts_at(first, 32 * kAtOnce);
    const auto n_here = std::min(kAtOnce, n - first);
    const auto* from = records(depth, begin + first);
    TwoClassCount left;
    for (std::uint32_t i = 0; i < n_here; ++i) {
      const auto* record = from + i * stride;
      const auto mark = tag(record);
      const auto bin = record[column];
      right[i] = bin == cut_bin ? goes_right(row(mark)) : bin > cut_bin;
      left.rows += 1 - right[i];
      left.ones += (1 - right[i]) & mark >> 31;
    }
    all_left += left;
    const auto n_right = n_here - left.rows;
    auto* const left_begin = to + ends.left.fetch_add(left.rows, std::memory_order_relaxed) * stride;
    auto* const right_begin =
        to + (ends.right.fetch_sub(n_right, std::memory_order_relaxed) - n_right) * stride;
    auto *next_left = left_begin, *next_right = right_begin;
    for (std::uint32_t i = 0; i < n_here; ++i) {
      // A choice by sums: no branch to guess.
      const auto goes = -static_cast<std::ptrdiff_t>(right[i]);
      auto* const next = next_left + ((next_right - next_left) & goes);
      const auto* record = from + i * stride;
      for (std::size_t at = 0; at < stride; at += 8) std::memcpy(next + at, record + at, 8);
      next_left += static_cast<std::ptrdiff_t>(stride) & ~goes;
      next_right += static_cast<std::ptrdiff_t>(stride) & goes;
    }
    if (counter != nullptr)
      counter->add(counts_right ? right_begin : left_begin, counts_right ? n_right : left.rows, stride,
                   n_columns());
  }
  return all_left;
}

}  // namespace treewright
