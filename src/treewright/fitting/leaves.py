"""Turn nodes into leaves, depending on their cost as leaves."""

from dataclasses import replace

import numpy as np

from treewright import _core
from treewright.engines.engine import Grown
from treewright.errors import ParameterError
from treewright.model.records import Float64, Int32
from treewright.model.tree import Tree

# Relative bound on the difference between sums of the same numbers in different orders.
ROUNDING = 2.0**-40


def as_leaves(tree: Tree, nodes: Int32) -> Tree:
    """Turn nodes into leaves; the expected errors of the larger tree are dropped."""
    return with_leaves(Grown(tree), nodes).tree


def with_leaves(grown: Grown, nodes: Int32) -> Grown:
    """Turn nodes of a tree into leaves; rows that ended below such a node now end in it."""
    if not len(nodes):
        return grown
    tree, ends = grown.tree, grown.ends
    kept, *children = _core.cut_at(tree.child_begin, tree.child, nodes)
    if ends is not None:  # nodes are numbered in pre-order: those below a new leaf follow it
        is_kept = np.zeros(tree.n_nodes, dtype=np.int32)
        is_kept[kept] = 1
        ends = (np.cumsum(is_kept, dtype=np.int32) - 1).take(ends)
    fewer = tree.taken(kept, *children)
    return replace(grown, tree=fewer if fewer.errors is None else replace(fewer, errors=None), ends=ends)


def no_worse_as_leaves(
    tree: Tree, as_leaf: Float64, slack: float = 0.0, *, bottom_up: bool = True, strict: bool = False
) -> Int32:
    """Find the nodes that cost no more as leaves than the leaves of their subtrees together.

    Parameters
    ----------
    tree : Tree
        The tree.
    as_leaf : array of float64
        The cost of every node as a leaf, at least 0.
    slack : float
        How much more a node may cost.
    bottom_up : bool
        Whether nodes below that became leaves count with their cost as leaves. If so, the tree in which these
        nodes are leaves has the lowest cost of all pruned trees, and the fewest leaves among those.
    strict : bool
        Whether a node must cost strictly less.
    """
    # Where all costs are 0, "less" must still be false.
    rounding = -ROUNDING * (as_leaf + np.finfo(float).tiny) if strict else ROUNDING * as_leaf
    within = slack + rounding
    return _core.no_worse_as_leaves(tree.child_begin, tree.child, as_leaf, within, bottom_up)


def refuse_unless_errors_count(tree: Tree, method: str) -> None:
    """Reject trees whose quality is not measured by errors."""
    if not tree.is_classifier:
        raise ParameterError(
            f"{method} pruning counts misclassified rows, and this tree predicts numbers; prune it by "
            "'cost-complexity' or 'reduced-error'."
        )
    if tree.loss is not None:
        raise ParameterError(
            f"{method} pruning counts errors as if all cost the same, and this tree was grown by a loss "
            "matrix; prune it by 'reduced-error', or by 'cost-complexity' with scoring='loss'."
        )
