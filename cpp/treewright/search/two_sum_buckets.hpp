// Categories as buckets of two sums, for the search for sets of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "treewright/criteria/two_sums.hpp"  // for Sums
#include "treewright/portable.hpp"           // for Int128
#include "treewright/recipe/missing.hpp"     // for Arrangements
#include "treewright/search/categories.hpp"  // for BranchSum
#include "treewright/search/list_view.hpp"   // for ListView

namespace treewright {

struct SumBucket {
  Sums sums;
  std::int64_t rows;
};

// The categories present in a node, as CategorySearch wants them.
template <class TargetKind>
class TwoSumBuckets {
 public:
  using Criterion = typename TargetKind::Criterion;

  explicit TwoSumBuckets(std::vector<SumBucket>& storage) : buckets_(storage) {}

  // `sums_of(slots, n)`: of the first n of some slots; `all`: of the node.
  template <class SumsOf, class Index, class Starts>
  void fill(const SumsOf& sums_of, const Sums& all, const ListView<Index>& list, const Starts& starts,
            const Arrangements& ways) {
    buckets_.clear();
    for (std::uint32_t begin = 0, end = 0; begin < list.n_known; begin = end) {
      for (end = begin + 1; end < list.n_known && !starts(end);) ++end;
      buckets_.push_back({sums_of(list.slot + begin, end - begin), end - begin});
    }
    missing = sums_of(list.slot + list.n_known, list.n - list.n_known);
    n_known_ = list.n_known;
    n_missing_ = list.n - list.n_known;
    all_ = ways.known_only ? all - missing : all;
    criterion_ = Criterion(all_);
    n_ = ways.known_only ? list.n_known : list.n;
  }

  std::size_t size() const { return buckets_.size(); }
  std::int64_t rows(std::size_t b) const { return buckets_[b].rows; }
  std::int64_t weight(std::size_t b) const { return buckets_[b].sums.weight; }

  void start() {
    left_ = {};
    left_rows_ = 0;
  }
  void move(std::size_t b, bool to_left) {
    left_ = to_left ? left_ + buckets_[b].sums : left_ - buckets_[b].sums;
    left_rows_ += to_left ? buckets_[b].rows : -buckets_[b].rows;
  }
  // Rows not on the left are on the right, the missing ones too.
  void join(bool to_left) {
    if (!to_left) return;
    left_ = left_ + missing;
    left_rows_ += n_missing_;
  }
  void part(bool to_left) {
    if (!to_left) return;
    left_ = left_ - missing;
    left_rows_ -= n_missing_;
  }
  double judge() const { return criterion_.judge(left_); }
  bool may_reach(double worth) const { return criterion_.may_reach(left_, worth); }
  std::int64_t left_rows() const { return left_rows_; }
  std::int64_t right_rows() const { return n_ - left_rows_; }
  std::int64_t left_weight() const { return left_.weight; }
  std::int64_t right_weight() const { return all_.weight - left_.weight; }

  // By mean: with two classes, squares or Poisson deviance the best set is a prefix (Fisher 1958; Breiman
  // et al. 1984, 4.2.2). But where a side may not sum up to nothing, the best set may be forbidden, and the
  // best of the others need not be a prefix.
  bool order_is_enough() const {
    if constexpr (!Criterion::kNeedsAmount) return true;
    const auto is_nothing = [](const SumBucket& bucket) { return bucket.sums.amount == 0; };
    const bool missing_is_nothing = n_ > n_known_ && missing.amount == 0;
    return !missing_is_nothing && std::none_of(buckets_.begin(), buckets_.end(), is_nothing);
  }
  std::vector<std::vector<std::uint32_t>> orders() const {
    std::vector<std::uint32_t> order(buckets_.size());
    std::iota(order.begin(), order.end(), 0);
    // With two classes, of equals the last (as rpart does): a limit on leaves may let one pass and not the
    // other.
    if constexpr (TargetKind::kIsClasses) std::reverse(order.begin(), order.end());
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto &x = buckets_[a].sums, &y = buckets_[b].sums;
      return static_cast<Int128>(x.amount) * y.weight < static_cast<Int128>(y.amount) * x.weight;
    });
    return {order};
  }

  // As `judge` for two branches, here for any number of them.
  double judge_each(std::int32_t join) {
    if (buckets_.size() == 2) {
      return criterion_.judge(join == 0 ? buckets_[0].sums + missing : buckets_[0].sums);
    }
    if (!parts_) parts_ = sum_of_branches(join >= 0);
    return parts_->value(join);
  }

  Sums missing;

 private:
  BranchSum sum_of_branches(bool with_missing) const {
    std::vector<double> alone, joined;
    for (const auto& bucket : buckets_) {
      alone.push_back(criterion_.part(bucket.sums));
      if (with_missing) joined.push_back(criterion_.part(bucket.sums + missing));
    }
    return {std::move(alone), std::move(joined)};
  }

  std::vector<SumBucket>& buckets_;
  std::optional<BranchSum> parts_;  // of the worth of one branch a bucket
  Sums all_, left_;
  Criterion criterion_;
  std::int64_t n_ = 0, n_known_ = 0, n_missing_ = 0, left_rows_ = 0;
};

}  // namespace treewright
