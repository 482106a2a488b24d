// What the ledger keeps of a column's question: its branches, told from the rows while they are at hand.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/recipe/limits.hpp"       // for Arrangements
#include "treewright/search/categories.hpp"   // for Grouping
#include "treewright/search/scan.hpp"         // for Scan, Run, ToldCuts
#include "treewright/search/split_query.hpp"  // for ListView
#include "treewright/tree/tree.hpp"           // for Noted, NotedColumn

namespace treewright {

// All cuts of a column, and those of them that are allowed, in the same order.
struct OfferedCuts {
  std::span<const Offer> all, allowed;
};

inline void forget(std::size_t n_columns, std::vector<NotedColumn>& columns) {
  columns.resize(n_columns);
  for (auto& column : columns) {
    column.best.clear();
    column.cuts.clear();
  }
}

inline std::int32_t branch_of_missing(const Arrangements& ways, std::int32_t joined,
                                      std::int32_t n_branches) {
  return ways.own_branch ? n_branches : ways.known_only ? -1 : joined;
}

template <class Block, class Index>
void note_categories(const Block& block, const Scan<Index>& scan, const Arrangements& ways,
                     const ListView<Index>& list, std::size_t column, const Candidate& candidate,
                     const Grouping& grouping, Noted& noted) {
  const auto& codes = block.table().columns[column];
  std::vector<Run> runs;
  for (std::uint32_t i = 0; i < list.n_known; ++i) {
    if (i == 0 || !block.same_value(column, list.slot[i - 1], list.slot[i])) {
      const auto branch = grouping.branch_of_bucket[runs.size()];
      runs.push_back({i, i, branch});
      noted.branch_of_code.add(codes.code(block.row(list.slot[i])), branch);
    }
    ++runs.back().end;
  }
  auto n_branches = grouping.n_branches;
  if (list.n_known < list.n) {
    const auto joined = grouping.is_each_apart   ? static_cast<std::int32_t>(candidate.n_left)
                        : candidate.missing_left ? 0
                                                 : 1;
    noted.missing_branch = branch_of_missing(ways, joined, n_branches);
    n_branches += ways.own_branch;
    runs.push_back({list.n_known, list.n, noted.missing_branch});
  }
  scan.tell_branches(list, runs, n_branches, noted.outcome);
}

// `cut_at(candidate)`: where it cuts numbers.
template <class Index, class CutAt>
void note_cut(const Scan<Index>& scan, const Arrangements& ways, const ListView<Index>& list,
              const Candidate& cut, const CutAt& cut_at, ToldCuts& told, Noted& noted) {
  noted.gain = scan.gain(cut.decrease);
  noted.cut = cut_at(cut);
  if (list.n_known < list.n) noted.missing_branch = branch_of_missing(ways, cut.missing_left ? 0 : 1, 2);
  scan.tell_cut(list, cut, told, noted);
}

// Note what a column offers.
template <class Block, class Index, class CutAt>
void note_best(const Block& block, const Scan<Index>& scan, const Arrangements& ways,
               const ListView<Index>& list, std::size_t column, const Candidate& candidate,
               const Grouping& grouping, const CutAt& cut_at, Noted& noted) {
  noted.clear();
  std::int64_t missing = 0;
  for (const auto slot : list.missing()) missing += scan.weight_of(slot);
  noted.missing = static_cast<double>(missing);
  if (!candidate.has_figures()) return;
  if (list.n_categories > 0) {
    noted.gain = scan.gain(candidate.decrease);
    note_categories(block, scan, ways, list, column, candidate, grouping, noted);
  } else {
    ToldCuts none;
    note_cut(scan, ways, list, candidate, cut_at, none, noted);
  }
}

// Note every cut of a numeric column, after its best one. `punish(candidate)`: what gaps take off.
template <class Index, class CutAt, class Punish>
void note_every_cut(const Scan<Index>& scan, const Arrangements& ways, const ListView<Index>& list,
                    const Candidate& best, const OfferedCuts& offered, Verdict forbidden, const CutAt& cut_at,
                    const Punish& punish, NotedColumn& noted_column) {
  noted_column.cuts.clear();  // of a first look
  // What a branch of their own adds for the rows without a value is the same for every cut.
  Merit of_missing = 0;
  for (const auto& offer : offered.all) {
    if (ways.own_branch && best.has_figures() && offer.n_left == best.n_left)
      of_missing = {best.score.worth - offer.merit.worth, best.decrease - offer.merit.decrease};
  }
  auto allowed = offered.allowed.begin();
  ToldCuts told;
  for (const auto& offer : offered.all) {
    auto& [candidate, noted] = noted_column.cuts.emplace_back();
    candidate.n_missing = list.n - list.n_known;
    candidate.information.n_tries = best.information.n_tries;
    candidate.offer(offer.merit, offer.n_left, offer.missing_left);
    candidate.add_worth(of_missing);
    punish(candidate);
    noted.missing = noted_column.best.missing;
    note_cut(scan, ways, list, candidate, cut_at, told, noted);
    if (allowed == offered.allowed.end() || allowed->n_left != offer.n_left ||
        allowed->missing_left != offer.missing_left) {
      candidate.verdict = forbidden;
    } else {
      if (candidate.verdict != Verdict::NoGain) candidate.verdict = Verdict::LowerInColumn;
      ++allowed;
    }
  }
}

}  // namespace treewright
