#include "treewright/class_entropy.hpp"  // for EntropyOfClasses
#include "treewright/class_growth.hpp"
#include "treewright/class_scan.hpp"  // for ClassScan

namespace treewright {

Tree grow_entropy(const Growth& growth) {
  return grow_by_either<ClassScan<EntropyOfClasses, false>, ClassScan<EntropyOfClasses, true>>(growth);
}

}  // namespace treewright
