// What the branches of a split hold, for the ledger. A search tells it by tallies, which can be added and
// taken off; or, where it cannot, by `tell`, of all branches at once.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "treewright/recipe/missing.hpp"    // for Arrangements
#include "treewright/search/list_view.hpp"  // for ListView
#include "treewright/search/scan.hpp"       // for Run
#include "treewright/tree/ledger.hpp"       // for Noted, NotedCut

namespace treewright {

template <class Search, class Index>
void tell_branches(const Search& search, const ListView<Index>& list, std::span<const Run> runs,
                   std::int32_t n, std::vector<double>& outcome) {
  if constexpr (requires { search.tell(list, runs, n, outcome); }) {
    search.tell(list, runs, n, outcome);
  } else {
    std::vector<decltype(search.no_tally())> tallies(static_cast<std::size_t>(n), search.no_tally());
    for (const auto& run : runs) {
      if (run.branch < 0) continue;
      Search::add(tallies[static_cast<std::size_t>(run.branch)],
                  search.tally_of(list.slot + run.begin, run.end - run.begin));
    }
    for (const auto& tally : tallies) search.tell_tally(tally, outcome);
  }
}

// Of the two sides of a cut only the shorter one need be looked at, and none where the search knows the left.
template <class Search, class Index>
void tell_cut(const Search& search, const ListView<Index>& list, const Candidate& candidate, Noted& noted) {
  const auto n_left = candidate.n_left, n_right = list.n_known - n_left;
  const Run runs[] = {
      {0, n_left, 0}, {n_left, list.n_known, 1}, {list.n_known, list.n, noted.missing_branch}};
  if constexpr (requires { search.tell(list, std::span<const Run>(runs), 2, noted.outcome); }) {
    search.tell(list, std::span<const Run>(runs), noted.missing_branch == 2 ? 3 : 2, noted.outcome);
  } else {
    auto rest = search.tally_of_node(list);
    auto missing = search.no_tally();
    if (list.n_known < list.n) missing = search.tally_of(list.slot + list.n_known, list.n - list.n_known);
    if constexpr (requires { search.tally_of_left(candidate); }) {
      if (const auto left = search.tally_of_left(candidate)) {
        Search::subtract(rest, *left);
        if (noted.missing_branch != 0 && noted.missing_branch != 1) Search::subtract(rest, missing);
        search.tell_tally(*left, noted.outcome);
        search.tell_tally(rest, noted.outcome);
        if (noted.missing_branch == 2) search.tell_tally(missing, noted.outcome);
        return;
      }
    }
    Search::subtract(rest, missing);
    const bool left_is_short = n_left <= n_right;
    auto side =
        left_is_short ? search.tally_of(list.slot, n_left) : search.tally_of(list.slot + n_left, n_right);
    Search::subtract(rest, side);
    auto& left = left_is_short ? side : rest;
    auto& right = left_is_short ? rest : side;
    if (noted.missing_branch == 0) Search::add(left, missing);
    if (noted.missing_branch == 1) Search::add(right, missing);
    search.tell_tally(left, noted.outcome);
    search.tell_tally(right, noted.outcome);
    if (noted.missing_branch == 2) search.tell_tally(missing, noted.outcome);
  }
}

// The same of all cuts of a column, each a step beyond the one before.
template <class Search, class Index>
void tell_cuts(const Search& search, const ListView<Index>& list, const Arrangements& arrangements,
               std::vector<NotedCut>& cuts) {
  const std::int32_t n = arrangements.own_branch && list.n_known < list.n ? 3 : 2;
  if constexpr (requires(std::span<const Run> runs) { search.tell(list, runs, n, cuts[0].noted.outcome); }) {
    for (auto& [candidate, noted] : cuts) {
      const Run runs[] = {{0, candidate.n_left, 0},
                          {candidate.n_left, list.n_known, 1},
                          {list.n_known, list.n, noted.missing_branch}};
      search.tell(list, std::span<const Run>(runs), n, noted.outcome);
    }
  } else {
    const auto missing = search.tally_of(list.slot + list.n_known, list.n - list.n_known);
    auto left = search.no_tally(), right = search.tally_of(list.slot, list.n_known);
    std::uint32_t passed = 0;
    for (auto& [candidate, noted] : cuts) {
      const auto step = search.tally_of(list.slot + passed, candidate.n_left - passed);
      passed = candidate.n_left;
      Search::add(left, step);
      Search::subtract(right, step);
      std::vector<std::remove_cvref_t<decltype(left)>> tallies{left, right};
      if (n == 3) tallies.push_back(missing);
      if (noted.missing_branch == 0 || noted.missing_branch == 1)
        Search::add(tallies[static_cast<std::size_t>(noted.missing_branch)], missing);
      for (const auto& tally : tallies) search.tell_tally(tally, noted.outcome);
    }
  }
}

}  // namespace treewright
