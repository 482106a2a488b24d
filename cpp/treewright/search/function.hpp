// Score every cut of a column by a function of the caller's. Limits, missing values, monotone columns and
// ties are kept here; the function sees rows in order and the cuts that are allowed.
//
// What the function is given must not depend on the order of the table's rows, so rows that no cut parts
// (those of one value, one category, the missing ones) are put in order of target and weight.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "treewright/criteria/two_sums.hpp"  // for Sums
#include "treewright/recipe/candidate.hpp"   // for Candidate
#include "treewright/recipe/limits.hpp"      // for NodeStatistics, Limits
#include "treewright/recipe/missing.hpp"     // for Arrangements
#include "treewright/recipe/monotone.hpp"    // for Monotone, compare_means
#include "treewright/recipe/recipe.hpp"      // for ScoreCuts, CutsToScore
#include "treewright/search/categories.hpp"  // for Categories, Grouping, draw_sides
#include "treewright/search/list_view.hpp"   // for ListView, Reach
#include "treewright/search/target.hpp"      // for Target

namespace treewright {

// A row as the function sees it, and in whole numbers for the limits and for monotone columns: its weight,
// and what it adds to the sum of which the value of a side is a share.
template <class Given>
struct ScoredRow {
  Given target;
  double weight;
  Sums whole;

  bool operator<(const ScoredRow& other) const {
    return std::pair(target, weight) < std::pair(other.target, other.weight);
  }
};

// `Kind` tells purity and impurity of nodes and what leaves keep: of classes as with Gini, of numbers as with
// variance.
template <class Kind, class Given>
class FunctionScan {
 public:
  using Row = ScoredRow<Given>;
  static constexpr bool kIsNumbers = std::is_same_v<Given, double>;

  struct Scratch {
    std::vector<Row> rows;                            // of a list: known ones, then those without a value
    std::vector<Row> in_order;                        // the known ones with their categories in another order
    std::vector<std::int64_t> steps;                  // known rows on the left of each cut under question
    std::vector<double> missing_right, missing_left;  // score of each step; NaN: not allowed
    std::vector<Given> targets;  // what the function gets, with weights and cuts; it gives scores
    std::vector<double> weights, scores;
    std::vector<std::int64_t> cuts;
    Grouping grouping;
  };

  FunctionScan() = default;
  FunctionScan(Kind kind, const ScoreCuts& score) : kind_(std::move(kind)), score_(&score) {}

  void take(const Target& target) {
    kind_.take(target);
    const auto& weights = target.weights;
    const auto n = std::max(target.classes.size(), target.numbers.size());
    row_.resize(n);
    for (std::size_t slot = 0; slot < n; ++slot) {
      const std::int64_t whole = weights.all_equal() ? 1 : weights.of_slot[slot];
      row_[slot] = {target_of(target, slot),
                    weights.all_equal() ? weights.unit : weights.given[slot],
                    {target.n_classes > 0 && target.classes[slot] == 1 ? whole : 0, whole}};
    }
    n_classes_ = target.n_classes;
    total_ = static_cast<double>(weights.total) * weights.unit;
  }

  template <class Index>
  void take(const FunctionScan& from, std::span<const Index> slots) {
    kind_.take(from.kind_, slots);
    gather(row_, from.row_, slots);
    n_classes_ = from.n_classes_;
    total_ = from.total_;
    score_ = from.score_;
  }

  template <class Index>
  NodeStatistics facts(std::span<const Index> slots, bool with_impurity) const {
    return kind_.facts(slots, with_impurity);
  }
  bool settles_inner() const { return kind_.settles_inner(); }
  template <class Index>
  void settle(std::span<const Index> slots, const NodeStatistics& facts, LeafStore& leaves) {
    kind_.settle(slots, facts, leaves);
  }

