// Score every cut of a column where Gini of two classes or variance is asked: two running sums tell all.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "treewright/candidate.hpp"        // for Candidate
#include "treewright/category_search.hpp"  // for CategorySearch, BranchSum
#include "treewright/kernels.hpp"          // for bound_equal, bound_weighted
#include "treewright/limits.hpp"           // for Facts, Limits
#include "treewright/missing.hpp"          // for Arrangements
#include "treewright/monotone.hpp"         // for Monotone, compare_means
#include "treewright/target.hpp"           // for TwoClasses, Numbers, Sums

namespace treewright {

// A column's slots at a node, in order of value; the first n_known have one.
template <class Index>
struct ListView {
  const Index* slot;
  std::uint32_t n, n_known;
  std::uint32_t n_categories = 0;  // declared, of a column of categories
};

// First and last number of known values that may go left.
struct Reach {
  std::int64_t first, last;
  bool holds(std::int64_t i) const { return first <= i && i <= last; }
};

// With the missing rows right: i | rest. With m missing rows left: i + m | rest.
inline Reach reach_missing_right(std::int64_t n, std::int64_t n_known, std::int64_t min_rows, bool alone) {
  return {min_rows, std::min(n - min_rows, alone && n > n_known ? n_known : n_known - 1)};
}
inline Reach reach_missing_left(std::int64_t n, std::int64_t n_known, std::int64_t min_rows) {
  return {std::max<std::int64_t>(1, min_rows - (n - n_known)), n_known - min_rows};
}

template <class TargetKind>
class TwoSumScan {
 public:
  using Criterion = typename TargetKind::Criterion;
  struct Bucket {
    Sums sums;
    std::int64_t rows;
  };
  // A few entries: what the cuts among them may be worth at most, and what all entries before them sum up to.
  struct Stretch {
    double most;
    std::int64_t sum_before;
  };

  struct Scratch {
    std::vector<Bucket> sums;
    std::vector<Stretch> stretches;
    Grouping grouping;
  };

  TwoSumScan() = default;
  explicit TwoSumScan(TargetKind kind) : target(std::move(kind)) {}

  void take(const Target& from) { target.take(from); }
  template <class Index>
  void take(const TwoSumScan& from, std::span<const Index> slots) {
    target.take(from.target, slots);
  }
  template <class Index>
  Facts facts(std::span<const Index> slots, bool with_impurity) const {
    return target.facts(slots, with_impurity);
  }
  bool settles_inner() const { return target.settles_inner(); }
  template <class Index>
  void settle(std::span<const Index> slots, const Facts& facts, LeafStore& leaves) {
    target.settle(slots, facts, leaves);
  }

  template <class Index>
  void enter(std::span<const Index> slots, const Facts& facts) {
    target.enter(slots, facts);
    all_ = {target.sum, facts.weight};
    if constexpr (!TargetKind::kHasWeights) fill_tables(slots.size());
    best_possible_ = target.best_possible(slots, facts);
  }

  void weigh(std::size_t slot, std::int64_t weight) { target.weigh(slot, weight); }

  std::int64_t weight_of(std::size_t slot) const {
    if constexpr (TargetKind::kHasWeights) return target.weight[slot];
    return 1;
  }

  template <class Index>
  double value_of(std::span<const Index> slots) const {
    return target.value_of(slots);
  }

  // For the ledger.
  Sums no_tally() const { return {}; }
  template <class List>
  Sums tally_of_node(const List&) const {
    return all_;
  }
  template <class Index>
  Sums tally_of(const Index* slots, std::uint32_t n) const {
    return sums_of(slots, n);
  }
  // The left side of a cut, as it was scored.
  static Sums tally_of_left(const Candidate& cut) { return {cut.left_amount, cut.left_weight}; }
  static void add(Sums& to, const Sums& more) { to = to + more; }
  static void subtract(Sums& from, const Sums& less) { from = from - less; }
  void tell_tally(const Sums& tally, std::vector<double>& outcome) const { target.tell(tally, outcome); }

  // No cut can be worth more; a cut that is worth as much ends the search.
  double best_possible() const { return best_possible_; }

  double gain(double worth) const { return worth * target.gain_factor; }

