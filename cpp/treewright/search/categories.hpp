// How to split the categories of a column: into two sets, one against the rest, or one branch each.
//
// The search sees a column as buckets, one per category present in the node, in order of code. What is known
// of a bucket's targets is left to `Buckets`, which a criterion's scan provides:
//
//   size(), rows(b), weight(b)          the buckets; bucket size() has the missing rows, if they are scored
//   start()                             everything on the right
//   move(b, to_left)                    one bucket to the other side
//   exact_score()                       worth of the two sides as they are
//   may_reach(worth)                    a quick check: false if `exact_score` is certainly less
//   orders()                            orders of the buckets whose prefixes are worth trying
//   order_is_enough()                   the best set is a prefix of the first order, by theorem
//   exact_score_of_each(join)           worth of one branch per bucket, of more than two, the missing rows
//                                       with bucket `join` (-1: none)
#pragma once

#include "treewright/math/fixed_point.hpp"  // for ExactSum
#include "treewright/recipe/limits.hpp"     // for Limits
#include "treewright/recipe/random.hpp"     // for mix
#include "treewright/tree/question.hpp"     // for Search

namespace treewright {

enum class Categories : std::uint8_t { Subset, Multiway, OneVsRest, Groups };

// How the categories of a column are to be split: by a search, or at random.
struct SetChoice {
  Categories categories;
  std::optional<std::uint64_t> drawn_by;  // the key of the draw
};

// With at most this many categories every set is tried, unless a theorem gives an order.
inline constexpr std::size_t kMostEnumerated = 12;

// The most rounds of moving single categories; two or three are nearly always enough.
inline constexpr int kMostRounds = 16;

// How many orders the search climbs from: more if there are few categories, as that costs little.
inline constexpr std::size_t kFewCategories = 64, kStartsOfFew = 8, kStartsOfMany = 2;

// Sets between two checks for interrupts: an exact score takes longer the more classes there are.
inline constexpr std::size_t kSetsToLook = 256;

// The branch of each bucket in the best split found.
struct Grouping {
  std::vector<std::int32_t> branch_of_bucket;
  std::int32_t n_branches = 2;
  bool is_each_apart = false;          // one branch per category, absent ones included
  std::int32_t branch_of_absent = -1;  // of categories without a row in the node; -1: none
  Search search = Search::Exact;
};

// A sum over one branch per bucket: the same for any order of the buckets, and quickly found again with the
// missing rows in another branch. A term of minus infinity forbids its branch.
class BranchSum {
 public:
  // `term_of(b, joined)`: of bucket b; joined: with the missing rows.
  template <class Term>
  BranchSum(std::size_t n, bool with_missing, const Term& term_of) {
    double most = 0;
    for (std::size_t b = 0; b < n; ++b) {
      alone_.push_back(term_of(b, false));
      joined_.push_back(with_missing ? term_of(b, true) : 0);
      for (const double term : {alone_[b], joined_[b]}) {
        if (std::isfinite(term)) most = std::max(most, std::abs(term));
      }
    }
    sum_ = ExactSum(most, n + 2);
    for (const double term : alone_) {
      if (std::isfinite(term)) sum_.add(term);
      n_forbidden_ += !std::isfinite(term);
    }
  }

  // With the missing rows in the branch of bucket `join`; -1: in none.
  double value(std::int32_t join) const {
    const auto at = static_cast<std::size_t>(join);
    const bool was_forbidden = join >= 0 && !std::isfinite(alone_[at]);
    if (n_forbidden_ > was_forbidden || (join >= 0 && !std::isfinite(joined_[at]))) return -kInfinity;
    auto sum = sum_;
    if (join >= 0 && !was_forbidden) sum.add(-alone_[at]);
    if (join >= 0) sum.add(joined_[at]);
    return sum.value();
  }

 private:
  std::vector<double> alone_, joined_;
  ExactSum sum_{0, 0};
  int n_forbidden_ = 0;
};

// Buckets 0, ..., n - 1 in order; of equal ones the first comes first, or the last.
template <class Less>
std::vector<std::uint32_t> order_of_buckets(std::size_t n, bool last_first, const Less& less) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (last_first) std::reverse(order.begin(), order.end());
  std::stable_sort(order.begin(), order.end(), less);
  return order;
}

