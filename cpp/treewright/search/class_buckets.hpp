// The categories of a column as buckets of class weights, for CategorySearch.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "treewright/math/logarithm.hpp"     // for x_log_x
#include "treewright/portable.hpp"           // for Int128
#include "treewright/recipe/candidate.hpp"   // for Merit
#include "treewright/search/categories.hpp"  // for BranchSum
#include "treewright/search/class_runs.hpp"  // for Sides

namespace treewright {

struct ClassBucket {
  std::vector<std::int64_t> weights;  // by class present in the node
  std::int64_t weight = 0, rows = 0;
};

template <class Impurity>
class ClassBuckets {
 public:
  ClassBuckets(const Impurity& impurity, std::span<const std::uint16_t> present,
               const std::vector<std::int64_t>& totals, std::vector<ClassBucket>& storage, Sides& sides)
      : impurity_(impurity), present_(present), totals_(totals), buckets_(storage), sides_(sides) {
    place_.resize(present.empty() ? 0 : std::size_t{present.back()} + 1);
    for (std::size_t at = 0; at < present.size(); ++at) place_[present[at]] = at;
  }

  template <class Index, class Scan>
  void add(const Index* slots, std::uint32_t n, const Scan& scan) {
    buckets_.push_back(sum(slots, n, scan));
  }
  template <class Index, class Scan>
  void add_missing(const Index* slots, std::uint32_t n, const Scan& scan, std::int64_t n_scored) {
    missing_ = sum(slots, n, scan);
    n_scored_ = n_scored;
  }

  std::size_t size() const { return buckets_.size(); }
  std::int64_t rows(std::size_t b) const { return buckets_[b].rows; }
  std::int64_t weight(std::size_t b) const { return buckets_[b].weight; }

  void start() {
    left_rows_ = 0;
    sides_.left_weight = sides_.right_weight = 0;
    for (const auto k : present_) {
      sides_.left[k] = 0;
      sides_.right[k] = totals_[k];
      sides_.right_weight += totals_[k];
    }
  }
  void move(std::size_t b, bool to_left) { shift(buckets_[b], to_left ? 1 : -1); }
  void join(bool to_left) {
    if (to_left) shift(missing_, 1);
  }
  void part(bool to_left) {
    if (to_left) shift(missing_, -1);
  }
  Merit judge() const { return impurity_.judge(sides_, totals_, present_); }
  // Near a maximum most sets fall short by far, and what bounds a cut in the scan bounds a set.
  bool may_reach(double worth) const {
    const double bar = impurity_.bar(worth);
    auto running = impurity_.start(sides_, present_);
    return impurity_.bound(running, sides_, bar) >= bar;
  }
  std::int64_t left_rows() const { return left_rows_; }
  std::int64_t right_rows() const { return n_scored_ - left_rows_; }
  std::int64_t left_weight() const { return sides_.left_weight; }
  std::int64_t right_weight() const { return sides_.right_weight; }

  // With two classes and a concave impurity the best set is a prefix in order of the share of either (Breiman
  // et al. 1984, 4.2.2).
  bool order_is_enough() const { return Impurity::kIsConcave && present_.size() <= 2; }

  // By share of each class in turn; and, with more than two, by the first principal component of the shares
  // (Coppersmith, Hong, Hosking 1999).
  std::vector<std::vector<std::uint32_t>> orders() const {
    std::vector<std::vector<std::uint32_t>> orders;
    const auto by = [&](const auto& less) {
      std::vector<std::uint32_t> order(buckets_.size());
      std::iota(order.begin(), order.end(), 0);
      if (order_is_enough())
        std::reverse(order.begin(), order.end());  // of equals the last, as with two sums
      std::stable_sort(order.begin(), order.end(), less);
      orders.push_back(std::move(order));
    };
    const std::size_t first = present_.size() == 2 ? 1 : 0;
    for (std::size_t at = first; at < present_.size(); ++at) {
      by([&](std::uint32_t a, std::uint32_t b) {
        const auto &x = buckets_[a], &y = buckets_[b];
        return static_cast<Int128>(x.weights[at]) * y.weight < static_cast<Int128>(y.weights[at]) * x.weight;
      });
    }
    if (present_.size() > 2) {
      const auto score = principal_component();
      by([&](std::uint32_t a, std::uint32_t b) { return score[a] < score[b]; });
    }
    return orders;
  }

