#include <stdexcept>

#include "treewright/absolute_scan.hpp"   // for AbsoluteScan
#include "treewright/class_criteria.hpp"  // for MisclassificationOfClasses and its kin
#include "treewright/class_entropy.hpp"   // for EntropyOfClasses, GainRatioOfClasses
#include "treewright/class_gini.hpp"      // for GiniOfClasses
#include "treewright/class_scan.hpp"      // for ClassScan
#include "treewright/growth.hpp"
#include "treewright/quinlan_scan.hpp"   // for QuinlanScan
#include "treewright/shared_engine.hpp"  // for SharedEngine
#include "treewright/two_sum_scan.hpp"   // for TwoSumScan
#include "treewright/weights.hpp"        // for in_fine_units

namespace treewright {
namespace {

constexpr double kRounded = 1e-6;  // of shares: what a side must weigh may be what it weighs but for that

struct SharedGrowth : Growth {
  template <class Scan>
  Tree grow(const Scan& scan, double reference = 0) {
    SharedEngine<Scan> engine(table, target, scan, recipe, pool);
    std::vector<Sprout> sprouts;
    sprouts.push_back(grow_trunk(engine));
    return flatten(sprouts, target.weights.unit, reference, recipe, pool);
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
  auto target = growth.target;
  target.weights = in_fine_units(std::move(target.weights));
  recipe.limits.measure_in(target.weights.unit, kRounded);
  if (recipe.limits_once_unknown) recipe.limits_once_unknown->measure_in(target.weights.unit, kRounded);
  const Growth in_shares{growth.table, target, recipe, growth.pool, growth.watch};
  if (recipe.ranking == Ranking::AboveAverageGain && is_grown_by_codes(recipe))
    return grow_quinlan_in_shares(in_shares);
  return SharedGrowth{in_shares}.grow_by_criterion();
}

}  // namespace treewright
