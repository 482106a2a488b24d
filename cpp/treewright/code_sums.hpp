// Weights of classes by value of the coded columns, summed up over the rows of a node.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/code_table.hpp"  // for CodeTable

namespace treewright {

// kClasses: how many classes there are; 0: only the target knows.
template <std::size_t kClasses>
class CodeSums {
 public:
  CodeSums(const CodeTable& codes, const std::vector<std::uint16_t>& classes, std::size_t n_classes)
      : codes_(codes),
        classes_(classes),
        n_classes_given_(n_classes),
        sums_(2 * codes.n_places() * n_classes) {}

  // Class weights at a place.
  const std::int64_t* at(std::size_t place) const { return sums_.data() + place * n_classes(); }

  // Sum up rows in some of the coded columns, by number.
  void sum_up(std::span<const std::uint16_t> numbers, const std::uint32_t* slots, const std::int64_t* weights,
              std::uint32_t n) {
    auto* const sums = sums_.data();
    clear(numbers, sums);
    std::uint32_t i = 0;
    if (n >= kPaysToPart) {
      // Most rows have the same few values, and a sum just written is slow to be read again: every other row
      // is added up elsewhere.
      auto* const other = sums + codes_.n_places() * n_classes();
      clear(numbers, other);
      for (; i + 1 < n; i += 2) {
        add(numbers, slots[i], weights[i], sums);
        add(numbers, slots[i + 1], weights[i + 1], other);
      }
      for (const auto number : numbers) {
        for (auto at = begin(number); at < begin(number + 1u); ++at) sums[at] += other[at];
      }
    }
    for (; i < n; ++i) add(numbers, slots[i], weights[i], sums);
  }

 private:
  static constexpr std::uint32_t kPaysToPart = 64;  // rows

  std::size_t n_classes() const { return kClasses > 0 ? kClasses : n_classes_given_; }
  std::size_t begin(std::size_t number) const { return codes_.begin_of(number) * n_classes(); }

  void clear(std::span<const std::uint16_t> numbers, std::int64_t* sums) const {
    for (const auto number : numbers) std::fill(sums + begin(number), sums + begin(number + 1u), 0);
  }

  void add(std::span<const std::uint16_t> numbers, std::uint32_t slot, std::int64_t weight,
           std::int64_t* sums) const {
    const auto* places = codes_.of_slot(slot);
    sums += classes_[slot];
    for (const auto number : numbers) sums[places[number] * n_classes()] += weight;
  }

  const CodeTable& codes_;
  const std::vector<std::uint16_t>& classes_;
  std::size_t n_classes_given_;
  std::vector<std::int64_t> sums_;  // by place; twice
};

}  // namespace treewright
