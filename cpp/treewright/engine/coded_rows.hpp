// The rows of a table as records that move with their nodes: one byte per column gives the value's bin.
//
// A record holds the bins of a row, its target and its number. A second byte per column, the place in the
// bin, is computed from the value on demand; if most rows need it, as in noisy columns, all places are
// written down once, in an array that does not move with the records.
#pragma once

#include <atomic>

#include "treewright/engine/grow.hpp"                 // for Growth
#include "treewright/search/number_counts.hpp"        // for NumberRows, ClassRows, tag_at
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer
#include "treewright/table/value_bins.hpp"            // for ValueBins

namespace treewright {

// Counts of a node by bin, one column after the other.
template <class Kind>
using BinCounts = std::vector<typename Kind::Count>;

// Adds up records in packed counts. So that these do not overflow, they are spilled after kMostAtOnce rows.
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

  // Records of nodes at even depths are in one buffer, those at odd depths in the other: partitioning a node
  // writes the records of its children to the other buffer.
  const std::uint8_t* records(std::int32_t depth, std::uint32_t begin) const {
    return buffers_[depth & 1].data() + begin * stride_;
  }
  std::uint32_t tag(const std::uint8_t* record) const { return tag_at(record + stride_); }
  static std::uint32_t slot(std::uint32_t tag) { return tag & (kSpareBit - 1); }
  std::uint32_t row(std::uint32_t tag) const { return table_.row(slot(tag)); }  // as the table numbers rows

  // The place of a value in its bin.
  TREEWRIGHT_INLINE std::uint8_t place(std::uint32_t tag, std::size_t column, std::size_t bin) const {
    if (has_places_) return places(tag)[column];
    return bins_[column].place_of(bin, table_.columns[column].real(row(tag)));
  }
  TREEWRIGHT_INLINE void ask_for_place(std::uint32_t tag, std::size_t column) const {
    has_places_ ? prefetch(places(tag) + column) : ask_for_value(tag, column);
  }
  TREEWRIGHT_INLINE void ask_for_value(std::uint32_t tag, std::size_t column) const {
    const auto& values = table_.columns[column];
    prefetch(values.data() + static_cast<std::ptrdiff_t>(row(tag)) * values.stride());
  }
  const std::uint8_t* places(std::uint32_t tag) const {
    return has_places_ ? places_.data() + slot(tag) * n_columns() : nullptr;
  }
  // Call it before any record has moved.
  void write_places(Pool& pool);

  // The bin of a cut. Missing values go to one side, or to a third branch of their own.
  struct Place {
    Place(const CodedRows& rows, std::size_t of_column, const Cut& at, std::int32_t missing_branch)
        : column(of_column), cut(at), missing_left(missing_branch == 0), has_third(missing_branch == 2) {
      const auto& values = rows.table_.columns[column];
      const bool is_whole = values.type() == ValueType::Int64;
      bin = rows.bins(column).bin_of(is_whole ? static_cast<double>(cut.integer) : cut.number);
      // Counted from the bin of missing values, all other bins are higher.
      first_bin = rows.bins(column).has_gaps() && missing_left ? ValueBins::kBins - 1 : 0;
    }
    std::size_t column;
    Cut cut;
    std::uint8_t bin, first_bin;
    bool missing_left, has_third;
  };
  // Whether the row of a record goes right.
  TREEWRIGHT_INLINE std::uint8_t goes_right(const Place& at, const std::uint8_t* record) const {
    const auto bin = record[at.column];
    if (bin == at.bin) [[unlikely]]
      return !table_.columns[at.column].at_most(row(tag(record)), at.cut);
    return static_cast<std::uint8_t>(bin - at.first_bin) > static_cast<std::uint8_t>(at.bin - at.first_bin);
  }

  // Partition n records of a node from `begin` on: those that go left are written from `ends.left` up, those
  // that go right from `ends.right` down, those of a third branch from `ends.third` up. Blocks of a node may
  // be partitioned in parallel: row order decides nothing. Adds to the summaries of the branches, and calls
  // `count(branch, records, n)`.
  struct Ends {
    std::atomic<std::uint32_t> left, right, third;
  };
  using Branches = std::array<Summary, 3>;
  template <class Count>
  void part(std::int32_t depth, std::uint32_t begin, std::uint32_t n, const Place& at, Ends& ends,
            Branches& branches, const Count& count);

 private:
  const Table& table_;
  std::uint32_t n_rows_;
  std::size_t stride_;
  const Target& target_;
  std::vector<ValueBins> bins_;
  std::array<UninitializedBuffer<std::uint8_t>, 2> buffers_;
  UninitializedBuffer<std::uint8_t> places_;
  bool has_places_ = false;
};

template <class Kind>
template <class Count>
void CodedRows<Kind>::part(std::int32_t depth, std::uint32_t begin, std::uint32_t n, const Place& at,
                           Ends& ends, Branches& branches, const Count& count) {
  constexpr std::uint32_t kAtOnce = 1024;  // records are counted while still in the cache
  std::array<std::uint8_t, kAtOnce> branch;
  auto* const to = buffers_[(depth + 1) & 1].data();
  const auto stride = stride_;
  for (std::uint32_t first = 0; first < n; first += kAtOnce) {
    heed_interrupts_at(first, 32 * kAtOnce);
    const auto n_here = std::min(kAtOnce, n - first);
    const auto* from = records(depth, begin + first);
    std::uint32_t n_right = 0, n_third = 0;
    for (std::uint32_t i = 0; i < n_here; ++i) n_right += branch[i] = goes_right(at, from + i * stride);
    for (std::uint32_t i = 0; at.has_third && i < n_here; ++i) {
      const bool is_third = from[i * stride + at.column] == ValueBins::kBins - 1;
      n_third += is_third;
      branch[i] = is_third ? 2 : branch[i];
    }
    n_right -= n_third;  // the bin of missing values is above all others
    const std::array n_of{n_here - n_right - n_third, n_right, n_third};
    const std::array begins{
        to + ends.left.fetch_add(n_of[0], std::memory_order_relaxed) * stride,
        to + (ends.right.fetch_sub(n_of[1], std::memory_order_relaxed) - n_of[1]) * stride,
        to + ends.third.fetch_add(n_of[2], std::memory_order_relaxed) * stride};
    auto next = begins;
    for (std::uint32_t i = 0; i < n_here; ++i) {
      auto& here = next[branch[i]];
      const auto* record = from + i * stride;
      for (std::size_t at_byte = 0; at_byte < stride; at_byte += 8)
        std::memcpy(here + at_byte, record + at_byte, 8);
      here += stride;
    }
    for (std::size_t b = 0; b < branches.size(); ++b) {
      auto summary = branches[b];
      const auto* end = begins[b] + stride;
      for (std::uint32_t i = 0; i < n_of[b]; ++i, end += stride) summary.add(end, target_);
      branches[b] = summary;
      count(b, begins[b], n_of[b]);
    }
  }
}

}  // namespace treewright
