// Score every cut of a column by a criterion of two running sums: Gini of two classes, variance, Poisson.
#pragma once

#include "treewright/kernels/kernels.hpp"  // for kMostBytes
#include "treewright/search/target.hpp"    // for TwoClasses, Numbers, Sums, Tally

namespace treewright {

struct SumBucket {
  Sums sums;
  std::int64_t rows;
};

// The categories present in a node, as the buckets of CategorySearch.
template <class Criterion, bool kIsClasses>
class TwoSumBuckets {
 public:
  // One bucket per category present, then one of the rows without a value; the criterion of the scored rows.
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

  // By mean the best set is a prefix (Fisher 1958; Breiman et al. 1984, 4.2.2). But if a side may not sum to
  // zero, the best set may be forbidden, and the best of the others need not be a prefix.
  bool order_is_enough() const {
    if constexpr (!Criterion::kNeedsAmount) return true;
    return std::none_of(buckets_.begin(), buckets_.end(),
                        [](const SumBucket& bucket) { return bucket.rows > 0 && bucket.sums.amount == 0; });
  }
  std::vector<std::vector<std::uint32_t>> orders() const {
    // With two classes, the last of equal buckets comes first (as in rpart): limits may allow only one order.
    return {order_of_buckets(size(), kIsClasses, [&](std::uint32_t a, std::uint32_t b) {
      const auto &x = buckets_[a].sums, &y = buckets_[b].sums;
      return compare_means(x.amount, x.weight, y.amount, y.weight) < 0;
    })};
  }

  // As `exact_score`, for one branch per bucket, of which there are more than two.
  double exact_score_of_each(std::int32_t join) {
    const auto part = [&](std::size_t b, bool joined) {
      return criterion_.part(joined ? buckets_[b].sums + buckets_.back().sums : buckets_[b].sums);
    };
    if (!parts_) parts_.emplace(size(), join >= 0, part);
    return parts_->value(join);
  }

