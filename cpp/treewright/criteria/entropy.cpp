#include "treewright/criteria/classes.hpp"    // for EntropyOfClasses, GainRatioOfClasses
#include "treewright/criteria/criterion.hpp"  // for criterion_of_classes

namespace treewright {
namespace {

const RegisterCriterion entropy(criterion_of_classes<EntropyOfClasses>("entropy"));
const RegisterCriterion gain_ratio(criterion_of_classes<GainRatioOfClasses>("gain_ratio"));

}  // namespace
}  // namespace treewright
