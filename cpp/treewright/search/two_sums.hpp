// Score every cut of a column where Gini of two classes or variance is asked: two running sums tell all.
#pragma once

#include "treewright/kernels/kernels.hpp"  // for bound_cuts, kMostBytes
#include "treewright/search/target.hpp"    // for TwoClasses, Numbers, Sums, Tally

namespace treewright {

struct SumBucket {
  Sums sums;
  std::int64_t rows;
};

// The categories present in a node, as CategorySearch wants them.
template <class Criterion, bool kIsClasses>
class TwoSumBuckets {
 public:
  // By category present, then of the rows without a value; the criterion of the rows that are scored.
  TwoSumBuckets(const std::vector<SumBucket>& buckets, const Criterion& criterion)
      : buckets_(buckets), criterion_(criterion) {}

  std::size_t size() const { return buckets_.size() - 1; }
  std::int64_t rows(std::size_t b) const { return buckets_[b].rows; }
  std::int64_t weight(std::size_t b) const { return buckets_[b].sums.weight; }

  void start() { left_ = {}; }
  void move(std::size_t b, bool to_left) {
    left_ = to_left ? left_ + buckets_[b].sums : left_ - buckets_[b].sums;
  }
  double exact_score() const { return criterion_.exact_score(left_); }
  bool may_reach(double worth) const { return criterion_.may_reach(left_, worth); }

  // By mean: with two classes, squares or Poisson deviance the best set is a prefix (Fisher 1958; Breiman
  // et al. 1984, 4.2.2). But where a side may not sum up to nothing, the best set may be forbidden, and the
  // best of the others need not be a prefix.
  bool order_is_enough() const {
    if constexpr (!Criterion::kNeedsAmount) return true;
    return std::none_of(buckets_.begin(), buckets_.end(),
                        [](const SumBucket& bucket) { return bucket.rows > 0 && bucket.sums.amount == 0; });
  }
  std::vector<std::vector<std::uint32_t>> orders() const {
    // With two classes, of equals the last (as rpart does): a limit on leaves may let one pass and not the
    // other.
    return {order_of_buckets(size(), kIsClasses, [&](std::uint32_t a, std::uint32_t b) {
      const auto &x = buckets_[a].sums, &y = buckets_[b].sums;
      return compare_means(x.amount, x.weight, y.amount, y.weight) < 0;
    })};
  }

  // As `exact_score` for two branches, here for any number of them.
  double exact_score_of_each(std::int32_t join) {
    const auto sums = [&](std::size_t b, bool with_missing) {
      return with_missing ? buckets_[b].sums + buckets_.back().sums : buckets_[b].sums;
    };
    if (size() == 2) return criterion_.exact_score(sums(0, join == 0));
    if (!parts_)
      parts_.emplace(size(), join >= 0,
                     [&](auto b, bool joined) { return criterion_.part(sums(b, joined)); });
    return parts_->value(join);
  }