  // Offer the best cut of the list to `out`. `parts(i)`: entries i - 1 and i have different values.
  template <class Index, class Parts>
  void scan(const ListView<Index>& list, const Parts& parts, const Arrangements& ways, const Limits& limits,
            const Monotone& monotone, Scratch& scratch, Candidate& out) const {
    if constexpr (!TargetKind::kHasWeights) {
      if (list.n_known == list.n) {
        WholeSearch(*this, list, parts, limits, monotone, out).run(scratch.stretches);
        return;
      }
    }
    const std::int64_t n_known = list.n_known, n = ways.known_only ? n_known : list.n;
    const auto right = reach_missing_right(n, n_known, limits.min_rows_leaf, ways.alone);
    const bool try_left = ways.left && n > n_known;
    const auto left = try_left ? reach_missing_left(n, n_known, limits.min_rows_leaf) : Reach{1, 0};
    const std::int64_t last = std::max(right.last, left.last);
    const Sums missing = n_known < list.n ? sums_of(list.slot + n_known, list.n - n_known) : Sums{};
    const Sums all = ways.known_only ? all_ - missing : all_;
    const bool has_inverses = !TargetKind::kHasWeights && all.weight == all_.weight;
    const RunOfCuts run{static_cast<double>(all.amount) / static_cast<double>(all.weight),
                        static_cast<double>(all.amount) * 0x1p-50, static_cast<double>(all.weight)};

    const Criterion criterion(all);
    Sums sums;
    double bar = first_bar(criterion, out);
    std::array<std::int64_t, kRun> run_sums, run_weights;
    std::array<double, kRun> reals, real_weights, bounds;
    for (std::int64_t base = 0; base < last; base += kRun) {
      const auto length = static_cast<std::size_t>(std::min<std::int64_t>(kRun, last - base));
      for (std::size_t j = 0; j < length; ++j) {
        const Index slot = list.slot[base + static_cast<std::int64_t>(j)];
        sums.amount += target.amount[slot];
        run_sums[j] = sums.amount;
        reals[j] = static_cast<double>(sums.amount);
        if constexpr (TargetKind::kHasWeights) {
          sums.weight += target.weight[slot];
          run_weights[j] = sums.weight;
          real_weights[j] = static_cast<double>(sums.weight);
        }
      }
      // Arrangements are tried in the order of ties: at one cut, missing to the right first.
      const auto bound_run = [&](const Sums& extra, std::int64_t shift) {
        if (shift > 0) {
          for (std::size_t j = 0; j < length; ++j) {
            reals[j] = static_cast<double>(run_sums[j] + extra.amount);
            if constexpr (TargetKind::kHasWeights)
              real_weights[j] = static_cast<double>(run_weights[j] + extra.weight);
          }
        }
        const auto first = base + 1 + shift;
        if (has_inverses) {
          return bound_equal(reals.data(), inverse_.data() + first, static_cast<double>(first), run, length,
                             bounds.data());
        }
        if constexpr (!TargetKind::kHasWeights) {
          for (std::size_t j = 0; j < length; ++j)
            real_weights[j] = static_cast<double>(first + static_cast<std::int64_t>(j));
        }
        return bound_weighted(reals.data(), real_weights.data(), run, length, bounds.data());
      };
      const auto judge = [&](std::size_t j, const Sums& extra, std::int64_t shift, bool missing_left) {
        const std::int64_t i = base + static_cast<std::int64_t>(j) + 1;
        if (i < n_known && !parts(static_cast<std::uint32_t>(i))) return;
        const std::int64_t weight = TargetKind::kHasWeights ? run_weights[j] + extra.weight : i + shift;
        if (!limits.allows_weights(weight, all.weight - weight)) return;
        const Sums here{run_sums[j] + extra.amount, weight};
        if (!criterion.may_reach(here, out.score.worth)) return;
        if (monotone.is_asked() && i < n_known &&
            !is_in_order(monotone, here, all - here, i + shift, n - i - shift))
          return;
        if (offer(criterion.judge(here), here, i, missing_left, out)) bar = criterion.bar(out.score.worth);
      };
      if (!try_left) {
        if (bound_run({}, 0) < bar) continue;
        for (std::size_t j = 0; j < length; ++j) {
          if (bounds[j] >= bar && right.holds(base + static_cast<std::int64_t>(j) + 1))
            judge(j, {}, 0, false);
        }
        continue;
      }
      double top = bound_run({}, 0);
      std::array<double, kRun> right_bounds = bounds;
      top = std::max(top, bound_run(missing, n - n_known));
      if (top < bar) continue;
      for (std::size_t j = 0; j < length; ++j) {
        const std::int64_t i = base + static_cast<std::int64_t>(j) + 1;
        if (right_bounds[j] >= bar && right.holds(i)) judge(j, {}, 0, false);
        if (bounds[j] >= bar && left.holds(i)) judge(j, missing, n - n_known, true);
      }
    }
    if (ways.own_branch && missing.weight > 0) out.add_worth(Criterion(all_).judge(missing));
  }

