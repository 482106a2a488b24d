#include "treewright/engine/coded_rows.hpp"

namespace treewright {

template <class Kind>
void RecordCounter<Kind>::add(const std::uint8_t* records, std::size_t n, std::size_t stride,
                              std::size_t n_columns, const typename Kind::Measure& measure) {
  constexpr std::size_t kBins = ValueBins::kBins, kWidth = Kind::kWidth;
  while (n > 0) {
    if (n_packed_ == kMostAtOnce) spill(spilled_);
    const auto n_here = std::min(n, kMostAtOnce - n_packed_);
    heed_interrupts_before(n_here);
    n_packed_ += n_here;
    n -= n_here;
    for (std::size_t i = 0; i < n_here; ++i, records += stride) {
      const auto one = measure.one(records + stride);
      auto* counts = packed_.data() + measure.part(records + stride);
      std::size_t column = 0;
      for (; column + 4 <= n_columns; column += 4, counts += 4 * kBins * kWidth) {
        counts[records[column] * kWidth] += one;
        counts[(kBins + records[column + 1]) * kWidth] += one;
        counts[(2 * kBins + records[column + 2]) * kWidth] += one;
        counts[(3 * kBins + records[column + 3]) * kWidth] += one;
      }
      for (; column < n_columns; ++column, counts += kBins * kWidth) counts[records[column] * kWidth] += one;
    }
  }
}

template <class Kind>
void RecordCounter<Kind>::spill(BinCounts<Kind>& counts) {
  counts.resize(packed_.size() / Kind::kWidth);
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] += Kind::unpack(packed_.data() + i * Kind::kWidth);
  std::ranges::fill(packed_, typename Kind::Packed{});
  n_packed_ = 0;
}

template <class Kind>
void RecordCounter<Kind>::move_to(BinCounts<Kind>& counts) {
  spill(spilled_);
  if (counts.empty()) {
    counts = std::move(spilled_);
  } else {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += spilled_[i];
  }
  spilled_ = {};
}

template <class Kind>
CodedRows<Kind>::CodedRows(const Growth& growth)
    : n_rows_(growth.table.n_slots),
      stride_((growth.table.columns.size() + Kind::kTargetBytes + sizeof(std::uint32_t) + 7) / 8 * 8),
      bins_(growth.table.columns.size()),
      buffers_{UninitializedBuffer<std::uint8_t>(n_rows_ * stride_),
               UninitializedBuffer<std::uint8_t>(n_rows_ * stride_)},
      places_(std::size_t{n_rows_} * bins_.size()) {
  growth.pool.run(bins_.size(), [&](std::size_t column, int) {
    bins_[column] = ValueBins(growth.table.columns[column], n_rows_);
  });
  constexpr std::uint32_t kRows = 16384;
  growth.pool.run((n_rows_ + kRows - 1) / kRows, [&](std::size_t block, int) {
    const auto begin = static_cast<std::uint32_t>(block) * kRows;
    write_rows(growth, begin, std::min(n_rows_, begin + kRows));
  });
}

// A few rows at a time: what a row has beside the value just read is then still at hand.
template <class Kind>
void CodedRows<Kind>::write_rows(const Growth& growth, std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint32_t kRows = 128;
  for (auto first = begin; first < end; first += kRows) {
    const auto n = std::min(kRows, end - first);
    auto* const records = buffers_[0].data() + first * stride_;
    for (std::size_t column = 0; column < n_columns(); ++column) {
      bins_[column].write(growth.table.columns[column], first, n, records + column, stride_,
                          places_.data() + first * n_columns() + column, n_columns());
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      auto* const record_end = records + (i + 1) * stride_;
      const std::uint32_t tag = (first + i) | Kind::write(growth.target, first + i, record_end);
      std::memcpy(record_end - sizeof tag, &tag, sizeof tag);
    }
  }
}

template class RecordCounter<TwoClassRows>;
template class RecordCounter<NumberRows>;
template class CodedRows<TwoClassRows>;
template class CodedRows<NumberRows>;

}  // namespace treewright
