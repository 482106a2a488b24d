// Tables sent down a tree, block by block: a block is looked through for gaps and infinities, which brings it
// into the nearest cache, and its rows then walk side by side.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>

#include "treewright/interrupt.hpp"  // for heed_interrupts
#include "treewright/portable.hpp"   // for Twins
#include "treewright/predict/predict.hpp"

namespace treewright {
namespace {

constexpr std::size_t kTask = 16384;  // rows

struct Seen {
  bool gaps = false;  // there may be some, for not all values are finite
  bool infinities = false;

  void add(const Seen& other) {
    gaps |= other.gaps;
    infinities |= other.infinities;
  }
};

// v - v is 0 of a finite value, NaN of any other. Several sums, for an addition takes longer than to start
// one.
template <class Value>
TREEWRIGHT_INLINE Seen seen_in(const Value* values, std::size_t n) {
  constexpr std::size_t kSums = 128 / sizeof(Value);
  std::array<Value, kSums> zeros{};
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
#pragma omp simd
    for (std::size_t j = 0; j < kSums; ++j) zeros[j] += values[i + j] - values[i + j];
  }
  for (; i < n; ++i) zeros[0] += values[i] - values[i];
  if (std::ranges::all_of(zeros, [](Value zero) { return zero == 0; })) return {};
  Value top = 0;  // NaN is above nothing
  TREEWRIGHT_SIMD_MAX(top)
  for (i = 0; i < n; ++i) top = std::abs(values[i]) > top ? std::abs(values[i]) : top;
  return {.gaps = true, .infinities = std::isinf(top)};
}

template <class Value>
bool is_aligned(const Column& column) {
  return std::bit_cast<std::uintptr_t>(column.data()) % alignof(Value) == 0 &&
         column.stride() % static_cast<std::ptrdiff_t>(alignof(Value)) == 0;
}

template <class Value>
void look(const Column& column, std::size_t begin, std::size_t end, Seen& seen) {
  if (column.stride() == sizeof(Value) && is_aligned<Value>(column)) {
    return seen.add(
        Twins<seen_in<Value>>::call(reinterpret_cast<const Value*>(column.data()) + begin, end - begin));
  }
  for (auto row = begin; row < end; ++row) {
    const auto value = column.value<Value>(row);
    seen.add({!std::isfinite(value), std::isinf(value)});
  }
}

void look_at(const Column& column, std::size_t begin, std::size_t end, Seen& seen) {
  if (column.type() == ValueType::Float64) look<double>(column, begin, end, seen);
  if (column.type() == ValueType::Float32) look<float>(column, begin, end, seen);
}

bool is_unwanted(const Seen& seen, const Refused& refused) {
  return (seen.gaps && refused.gaps) || (seen.infinities && refused.infinities);
}

}  // namespace

// One table on its way down.
class Router::Descent {
 public:
  Descent(const Router& router, std::span<const Column> columns, std::size_t n_rows, Refused refused)
      : router_(router), columns_(columns), n_rows_(n_rows), refused_(refused) {
    const auto is_integer = [&](std::int32_t at) {
      return columns[static_cast<std::size_t>(at)].type() == ValueType::Int64;
    };
    are_floats_ = !router.numbers_.empty() && std::ranges::none_of(router.asked_, is_integer);
    for (std::size_t i = 0; !are_floats_ && i < router.asked_.size(); ++i)
      is_integer_.push_back(is_integer(router.asked_[i]));
    if (are_floats_ && are_alike<double>(ValueType::Float64)) {
      in_place_ = ValueType::Float64;
    } else if (are_floats_ && are_alike<float>(ValueType::Float32)) {
      in_place_ = ValueType::Float32;
    }
  }

  // False if some value is refused; rows after it were then left where they are.
  bool run(Pool& pool, const TakeBlock& take_block) const {
    std::atomic<bool> goes_on = true;
    pool.run((n_rows_ + kTask - 1) / kTask, [&](std::size_t task, int) {
      const auto task_end = std::min(n_rows_, (task + 1) * kTask);
      std::array<std::uint32_t, kBlock> ends;
      Scratch scratch;
      for (auto begin = task * kTask; begin < task_end && goes_on; begin += kBlock) {
        if (router_.spreads()) heed_interrupts();  // a row may come to every leaf
        const auto end = std::min(task_end, begin + kBlock);
        if (walk_block(begin, end, scratch, ends.data())) {
          take_block(begin, end, ends.data());
        } else {
          goes_on = false;
        }
      }
    });
    return goes_on;
  }

