#include "treewright/class_criteria.hpp"  // for TwoingOfClasses
#include "treewright/class_growth.hpp"
#include "treewright/class_scan.hpp"  // for ClassScan

namespace treewright {

Tree grow_twoing(const Growth& growth) {
  return grow_by_either<ClassScan<TwoingOfClasses, false>, ClassScan<TwoingOfClasses, true>>(growth);
}

}  // namespace treewright
