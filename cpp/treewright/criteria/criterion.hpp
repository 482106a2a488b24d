// Combines a criterion with its search, and makes the search the `Scan` that engines need, by adding widths
// and threads.
#pragma once

#include "treewright/engine/grow.hpp"     // for Growth, CriterionEntry, Target, Scan
#include "treewright/search/classes.hpp"  // for ClassScan

namespace treewright {

template <class Search, class Index>
class ScanOf final : public OfWidth<Search, Index> {
  using Base = OfWidth<Search, Index>;

 public:
  using Base::Base;

  std::unique_ptr<Scan<NarrowIndex<Index>>> make_narrow() const override {
    return std::make_unique<ScanOf<Search, NarrowIndex<Index>>>();
  }
  void take(const Scan<WideIndex<Index>>& from, std::span<const WideIndex<Index>> slots) override {
    this->gather_from(static_cast<const OfWidth<Search, WideIndex<Index>>&>(from), slots);
  }

  void reserve_threads(std::size_t n_threads) override { scratch_.resize(n_threads); }
  void best_cut(const SplitQuery<Index>& query, std::size_t thread, Candidate& out) override {
    this->scan(query, scratch_[thread], out);
    add_own_branch(query, scratch_[thread], out);
  }
  void best_set(const SplitQuery<Index>& query, const SetChoice& choice, std::size_t thread,
                Candidate& out) override {
    auto& scratch = scratch_[thread];
    if constexpr (requires { this->find_sets(query, choice, scratch.grouping, out); }) {
      this->find_sets(query, choice, scratch.grouping, out);
    } else {
      auto buckets = this->buckets(query, scratch);
      CategorySearch(buckets, query.limits, out, scratch.grouping).find(choice);
    }
    add_own_branch(query, scratch, out);
  }
  const Grouping& grouping(std::size_t thread) const override { return scratch_[thread].grouping; }

 private:
  struct Scratch : Base::Scratch {
    Grouping grouping;
  };

  // Add the worth of splitting missing from known values, if missing values have a branch of their own.
  void add_own_branch(const SplitQuery<Index>& query, Scratch& scratch, Candidate& out) const {
    if (!out.has_question()) return;
    if (query.arrangements.own_branch && query.list.n_known < query.list.n)
      out.add_worth(this->worth_apart(query, scratch));
    if (Base::kNeedsGain && !(out.score.worth > 0)) out.verdict = Verdict::NoGain;
  }

  std::vector<Scratch> scratch_{1};  // one per thread
};

// A `Search` constructed from `given`, with its target.
template <class Search, class... Given>
std::unique_ptr<Scan<std::uint32_t>> scan_of(const Target& target, const Given&... given) {
  auto scan = std::make_unique<ScanOf<Search, std::uint32_t>>(given...);
  scan->read_target(target);
  return scan;
}

// `make(std::bool_constant<kWeighted>)`; kWeighted: whether rows have different weights.
template <class Make>
auto by_weights(const Target& target, const Make& make) {
  return target.weights.all_equal() ? make(std::false_type{}) : make(std::true_type{});
}

template <class OfEqual, class OfWeighted>
std::unique_ptr<Scan<std::uint32_t>> scan_classes(const Growth& growth) {
  return by_weights(growth.target, [&]<class Weighted>(Weighted) {
    using Impurity = std::conditional_t<Weighted::value, OfWeighted, OfEqual>;
    return scan_of<ClassScan<std::uint32_t, Impurity, Weighted>>(growth.target);
  });
}

// `Impurity<kWeighted>` if weights need wider integers, the same type twice if they do not.
template <class OfEqual, class OfWeighted = OfEqual>
CriterionEntry criterion_of_classes(std::string_view word) {
  return {.word = word,
          .of_classes = true,
          .is_ratio = OfEqual::kIsRatio,
          .make_scan = scan_classes<OfEqual, OfWeighted>,
          .impurity = OfEqual::impurity};
}

}  // namespace treewright
