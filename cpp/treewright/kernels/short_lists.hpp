// The inner loop of lists of up to 255 entries: bounds of all their cuts at once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace treewright {

inline constexpr std::size_t kShortSlots = 256;

// What the columns of a node share.
struct ShortNode {
  // How far the target of each slot is from the mean; or, of two classes, a bit for each of class 1.
  alignas(32) std::array<float, kShortSlots> from_mean;
  std::array<std::uint32_t, kShortSlots / 32> is_one;
  alignas(32) std::array<float, kShortSlots + 8> inverse;  // 1 / ((i + 1) (n - i - 1)), then nothing
  std::uint32_t n;
  float mean;   // of two classes
  float slack;  // how far rounding may move a sum

  void fill_inverse(std::uint32_t n_given, const double* shares);
  void pack(std::span<const std::uint8_t> classes);
  void measure_classes(double mean_given);
  void measure_numbers(std::span<const std::uint8_t> slots, std::span<const std::int64_t> amounts,
                       double mean_given);
};

// Place i is that of the cut that leaves i + 1 entries on the left.
struct ShortCuts {
  alignas(32) std::array<float, kShortSlots> bounds;
  alignas(32) std::array<std::int32_t, kShortSlots> ones;  // of two classes: how many of class 1 are left
  std::array<std::uint64_t, kShortSlots / 64> bits;        // of those whose bound reaches the bar

  template <class Do>
  void for_each(const Do& look_at) const {
    for (std::size_t word = 0; word < bits.size(); ++word) {
      for (auto left = bits[word]; left != 0; left &= left - 1)
        look_at(64 * word + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
};

// Bound all cuts of a list by
//     (|sum of distances from the mean on the left| + slack)^2 / (left (n - left))
// False: none reaches the bar. Up to kReadPadding entries behind the list are read.
bool bound_cuts_of_numbers(const std::uint8_t* list, const ShortNode& node, float bar, ShortCuts& cuts);
bool bound_cuts_of_classes(const std::uint8_t* list, const ShortNode& node, float bar, ShortCuts& cuts);

// Of the cuts that reach the bar, only those between entries whose slots have different codes stay. False:
// none.
bool drop_ties(const std::uint8_t* list, const std::uint8_t* code, std::uint32_t n, ShortCuts& cuts);

// Only those from place `first` to `last` stay. False: none.
bool keep_between(std::uint32_t first, std::uint32_t last, ShortCuts& cuts);

// Only those stay that reach a higher bar.
void keep_above(float bar, std::uint32_t n, ShortCuts& cuts);

// Where the highest bound is of those that reach the bar, of which there is one.
std::size_t highest_of(const ShortCuts& cuts, std::uint32_t n);

}  // namespace treewright