  // Offer one given cut: the first n_left known values go left.
  template <class Index>
  void scan_at(const ListView<Index>& list, std::uint32_t n_left, const Arrangements& ways,
               const Limits& limits, const Monotone& monotone, Scratch&, Candidate& out) const {
    const std::int64_t n_known = list.n_known, n = ways.known_only ? n_known : list.n;
    const Sums missing = sums_of(list.slot + n_known, list.n - n_known);
    const Sums all = ways.known_only ? all_ - missing : all_;
    const auto try_cut = [&](std::int64_t rows, const Sums& sums, bool missing_left) {
      if (rows < limits.min_rows_leaf || n - rows < limits.min_rows_leaf) return;
      if (!limits.allows_weights(sums.weight, all.weight - sums.weight)) return;
      if (monotone.is_asked() && n_left < n_known && !is_in_order(monotone, sums, all - sums, rows, n - rows))
        return;
      offer(Criterion(all).judge(sums), sums, n_left, missing_left, out);
    };
    const Sums sums = sums_of(list.slot, n_left);
    if (n_left < n_known || (ways.alone && n_known < n)) try_cut(n_left, sums, false);
    if (ways.left && n > n_known && n_left < n_known) try_cut(n_left + (n - n_known), sums + missing, true);
    if (ways.own_branch && missing.weight > 0) out.add_worth(Criterion(all_).judge(missing));
  }

  // Offer the best question about categories; `starts(i)`: entry i begins another category.
  template <class Index, class Starts, class Run>
  void scan_categories(const ListView<Index>& list, const Starts& starts, const Arrangements& ways,
                       const Limits& limits, Scratch& scratch, Candidate& out, const Run& run) const {
    Buckets buckets(scratch.sums);
    buckets.fill(*this, list, starts, ways);
    CategorySearch search(buckets, list.n - list.n_known, ways, limits, out, scratch.grouping);
    run(search);
    if (ways.own_branch && list.n_known < list.n && out.has_question())
      out.add_worth(Criterion(all_).judge(buckets.missing));
  }

 private:
  static constexpr int kRun = 64;
  static constexpr std::int64_t kStep = 16;  // entries that are summed up at once

  static bool offer(double worth, const Sums& left, std::int64_t n_left, bool missing_left, Candidate& out) {
    if (!out.offer(worth, static_cast<std::uint32_t>(n_left), missing_left)) return false;
    out.left_amount = left.amount;
    out.left_weight = left.weight;
    return true;
  }

  // The search for the best cut of a list where every row has a value and weighs the same, as in most lists.
  // Doubles tell nearly always; the few cuts that they leave in doubt are judged in whole numbers.
  template <class Index, class Parts>
  class WholeSearch {
   public:
    WholeSearch(const TwoSumScan& scan, const ListView<Index>& list, const Parts& parts, const Limits& limits,
                const Monotone& monotone, Candidate& out)
        : scan_(scan),
          list_(list),
          parts_(parts),
          limits_(limits),
          monotone_(monotone),
          out_(out),
          n_(list.n),
          criterion_(scan.all_),
          mean_(static_cast<double>(scan.all_.amount) / static_cast<double>(n_)),
          slack_(static_cast<double>(scan.all_.amount) * 0x1p-50),
          bar_(first_bar(criterion_, out)) {}

