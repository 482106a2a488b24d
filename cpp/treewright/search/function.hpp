// Score every cut of a column by a function that the caller gives. Limits, missing values, monotone columns
// and ties are handled here; the function gets rows in order, and the allowed cuts.
//
// What the function gets must not depend on the order of the table's rows, so rows that no cut separates (of
// one value, of one category, without a value) are sorted by target and weight.
#pragma once

#include <initializer_list>

#include "treewright/search/target.hpp"  // for Target, is_in_order

namespace treewright {

// `Kind` provides what nodes and leaves store: for classes as with Gini, for numbers as with variance.
template <class Index, class KindOfAnyWidth>
class FunctionScan : public OfWidth<KindOfAnyWidth, Index> {
  using Kind = OfWidth<KindOfAnyWidth, Index>;
  static constexpr bool kIsNumbers = !Kind::kIsClasses;
  using Given = std::conditional_t<kIsNumbers, double, std::int64_t>;

  // A row as the function sees it, and as integers for the limits and for monotone columns: its weight, and
  // what it adds to the sum that the value of a side is computed from.
  struct Row {
    Given target;
    double weight;
    Sums whole;
    bool operator<(const Row& other) const {
      return std::pair(target, weight) < std::pair(other.target, other.weight);
    }
  };
  using Rows = std::span<const Row>;
  using Order = std::vector<std::uint32_t>;  // of categories, the first ones on the left

 public:
  struct Scratch {};
  static constexpr bool kNeedsGain = true;

  FunctionScan() = default;
  template <class... OfKind>
  explicit FunctionScan(const ScoreCuts& score, const OfKind&... given) : Kind(given...), score_(&score) {}

  template <class Wide>
  void gather_from(const FunctionScan<Wide, KindOfAnyWidth>& from, std::span<const Wide> slots) {
    Kind::gather_from(from, slots);
    score_ = from.score_;
  }

  double best_possible() const override { return kInfinity; }
  double gain(double decrease) const override {
    return decrease / (static_cast<double>(this->total_) * this->unit_);
  }

  // Offer the cuts of a numeric column: lowest first, missing values to the right first.
  void scan(const SplitQuery<Index>& query, Scratch&, Candidate& out) const {
    const auto rows = read(query);
    std::vector<std::int64_t> steps;
    query.for_each_value([&](std::uint32_t, std::uint32_t end) { steps.push_back(end); });
    const auto scores =
        score_steps(query, std::span(rows).first(query.list.n_known), missing(query, rows), steps);
    for (std::size_t step = 0; step < steps.size(); ++step) {
      for (const bool left : {false, true})
        out.offer(scores[left][step], static_cast<std::uint32_t>(steps[step]), left);
    }
  }

  // Offer sets of categories: all prefixes of an order in one call of the function, or the sets asked for. As
  // in CategorySearch the first category has branch 0, and missing rows are tried in branch 1 first.
  void find_sets(const SplitQuery<Index>& query, const SetChoice& choice, Grouping& best,
                 Candidate& out) const {
    const auto rows = read(query);
    std::vector<Rows> buckets;  // by category, in order of code
    query.for_each_value(
        [&](auto begin, auto end) { buckets.push_back(Rows(rows).subspan(begin, end - begin)); });
    auto any_order = query;
    any_order.boundaries = {};  // a cut may lie between any two categories, in any order
    any_order.monotone = {};
    const bool has_missing = query.n_missing() > 0;
    // Score the prefixes of first, ..., last categories of an order.
    const auto try_prefixes = [&](const Order& order, std::size_t first, std::size_t last, Search search) {
      std::vector<Row> known;
      std::vector<std::int64_t> steps;
      for (const auto b : order) {
        known.insert(known.end(), buckets[b].begin(), buckets[b].end());
        steps.push_back(std::ssize(known));
      }
      const auto asked = std::span(steps).subspan(first - 1, last - first + 1);
      const auto scores = score_steps(any_order, known, missing(query, rows), asked);
      std::vector<bool> is_left(order.size());
      for (std::size_t n = 1; n <= last; ++n) {
        is_left[order[n - 1]] = true;
        for (const bool missing_left : {!is_left[0], static_cast<bool>(is_left[0])}) {
          const bool with_first = has_missing && missing_left == is_left[0];
          if (n < first || !out.offer(scores[missing_left][n - first], 0, with_first)) continue;
          best = {.search = search};
          for (const bool left : is_left) best.branch_of_bucket.push_back(left != is_left[0]);
        }
      }
    };
    const auto n = buckets.size();
    const auto try_set = [&](const std::vector<bool>& is_left) {
      const auto left_first = [&](auto a, auto b) { return is_left[a] && !is_left[b]; };
      const auto n_left = static_cast<std::size_t>(std::ranges::count(is_left, true));
      try_prefixes(order_of_buckets(n, false, left_first), n_left, n_left, Search::Exact);
    };
    if (choice.drawn_by && n > 1) return try_set(draw_sides(*choice.drawn_by, n));
    if (n > 1 && choice.categories == Categories::OneVsRest) {
      for (std::size_t b = 0; b < (n == 2 ? 1 : n); ++b) {  // with two, the other one makes the same split
        std::vector<bool> is_left(n);
        is_left[b] = true;
        try_set(is_left);
      }
    } else if (n > 1) {
      for (const auto& order : orders(buckets))
        try_prefixes(order, 1, n - 1, n == 2 ? Search::Exact : Search::Heuristic);
    }
    if (has_missing) try_set(std::vector<bool>(n, true));  // known against missing values
  }

