// Rows, whole and in shares, on their way down a tree that is being pruned.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/math/shares.hpp"                 // for Shares
#include "treewright/table/uninitialized_buffer.hpp"  // for UninitializedBuffer

namespace treewright {

struct CaseRange {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
  std::size_t size() const { return end - begin; }
};

// Rows that have had a value wherever they were asked for one, and so are whole. Those of a node are side by
// side: first those of its children, one after the other, then those that have no value for its question.
// Nothing is copied on the way down, and wherever somebody looks later, they are still there.
class WholeRows {
 public:
  // Rows that weigh something.
  explicit WholeRows(std::span<const std::int64_t> weights) {
    rows_.reserve(weights.size());
    for (std::size_t row = 0; row < weights.size(); ++row) {
      if (weights[row] > 0) rows_.push_back(static_cast<std::uint32_t>(row));
    }
    spare_.make_room(rows_.size());
  }

  CaseRange all() const { return {0, rows_.size()}; }
  std::span<const std::uint32_t> at(const CaseRange& range) const {
    return {rows_.data() + range.begin, range.size()};
  }

  // All rows, as they lie once they are parted as far as they go. `ends`: the node of each, in the order in
  // which they lie now; `begins`, by node: where those that go no further begin.
  void place(std::span<const std::int32_t> ends, std::vector<std::size_t> begins) {
    std::copy(rows_.begin(), rows_.end(), spare_.data());
    for (std::size_t i = 0; i < ends.size(); ++i)
      rows_[begins[static_cast<std::size_t>(ends[i])]++] = spare_[i];
  }

  // Part the rows of a node; `branch_of` is by row of the range, negative: it has no value. `ends` has an
  // entry for each branch and gets where it ends.
  void part(const CaseRange& range, const std::int32_t* branch_of, std::span<std::size_t> ends) {
    auto* const rows = rows_.data() + range.begin;
    const auto n = range.size();
    if (ends.size() == 2 && std::none_of(branch_of, branch_of + n, [](auto it) { return it < 0; })) {
      ends[0] = range.begin + part_in_two(rows, n, branch_of);
      ends[1] = range.end;
      return;
    }
    begins_.assign(ends.size() + 1, 0);  // from the second on, and of those without a value
    const auto place = [&](std::size_t i) {
      return branch_of[i] < 0 ? ends.size() : static_cast<std::size_t>(branch_of[i]);
    };
    for (std::size_t i = 0; i < n; ++i) ++begins_[place(i)];
    std::size_t sum = 0;
    for (auto& begin : begins_) sum += std::exchange(begin, sum);
    for (std::size_t i = 0; i < n; ++i) spare_[begins_[place(i)]++] = rows[i];
    std::copy_n(spare_.data(), n, rows);
    for (std::size_t b = 0; b < ends.size(); ++b) ends[b] = range.begin + begins_[b];
  }

 private:
  // Returns how many take the first branch. A row is written to both sides: there is nothing to guess.
  std::size_t part_in_two(std::uint32_t* rows, std::size_t n, const std::int32_t* branch_of) {
    auto* const spare = spare_.data();
    std::size_t n_left = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = rows[i];
      rows[n_left] = row;
      spare[i - n_left] = row;
      n_left += branch_of[i] == 0;
    }
    std::copy_n(spare, n - n_left, rows + n_left);
    return n_left;
  }

  std::vector<std::uint32_t> rows_;
  UninitializedBuffer<std::uint32_t> spare_;
  std::vector<std::size_t> begins_;
};

// Rows with what each weighs somewhere. Whoever works on a node takes room at the end and gives it back when
// done, so that nothing is allocated a node.
class Cases {
 public:
  // Room for n cases to begin with; what is never written to costs nothing.
  explicit Cases(std::size_t n) : rows_(n), weights_(n) {}

  std::size_t end() const { return end_; }
  void take(std::size_t n) {
    rows_.make_room(end_ + n, end_);
    weights_.make_room(end_ + n, end_);
    end_ += n;
  }
  void give_back_to(std::size_t end) { end_ = end; }

  // Valid until more room is taken.
  std::uint32_t* rows() { return rows_.data(); }
  std::int64_t* weights() { return weights_.data(); }
  std::span<const std::uint32_t> rows(const CaseRange& range) const {
    return {rows_.data() + range.begin, range.size()};
  }

 private:
  std::size_t end_ = 0;
  UninitializedBuffer<std::uint32_t> rows_;
  UninitializedBuffer<std::int64_t> weights_;
};

// Cases of a node on their way to its children.
class CaseParting {
 public:
  // What the whole rows of each branch weigh.
  std::vector<std::int64_t> sizes;

  // Room for the branch that each of n cases takes; negative: it has no value.
  std::int32_t* branches(std::size_t n) {
    branch_.make_room(n);
    return branch_.data();
  }

