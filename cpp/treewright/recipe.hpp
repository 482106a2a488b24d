// One choice per seam, in the core's words.
#pragma once

#include <cstdint>
#include <vector>

#include "treewright/category_search.hpp"  // for Categories
#include "treewright/limits.hpp"           // for Limits
#include "treewright/missing.hpp"          // for Missing

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
};
enum class Choice : std::uint8_t { Best, Random };     // of the cut inside a column
enum class LeafValue : std::uint8_t { Mean, Median };  // what a node answers where targets are numbers
enum class Order : std::uint8_t { Depth, Breadth, Best };

struct Recipe {
  Criterion criterion = Criterion::Gini;
  Choice choice = Choice::Best;
  Categories categories = Categories::Subset;
  Missing missing = Missing::Learned;
  Order order = Order::Depth;
  LeafValue leaf_value = LeafValue::Mean;
  Limits limits;
  std::vector<std::int8_t> monotone;  // direction by column, as in `Monotone`; empty: none asked
  std::int64_t max_columns = -1;      // columns drawn per node; -1: all
  std::uint64_t seed = 0;

  bool is_monotone() const { return !monotone.empty(); }
  std::int8_t direction(std::size_t column) const {
    return is_monotone() ? monotone[column] : std::int8_t{0};
  }
};

}  // namespace treewright