  double worth_apart(const SplitQuery<Index>& query, Scratch&) const {
    return call({read(query)}, {query.list.n_known})[0];
  }

  // By step: with missing rows on the right, and on the left; NaN: not allowed.
  using Scores = std::array<std::vector<double>, 2>;

  // By mean, or by the share of each class in turn; with two classes one is enough.
  std::vector<Order> orders(std::span<const Rows> buckets) const {
    std::vector<Order> orders;
    std::size_t n_classes = 1;  // for numbers, one order by mean
    if constexpr (!kIsNumbers) n_classes = this->n_classes_;
    for (std::size_t k = n_classes == 2 ? 1 : 0; k < n_classes; ++k) {
      std::vector<double> mean;
      for (const auto& bucket : buckets) {
        double sum = 0, weight = 0;
        for (const auto& row : bucket) {
          const auto part = kIsNumbers ? row.target : static_cast<Given>(row.target == static_cast<Given>(k));
          sum += row.weight * static_cast<double>(part);
          weight += row.weight;
        }
        mean.push_back(sum / weight);
      }
      // With two classes the last of equal buckets comes first, as with the core's own criteria.
      orders.push_back(
          order_of_buckets(mean.size(), n_classes == 2, [&](auto a, auto b) { return mean[a] < mean[b]; }));
    }
    return orders;
  }

  Row row_of(Index slot) const {
    const auto weight = this->weight_of(slot);
    if constexpr (kIsNumbers) {
      // -0 becomes 0: they are equal, and their order must not show.
      return {this->number_[slot] + 0.0, this->given(slot), {this->amount[slot], weight}};
    } else {
      const auto k = this->classes_[slot];
      return {k, this->given(slot), {k == 1 ? weight : 0, weight}};
    }
  }

  // The rows of a list in the order in which the function sees them.
  std::vector<Row> read(const SplitQuery<Index>& query) const {
    const auto& list = query.list;
    std::vector<Row> rows;
    for (const auto slot : std::span(list.slot, list.n)) rows.push_back(row_of(slot));
    const auto sort = [&](auto begin, auto end) { std::sort(rows.begin() + begin, rows.begin() + end); };
    query.for_each_value(sort);
    sort(list.n_known, list.n);
    return rows;
  }

  // Those of them without a value, if these are scored.
  static Rows missing(const SplitQuery<Index>& query, Rows rows) {
    return rows.subspan(query.list.n_known, static_cast<std::size_t>(query.n_missing()));
  }

  // Score every allowed step; a step is a number of known rows on the left.
  Scores score_steps(const SplitQuery<Index>& query, Rows known, Rows missing,
                     std::span<const std::int64_t> steps) const {
    const Sums all = sums_of(known) + sums_of(missing);
    Scores scores;
    for (const bool left : {false, true}) {
      scores[left].assign(steps.size(), std::numeric_limits<double>::quiet_NaN());
      if (left && query.n_missing() == 0) break;
      const auto first = left ? missing : Rows{}, last = left ? Rows{} : missing;
      std::vector<std::int64_t> cuts;
      std::vector<double*> scored;
      Sums sums = sums_of(first);
      std::int64_t at = 0;
      for (std::size_t step = 0; step < steps.size(); ++step) {
        for (; at < steps[step]; ++at) sums = sums + known[static_cast<std::size_t>(at)].whole;
        const auto cut = at + static_cast<std::int64_t>(first.size());
        const auto in_order = [&] {
          return is_in_order(*this, query.monotone, sums, all - sums, cut, query.n_scored() - cut);
        };
        if (!query.reach(left).holds(at) ||
            !query.allows(at, sums.weight, all.weight - sums.weight, in_order))
          continue;
        cuts.push_back(cut);
        scored.push_back(&scores[left][step]);
      }
      if (cuts.empty()) continue;
      const auto found = call({first, known, last}, cuts);
      for (std::size_t i = 0; i < cuts.size(); ++i) *scored[i] = found[i];
    }
    return scores;
  }

  std::vector<double> call(std::initializer_list<Rows> parts, const std::vector<std::int64_t>& cuts) const {
    std::vector<Given> targets;
    std::vector<double> weights, scores(cuts.size());
    for (const auto& rows : parts) {
      for (const auto& row : rows) {
        targets.push_back(row.target);
        weights.push_back(row.weight);
      }
    }
    CutsToScore given{.weights = weights, .cuts = cuts};
    if constexpr (kIsNumbers) {
      given.numbers = targets;
    } else {
      given.classes = targets;
    }
    (*score_)(given, scores);
    return scores;
  }

  static Sums sums_of(Rows rows) {
    return std::accumulate(rows.begin(), rows.end(), Sums{},
                           [](const Sums& sums, const Row& row) { return sums + row.whole; });
  }

  const ScoreCuts* score_ = nullptr;
};

}  // namespace treewright
