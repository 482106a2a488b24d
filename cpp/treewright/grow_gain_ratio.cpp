#include "treewright/class_entropy.hpp"  // for GainRatioOfClasses
#include "treewright/class_growth.hpp"
#include "treewright/class_scan.hpp"  // for ClassScan

namespace treewright {

Tree grow_gain_ratio(const Growth& growth) {
  return grow_by_either<ClassScan<GainRatioOfClasses, false>, ClassScan<GainRatioOfClasses, true>>(growth);
}

}  // namespace treewright
