"""Nodes that become leaves, by what they cost as leaves."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.errors import ParameterError
from treewright.model.tree import Tree

# Sums of the same numbers in another order differ by less, as a part of the sum.
ROUNDING = 2.0**-40


def as_leaves(tree: Tree, nodes: NDArray[np.int32]) -> Tree:
    """Turn nodes into leaves; what was to be expected of the tree as it was does not hold any more."""
    if not len(nodes):
        return tree
    fewer = tree.collapsed(nodes)
    return fewer if fewer.errors is None else replace(fewer, errors=None)


def leaves_where_no_worse(
    tree: Tree, as_leaf: NDArray[np.float64], slack: float = 0.0, *, bottom_up: bool = True
) -> Tree:
    """Turn nodes into leaves where they cost no more than their leaves do together.

    Parameters
    ----------
    tree : Tree
        Left unchanged.
    as_leaf : array of float64
        What every node costs as a leaf, at least 0.
    slack : float
        By how much a node may cost more.
    bottom_up : bool
        Whether what became a leaf below counts with what it costs then. If so, the tree that is left costs
        least among all pruned ones, and has the fewest leaves among those that cost least.
    """
    within = slack + ROUNDING * as_leaf
    return as_leaves(tree, _core.no_worse_as_leaves(tree.child_begin, tree.child, as_leaf, within, bottom_up))


def errors_as_leaves(tree: Tree) -> NDArray[np.float64]:
    """Weight of the training rows of every node that are not of the class it answers with."""
    right = np.take_along_axis(tree.outcome, tree.answer[:, None], axis=1)[:, 0]
    return np.where(tree.weight > 0, np.maximum(tree.weight - right, 0.0), 0.0)


def refuse_unless_errors_count(tree: Tree, method: str) -> None:
    """Refuse trees of which errors do not tell how good they are."""
    if not tree.is_classifier:
        raise ParameterError(
            f"{method} pruning counts wrong classes, and this tree answers with numbers; prune it by "
            "'cost-complexity' or 'reduced-error'."
        )
    if tree.loss is not None:
        raise ParameterError(
            f"{method} pruning counts errors as if all cost the same, and this tree was grown by a loss "
            "matrix; prune it by 'reduced-error', or by 'cost-complexity' with scoring='loss'."
        )
