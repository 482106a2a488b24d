// The categories of a column as buckets of targets, for CategorySearch: by how much two sets of them lower
// the absolute error.
//
// No order of the categories is known that holds the best set as a prefix, so many sets are tried and both
// medians are needed for each. The node's targets stand in order, cut into ranges of about the square root
// of their number; the left side keeps the weight and the sum of each stretch. A median is found by walking
// the ranges and then the rows of one of them, and a bucket moves by changing the ranges it has rows
// in.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <vector>

#include "treewright/portable.hpp"                // for Int128
#include "treewright/search/categories.hpp"       // for order_of_buckets
#include "treewright/search/ordered_targets.hpp"  // for OrderedTargets
#include "treewright/search/split_query.hpp"      // for SplitQuery

namespace treewright {

// Weight of some rows and the weighted sum of their heights, exact.
struct HeightSums {
  Int128 amount = 0;
  std::int64_t weight = 0;

  HeightSums operator+(const HeightSums& more) const { return {amount + more.amount, weight + more.weight}; }
  HeightSums operator-(const HeightSums& less) const { return {amount - less.amount, weight - less.weight}; }
};

class AbsoluteBuckets {
 public:
  // Ready for a column. Good for any number of columns and nodes, one after the other.
  template <class Index>
  void fill(const OrderedTargets& targets, const std::vector<std::uint32_t>& place,
            const SplitQuery<Index>& query) {
    const auto& list = query.list;
    targets_ = &targets;
    known_only_ = query.leaves_rows_out();
    shift_ = static_cast<int>(std::bit_width(list.n)) / 2;
    buckets_.clear();
    bucket_of_place_.resize(list.n + 1);
    for (std::uint32_t i = 0; i < list.n; ++i) {
      if (i == 0 || i == list.n_known || (i < list.n_known && query.is_boundary(i)))
        buckets_.push_back({.begin = i});
      bucket_of_place_[place[list.slot[i]]] = static_cast<std::uint32_t>(buckets_.size() - 1);
      if (i >= query.n_scored()) continue;
      ++buckets_.back().rows;
      buckets_.back().all.weight += targets.weight_at(place[list.slot[i]]);
    }
    if (list.n_known == list.n) buckets_.push_back({});
    missing_ = buckets_.size() - 1;
    share_by_stretch(list.n);
    start();
    unparted_ = loss(kRight);
    losses_apart_.clear();
  }

  std::size_t size() const { return missing_; }
  std::int64_t rows(std::size_t b) const { return buckets_[b].rows; }
  std::int64_t weight(std::size_t b) const { return buckets_[b].all.weight; }

  void start() {
    left_of_stretch_.assign(all_of_stretch_.size(), {});
    left_ = {};
    side_of_bucket_.assign(buckets_.size(), kRight);
    if (known_only_) side_of_bucket_[missing_] = kNowhere;
  }
  void move(std::size_t b, bool to_left) {
    const auto& bucket = buckets_[b];
    for (auto at = bucket.begin; at < bucket.end; ++at) {
      auto& stretch = left_of_stretch_[shares_[at].stretch];
      stretch = to_left ? stretch + shares_[at].sums : stretch - shares_[at].sums;
    }
    left_ = to_left ? left_ + bucket.all : left_ - bucket.all;
    side_of_bucket_[b] = to_left ? kLeft : kRight;
  }
  double judge() const { return static_cast<double>(unparted_ - loss(kLeft) - loss(kRight)); }

  static constexpr bool order_is_enough() { return false; }

  // By mean and by median.
  std::vector<std::vector<std::uint32_t>> orders() const {
    const auto by = [&](const auto& key) {
      return order_of_buckets(size(), false, [&](std::uint32_t a, std::uint32_t b) {
        return key(buckets_[a]) < key(buckets_[b]);
      });
    };
    const auto mean = [](const Bucket& bucket) {
      return static_cast<double>(bucket.all.amount) / static_cast<double>(bucket.all.weight);
    };
    return {by(mean), by([](const Bucket& bucket) { return bucket.median; })};
  }

  // There is no quicker look than `judge`.
  static constexpr bool may_reach(double) { return true; }

