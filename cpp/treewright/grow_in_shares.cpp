#include <bit>
#include <cmath>
#include <stdexcept>

#include "treewright/absolute_scan.hpp"   // for AbsoluteScan
#include "treewright/class_criteria.hpp"  // for MisclassificationOfClasses and its kin
#include "treewright/class_scan.hpp"      // for ClassScan
#include "treewright/growth.hpp"
#include "treewright/quinlan_scan.hpp"   // for QuinlanScan
#include "treewright/shared_engine.hpp"  // for SharedEngine
#include "treewright/two_sum_scan.hpp"   // for TwoSumScan

namespace treewright {
namespace {

// Weights in units so fine that shares of shares of them are still large whole numbers.
Target in_fine_units(const Target& target, Limits& limits) {
  auto fine = target;
  auto& weights = fine.weights;
  const int shift =
      std::max(0, 58 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(weights.total))));
  if (weights.all_equal()) {
    weights.of_slot.assign(static_cast<std::size_t>(weights.total), 1);
    weights.given.assign(static_cast<std::size_t>(weights.total), weights.unit);
  }
  for (auto& weight : weights.of_slot) weight <<= shift;
  weights.total <<= shift;
  weights.unit = std::ldexp(weights.unit, -shift);
  // What a side must weigh may be what it weighs but for the rounding of shares.
  const auto rounded = static_cast<std::int64_t>(1e-6 / weights.unit);
  for (auto* limit : {&limits.min_weight_leaf, &limits.min_weight_split}) {
    if (*limit > 0) *limit = std::max<std::int64_t>(1, (*limit << shift) - rounded);
  }
  return fine;
}

struct SharedGrowth : Growth {
  template <class Scan>
  Tree grow(const Scan& scan, double reference = 0) {
    SharedEngine<Scan> engine(table, target, scan, recipe, pool);
    std::vector<Sprout> sprouts;
    sprouts.push_back(grow_trunk(engine));
    return flatten(sprouts, target.weights.unit, reference, recipe.criterion, recipe.keeps_ledger);
  }

  template <class Scan>
  Tree grow_with_logs(Scan scan) {
    const auto logs = x_log_x_table(0);  // shares are no small whole numbers
    scan.impurity.share_table(&logs);
    return grow(scan);
  }

  template <class NumberCriterion>
  Tree grow_numbers() {
    using Kind = Numbers<true, NumberCriterion>;
    return grow(TwoSumScan<Kind>(Kind(recipe.leaf_value)), reference_of<NumberCriterion>(target));
  }

  Tree grow_by_criterion() {
    if (recipe.ranking == Ranking::AboveAverageGain)
      return grow_with_logs(QuinlanScan<true>(recipe.quinlan, recipe.categories));
    switch (recipe.criterion) {
      case Criterion::Gini:
        if (target.n_classes == 2) return grow(TwoSumScan<TwoClasses<true>>{});
        return grow(ClassScan<GiniOfClasses<true>, true>{});
      case Criterion::Entropy:
        return grow_with_logs(ClassScan<EntropyOfClasses, true>{});
      case Criterion::Misclassification:
        return grow(ClassScan<MisclassificationOfClasses, true>{});
      case Criterion::TaylorEntropy:
        return grow(ClassScan<TaylorEntropyOfClasses<true>, true>{});
      case Criterion::Twoing:
        return grow(ClassScan<TwoingOfClasses, true>{});
      case Criterion::GainRatio:
        return grow_with_logs(ClassScan<GainRatioOfClasses, true>{});
      case Criterion::Variance:
        return grow_numbers<SquaredDistance>();
      case Criterion::Poisson:
        return grow_numbers<PoissonDeviance>();
      case Criterion::AbsoluteError:
        return grow(AbsoluteScan<true>(recipe.leaf_value));
      case Criterion::Function:
        break;  // `check` has refused it
    }
    throw std::invalid_argument("no such criterion");
  }
};

}  // namespace

Tree grow_in_shares(const Growth& growth) {
  auto recipe = growth.recipe;
  recipe.tie = 0x1p-33;  // shares are rounded
  const auto target = in_fine_units(growth.target, recipe.limits);
  return SharedGrowth{{growth.table, target, recipe, growth.pool, growth.watch}}.grow_by_criterion();
}

}  // namespace treewright
