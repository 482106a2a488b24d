// What the ledger keeps of a column's question: where it cuts, and its branches, told from the rows while
// they are at hand.
#pragma once

#include "treewright/engine/lists.hpp"   // for for_each_category
#include "treewright/recipe/recipe.hpp"  // for Recipe
#include "treewright/search/scan.hpp"    // for Scan, Run, ToldCuts, ListView
#include "treewright/table/table.hpp"    // for Table
#include "treewright/tree/tree.hpp"      // for Noted

namespace treewright {

template <class Block>
struct LedgerWriter {
  using Index = typename Block::Index;

  const Block& block;
  const Scan<Index>& scan;
  const Recipe& recipe;
  const Arrangements& arrangements;

  // Where a candidate cuts a numeric column; `known` is its list.
  Cut cut_of(std::size_t column, std::span<const Index> known, const Candidate& candidate) const {
    if (candidate.has_cut) return candidate.cut;
    if (candidate.n_left == known.size()) return kEveryKnownValue;
    const auto low = block.row(known[candidate.n_left - 1]), high = block.row(known[candidate.n_left]);
    const auto cut = block.table().columns[column].between(low, high);
    return recipe.cut_at == CutAt::Observed ? block.table().observed(column, cut) : cut;
  }

  // Branches are told from the rows while they are at hand.
  void note_best(const ListView<Index>& list, std::size_t column, const Candidate& best,
                 const Grouping& grouping, Noted& noted) const {
    noted.clear();
    noted.missing = static_cast<double>(weight_of_missing(list));
    if (!best.has_figures()) return;
    if (list.n_categories == 0) {
      ToldCuts none;
      return note_cut(list, column, best, none, noted);
    }
    noted.gain = scan.gain(best.decrease);
    std::vector<Run> runs;
    for_each_category(block, column, list.known(), [&](auto code, std::size_t begin, std::size_t end) {
      const auto branch = grouping.branch_of_bucket[runs.size()];
      runs.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), branch});
      noted.branch_of_code.add(code, branch);
    });
    auto n_branches = grouping.n_branches;
    if (list.n_known < list.n) {
      const auto joined =
          grouping.is_each_apart ? static_cast<std::int32_t>(best.n_left) : !best.missing_left;
      noted.missing_branch = branch_of_missing(joined, n_branches);
      n_branches += arrangements.own_branch;
      runs.push_back({list.n_known, list.n, noted.missing_branch});
    }
    scan.tell_branches(list, runs, n_branches, noted.outcome);
  }

  void note_cut(const ListView<Index>& list, std::size_t column, const Candidate& cut, ToldCuts& told,
                Noted& noted) const {
    noted.gain = scan.gain(cut.decrease);
    noted.cut = cut_of(column, list.known(), cut);
    if (list.n_known < list.n) noted.missing_branch = branch_of_missing(!cut.missing_left, 2);
    scan.tell_cut(list, cut, told, noted);
  }

  std::int32_t branch_of_missing(std::int32_t joined, std::int32_t n_branches) const {
    return arrangements.own_branch ? n_branches : arrangements.known_only ? -1 : joined;
  }

  std::int64_t weight_of_missing(const ListView<Index>& list) const {
    std::int64_t weight = 0;
    for (const auto slot : list.missing()) weight += scan.weight_of(slot);
    return weight;
  }
};

}  // namespace treewright