  template <class Index>
  void enter(std::span<const Index> slots, const NodeStatistics& facts) {
    if constexpr (kIsNumbers) {
      kind_.enter(slots, facts);
      for (const auto slot : slots) row_[slot].whole.amount = kind_.amount[slot];
    }
  }

  // Mean, or share of class 1.
  template <class Index>
  double value_of(std::span<const Index> slots) const {
    return kind_.value_of(slots);
  }

  const std::int64_t* weights() const { return kind_.weights(); }

  // For the ledger: class weights, or sum and weight.
  using Tally = std::conditional_t<kIsNumbers, Sums, std::vector<std::int64_t>>;
  Tally no_tally() const {
    Tally none{};
    if constexpr (!kIsNumbers) none.resize(static_cast<std::size_t>(n_classes_));
    return none;
  }
  template <class List>
  Tally tally_of_node(const List& list) const {
    return tally_of(list.slot, list.n);
  }
  template <class Index>
  Tally tally_of(const Index* slots, std::uint32_t n) const {
    auto tally = no_tally();
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto& row = row_[slots[i]];
      if constexpr (kIsNumbers) {
        tally = tally + row.whole;
      } else {
        tally[static_cast<std::size_t>(row.target)] += row.whole.weight;
      }
    }
    return tally;
  }
  static void add(Tally& to, const Tally& more) {
    if constexpr (kIsNumbers) {
      to = to + more;
    } else {
      Kind::add(to, more);
    }
  }
  static void subtract(Tally& from, const Tally& less) {
    if constexpr (kIsNumbers) {
      from = from - less;
    } else {
      Kind::subtract(from, less);
    }
  }
  void tell_tally(const Tally& tally, std::vector<double>& outcome) const {
    if constexpr (kIsNumbers) {
      kind_.tell(tally, outcome);
    } else {
      kind_.tell_tally(tally, outcome);
    }
  }

  double best_possible() const { return std::numeric_limits<double>::infinity(); }
  double gain(double decrease) const { return decrease / total_; }

  template <class Index, class Parts>
  void scan(const ListView<Index>& list, const Parts& parts, const Arrangements& ways, const Limits& limits,
            const Monotone& monotone, Scratch& scratch, Candidate& out) const {
    read(list, parts, scratch);
    scratch.steps.clear();
    for (std::uint32_t i = 1; i <= list.n_known; ++i) {
      if (i == list.n_known || parts(i)) scratch.steps.push_back(i);
    }
    offer_steps(list, ways, limits, monotone, scratch, out);
  }

  template <class Index>
  void scan_at(const ListView<Index>& list, std::uint32_t n_left, const Arrangements& ways,
               const Limits& limits, const Monotone& monotone, Scratch& scratch, Candidate& out) const {
    read(list, [&](std::uint32_t i) { return i == n_left; }, scratch);
    scratch.steps = {n_left};
    offer_steps(list, ways, limits, monotone, scratch, out);
  }

  // Offer the best question about categories; `starts(i)`: entry i begins another category.
  template <class Index, class Starts, class Run>
  void scan_categories(const ListView<Index>& list, const Starts& starts, const Arrangements& ways,
                       const Limits& limits, Scratch& scratch, Candidate& out, const Run& run) const {
    read(list, starts, scratch);
    SetSearch search(*this, list.n_known, ways, limits, scratch, out);
    for (std::uint32_t begin = 0, end = 0; begin < list.n_known; begin = end) {
      for (end = begin + 1; end < list.n_known && !starts(end);) ++end;
      search.add(begin, end);
    }
    run(search);
    add_worth_of_missing(list.n_known, ways, scratch, out);
  }

 private:
  // Two sets of categories: the prefixes of some orders of them, each order scored by one call.
  class SetSearch {
   public:
    SetSearch(const FunctionScan& scan, std::uint32_t n_known, const Arrangements& ways, const Limits& limits,
              Scratch& scratch, Candidate& out)
        : scan_(scan), n_known_(n_known), ways_(ways), limits_(limits), scratch_(scratch), out_(out) {}