// Draw for every category whether it goes left, instead of searching; neither side gets all of them.
inline std::vector<bool> draw_sides(std::uint64_t key, std::size_t n) {
  std::vector<bool> is_left(n);
  for (std::size_t b = 0; b < n; ++b) is_left[b] = mix(key ^ mix(b)) & 1;
  if (std::count(is_left.begin(), is_left.end() - 1, is_left[0]) == std::ssize(is_left) - 1)
    is_left.back() = !is_left[0];
  return is_left;
}

template <class Buckets>
class CategorySearch {
 public:
  CategorySearch(Buckets& buckets, const Limits& limits, Candidate& out, Grouping& best)
      : buckets_(buckets),
        has_missing_(buckets.rows(buckets.size()) > 0),
        limits_(limits),
        out_(out),
        best_(best) {
    for (std::size_t b = 0; b < buckets.size() + has_missing_; ++b) {
      amount_.push_back({buckets.rows(b), buckets.weight(b)});
      all_ = all_ + amount_[b];
    }
  }

  // With at most `most_enumerated` categories every set is tried, unless a theorem gives an order.
  void find(const SetChoice& choice, std::size_t most_enumerated = kMostEnumerated) {
    const auto n = buckets_.size();
    if (choice.drawn_by && n > 1) {
      start();
      const auto is_left = draw_sides(*choice.drawn_by, n);
      for (std::size_t b = 0; b < n; ++b) flip_to(b, is_left[b]);
      if (offer(out_)) record(Search::Exact);
      return;
    }
    if (n > 1) {
      if (choice.categories == Categories::OneVsRest) {
        one_against_rest();
      } else if (choice.categories != Categories::Multiway) {
        two_sets(most_enumerated);
      } else {
        each_apart();
      }
    }
    if (!has_missing_) return;
    start();  // all known values go to branch 0
    for (std::size_t b = 0; b < n; ++b) flip_to(b, true);
    if (offer_sides(false, out_)) record(Search::Exact);
  }

 private:
  using Order = std::vector<std::uint32_t>;

  void start() {
    buckets_.start();
    is_left_.assign(buckets_.size() + 1, false);
    left_ = {};
  }

  void flip_to(std::size_t b, bool left) {
    if (is_left_[b] == left) return;
    buckets_.move(b, left);
    left_ = left ? left_ + amount_[b] : left_ - amount_[b];
    is_left_[b] = left;
  }

  // The branch of the first category is branch 0. Missing rows are tried in branch 1 first, as ties go there.
  bool offer(Candidate& out) {
    if (!has_missing_) return offer_sides(false, out);
    bool better = false;
    for (const bool left : {!is_left_[0], static_cast<bool>(is_left_[0])}) {
      flip_to(buckets_.size(), left);
      better |= offer_sides(left == is_left_[0], out);
    }
    flip_to(buckets_.size(), false);
    return better;
  }

  bool offer_sides(bool missing_with_first, Candidate& out) {
    if (!is_allowed(left_) || !is_allowed(all_ - left_)) return false;
    return buckets_.may_reach(out.score.worth) && out.offer(buckets_.exact_score(), 0, missing_with_first);
  }

  bool is_allowed(const Sums& branch) const {
    return branch.amount >= limits_.min_rows_leaf && branch.weight >= limits_.min_weight_leaf;
  }

  // Record the current sides as the best split found so far.
  void record(Search search) {
    best_.branch_of_bucket.resize(buckets_.size());
    for (std::size_t b = 0; b < buckets_.size(); ++b)
      best_.branch_of_bucket[b] = is_left_[b] == is_left_[0] ? 0 : 1;
    best_.n_branches = 2;
    best_.is_each_apart = false;
    best_.search = search;
  }

  void put_left(const Order& order, std::size_t n) {
    for (std::size_t i = 0; i < order.size(); ++i) flip_to(order[i], i < n);
  }

