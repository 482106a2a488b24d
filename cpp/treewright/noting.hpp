// What the ledger keeps of a column's question: its branches, told from the rows while they are at hand.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/category_search.hpp"  // for Grouping
#include "treewright/ledger.hpp"           // for Noted, NotedColumn
#include "treewright/list_view.hpp"        // for ListView
#include "treewright/missing.hpp"          // for Arrangements

namespace treewright {

// Entries [begin, end) of a list go to one branch; -1: they are not scored.
struct Run {
  std::uint32_t begin, end;
  std::int32_t branch;
};

// All cuts of a column, and those of them that are allowed, in the same order.
struct OfferedCuts {
  std::span<const Offer> all, allowed;
};

class Noter {
 public:
  void forget(std::size_t n_columns) {
    columns_.resize(n_columns);
    for (auto& column : columns_) {
      column.best.clear();
      column.cuts.clear();
    }
  }

  std::span<const NotedColumn> columns() const { return columns_; }

  // Note what a column offers. `cut_at(candidate)`: where it cuts numbers.
  template <class Block, class Scan, class Index, class CutAt>
  void note(const Block& block, const Scan& scan, const Arrangements& ways, const ListView<Index>& list,
            std::size_t column, const Candidate& candidate, const Grouping& grouping, const CutAt& cut_at) {
    auto& noted = columns_[column].best;
    noted.clear();
    noted.missing = weight_of(scan, list.slot + list.n_known, list.n - list.n_known);
    if (!candidate.has_figures()) return;
    noted.gain = scan.gain(candidate.decrease);
    const auto joined = candidate.missing_left ? 0 : 1;
    if (list.n_categories > 0) {
      note_categories(block, scan, ways, list, column, candidate, grouping, noted);
      return;
    }
    noted.cut = cut_at(candidate);
    if (list.n_known < list.n) noted.missing_branch = branch_of_missing(ways, joined, 2);
    const Run runs[] = {{0, candidate.n_left, 0},
                        {candidate.n_left, list.n_known, 1},
                        {list.n_known, list.n, noted.missing_branch}};
    if constexpr (requires { scan.tell(list, std::span<const Run>(runs), 2, noted.outcome); }) {
      scan.tell(list, std::span<const Run>(runs), noted.missing_branch == 2 ? 3 : 2, noted.outcome);
    } else {
      tell_cut(scan, list, candidate, noted);
    }
  }

  // Note every cut of a numeric column, after its best one. `punish(candidate)`: what gaps take off.
  template <class Scan, class Index, class CutAt, class Punish>
  void note_every_cut(const Scan& scan, const Arrangements& ways, const ListView<Index>& list,
                      std::size_t column, const Candidate& best, const OfferedCuts& offered,
                      Verdict forbidden, const CutAt& cut_at, const Punish& punish) {
    auto& noted_column = columns_[column];
    noted_column.cuts.clear();  // of a first look
    // What a branch of their own adds for the rows without a value is the same for every cut.
    Merit of_missing = 0;
    for (const auto& offer : offered.all) {
      if (ways.own_branch && best.has_figures() && offer.n_left == best.n_left)
        of_missing = {best.score.worth - offer.merit.worth, best.decrease - offer.merit.decrease};
    }
    std::size_t at = 0;  // in `allowed`
    std::uint32_t passed = 0;
    std::int64_t left = 0;
    const auto missing = list.n - list.n_known;
    const auto known = weight_of(scan, list.slot, list.n_known);
    for (const auto& offer : offered.all) {
      auto& [candidate, noted] = noted_column.cuts.emplace_back();
      candidate.n_missing = missing;
      candidate.information.n_tries = best.information.n_tries;
      candidate.offer(offer.merit, offer.n_left, offer.missing_left);
      candidate.add_worth(of_missing);
      punish(candidate);
      for (; passed < offer.n_left; ++passed) left += scan.weight_of(list.slot[passed]);
      if constexpr (requires { scan.settle_cut(left, left, candidate); })
        scan.settle_cut(left, static_cast<std::int64_t>(known), candidate);
      noted.cut = cut_at(candidate);
      noted.gain = scan.gain(candidate.decrease);
      noted.missing = noted_column.best.missing;
      if (missing > 0) noted.missing_branch = branch_of_missing(ways, offer.missing_left ? 0 : 1, 2);
      const bool is_allowed = at < offered.allowed.size() && offered.allowed[at].n_left == offer.n_left &&
                              offered.allowed[at].missing_left == offer.missing_left;
      at += is_allowed;
      if (!is_allowed) {
        candidate.verdict = forbidden;
      } else if (candidate.verdict != Verdict::NoGain) {
        candidate.verdict = Verdict::LowerInColumn;
      }
    }
    tell_cuts(scan, list, ways, noted_column.cuts);
  }

 private:
  template <class Block, class Scan, class Index>
  static void note_categories(const Block& block, const Scan& scan, const Arrangements& ways,
                              const ListView<Index>& list, std::size_t column, const Candidate& candidate,
                              const Grouping& grouping, Noted& noted) {
    const auto& codes = block.table().columns[column];
    const auto is_same = [&](std::uint32_t i) {
      return block.same_value(column, list.slot[i - 1], list.slot[i]);
    };
    std::vector<Run> runs;
    std::int32_t bucket = 0;
    for (std::uint32_t begin = 0, end = 0; begin < list.n_known; begin = end, ++bucket) {
      for (end = begin + 1; end < list.n_known && is_same(end);) ++end;
      const auto branch =
          grouping.is_each_apart ? bucket : grouping.branch_of_bucket[static_cast<std::size_t>(bucket)];
      runs.push_back({begin, end, branch});
      noted.branch_of_code.add(codes.code(block.row(list.slot[begin])), branch);
    }
    auto n_branches = grouping.is_each_apart ? bucket : grouping.n_branches;
    if (list.n_known < list.n) {
      const auto joined = grouping.is_each_apart   ? static_cast<std::int32_t>(candidate.n_left)
                          : candidate.missing_left ? 0
                                                   : 1;
      noted.missing_branch = branch_of_missing(ways, joined, n_branches);
      n_branches += ways.own_branch;
      runs.push_back({list.n_known, list.n, noted.missing_branch});
    }
    tell(scan, list, runs, n_branches, noted.outcome);
  }