 private:
  const std::vector<SumBucket>& buckets_;
  Criterion criterion_;
  Sums left_;
  std::optional<BranchSum> parts_;  // of the worth of one branch per bucket
};

inline constexpr std::int64_t kStep = 16;  // entries that are summed at once

// Entries among which the best cut may be.
struct CutRange {
  double at_most;      // upper bound for the cuts among them
  std::int64_t first;  // entries on the left of the first cut
  Sums before;         // of the entries in front of them
};

// The sums of a few entries, and how far the amount may rise above and fall below what the mean would give on
// the way: if all entries above the mean come first, or all below it.
struct Step {
  Sums sum;
  double rise, fall;
};

// Cuts that are bounded at once.
inline constexpr std::size_t kAtOnce = 4;
template <class Value>
using AtOnce TREEWRIGHT_VECTOR(kAtOnce * sizeof(Value)) = Value;
using CutsAtOnce = AtOnce<double>;

// Few CPUs convert vectors of 64 bits: both halves become doubles of a known exponent, which is subtracted.
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

// Sums and bounds, in units of the floor, of the first `n` cuts of a short list and of a few more; returns
// the highest bound. The sums just computed stay in registers.
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
  using TargetKind::amount, TargetKind::sums_of, TargetKind::weight_of, TargetKind::all_,
      TargetKind::kWeighted;
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
    if constexpr (kIsShort) amount.resize(kMostBytes);  // entries behind a list are read, too
  }

  void enter(Slots slots, const NodeStatistics& facts) override {
    TargetKind::enter(slots, facts);
    whole_ = Whole(all_);
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
    if constexpr (kIsShort && !kWeighted) {
      if (list.n_known == list.n) return scan_few(query, reach, out);
    }
    const Sums missing = sums_of(list.missing());
    const auto whole = query.leaves_rows_out() ? Whole(all_ - missing) : whole_;
    query.n_missing() > 0 ? scan_long<2>(query, whole, missing, scratch.ranges, out)
                          : scan_long<1>(query, whole, missing, scratch.ranges, out);
  }

  void enter_counts(std::span<const std::int32_t> totals) override {
    all_ = {totals[1], std::int64_t{totals[0]} + totals[1]};
    whole_ = Whole(all_);
    best_possible_ = this->best_worth({});
  }
  void best_counted_cut(const ColumnCounts& counts, const Reach& allowed, Candidate& out) override {
    const auto whole = whole_;
    double floor = score_floor_over(whole.criterion, out);
    Sums left;
    for (const auto code : counts.codes) {
      const auto* here = counts.cells + 2 * std::size_t{code};
      left = left + Sums{here[1], std::int64_t{here[0]} + here[1]};
      const double away = std::abs(whole.away(left)) + whole.slack;
      if (!(away * away >= floor * whole.sides(left.weight))) continue;
      if ((here[0] | here[1]) == 0 || !allowed.holds(left.weight)) continue;
      if (out.offer(whole.criterion.exact_score(left), static_cast<std::uint32_t>(left.weight), false))
        floor = whole.criterion.score_floor(out.score.worth);
    }
  }

  void enter_tally(std::span<const std::int64_t> all, const NumberGrid& grid) override {
    all_ = sums_in(all);
    whole_ = Whole(all_);
    if constexpr (!TargetKind::kIsClasses) this->measure_in(grid);
  }
  void offer_tally(std::span<const std::int64_t> left, std::uint32_t n_left, bool missing_left,
                   Candidate& out) override {
    out.offer(whole_.criterion.exact_score(sums_in(left)), n_left, missing_left);
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
    return whole_.criterion.exact_score(sums_of(query.list.missing()));
  }

 private:
  static constexpr std::uint32_t kFewRows = 255;

  static Sums sums_in(std::span<const std::int64_t> tally) {
    if constexpr (TargetKind::kIsClasses) return {tally[1], tally[0] + tally[1]};
    return {tally[0], tally[1]};
  }

  // The rows that are scored, and what the bounds of their cuts depend on.
  struct Whole {
    Whole() = default;
    explicit Whole(const Sums& sums)
        : all(sums),
          criterion(sums),
          weight(static_cast<double>(sums.weight)),
          mean(static_cast<double>(sums.amount) / weight),
          slack(static_cast<double>(sums.amount) * 0x1p-50) {}

    // How far the amount on the left is from what the mean would give; `slack` covers the rounding.
    double away(const Sums& left) const {
      return static_cast<double>(left.amount) - static_cast<double>(left.weight) * mean;
    }
    double sides(std::int64_t left_weight) const {
      return static_cast<double>(left_weight) * (weight - static_cast<double>(left_weight));
    }

    Sums all;
    Criterion criterion;
    double weight = 1, mean = 0, slack = 0;
  };

  // For few rows that all have a value and weigh the same, as in most lists: all cuts are bounded, and most
  // lists are done after one look at the highest bound.
  void scan_few(const SplitQuery<Index>& query, const Reach& reach, Candidate& out) const {
    using Sum = std::conditional_t<TargetKind::kIsClasses, std::int32_t, std::int64_t>;
    std::array<Sum, kFewRows + kAtOnce> sums;  // of the cut with one entry on the left, then two, and so on
    std::array<double, kFewRows + kAtOnce> bounds;
    const auto last = static_cast<std::size_t>(reach.last);
    double floor = score_floor_over(whole_.criterion, out);  // cuts below it cannot win
    const double top = Twins<bound_few<Sum, typename decltype(amount)::value_type>>::call(
        query.list.slot, amount.data(), expected_.data() + 1, inverse_.data() + 1, whole_.slack, last,
        sums.data(), bounds.data());
    if (top < floor) return;
    const auto look_at = [&](double least) {
      for (auto i = static_cast<std::size_t>(reach.first); i <= last; ++i) {
        const auto left = static_cast<std::int64_t>(i);
        if (bounds[i - 1] >= std::max(floor, least)) [[unlikely]]
          offer_if_allowed(query, whole_, {sums[i - 1], left}, left, false, out, floor);
      }
    };
    if constexpr (Criterion::kBoundIsWorth) {
      // One of the cuts whose bounds are close to the highest is nearly always the best.
      if (const double near = top * (1 - 0x1p-30); near > floor && out.every == nullptr) {
        const auto before = out;
        look_at(near);
        if (floor >= near) return;
        out = before;
        floor = score_floor_over(whole_.criterion, out);
      }
    }
    look_at(floor);
  }

  // By rows on the left: what they would sum to if all rows were equal, and 1 / (rows left * rows right).
  void tabulate(std::size_t n) {
    static constexpr auto kShares = [] {
      std::array<double, kFewRows + 1> shares{};
      for (std::size_t i = 1; i <= kFewRows; ++i) shares[i] = 1 / static_cast<double>(i);
      return shares;
    }();
    // Two sums are faster than a quotient: 1 / i + 1 / (n - i) is n times that.
    for (std::size_t i = 1; i < n; ++i) inverse_[i] = (kShares[i] + kShares[n - i]) * kShares[n];
    std::fill_n(inverse_.begin() + static_cast<std::ptrdiff_t>(n), kAtOnce, 0);
    for (std::size_t i = 0; i < n; ++i) expected_[i] = static_cast<double>(i) * whole_.mean;
  }

  // Offer the cut with `left` on the left: i known values, and perhaps the missing rows.
  void offer_if_allowed(const SplitQuery<Index>& query, const Whole& whole, const Sums& left, std::int64_t i,
                        bool missing_left, Candidate& out, double& floor) const {
    const auto& criterion = whole.criterion;
    if (!criterion.may_reach(left, out.score.worth) || !is_allowed(query, whole, left, i, missing_left))
      return;
    if (!out.offer(criterion.exact_score(left), static_cast<std::uint32_t>(i), missing_left)) return;
    out.left_amount = left.amount;
    out.left_weight = left.weight;
    floor = std::max(floor, criterion.score_floor(out.score.worth));
  }

  bool is_allowed(const SplitQuery<Index>& query, const Whole& whole, const Sums& left, std::int64_t i,
                  bool missing_left) const {
    const Sums right = whole.all - left;
    return query.allows(i, left.weight, right.weight, [&] {
      const auto rows = missing_left ? i + query.n_missing() : i;
      return is_in_order(*this, query.monotone, left, right, rows, query.n_scored() - rows);
    });
  }

  Step add_up(const Index* slot, const Whole& whole) const {
    Sums sum{0, kStep};
    if constexpr (kWeighted) sum.weight = weight_of(Slots(slot, kStep));
    for (std::int64_t j = 0; j < kStep; ++j) sum.amount += amount[slot[j]];
    if constexpr (TargetKind::kIsClasses) {
      const auto ones = static_cast<double>(sum.amount), others = static_cast<double>(sum.weight) - ones;
      return {sum, ones * (1 - whole.mean) + whole.slack, others * whole.mean + whole.slack};
    } else {
      const auto middle = std::llrint(whole.mean);
      std::conditional_t<kWeighted, double, std::int64_t> apart = 0;
      for (std::int64_t j = 0; j < kStep; ++j) {
        const Sums entry{amount[slot[j]], weight_of(slot[j])};
        if constexpr (kWeighted) {
          apart += std::abs(whole.away(entry));
        } else {
          apart += std::abs(entry.amount - middle);
        }
      }
      // The rounding errors of some forty operations stay below this, and so does the rounding of the mean.
      const double spread = static_cast<double>(apart) + 8 * whole.slack + kStep, drift = whole.away(sum);
      return {sum, (spread + drift) / 2, (spread - drift) / 2};
    }
  }

  // For any rows. The sum of a few entries and their distances from the mean bound the scores of the cuts
  // among them. First every allowed cut between two such groups raises the floor; then only groups whose
  // bound reaches the floor are searched. `kWays`: 2 if missing rows are tried right, then left.
  template <std::size_t kWays>
  void scan_long(const SplitQuery<Index>& query, const Whole& whole, const Sums& missing,
                 std::vector<CutRange>& ranges, Candidate& out) const {
    const auto* slot = query.list.slot;
    double floor = score_floor_over(whole.criterion, out);  // of bounds: cuts below it cannot win
    const auto left_of = [&](const Sums& known, std::size_t way) {
      return way == 0 ? known : known + missing;
    };
    const auto may_leave = [&](std::int64_t i, std::size_t way) {
      return kWays == 1 || query.reach(way == 1).holds(i);
    };
    // Worth of a cut in units of the floor, rounded down.
    const auto at_least = [&](const Sums& left) {
      const double away = std::max(0.0, std::abs(whole.away(left)) - whole.slack);
      return away * away / whole.sides(left.weight) * (1 - 0x1p-40);
    };
    // An upper bound for the cuts among a few entries, with `before` on the left of these.
    const auto at_most = [&](const Step& step, const Sums& before) {
      const double away = whole.away(before);
      const double most = std::max(std::abs(away + step.rise), std::abs(away - step.fall)) * (1 + 0x1p-40);
      const double sides =
          std::min(whole.sides(before.weight + 1), whole.sides(before.weight + step.sum.weight));
      return most * most / std::max(sides, 1.0);
    };
    // Look at the cuts with first, ..., last entries on the left.
    const auto look_at = [&](std::int64_t first, std::int64_t last, Sums known) {
      for (auto i = first; i <= last; ++i) {
        const auto at = slot[i - 1];
        known = known + Sums{amount[at], weight_of(at)};
        for (std::size_t way = 0; way < kWays; ++way) {
          const Sums left = left_of(known, way);
          const double away = std::abs(whole.away(left)) + whole.slack;
          if (away * away >= floor * whole.sides(left.weight) && may_leave(i, way)) [[unlikely]]
            offer_if_allowed(query, whole, left, i, way == 1, out, floor);
        }
      }
    };

    const auto reach = query.widest_reach();
    auto first = reach.first;
    Sums before = sums_of(query.list.known().first(static_cast<std::size_t>(first - 1)));
    const auto n_steps = (reach.last - first + 1) / kStep;
    if (ranges.size() < static_cast<std::size_t>(n_steps)) ranges.resize(static_cast<std::size_t>(n_steps));
    auto* range = ranges.data();
    std::int64_t n_kept = 0;
    for (std::int64_t k = 0; k < n_steps; ++k, first += kStep) {
      const auto step = add_up(slot + (first - 1), whole);
      const Sums here = before + step.sum;
      double most = at_most(step, before);
      if constexpr (kWays == 2) most = std::max(most, at_most(step, left_of(before, 1)));
      if (most >= floor) {
        range[n_kept++] = {most, first, before};
        for (std::size_t way = 0; way < kWays && Criterion::kBoundIsWorth && out.every == nullptr; ++way) {
          const Sums left = left_of(here, way);
          const auto last = first + kStep - 1;
          const double least = at_least(left);
          if (least > floor && may_leave(last, way) && is_allowed(query, whole, left, last, way == 1))
            floor = least;
        }
      }
      before = here;
    }
    for (std::int64_t k = 0; k < n_kept; ++k) {
      heed_interrupts_at(static_cast<std::size_t>(k));
      if (range[k].at_most >= floor) look_at(range[k].first, range[k].first + kStep - 1, range[k].before);
    }
    look_at(first, reach.last, before);
  }

  Whole whole_;
  std::array<double, kFewRows + kAtOnce> expected_{}, inverse_{};  // by rows on the left; for short lists
  double best_possible_ = 0;
};

}  // namespace treewright
