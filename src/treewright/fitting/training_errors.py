"""Rules that need only the tree: they choose the new leaves by the errors of nodes on the training rows."""

import numpy as np

from treewright import _core
from treewright.fitting.leaves import ROUNDING, no_worse_as_leaves, refuse_unless_errors_count
from treewright.model.records import Float64, Int32
from treewright.model.tree import Tree
from treewright.parts import Collapse, MinimumError, Pessimistic


def collapse(tree: Tree, pruner: Collapse) -> Int32:
    """Find the nodes that would make no more errors on the training rows as leaves than their leaves do."""
    as_leaf = tree.weight - np.ascontiguousarray(tree.outcome.T).max(axis=0)  # faster along long rows
    as_leaf[tree.weight == 0] = 0.0
    return no_worse_as_leaves(tree, as_leaf, pruner.slack, bottom_up=pruner.bottom_up)


def errors_as_leaves(tree: Tree) -> Float64:
    """Return the weight of the training rows of every node that are not of its predicted class."""
    right = np.take_along_axis(tree.outcome, tree.answer[:, None], axis=1)[:, 0]
    return np.where(tree.weight > 0, np.maximum(tree.weight - right, 0.0), 0.0)


def prune_by_expected_errors(tree: Tree, pruner: MinimumError) -> Int32:
    """Find the nodes, bottom up, whose expected errors as leaves are no more than those of their subtrees.

    With K classes, a leaf of N rows, n of which are of its class, is expected to be wrong with probability
    (N − n + K − 1) / (N + K), or, with `pruner.m`, 1 − (n + p m) / (N + m), where p is the share of its class
    at the root. The probability of a node with children is the mean of theirs, weighted by their rows.

    Parameters
    ----------
    tree : Tree
        A tree of classes without a loss matrix.
    pruner : MinimumError
        The weight of the prior probabilities.

    References
    ----------
    Niblett, Bratko (1986), Learning decision rules in noisy domains. Cestnik, Bratko (1991), On estimating
    probabilities in tree pruning.
    """
    refuse_unless_errors_count(tree, "minimum-error")
    return no_worse_as_leaves(tree, expected_as_leaves(tree, pruner))


def expected_as_leaves(tree: Tree, pruner: MinimumError) -> Float64:
    """Return the expected errors of every node as a leaf: its weight × the probability of an error."""
    n_classes = tree.outcome.shape[1]
    m = float(n_classes) if pruner.m is None else pruner.m
    prior = np.full(n_classes, 1 / n_classes) if pruner.m is None else tree.shares[0]
    has_rows = tree.weight > 0
    weight = np.where(has_rows, tree.weight, 1.0)
    wrong = (errors_as_leaves(tree) + m * (1 - prior[tree.answer])) / (weight + m)
    # Multiplied by the weight, so that the weighted mean of children is a sum. Nodes without rows count 0.
    return np.where(has_rows, weight * wrong, 0.0)


def prune_pessimistically(tree: Tree, pruner: Pessimistic) -> Int32:
    """Find the nodes that make few more errors as leaves than their subtrees, with 1/2 added for each leaf.

    A subtree of L leaves that make e errors among N training rows counts as E = e + L / 2 errors, with a
    standard error of √(E (N − E) / N). A node becomes a leaf if its own errors plus 1/2 are at most E plus
    `pruner.standard_errors` times the standard error. Subtrees are compared as grown, from the root down.

    Parameters
    ----------
    tree : Tree
        A tree of classes without a loss matrix.
    pruner : Pessimistic
        How many standard errors.

    References
    ----------
    Quinlan (1987), Simplifying decision trees, section 2.3.
    """
    refuse_unless_errors_count(tree, "pessimistic")
    errors, deviation, _ = errors_of_subtrees(tree)
    at_most = errors + pruner.standard_errors * deviation
    found = (tree.column >= 0) & (errors_as_leaves(tree) + 0.5 <= at_most * (1 + ROUNDING))
    return np.flatnonzero(found).astype(np.int32)


def errors_of_subtrees(tree: Tree) -> tuple[Float64, Float64, Float64]:
    """Return, for every subtree, its errors plus 1/2 per leaf, their standard error, and its leaves."""
    as_leaf = errors_as_leaves(tree)
    is_leaf = tree.column < 0
    both = np.stack((np.where(is_leaf, as_leaf, 0.0), is_leaf), axis=1)
    of_leaves, n_leaves = _core.add_up(tree.child_begin, tree.child, both).T
    errors = of_leaves + n_leaves / 2
    # If most rows are wrong, errors plus halves may exceed the number of rows; the standard error is 0 then.
    weight = np.where(tree.weight > 0, tree.weight, 1.0)
    return errors, np.sqrt(errors * np.maximum(weight - errors, 0.0) / weight), n_leaves
