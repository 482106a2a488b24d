#include "treewright/engine/coded_rows.hpp"

namespace treewright {

template <class Kind>
void RecordCounter<Kind>::add(const std::uint8_t* records, std::size_t n, std::size_t stride,
                              std::size_t n_columns, const typename Kind::Measure& measure) {
  while (n > 0) {
    if (n_packed_ == kMostAtOnce) spill(spilled_);
    const auto n_here = std::min(n, kMostAtOnce - n_packed_);
    heed_interrupts_before(n_here);
    n_packed_ += n_here;
    n -= n_here;
    for (std::size_t first = 0; first < n_here; first += kRowsAtHand)
      add_few(records + first * stride, std::min(kRowsAtHand, n_here - first), stride, n_columns, measure);
    records += n_here * stride;
  }
}

// A few rows and a few columns at a time, so that their counts stay in the nearest cache.
template <class Kind>
void RecordCounter<Kind>::add_few(const std::uint8_t* records, std::size_t n, std::size_t stride,
                                  std::size_t n_columns, const typename Kind::Measure& measure) {
  constexpr std::size_t kOfColumn = ValueBins::kBins * Kind::kWidth;
  constexpr auto kColumns = std::max<std::size_t>(4, 32'768 / (kOfColumn * sizeof(typename Kind::Packed)));
  std::array<typename Kind::Packed, kRowsAtHand> ones;
  std::array<std::size_t, kRowsAtHand> part;
  for (std::size_t i = 0; i < n; ++i) {
    ones[i] = measure.one(records + (i + 1) * stride);
    part[i] = measure.part(records + (i + 1) * stride);
  }
  for (std::size_t begin = 0; begin < n_columns; begin += kColumns) {
    const auto end = std::min(begin + kColumns, n_columns);
    const auto* record = records;
    for (std::size_t i = 0; i < n; ++i, record += stride) {
      const auto one = ones[i];
      auto* counts = packed_.data() + begin * kOfColumn + part[i];
      auto column = begin;
      for (; column + 4 <= end; column += 4, counts += 4 * kOfColumn) {
        counts[record[column] * Kind::kWidth] += one;
        counts[record[column + 1] * Kind::kWidth + kOfColumn] += one;
        counts[record[column + 2] * Kind::kWidth + 2 * kOfColumn] += one;
        counts[record[column + 3] * Kind::kWidth + 3 * kOfColumn] += one;
      }
      for (; column < end; ++column, counts += kOfColumn) counts[record[column] * Kind::kWidth] += one;
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
  spilled_ = BinCounts<Kind>();
}

namespace {

// Rows per task of a thread, and rows handled together, so that the values next to one just read are still in
// the cache when they are needed.
constexpr std::uint32_t kRows = 16384, kFewRows = 128;

// Call each(first row, number of rows) for a few rows at a time.
template <class Do>
void for_few_rows(Pool& pool, std::uint32_t n_rows, const Do& each) {
  pool.run((n_rows + kRows - 1) / kRows, [&](std::size_t block, int) {
    const auto begin = static_cast<std::uint32_t>(block) * kRows, end = std::min(n_rows, begin + kRows);
    for (auto first = begin; first < end; first += kFewRows) each(first, std::min(kFewRows, end - first));
  });
}

}  // namespace

template <class Kind>
CodedRows<Kind>::CodedRows(const Growth& growth)
    : table_(growth.table),
      n_rows_(growth.table.n_slots),
      stride_((growth.table.columns.size() + Kind::kTargetBytes + sizeof(std::uint32_t) + 7) / 8 * 8),
      target_(growth.target),
      bins_(growth.table.columns.size()),
      buffers_{UninitializedBuffer<std::uint8_t>(n_rows_ * stride_),
               UninitializedBuffer<std::uint8_t>(n_rows_ * stride_)} {
  growth.pool.run(bins_.size(), [&](std::size_t column, int) {
    const bool has_gaps = table_.orderings[column].n_known < n_rows_;
    bins_[column] = ValueBins(table_.columns[column], n_rows_, has_gaps, table_.row_of_slot);
  });
  for_few_rows(growth.pool, n_rows_, [&](std::uint32_t first, std::uint32_t n) {
    auto* const records = buffers_[0].data() + first * stride_;
    for (std::size_t column = 0; column < n_columns(); ++column)
      bins_[column].write_bins(table_.columns[column], first, n, records + column, stride_,
                               table_.row_of_slot);
    for (std::uint32_t i = 0; i < n; ++i) {
      auto* const record_end = records + (i + 1) * stride_;
      write_before(record_end, (first + i) | Kind::write(growth.target, first + i, record_end));
    }
  });
}

template <class Kind>
void CodedRows<Kind>::write_places(Pool& pool) {
  places_ = UninitializedBuffer<std::uint8_t>(std::size_t{n_rows_} * n_columns());
  for_few_rows(pool, n_rows_, [&](std::uint32_t first, std::uint32_t n) {
    for (std::size_t column = 0; column < n_columns(); ++column) {
      const auto* bin = records(0, first) + column;
      auto* place = places_.data() + first * n_columns() + column;
      const auto& values = table_.columns[column];
      with_type(values.type(), [&]<class Value>() {
        const auto* rows = table_.row_of_slot.empty() ? nullptr : table_.row_of_slot.data();
        for (auto slot = first; slot < first + n; ++slot, bin += stride_, place += n_columns()) {
          const auto row = rows == nullptr ? slot : rows[slot];
          *place = bins_[column].place_of(*bin, static_cast<double>(values.value<Value>(row)));
        }
      });
    }
  });
  has_places_ = true;
}

#define TREEWRIGHT_ROWS_OF(...)              \
  template class RecordCounter<__VA_ARGS__>; \
  template class CodedRows<__VA_ARGS__>
TREEWRIGHT_FOR_KINDS(TREEWRIGHT_ROWS_OF);

}  // namespace treewright
