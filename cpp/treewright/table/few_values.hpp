// Which values does a column of few distinct ones have, and which of them has each slot? Such columns need no
// sorting: a slot's code tells its place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace treewright {

class FewValues {
 public:
  static constexpr std::uint32_t kMost = 4096;  // distinct values
  static constexpr std::uint32_t kGlance = 512;

  // Whether so many distinct values of n rows are few enough for codes to pay.
  static bool are_few(std::size_t n_distinct, std::size_t n) {
    return n_distinct <= std::min<std::size_t>(kMost, n / 16);
  }
  // A glance at the first rows will do for most columns of measurements: hardly a value comes twice.
  static bool may_be_few(std::size_t n_distinct, std::size_t n_seen) {
    return n_distinct <= n_seen - n_seen / 64;
  }

  // Number the distinct keys in order of size; false where there are too many for this to pay.
  bool number(std::span<const std::uint64_t> keys) {
    const std::size_t n = keys.size(), first = std::min<std::size_t>(n, kGlance);
    keys_.clear();
    number_of_.resize(n);
    places_.assign(kPlaces, kFree);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == first && !may_be_few(keys_.size(), first)) return false;
      const auto found = find(keys[i]);
      if (found == kFree) return false;
      number_of_[i] = found;
      if (!are_few(keys_.size(), n)) return false;
    }
    std::vector<std::uint16_t> order(keys_.size());
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return keys_[a] < keys_[b]; });
    ranks_.resize(order.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank)
      ranks_[order[rank]] = static_cast<std::uint16_t>(rank);
    largest_ = keys_[order.back()];
    return true;
  }

  std::uint32_t n_distinct() const { return static_cast<std::uint32_t>(ranks_.size()); }
  std::uint64_t largest() const { return largest_; }
  std::uint16_t rank(std::size_t slot) const { return ranks_[number_of_[slot]]; }

 private:
  static constexpr std::size_t kPlaces = 4 * kMost;
  static constexpr std::uint16_t kFree = 0xFFFF;

  // The number of a key, a new one where it has none yet; kFree if there are no more.
  std::uint16_t find(std::uint64_t key) {
    auto at = static_cast<std::size_t>(key * 0x9E37'79B9'7F4A'7C15u >> (64 - 14));
    static_assert(kPlaces == std::size_t{1} << 14);
    for (;; at = (at + 1) % kPlaces) {
      if (places_[at] == kFree) {
        if (keys_.size() > kMost) return kFree;
        places_[at] = static_cast<std::uint16_t>(keys_.size());
        keys_.push_back(key);
        return places_[at];
      }
      if (keys_[places_[at]] == key) return places_[at];
    }
  }

  std::vector<std::uint64_t> keys_;       // by number, in the order of their first slots
  std::vector<std::uint16_t> number_of_;  // by slot
  std::vector<std::uint16_t> places_;     // hash table of numbers
  std::vector<std::uint16_t> ranks_;      // by number
  std::uint64_t largest_ = 0;
};

}  // namespace treewright