    // From the sum of a few entries, and how far they are from the mean, follows how good the cuts among them
    // may be at best; only where that is enough are the cuts looked at, one by one.
    void run(std::vector<Stretch>& stretches) {
      const auto reach = reach_missing_right(n_, n_, limits_.min_rows_leaf, false);
      std::int64_t at = 0, sum = 0;
      for (; at + 1 < reach.first; ++at) sum += amount(at);
      if (n_ > 2 * kStep) {
        const auto begin = at;
        stretches.clear();
        for (; at + kStep <= reach.last; at += kStep) {
          stretches.push_back({0, sum});
          stretches.back().most = pass(at, sum);
        }
        for (std::size_t i = 0; i < stretches.size(); ++i) {
          const auto first = begin + static_cast<std::int64_t>(i) * kStep;
          if (stretches[i].most >= bar_) look_at(first, first + kStep, stretches[i].sum_before);
        }
      }
      look_at(at, reach.last, sum);
      judge_finalists();
    }

   private:
    static constexpr std::size_t kMostFinalists = 8;

    std::int64_t amount(std::int64_t i) const { return scan_.target.amount[list_.slot[i]]; }
    double away(std::int64_t i, std::int64_t sum) const {
      return std::abs(static_cast<double>(sum) - scan_.expected_[static_cast<std::size_t>(i)]);
    }
    double inverse(std::int64_t i) const { return scan_.inverse_[static_cast<std::size_t>(i)]; }

    // Add up the entries of a stretch, and tell how good the cuts among them may be. The last of them is
    // something for others to beat.
    double pass(std::int64_t at, std::int64_t& sum) {
      std::int64_t step = 0, spread = 0;
      if constexpr (TargetKind::kIsClasses) {
        for (std::int64_t j = 0; j < kStep; ++j) step += amount(at + j);
      } else {
        const auto middle = std::llrint(mean_);
        for (std::int64_t j = 0; j < kStep; ++j) {
          const std::int64_t one = amount(at + j);
          step += one;
          spread += std::abs(one - middle);
        }
      }
      const double before = static_cast<double>(sum) - scan_.expected_[static_cast<std::size_t>(at)];
      // How far sums may rise and fall on the way, if first all that is above the mean comes, or below it.
      double rise, fall;
      if constexpr (TargetKind::kIsClasses) {
        rise = static_cast<double>(step) * (1 - mean_) + slack_;
        fall = static_cast<double>(kStep - step) * mean_ + slack_;
      } else {
        const auto drift = static_cast<double>(step - kStep * std::llrint(mean_));
        const double more_slack = slack_ + static_cast<double>(kStep);  // the mean is no whole number
        rise = (static_cast<double>(spread) + drift) / 2 + more_slack;
        fall = (static_cast<double>(spread) - drift) / 2 + more_slack;
      }
      const double most = std::max(std::abs(before + rise), std::abs(before - fall)) * (1 + 0x1p-40);
      sum += step;
      const auto end = at + kStep;
      if constexpr (Criterion::kBoundIsWorth) {
        if (const double least = at_least(end, sum);
            least > bar_ && out_.every == nullptr && is_allowed(end, sum))
          bar_ = least;
      }
      return most * most * std::max(inverse(at + 1), inverse(end));
    }

    void look_at(std::int64_t begin, std::int64_t end, std::int64_t sum) {
      for (auto i = begin; i < end; ++i) {
        sum += amount(i);
        const double far = away(i + 1, sum) + slack_;
        const double most = far * far * inverse(i + 1);
        if (most >= bar_) [[unlikely]]
          consider(i + 1, sum, most);
      }
    }

    void consider(std::int64_t i, std::int64_t sum, double most) {
      const Sums here{sum, i};
      if (!criterion_.may_reach(here, out_.score.worth) || !is_allowed(i, sum)) return;
      if (!Criterion::kBoundIsWorth || out_.every != nullptr) {
        judge(here);
        return;
      }
      const double least = at_least(i, sum);
      if (least > most_of_finalists_) {
        n_finalists_ = 0;
        most_of_finalists_ = most;
      } else {
        if (n_finalists_ == kMostFinalists) judge_finalists();
        most_of_finalists_ = std::max(most_of_finalists_, most);
      }
      finalists_[n_finalists_++] = here;
      bar_ = std::max(bar_, least);
    }

    // Worth of a cut in units of the bar, rounded down.
    double at_least(std::int64_t i, std::int64_t sum) const {
      const double far = std::max(0.0, away(i, sum) - slack_);
      return far * far * inverse(i) * (1 - 0x1p-40);
    }

