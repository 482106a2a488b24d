#include "treewright/class_criteria.hpp"  // for TaylorEntropyOfClasses
#include "treewright/class_growth.hpp"
#include "treewright/class_scan.hpp"  // for ClassScan

namespace treewright {

Tree grow_taylor_entropy(const Growth& growth) {
  return grow_by_either<ClassScan<TaylorEntropyOfClasses<false>, false>,
                        ClassScan<TaylorEntropyOfClasses<true>, true>>(growth);
}

}  // namespace treewright
