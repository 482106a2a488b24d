// Rows, whole and in shares, on their way down a tree that is being pruned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "treewright/shares.hpp"  // for Shares

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

// Cases of a node on their way to its children.
class CaseParting {
 public:
  using Range = Cases::Range;

  // What the cases of each branch weigh; to begin with, those that are there already.
  std::vector<std::int64_t> sizes;

  // Room for the branch that each of n cases takes; negative: it has no value.
  std::int32_t* branches(std::size_t n) {
    if (branch_.size() < n) branch_.resize(n);
    return branch_.data();
  }

  // Part cases, at the end of the room. Whoever has no value goes down every branch, as the weight of the
  // others does; without anyone who has one nobody goes on. Returns whether all whole cases have a branch.
  bool part(Cases& cases, const Range& range, std::vector<Range>& parts) {
    const auto n = sizes.size(), n_whole = range.end_of_whole - range.begin;
    const auto* const weight_of = cases.weights() + range.begin;
    counts_.assign(n, 0);
    const auto n_parted = weigh(0, n_whole, weight_of);
    const auto n_unknown = n_parted + weigh(n_whole, range.size(), weight_of);
    parts.resize(n);
    ends_.resize(n);
    for (std::size_t b = 0; b < n; ++b) {
      ends_[b] = cases.end();
      parts[b] = {cases.end(), cases.end(), cases.end()};
      if (sizes[b] > 0) cases.take(counts_[b] + n_unknown);
    }
    if (n == 2 && n_parted == 0) {
      put_in_two(cases, range);
    } else {
      put_known(cases, range, 0, n_whole);
    }
    for (std::size_t b = 0; b < n; ++b) parts[b].end_of_whole = ends_[b];
    put_others(cases, range, n_parted > 0 ? 0 : n_whole);
    for (std::size_t b = 0; b < n; ++b) parts[b].end = ends_[b];
    return n_parted == 0;
  }

 private:
  // Add what goes down each branch of the cases [begin, end); returns how many have no value.
  std::size_t weigh(std::size_t begin, std::size_t end, const std::int64_t* weights) {
    return sizes.size() == 2 ? weigh_two(begin, end, weights) : weigh_many(begin, end, weights);
  }

  // Two in registers: what was just written to memory is slow to read again.
  std::size_t weigh_two(std::size_t begin, std::size_t end, const std::int64_t* weights) {
    const auto* const branch_of = branch_.data();
    std::int64_t known = 0, second = 0, n_known = 0, n_second = 0;
    for (auto i = begin; i < end; ++i) {
      const std::int64_t is_known = branch_of[i] >= 0, is_second = branch_of[i] > 0;
      known += weights[i] & -is_known;
      second += weights[i] & -is_second;
      n_known += is_known;
      n_second += is_second;
    }
    sizes[0] += known - second;
    sizes[1] += second;
    counts_[0] += static_cast<std::size_t>(n_known - n_second);
    counts_[1] += static_cast<std::size_t>(n_second);
    return end - begin - static_cast<std::size_t>(n_known);
  }

  std::size_t weigh_many(std::size_t begin, std::size_t end, const std::int64_t* weights) {
    const auto* const branch_of = branch_.data();
    auto* const size_of = sizes.data();
    auto* const counts = counts_.data();
    std::size_t n_unknown = 0;
    for (auto i = begin; i < end; ++i) {
      if (branch_of[i] < 0) {
        ++n_unknown;
        continue;
      }
      size_of[branch_of[i]] += weights[i];
      ++counts[branch_of[i]];
    }
    return n_unknown;
  }

  void put(Cases& cases, std::size_t branch, std::uint32_t row, std::int64_t weight) {
    const auto end = ends_[branch]++;
    cases.rows()[end] = row;
    cases.weights()[end] = weight;
  }

  // The whole cases, each of which has a branch.
  void put_in_two(Cases& cases, const Range& range) {
    const auto n_whole = range.end_of_whole - range.begin;
    const auto* const branch_of = branch_.data();
    auto* const rows = cases.rows();
    auto* const weights = cases.weights();
    auto left = ends_[0], right = ends_[1];
    for (std::size_t i = 0; i < n_whole; ++i) {
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

  void put_known(Cases& cases, const Range& range, std::size_t begin, std::size_t end) {
    const auto* const branch_of = branch_.data();
    auto* const ends = ends_.data();
    auto* const rows = cases.rows();
    auto* const weights = cases.weights();
    for (auto i = begin; i < end; ++i) {
      if (branch_of[i] < 0) continue;
      const auto at = ends[branch_of[i]]++;
      rows[at] = rows[range.begin + i];
      weights[at] = weights[range.begin + i];
    }
  }

  // Cases that are not whole, and from `first` on all that have no value.
  void put_others(Cases& cases, const Range& range, std::size_t first) {
    const auto n_whole = range.end_of_whole - range.begin;
    shares_.enter(sizes);
    for (auto i = first; i < range.size(); ++i) {
      const auto row = cases.rows()[range.begin + i];
      const auto weight = cases.weights()[range.begin + i];
      if (branch_[i] < 0) {
        for (const auto& [branch, share] : shares_.of(weight)) {
          put(cases, branch, row, share);
          sizes[branch] += share;  // what is the heaviest child counts the unknown in
        }
      } else if (i >= n_whole) {
        put(cases, static_cast<std::size_t>(branch_[i]), row, weight);
      }
    }
  }

  std::vector<std::int32_t> branch_;        // by case
  std::vector<std::size_t> counts_, ends_;  // by branch
  Shares shares_;
};

}  // namespace treewright
