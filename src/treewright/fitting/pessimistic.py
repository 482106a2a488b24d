"""Pessimistic pruning: training errors, and half of one more for every leaf."""

import numpy as np

from treewright import _core
from treewright.fitting.leaves import ROUNDING, as_leaves, errors_as_leaves, refuse_unless_errors_count
from treewright.model.tree import Tree
from treewright.parts.pruners import Pessimistic


def prune_pessimistically(tree: Tree, pruner: Pessimistic) -> Tree:
    """Turn nodes into leaves that make few more errors than their subtrees, each leaf charged with 1/2.

    A subtree of L leaves that make e errors among N training rows counts as E = e + L / 2 errors, with a
    standard error of √(E (N − E) / N). A node becomes a leaf where its own errors and 1/2 are at most E and
    `pruner.standard_errors` times that. Every subtree is compared as it was grown, from the root down.

    Parameters
    ----------
    tree : Tree
        A tree of classes without a loss matrix; left unchanged.
    pruner : Pessimistic
        How many standard errors.

    References
    ----------
    Quinlan (1987), Simplifying decision trees, section 2.3.
    """
    refuse_unless_errors_count(tree, "pessimistic")
    as_leaf = errors_as_leaves(tree)
    is_leaf = tree.column < 0
    of_leaves, n_leaves = _core.add_up(
        tree.child_begin, tree.child, np.stack((np.where(is_leaf, as_leaf, 0.0), is_leaf), axis=1)
    ).T
    errors = of_leaves + n_leaves / 2
    # Where most rows are wrong, halves may add up to more errors than there are rows; they do not vary then.
    weight = np.where(tree.weight > 0, tree.weight, 1.0)
    deviation = np.sqrt(errors * np.maximum(weight - errors, 0.0) / weight)
    at_most = errors + pruner.standard_errors * deviation
    found = ~is_leaf & (as_leaf + 0.5 <= at_most * (1 + ROUNDING))
    return as_leaves(tree, np.flatnonzero(found).astype(np.int32))
