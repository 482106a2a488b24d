// The best cut that the counts of a column tell, of the rows of a node by code and class.
#pragma once

#include "treewright/criteria/classes.hpp"   // for GiniOfClasses
#include "treewright/criteria/two_sums.hpp"  // for Sums, SquaredDistance
#include "treewright/kernels/kernels.hpp"    // for sum_squares
#include "treewright/search/scan.hpp"        // for Reach

namespace treewright {

// Rows of a node by code of a column and class.
struct ColumnCounts {
  const std::int32_t* cells;  // n_classes for every code
  std::size_t n_classes;
  std::span<const std::uint32_t> codes;  // rising: all that rows of the node have, and perhaps others

  const std::int32_t* of(std::uint32_t code) const { return cells + code * n_classes; }
  std::int64_t rows(std::uint32_t code) const {
    return std::accumulate(of(code), of(code) + n_classes, std::int64_t{0});
  }
};

// How many of n rows may go left, as the limits on leaves have it.
inline Reach left_rows(const Limits& limits, std::int64_t n) {
  const auto least = std::max<std::int64_t>({1, limits.min_rows_leaf, limits.min_weight_leaf});
  return {least, n - least};
}

// How a criterion searches counts: to them what `Scan` is to lists.
class CountSearch {
 public:
  virtual ~CountSearch() = default;

  // Make ready to score the cuts of a node that has these rows of each class.
  virtual void enter(std::span<const std::int32_t> totals) = 0;
  virtual double best_possible() const = 0;
  virtual double gain(double decrease) const = 0;
  virtual void offer_best(const ColumnCounts& counts, const Limits& limits, Candidate& out) = 0;
};

// Gini of two classes, as `TwoSumScan` scores it.
class TwoClassCounts final : public CountSearch {
 public:
  explicit TwoClassCounts(std::int64_t total) : gain_factor_(2 / static_cast<double>(total)) {}

  void enter(std::span<const std::int32_t> totals) override {
    all_ = {totals[1], std::int64_t{totals[0]} + totals[1]};
  }
  double best_possible() const override {
    return SquaredDistance(all_).exact_score({all_.amount, all_.amount});
  }
  double gain(double decrease) const override { return decrease * gain_factor_; }

  void offer_best(const ColumnCounts& counts, const Limits& limits, Candidate& out) override {
    const auto allowed = left_rows(limits, all_.weight);
    const SquaredDistance criterion(all_);
    const auto n = static_cast<double>(all_.weight), ones = static_cast<double>(all_.amount);
    const double mean = ones / n, slack = ones * 0x1p-50;
    double floor = score_floor_over(criterion, out);
    Sums side;
    for (const auto code : counts.codes) {
      const auto* here = counts.cells + 2 * std::size_t{code};
      side = side + Sums{here[1], std::int64_t{here[0]} + here[1]};
      const auto left = static_cast<double>(side.weight);
      const double away = std::abs(static_cast<double>(side.amount) - left * mean) + slack;
      if (!(away * away >= floor * (left * (n - left)))) continue;
      if ((here[0] | here[1]) == 0 || !allowed.holds(side.weight)) continue;
      if (out.offer(criterion.exact_score(side), static_cast<std::uint32_t>(side.weight), false))
        floor = criterion.score_floor(out.score.worth);
    }
  }

 private:
  double gain_factor_;
  Sums all_;  // of the node entered
};

// Any number of classes.
template <class Impurity>
class ClassCounts final : public CountSearch {
 public:
  ClassCounts(std::int64_t total, const Impurity& impurity)
      : impurity_(impurity), total_(static_cast<double>(total)) {}

  void enter(std::span<const std::int32_t> totals) override {
    totals_.assign(totals.begin(), totals.end());
    short_totals_ = totals;
    n_ = 0;
    present_.clear();
    for (std::size_t k = 0; k < totals.size(); ++k) {
      n_ += totals[k];
      if (totals[k] > 0) present_.push_back(static_cast<std::uint16_t>(k));
    }
    impurity_.enter(sides_.start(totals_, present_));
  }

  double best_possible() const override { return best_of_classes(impurity_, totals_, present_); }
  double gain(double decrease) const override { return decrease / total_; }

  void offer_best(const ColumnCounts& counts, const Limits& limits, Candidate& out) override {
    const auto allowed = left_rows(limits, n_);
    if constexpr (std::is_same_v<Impurity, GiniOfClasses<false>>) {
      if (n_ <= Impurity::kExactInSquares) return offer_by_squares(counts, allowed, out);
    }
    auto& sides = sides_.start(totals_, present_);
    auto running = impurity_.start(sides);
    double floor = score_floor_over(impurity_, out);
    for (const auto code : counts.codes) {
      const auto before = sides.left_weight;
      for (const auto k : present_) {
        const std::int64_t n_moved = counts.of(code)[k];
        if (n_moved == 0) continue;
        impurity_.move(running, sides, k, n_moved);
        sides.move(k, n_moved);
      }
      const auto left = sides.left_weight;
      if (left > allowed.last) break;
      if (left == before || left < allowed.first) continue;
      const double bound = impurity_.bound(running, sides, floor);
      const auto uneven = unevenness_of<Impurity>(left, n_ - left);
      if (!(bound >= floor) || (kPrefersEvenSides<Impurity> && !out.takes(bound, uneven))) continue;
      const Merit merit = impurity_.exact_score(sides);
      if (out.offer(merit, static_cast<std::uint32_t>(left), false, uneven))
        floor = score_floor_over(impurity_, out);
    }
  }

 private:
  // Exact scores at once, of every cut: they take no longer than bounds.
  void offer_by_squares(const ColumnCounts& counts, const Reach& allowed, Candidate& out) {
    lefts_.assign(counts.n_classes, 0);
    by_code_.resize(counts.codes.size());
    Twins<sum_squares>::call(counts.cells, counts.codes, short_totals_, lefts_.data(), by_code_.data());
    std::int32_t before = 0;
    for (const auto& at : by_code_) {
      if (std::exchange(before, at.rows) == at.rows || !allowed.holds(at.rows)) continue;
      out.offer(impurity_.judge_squares(n_, at.rows, at.squares, at.products),
                static_cast<std::uint32_t>(at.rows), false);
    }
  }

  Impurity impurity_;
  double total_;
  // Of the node entered:
  std::int64_t n_ = 0;
  std::vector<std::int64_t> totals_;
  std::span<const std::int32_t> short_totals_;
  std::vector<std::uint16_t> present_;
  // At work:
  Sides sides_;
  std::vector<std::int32_t> lefts_;
  std::vector<CodeSquares> by_code_;
};

}  // namespace treewright