 private:
  const std::vector<SumBucket>& buckets_;
  Criterion criterion_;
  Sums left_;
  std::optional<BranchSum> parts_;  // of the worth of one branch a bucket
};

inline constexpr std::int64_t kStep = 16;  // entries that are summed up at once

// Entries that may hold the best cut.
struct CutRange {
  double at_most;  // what a cut among them may be worth
  std::int64_t sum_before;
  std::int64_t first;  // entries to the left of the first cut
};

// A sum of a few entries, and how far it may rise above and fall below what the mean would give on the way:
// if first all that is above the mean comes, or below it.
struct Step {
  std::int64_t sum;
  double rise, fall;
};

template <class TargetKind, class Index>
Step add_up(const Index* slot, const TargetKind& target, const RunOfCuts& cuts) {
  const auto* amount = target.amount.data();
  std::int64_t sum = 0;
  if constexpr (TargetKind::kIsClasses) {
    for (std::int64_t j = 0; j < kStep; ++j) sum += amount[slot[j]];
    return {sum, static_cast<double>(sum) * (1 - cuts.mean) + cuts.slack,
            static_cast<double>(kStep - sum) * cuts.mean + cuts.slack};
  } else {
    const auto middle = std::llrint(cuts.mean);
    std::int64_t spread = 0;
    for (std::int64_t j = 0; j < kStep; ++j) {
      sum += amount[slot[j]];
      spread += std::abs(amount[slot[j]] - middle);
    }
    const auto drift = static_cast<double>(sum - kStep * middle);
    const double slack = cuts.slack + static_cast<double>(kStep);  // the mean is no whole number
    return {sum, (static_cast<double>(spread) + drift) / 2 + slack,
            (static_cast<double>(spread) - drift) / 2 + slack};
  }
}

// Cuts that are bounded side by side.
inline constexpr std::size_t kAtOnce = 4;
template <class Value>
using AtOnce TREEWRIGHT_VECTOR(kAtOnce * sizeof(Value)) = Value;
using CutsAtOnce = AtOnce<double>;

// Few CPUs convert whole numbers of 64 bits side by side: their halves become doubles of a known exponent,
// which is taken off.
TREEWRIGHT_INLINE void to_real(const AtOnce<std::int64_t>& sums, CutsAtOnce& real) {
  AtOnce<std::uint64_t> whole;
  std::memcpy(&whole, &sums, sizeof whole);
  whole ^= std::uint64_t{1} << 63;
  const AtOnce<std::uint64_t> halves[] = {whole >> 32 | std::bit_cast<std::uint64_t>(0x1p84),
                                          (whole & 0xFFFFFFFFu) | std::bit_cast<std::uint64_t>(0x1p52)};
  CutsAtOnce high, low;
  std::memcpy(&high, &halves[0], sizeof high);
  std::memcpy(&low, &halves[1], sizeof low);
  real = (high - (0x1p84 + 0x1p63 + 0x1p52)) + low;
}
TREEWRIGHT_INLINE void to_real(const AtOnce<std::int32_t>& sums, CutsAtOnce& real) { convert(sums, real); }

// Sums, and bounds in units of the floor, of the first `n` cuts of a short list, and of a few more; the
// highest bound. What has just been added up stays in registers.
template <class Sum, class Amount>
TREEWRIGHT_INLINE double bound_few(const std::uint8_t* slot, const Amount* amounts, const double* expected,
                                   const double* inverse, double slack, std::size_t n, Sum* sums,
                                   double* bounds) {
  CutsAtOnce tops{}, real, mean, factor;
  Sum sum = 0;
  for (std::size_t i = 0; i < n; i += kAtOnce) {
    AtOnce<Sum> whole;
    for (std::size_t lane = 0; lane < kAtOnce; ++lane) whole[lane] = sum += amounts[slot[i + lane]];
    std::memcpy(sums + i, &whole, sizeof whole);
    to_real(whole, real);
    std::memcpy(&mean, expected + i, sizeof mean);
    std::memcpy(&factor, inverse + i, sizeof factor);
    const CutsAtOnce away = (real > mean ? real - mean : mean - real) + slack, bound = away * away * factor;
    tops = bound > tops ? bound : tops;
    std::memcpy(bounds + i, &bound, sizeof bound);
  }
  return std::max(std::max(tops[0], tops[1]), std::max(tops[2], tops[3]));
}

// `Kind`: TwoClasses or Numbers, of any width.
template <class Index, class Kind>
class TwoSumScan : public OfWidth<Kind, Index> {
 public:
  using TargetKind = OfWidth<Kind, Index>;
  using TargetKind::amount, TargetKind::sums_of, TargetKind::all_, TargetKind::kWeighted;
  using typename TargetKind::Slots, typename TargetKind::Criterion;
  static constexpr bool kIsShort = sizeof(Index) == 1;  // all cuts of a list are bounded at once
  struct Scratch {
    std::vector<SumBucket> buckets;
    std::vector<CutRange> ranges;
  };

  using TargetKind::TargetKind;

  template <class From, class Wide>
  void gather_from(const From& from, std::span<const Wide> slots) {
    TargetKind::gather_from(from, slots);
    if constexpr (kIsShort) amount.resize(kMostBytes);  // a few entries behind a list are looked up, too
  }

