// One choice per seam, in the core's words.
#pragma once

#include <cstdint>

#include "treewright/category_search.hpp"     // for Categories
#include "treewright/function_criterion.hpp"  // for ScoreCuts
#include "treewright/limits.hpp"              // for Limits
#include "treewright/missing.hpp"             // for Missing

namespace treewright {

enum class Criterion : std::uint8_t {
  Gini,
  Entropy,
  Misclassification,
  TaylorEntropy,
  Twoing,
  GainRatio,
  Variance,  // from here on of numbers
  Poisson,
  AbsoluteError,
  Function,  // the caller's, of either
};
enum class Choice : std::uint8_t { Best, Random };     // of the cut inside a column
enum class LeafValue : std::uint8_t { Mean, Median };  // what a node answers where targets are numbers
enum class Order : std::uint8_t { Depth, Breadth, Best };

struct Recipe {
  Criterion criterion = Criterion::Gini;
  ScoreCuts function;  // where the criterion is one
  Choice choice = Choice::Best;
  Categories categories = Categories::Subset;
  Missing missing = Missing::Learned;
  Order order = Order::Depth;
  LeafValue leaf_value = LeafValue::Mean;
  Limits limits;
  std::int64_t max_columns = -1;  // columns drawn per node; -1: all
  std::uint64_t seed = 0;
};

}  // namespace treewright
