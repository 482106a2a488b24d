// The targets of a node in order, and a side of a cut whose median follows while rows leave.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "treewright/interrupt.hpp"  // for long_stable_sort
#include "treewright/portable.hpp"   // for TREEWRIGHT_INLINE

namespace treewright {

// The slots of a block in order of their targets, so that any node of it is put in order in linear time.
class TargetOrder {
 public:
  // All slots of the table.
  void take(const std::vector<double>& numbers) {
    slot_.resize(numbers.size());
    std::iota(slot_.begin(), slot_.end(), 0);
    long_stable_sort(std::span(slot_),
                     [&](std::uint32_t a, std::uint32_t b) { return numbers[a] < numbers[b]; });
    number_slots();
  }

  // Some slots of a wider block, numbered anew.
  template <class Index>
  void take(const TargetOrder& from, std::span<const Index> slots) {
    if (narrow_.size() < from.slot_.size()) narrow_.resize(from.slot_.size());
    ranks_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      ranks_[i] = from.rank_[slots[i]];
      narrow_[ranks_[i]] = static_cast<std::uint32_t>(i);
    }
    sort_ranks(from.slot_.size());
    slot_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) slot_[i] = narrow_[ranks_[i]];
    number_slots();
  }

  // The slots of a node in order; good until the next call.
  template <class Index>
  std::span<const std::uint32_t> sorted(std::span<const Index> slots) {
    ranks_.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) ranks_[i] = rank_[slots[i]];
    sort_ranks(slot_.size());
    for (auto& rank : ranks_) rank = slot_[rank];
    return ranks_;
  }

 private:
  void number_slots() {
    rank_.resize(slot_.size());
    for (std::size_t rank = 0; rank < slot_.size(); ++rank)
      rank_[slot_[rank]] = static_cast<std::uint32_t>(rank);
  }

  // Ranks are different numbers below n: a bit for each, read off in order, unless they are too few for that.
  void sort_ranks(std::size_t n) {
    const auto n_words = (n + 63) / 64;
    if (ranks_.size() * 4 < n_words) {
      std::sort(ranks_.begin(), ranks_.end());
      return;
    }
    if (marks_.size() < n_words) marks_.resize(n_words);
    for (const auto rank : ranks_) marks_[rank / 64] |= std::uint64_t{1} << rank % 64;
    auto* out = ranks_.data();
    for (std::size_t word = 0; word < n_words; ++word) {
      for (auto marks = std::exchange(marks_[word], 0); marks != 0; marks &= marks - 1) {
        *out++ = static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(marks));
      }
    }
  }

  std::vector<std::uint32_t> slot_, rank_;     // by rank; by slot
  std::vector<std::uint32_t> narrow_, ranks_;  // at work
  std::vector<std::uint64_t> marks_;           // all zero between calls
};

// Neighbours in the list of those rows of the node that are left; by place in the order of targets.
struct Link {
  std::uint32_t before, after;
};

// A node's targets in order, from place 1 on, as whole numbers; places 0 and n + 1 are the ends of the list.
struct OrderedTargets {
  std::vector<std::int64_t> height;  // distance from the node's least target
  std::vector<std::int64_t> weight;  // empty: 1 each
  std::vector<Link> links;           // nobody has left yet

  std::int64_t weight_at(std::uint32_t place) const { return weight.empty() ? 1 : weight[place]; }
};

// The rows of a node while they leave one by one, and their loss: the sum of the distances from the median.
//
// Rows at or below the median are "low"; of two middle targets the lower is the median, for the loss is the
// same at every point between them. The loss is never added up again: whoever leaves takes his distance
// along, and where the median moves on, the loss changes by the step times the weight that is nearer now less
// that which is farther.
template <class Sum, bool kWeighted>
class ShrinkingSide {
 public:
  // Everybody is here. Returns their loss.
  double fill(const OrderedTargets& of) {
    const auto n = static_cast<std::uint32_t>(of.height.size() - 2);
    loss_ = low_ = weight_ = 0;
    median_ = 0;
    for (std::uint32_t place = 1; place <= n; ++place) weight_ += of.weight_at(place);
    while (low_ < weight_ - low_) low_ += of.weight_at(++median_);
    for (std::uint32_t place = 1; place <= n; ++place) {
      loss_ += distance(of.height[place], of.height[median_]) * of.weight_at(place);
    }
    return static_cast<double>(loss_);
  }

