// The slots of a block in order of their targets, so that any node of it is put in order in linear time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace treewright {

class TargetOrder {
 public:
  // All slots of the table.
  void take(const std::vector<double>& numbers) {
    slot_.resize(numbers.size());
    std::iota(slot_.begin(), slot_.end(), 0);
    std::stable_sort(slot_.begin(), slot_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return numbers[a] < numbers[b]; });
    number_slots();
  }

  // Some slots of a wider block, numbered anew.
  template <class Index>
  void take(const TargetOrder& from, std::span<const Index> slots) {
    if (narrow_.size() < from.slot_.size()) narrow_.resize(from.slot_.size());
    ranks_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      ranks_[i] = from.rank_[slots[i]];
      narrow_[ranks_[i]] = static_cast<std::uint32_t>(i);
    }
    sort_ranks(from.slot_.size());
    slot_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) slot_[i] = narrow_[ranks_[i]];
    number_slots();
  }

  // The slots of a node in order; good until the next call.
  template <class Index>
  std::span<const std::uint32_t> sorted(std::span<const Index> slots) {
    ranks_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) ranks_[i] = rank_[slots[i]];
    sort_ranks(slot_.size());
    for (auto& rank : ranks_) rank = slot_[rank];
    return ranks_;
  }

 private:
  void number_slots() {
    rank_.resize(slot_.size());
    for (std::size_t rank = 0; rank < slot_.size(); ++rank)
      rank_[slot_[rank]] = static_cast<std::uint32_t>(rank);
  }

  // Ranks are different numbers below n: a bit for each, read off in order, unless they are too few for that.
  void sort_ranks(std::size_t n) {
    const auto n_words = (n + 63) / 64;
    if (ranks_.size() * 4 < n_words) {
      std::sort(ranks_.begin(), ranks_.end());
      return;
    }
    if (marks_.size() < n_words) marks_.resize(n_words);
    for (const auto rank : ranks_) marks_[rank / 64] |= std::uint64_t{1} << rank % 64;
    auto* out = ranks_.data();
    for (std::size_t word = 0; word < n_words; ++word) {
      for (auto marks = std::exchange(marks_[word], 0); marks != 0; marks &= marks - 1) {
        *out++ = static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(marks));
      }
    }
  }

  std::vector<std::uint32_t> slot_, rank_;     // by rank; by slot
  std::vector<std::uint32_t> narrow_, ranks_;  // at work
  std::vector<std::uint64_t> marks_;           // all zero between calls
};

}  // namespace treewright