  void enter(Slots slots, const NodeStatistics& facts) override {
    TargetKind::enter(slots, facts);
    criterion_ = Criterion(all_);
    cuts_ = run_of_cuts(all_);
    if constexpr (kIsShort && !kWeighted) tabulate(slots.size());
    best_possible_ = this->best_worth(slots);
  }

  std::optional<Tally> tally_of_left(const Candidate& cut) const override {
    if (cut.left_weight == 0) return std::nullopt;
    return Tally{cut.left_amount, cut.left_weight};
  }

  double best_possible() const override { return best_possible_; }

  void scan(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    const auto& list = query.list;
    const auto reach = query.widest_reach();
    if (reach.first > reach.last) return;
    if constexpr (!kWeighted) {
      if (list.n_known == list.n) {
        if constexpr (kIsShort) return scan_few(query, reach, out);
        return scan_long(query, reach, scratch.ranges, out);
      }
    }
    const Sums missing = sums_of(list.missing());
    const Sums all = query.leaves_rows_out() ? all_ - missing : all_;
    const Criterion criterion(all);
    const auto lane = [&](bool missing_left) {
      return Lane(*this, query, criterion, all, missing_left ? missing : Sums{}, missing_left);
    };
    search_cuts(query, criterion, lane, out);
  }

  auto buckets(const SplitQuery<Index>& query, Scratch& scratch) const {
    const auto& list = query.list;
    auto& buckets = scratch.buckets;
    buckets.clear();
    query.for_each_value([&](std::uint32_t begin, std::uint32_t end) {
      buckets.push_back({sums_of(list.known().subspan(begin, end - begin)), end - begin});
    });
    const Sums missing = sums_of(list.missing());
    buckets.push_back(query.leaves_rows_out() ? SumBucket{} : SumBucket{missing, query.n_missing()});
    return TwoSumBuckets<Criterion, TargetKind::kIsClasses>(
        buckets, Criterion(query.leaves_rows_out() ? all_ - missing : all_));
  }

  double worth_apart(const SplitQuery<Index>& query, Scratch&) const {
    return criterion_.exact_score(sums_of(query.list.missing()));
  }

 private:
  static constexpr std::uint32_t kFewRows = 255;

  static RunOfCuts run_of_cuts(const Sums& all) {
    const auto amount = static_cast<double>(all.amount), weight = static_cast<double>(all.weight);
    return {amount / weight, amount * 0x1p-50, weight};
  }

  // An arrangement of the missing rows while cuts move along the list.
  class Lane {
   public:
    static constexpr int kCuts = 64;

    // `extra`: of the missing rows, if they are left with every cut.
    Lane(const TwoSumScan& scan, const SplitQuery<Index>& query, const Criterion& criterion, const Sums& all,
         const Sums& extra, bool missing_left)
        : reach(query.reach(missing_left)),
          scan_(scan),
          slots_(query.list.slot),
          criterion_(criterion),
          all_(all),
          run_(run_of_cuts(all)),
          sums_(extra + scan.sums_of(query.list.known().first(query.widest_reach().first - 1))),
          n_extra_(missing_left ? query.n_missing() : 0),
          n_(query.n_scored()) {}

    double bound(std::int64_t base, std::size_t n, double) {
      n_before_ = base + n_extra_ + 1;
      auto [amount, weight] = sums_;
      for (std::size_t j = 0; j < n; ++j) {
        const Index slot = slots_[base + static_cast<std::int64_t>(j)];
        amounts_[j] = amount += scan_.amount[slot];
        real_amounts_[j] = static_cast<double>(amount);
        if constexpr (kWeighted) weights_[j] = weight += scan_.weight_of(slot);
      }
      sums_ = {amount, weight};
      for (std::size_t j = 0; j < n; ++j) real_weights_[j] = static_cast<double>(left_weight(j));
      return bound_cuts(real_amounts_.data(), real_weights_.data(), run_, n, bounds.data());
    }

