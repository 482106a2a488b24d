"""Rules that look at the tree alone: by the errors of its nodes on the training rows, which become leaves."""

import numpy as np

from treewright import _core
from treewright.fitting.leaves import ROUNDING, no_worse_as_leaves, refuse_unless_errors_count
from treewright.model.records import Float64, Int32
from treewright.model.tree import Tree
from treewright.parts import Collapse, MinimumError, Pessimistic


def collapse(tree: Tree, pruner: Collapse) -> Int32:
    """Find the nodes whose leaves make no fewer errors on the training rows than they would."""
    as_leaf = tree.weight - np.ascontiguousarray(tree.outcome.T).max(axis=0)  # long rows are quicker
    as_leaf[tree.weight == 0] = 0.0
    return no_worse_as_leaves(tree, as_leaf, pruner.slack, bottom_up=pruner.bottom_up)


def errors_as_leaves(tree: Tree) -> Float64:
    """Weight of the training rows of every node that are not of the class it answers with."""
    right = np.take_along_axis(tree.outcome, tree.answer[:, None], axis=1)[:, 0]
    return np.where(tree.weight > 0, np.maximum(tree.weight - right, 0.0), 0.0)


def prune_by_expected_errors(tree: Tree, pruner: MinimumError) -> Int32:
    """Find the nodes, from below, whose leaves are expected to make no fewer errors.

    A leaf of N rows, n of them of its class, among K classes is expected to be wrong with probability
    (N − n + K − 1) / (N + K), or, with `pruner.m`, 1 − (n + p m) / (N + m), p the share of its class at the
    root. A node with children is expected to be as its children are, each in proportion to its rows.

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
    """Give the errors to expect of every node as a leaf: its weight × the probability of an error."""
    n_classes = tree.outcome.shape[1]
    m = float(n_classes) if pruner.m is None else pruner.m
    prior = np.full(n_classes, 1 / n_classes) if pruner.m is None else tree.shares[0]
    has_rows = tree.weight > 0
    weight = np.where(has_rows, tree.weight, 1.0)
    wrong = (errors_as_leaves(tree) + m * (1 - prior[tree.answer])) / (weight + m)
    # Times the rows, so that children in proportion to theirs are a sum. What no row reached weighs nothing.
    return np.where(has_rows, weight * wrong, 0.0)


def prune_pessimistically(tree: Tree, pruner: Pessimistic) -> Int32:
    """Find the nodes that make as leaves few more errors than their subtrees, each leaf charged with 1/2.

    A subtree of L leaves that make e errors among N training rows counts as E = e + L / 2 errors, with a
    standard error of √(E (N − E) / N). A node becomes a leaf where its own errors and 1/2 are at most E and
    `pruner.standard_errors` times that. Every subtree is compared as it was grown, from the root down.

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
    """Give the errors of every subtree with 1/2 for each leaf, their standard error, and its leaves."""
    as_leaf = errors_as_leaves(tree)
    is_leaf = tree.column < 0
    both = np.stack((np.where(is_leaf, as_leaf, 0.0), is_leaf), axis=1)
    of_leaves, n_leaves = _core.add_up(tree.child_begin, tree.child, both).T
    errors = of_leaves + n_leaves / 2
    # Where most rows are wrong, halves may add up to more errors than there are rows; they do not vary then.
    weight = np.where(tree.weight > 0, tree.weight, 1.0)
    return errors, np.sqrt(errors * np.maximum(weight - errors, 0.0) / weight), n_leaves
