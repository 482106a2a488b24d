// How to part the categories of a column: into two sets, one against the rest, or one branch each.
//
// The search sees a column as buckets, one a category present in the node, in order of code. What a bucket
// knows of the target is the business of `Buckets`, which a criterion's scan provides:
//
//   size(), rows(b), weight(b)          the buckets
//   start()                             every bucket on the right, missing rows left out
//   move(b, to_left)                    one bucket to the other side
//   join(to_left), part(to_left)        the missing rows join a side, leave it
//   judge()                             worth of the two sides as they are
//   left_rows(), left_weight(), ...     what they hold
//   orders()                            orders of the buckets whose prefixes are worth trying
//   order_is_enough()                   the best set is a prefix of the first order, by theorem
//   judge_each(join)                    worth of one branch a bucket, the missing rows with bucket `join`
//   (-1: none)
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "treewright/candidate.hpp"  // for Candidate
#include "treewright/limits.hpp"     // for Limits
#include "treewright/missing.hpp"    // for Arrangements
#include "treewright/question.hpp"   // for Search
#include "treewright/random.hpp"     // for mix

namespace treewright {

enum class Categories : std::uint8_t { Subset, Multiway, OneVsRest };

// Sets of at most this many categories are tried one and all where no theorem gives an order.
inline constexpr std::size_t kMostEnumerated = 12;

// Where each bucket goes in the best question found.
struct Grouping {
  std::vector<std::int32_t> branch_of_bucket;
  std::int32_t n_branches = 2;
  bool is_each_apart = false;  // one branch a category, those that are absent included
  Search search = Search::Exact;
};

// Which of n categories go left, drawn; neither side gets them all.
inline std::vector<bool> draw_sides(std::uint64_t key, std::size_t n) {
  std::vector<bool> is_left(n);
  bool any_left = false, any_right = false;
  for (std::size_t b = 0; b < n; ++b) {
    bool left = mix(key ^ mix(b)) & 1;
    if (b + 1 == n && (any_left != any_right)) left = any_right;
    is_left[b] = left;
    (left ? any_left : any_right) = true;
  }
  return is_left;
}

template <class Buckets>
class CategorySearch {
 public:
  CategorySearch(Buckets& buckets, std::uint32_t n_missing, const Arrangements& ways, const Limits& limits,
                 Candidate& out, Grouping& best)
      : buckets_(buckets),
        has_missing_(n_missing > 0),
        n_missing_(n_missing),
        ways_(ways),
        limits_(limits),
        out_(out),
        best_(best),
        is_left_(buckets.size(), false) {}

  void run(Categories kind) {
    if (kind == Categories::Multiway) {
      each_apart();
    } else {
      kind == Categories::OneVsRest ? one_against_rest() : two_sets();
    }
    if (has_missing_ && ways_.alone) known_against_missing();
  }

  // Draw a side for every category instead of searching.
  void draw_sets(std::uint64_t key) {
    start();
    if (buckets_.size() > 1) {
      const auto left = draw_sides(key, buckets_.size());
      for (std::size_t b = 0; b < left.size(); ++b) flip_to(b, left[b]);
      if (offer()) record(Search::Exact);
    } else if (has_missing_ && ways_.alone) {
      known_against_missing();
    }
  }

 private:
  void start() {
    buckets_.start();
    is_left_.assign(buckets_.size(), false);
  }

  void flip_to(std::size_t b, bool left) {
    if (is_left_[b] == left) return;
    buckets_.move(b, left);
    is_left_[b] = left;
  }

  // The branch of the first category is branch 0; missing rows try branch 1 first, as ties go there.
  bool offer() {
    if (!has_missing_ || !ways_.left) return offer_sides(false);
    bool better = false;
    for (const bool left : {!is_left_[0], static_cast<bool>(is_left_[0])}) {
      buckets_.join(left);
      better |= offer_sides(left == is_left_[0]);
      buckets_.part(left);
    }
    return better;
  }

  bool offer_sides(bool missing_with_first) {
    if (buckets_.left_rows() < limits_.min_rows_leaf || buckets_.right_rows() < limits_.min_rows_leaf)
      return false;
    if (!limits_.allows_weights(buckets_.left_weight(), buckets_.right_weight())) return false;
    return out_.offer(buckets_.judge(), 0, missing_with_first);
  }

  // Keep the sides as they stand: the best question found so far.
  void record(Search search) {
    best_.branch_of_bucket.resize(is_left_.size());
    for (std::size_t b = 0; b < is_left_.size(); ++b)
      best_.branch_of_bucket[b] = is_left_[b] == is_left_[0] ? 0 : 1;
    best_.n_branches = 2;
    best_.is_each_apart = false;
    best_.search = search;
  }

