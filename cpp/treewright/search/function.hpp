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

#include "treewright/criteria/two_sums.hpp"   // for Sums
#include "treewright/recipe/candidate.hpp"    // for Candidate
#include "treewright/recipe/limits.hpp"       // for NodeStatistics, Limits, Monotone
#include "treewright/recipe/recipe.hpp"       // for ScoreCuts, CutsToScore
#include "treewright/search/categories.hpp"   // for SetChoice, Grouping, draw_sides, order_of_buckets
#include "treewright/search/split_query.hpp"  // for SplitQuery, Reach
#include "treewright/search/target.hpp"       // for Target, is_in_order

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
class FunctionScan : public Kind {
 public:
  using Row = ScoredRow<Given>;
  static constexpr bool kIsNumbers = std::is_same_v<Given, double>;

  struct Scratch {
    std::vector<Row> rows;                            // of a list: known ones, then those without a value
    std::vector<Row> in_order;                        // the known ones with their categories in another order
    std::vector<std::int64_t> steps;                  // known rows on the left of each cut under question
    std::vector<double> missing_right, missing_left;  // score of each step; NaN: not allowed
    // What the function gets and gives.
    std::vector<Given> targets;
    std::vector<double> weights, scores;
    std::vector<std::int64_t> cuts;
    Grouping grouping;
  };

  FunctionScan() = default;
  FunctionScan(Kind kind, const ScoreCuts& score) : Kind(std::move(kind)), score_(&score) {}

  void take(const Target& target) {
    Kind::take(target);
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
    given_total_ = static_cast<double>(weights.total) * weights.unit;
  }

  template <class Index>
  void take(const FunctionScan& from, std::span<const Index> slots) {
    Kind::take(from, slots);
    gather(row_, from.row_, slots);
    n_classes_ = from.n_classes_;
    given_total_ = from.given_total_;
    score_ = from.score_;
  }

  template <class Index>
  void enter(std::span<const Index> slots, const NodeStatistics& facts) {
    if constexpr (kIsNumbers) {
      Kind::enter(slots, facts);
      for (const auto slot : slots) row_[slot].whole.amount = this->amount[slot];
    }
    node_ = this->tally_of(slots);
  }

  // For the ledger.
  const Tally& tally_of_node() const { return node_; }

  double best_possible() const { return std::numeric_limits<double>::infinity(); }
  double gain(double decrease) const { return decrease / given_total_; }

  // Offer the cuts of a numeric column: lowest first, missing values to the right first.
  template <class Index>
  void scan(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    read(query, scratch);
    scratch.steps.clear();
    query.for_each_value([&](std::uint32_t, std::uint32_t end) { scratch.steps.push_back(end); });
    score_steps(query, known(query, scratch), query.monotone, scratch);
    for (std::size_t step = 0; step < scratch.steps.size(); ++step) {
      const auto n_left = static_cast<std::uint32_t>(scratch.steps[step]);
      out.offer(scratch.missing_right[step], n_left, false);
      out.offer(scratch.missing_left[step], n_left, true);
    }
    add_own_branch(query, scratch, out);
  }

  // Offer the best question about categories.
  template <class Index>
  void scan_categories(const SplitQuery<Index>& query, const SetChoice& choice, Scratch& scratch,
                       Candidate& out) const {
    read(query, scratch);
    SetSearch search(*this, query, scratch, out);
    choice.drawn_by ? search.draw_sets(*choice.drawn_by) : search.run(choice.categories);
    add_own_branch(query, scratch, out);
  }

 private:
  // Two sets of categories: the prefixes of some orders of them, each order scored by one call.
  template <class Index>
  class SetSearch {
   public:
    SetSearch(const FunctionScan& scan, const SplitQuery<Index>& query, Scratch& scratch, Candidate& out)
        : scan_(scan), query_(query), scratch_(scratch), out_(out) {
      query.for_each_value([&](std::uint32_t begin, std::uint32_t end) { buckets_.push_back({begin, end}); });
    }

    // `Categories::Multiway` is refused at the door.
    void run(Categories kind) {
      if (kind == Categories::OneVsRest) {
        one_against_rest();
      } else if (buckets_.size() > 1) {
        const auto search = buckets_.size() == 2 ? Search::Exact : Search::Heuristic;
        for (const auto& order : orders()) prefixes(order, 1, buckets_.size() - 1, search);
      }
      if (has_missing() && query_.arrangements.alone) known_against_missing();
    }

