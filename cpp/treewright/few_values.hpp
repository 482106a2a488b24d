// Which values does a column of few distinct ones have, and which of them has each slot? Such columns need no
// sorting: their slots are counted and dealt out.
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

  // Number the distinct keys in order of size; false where there are too many for this to pay.
  bool number(std::span<const std::uint64_t> keys) {
    const std::size_t n = keys.size(), first = std::min<std::size_t>(n, kGlance);
    const auto most = std::min<std::size_t>(kMost, n / 16);
    keys_.clear();
    counts_.clear();
    number_of_.resize(n);
    places_.assign(kPlaces, kFree);
    for (std::size_t i = 0; i < n; ++i) {
      // A glance at the first rows will do for most columns of measurements: hardly a value comes twice.
      if (i == first && keys_.size() > first - first / 64) return false;
      const auto found = find(keys[i]);
      if (found == kFree) return false;
      number_of_[i] = found;
      ++counts_[found];
      if (keys_.size() > most) return false;
    }
    std::vector<std::uint16_t> order(keys_.size());
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return keys_[a] < keys_[b]; });
    ranks_.resize(order.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank)
      ranks_[order[rank]] = static_cast<std::uint16_t>(rank);
    begins_.assign(order.size(), 0);
    for (std::size_t rank = 1; rank < order.size(); ++rank)
      begins_[rank] = begins_[rank - 1] + counts_[order[rank - 1]];
    largest_ = keys_[order.back()];
    return true;
  }

  std::uint32_t n_distinct() const { return static_cast<std::uint32_t>(ranks_.size()); }
  std::uint64_t largest() const { return largest_; }
  std::uint16_t rank(std::size_t slot) const { return ranks_[number_of_[slot]]; }

  // How many slots have a smaller value.
  std::uint32_t begin(std::uint32_t rank) const { return begins_[rank]; }

 private:
  static constexpr std::size_t kGlance = 512, kPlaces = 4 * kMost;
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
        counts_.push_back(0);
        return places_[at];
      }
      if (keys_[places_[at]] == key) return places_[at];
    }
  }

  std::vector<std::uint64_t> keys_;       // by number, in the order of their first slots
  std::vector<std::uint32_t> counts_;     // by number
  std::vector<std::uint16_t> number_of_;  // by slot
  std::vector<std::uint16_t> places_;     // hash table of numbers
  std::vector<std::uint16_t> ranks_;      // by number
  std::vector<std::uint32_t> begins_;     // by rank
  std::uint64_t largest_ = 0;
};

}  // namespace treewright
