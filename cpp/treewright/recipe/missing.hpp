// Policies for missing values, and what they make of the score of a split.
#pragma once

#include "treewright/standard.hpp"

namespace treewright {

// Where the rows without a value go.
enum class Missing : std::uint8_t {
  Learned,    // both sides are tried with every cut, and "known | missing" as one more cut
  Majority,   // with the heavier branch; cuts are scored on the rows with a value
  OwnBranch,  // a branch of their own, the last one
  Surrogate,  // where the best surrogate that is known sends them; cuts are scored as for Majority
              // (where none is known: with the heavier branch, or, if the recipe says so, nowhere)
  Spread,     // down every branch, with a share of their weight; cuts are scored as for Majority
  Refuse,     // there may be none
};

// By how much gaps lower the gain of a column where they are spread; `share` of the weight has no value.
enum class Penalty : std::uint8_t { Linear, Quadratic, None };

constexpr double factor_of(Penalty penalty, double share) {
  return penalty == Penalty::Linear ? 1 - share : penalty == Penalty::Quadratic ? 1 - share * share : 1;
}

// What is left of it where scores are sums over the rows with a value, which hold the factor 1 - share.
constexpr double beyond_linear(Penalty penalty, double share) {
  return penalty == Penalty::Linear ? 1 : penalty == Penalty::Quadratic ? 1 + share : 1 / (1 - share);
}

// Whether the rows without a value are scored, and then on either side of every cut, and against all others.
struct Arrangements {
  bool known_only = false;  // they are left out of the score
  bool own_branch = false;  // ... but earn a branch of their own its share of the gain
};

constexpr Arrangements arrangements(Missing policy) {
  return {.known_only = policy != Missing::Learned && policy != Missing::Refuse,
          .own_branch = policy == Missing::OwnBranch};
}

}  // namespace treewright
