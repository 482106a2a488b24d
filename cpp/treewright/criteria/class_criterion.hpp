// A criterion of classes, put together: its search by class weights, and its counts of values.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "treewright/criteria/registry.hpp"    // for CriterionEntry
#include "treewright/engine/growth.hpp"        // for Growth
#include "treewright/engine/tally_engine.hpp"  // for TallyEngine
#include "treewright/engine/value_counts.hpp"  // for ClassCounts
#include "treewright/search/classes.hpp"       // for ClassScan
#include "treewright/search/scan_of.hpp"       // for scan_of

namespace treewright {

// A search, with what it shares with those of other widths.
template <class Impurity, bool kWeighted>
ClassScan<Impurity, kWeighted> search_classes(const Growth& growth) {
  ClassScan<Impurity, kWeighted> search;
  search.parts_in_two =
      growth.recipe.categories != Categories::Multiway && growth.recipe.missing != Missing::OwnBranch;
  if constexpr (requires { search.impurity.share_inverses(nullptr); })
    search.impurity.share_inverses(growth.inverses());
  if constexpr (requires { search.impurity.share_table(nullptr); })
    search.impurity.share_table(growth.logs());
  search.take(growth.target);
  return search;
}

template <class OfEqual, class OfWeighted>
std::unique_ptr<Scan<std::uint32_t>> scan_classes(const Growth& growth) {
  if (growth.target.weights.all_equal()) return scan_of(search_classes<OfEqual, false>(growth));
  return scan_of(search_classes<OfWeighted, true>(growth));
}

template <class Counts>
std::vector<GrowingTree> grow_by_counts(const Growth& growth, Counts counts,
                                        std::unique_ptr<Scan<std::uint32_t>> scan) {
  TallyEngine<Counts> engine(growth.table, std::move(counts), growth.target.n_classes, std::move(scan),
                             growth.recipe, growth.pool, growth.watch);
  std::vector<GrowingTree> parts;
  parts.push_back(growth.grow_root(engine));
  for (auto& subtree : engine.subtrees()) parts.push_back(std::move(subtree));
  return parts;
}

template <class Impurity>
std::vector<GrowingTree> grow_class_counts(const Growth& growth) {
  auto search = search_classes<Impurity, false>(growth);
  ClassCounts<Impurity> counts;
  counts.take(growth.target, search.impurity);
  return grow_by_counts(growth, std::move(counts), scan_of(std::move(search)));
}

// `Impurity<kWeighted>` where weights call for wider numbers, the same type twice where they do not.
template <class OfEqual, class OfWeighted = OfEqual>
CriterionEntry criterion_of_classes(std::string_view word) {
  return {.word = word,
          .of_classes = true,
          .is_ratio = OfEqual::kIsRatio,
          .make_scan = scan_classes<OfEqual, OfWeighted>,
          .grow_counted = grow_class_counts<OfEqual>,
          .impurity = OfEqual::impurity};
}

}  // namespace treewright