  static std::int32_t branch_of_missing(const Arrangements& ways, std::int32_t joined,
                                        std::int32_t n_branches) {
    return ways.own_branch ? n_branches : ways.known_only ? -1 : joined;
  }

  template <class Scan, class Index>
  static double weight_of(const Scan& scan, const Index* slots, std::uint32_t n) {
    std::int64_t weight = 0;
    for (std::uint32_t i = 0; i < n; ++i) weight += scan.weight_of(slots[i]);
    return static_cast<double>(weight);
  }

  // Write down what the branches hold: a scan tells by tallies that can be added and taken off; or, where it
  // cannot, of all branches at once.
  template <class Scan, class Index>
  static void tell(const Scan& scan, const ListView<Index>& list, std::span<const Run> runs, std::int32_t n,
                   std::vector<double>& outcome) {
    if constexpr (requires { scan.tell(list, runs, n, outcome); }) {
      scan.tell(list, runs, n, outcome);
    } else {
      std::vector<decltype(scan.no_tally())> tallies(static_cast<std::size_t>(n), scan.no_tally());
      for (const auto& run : runs) {
        if (run.branch < 0) continue;
        Scan::add(tallies[static_cast<std::size_t>(run.branch)],
                  scan.tally_of(list.slot + run.begin, run.end - run.begin));
      }
      for (const auto& tally : tallies) scan.tell_tally(tally, outcome);
    }
  }

  // Of the two sides of a cut only the shorter one need be looked at, and none where the scan knows the left.
  template <class Scan, class Index>
  static void tell_cut(const Scan& scan, const ListView<Index>& list, const Candidate& candidate,
                       Noted& noted) {
    const auto n_left = candidate.n_left, n_right = list.n_known - n_left;
    auto rest = scan.tally_of_node(list);
    auto missing = scan.no_tally();
    if (list.n_known < list.n) missing = scan.tally_of(list.slot + list.n_known, list.n - list.n_known);
    if constexpr (requires { scan.tally_of_left(candidate); }) {
      if (const auto left = scan.tally_of_left(candidate)) {
        Scan::subtract(rest, *left);
        if (noted.missing_branch != 0 && noted.missing_branch != 1) Scan::subtract(rest, missing);
        scan.tell_tally(*left, noted.outcome);
        scan.tell_tally(rest, noted.outcome);
        if (noted.missing_branch == 2) scan.tell_tally(missing, noted.outcome);
        return;
      }
    }
    Scan::subtract(rest, missing);
    const bool left_is_short = n_left <= n_right;
    auto side = left_is_short ? scan.tally_of(list.slot, n_left) : scan.tally_of(list.slot + n_left, n_right);
    Scan::subtract(rest, side);
    auto& left = left_is_short ? side : rest;
    auto& right = left_is_short ? rest : side;
    if (noted.missing_branch == 0) Scan::add(left, missing);
    if (noted.missing_branch == 1) Scan::add(right, missing);
    scan.tell_tally(left, noted.outcome);
    scan.tell_tally(right, noted.outcome);
    if (noted.missing_branch == 2) scan.tell_tally(missing, noted.outcome);
  }

  // The same of all cuts of a column, each a step beyond the one before.
  template <class Scan, class Index>
  static void tell_cuts(const Scan& scan, const ListView<Index>& list, const Arrangements& ways,
                        std::vector<NotedCut>& cuts) {
    const std::int32_t n = ways.own_branch && list.n_known < list.n ? 3 : 2;
    if constexpr (requires(std::span<const Run> runs) { scan.tell(list, runs, n, cuts[0].noted.outcome); }) {
      for (auto& [candidate, noted] : cuts) {
        const Run runs[] = {{0, candidate.n_left, 0},
                            {candidate.n_left, list.n_known, 1},
                            {list.n_known, list.n, noted.missing_branch}};
        scan.tell(list, std::span<const Run>(runs), n, noted.outcome);
      }
    } else {
      const auto missing = scan.tally_of(list.slot + list.n_known, list.n - list.n_known);
      auto left = scan.no_tally(), right = scan.tally_of(list.slot, list.n_known);
      std::uint32_t passed = 0;
      for (auto& [candidate, noted] : cuts) {
        const auto step = scan.tally_of(list.slot + passed, candidate.n_left - passed);
        passed = candidate.n_left;
        Scan::add(left, step);
        Scan::subtract(right, step);
        std::vector<std::remove_cvref_t<decltype(left)>> tallies{left, right};
        if (n == 3) tallies.push_back(missing);
        if (noted.missing_branch == 0 || noted.missing_branch == 1)
          Scan::add(tallies[static_cast<std::size_t>(noted.missing_branch)], missing);
        for (const auto& tally : tallies) scan.tell_tally(tally, noted.outcome);
      }
    }
  }

  std::vector<NotedColumn> columns_;
};

}  // namespace treewright