    bool is_allowed(std::int64_t i, std::int64_t sum) const {
      if (!parts_(static_cast<std::uint32_t>(i)) || !limits_.allows_weights(i, n_ - i)) return false;
      const Sums here{sum, i};
      return !monotone_.is_asked() || scan_.is_in_order(monotone_, here, scan_.all_ - here, i, n_ - i);
    }

    void judge(const Sums& here) {
      if (offer(criterion_.judge(here), here, here.weight, false, out_))
        bar_ = std::max(bar_, criterion_.bar(out_.score.worth));
    }

    void judge_finalists() {
      for (std::size_t i = 0; i < n_finalists_; ++i) judge(finalists_[i]);
      n_finalists_ = 0;
    }

    const TwoSumScan& scan_;
    const ListView<Index>& list_;
    const Parts& parts_;
    const Limits& limits_;
    const Monotone& monotone_;
    Candidate& out_;
    const std::int64_t n_;
    const Criterion criterion_;
    const double mean_, slack_;
    double bar_;  // cuts below it cannot win
    // In the order of their places, so that the first of equals is found first.
    std::array<Sums, kMostFinalists> finalists_;
    std::size_t n_finalists_ = 0;
    double most_of_finalists_ = -std::numeric_limits<double>::infinity();
  };

  bool is_in_order(const Monotone& monotone, const Sums& left, const Sums& right, std::int64_t left_rows,
                   std::int64_t right_rows) const {
    return monotone.allows(compare_means(left.amount, left.weight, right.amount, right.weight),
                           target.value(left, left_rows), target.value(right, right_rows));
  }

  template <class Index>
  Sums sums_of(const Index* slots, std::int64_t n) const {
    Sums sums;
    for (std::int64_t i = 0; i < n; ++i) {
      sums.amount += target.amount[slots[i]];
      if constexpr (TargetKind::kHasWeights) sums.weight += target.weight[slots[i]];
    }
    if constexpr (!TargetKind::kHasWeights) sums.weight = n;
    return sums;
  }

  // The categories present in a node, as CategorySearch wants them.
  class Buckets {
   public:
    explicit Buckets(std::vector<Bucket>& storage) : buckets_(storage) {}

    template <class Index, class Starts>
    void fill(const TwoSumScan& scan, const ListView<Index>& list, const Starts& starts,
              const Arrangements& ways) {
      buckets_.clear();
      for (std::uint32_t begin = 0, end = 0; begin < list.n_known; begin = end) {
        for (end = begin + 1; end < list.n_known && !starts(end);) ++end;
        buckets_.push_back({scan.sums_of(list.slot + begin, end - begin), end - begin});
      }
      missing = scan.sums_of(list.slot + list.n_known, list.n - list.n_known);
      n_known_ = list.n_known;
      n_missing_ = list.n - list.n_known;
      all_ = ways.known_only ? scan.all_ - missing : scan.all_;
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
      const auto is_nothing = [](const Bucket& bucket) { return bucket.sums.amount == 0; };
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
        return static_cast<__int128>(x.amount) * y.weight < static_cast<__int128>(y.amount) * x.weight;
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

    std::vector<Bucket>& buckets_;
    std::optional<BranchSum> parts_;  // of the worth of one branch a bucket
    Sums all_, left_;
    Criterion criterion_;
    std::int64_t n_ = 0, n_known_ = 0, n_missing_ = 0, left_rows_ = 0;
  };

  // What all columns of the node share: what i rows would sum up to, were all alike; 1 / (i (n - i)).
  void fill_tables(std::size_t n) {
    if (inverse_.size() < n + kRun + 1) {
      inverse_.resize(n + kRun + 1);
      expected_.resize(n + kRun + 1);
    }
    const auto all = static_cast<double>(n);
    const double mean = static_cast<double>(all_.amount) / all;
    inverse_[0] = 0;
    for (std::size_t i = 1; i < n; ++i)
      inverse_[i] = 1 / (static_cast<double>(i) * (all - static_cast<double>(i)));
    inverse_[n] = 0;
    for (std::size_t i = 0; i < n; ++i) expected_[i] = static_cast<double>(i) * mean;
  }

  TargetKind target;
  Sums all_;
  std::vector<double> inverse_, expected_;
  double best_possible_ = 0;
};

}  // namespace treewright
