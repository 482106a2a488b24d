#include "treewright/criteria/classes.hpp"    // for MisclassificationOfClasses and its kin
#include "treewright/criteria/criterion.hpp"  // for criterion_of_classes

namespace treewright {
namespace {

const RegisterCriterion misclassified(criterion_of_classes<MisclassificationOfClasses>("misclassification"));
const RegisterCriterion taylor(
    criterion_of_classes<TaylorEntropyOfClasses<false>, TaylorEntropyOfClasses<true>>("taylor_entropy"));
const RegisterCriterion twoing(criterion_of_classes<TwoingOfClasses>("twoing"));

}  // namespace
}  // namespace treewright
