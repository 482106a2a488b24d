// The slots of a column put in order of their keys.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/table/column.hpp"  // for ValueType, kMissingKey

namespace treewright {

// Of the keys of a column that stand for a value.
struct KeyRange {
  std::uint64_t least = kMissingKey, most = 0;
  std::uint32_t n_known = 0;

  void add(std::uint64_t key) {
    const bool is_known = key != kMissingKey;
    least = std::min(least, key);
    most = std::max(most, is_known ? key : 0);
    n_known += is_known;
  }
};

// A key of 32 bits: they order as those of `Column::key` do.
inline std::uint64_t short_key_of(float value) {
  if (std::isnan(value)) return kMissingKey;
  const auto bits = std::bit_cast<std::uint32_t>(value + 0.0f);  // -0.0 becomes +0.0
  const auto sign = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31);
  return bits ^ (sign | (std::uint32_t{1} << 31));
}

// Buffers that serve one column after the other.
class KeySort {
 public:
  // Write the slots by key, equal ones rising, and those of missing values behind them. Keys of floats of 32
  // bits are short ones.
  void sort(std::span<const std::uint64_t> keys, const KeyRange& range, ValueType type,
            std::span<std::uint32_t> list);

  // Places in the list whose key is that of the place before.
  const std::vector<std::uint32_t>& ties() const { return ties_; }

  std::int64_t n_sorted = 0;  // entries times passes, in all

 private:
  template <class NumberOf>
  bool sort_evenly(std::span<const std::uint64_t> keys, const KeyRange& range, const NumberOf& number_of);
  void sort_by_bits(std::span<const std::uint64_t> keys, const KeyRange& range);
  void read_off(std::span<const std::uint64_t> keys, std::span<std::uint32_t> list);

  std::vector<std::uint64_t> words_, spare_;  // (part of a key) << 32 | slot
  std::vector<std::uint32_t> starts_;         // of buckets
  std::vector<std::uint32_t> ties_;
};

}  // namespace treewright
