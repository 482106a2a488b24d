#include "treewright/class_criteria.hpp"  // for MisclassificationOfClasses
#include "treewright/class_growth.hpp"
#include "treewright/class_scan.hpp"  // for ClassScan

namespace treewright {

Tree grow_misclassification(const Growth& growth) {
  return grow_by_either<ClassScan<MisclassificationOfClasses, false>,
                        ClassScan<MisclassificationOfClasses, true>>(growth);
}

}  // namespace treewright