    std::int64_t left_weight(std::size_t j) const { return kWeighted ? weights_[j] : left_rows(j); }
    std::int64_t right_weight(std::size_t j) const { return all_.weight - left_weight(j); }
    bool is_in_order(const Monotone& monotone, std::size_t j) const {
      const auto rows = left_rows(j);
      return treewright::is_in_order(scan_, monotone, left(j), all_ - left(j), rows, n_ - rows);
    }
    double exact_score(std::size_t j, double worth) const {
      if (!criterion_.may_reach(left(j), worth)) return -std::numeric_limits<double>::infinity();
      return criterion_.exact_score(left(j));
    }
    void record(std::size_t j, Candidate& out) const {
      out.left_amount = amounts_[j];
      out.left_weight = left_weight(j);
    }

    Reach reach;
    std::array<double, kCuts> bounds;

   private:
    Sums left(std::size_t j) const { return {amounts_[j], left_weight(j)}; }
    std::int64_t left_rows(std::size_t j) const { return n_before_ + static_cast<std::int64_t>(j); }

    const TwoSumScan& scan_;
    const Index* slots_;
    const Criterion& criterion_;
    Sums all_;
    RunOfCuts run_;
    Sums sums_;  // on the left of the run
    std::int64_t n_extra_, n_;
    std::int64_t n_before_ = 0;  // rows on the left of the first cut of the run
    std::array<std::int64_t, kCuts> amounts_, weights_;
    std::array<double, kCuts> real_amounts_, real_weights_;
  };

  // Every row has a value and weighs the same, as in most lists; and they are few: all cuts are bounded, and
  // most lists are done with after one look at the highest bound.
  void scan_few(const SplitQuery<Index>& query, const Reach& reach, Candidate& out) const {
    using Sum = std::conditional_t<TargetKind::kIsClasses, std::int32_t, std::int64_t>;
    std::array<Sum, kFewRows + kAtOnce> sums;  // of the cut that leaves one entry left, and so on
    std::array<double, kFewRows + kAtOnce> bounds;
    const auto last = static_cast<std::size_t>(reach.last);
    double floor = score_floor_over(criterion_, out);  // cuts below it cannot win
    const double top = Twins<bound_few<Sum, typename decltype(amount)::value_type>>::call(
        query.list.slot, amount.data(), expected_.data() + 1, inverse_.data() + 1, cuts_.slack, last,
        sums.data(), bounds.data());
    if (top < floor) return;
    const auto look_at = [&](double least) {
      for (auto i = static_cast<std::size_t>(reach.first); i <= last; ++i) {
        if (bounds[i - 1] >= std::max(floor, least)) [[unlikely]]
          offer_if_allowed(query, {sums[i - 1], static_cast<std::int64_t>(i)}, out, floor);
      }
    };
    if constexpr (Criterion::kBoundIsWorth) {
      // One of the cuts whose bounds are about the highest nearly always is the best.
      if (const double near = top * (1 - 0x1p-30); near > floor && out.every == nullptr) {
        const auto before = out;
        look_at(near);
        if (floor >= near) return;
        out = before;
        floor = score_floor_over(criterion_, out);
      }
    }
    look_at(floor);
  }

  // What few rows would sum up to, were all alike, and 1 / (rows left times rows right).
  void tabulate(std::size_t n) {
    static constexpr auto kShares = [] {
      std::array<double, kFewRows + 1> shares{};
      for (std::size_t i = 1; i <= kFewRows; ++i) shares[i] = 1 / static_cast<double>(i);
      return shares;
    }();
    // Two sums are sooner had than a quotient: 1 / i + 1 / (n - i) is n times that.
    for (std::size_t i = 1; i < n; ++i) inverse_[i] = (kShares[i] + kShares[n - i]) * kShares[n];
    std::fill_n(inverse_.begin() + static_cast<std::ptrdiff_t>(n), kAtOnce, 0);
    for (std::size_t i = 0; i < n; ++i) expected_[i] = static_cast<double>(i) * cuts_.mean;
  }

  void offer_if_allowed(const SplitQuery<Index>& query, const Sums& here, Candidate& out,
                        double& floor) const {
    if (!criterion_.may_reach(here, out.score.worth) || !is_allowed(query, here)) return;
    if (!out.offer(criterion_.exact_score(here), static_cast<std::uint32_t>(here.weight), false)) return;
    out.left_amount = here.amount;
    out.left_weight = here.weight;
    floor = std::max(floor, criterion_.score_floor(out.score.worth));
  }

