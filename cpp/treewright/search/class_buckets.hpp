// The categories of a column, for any number of classes: which sets of them to try, and what each is worth.
#pragma once

#include "treewright/search/target.hpp"  // for BranchSum, compare_means, order_of_buckets

namespace treewright {

// The categories of a column as buckets of class weights, for CategorySearch.
template <class Impurity>
class ClassBuckets {
 public:
  // The rows that are scored; one bucket per category present, then one of the rows without a value.
  ClassBuckets(const Impurity& impurity, const Sides& all, std::span<const ClassBucket> buckets)
      : impurity_(impurity), all_(all), buckets_(buckets), sides_(all) {}

  std::size_t size() const { return buckets_.size() - 1; }
  std::int64_t rows(std::size_t b) const { return buckets_[b].rows; }
  std::int64_t weight(std::size_t b) const { return buckets_[b].weight; }

  void start() { sides_.start(all_.right, all_.present); }
  void move(std::size_t b, bool to_left) {
    for (const auto k : all_.present)
      sides_.move(k, to_left ? buckets_[b].weights[k] : -buckets_[b].weights[k]);
  }
  Merit exact_score() const { return impurity_.exact_score(sides_); }
  // Near a maximum most sets fall far short, and what bounds a cut in the scan also bounds a set.
  bool may_reach(double worth) const {
    const double floor = impurity_.score_floor(worth);
    auto running = impurity_.start(sides_);
    return impurity_.bound(running, sides_, floor) >= floor;
  }

  // Two classes and a concave impurity: the best set is a prefix by share (Breiman et al. 1984, 4.2.2).
  bool order_is_enough() const { return Impurity::kIsConcave && all_.present.size() <= 2; }

  // By share of each class; with three or more, also by their principal component (Coppersmith et al. 1999).
  std::vector<std::vector<std::uint32_t>> orders() const {
    std::vector<std::vector<std::uint32_t>> orders;
    // The last of equal buckets comes first, as with two sums.
    const auto by = [&](const auto& less) {
      heed_interrupts_after(size());
      orders.push_back(order_of_buckets(size(), order_is_enough(), less));
    };
    for (const auto k : all_.present.subspan(all_.present.size() == 2 ? 1 : 0)) {
      by([&](std::uint32_t a, std::uint32_t b) {
        const auto &x = buckets_[a], &y = buckets_[b];
        return compare_means(x.weights[k], x.weight, y.weights[k], y.weight) < 0;
      });
    }
    if (all_.present.size() > 2) {
      const auto score = principal_component();
      by([&](std::uint32_t a, std::uint32_t b) { return score[a] < score[b]; });
    }
    return orders;
  }

  // With one branch per bucket, of more than two: the decrease of weight times impurity.
  Merit exact_score_of_each(std::int32_t join) {
    const auto weight_of = [&](std::size_t b, bool joined) {
      return buckets_[b].weight + (joined ? buckets_.back().weight : 0);
    };
    if (!after_) {
      after_.emplace(size(), join >= 0, [&](std::size_t b, bool joined) {
        return weighted_impurity(weight_of(b, joined), [&](std::uint16_t k) {
          return buckets_[b].weights[k] + (joined ? buckets_.back().weights[k] : 0);
        });
      });
    }
    const auto weight = all_.right_weight;
    // What rounding alone leaves counts as 0, or it would decide between columns without a gain.
    double fall =
        weighted_impurity(weight, [&](std::uint16_t k) { return all_.right[k]; }) - after_->value(join);
    if (std::abs(fall) < static_cast<double>(weight) * 0x1p-46) fall = 0;
    if constexpr (!Impurity::kIsRatio) {
      return fall;
    } else {
      const auto log_of = [&](std::size_t b, bool joined) {
        return x_log_x(static_cast<double>(weight_of(b, joined)));
      };
      if (!logs_) logs_.emplace(size(), join >= 0, log_of);
      return {fall / (x_log_x(static_cast<double>(weight)) - logs_->value(join)), fall};
    }
  }

 private:
  template <class WeightOfClass>
  double weighted_impurity(std::int64_t weight, const WeightOfClass& weight_of) const {
    heed_interrupts_after(all_.present.size());
    std::vector<double> shares;
    for (const auto k : all_.present)
      shares.push_back(static_cast<double>(weight_of(k)) / static_cast<double>(weight));
    return static_cast<double>(weight) * Impurity::impurity(shares);
  }

  // Power iteration on the weighted covariance of the categories' class shares, from a fixed start.
  std::vector<double> principal_component() const {
    const auto n_classes = all_.present.size();
    const auto categories = buckets_.first(size());
    std::vector<std::vector<double>> centred(size(), std::vector<double>(n_classes));
    double total = 0;
    for (const auto& bucket : categories) total += static_cast<double>(bucket.weight);
    for (std::size_t at = 0; at < n_classes; ++at) {
      const auto k = all_.present[at];
      double sum = 0;
      for (const auto& bucket : categories) sum += static_cast<double>(bucket.weights[k]);
      for (std::size_t b = 0; b < size(); ++b) {
        centred[b][at] =
            static_cast<double>(buckets_[b].weights[k]) / static_cast<double>(buckets_[b].weight) -
            sum / total;
      }
    }
    std::vector<double> direction(n_classes), scores(size());
    for (std::size_t at = 0; at < n_classes; ++at) direction[at] = 1.0 / static_cast<double>(at + 1);
    for (int round = 0; round < 64; ++round) {
      heed_interrupts_before(size() * n_classes);
      std::vector<double> next(n_classes);
      for (std::size_t b = 0; b < size(); ++b) {
        scores[b] = std::inner_product(direction.begin(), direction.end(), centred[b].begin(), 0.0);
        for (std::size_t at = 0; at < n_classes; ++at)
          next[at] += static_cast<double>(buckets_[b].weight) * scores[b] * centred[b][at];
      }
      const double size = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
      if (!(size > 0)) break;
      for (std::size_t at = 0; at < n_classes; ++at) direction[at] = next[at] / size;
    }
    return scores;
  }

  Impurity impurity_;
  const Sides& all_;
  std::span<const ClassBucket> buckets_;
  Sides sides_;
  // With one branch per bucket: weight times impurity, and x log2 x of the weights.
  std::optional<BranchSum> after_, logs_;
};

}  // namespace treewright