    // Rows begin .. end - 1 are of one category.
    void add(std::uint32_t begin, std::uint32_t end) { buckets_.push_back({begin, end}); }

    // `Categories::Multiway` is refused at the door.
    void run(Categories kind) {
      if (kind == Categories::OneVsRest) {
        one_against_rest();
      } else if (buckets_.size() > 1) {
        const auto search = buckets_.size() == 2 ? Search::Exact : Search::Heuristic;
        for (const auto& order : orders()) prefixes(order, 1, buckets_.size() - 1, search);
      }
      if (has_missing() && ways_.alone) known_against_missing();
    }

    void draw_sets(std::uint64_t key) {
      if (buckets_.size() > 1) {
        const auto is_left = draw_sides(key, buckets_.size());
        auto order = in_order_of_code();
        const auto right =
            std::stable_partition(order.begin(), order.end(), [&](std::uint32_t b) { return is_left[b]; });
        const auto n_left = static_cast<std::size_t>(right - order.begin());
        prefixes(order, n_left, n_left, Search::Exact);
      } else if (has_missing() && ways_.alone) {
        known_against_missing();
      }
    }

   private:
    struct Bucket {
      std::uint32_t begin, end;
    };

    bool has_missing() const { return scratch_.rows.size() > n_known_; }

    std::vector<std::uint32_t> in_order_of_code() const {
      std::vector<std::uint32_t> order(buckets_.size());
      std::iota(order.begin(), order.end(), 0);
      return order;
    }

    // Score the prefixes of first .. last categories of an order.
    void prefixes(const std::vector<std::uint32_t>& order, std::size_t first, std::size_t last,
                  Search search) {
      auto& in_order = scratch_.in_order;
      in_order.clear();
      scratch_.steps.clear();
      for (std::size_t i = 0; i < order.size(); ++i) {
        const auto [begin, end] = buckets_[order[i]];
        in_order.insert(in_order.end(), scratch_.rows.begin() + begin, scratch_.rows.begin() + end);
        if (first <= i + 1 && i + 1 <= last)
          scratch_.steps.push_back(static_cast<std::int64_t>(in_order.size()));
      }
      scan_.score_steps(in_order, missing(), ways_, limits_, {}, scratch_);
      bool first_is_left = std::find(order.begin(), order.begin() + first, 0u) != order.begin() + first;
      std::size_t best_length = 0;
      for (std::size_t step = 0; step < scratch_.steps.size(); ++step) {
        const auto length = first + step;
        first_is_left |= order[length - 1] == 0;
        // The branch of the first category is branch 0; missing rows try branch 1 first, as ties go there.
        const double with_right = scratch_.missing_right[step], with_left = scratch_.missing_left[step];
        bool better = out_.offer(first_is_left ? with_right : with_left, 0, false);
        better |= out_.offer(first_is_left ? with_left : with_right, 0, has_missing());
        if (better) best_length = length;
      }
      if (best_length > 0) record(order, best_length, search);
    }

    void record(const std::vector<std::uint32_t>& order, std::size_t n_left, Search search) {
      std::vector<bool> is_left(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) is_left[order[i]] = i < n_left;
      auto& grouping = scratch_.grouping;
      grouping = {.search = search};
      for (std::size_t b = 0; b < is_left.size(); ++b)
        grouping.branch_of_bucket.push_back(is_left[b] == is_left[0] ? 0 : 1);
    }

    void one_against_rest() {
      if (buckets_.size() < 2) return;
      for (std::uint32_t b = 0; b < buckets_.size(); ++b) {
        auto order = in_order_of_code();
        std::rotate(order.begin(), order.begin() + b, order.begin() + b + 1);
        prefixes(order, 1, 1, Search::Exact);
        if (buckets_.size() == 2) break;  // the other one says the same
      }
    }

