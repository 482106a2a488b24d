// A criterion of the caller's: a function that scores all cuts of a column at once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace treewright {

// The rows of a node in the order of a column, and the cuts to score.
struct CutsToScore {
  std::span<const double> numbers;        // the targets; empty where they are classes
  std::span<const std::int64_t> classes;  // codes; empty where they are numbers
  std::span<const double> weights;        // as the caller gave them
  std::span<const std::int64_t> cuts;     // rows on the left of each
};

// Writes by how much each cut lowers weight times impurity: the largest wins. NaN or minus infinity: not this
// one.
using ScoreCuts = std::function<void(const CutsToScore&, std::span<double> scores)>;

}  // namespace treewright