  Sum loss() const { return loss_; }

  // Twice the height of the median, which is half-way to the next row where half the weight lies below.
  std::int64_t middle(const OrderedTargets& of, const Link* links) const {
    const bool is_half = kWeighted ? low_ == weight_ - low_ : weight_ % 2 == 0;
    return of.height[median_] + of.height[is_half ? links[median_].after : median_];
  }

  // Inlined, so that where the side stands stays in registers.
  TREEWRIGHT_INLINE void remove(std::uint32_t place, const OrderedTargets& of, Link* links) {
    const auto [before, after] = links[place];
    links[before].after = after;
    links[after].before = before;
    if constexpr (kWeighted) {
      remove_weight(place, of, links);
    } else {
      remove_one(place, of, links);
    }
  }

 private:
  // The median before or the one after is a median of both sets of rows. Half the rows leave on either side
  // of it, at random, so no branch may hang on that: the sign decides, for of ?: compilers make one.
  TREEWRIGHT_INLINE void remove_one(std::uint32_t place, const OrderedTargets& of, const Link* links) {
    const auto* height = of.height.data();
    if (weight_ % 2 == 0) {
      median_ = if_negative(std::int64_t{place} - median_ - 1, links[median_].after, median_);
      loss_ -= distance(height[place], height[median_]);
    } else {
      loss_ -= distance(height[place], height[median_]);
      median_ = if_negative(std::int64_t{median_} - place - 1, links[median_].before, median_);
    }
    --weight_;
  }

  void remove_weight(std::uint32_t place, const OrderedTargets& of, const Link* links) {
    const auto leaving = of.weight[place];
    loss_ -= distance(of.height[place], of.height[median_]) * leaving;
    weight_ -= leaving;
    low_ -= leaving & (std::int64_t{place} - median_ - 1) >> 63;
    if (place == median_) move_median(links[median_].before, of);
    // One link up or down without a branch, which could not be foreseen; more are rare where weights are
    // alike.
    const auto up = 2 * low_ - weight_;
    move_median(if_negative(up, links[median_].after, median_), of);
    low_ += of.weight[median_] & up >> 63;
    const auto here = of.weight[median_];
    const auto down = weight_ - 2 * (low_ - here) - 1;
    low_ -= here & down >> 63;
    move_median(if_negative(down, links[median_].before, median_), of);
    while (low_ < weight_ - low_) {
      move_median(links[median_].after, of);
      low_ += of.weight[median_];
    }
    while (median_ != 0 && low_ - of.weight[median_] >= weight_ - low_ + of.weight[median_]) {
      low_ -= of.weight[median_];
      move_median(links[median_].before, of);
    }
  }

  // Unsigned on the way, so that nothing is done for a sign that is never there.
  static Sum distance(std::int64_t a, std::int64_t b) {
    return static_cast<Sum>(static_cast<std::uint64_t>(std::abs(a - b)));
  }

  static std::uint32_t if_negative(std::int64_t sign, std::uint32_t yes, std::uint32_t no) {
    return no ^ ((no ^ yes) & static_cast<std::uint32_t>(sign >> 63));
  }

  // `low_` is the weight at or below the lower end of the step.
  void move_median(std::uint32_t to, const OrderedTargets& of) {
    loss_ += static_cast<Sum>(of.height[to] - of.height[median_]) * (low_ - (weight_ - low_));
    median_ = to;
  }

  Sum loss_ = 0;
  std::int64_t weight_ = 0, low_ = 0;
  std::uint32_t median_ = 0;
};

}  // namespace treewright