 private:
  struct Scratch {
    std::vector<double> numbers;
    std::vector<std::int64_t> keys;
  };

  // Whether all columns are floats of one type that can be read where they are.
  template <class Value>
  bool are_alike(ValueType type) {
    const auto is_alike = [&](const Column& column) {
      return column.type() == type && column.stride() == columns_.front().stride() &&
             is_aligned<Value>(column);
    };
    if (columns_.empty() || !std::all_of(columns_.begin(), columns_.end(), is_alike)) return false;
    for (const auto& column : columns_) {
      is_row_major_ &= column.data() == columns_.front().data() + first_.size() * sizeof(Value);
      first_.push_back(column.data());
    }
    return true;
  }

  bool walk_block(std::size_t begin, std::size_t end, Scratch& scratch, std::uint32_t* ends) const {
    if (in_place_ == ValueType::Float64) return walk_in_place<double>(begin, end, ends);
    if (in_place_ == ValueType::Float32) return walk_in_place<float>(begin, end, ends);
    Seen seen;
    for (const auto& column : columns_) look_at(column, begin, end, seen);
    if (is_unwanted(seen, refused_)) return false;
    if (are_floats_) {
      walk_copies(begin, end, scratch.numbers, seen.gaps, ends);
    } else {
      walk_keys(begin, end, scratch.keys, ends);
    }
    return true;
  }

  template <class Value>
  bool walk_in_place(std::size_t begin, std::size_t end, std::uint32_t* ends) const {
    const auto stride = columns_.front().stride();
    const auto n_columns = columns_.size();
    const auto* const first = first_[0] + static_cast<std::ptrdiff_t>(begin) * stride;
    const auto seen_from = [](const std::byte* values, std::size_t n) {
      return Twins<seen_in<Value>>::call(reinterpret_cast<const Value*>(values), n);
    };
    Seen seen;
    if (is_row_major_ && stride == static_cast<std::ptrdiff_t>(n_columns * sizeof(Value))) {
      seen = seen_from(first, (end - begin) * n_columns);
    } else if (is_row_major_) {
      for (auto row = begin; row < end; ++row)
        seen.add(seen_from(first + static_cast<std::ptrdiff_t>(row - begin) * stride, n_columns));
    } else {
      for (const auto& column : columns_) look_at(column, begin, end, seen);
    }
    if (is_unwanted(seen, refused_)) return false;
    if (is_row_major_) {
      walk_numbers(RowMajor<Value>{first, stride}, begin, end, seen.gaps, ends);
    } else {
      walk_numbers(ByColumn<Value>{first_.data(), begin, stride}, begin, end, seen.gaps, ends);
    }
    return true;
  }

  // Floats of both types, or far apart: copied side by side as float64.
  void walk_copies(std::size_t begin, std::size_t end, std::vector<double>& numbers, bool has_gaps,
                   std::uint32_t* ends) const {
    const auto n_columns = columns_.size();
    numbers.resize(kBlock * n_columns);
    for (const auto at : router_.asked_) {
      const auto& column = columns_[static_cast<std::size_t>(at)];
      auto* to = numbers.data() + at;
      for (auto row = begin; row < end; ++row, to += n_columns) *to = column.number(row);
    }
    const RowMajor<double> rows{reinterpret_cast<const std::byte*>(numbers.data()),
                                static_cast<std::ptrdiff_t>(n_columns * sizeof(double))};
    walk_numbers(rows, begin, end, has_gaps, ends);
  }

  void walk_numbers(auto rows, std::size_t begin, std::size_t end, bool has_gaps, std::uint32_t* ends) const {
    const auto* const nodes = router_.numbers_.data();
    if (has_gaps) {
      walk_steps(NumberStep<true, decltype(rows)>{nodes, rows}, begin, end, ends);
    } else {
      walk_steps(NumberStep<false, decltype(rows)>{nodes, rows}, begin, end, ends);
    }
  }