    // All known values to branch 0.
    void known_against_missing() {
      scratch_.steps = {n_known_};
      scan_.score_steps(known(), missing(), ways_, limits_, {}, scratch_);
      if (out_.offer(scratch_.missing_right[0], 0, false))
        record(in_order_of_code(), buckets_.size(), Search::Exact);
    }

    // By mean, or by share of each class in turn; of two classes one says all.
    std::vector<std::vector<std::uint32_t>> orders() const {
      std::vector<std::vector<std::uint32_t>> orders;
      const auto by = [&](const auto& amount) {
        std::vector<double> mean;
        for (const auto& [begin, end] : buckets_) {
          double sum = 0, weight = 0;
          for (auto i = begin; i < end; ++i) {
            sum += scratch_.rows[i].weight * amount(scratch_.rows[i].target);
            weight += scratch_.rows[i].weight;
          }
          mean.push_back(sum / weight);
        }
        orders.push_back(in_order_of_code());
        // With two classes, of equals the last, as the criteria of the core have it.
        if (scan_.n_classes_ == 2) std::reverse(orders.back().begin(), orders.back().end());
        std::stable_sort(orders.back().begin(), orders.back().end(),
                         [&](std::uint32_t a, std::uint32_t b) { return mean[a] < mean[b]; });
      };
      if (scan_.n_classes_ == 0) by([](Given target) { return static_cast<double>(target); });
      for (int k = scan_.n_classes_ == 2 ? 1 : 0; k < scan_.n_classes_; ++k) {
        by([k](Given target) { return target == static_cast<Given>(k) ? 1.0 : 0.0; });
      }
      return orders;
    }

    std::span<const Row> known() const { return std::span(scratch_.rows).first(n_known_); }
    std::span<const Row> missing() const { return std::span(scratch_.rows).subspan(n_known_); }

    const FunctionScan& scan_;
    std::uint32_t n_known_;
    const Arrangements& ways_;
    const Limits& limits_;
    Scratch& scratch_;
    Candidate& out_;
    std::vector<Bucket> buckets_;  // in order of code
  };

  static Given target_of(const Target& target, std::size_t slot) {
    // 0 for -0 and 0, which are equal: their order must not show.
    if constexpr (kIsNumbers) return target.numbers[slot] + 0.0;
    return static_cast<Given>(target.classes[slot]);
  }

  // Put the rows of a list in the order in which the function sees them.
  template <class Index, class Starts>
  void read(const ListView<Index>& list, const Starts& starts, Scratch& scratch) const {
    gather(scratch.rows, row_, std::span(list.slot, list.n));
    const auto rows = scratch.rows.begin();
    for (std::uint32_t begin = 0, end = 0; begin < list.n_known; begin = end) {
      for (end = begin + 1; end < list.n_known && !starts(end);) ++end;
      std::sort(rows + begin, rows + end);
    }
    std::sort(rows + list.n_known, rows + list.n);
  }

  // Offer the cuts of a numeric column: lowest first, missing values to the right first.
  template <class Index>
  void offer_steps(const ListView<Index>& list, const Arrangements& ways, const Limits& limits,
                   const Monotone& monotone, Scratch& scratch, Candidate& out) const {
    const std::span<const Row> rows(scratch.rows);
    score_steps(rows.first(list.n_known), rows.subspan(list.n_known), ways, limits, monotone, scratch);
    for (std::size_t step = 0; step < scratch.steps.size(); ++step) {
      const auto n_left = static_cast<std::uint32_t>(scratch.steps[step]);
      out.offer(scratch.missing_right[step], n_left, false);
      out.offer(scratch.missing_left[step], n_left, true);
    }
    add_worth_of_missing(list.n_known, ways, scratch, out);
  }

