// Rows, each with what is left of its weight, on their way down a tree that is being pruned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/math/shares.hpp"                 // for Shares
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

struct CaseRange {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
  std::size_t size() const { return end - begin; }
};

// Whoever works on a node takes room at the end and gives it back when done, so that nothing is allocated a
// node.
class Cases {
 public:
  // Room for n cases to begin with; what is never written to costs nothing.
  explicit Cases(std::size_t n) : rows_(n), weights_(n) {}

  std::size_t end() const { return end_; }
  void give_back_to(std::size_t end) { end_ = end; }
  CaseRange take(std::size_t n) {
    rows_.make_room(end_ + n, end_);
    weights_.make_room(end_ + n, end_);
    end_ += n;
    return {end_ - n, end_};
  }

  // Valid until more room is taken.
  std::span<std::uint32_t> rows(const CaseRange& range) { return {rows_.data() + range.begin, range.size()}; }
  std::span<std::int64_t> weights(const CaseRange& range) {
    return {weights_.data() + range.begin, range.size()};
  }

  // Room for the branch that each of n cases takes; negative: it has no value.
  std::int32_t* branches(std::size_t n) {
    branch_.make_room(n);
    return branch_.data();
  }

  // Part cases, and whole rows that have no value, at the end of the room. Whoever has none goes down every
  // branch, as the weight of the others does; without anyone who has one nobody goes on. `sizes`: what the
  // whole rows of each branch weigh, to which those of the cases are added; `weight_of` by row.
  void part(const CaseRange& range, std::span<const std::uint32_t> without,
            std::span<const std::int64_t> weight_of, std::span<std::int64_t> sizes,
            std::vector<CaseRange>& parts) {
    const std::span<const std::int32_t> branches(branch_.data(), range.size());
    const auto* const weights_here = weights_.data() + range.begin;
    counts_.assign(sizes.size(), 0);
    auto* const counts = counts_.data();
    auto n_unknown = range.size() + without.size();
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (branches[i] < 0) continue;
      ++counts[branches[i]];
      sizes[static_cast<std::size_t>(branches[i])] += weights_here[i];
      --n_unknown;
    }
    parts.clear();
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      parts.push_back({end_, end_});
      if (sizes[b] > 0) take(counts_[b] + n_unknown);
    }
    const auto put = [rows = rows_.data(), weights = weights_.data(), parts = parts.data()](
                         std::size_t branch, std::uint32_t row, std::int64_t weight) {
      const auto at = parts[branch].end++;
      rows[at] = row;
      weights[at] = weight;
    };
    const auto put_shares = [&](std::uint32_t row, std::int64_t weight) {
      for (const auto& [branch, share] : shares_.of(weight)) put(branch, row, share);
    };
    if (n_unknown > 0) shares_.enter(sizes);
    const auto rows_in = rows(range);
    const auto weights_in = weights(range);
    for (std::size_t i = 0; i < branches.size(); ++i) {
      if (branches[i] < 0) {
        put_shares(rows_in[i], weights_in[i]);
      } else {
        put(static_cast<std::size_t>(branches[i]), rows_in[i], weights_in[i]);
      }
    }
    for (const auto row : without) put_shares(row, weight_of[row]);
  }

 private:
  std::size_t end_ = 0;
  UninitializedBuffer<std::uint32_t> rows_;
  UninitializedBuffer<std::int64_t> weights_;
  UninitializedBuffer<std::int32_t> branch_;  // by case
  std::vector<std::size_t> counts_;           // by branch
  Shares shares_;
};

}  // namespace treewright
