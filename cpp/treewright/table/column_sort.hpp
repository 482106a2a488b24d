// Puts columns in order by keys, for a whole table or for a few of its rows.
#pragma once

#include "treewright/table/column.hpp"  // for Column, key_of

namespace treewright {

// The buffers are reused for one group of columns after the other.
class ColumnSort {
 public:
  std::int64_t n_sorted = 0;  // entries times passes, in all

  std::vector<std::uint32_t> ties;  // positions of the last list that repeat the value before them

  // Read the keys of adjacent columns at n rows, numbered by `row_of(slot)`; a few rows at a time, so that
  // the values beside the one just read are still in the cache.
  template <class Value, class RowOf>
  void read(std::span<const Column> columns, std::uint32_t n, const RowOf& row_of) {
    constexpr std::size_t kSlots = 16;
    n_ = n;
    if (n_ * columns.size() < keys_.size()) keys_ = std::vector<std::uint64_t>();  // left by a wider group
    keys_.resize(n_ * columns.size());
    ranges_.assign(columns.size(), {});
    for (std::size_t first = 0; first < n_; first += kSlots) {
      const auto last = std::min(n_, first + kSlots);
      for (std::size_t column = 0; column < columns.size(); ++column) {
        auto* keys = keys_.data() + n_ * column;
        const auto values = columns[column];
        auto range = ranges_[column];
        // All values are loaded first, so that the waits for memory overlap.
        std::array<Value, kSlots> at_hand;
        for (auto slot = first; slot < last; ++slot)
          at_hand[slot - first] = values.template value<Value>(row_of(slot));
        for (auto slot = first; slot < last; ++slot) range.add(keys[slot] = key_of(at_hand[slot - first]));
        ranges_[column] = range;
      }
    }
  }

  // List a column's slots by key, rising among equal keys, missing values last; returns how many are known.
  template <class Value>
  std::uint32_t order(std::size_t column, std::vector<std::uint32_t>& list) {
    const auto keys = std::span(keys_).subspan(n_ * column, n_);
    const auto& range = ranges_[column];
    heed_interrupts_before(n_);
    list.resize(n_);
    auto missing = list.begin() + range.n_known;
    for (std::uint32_t slot = 0; range.n_known < n_ && slot < n_; ++slot) {
      if (keys[slot] == kMissingKey) *missing++ = slot;
    }
    words_.resize(range.n_known);
    bool share_places = place_evenly<Value>(keys, range);  // different keys may do so
    if (!share_places) {
      // A radix sort by 64 bits takes twice the passes of one by 32, so keys are cut to their top 32 bits.
      const int width = range.n_known == 0 ? 0 : static_cast<int>(std::bit_width(range.most - range.least));
      const int drop = std::max(0, width - 32);
      write_words<3>(keys, 11, [&](std::uint64_t key) { return (key - range.least) >> drop; });
      share_places = drop > 0;
    }
    for (int digit = 0; digit << n_bits_ < std::ssize(counts_); ++digit) scatter(digit);
    ties.clear();
    heed_interrupts_before(words_.size());
    auto before = words_.empty() ? 0 : ~words_[0];
    for (std::uint32_t i = 0; i < words_.size(); ++i) {
      list[i] = static_cast<std::uint32_t>(words_[i]);
      if ((words_[i] ^ before) >> 32 == 0) ties.push_back(i);
      before = words_[i];
    }
    if (share_places) part_ties(keys, list);
    return range.n_known;
  }

 private:
  // The range of a column's known keys.
  struct Range {
    std::uint64_t least = kMissingKey, most = 0;
    std::uint32_t n_known = 0;

    void add(std::uint64_t key) {
      const bool is_known = key != kMissingKey;
      least = std::min(least, key);
      most = std::max(most, is_known ? key : 0);
      n_known += is_known;
    }
  };

