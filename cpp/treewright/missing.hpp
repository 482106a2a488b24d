// Where the rows without a value go.
#pragma once

#include <cstdint>

namespace treewright {

enum class Missing : std::uint8_t {
  Learned,  // both sides are tried with every cut, and "known | missing" as one more cut
  Refuse,   // there may be none
};

// Which arrangements of the rows without a value are scored with a cut.
struct Arrangements {
  bool right = true;   // with the branch above the cut
  bool left = false;   // with the branch at or below it
  bool alone = false;  // known values to branch 0, missing ones to branch 1
};

constexpr Arrangements arrangements(Missing policy) {
  switch (policy) {
    case Missing::Learned:
      return {.right = true, .left = true, .alone = true};
    case Missing::Refuse:
      return {};
  }
  return {};
}

// Branch of a value that is missing at prediction though none was missing in the node: the larger one,
// the right one when equal (as scikit-learn does).
constexpr int larger_branch(std::int64_t rows_left, std::int64_t rows_right) {
  return rows_left > rows_right ? 0 : 1;
}

}  // namespace treewright