  // One branch a bucket: weight times impurity before less that after.
  Merit judge_each(std::int32_t join) {
    if (buckets_.size() == 2) {
      start();
      move(0, true);
      if (join == 0) shift(missing_, 1);
      return judge();
    }
    if (!after_) after_ = sum_of_branches(join >= 0);
    ClassBucket all{std::vector<std::int64_t>(present_.size())};
    for (std::size_t at = 0; at < present_.size(); ++at) {
      all.weights[at] = totals_[present_[at]];
      all.weight += all.weights[at];
    }
    // What rounding alone leaves is nothing, or it would decide between columns that gain nothing.
    double fall = weighted_impurity(all, nullptr) - after_->value(join);
    if (std::abs(fall) < static_cast<double>(all.weight) * 0x1p-46) fall = 0;
    if constexpr (!Impurity::kIsRatio) {
      return fall;
    } else {
      if (!split_) split_ = logs_of_branches(join >= 0);
      return {fall / (x_log_x(static_cast<double>(all.weight)) - split_->value(join)), fall};
    }
  }

 private:
  template <class Index, class Scan>
  ClassBucket sum(const Index* slots, std::uint32_t n, const Scan& scan) const {
    ClassBucket bucket{std::vector<std::int64_t>(present_.size()), 0, n};
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto weight = scan.weight_of(slots[i]);
      bucket.weights[place_[scan.class_of(slots[i])]] += weight;
      bucket.weight += weight;
    }
    return bucket;
  }

  void shift(const ClassBucket& bucket, std::int64_t sign) {
    for (std::size_t at = 0; at < present_.size(); ++at) {
      sides_.left[present_[at]] += sign * bucket.weights[at];
      sides_.right[present_[at]] -= sign * bucket.weights[at];
    }
    sides_.left_weight += sign * bucket.weight;
    sides_.right_weight -= sign * bucket.weight;
    left_rows_ += sign * bucket.rows;
  }

  BranchSum sum_of_branches(bool with_missing) const {
    std::vector<double> alone, joined;
    for (const auto& bucket : buckets_) {
      alone.push_back(weighted_impurity(bucket, nullptr));
      if (with_missing) joined.push_back(weighted_impurity(bucket, &missing_));
    }
    return {std::move(alone), std::move(joined)};
  }

  // For the information of the split itself.
  BranchSum logs_of_branches(bool with_missing) const {
    std::vector<double> alone, joined;
    for (const auto& bucket : buckets_) {
      alone.push_back(x_log_x(static_cast<double>(bucket.weight)));
      if (with_missing) joined.push_back(x_log_x(static_cast<double>(bucket.weight + missing_.weight)));
    }
    return {std::move(alone), std::move(joined)};
  }

  double weighted_impurity(const ClassBucket& bucket, const ClassBucket* more) const {
    const auto weight = static_cast<double>(bucket.weight + (more ? more->weight : 0));
    std::vector<double> shares(present_.size());
    for (std::size_t at = 0; at < shares.size(); ++at) {
      shares[at] = static_cast<double>(bucket.weights[at] + (more ? more->weights[at] : 0)) / weight;
    }
    return weight * Impurity::impurity(shares);
  }

  // Power iteration on the weighted covariance of the categories' class shares, from a fixed start.
  std::vector<double> principal_component() const {
    const auto n_classes = present_.size();
    std::vector<std::vector<double>> centred(buckets_.size(), std::vector<double>(n_classes));
    double total = 0;
    for (const auto& bucket : buckets_) total += static_cast<double>(bucket.weight);
    for (std::size_t at = 0; at < n_classes; ++at) {
      double sum = 0;
      for (const auto& bucket : buckets_) sum += static_cast<double>(bucket.weights[at]);
      for (std::size_t b = 0; b < buckets_.size(); ++b) {
        centred[b][at] =
            static_cast<double>(buckets_[b].weights[at]) / static_cast<double>(buckets_[b].weight) -
            sum / total;
      }
    }
    std::vector<double> direction(n_classes), scores(buckets_.size());
    for (std::size_t at = 0; at < n_classes; ++at) direction[at] = 1.0 / static_cast<double>(at + 1);
    for (int round = 0; round < 64; ++round) {
      std::vector<double> next(n_classes);
      for (std::size_t b = 0; b < buckets_.size(); ++b) {
        scores[b] = std::inner_product(direction.begin(), direction.end(), centred[b].begin(), 0.0);
        for (std::size_t at = 0; at < n_classes; ++at) {
          next[at] += static_cast<double>(buckets_[b].weight) * scores[b] * centred[b][at];
        }
      }
      const double size = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
      if (!(size > 0)) break;
      for (std::size_t at = 0; at < n_classes; ++at) direction[at] = next[at] / size;
    }
    return scores;
  }

  const Impurity& impurity_;
  std::span<const std::uint16_t> present_;
  const std::vector<std::int64_t>& totals_;
  std::vector<ClassBucket>& buckets_;
  Sides& sides_;
  std::vector<std::size_t> place_;  // of a class among those present
  ClassBucket missing_;
  std::optional<BranchSum> after_;  // weight times impurity with one branch a bucket
  std::optional<BranchSum> split_;  // x log2 x of the weights of the branches
  std::int64_t n_scored_ = 0, left_rows_ = 0;
};

}  // namespace treewright
