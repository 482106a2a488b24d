#include "treewright/class_gini.hpp"  // for GiniOfClasses, inverse_table
#include "treewright/class_growth.hpp"
#include "treewright/class_scan.hpp"    // for ClassScan
#include "treewright/two_sum_scan.hpp"  // for TwoSumScan

namespace treewright {

Tree grow_gini(const Growth& growth) {
  if (growth.target.n_classes == 2)
    return grow_by_either<TwoSumScan<TwoClasses<false>>, TwoSumScan<TwoClasses<true>>>(growth);
  return grow_by_either<ClassScan<GiniOfClasses<false>, false>, ClassScan<GiniOfClasses<true>, true>>(growth);
}

}  // namespace treewright