  // One branch a bucket; the missing rows with bucket `join` (-1: with none).
  double judge_each(std::int32_t join) {
    if (losses_apart_.empty()) {
      for (std::size_t b = 0; b < size(); ++b) losses_apart_.push_back(loss_of(b, false));
      apart_ = std::accumulate(losses_apart_.begin(), losses_apart_.end(), Int128{0});
    }
    if (join < 0) return static_cast<double>(unparted_ - apart_);
    const auto b = static_cast<std::size_t>(join);
    return static_cast<double>(unparted_ - (apart_ - losses_apart_[b] + loss_of(b, true)));
  }

 private:
  enum Side : std::uint8_t { kLeft, kRight, kNowhere };

  struct Bucket {
    std::uint32_t begin = 0, end = 0;  // in shares_
    std::int64_t rows = 0;
    HeightSums all;
    std::int64_t median = 0, at_or_below = 0;
  };
  // What a bucket has in a stretch.
  struct Share {
    std::uint32_t stretch;
    HeightSums sums;
  };

  // Rows in order of their targets go to the stretch of their place; half a bucket's weight ends at its
  // median.
  void share_by_stretch(std::uint32_t n) {
    shares_.resize(n);
    all_of_stretch_.assign((n >> shift_) + 1, {});
    all_ = {};
    for (auto& bucket : buckets_) bucket.end = bucket.begin;
    for (std::uint32_t place = 1; place <= n; ++place) {
      const auto b = bucket_of_place_[place];
      auto& bucket = buckets_[b];
      const auto height = targets_->height[place], weight = targets_->weight_at(place);
      const HeightSums row{static_cast<Int128>(height) * weight, weight};
      const auto stretch = place >> shift_;
      if (bucket.end == bucket.begin || shares_[bucket.end - 1].stretch != stretch)
        shares_[bucket.end++] = {stretch, {}};
      auto& share = shares_[bucket.end - 1].sums;
      share = share + row;
      bucket.all.amount += row.amount;
      if (bucket.at_or_below < bucket.all.weight - bucket.at_or_below) bucket.median = height;
      bucket.at_or_below += weight;
      if (b == missing_ && known_only_) continue;
      all_of_stretch_[stretch] = all_of_stretch_[stretch] + row;
      all_ = all_ + row;
    }
  }

  // Sum of the distances of a side's targets from their median.
  Int128 loss(Side side) const {
    const auto all = side == kLeft ? left_ : all_ - left_;
    const auto is_half = [&](const HeightSums& low) { return low.weight >= all.weight - low.weight; };
    HeightSums low;
    std::uint32_t stretch = 0;
    for (;; ++stretch) {
      const auto here =
          side == kLeft ? left_of_stretch_[stretch] : all_of_stretch_[stretch] - left_of_stretch_[stretch];
      if (is_half(low + here)) break;
      low = low + here;
    }
    auto place = std::max<std::uint32_t>(1, stretch << shift_);
    for (; place < bucket_of_place_.size(); ++place) {
      if (side_of_bucket_[bucket_of_place_[place]] != side) continue;
      const auto weight = targets_->weight_at(place);
      low = low + HeightSums{static_cast<Int128>(targets_->height[place]) * weight, weight};
      if (is_half(low)) break;
    }
    if (place == bucket_of_place_.size()) return 0;  // nobody is here
    const Int128 median = targets_->height[place];
    const auto high = all - low;
    return median * low.weight - low.amount + high.amount - median * high.weight;
  }

  Int128 loss_of(std::size_t b, bool with_missing) {
    start();
    move(b, true);
    if (with_missing) move(missing_, true);
    return loss(kLeft);
  }

  const OrderedTargets* targets_ = nullptr;
  bool known_only_ = false;
  int shift_ = 0;                               // a stretch has 2^shift_ places
  std::vector<Bucket> buckets_;                 // one a category present, then the missing rows
  std::size_t missing_ = 0;                     // theirs
  std::vector<Share> shares_;                   // of all buckets, each in order of the ranges
  std::vector<std::uint32_t> bucket_of_place_;  // from place 1 on
  std::vector<HeightSums> all_of_stretch_, left_of_stretch_;
  std::vector<Side> side_of_bucket_;
  HeightSums all_, left_;
  Int128 unparted_ = 0, apart_ = 0;
  std::vector<Int128> losses_apart_;
};

}  // namespace treewright
