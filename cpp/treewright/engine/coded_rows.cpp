#include "treewright/engine/coded_rows.hpp"

namespace treewright {

void RecordCounter::add(const std::uint8_t* records, std::size_t n, std::size_t stride,
                        std::size_t n_columns) {
  while (n > 0) {
    if (n_packed_ == kMostAtOnce) spill(spilled_);
    const auto n_here = std::min(n, kMostAtOnce - n_packed_);
    heed_interrupts_before(n_here);
    n_packed_ += n_here;
    n -= n_here;
    for (std::size_t i = 0; i < n_here; ++i, records += stride) {
      std::uint32_t tag;
      std::memcpy(&tag, records + (stride - sizeof tag), sizeof tag);
      const auto one = 1 + (tag >> 31 << 16);
      auto* counts = packed_.data();
      std::size_t column = 0;
      for (; column + 4 <= n_columns; column += 4, counts += 4 * ValueBins::kBins) {
        counts[records[column]] += one;
        counts[ValueBins::kBins + records[column + 1]] += one;
        counts[2 * ValueBins::kBins + records[column + 2]] += one;
        counts[3 * ValueBins::kBins + records[column + 3]] += one;
      }
      for (; column < n_columns; ++column, counts += ValueBins::kBins) counts[records[column]] += one;
    }
  }
}

void RecordCounter::spill(BinCounts& counts) {
  counts.resize(packed_.size());
  for (std::size_t i = 0; i < packed_.size(); ++i)
    counts[i] += {packed_[i] & 0xFFFF, std::exchange(packed_[i], 0) >> 16};
  n_packed_ = 0;
}

void RecordCounter::move_to(BinCounts& counts) {
  spill(spilled_);
  if (counts.empty()) {
    counts = std::move(spilled_);
  } else {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += spilled_[i];
  }
  spilled_ = BinCounts();
}

CodedRows::CodedRows(const Growth& growth)
    : n_rows_(growth.table.n_slots),
      stride_((growth.table.columns.size() + sizeof(std::uint32_t) + 7) / 8 * 8),
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
void CodedRows::write_rows(const Growth& growth, std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint32_t kRows = 128;
  for (auto first = begin; first < end; first += kRows) {
    const auto n = std::min(kRows, end - first);
    auto* const records = buffers_[0].data() + first * stride_;
    for (std::size_t column = 0; column < n_columns(); ++column) {
      bins_[column].write(growth.table.columns[column], first, n, records + column, stride_,
                          places_.data() + first * n_columns() + column, n_columns());
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t tag = (first + i) | (growth.target.classes[first + i] != 0 ? kOne : 0);
      std::memcpy(records + (i + 1) * stride_ - sizeof tag, &tag, sizeof tag);
    }
  }
}

}  // namespace treewright
