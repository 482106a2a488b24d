// The targets of a node in order, and the losses of two sets of its rows, each about its median: the sides of
// a cut, whose medians are updated while rows leave, and sets of categories.
#pragma once

#include "treewright/search/scan.hpp"  // for SplitQuery, order_of_buckets

namespace treewright {

// Neighbours in the list of those rows of the node that are left, by position in the order of targets.
struct Link {
  std::uint32_t before, after;
};

// Targets in order, as integers, from position 1 on, between two positions that end the list.
struct OrderedTargets {
  std::vector<std::int64_t> height;  // distance from the node's least target
  std::vector<std::int64_t> weight;  // empty: 1 each

  std::uint32_t n() const { return static_cast<std::uint32_t>(height.size() - 2); }
  std::int64_t weight_at(std::uint32_t position) const { return weight.empty() ? 1 : weight[position]; }
};

// The rows of a node while they leave one by one, and their loss: the sum of the distances from the median.
//
// Rows at or below the median are "low"; of two middle targets the lower one is the median, as the loss is
// the same at every point between them. A row that leaves takes its distance with it; when the median moves,
// the loss grows by the step times the weight that is farther away now, less the weight that is nearer.
template <bool kWeighted>
class ShrinkingSide {
 public:
  ShrinkingSide() = default;
  // Starts with all rows.
  explicit ShrinkingSide(const OrderedTargets& of) {
    for (std::uint32_t position = 1; position <= of.n(); ++position) weight_ += of.weight_at(position);
    while (low_ < weight_ - low_) low_ += of.weight_at(++median_);
    for (std::uint32_t position = 1; position <= of.n(); ++position)
      loss_ +=
          static_cast<Int128>(std::abs(of.height[position] - of.height[median_])) * of.weight_at(position);
  }

  std::int64_t weight() const { return weight_; }
  Int128 loss() const { return loss_; }

  // Twice the height of the median, which is half-way to the next row if half the weight is below.
  std::int64_t middle(const OrderedTargets& of, const Link* links) const {
    const bool is_half = kWeighted ? low_ == weight_ - low_ : weight_ % 2 == 0;
    return of.height[median_] + of.height[is_half ? links[median_].after : median_];
  }

  // The decrease of the loss when one row leaves.
  using Drop = std::conditional_t<kWeighted, Int128, std::int64_t>;

  // Inlined, so that the state of the side stays in registers.
  TREEWRIGHT_INLINE Drop remove(std::uint32_t position, const OrderedTargets& of, Link* links) {
    const auto [before, after] = links[position];
    links[before].after = after;
    links[after].before = before;
    if constexpr (kWeighted) {
      const auto had = loss_;
      remove_weight(position, of, links);
      return had - loss_;
    } else {
      return remove_one(position, of, links);
    }
  }

 private:
  // The old or the new median is a median of both sets of rows. Rows leave on either side of it at random, so
  // a branch would be mispredicted: the sign selects instead, as compilers make a branch of ?:.
  TREEWRIGHT_INLINE std::int64_t remove_one(std::uint32_t position, const OrderedTargets& of,
                                            const Link* links) {
    const auto* height = of.height.data();
    auto near = median_;
    if (weight_ % 2 == 0) {
      near = median_ = if_negative(std::int64_t{position} - median_ - 1, links[median_].after, median_);
    } else {
      median_ = if_negative(std::int64_t{median_} - position - 1, links[median_].before, median_);
    }
    --weight_;
    const auto drop = std::abs(height[position] - height[near]);
    loss_ -= drop;
    return drop;
  }

  void remove_weight(std::uint32_t position, const OrderedTargets& of, const Link* links) {
    const auto leaving = of.weight[position];
    loss_ -= static_cast<Int128>(std::abs(of.height[position] - of.height[median_])) * leaving;
    weight_ -= leaving;
    low_ -= leaving & (std::int64_t{position} - median_ - 1) >> 63;
    if (position == median_) move_median(links[median_].before, of);
    while (low_ < weight_ - low_) {
      move_median(links[median_].after, of);
      low_ += of.weight[median_];
    }
    while (median_ != 0 && low_ - of.weight[median_] >= weight_ - low_ + of.weight[median_]) {
      low_ -= of.weight[median_];
      move_median(links[median_].before, of);
    }
  }

