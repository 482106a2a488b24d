// Sorts that take long enough to be interrupted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "treewright/interrupt.hpp"  // for heed_interrupts

namespace treewright {

// The order that std::stable_sort gives: part by part, and then the parts merged, two at a time.
template <class Value, class Less>
void long_stable_sort(std::span<Value> values, const Less& less) {
  constexpr std::size_t kPart = std::size_t{1} << 15;
  const auto n = values.size();
  const auto part = [n](std::span<Value> of, std::size_t begin, std::size_t size) {
    begin = std::min(begin, n);
    return of.subspan(begin, std::min(size, n - begin));
  };
  for (std::size_t begin = 0; begin < n; begin += kPart) {
    heed_interrupts_at(begin);
    std::ranges::stable_sort(part(values, begin, kPart), less);
  }
  if (n <= kPart) return;
  std::vector<Value> room(n);
  std::span<Value> from = values, to = room;
  for (auto size = kPart; size < n; size *= 2) {
    for (std::size_t begin = 0; begin < n; begin += 2 * size) {
      heed_interrupts();
      std::ranges::merge(part(from, begin, size), part(from, begin + size, size),
                         to.begin() + static_cast<std::ptrdiff_t>(begin), less);
    }
    std::swap(from, to);
  }
  if (from.data() != values.data()) std::ranges::copy(from, values.begin());
}

}  // namespace treewright
