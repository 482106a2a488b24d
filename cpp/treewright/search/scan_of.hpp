// A criterion's search as a `Scan`. `Search` has templates for slots of any width; here they meet the widths
// that engines use. This is the only header that crosses from the one to the other, and only the file of a
// criterion includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "treewright/search/scan.hpp"   // for Scan
#include "treewright/search/tally.hpp"  // for tell_branches, tell_cut, tell_cuts

namespace treewright {

template <class Search, class Index>
class ScanOf final : public Scan<Index> {
 public:
  using Slots = typename Scan<Index>::Slots;

  explicit ScanOf(Search search) : search_(std::move(search)), scratch_(1) {}

  std::unique_ptr<Scan<std::uint32_t>> make_wide() const override { return make<std::uint32_t>(); }
  std::unique_ptr<Scan<std::uint16_t>> make_narrow() const override { return make<std::uint16_t>(); }
  std::unique_ptr<Scan<std::uint8_t>> make_short() const override { return make<std::uint8_t>(); }

  void take(const Target& target) override { search_.take(target); }
  void take(const AnyScan& from, std::span<const std::uint32_t> slots) override { take_slots(from, slots); }
  void take(const AnyScan& from, std::span<const std::uint16_t> slots) override { take_slots(from, slots); }
  void reserve_threads(std::size_t n_threads) override { scratch_.resize(n_threads); }

  NodeStatistics facts(Slots slots, bool with_impurity) override {
    return search_.facts(slots, with_impurity);
  }
  void settle(Slots slots, const NodeStatistics& facts, LeafStore& leaves) override {
    search_.settle(slots, facts, leaves);
  }
  double value_of(Slots slots) override { return search_.value_of(slots); }
  bool settles_inner() const override { return search_.settles_inner(); }

  const std::int64_t* weights() const override { return search_.weights(); }
  void weigh(std::span<const std::uint32_t> slots, std::span<const std::int64_t> weights) override {
    if constexpr (requires { search_.weigh(0, 0); }) {
      for (std::size_t i = 0; i < slots.size(); ++i) search_.weigh(slots[i], weights[i]);
    }
  }

  void enter(Slots slots, const NodeStatistics& facts) override { search_.enter(slots, facts); }
  double best_possible() const override { return search_.best_possible(); }
  double gain(double decrease) const override { return search_.gain(decrease); }

  void best_cut(const SplitQuery<Index>& query, std::size_t thread, Candidate& out) override {
    search_.scan(query.list, query.boundaries, query.arrangements, query.limits, query.monotone,
                 scratch_[thread], out);
  }
  void score_cut(const SplitQuery<Index>& query, std::uint32_t n_left, std::size_t thread,
                 Candidate& out) override {
    search_.scan_at(query.list, n_left, query.arrangements, query.limits, query.monotone, scratch_[thread],
                    out);
  }
  void best_set(const SplitQuery<Index>& query, const SetChoice& choice, std::size_t thread,
                Candidate& out) override {
    search_.scan_categories(query.list, query.boundaries, query.arrangements, query.limits, scratch_[thread],
                            out, [&](auto& sets) {
                              if (choice.drawn_by) {
                                sets.draw_sets(*choice.drawn_by);
                              } else {
                                sets.run(choice.categories);
                              }
                            });
  }
  const Grouping& grouping(std::size_t thread) const override { return scratch_[thread].grouping; }

  void tell_branches(const ListView<Index>& list, std::span<const Run> runs, std::int32_t n_branches,
                     std::vector<double>& outcome) const override {
    treewright::tell_branches(search_, list, runs, n_branches, outcome);
  }
  void tell_cut(const ListView<Index>& list, const Candidate& candidate, Noted& noted) const override {
    treewright::tell_cut(search_, list, candidate, noted);
  }
  void tell_cuts(const ListView<Index>& list, const Arrangements& arrangements,
                 std::vector<NotedCut>& cuts) const override {
    treewright::tell_cuts(search_, list, arrangements, cuts);
  }

  const TwoClasses<false>* two_classes() const override {
    if constexpr (requires(const TwoClasses<false>*& kind) { kind = &search_.kind(); })
      return &search_.kind();
    return nullptr;
  }

 private:
  template <class OtherSearch, class OtherIndex>
  friend class ScanOf;

  template <class Other>
  std::unique_ptr<Scan<Other>> make() const {
    return std::make_unique<ScanOf<Search, Other>>(Search());
  }

  template <class Wide>
  void take_slots(const AnyScan& from, std::span<const Wide> slots) {
    search_.take(static_cast<const ScanOf<Search, Wide>&>(from).search_, slots);
  }

  Search search_;
  std::vector<typename Search::Scratch> scratch_;  // one a thread
};

template <class Search>
std::unique_ptr<Scan<std::uint32_t>> scan_of(Search search) {
  return std::make_unique<ScanOf<Search, std::uint32_t>>(std::move(search));
}

}  // namespace treewright