  // Leave the sides at the best prefix of the order; false if none is allowed.
  bool best_prefix(const Order& order, Candidate& out) {
    start();
    std::size_t best_length = 0;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      heed_interrupts_at(i, kSetsToLook);
      flip_to(order[i], true);
      if (offer(out)) best_length = i + 1;
    }
    put_left(order, best_length);
    if (best_length > 0 && out.score.worth == 0) halve_equals(order, best_length, out);
    return best_length > 0;
  }

  // No set gains anything: any is as good as any other, and splitting categories off one by one would make a
  // tree as deep as there are categories. So split in the middle, if the limits allow it.
  void halve_equals(const Order& order, std::size_t first, Candidate& out) {
    put_left(order, (order.size() + 1) / 2);
    const auto kept = out;
    out.score.worth = -std::numeric_limits<double>::denorm_min();
    if (offer(out)) return;
    out = kept;
    put_left(order, first);
  }

  void two_sets(std::size_t most_enumerated) {
    if (buckets_.order_is_enough()) {
      const auto order = std::move(buckets_.orders()[0]);
      if (!best_prefix(order, out_)) return;
      record(Search::Exact);
      // The theorem is about all sets. If a limit on leaves forbids the best of them, the best allowed set
      // need not be a prefix, and no search is made for it.
      if (limits_.min_rows_leaf <= 1 && limits_.min_weight_leaf == 0) return;
      const auto limits = std::exchange(limits_, {});
      auto free = out_;
      if (best_prefix(order, free)) best_.search = Search::Heuristic;
      limits_ = limits;
    } else if (buckets_.size() <= most_enumerated) {
      every_set();
    } else {
      climb();
    }
  }

  // Climb from the best of the orders only: with many classes there are many orders.
  void climb() {
    const auto orders = buckets_.orders();
    std::vector<std::pair<double, std::size_t>> starts;
    for (std::size_t i = 0; i < orders.size(); ++i) {
      Candidate found;
      heed_interrupts_after(orders.size() * orders[i].size());  // there are as many orders as classes
      if (best_prefix(orders[i], found)) starts.emplace_back(-found.score.worth, i);
    }
    std::sort(starts.begin(), starts.end());
    const auto most = buckets_.size() <= kFewCategories ? kStartsOfFew : kStartsOfMany;
    for (std::size_t i = 0; i < std::min(starts.size(), most); ++i) climb_from(orders[starts[i].second]);
  }

  // In the order of a Gray code sets differ by one category. The last stays right, so no set is tried twice.
  void every_set() {
    start();
    const std::uint32_t n_sets = 1u << (buckets_.size() - 1);
    for (std::uint32_t set = 1; set < n_sets; ++set) {
      heed_interrupts_at(set, kSetsToLook);
      const auto b = static_cast<std::size_t>(std::countr_zero(set));
      flip_to(b, !is_left_[b]);
      if (offer(out_)) record(Search::Exact);
    }
  }

  // Start from the best prefix and move single categories while that helps.
  void climb_from(const Order& order) {
    Candidate found;
    if (!best_prefix(order, found)) return;
    bool better = true;
    for (int round = 0; better && round < kMostRounds; ++round) {
      better = false;
      heed_interrupts_after(kSetsToLook * buckets_.size());
      for (std::size_t b = 0; b < buckets_.size(); ++b) {
        flip_to(b, !is_left_[b]);
        if (offer(found)) {
          better = true;
        } else {
          flip_to(b, !is_left_[b]);
        }
      }
    }
    if (out_.offer({found.score.worth, found.decrease}, 0, found.missing_left)) record(Search::Heuristic);
  }

  void one_against_rest() {
    start();
    auto best = buckets_.size();
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      heed_interrupts_at(b, kSetsToLook);
      flip_to(b, true);
      if (offer(out_)) best = b;
      flip_to(b, false);
      if (buckets_.size() == 2) break;  // the other one makes the same split
    }
    if (best == buckets_.size()) return;
    flip_to(best, true);
    record(Search::Exact);
  }

  void each_apart() {
    const auto n = buckets_.size();
    for (std::size_t b = 0; b < n; ++b) {
      if (!is_allowed(amount_[b])) return;
    }
    start();
    bool found = false;
    for (std::size_t b = 0; b < (has_missing_ ? n : 1); ++b) {
      heed_interrupts_at(b, kSetsToLook);
      if (n == 2) put_left({0, 2}, b == 0 && has_missing_ ? 2 : 1);
      const auto merit = n == 2
                             ? buckets_.exact_score()
                             : buckets_.exact_score_of_each(has_missing_ ? static_cast<std::int32_t>(b) : -1);
      found |= out_.offer(merit, static_cast<std::uint32_t>(b), false);
    }
    if (!found) return;
    best_ = {.n_branches = static_cast<std::int32_t>(n), .is_each_apart = true};
    best_.branch_of_bucket.resize(n);
    std::iota(best_.branch_of_bucket.begin(), best_.branch_of_bucket.end(), 0);
  }

  Buckets& buckets_;
  bool has_missing_;
  Limits limits_;
  Candidate& out_;
  Grouping& best_;
  Sums all_, left_;            // amount: number of rows
  std::vector<Sums> amount_;   // by bucket
  std::vector<bool> is_left_;  // by bucket
};

}  // namespace treewright
