#include <stdexcept>

#include "treewright/block_growth.hpp"    // for BlockGrowth
#include "treewright/class_criteria.hpp"  // for MisclassificationOfClasses and its kin
#include "treewright/class_scan.hpp"      // for ClassScan
#include "treewright/growth.hpp"
#include "treewright/two_sum_scan.hpp"  // for TwoSumScan

namespace treewright {
namespace {

// Whether weights are stored is settled here, once.
template <bool kWeighted>
struct ClassGrowth : BlockGrowth {
  Tree grow_by_criterion() {
    switch (recipe.criterion) {
      case Criterion::Gini:
        if (target.n_classes == 2) return grow(TwoSumScan<TwoClasses<kWeighted>>{});
        return grow(ClassScan<GiniOfClasses<kWeighted>, kWeighted>{});
      case Criterion::Entropy:
        return grow_with_logs(ClassScan<EntropyOfClasses, kWeighted>{});
      case Criterion::Misclassification:
        return grow(ClassScan<MisclassificationOfClasses, kWeighted>{});
      case Criterion::TaylorEntropy:
        return grow(ClassScan<TaylorEntropyOfClasses<kWeighted>, kWeighted>{});
      case Criterion::Twoing:
        return grow(ClassScan<TwoingOfClasses, kWeighted>{});
      case Criterion::GainRatio:
        return grow_with_logs(ClassScan<GainRatioOfClasses, kWeighted>{});
      default:
        throw std::invalid_argument("no criterion of classes");
    }
  }

  template <class Scan>
  Tree grow_with_logs(Scan scan) {
    const auto logs = x_log_x_table(most_logs());
    scan.impurity.share_table(&logs);
    return grow(scan);
  }
};

}  // namespace

Tree grow_classes(const Growth& growth) {
  return growth.target.weights.all_equal() ? ClassGrowth<false>{{growth}}.grow_by_criterion()
                                           : ClassGrowth<true>{{growth}}.grow_by_criterion();
}

}  // namespace treewright
