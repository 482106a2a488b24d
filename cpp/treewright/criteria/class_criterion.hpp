// Combines a criterion of classes with its search by class weights.
#pragma once

#include "treewright/criteria/registry.hpp"  // for CriterionEntry
#include "treewright/engine/grow.hpp"        // for Growth
#include "treewright/search/classes.hpp"     // for ClassScan
#include "treewright/search/scan_of.hpp"     // for scan_of

namespace treewright {

template <class OfEqual, class OfWeighted>
std::unique_ptr<Scan<std::uint32_t>> scan_classes(const Growth& growth) {
  return by_weights(growth.target, [&]<class Weighted>(Weighted) {
    using Impurity = std::conditional_t<Weighted::value, OfWeighted, OfEqual>;
    return scan_of<ClassScan<std::uint32_t, Impurity, Weighted>>(growth.target);
  });
}

// `Impurity<kWeighted>` if weights need wider integers, the same type twice if they do not.
template <class OfEqual, class OfWeighted = OfEqual>
CriterionEntry criterion_of_classes(std::string_view word) {
  return {.word = word,
          .of_classes = true,
          .is_ratio = OfEqual::kIsRatio,
          .make_scan = scan_classes<OfEqual, OfWeighted>,
          .impurity = OfEqual::impurity};
}

}  // namespace treewright