  static std::uint32_t if_negative(std::int64_t sign, std::uint32_t yes, std::uint32_t no) {
    return no ^ ((no ^ yes) & static_cast<std::uint32_t>(sign >> 63));
  }

  // `low_` is the weight at or below the lower end of the step.
  void move_median(std::uint32_t to, const OrderedTargets& of) {
    loss_ += static_cast<Int128>(of.height[to] - of.height[median_]) * (low_ - (weight_ - low_));
    median_ = to;
  }

  Int128 loss_ = 0;
  std::int64_t weight_ = 0, low_ = 0;
  std::uint32_t median_ = 0;
};

// The categories of a column for CategorySearch: how far splitting them in two lowers the absolute error.
//
// No order of the categories is known to have the best set as a prefix, so many sets are tried, and both
// medians are needed for each. The node's targets are in order, divided into ranges of about the square root
// of their number; each side keeps the weight and the sum of every range. A median is found by walking the
// ranges and then the rows of one of them; moving a bucket changes the ranges it has rows in.
class AbsoluteBuckets {
 public:
  // `runs`: one per bucket, of the whole list; the last one has the rows without a value.
  template <class Index>
  AbsoluteBuckets(const OrderedTargets& targets, const std::vector<std::uint32_t>& position,
                  const ListView<Index>& list, std::span<const Run> runs)
      : targets_(targets), bucket_at_(list.n + 1) {
    for (const auto& [begin, end, branch] : runs) {
      for (auto i = begin; i < end; ++i)
        bucket_at_[position[list.slot[i]]] = static_cast<std::uint32_t>(buckets_.size());
      buckets_.push_back({.begin = begin, .end = begin, .rows = branch < 0 ? 0 : end - begin});
    }
    share_by_range(list.n);
    start();
    unparted_ = side(false).loss;
  }

  std::size_t size() const { return buckets_.size() - 1; }
  std::int64_t rows(std::size_t b) const { return buckets_[b].rows; }
  std::int64_t weight(std::size_t b) const { return buckets_[b].all.weight; }

  void start() {
    left_in_range_.assign(all_in_range_.size(), {});
    left_ = {};
    is_left_.assign(buckets_.size(), false);
  }
  void move(std::size_t b, bool to_left) {
    const auto& bucket = buckets_[b];
    const auto move = [&](HeightSums& left, const HeightSums& sums) {
      left = to_left ? left + sums : left - sums;
    };
    for (auto at = bucket.begin; at < bucket.end; ++at)
      move(left_in_range_[shares_[at].range], shares_[at].sums);
    move(left_, bucket.all);
    is_left_[b] = to_left;
  }
  double exact_score() const { return static_cast<double>(unparted_ - side(true).loss - side(false).loss); }
  // Weight and loss of the left side.
  std::pair<double, double> left() const {
    return {static_cast<double>(left_.weight), static_cast<double>(side(true).loss)};
  }

  static constexpr bool order_is_enough() { return false; }

  // By mean and by median.
  std::vector<std::vector<std::uint32_t>> orders() {
    std::vector<double> mean;
    std::vector<std::int64_t> median;
    start();
    for (std::size_t b = 0; b < size(); ++b) {
      const auto& all = buckets_[b].all;
      mean.push_back(static_cast<double>(all.amount) / static_cast<double>(all.weight));
      median.push_back(alone(b, false).median);
    }
    const auto by = [&](const auto& key) {
      return order_of_buckets(size(), false, [&](auto a, auto b) { return key[a] < key[b]; });
    };
    return {by(mean), by(median)};
  }

  // There is no quicker check than `exact_score`.
  static constexpr bool may_reach(double) { return true; }

