// A criterion's search as a `Scan`. `Search` has templates for slots of any width; here they meet the widths
// that engines use. This is the only header that crosses from the one to the other, and only the file of a
// criterion includes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "treewright/search/scan.hpp"    // for Scan, ToldCuts
#include "treewright/search/target.hpp"  // for Tally
#include "treewright/tree/tree.hpp"      // for Noted

namespace treewright {

// What the branches of a split hold, for the ledger. A search tells it by tallies, which can be added and
// taken off; or, where it cannot, by `tell`, of all branches at once.
inline void add(Tally& to, const Tally& more, std::int64_t times = 1) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += times * more[i];
}

template <class Search, class Index>
void tell_branches(const Search& search, const ListView<Index>& list, std::span<const Run> runs,
                   std::int32_t n, std::vector<double>& outcome) {
  if constexpr (requires { search.tell(list, runs, n, outcome); }) {
    search.tell(list, runs, n, outcome);
  } else {
    std::vector<Tally> tallies(static_cast<std::size_t>(n), search.tally_of(list.known().first(0)));
    for (const auto& [begin, end, branch] : runs) {
      if (branch < 0) continue;
      add(tallies[static_cast<std::size_t>(branch)],
          search.tally_of(std::span(list.slot + begin, list.slot + end)));
    }
    for (const auto& tally : tallies) search.tell_tally(tally, outcome);
  }
}

template <class Search, class Index>
void tell_cut(const Search& search, const ListView<Index>& list, const Candidate& cut, ToldCuts& told,
              Noted& noted) {
  const auto missing_branch = noted.missing_branch;
  if constexpr (!requires { search.tally_of_node(); }) {
    const Run runs[] = {
        {0, cut.n_left, 0}, {cut.n_left, list.n_known, 1}, {list.n_known, list.n, missing_branch}};
    tell_branches<Search, Index>(search, list, runs, missing_branch == 2 ? 3 : 2, noted.outcome);
  } else {
    if (told.n_below == 0) {
      told.missing = search.tally_of(list.missing());
      told.below = Tally(told.missing.size());
    }
    std::optional<Tally> left;  // the search may know it
    if constexpr (requires { search.tally_of_left(cut); }) left = search.tally_of_left(cut);
    if (!left) {
      add(told.below, search.tally_of(list.known().subspan(told.n_below, cut.n_left - told.n_below)));
      told.n_below = cut.n_left;
      left = told.below;
      if (missing_branch == 0) add(*left, told.missing);
    }
    Tally right = search.tally_of_node();
    add(right, *left, -1);
    if (missing_branch != 0 && missing_branch != 1) add(right, told.missing, -1);
    search.tell_tally(*left, noted.outcome);
    search.tell_tally(right, noted.outcome);
    if (missing_branch == 2) search.tell_tally(told.missing, noted.outcome);
  }
}

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
    search_.scan(query, scratch_[thread], out);
  }
  void best_set(const SplitQuery<Index>& query, const SetChoice& choice, std::size_t thread,
                Candidate& out) override {
    search_.scan_categories(query, choice, scratch_[thread], out);
  }
  const Grouping& grouping(std::size_t thread) const override { return scratch_[thread].grouping; }

  void tell_branches(const ListView<Index>& list, std::span<const Run> runs, std::int32_t n_branches,
                     std::vector<double>& outcome) const override {
    treewright::tell_branches(search_, list, runs, n_branches, outcome);
  }
  void tell_cut(const ListView<Index>& list, const Candidate& cut, ToldCuts& told,
                Noted& noted) const override {
    treewright::tell_cut(search_, list, cut, told, noted);
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
std::unique_ptr<Scan<std::uint32_t>> scan_of(Search search, const Target& target) {
  search.take(target);
  return std::make_unique<ScanOf<Search, std::uint32_t>>(std::move(search));
}

// `make(std::bool_constant<kWeighted>)`, by whether rows weigh the same.
template <class Make>
auto by_weights(const Target& target, const Make& make) {
  return target.weights.all_equal() ? make(std::false_type{}) : make(std::true_type{});
}

}  // namespace treewright