  void walk_keys(std::size_t begin, std::size_t end, std::vector<std::int64_t>& keys,
                 std::uint32_t* ends) const {
    const auto n_asked = std::max<std::size_t>(router_.asked_.size(), 1);
    keys.resize(kBlock * n_asked);
    for (std::size_t i = 0; i < router_.asked_.size(); ++i) {
      with_keys(columns_[static_cast<std::size_t>(router_.asked_[i])], [&](const auto& key_of_row) {
        auto* key = keys.data() + i;
        for (auto row = begin; row < end; ++row, key += n_asked) *key = key_of_row(row);
      });
    }
    walk_steps(KeyStep{router_.nodes_.data(), router_.ways_.data(), is_integer_.data(), keys.data(), n_asked},
               begin, end, ends);
  }

  void walk_steps(const auto& step, std::size_t begin, std::size_t end, std::uint32_t* ends) const {
    const auto ask = [&](std::uint32_t at, std::size_t row) {
      return router_.next_of(at, columns_, begin + row);
    };
    walk(step, end - begin, router_.depth_, ask, ends);
  }

  const Router& router_;
  std::span<const Column> columns_;
  std::size_t n_rows_;
  Refused refused_;
  bool are_floats_ = false;                   // the columns asked about
  ValueType in_place_ = ValueType::Category;  // float64 or float32: that of all columns
  std::vector<const std::byte*> first_;       // of each column, in place
  std::vector<std::uint8_t> is_integer_;      // by column asked about, where these are not all floats
  bool is_row_major_ = true;
};

template <class Value>
bool Router::take(std::span<const Column> columns, std::size_t n_rows, Refused refused,
                  std::span<const Value> of_nodes, std::size_t width, std::span<Value> out,
                  Pool& pool) const {
  check_kinds(columns);
  const Descent descent(*this, columns, n_rows, refused);
  if (width == 1 && !spreads_ && n_rows >= number_.size()) {
    // By where rows end up, not by the number of that node: one look-up a row instead of two.
    std::vector<Value> of_ends(number_.size());
    for (std::size_t at = 0; at < number_.size(); ++at) {
      if (number_[at] != kSpread) of_ends[at] = of_nodes[static_cast<std::size_t>(number_[at])];
    }
    return descent.run(pool, [&](std::size_t begin, std::size_t end, const std::uint32_t* ends) {
      for (auto row = begin; row < end; ++row) out[row] = of_ends[ends[row - begin]];
    });
  }
  const auto copy = [&](std::int32_t leaf, Value* to) {
    const auto* from = of_nodes.data() + static_cast<std::size_t>(leaf) * width;
    if (width == 1) {
      *to = *from;
    } else {
      std::copy_n(from, width, to);
    }
  };
  const auto mix = [&](std::size_t row, Spread& spread, Value* to) {
    spread_alone(columns, row, spread);
    const auto& shares = spread.shares;
    if (shares.leaf.size() == 1) return copy(shares.leaf.front(), to);
    std::fill_n(to, width, Value{0});
    for (std::size_t i = 0; i < shares.leaf.size(); ++i) {
      const auto* from = of_nodes.data() + static_cast<std::size_t>(shares.leaf[i]) * width;
      for (std::size_t j = 0; j < width; ++j) to[j] += shares.share[i] * from[j];
    }
  };
  return descent.run(pool, [&](std::size_t begin, std::size_t end, const std::uint32_t* ends) {
    auto* to = out.data() + begin * width;
    Spread spread;
    for (auto row = begin; row < end; ++row, to += width) {
      const auto leaf = number_[ends[row - begin]];
      if (leaf != kSpread) {
        copy(leaf, to);
      } else if constexpr (std::is_integral_v<Value>) {
        copy(heaviest_leaf(columns, row, spread), to);
      } else {
        mix(row, spread, to);
      }
    }
  });
}

void Router::apply(std::span<const Column> columns, std::span<std::int32_t> leaf_of_row, Pool& pool) const {
  std::vector<std::int32_t> numbers(n_nodes());
  std::iota(numbers.begin(), numbers.end(), 0);
  take<std::int32_t>(columns, leaf_of_row.size(), {}, numbers, 1, leaf_of_row, pool);
}

template bool Router::take(std::span<const Column>, std::size_t, Refused, std::span<const double>,
                           std::size_t, std::span<double>, Pool&) const;
template bool Router::take(std::span<const Column>, std::size_t, Refused, std::span<const std::int64_t>,
                           std::size_t, std::span<std::int64_t>, Pool&) const;

}  // namespace treewright
