"""Minimum-error pruning: the errors to expect where classes have prior probabilities."""

import numpy as np

from treewright.fitting.leaves import errors_as_leaves, leaves_where_no_worse, refuse_unless_errors_count
from treewright.model.tree import Tree
from treewright.parts.pruners import MinimumError


def prune_by_expected_errors(tree: Tree, pruner: MinimumError) -> Tree:
    """Turn nodes into leaves, from below, where their leaves are expected to make no fewer errors.

    A leaf of N rows, n of them of its class, among K classes is expected to be wrong with probability
    (N − n + K − 1) / (N + K), or, with `pruner.m`, 1 − (n + p m) / (N + m), p the share of its class at the
    root. A node with children is expected to be as its children are, each in proportion to its rows.

    Parameters
    ----------
    tree : Tree
        A tree of classes without a loss matrix; left unchanged.
    pruner : MinimumError
        The weight of the prior probabilities.

    References
    ----------
    Niblett, Bratko (1986), Learning decision rules in noisy domains. Cestnik, Bratko (1991), On estimating
    probabilities in tree pruning.
    """
    refuse_unless_errors_count(tree, "minimum-error")
    n_classes = tree.outcome.shape[1]
    m = float(n_classes) if pruner.m is None else pruner.m
    prior = np.full(n_classes, 1 / n_classes) if pruner.m is None else tree.shares[0]
    has_rows = tree.weight > 0
    weight = np.where(has_rows, tree.weight, 1.0)
    wrong = (errors_as_leaves(tree) + m * (1 - prior[tree.answer])) / (weight + m)
    # Times the rows, so that children in proportion to theirs are a sum. What no row reached weighs nothing.
    return leaves_where_no_worse(tree, np.where(has_rows, weight * wrong, 0.0))