  // Write known values as words, (place, slot), and count the digits of their places.
  template <int kDigits, class PlaceOf>
  void write_words(std::span<const std::uint64_t> keys, int n_bits, const PlaceOf& place_of) {
    n_bits_ = n_bits;
    counts_.assign(std::size_t{kDigits} << n_bits, 0);
    auto* counts = counts_.data();
    auto* word = words_.data();
    const std::uint64_t mask = (std::uint64_t{1} << n_bits) - 1;
    for (std::uint32_t slot = 0; slot < keys.size(); ++slot) {
      if (keys[slot] == kMissingKey) continue;
      const std::uint64_t place = place_of(keys[slot]);
      *word++ = place << 32 | slot;
      for (int digit = 0; digit < kDigits; ++digit)
        ++counts[static_cast<std::uint64_t>(digit) << n_bits | (place >> digit * n_bits & mask)];
    }
  }

  // Evenly spread numbers are nearly in order by position in their range, in two passes. False: they are not.
  template <class Value>
  bool place_evenly(std::span<const std::uint64_t> keys, const Range& range) {
    const auto number_of = [](std::uint64_t key) { return static_cast<double>(value_of_key<Value>(key)); };
    const double least = number_of(range.least), width = number_of(range.most) - least;
    // In two digits: as many bits as it takes to number the rows, and 8 more, so that few share a place.
    const int n_bits = std::clamp((static_cast<int>(std::bit_width(range.n_known)) + 8) / 2, 8, 13);
    const double scale = static_cast<double>((std::uint64_t{1} << 2 * n_bits) - 1) / width;
    if (!(width > 0) || !std::isfinite(width) || !std::isfinite(scale)) return false;
    // Rounding keeps the order: a larger number never has a smaller place.
    write_words<2>(keys, n_bits, [&](std::uint64_t key) {
      return static_cast<std::uint32_t>(static_cast<std::int32_t>((number_of(key) - least) * scale));
    });
    // Estimate the pairs of neighbours that must be told apart by their keys.
    std::uint64_t n_pairs = 0;
    for (const std::uint64_t count : std::span(counts_).subspan(counts_.size() / 2)) n_pairs += count * count;
    return n_pairs >> n_bits <= range.n_known / 4;
  }

  // A pass of a radix sort of words, by a digit of their places.
  void scatter(int digit) {
    auto* starts = counts_.data() + (std::size_t{static_cast<unsigned>(digit)} << n_bits_);
    const int shift = 32 + digit * n_bits_;
    const std::uint64_t mask = (std::uint64_t{1} << n_bits_) - 1;
    if (words_.empty() || starts[words_[0] >> shift & mask] == words_.size()) return;  // one digit for all
    std::exclusive_scan(starts, starts + mask + 1, starts, 0U);
    heed_interrupts_before(words_.size());
    spare_.resize(words_.size());
    for (const auto word : words_) spare_[starts[word >> shift & mask]++] = word;
    words_.swap(spare_);
    n_sorted += static_cast<std::int64_t>(words_.size());
  }

  // Sort slots whose keys share a place by their whole keys.
  void part_ties(std::span<const std::uint64_t> keys, std::span<std::uint32_t> list) {
    for (std::size_t i = 0, next = 0; i < ties.size(); i = next) {
      for (next = i + 1; next < ties.size() && ties[next] == ties[next - 1] + 1;) ++next;
      const auto run = list.subspan(ties[i] - 1, next - i + 1);  // slots rise, as equal keys need it
      const auto is_other = [&](std::uint32_t slot) { return keys[slot] != keys[run[0]]; };
      if (std::ranges::none_of(run, is_other)) continue;
      const auto less = [&](std::uint32_t a, std::uint32_t b) {
        return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
      };
      run.size() < kStepsToLook ? std::sort(run.begin(), run.end(), less) : long_stable_sort(run, less);
      n_sorted += std::ssize(run) * std::bit_width(run.size());
    }
    std::erase_if(ties, [&](std::uint32_t i) { return keys[list[i]] != keys[list[i - 1]]; });
  }

  std::size_t n_ = 0;
  std::vector<std::uint64_t> keys_;           // of a group of columns, one after the other
  std::vector<std::uint64_t> words_, spare_;  // place << 32 | slot
  std::vector<std::uint32_t> counts_;         // of the digits of places, one digit after the other
  int n_bits_ = 0;                            // of a digit
  std::vector<Range> ranges_;                 // of the columns read
};

}  // namespace treewright
