// May this node be split, and may this cut exist? Plain numbers, asked by the grower and the scan only.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace treewright {

// What is known of a node before its columns are looked at.
struct NodeStatistics {
  std::int64_t rows = 0;
  std::int64_t weight = 0;  // in units of Weights::unit
  bool is_pure = false;
  double impurity = 1;  // only kept up where Limits::min_impurity asks for it
};

// Why a node is a leaf; the ledger tells.
enum class Stop : std::uint8_t {
  None,  // it asks a question
  Empty,
  Pure,
  MaxDepth,
  TooFewRows,       // to be split
  TooFewForLeaves,  // ... into leaves as large as they must be
  TooLight,         // the same, of weights
  PureEnough,
  NoQuestion,  // no column has one
  TooLittleGain,
  LeavesSpent,  // other nodes took what the limit on leaves allows
};

struct Limits {
  std::int64_t max_depth = -1;  // -1: none
  std::int64_t min_rows_split = 2;
  std::int64_t min_rows_leaf = 1;
  double least_leaf = 0, least_split = 0;  // weights, as they are asked for
  std::int64_t min_weight_leaf = 0;        // ... in units of Weights::unit
  std::int64_t min_weight_split = 0;
  std::int64_t max_leaves = -1;  // -1: none
  double min_gain = 0;
  bool needs_gain = false;  // a split that gains nothing is none
  double min_impurity = 0;

  bool operator==(const Limits&) const = default;

  // Weights that miss a limit by `rounded` reach it.
  void measure_in(double unit, double rounded = 0) {
    const auto in_units = [&](double least) {
      if (!(least > 0)) return std::int64_t{0};
      // More than any node weighs, and twice that is still a whole number of 64 bits.
      return static_cast<std::int64_t>(std::clamp(std::ceil((least - rounded) / unit), 1.0, 0x1p61));
    };
    min_weight_leaf = in_units(least_leaf);
    min_weight_split = in_units(least_split);
  }

  bool closes(const NodeStatistics& facts, std::int64_t depth) const {
    return why_closed(facts, depth) != Stop::None;
  }

  Stop why_closed(const NodeStatistics& facts, std::int64_t depth) const {
    if (facts.rows == 0) return Stop::Empty;
    if (facts.is_pure) return Stop::Pure;
    if (depth == max_depth) return Stop::MaxDepth;
    if (facts.rows < min_rows_split) return Stop::TooFewRows;
    if (facts.rows < 2 * min_rows_leaf) return Stop::TooFewForLeaves;
    if (facts.weight < min_weight_split || facts.weight < 2 * min_weight_leaf) return Stop::TooLight;
    return facts.impurity <= min_impurity ? Stop::PureEnough : Stop::None;
  }

  bool allows_weights(std::int64_t left, std::int64_t right) const {
    return left >= min_weight_leaf && right >= min_weight_leaf;
  }

  // A gain that misses the bound by rounding alone passes; scikit-learn's trees are grown so.
  // Where a gain is asked for, one that rounding may have made is none.
  bool allows_gain(double gain) const {
    return gain + 2.220446049250313e-16 >= min_gain && !(needs_gain && gain <= 0x1p-46);
  }
};

}  // namespace treewright