  // With one branch per bucket; the missing rows join bucket `join` (-1: none).
  double exact_score_of_each(std::int32_t join) {
    if (losses_apart_.empty()) {
      start();
      for (std::size_t b = 0; b < size(); ++b) losses_apart_.push_back(alone(b, false).loss);
      apart_ = std::accumulate(losses_apart_.begin(), losses_apart_.end(), Int128{0});
    }
    if (join < 0) return static_cast<double>(unparted_ - apart_);
    const auto b = static_cast<std::size_t>(join);
    return static_cast<double>(unparted_ - (apart_ - losses_apart_[b] + alone(b, true).loss));
  }

 private:
  using HeightSums = SumsOf<Int128>;  // amount: the weighted sum of heights, exact
  struct Bucket {
    std::uint32_t begin, end;  // in shares_
    std::int64_t rows;
    HeightSums all = {};
  };
  // The part of a bucket that is in one range.
  struct Share {
    std::uint32_t range;
    HeightSums sums;
  };
  struct Middle {
    Int128 loss = 0;
    std::int64_t median = 0;
  };

  HeightSums sums_at(std::uint32_t position) const {
    const auto weight = targets_.weight_at(position);
    return {static_cast<Int128>(targets_.height[position]) * weight, weight};
  }

  // Add each row, in order of targets, to the range of its position.
  void share_by_range(std::uint32_t n) {
    shift_ = static_cast<int>(std::bit_width(n)) / 2;
    shares_.resize(n);
    all_in_range_.assign((n >> shift_) + 1, {});
    for (std::uint32_t position = 1; position <= n; ++position) {
      auto& bucket = buckets_[bucket_at_[position]];
      if (bucket.rows == 0) continue;
      const auto row = sums_at(position);
      const auto range = position >> shift_;
      if (bucket.end == bucket.begin || shares_[bucket.end - 1].range != range)
        shares_[bucket.end++] = {range, {}};
      for (auto* sums : {&shares_[bucket.end - 1].sums, &bucket.all, &all_in_range_[range], &all_})
        *sums = *sums + row;
    }
  }

  // The median of a side's targets, the lower one of two, and the sum of the distances from it.
  Middle side(bool left) const {
    const auto all = left ? left_ : all_ - left_;
    if (all.weight == 0) return {};
    const auto in_range = [&](std::uint32_t range) {
      return left ? left_in_range_[range] : all_in_range_[range] - left_in_range_[range];
    };
    const auto is_half = [&](std::int64_t weight) { return weight >= all.weight - weight; };
    HeightSums low;
    std::uint32_t range = 0;
    while (!is_half(low.weight + in_range(range).weight)) low = low + in_range(range++);
    auto position = std::max<std::uint32_t>(1, range << shift_);
    for (;; ++position) {
      const auto b = bucket_at_[position];
      if (is_left_[b] != left || rows(b) == 0) continue;
      low = low + sums_at(position);
      if (is_half(low.weight)) break;
    }
    const auto median = targets_.height[position];
    const auto high = all - low;
    return {static_cast<Int128>(median) * (low.weight - high.weight) - low.amount + high.amount, median};
  }

  // The same for one bucket, with or without the missing rows. Everything must be on the right.
  Middle alone(std::size_t b, bool with_missing) {
    heed_interrupts_after(all_in_range_.size());
    move(b, true);
    if (with_missing) move(size(), true);
    const auto found = side(true);
    if (with_missing) move(size(), false);
    move(b, false);
    return found;
  }

  const OrderedTargets& targets_;
  int shift_ = 0;                         // a range has 2^shift_ positions
  std::vector<Bucket> buckets_;           // one per category present, then the missing rows
  std::vector<Share> shares_;             // of all buckets, each in order of ranges
  std::vector<std::uint32_t> bucket_at_;  // by position, from 1 on
  std::vector<bool> is_left_;             // by bucket
  std::vector<HeightSums> all_in_range_, left_in_range_;
  HeightSums all_, left_;  // over all ranges
  Int128 unparted_ = 0, apart_ = 0;
  std::vector<Int128> losses_apart_;
};

}  // namespace treewright
