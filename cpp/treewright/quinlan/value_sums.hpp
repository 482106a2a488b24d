// The rows of a node that have a value, with what those of each value weigh, class by class.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

// Summed up by value, values rising. The engine knows the rows of a value by two marks, of the first and of
// the last.
class ValueSums {
 public:
  std::size_t size() const { return n_; }
  std::uint32_t first(std::size_t value) const { return marks_[value].first; }
  std::uint32_t last(std::size_t value) const { return marks_[value].last; }
  const std::int64_t* weights(std::size_t value) const { return weights_.data() + value * n_classes_; }

  // Forget all, and have room for `most` values.
  void clear(std::size_t n_classes, std::size_t most) {
    n_ = 0;
    n_classes_ = n_classes;
    if (weights_.size() < most * n_classes) weights_.resize(most * n_classes);
    if (marks_.size() < most) marks_.resize(most);
  }

  // One more value, whose class weights are to be filled in.
  std::int64_t* add(std::uint32_t mark) {
    marks_[n_] = {mark, mark};
    return weights_.data() + n_++ * n_classes_;
  }
  // The last one, which goes on to this mark.
  std::int64_t* extend(std::uint32_t mark) {
    marks_[n_ - 1].last = mark;
    return weights_.data() + (n_ - 1) * n_classes_;
  }

 private:
  struct Marks {
    std::uint32_t first, last;
  };
  std::size_t n_ = 0, n_classes_ = 0;
  std::vector<std::int64_t> weights_;  // of the classes, so many a value
  std::vector<Marks> marks_;
};

// One row after the other, values rising, of two classes: what lies before each row.
class ListSums {
 public:
  struct Before {
    std::int64_t first, second;  // weights of the classes
    std::int64_t all() const { return first + second; }
  };

  std::uint32_t size() const { return n_; }
  const Before& before(std::uint32_t row) const { return before_[row]; }
  // Whether the value of a row is another than that of the row before.
  bool starts(std::uint32_t row) const { return starts_[row] != 0; }

  // Take n rows with their weights: `is_told(i)` for i > 0: row i starts a value; whether it `is_second`.
  template <class IsTold, class IsSecond>
  void take(std::uint32_t n, const std::int64_t* weights, const IsTold& is_told, const IsSecond& is_second) {
    n_ = n;
    before_.make_room(n);
    starts_.make_room(n);
    auto* const before = before_.data();
    auto* const starts = starts_.data();
    Before sum{0, 0};
    for (std::uint32_t i = 0; i < n; ++i) {
      before[i] = sum;
      starts[i] = i == 0 || is_told(i);
      const std::int64_t weight = weights[i], of_second = weight & -std::int64_t{is_second(i)};
      sum.first += weight - of_second;
      sum.second += of_second;
    }
  }

  // The first row with at least so much before it.
  std::uint32_t reach(std::int64_t weight) const {
    const auto* const begin = before_.data();
    return static_cast<std::uint32_t>(
        std::partition_point(begin, begin + n_, [&](const Before& it) { return it.all() < weight; }) - begin);
  }

  // Values that start at the rows [begin, end).
  std::int64_t n_starts(std::uint32_t begin, std::uint32_t end) const {
    std::int64_t n = 0;
    for (auto row = begin; row < end; ++row) n += starts_[row];
    return n;
  }

  // Where the value before the one that starts at a row does, and where the next one does.
  std::uint32_t start_before(std::uint32_t row) const {
    do --row;
    while (!starts(row));
    return row;
  }
  std::uint32_t start_after(std::uint32_t row) const {
    do ++row;
    while (row < n_ && !starts(row));
    return row;
  }

  // The class that all rows of [begin, end) are of, or -1; `end` is a row.
  std::int32_t only_class(std::uint32_t begin, std::uint32_t end) const {
    if (before_[begin].first == before_[end].first) return 1;
    return before_[begin].second == before_[end].second ? 0 : -1;
  }

 private:
  std::uint32_t n_ = 0;
  UninitializedBuffer<Before> before_;
  UninitializedBuffer<std::uint8_t> starts_;
};

}  // namespace treewright
