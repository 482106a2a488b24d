#include "treewright/criteria/class_criterion.hpp"  // for criterion_of_classes
#include "treewright/criteria/classes.hpp"          // for MisclassificationOfClasses and its kin

namespace treewright {
namespace {

const RegisterCriterion misclassified(criterion_of_classes<MisclassificationOfClasses>("misclassification"));
const RegisterCriterion taylor(
    criterion_of_classes<TaylorEntropyOfClasses<false>, TaylorEntropyOfClasses<true>>("taylor_entropy"));
const RegisterCriterion twoing(criterion_of_classes<TwoingOfClasses>("twoing"));

}  // namespace
}  // namespace treewright
