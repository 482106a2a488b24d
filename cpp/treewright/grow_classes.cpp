#include <stdexcept>

#include "treewright/class_growth.hpp"  // for grow_gini and its kin
#include "treewright/growth.hpp"

namespace treewright {

Tree grow_classes(const Growth& growth) {
  switch (growth.recipe.criterion) {
    case Criterion::Gini:
      return grow_gini(growth);
    case Criterion::Entropy:
      return grow_entropy(growth);
    case Criterion::Misclassification:
      return grow_misclassification(growth);
    case Criterion::TaylorEntropy:
      return grow_taylor_entropy(growth);
    case Criterion::Twoing:
      return grow_twoing(growth);
    case Criterion::GainRatio:
      return grow_gain_ratio(growth);
    default:
      throw std::invalid_argument("no criterion of classes");
  }
}

}  // namespace treewright
