// A criterion of classes, put together: its search by class weights, and its counts of values.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "treewright/class_scan.hpp"          // for ClassScan
#include "treewright/count_engine.hpp"        // for CountEngine
#include "treewright/criterion_registry.hpp"  // for CriterionEntry
#include "treewright/growth.hpp"              // for Growth
#include "treewright/scan_of.hpp"             // for scan_of
#include "treewright/value_counts.hpp"        // for ClassCounts

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
std::vector<Sprout> grow_by_counts(const Growth& growth, Counts counts,
                                   std::unique_ptr<Scan<std::uint32_t>> scan) {
  CountEngine<Counts> engine(growth.table, std::move(counts), growth.target.n_classes, std::move(scan),
                             growth.recipe, growth.pool, growth.watch);
  std::vector<Sprout> sprouts;
  sprouts.push_back(growth.grow_root(engine));
  for (auto& graft : engine.grafts()) sprouts.push_back(std::move(graft));
  return sprouts;
}

template <class Impurity>
std::vector<Sprout> grow_class_counts(const Growth& growth) {
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
