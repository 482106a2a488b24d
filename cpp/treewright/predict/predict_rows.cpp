// Tables sent down a tree, block by block: a block is looked through for gaps and infinities, which brings it
// into the nearest cache, and its rows then walk side by side.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

#include "treewright/portable.hpp"  // for Twins
#include "treewright/predict/predict.hpp"
#include "treewright/tree/question.hpp"  // for kEveryBranch

namespace treewright {
namespace {

constexpr std::ptrdiff_t kNarrow = 256;                  // bytes of a row
constexpr std::size_t kTask = 16384;                     // rows
constexpr std::size_t kMostWays = std::size_t{1} << 22;  // for a tree, in tables

struct Seen {
  bool gaps = false;  // there may be some, for not all values are finite
  bool infinities = false;
};

// v - v is 0 of a finite value, NaN of any other. Several sums, for an addition takes longer than to start
// one.
template <class Value>
TREEWRIGHT_INLINE bool have_zero_differences(const Value* values, std::size_t n) {
  constexpr std::size_t kSums = 128 / sizeof(Value);
  std::array<Value, kSums> zeros{};
  std::size_t i = 0;
  for (; i + kSums <= n; i += kSums) {
#pragma omp simd
    for (std::size_t j = 0; j < kSums; ++j) zeros[j] += values[i + j] - values[i + j];
  }
  for (; i < n; ++i) zeros[0] += values[i] - values[i];
  return std::all_of(zeros.begin(), zeros.end(), [](Value zero) { return zero == 0; });
}

// NaN is above nothing.
template <class Value>
TREEWRIGHT_INLINE Value greatest_size(const Value* values, std::size_t n) {
  constexpr std::size_t kTops = 128 / sizeof(Value);
  std::array<Value, kTops> tops{};
  std::size_t i = 0;
  for (; i + kTops <= n; i += kTops) {
#pragma omp simd
    for (std::size_t j = 0; j < kTops; ++j) {
      const auto size = std::abs(values[i + j]);
      tops[j] = size > tops[j] ? size : tops[j];
    }
  }
  for (; i < n; ++i) tops[0] = std::max(tops[0], std::abs(values[i]));
  return *std::max_element(tops.begin(), tops.end());
}

template <class Value>
TREEWRIGHT_INLINE bool have_infinities(const Value* values, std::size_t n) {
  return std::isinf(greatest_size(values, n));
}

template <class Value>
void look(const Value* values, std::size_t n, Seen& seen) {
  if (Twins<have_zero_differences<Value>>::call(values, n)) return;
  seen.gaps = true;
  seen.infinities |= Twins<have_infinities<Value>>::call(values, n);
}

template <class Value>
bool is_aligned(const Column& column) {
  return std::bit_cast<std::uintptr_t>(column.data()) % alignof(Value) == 0 &&
         column.stride() % static_cast<std::ptrdiff_t>(alignof(Value)) == 0;
}

template <class Value>
void look(const Column& column, std::size_t begin, std::size_t end, Seen& seen) {
  if (column.stride() == sizeof(Value) && is_aligned<Value>(column)) {
    look(reinterpret_cast<const Value*>(column.data()) + begin, end - begin, seen);
    return;
  }
  for (auto row = begin; row < end; ++row) {
    const auto value = column.value<Value>(row);
    seen.gaps |= !std::isfinite(value);
    seen.infinities |= std::isinf(value);
  }
}

void look_at(const Column& column, std::size_t begin, std::size_t end, Seen& seen) {
  if (column.type() == ValueType::Float64) look<double>(column, begin, end, seen);
  if (column.type() == ValueType::Float32) look<float>(column, begin, end, seen);
}

bool is_unwanted(const Seen& seen, const Refused& refused) {
  return (seen.gaps && refused.gaps) || (seen.infinities && refused.infinities);
}

std::int64_t signed_key(std::uint64_t key) {
  return std::bit_cast<std::int64_t>(key ^ (std::uint64_t{1} << 63));
}

// The keys of some rows of a column, `n_asked` apart.
void write_keys(const Column& column, std::size_t begin, std::size_t end, std::int64_t* keys,
                std::size_t n_asked) {
  const auto write = [&](auto key_of_row) {
    for (auto row = begin; row < end; ++row, keys += n_asked) *keys = key_of_row(row);
  };
  switch (column.type()) {
    case ValueType::Float64:
      return write([&](std::size_t row) { return signed_key(key_of(column.value<double>(row))); });
    case ValueType::Float32:
      return write(
          [&](std::size_t row) { return signed_key(key_of(static_cast<double>(column.value<float>(row)))); });
    case ValueType::Int64:
      return write([&](std::size_t row) { return signed_key(key_of(column.value<std::int64_t>(row))); });
    case ValueType::Category:
      return write([&](std::size_t row) { return static_cast<std::int64_t>(column.code(row)); });
  }
}

}  // namespace

// Where a row without a value goes, if that takes no more than a number to tell.
std::uint16_t Router::gap_of(const Node& node) const {
  const bool is_told = node.first_surrogate == node.last_surrogate && node.missing_branch >= 0 &&
                       node.missing_branch < static_cast<std::int32_t>(kAsk);
  return is_told ? static_cast<std::uint16_t>(node.missing_branch) : kAsk;
}

void Router::lay_out_numbers() {
  const bool does = std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
    return !node.set.asks() && node.column <= kLastColumn;
  });
  if (!does) return;
  for (std::uint32_t at = 0; at < number_.size(); ++at) {
    numbers_.push_back({std::numeric_limits<double>::infinity(), 0, 0, at});
    if (at >= nodes_.size() || nodes_[at].column < 0) continue;
    const auto& node = nodes_[at];
    numbers_.back() = {node.cut.number, static_cast<std::uint16_t>(node.column), gap_of(node),
                       node.first_child};
    asks_ |= gap_of(node) == kAsk;
  }
}

