// Rows, whole and in shares, on their way down a tree that is being pruned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

// Training rows and how much of each is somewhere: first those that have a value wherever the tree asks for
// one, and so are whole everywhere. Whoever works on a node takes room at the end and gives it
// back when done, so that nothing is allocated a node.
class Cases {
 public:
  struct Range {
    std::size_t begin = 0, end_of_whole = 0, end = 0;
    bool empty() const { return begin == end; }
    std::size_t size() const { return end - begin; }
  };

  std::size_t end() const { return end_; }
  void take(std::size_t n) {
    end_ += n;
    if (rows_.size() >= end_) return;
    rows_.resize(2 * end_);
    weights_.resize(2 * end_);
  }
  void give_back_to(std::size_t end) { end_ = end; }

  // Valid until more room is taken.
  std::uint32_t* rows() { return rows_.data(); }
  std::int64_t* weights() { return weights_.data(); }
  std::span<const std::uint32_t> rows(const Range& range) const {
    return {rows_.data() + range.begin, range.size()};
  }

 private:
  std::size_t end_ = 0;
  std::vector<std::uint32_t> rows_;
  std::vector<std::int64_t> weights_;
};

}  // namespace treewright
