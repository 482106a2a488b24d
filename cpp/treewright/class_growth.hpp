// Growth by criteria of classes, each compiled in a file of its own: every scan is compiled for three blocks,
// with weights and without, and that takes a while.
#pragma once

#include "treewright/block_growth.hpp"  // for BlockGrowth
#include "treewright/class_gini.hpp"    // for inverse_table
#include "treewright/growth.hpp"        // for Growth

namespace treewright {

Tree grow_gini(const Growth& growth);
Tree grow_entropy(const Growth& growth);
Tree grow_misclassification(const Growth& growth);
Tree grow_taylor_entropy(const Growth& growth);
Tree grow_twoing(const Growth& growth);
Tree grow_gain_ratio(const Growth& growth);

template <class Scan>
Tree grow_by(BlockGrowth growth, Scan scan) {
  if constexpr (requires { scan.parts_in_two; }) {
    scan.parts_in_two =
        growth.recipe.categories != Categories::Multiway && growth.recipe.missing != Missing::OwnBranch;
  }
  if constexpr (requires { scan.impurity.share_inverses(nullptr); }) {
    const auto inverses = inverse_table(growth.most_logs());
    scan.impurity.share_inverses(&inverses);
    return growth.grow(scan);
  } else if constexpr (requires { scan.impurity.share_table(nullptr); }) {
    const auto logs = x_log_x_table(growth.most_logs());
    scan.impurity.share_table(&logs);
    return growth.grow(scan);
  } else {
    return growth.grow(scan);
  }
}

// Whether weights are stored is settled here, once.
template <class OfEqual, class OfWeighted>
Tree grow_by_either(const Growth& growth) {
  return growth.target.weights.all_equal() ? grow_by({growth}, OfEqual{}) : grow_by({growth}, OfWeighted{});
}

}  // namespace treewright