void Router::lay_out_ways(const Node& node, KeyNode& key, std::vector<std::uint16_t>& ways) const {
  const auto otherwise = gap_of(node);
  key.ways = static_cast<std::uint32_t>(ways.size());
  const auto& set = node.set;
  if (!set.asks()) {
    ways.push_back(otherwise);
    return;
  }
  key.cut = set.least;
  key.width = 1;
  // In 64 bits, for a set may end with the largest code there is.
  const auto size = static_cast<std::int64_t>(set.end - set.begin);
  const auto last = set.codes == kByCode
                        ? set.least + size - 1
                        : std::int64_t{codes_[set.codes + static_cast<std::size_t>(size) - 1]};
  const auto width = static_cast<std::size_t>(last - set.least) + 1;
  if (ways.size() + width >= kMostWays || node.n_children >= kAsk) {
    ways.insert(ways.end(), 2, kAsk);  // looked up in the list
    return;
  }
  key.width = static_cast<std::uint32_t>(width);
  for (std::int64_t code = set.least; code <= last; ++code) {
    const auto branch = find(set, static_cast<std::int32_t>(code));
    ways.push_back(branch >= 0 ? static_cast<std::uint16_t>(branch) : otherwise);
  }
  ways.push_back(otherwise);
}

std::shared_ptr<const Router::KeyTree> Router::keys_for(std::span<const Column> columns) const {
  std::vector<ValueType> types;
  for (const auto column : asked_) types.push_back(columns[static_cast<std::size_t>(column)].type());
  const std::lock_guard lock(mutex_);
  if (keys_ && keys_->types == types) return keys_;
  auto keys = std::make_shared<KeyTree>();
  keys->types = std::move(types);
  keys->ways.push_back(0);  // of leaves
  keys->nodes.reserve(number_.size());
  for (std::uint32_t at = 0; at < number_.size(); ++at) {
    keys->nodes.push_back({kGapKey, 0, at, 0, 0});
    if (at >= nodes_.size() || nodes_[at].column < 0) continue;
    const auto& node = nodes_[at];
    auto& key = keys->nodes.back();
    const auto asked = std::lower_bound(asked_.begin(), asked_.end(), node.column) - asked_.begin();
    const auto type = keys->types[static_cast<std::size_t>(asked)];
    key.column = static_cast<std::uint32_t>(asked);
    key.first_child = node.first_child;
    key.cut = signed_key(type == ValueType::Int64 ? key_of(node.cut.integer) : key_of(node.cut.number));
    lay_out_ways(node, key, keys->ways);
  }
  keys_ = keys;
  return keys_;
}

