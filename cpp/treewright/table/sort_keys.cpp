#include "treewright/table/sort_keys.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>

namespace treewright {
namespace {

double number_of_key(std::uint64_t key) {
  const auto is_negative = static_cast<std::uint64_t>(static_cast<std::int64_t>(~key) >> 63);
  return std::bit_cast<double>(key ^ (is_negative | std::uint64_t{1} << 63));
}

double number_of_short_key(std::uint64_t key) {
  const auto bits = static_cast<std::uint32_t>(key);
  const auto is_negative = static_cast<std::uint32_t>(static_cast<std::int32_t>(~bits) >> 31);
  return std::bit_cast<float>(bits ^ (is_negative | std::uint32_t{1} << 31));
}

// Turn counts into where each begins.
void add_up(std::span<std::uint32_t> counts) {
  std::uint32_t sum = 0;
  for (auto& count : counts) sum += std::exchange(count, sum);
}

void scatter(const std::vector<std::uint64_t>& words, int shift, std::span<std::uint32_t> starts,
             std::vector<std::uint64_t>& out) {
  const auto mask = starts.size() - 1;
  for (const auto word : words) out[starts[word >> shift & mask]++] = word;
}

// Sort words by n_bits of their upper half, least significant digit first. Returns the number of passes.
template <int kBits>
int radix_sort(std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& spare, int n_bits) {
  constexpr std::size_t kBuckets = std::size_t{1} << kBits, kMostDigits = (32 + kBits - 1) / kBits;
  std::array<std::array<std::uint32_t, kBuckets>, kMostDigits> starts{};
  const auto n_digits = static_cast<std::size_t>((n_bits + kBits - 1) / kBits);
  for (const auto word : words) {
    for (std::size_t digit = 0; digit < n_digits; ++digit)
      ++starts[digit][word >> (32 + static_cast<int>(digit) * kBits) & (kBuckets - 1)];
  }
  int n_passes = 0;
  spare.resize(words.size());
  for (std::size_t digit = 0; digit < n_digits; ++digit) {
    const int shift = 32 + static_cast<int>(digit) * kBits;
    if (starts[digit][words[0] >> shift & (kBuckets - 1)] == words.size()) continue;  // one digit for all
    add_up(starts[digit]);
    scatter(words, shift, starts[digit], spare);
    words.swap(spare);
    ++n_passes;
  }
  return n_passes;
}

// What a comparison sort costs, in passes.
std::int64_t log2_passes(std::uint32_t n) { return std::bit_width(n); }

constexpr std::uint32_t kPaysToDealOut = 64;

}  // namespace

void KeySort::sort(std::span<const std::uint64_t> keys, const KeyRange& range, ValueType type,
                   std::span<std::uint32_t> list) {
  bool is_sorted = range.n_known == 0;
  words_.resize(range.n_known);
  if (type == ValueType::Float64 && range.n_known >= kPaysToDealOut) {
    is_sorted = sort_evenly(keys, range, [](std::uint64_t key) { return number_of_key(key); });
  } else if (type == ValueType::Float32 && range.n_known >= kPaysToDealOut) {
    is_sorted = sort_evenly(keys, range, [](std::uint64_t key) { return number_of_short_key(key); });
  }
  if (!is_sorted) sort_by_bits(keys, range);
  if (range.n_known < keys.size()) {
    auto at = range.n_known;
    for (std::uint32_t slot = 0; slot < keys.size(); ++slot) {
      if (keys[slot] == kMissingKey) list[at++] = slot;
    }
  }
  read_off(keys, list);
}

// Numbers that lie evenly enough between the least and the largest are nearly in order once they are dealt
// out by where they lie, in two passes. False: they do not.
template <class NumberOf>
bool KeySort::sort_evenly(std::span<const std::uint64_t> keys, const KeyRange& range,
                          const NumberOf& number_of) {
  const auto n = range.n_known;
  const double least = number_of(range.least), width = number_of(range.most) - least;
  // Twice as many bits as tell n rows apart, and then some, so that few share a place.
  const int half = std::clamp((static_cast<int>(std::bit_width(n)) + 6) / 2, 8, 13);
  const double scale = static_cast<double>((std::uint64_t{1} << 2 * half) - 1) / width;
  if (!(width > 0) || !std::isfinite(width) || !std::isfinite(scale)) return false;
  const auto n_buckets = std::size_t{1} << half;
  starts_.assign(2 * n_buckets, 0);
  const std::span low(starts_.data(), n_buckets), high(starts_.data() + n_buckets, n_buckets);
  std::size_t at = 0;
  for (std::uint32_t slot = 0; slot < keys.size(); ++slot) {
    if (keys[slot] == kMissingKey) continue;
    // Rounding keeps the order, so larger numbers have no smaller place.
    const auto place =
        static_cast<std::uint32_t>(static_cast<std::int32_t>((number_of(keys[slot]) - least) * scale));
    ++low[place & (n_buckets - 1)];
    ++high[place >> half];
    words_[at++] = std::uint64_t{place} << 32 | slot;
  }
  // Neighbours that will have to be told apart by their keys.
  std::uint64_t n_pairs = 0;
  for (const std::uint64_t count : high) n_pairs += count * count;
  if (n_pairs >> half > n / 4) return false;
  add_up(low);
  add_up(high);
  spare_.resize(n);
  scatter(words_, 32, low, spare_);
  scatter(spare_, 32 + half, high, words_);
  n_sorted += 2 * std::int64_t{n};
  return true;
}

// Sorting 64-bit keys takes twice the passes of 32-bit ones, so the keys are first cut down to the 32 bits
// that tell most.
void KeySort::sort_by_bits(std::span<const std::uint64_t> keys, const KeyRange& range) {
  const auto n = range.n_known;
  const int width = std::bit_width(range.most - range.least);
  const int drop = std::max(0, width - 32);
  std::size_t at = 0;
  for (std::uint32_t slot = 0; slot < keys.size(); ++slot) {
    if (keys[slot] != kMissingKey) words_[at++] = (keys[slot] - range.least) >> drop << 32 | slot;
  }
  std::int64_t n_passes = 0;
  if (n < kPaysToDealOut) {
    std::sort(words_.begin(), words_.end());
    n_passes = log2_passes(n);
  } else if (n < 4096) {
    n_passes = radix_sort<8>(words_, spare_, width - drop);
  } else {
    n_passes = radix_sort<11>(words_, spare_, width - drop);
  }
  n_sorted += n * n_passes;
}

// Write the list, neighbours that are still equal in order of their whole keys.
void KeySort::read_off(std::span<const std::uint64_t> keys, std::span<std::uint32_t> list) {
  ties_.clear();
  if (words_.empty()) return;
  auto before = ~words_[0];
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    list[i] = static_cast<std::uint32_t>(words_[i]);
    if ((words_[i] ^ before) >> 32 == 0) ties_.push_back(i);
    before = words_[i];
  }
  const auto by_key = [&](std::uint32_t a, std::uint32_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  };
  for (std::size_t i = 0, next = 0; i < ties_.size(); i = next) {
    const auto begin = ties_[i] - 1;
    for (next = i + 1; next < ties_.size() && ties_[next] == ties_[next - 1] + 1;) ++next;
    const auto end = ties_[next - 1] + 1;
    if (end - begin == 2) {
      if (by_key(list[begin + 1], list[begin])) std::swap(list[begin], list[begin + 1]);
    } else {
      std::sort(list.begin() + begin, list.begin() + end, by_key);
    }
    n_sorted += (end - begin) * log2_passes(end - begin);
  }
  std::erase_if(ties_, [&](std::uint32_t i) { return keys[list[i]] != keys[list[i - 1]]; });
}

}  // namespace treewright