  // Score every step for which `limits` and `monotone` leave room, with the missing rows on either side.
  void score_steps(std::span<const Row> known, std::span<const Row> missing, const Arrangements& ways,
                   const Limits& limits, const Monotone& monotone, Scratch& scratch) const {
    const auto n_known = static_cast<std::int64_t>(known.size());
    const auto n = n_known + (ways.known_only ? 0 : static_cast<std::int64_t>(missing.size()));
    const auto behind = ways.known_only ? std::span<const Row>{} : missing;
    const Sums all = sums_of(known) + sums_of(behind);
    const auto right = reach_missing_right(n, n_known, limits.min_rows_leaf, ways.alone);
    const auto left =
        ways.left && n > n_known ? reach_missing_left(n, n_known, limits.min_rows_leaf) : Reach{1, 0};
    const auto score = [&](const Reach& reach, std::span<const Row> first, std::span<const Row> second,
                           std::span<const Row> third, std::vector<double>& scores) {
      scores.assign(scratch.steps.size(), std::numeric_limits<double>::quiet_NaN());
      scratch.cuts.clear();
      std::vector<std::size_t> allowed;
      Sums sums = sums_of(first);
      std::int64_t at = 0;
      for (std::size_t step = 0; step < scratch.steps.size(); ++step) {
        for (; at < scratch.steps[step]; ++at) sums = sums + known[static_cast<std::size_t>(at)].whole;
        const auto cut = at + static_cast<std::int64_t>(first.size());
        if (!reach.holds(at) || !limits.allows_weights(sums.weight, all.weight - sums.weight)) continue;
        if (monotone.is_asked() && at < n_known && !is_in_order(monotone, sums, all - sums, cut, n - cut))
          continue;
        scratch.cuts.push_back(cut);
        allowed.push_back(step);
      }
      if (allowed.empty()) return;
      call(scratch, {first, second, third});
      for (std::size_t i = 0; i < allowed.size(); ++i) scores[allowed[i]] = scratch.scores[i];
    };
    score(right, {}, known, behind, scratch.missing_right);
    score(left, missing, known, {}, scratch.missing_left);
  }

  // A branch of their own for the rows without a value: its gain comes on top. A column whose best score is
  // not above nothing asks no question.
  void add_worth_of_missing(std::uint32_t n_known, const Arrangements& ways, Scratch& scratch,
                            Candidate& out) const {
    if (ways.own_branch && scratch.rows.size() > n_known && out.has_question()) {
      scratch.cuts = {n_known};
      call(scratch, {std::span<const Row>(scratch.rows)});
      out.add_worth(scratch.scores[0]);
    }
    if (out.has_question() && !(out.score.worth > 0)) out.verdict = Verdict::NoGain;
  }

  void call(Scratch& scratch, std::initializer_list<std::span<const Row>> parts) const {
    scratch.targets.clear();
    scratch.weights.clear();
    for (const auto& rows : parts) {
      for (const auto& row : rows) {
        scratch.targets.push_back(row.target);
        scratch.weights.push_back(row.weight);
      }
    }
    scratch.scores.assign(scratch.cuts.size(), 0);
    CutsToScore given{.weights = scratch.weights, .cuts = scratch.cuts};
    if constexpr (kIsNumbers) {
      given.numbers = scratch.targets;
    } else {
      given.classes = scratch.targets;
    }
    (*score_)(given, scratch.scores);
  }

  bool is_in_order(const Monotone& monotone, const Sums& left, const Sums& right, std::int64_t left_rows,
                   std::int64_t right_rows) const {
    return monotone.allows(compare_means(left.amount, left.weight, right.amount, right.weight),
                           kind_.value(left, left_rows), kind_.value(right, right_rows));
  }

  static Sums sums_of(std::span<const Row> rows) {
    return std::accumulate(rows.begin(), rows.end(), Sums{},
                           [](const Sums& sums, const Row& row) { return sums + row.whole; });
  }

  Kind kind_;
  const ScoreCuts* score_ = nullptr;
  std::vector<Row> row_;  // by slot
  int n_classes_ = 0;     // 0: numbers
  double total_ = 1;      // weight of the whole table, as given
};

}  // namespace treewright