// One table on its way down.
class Router::Descent {
 public:
  Descent(const Router& router, std::span<const Column> columns, std::size_t n_rows, Refused refused)
      : router_(router), columns_(columns), n_rows_(n_rows), refused_(refused) {
    if (router.numbers_.empty() || holds(ValueType::Int64)) {
      keys_ = router.keys_for(columns);
    } else if (are_alike<double>(ValueType::Float64)) {
      in_place_ = ValueType::Float64;
    } else if (are_alike<float>(ValueType::Float32)) {
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

  bool holds(ValueType type) const {
    return std::any_of(router_.asked_.begin(), router_.asked_.end(), [&](std::int32_t column) {
      return columns_[static_cast<std::size_t>(column)].type() == type;
    });
  }

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
    Seen seen;
    switch (in_place_) {
      case ValueType::Float64:
        return walk_in_place<double>(begin, end, ends);
      case ValueType::Float32:
        return walk_in_place<float>(begin, end, ends);
      default:
        for (const auto& column : columns_) look_at(column, begin, end, seen);
        if (is_unwanted(seen, refused_)) return false;
        if (keys_) {
          walk_keys(begin, end, scratch.keys, ends);
        } else {
          walk_copies(begin, end, scratch.numbers, seen.gaps, ends);
        }
        return true;
    }
  }

  template <class Value>
  bool walk_in_place(std::size_t begin, std::size_t end, std::uint32_t* ends) const {
    const auto stride = columns_.front().stride();
    const auto n_columns = columns_.size();
    Seen seen;
    if (is_row_major_ && stride == static_cast<std::ptrdiff_t>(n_columns * sizeof(Value))) {
      look(reinterpret_cast<const Value*>(first_[0]) + begin * n_columns, (end - begin) * n_columns, seen);
    } else if (is_row_major_) {
      for (auto row = begin; row < end; ++row) {
        const auto* values = first_[0] + static_cast<std::ptrdiff_t>(row) * stride;
        look(reinterpret_cast<const Value*>(values), n_columns, seen);
      }
    } else {
      for (const auto& column : columns_) look_at(column, begin, end, seen);
    }
    if (is_unwanted(seen, refused_)) return false;
    if (is_row_major_) {
      // Wider rows would drive out those of this block.
      const auto ahead = stride > 0 && stride <= kNarrow ? kBlock : 0;
      const RowMajor<Value> rows{first_[0], stride, n_rows_, ahead};
      walk_numbers(rows, 0, begin, end, seen.gaps, ends);
    } else {
      walk_numbers(ByColumn<Value>{first_.data(), stride}, 0, begin, end, seen.gaps, ends);
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
      const auto copy = [&]<class Value>(Value) {
        for (auto row = begin; row < end; ++row, to += n_columns) *to = column.value<Value>(row);
      };
      column.type() == ValueType::Float64 ? copy(0.0) : copy(0.0F);
    }
    const RowMajor<double> rows{reinterpret_cast<const std::byte*>(numbers.data()),
                                static_cast<std::ptrdiff_t>(n_columns * sizeof(double))};
    walk_numbers(rows, begin, 0, end - begin, has_gaps, ends);
  }

  // The row that is number i of `rows` is number `before` + i of the table.
  void walk_numbers(auto rows, std::size_t before, std::size_t begin, std::size_t end, bool has_gaps,
                    std::uint32_t* ends) const {
    const auto ask = [&](std::uint32_t at, std::size_t row) {
      return router_.next_of(at, columns_, before + row);
    };
    const auto go = [&]<Gaps kGaps>() {
      const NumberStep<kGaps, decltype(rows)> step{router_.numbers_.data(), rows};
      walk(step, begin, end, router_.depth_, ask, ends);
    };
    if (!has_gaps) {
      go.template operator()<Gaps::None>();
    } else if (!router_.asks_) {
      go.template operator()<Gaps::Told>();
    } else {
      go.template operator()<Gaps::Asked>();
    }
  }

  void walk_keys(std::size_t begin, std::size_t end, std::vector<std::int64_t>& keys,
                 std::uint32_t* ends) const {
    const auto n_asked = std::max<std::size_t>(router_.asked_.size(), 1);
    keys.resize(kBlock * n_asked);
    for (std::size_t i = 0; i < router_.asked_.size(); ++i) {
      const auto& column = columns_[static_cast<std::size_t>(router_.asked_[i])];
      write_keys(column, begin, end, keys.data() + i, n_asked);
    }
    const KeyStep step{keys_->nodes.data(), keys_->ways.data(), keys.data(), n_asked};
    const auto ask = [&](std::uint32_t at, std::size_t row) {
      return router_.next_of(at, columns_, begin + row);
    };
    walk(step, 0, end - begin, router_.depth_, ask, ends);
  }

  const Router& router_;
  std::span<const Column> columns_;
  std::size_t n_rows_;
  Refused refused_;
  std::shared_ptr<const KeyTree> keys_;       // where numbers alone do not do
  ValueType in_place_ = ValueType::Category;  // float64 or float32: that of all columns
  std::vector<const std::byte*> first_;       // of each column, in place
  bool is_row_major_ = true;
};

void Router::apply(std::span<const Column> columns, std::span<std::int32_t> leaf_of_row, Pool& pool) const {
  check_kinds(columns);
  const Descent descent(*this, columns, leaf_of_row.size(), {});
  descent.run(pool, [&](std::size_t begin, std::size_t end, const std::uint32_t* ends) {
    Spread spread;
    for (auto row = begin; row < end; ++row) {
      const auto leaf = number_[ends[row - begin]];
      leaf_of_row[row] = leaf == kSpread ? heaviest_leaf(columns, row, spread) : leaf;
    }
  });
}

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

template bool Router::take(std::span<const Column>, std::size_t, Refused, std::span<const double>,
                           std::size_t, std::span<double>, Pool&) const;
template bool Router::take(std::span<const Column>, std::size_t, Refused, std::span<const std::int64_t>,
                           std::size_t, std::span<std::int64_t>, Pool&) const;

}  // namespace treewright