  bool is_allowed(const SplitQuery<Index>& query, const Sums& left) const {
    const auto i = left.weight, rest = all_.weight - i;
    return query.allows(i, i, rest, [&] {
      return treewright::is_in_order(*this, query.monotone, left, all_ - left, i, rest);
    });
  }

  // The same of many rows. From the sum of a few entries, and how far they are from the mean, follows how
  // good the cuts among them may be at best. Only where that is enough are the cuts looked at, once it is
  // known what is to be beaten: any cut that may be chosen is.
  void scan_long(const SplitQuery<Index>& query, const Reach& reach, std::vector<CutRange>& ranges,
                 Candidate& out) const {
    const auto* amounts = amount.data();
    const auto* slot = query.list.slot;
    const double slack = cuts_.slack, mean = cuts_.mean, n = cuts_.total;
    double floor = score_floor_over(criterion_, out);  // cuts below it cannot win
    const auto sides = [n](std::int64_t left) {
      return static_cast<double>(left) * (n - static_cast<double>(left));
    };
    // How far a sum is from what the mean would give.
    const auto away_of = [mean](std::int64_t sum, std::int64_t left) {
      return static_cast<double>(sum) - static_cast<double>(left) * mean;
    };
    // Worth of a cut in units of the floor, rounded down.
    const auto at_least = [&](const Sums& left) {
      const double away = std::max(0.0, std::abs(away_of(left.amount, left.weight)) - slack);
      return away * away / sides(left.weight) * (1 - 0x1p-40);
    };
    // What a cut among a few entries may be worth, of which so much is on the left of the first.
    const auto at_most = [&](const Step& step, std::int64_t first, std::int64_t last, std::int64_t sum) {
      const double before = away_of(sum, first - 1);
      const double away =
          std::max(std::abs(before + step.rise), std::abs(before - step.fall)) * (1 + 0x1p-40);
      return away * away / std::min(sides(first), sides(last));
    };
    // The cuts that leave first, ..., last entries on the left.
    const auto look_at = [&](std::int64_t first, std::int64_t last, std::int64_t sum) {
      for (auto i = first; i <= last; ++i) {
        sum += amounts[slot[i - 1]];
        const double away = std::abs(away_of(sum, i)) + slack;
        if (away * away >= floor * sides(i)) [[unlikely]]
          offer_if_allowed(query, {sum, i}, out, floor);
      }
    };

    auto first = reach.first;
    std::int64_t sum = 0;
    for (std::int64_t i = 1; i < first; ++i) sum += amounts[slot[i - 1]];
    const auto n_steps = (reach.last - first + 1) / kStep;
    if (ranges.size() < static_cast<std::size_t>(n_steps)) ranges.resize(static_cast<std::size_t>(n_steps));
    auto* stretch = ranges.data();
    std::int64_t n_kept = 0;
    for (std::int64_t k = 0; k < n_steps; ++k, first += kStep) {
      const auto step = add_up(slot + (first - 1), *this, cuts_);
      const auto last = first + kStep - 1;
      if (const double most = at_most(step, first, last, sum); most >= floor) {
        stretch[n_kept++] = {most, sum, first};
        if constexpr (Criterion::kBoundIsWorth) {
          const Sums here{sum + step.sum, last};
          const double least = at_least(here);
          if (least > floor && out.every == nullptr && is_allowed(query, here)) floor = least;
        }
      }
      sum += step.sum;
    }
    for (std::int64_t k = 0; k < n_kept; ++k) {
      heed_interrupts_at(static_cast<std::size_t>(k));
      if (stretch[k].at_most >= floor)
        look_at(stretch[k].first, stretch[k].first + kStep - 1, stretch[k].sum_before);
    }
    look_at(first, reach.last, sum);
  }

  Criterion criterion_;
  RunOfCuts cuts_{};
  std::array<double, kFewRows + kAtOnce> expected_{}, inverse_{};  // by rows on the left; of short lists
  double best_possible_ = 0;
};

}  // namespace treewright