    void draw_sets(std::uint64_t key) {
      if (buckets_.size() > 1) {
        const auto is_left = draw_sides(key, buckets_.size());
        auto order = in_order_of_code();
        const auto right =
            std::stable_partition(order.begin(), order.end(), [&](std::uint32_t b) { return is_left[b]; });
        const auto n_left = static_cast<std::size_t>(right - order.begin());
        prefixes(order, n_left, n_left, Search::Exact);
      } else if (has_missing() && query_.arrangements.alone) {
        known_against_missing();
      }
    }

   private:
    struct Bucket {
      std::uint32_t begin, end;
    };

    bool has_missing() const { return !query_.list.missing().empty(); }

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
      scan_.score_steps(query_, in_order, {}, scratch_);
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
      scratch_.steps = {query_.list.n_known};
      scan_.score_steps(query_, known(query_, scratch_), {}, scratch_);
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
        // With two classes, of equals the last, as the criteria of the core have it.
        orders.push_back(order_of_buckets(buckets_.size(), scan_.n_classes_ == 2,
                                          [&](auto a, auto b) { return mean[a] < mean[b]; }));
      };
      if (scan_.n_classes_ == 0) by([](Given target) { return static_cast<double>(target); });
      for (int k = scan_.n_classes_ == 2 ? 1 : 0; k < scan_.n_classes_; ++k) {
        by([k](Given target) { return target == static_cast<Given>(k) ? 1.0 : 0.0; });
      }
      return orders;
    }

    const FunctionScan& scan_;
    const SplitQuery<Index>& query_;
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
  template <class Index>
  void read(const SplitQuery<Index>& query, Scratch& scratch) const {
    const auto& list = query.list;
    gather(scratch.rows, row_, std::span(list.slot, list.n));
    const auto rows = scratch.rows.begin();
    query.for_each_value(
        [&](std::uint32_t begin, std::uint32_t end) { std::sort(rows + begin, rows + end); });
    std::sort(rows + list.n_known, rows + list.n);
  }

  template <class Index>
  static std::span<const Row> known(const SplitQuery<Index>& query, const Scratch& scratch) {
    return std::span(scratch.rows).first(query.list.n_known);
  }

  // Score every step for which limits and `monotone` leave room, with the missing rows on either side.
  template <class Index>
  void score_steps(const SplitQuery<Index>& query, std::span<const Row> known, const Monotone& monotone,
                   Scratch& scratch) const {
    const auto n_known = static_cast<std::int64_t>(known.size()), n = query.n_scored();
    const auto missing =
        std::span<const Row>(scratch.rows).subspan(known.size(), static_cast<std::size_t>(n - n_known));
    const Sums all = sums_of(known) + sums_of(missing);
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
        if (!reach.holds(at) || !query.limits.allows_weights(sums.weight, all.weight - sums.weight)) continue;
        if (monotone.is_asked() && at < n_known &&
            !is_in_order(*this, monotone, sums, all - sums, cut, n - cut))
          continue;
        scratch.cuts.push_back(cut);
        allowed.push_back(step);
      }
      if (allowed.empty()) return;
      call(scratch, {first, second, third});
      for (std::size_t i = 0; i < allowed.size(); ++i) scores[allowed[i]] = scratch.scores[i];
    };
    score(query.reach(false), {}, known, missing, scratch.missing_right);
    const bool tries_left = query.tries_missing_left();
    score(tries_left ? query.reach(true) : Reach{1, 0}, missing, known, {}, scratch.missing_left);
  }

  // A branch of their own for the rows without a value: its gain comes on top. A column whose best score is
  // not above nothing asks no question.
  template <class Index>
  void add_own_branch(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    const auto& list = query.list;
    if (query.arrangements.own_branch && list.n_known < list.n && out.has_question()) {
      scratch.cuts = {list.n_known};
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

  static Sums sums_of(std::span<const Row> rows) {
    return std::accumulate(rows.begin(), rows.end(), Sums{},
                           [](const Sums& sums, const Row& row) { return sums + row.whole; });
  }

  const ScoreCuts* score_ = nullptr;
  std::vector<Row> row_;    // by slot
  int n_classes_ = 0;       // 0: numbers
  double given_total_ = 1;  // weight of the whole table, as given
  Tally node_;              // of the node entered
};

}  // namespace treewright