  void prefixes(const std::vector<std::uint32_t>& order, Search search) {
    start();
    std::size_t best_length = 0;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      flip_to(order[i], true);
      if (offer()) best_length = i + 1;
    }
    if (best_length == 0) return;
    if (out_.score.worth == 0) best_length = halve_equals(order, best_length);
    // Written out once: with many categories nearly every prefix may beat the last.
    for (std::size_t i = 0; i < order.size(); ++i) is_left_[order[i]] = i < best_length;
    record(search);
  }

  // No set gains anything: the categories are all alike. Any set is as good as any other then, and taking
  // them off one by one would make a tree as deep as there are categories. So the middle, if the limits let
  // it be.
  std::size_t halve_equals(const std::vector<std::uint32_t>& order, std::size_t first) {
    const auto middle = (order.size() + 1) / 2;
    start();
    for (std::size_t i = 0; i < middle; ++i) flip_to(order[i], true);
    const auto kept = out_;
    out_.score.worth = -std::numeric_limits<double>::denorm_min();
    if (offer()) return middle;
    out_ = kept;
    return first;
  }

  void two_sets() {
    if (buckets_.size() < 2) return;
    if (buckets_.order_is_enough()) {
      prefixes(buckets_.orders()[0], Search::Exact);
    } else if (buckets_.size() <= kMostEnumerated) {
      every_set();
    } else {
      for (const auto& order : buckets_.orders()) prefixes(order, Search::Heuristic);
      move_one_by_one();
    }
  }

  // In the order of a Gray code each set differs from the last by one category. The last stays right, so no
  // set is met twice.
  void every_set() {
    start();
    const std::uint32_t n_sets = 1u << (buckets_.size() - 1);
    for (std::uint32_t set = 1; set < n_sets; ++set) {
      const auto b = static_cast<std::size_t>(__builtin_ctz(set));
      flip_to(b, !is_left_[b]);
      if (offer()) record(Search::Exact);
    }
  }

  // From the best prefix on, while moving a single category helps.
  void move_one_by_one() {
    if (!out_.has_question()) return;
    start();
    for (std::size_t b = 0; b < is_left_.size(); ++b) flip_to(b, best_.branch_of_bucket[b] == 0);
    bool moved = false;
    for (bool better = true; better; moved |= better) {
      better = false;
      for (std::size_t b = 0; b < is_left_.size(); ++b) {
        flip_to(b, !is_left_[b]);
        if (offer()) {
          better = true;
        } else {
          flip_to(b, !is_left_[b]);
        }
      }
    }
    if (moved) record(Search::Heuristic);
  }

  void one_against_rest() {
    if (buckets_.size() < 2) return;
    start();
    for (std::size_t b = 0; b < is_left_.size(); ++b) {
      flip_to(b, true);
      if (offer()) record(Search::Exact);
      flip_to(b, false);
      if (is_left_.size() == 2) break;  // the other one says the same
    }
  }

  void each_apart() {
    const auto n = buckets_.size();
    if (n < 2) return;
    const auto is_allowed = [&](std::size_t b, std::int64_t more_rows) {
      return buckets_.rows(b) + more_rows >= limits_.min_rows_leaf &&
             limits_.allows_weights(buckets_.weight(b), buckets_.weight(b));
    };
    for (std::size_t b = 0; b < n; ++b) {
      if (!is_allowed(b, 0)) return;
    }
    const bool joins = has_missing_ && ways_.left;
    for (std::size_t b = 0; b < (joins ? n : 1); ++b) {
      if (!out_.offer(buckets_.judge_each(joins ? static_cast<std::int32_t>(b) : -1),
                      static_cast<std::uint32_t>(b), false))
        continue;
      best_.branch_of_bucket.resize(n);
      for (std::size_t i = 0; i < n; ++i) best_.branch_of_bucket[i] = static_cast<std::int32_t>(i);
      best_.n_branches = static_cast<std::int32_t>(n);
      best_.is_each_apart = true;
      best_.search = Search::Exact;
    }
  }

  // All known values to branch 0.
  void known_against_missing() {
    start();
    for (std::size_t b = 0; b < is_left_.size(); ++b) flip_to(b, true);
    buckets_.join(false);
    if (n_missing_ >= limits_.min_rows_leaf && offer_sides(false)) record(Search::Exact);
    buckets_.part(false);
  }

  Buckets& buckets_;
  bool has_missing_;
  std::int64_t n_missing_;
  Arrangements ways_;
  const Limits& limits_;
  Candidate& out_;
  Grouping& best_;
  std::vector<bool> is_left_;
};

}  // namespace treewright