  // Part cases, and whole rows that have no value, at the end of the room. Whoever has none goes down every
  // branch, as the weight of the others does; without anyone who has one nobody goes on. `weights` by row.
  void part(Cases& cases, const CaseRange& range, std::span<const std::uint32_t> without,
            std::span<const std::int64_t> weights, std::vector<CaseRange>& parts) {
    const auto n = sizes.size();
    const auto n_unknown = count(range.size()) + without.size();
    if (n_unknown > 0) weigh(range.size(), cases.weights() + range.begin);
    parts.resize(n);
    ends_.resize(n);
    for (std::size_t b = 0; b < n; ++b) {
      ends_[b] = parts[b].begin = cases.end();
      if (n_unknown == 0 || sizes[b] > 0) cases.take(counts_[b] + n_unknown);
    }
    if (n == 2 && n_unknown == 0) {
      put_in_two(cases, range);
    } else {
      put_known(cases, range);
    }
    if (n_unknown > 0) put_unknown(cases, range, without, weights);
    for (std::size_t b = 0; b < n; ++b) parts[b].end = ends_[b];
  }

  // The same where only the classes count: `tallies` are those of the whole rows of each branch, to which
  // those of the others are added. `classes` by row.
  void tally(Cases& cases, const CaseRange& range, std::span<const std::uint32_t> without,
             std::span<const std::int64_t> weights, std::span<const std::uint16_t> classes,
             std::span<std::int64_t> tallies) {
    const auto n_classes = tallies.size() / sizes.size();
    const auto* const rows = cases.rows() + range.begin;
    const auto* const weight_of = cases.weights() + range.begin;
    std::size_t n_unknown = without.size();
    for (std::size_t i = 0; i < range.size(); ++i) {
      if (branch_[i] < 0) {
        ++n_unknown;
      } else {
        tallies[static_cast<std::size_t>(branch_[i]) * n_classes + classes[rows[i]]] += weight_of[i];
      }
    }
    if (n_unknown == 0) return;
    weigh(range.size(), weight_of);
    shares_.enter(sizes);
    const auto add = [&](std::uint32_t row, std::int64_t weight) {
      for (const auto& [branch, share] : shares_.of(weight))
        tallies[branch * n_classes + classes[row]] += share;
    };
    for (std::size_t i = 0; i < range.size(); ++i) {
      if (branch_[i] < 0) add(rows[i], weight_of[i]);
    }
    for (const auto row : without) add(row, weights[row]);
  }

 private:
  // Count the cases of each branch; returns how many have no value.
  std::size_t count(std::size_t n) {
    const auto* const branch_of = branch_.data();
    counts_.assign(sizes.size(), 0);
    if (sizes.size() == 2) {  // in registers: what was just written to memory is slow to read again
      std::uint32_t n_first = 0, n_second = 0;
      for (std::size_t i = 0; i < n; ++i) {
        n_first += branch_of[i] == 0;
        n_second += branch_of[i] > 0;
      }
      counts_[0] = n_first;
      counts_[1] = n_second;
      return n - n_first - n_second;
    }
    auto* const counts = counts_.data();
    std::size_t n_unknown = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (branch_of[i] < 0) {
        ++n_unknown;
      } else {
        ++counts[branch_of[i]];
      }
    }
    return n_unknown;
  }

  // Add what the cases of each branch weigh.
  void weigh(std::size_t n, const std::int64_t* weights) {
    const auto* const branch_of = branch_.data();
    auto* const size_of = sizes.data();
    for (std::size_t i = 0; i < n; ++i) {
      if (branch_of[i] >= 0) size_of[branch_of[i]] += weights[i];
    }
  }

  // Where each has a branch.
  void put_in_two(Cases& cases, const CaseRange& range) {
    const auto* const branch_of = branch_.data();
    auto* const rows = cases.rows();
    auto* const weights = cases.weights();
    auto left = ends_[0], right = ends_[1];
    for (std::size_t i = 0; i < range.size(); ++i) {
      const auto goes_right = static_cast<std::size_t>(branch_of[i]);
      const auto end = goes_right != 0 ? right : left;
      rows[end] = rows[range.begin + i];
      weights[end] = weights[range.begin + i];
      right += goes_right;
      left += 1 - goes_right;
    }
    ends_[0] = left;
    ends_[1] = right;
  }

  void put_known(Cases& cases, const CaseRange& range) {
    const auto* const branch_of = branch_.data();
    auto* const ends = ends_.data();
    auto* const rows = cases.rows();
    auto* const weights = cases.weights();
    for (std::size_t i = 0; i < range.size(); ++i) {
      if (branch_of[i] < 0) continue;
      const auto at = ends[branch_of[i]]++;
      rows[at] = rows[range.begin + i];
      weights[at] = weights[range.begin + i];
    }
  }

  void put_unknown(Cases& cases, const CaseRange& range, std::span<const std::uint32_t> without,
                   std::span<const std::int64_t> weight_of) {
    auto* const rows = cases.rows();
    auto* const weights = cases.weights();
    shares_.enter(sizes);
    const auto put = [&](std::uint32_t row, std::int64_t weight) {
      for (const auto& [branch, share] : shares_.of(weight)) {
        const auto at = ends_[branch]++;
        rows[at] = row;
        weights[at] = share;
      }
    };
    for (std::size_t i = 0; i < range.size(); ++i) {
      if (branch_[i] < 0) put(rows[range.begin + i], weights[range.begin + i]);
    }
    for (const auto row : without) put(row, weight_of[row]);
  }

  UninitializedBuffer<std::int32_t> branch_;  // by case
  std::vector<std::size_t> counts_, ends_;    // by branch
  Shares shares_;
};

}  // namespace treewright
