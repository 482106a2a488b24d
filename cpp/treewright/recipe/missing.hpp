// Policies for missing values, and how they affect the score of a split.
#pragma once

#include "treewright/standard.hpp"

namespace treewright {

// Where rows with a missing value go.
enum class Missing : std::uint8_t {
  Learned,    // both sides are tried with every cut, and "known | missing" as one more cut
  Majority,   // to the heavier branch; cuts are scored on the rows with a value
  OwnBranch,  // to a branch of their own, the last one
  Surrogate,  // where the best surrogate with a known value sends them; cuts are scored as for Majority (if
              // no surrogate has one: to the heavier branch or, if the recipe says so, nowhere)
  Spread,     // down every branch, with a share of their weight; cuts are scored as for Majority
  Refuse,     // missing values are not allowed
};

// How missing values lower the gain of a column if they are spread; `share`: of the weight, with no value.
enum class Penalty : std::uint8_t { Linear, Quadratic, None };

constexpr double factor_of(Penalty penalty, double share) {
  return penalty == Penalty::Linear ? 1 - share : penalty == Penalty::Quadratic ? 1 - share * share : 1;
}

// The factor that remains if scores are sums over the rows with a value, which contain 1 - share already.
constexpr double beyond_linear(Penalty penalty, double share) {
  return penalty == Penalty::Linear ? 1 : penalty == Penalty::Quadratic ? 1 + share : 1 / (1 - share);
}

// How rows with a missing value are scored; by default on either side of every cut, and against all others.
struct Arrangements {
  bool known_only = false;  // they are left out of the score
  bool own_branch = false;  // ... but a branch of their own adds its share of the gain
};

constexpr Arrangements arrangements(Missing policy) {
  return {.known_only = policy != Missing::Learned && policy != Missing::Refuse,
          .own_branch = policy == Missing::OwnBranch};
}

}  // namespace treewright
