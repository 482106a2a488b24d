// Where the rows without a value go.
#pragma once

#include <cstdint>

namespace treewright {

enum class Missing : std::uint8_t {
  Learned,    // both sides are tried with every cut, and "known | missing" as one more cut
  Majority,   // with the heavier branch; cuts are scored on the rows with a value
  OwnBranch,  // a branch of their own, the last one
  Refuse,     // there may be none
};

// Which arrangements of the rows without a value are scored with a cut.
struct Arrangements {
  bool left = false;        // with the branch at or below the cut, besides the one above it
  bool alone = false;       // known values to branch 0, missing ones to branch 1
  bool known_only = false;  // the rows without a value are left out of the score
  bool own_branch = false;  // ... but earn a branch of their own its share of the gain
};

constexpr Arrangements arrangements(Missing policy) {
  switch (policy) {
    case Missing::Learned:
      return {.left = true, .alone = true};
    case Missing::Majority:
      return {.known_only = true};
    case Missing::OwnBranch:
      return {.known_only = true, .own_branch = true};
    case Missing::Refuse:
      return {};
  }
  return {};
}

}  // namespace treewright
