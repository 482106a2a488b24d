// The slots of a column put in order of their keys.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "treewright/interrupt.hpp"     // for heed_interrupts
#include "treewright/long_sort.hpp"     // for long_stable_sort
#include "treewright/table/column.hpp"  // for kMissingKey

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

// Buffers that serve one column after the other.
class KeySort {
 public:
  // Write the slots by key, equal ones rising, and those of missing values behind them.
  //
  // A radix sort by 64 bits takes twice the passes of one by 32, so keys are first cut down to the 32 bits
  // that tell most.
  void sort(std::span<const std::uint64_t> keys, const KeyRange& range, std::span<std::uint32_t> list) {
    const int width = range.n_known == 0 ? 0 : std::bit_width(range.most - range.least);
    const int drop = std::max(0, width - 32);
    Counts counts{};
    words_.resize(range.n_known);
    auto word = words_.begin();
    auto missing = list.begin() + range.n_known;
    for (std::uint32_t slot = 0; slot < keys.size(); ++slot) {
      if (keys[slot] == kMissingKey) {
        *missing++ = slot;
        continue;
      }
      *word = (keys[slot] - range.least) >> drop << 32 | slot;
      for (int digit = 0; digit < kDigits; ++digit) ++count(counts, *word, digit);
      ++word;
    }
    if (words_.size() < 256) {
      compare(words_.begin(), words_.end(), std::less());
    } else {
      for (int digit = 0; digit < kDigits; ++digit) deal_out(digit, counts);
    }
    read_off(keys, drop > 0, list);
  }

  // Positions in the list whose key is that of the position before.
  const std::vector<std::uint32_t>& ties() const { return ties_; }

  std::int64_t n_sorted = 0;  // entries times passes, in all

 private:
  template <class Iterator, class Less>
  void compare(Iterator begin, Iterator end, const Less& less) {
    if (end - begin < static_cast<std::ptrdiff_t>(kStepsToLook)) {
      std::sort(begin, end, less);
    } else {
      long_stable_sort(std::span(begin, end), less);
    }
    n_sorted += (end - begin) * std::bit_width(static_cast<std::size_t>(end - begin));
  }

  static constexpr int kDigits = 3, kBits = 11;
  using Counts = std::array<std::array<std::uint32_t, std::size_t{1} << kBits>, kDigits>;

  // How often the digit of a word comes up.
  static std::uint32_t& count(Counts& counts, std::uint64_t word, int digit) {
    auto& of_digit = counts[static_cast<std::size_t>(digit)];
    return of_digit[word >> (32 + digit * kBits) & (of_digit.size() - 1)];
  }

  // A pass of a radix sort of words, by a digit of their upper half.
  void deal_out(int digit, Counts& counts) {
    if (count(counts, words_[0], digit) == words_.size()) return;  // one digit for all
    std::uint32_t sum = 0;
    for (auto& start : counts[static_cast<std::size_t>(digit)]) sum += std::exchange(start, sum);
    heed_interrupts_before(words_.size());
    spare_.resize(words_.size());
    for (const auto word : words_) spare_[count(counts, word, digit)++] = word;
    words_.swap(spare_);
    n_sorted += static_cast<std::int64_t>(words_.size());
  }

  // Write the list and note which keys are equal. Where keys were cut, neighbours whose words are equal are
  // first put in order of their whole keys.
  void read_off(std::span<const std::uint64_t> keys, bool are_cut, std::span<std::uint32_t> list) {
    ties_.clear();
    if (words_.empty()) return;
    heed_interrupts_before(words_.size());
    auto before = ~words_[0];
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
      list[i] = static_cast<std::uint32_t>(words_[i]);
      if ((words_[i] ^ before) >> 32 == 0) ties_.push_back(i);
      before = words_[i];
    }
    if (!are_cut) return;
    for (std::size_t i = 0, next = 0; i < ties_.size(); i = next) {
      for (next = i + 1; next < ties_.size() && ties_[next] == ties_[next - 1] + 1;) ++next;
      compare(
          list.begin() + ties_[i] - 1, list.begin() + ties_[next - 1] + 1,
          [&](std::uint32_t a, std::uint32_t b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
    }
    std::erase_if(ties_, [&](std::uint32_t i) { return keys[list[i]] != keys[list[i - 1]]; });
  }

  std::vector<std::uint64_t> words_, spare_;  // (part of a key) << 32 | slot
  std::vector<std::uint32_t> ties_;
};

}  // namespace treewright
