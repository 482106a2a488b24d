// The values that rows of a node have in a column, and what the rows below each of them weigh.
#pragma once

#include <cstddef>
#include <cstdint>

#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

// kClasses: how many classes there are; 0: only the target knows. Values rise. The engine knows the rows of a
// value by two marks, of the first and of the last.
template <std::size_t kClasses>
class ValueSums {
 public:
  std::size_t size() const { return n_; }
  std::uint32_t first(std::size_t value) const { return marks_[value].first; }
  std::uint32_t last(std::size_t value) const { return marks_[value].last; }

  // Class weights of all rows below a value; below the one after the last, of all rows.
  const std::int64_t* below(std::size_t value) const { return below_.data() + value * n_classes(); }
  std::int64_t weight(std::size_t value, std::size_t k) const {
    return below(value + 1)[k] - below(value)[k];
  }

  // Forget all, and have room for `most` values.
  void clear(std::size_t n_classes, std::size_t most) {
    n_ = 0;
    n_classes_ = n_classes;
    below_.make_room((most + 1) * n_classes);
    marks_.make_room(most);
  }

  // One more value, above rows of these class weights; the last one, which goes on to this mark; all rows.
  void add(std::uint32_t mark, const std::int64_t* below) {
    put(below);
    marks_[n_++] = {mark, mark};
  }
  void extend(std::uint32_t mark) { marks_[n_ - 1].last = mark; }
  void finish(const std::int64_t* all) { put(all); }

 private:
  struct Marks {
    std::uint32_t first, last;
  };

  std::size_t n_classes() const { return kClasses > 0 ? kClasses : n_classes_; }

  void put(const std::int64_t* weights) {
    auto* const to = below_.data() + n_ * n_classes();
    for (std::size_t k = 0; k < n_classes(); ++k) to[k] = weights[k];
  }

  std::size_t n_ = 0, n_classes_ = 0;
  UninitializedBuffer<std::int64_t> below_;  // of the classes, so many a value
  UninitializedBuffer<Marks> marks_;
};

}  // namespace treewright
