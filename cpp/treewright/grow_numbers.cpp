#include <stdexcept>

#include "treewright/absolute_scan.hpp"  // for AbsoluteScan
#include "treewright/block_growth.hpp"   // for BlockGrowth
#include "treewright/growth.hpp"
#include "treewright/two_sum_scan.hpp"  // for TwoSumScan

namespace treewright {
namespace {

// Whether weights are stored is settled here, once.
template <bool kWeighted>
struct NumberGrowth : BlockGrowth {
  Tree grow_by_criterion() {
    switch (recipe.criterion) {
      case Criterion::Variance:
        return grow_sums<SquaredDistance>();
      case Criterion::Poisson:
        return grow_sums<PoissonDeviance>();
      case Criterion::AbsoluteError:
        return grow(AbsoluteScan<kWeighted>(recipe.leaf_value));
      default:
        throw std::invalid_argument("no criterion of numbers");
    }
  }

  template <class NumberCriterion>
  Tree grow_sums() {
    using Kind = Numbers<kWeighted, NumberCriterion>;
    return grow(TwoSumScan<Kind>(Kind(recipe.leaf_value, parts_in_two())),
                reference_of<NumberCriterion>(target));
  }
};

}  // namespace

Tree grow_numbers(const Growth& growth) {
  return growth.target.weights.all_equal() ? NumberGrowth<false>{{growth}}.grow_by_criterion()
                                           : NumberGrowth<true>{{growth}}.grow_by_criterion();
}

}  // namespace treewright
