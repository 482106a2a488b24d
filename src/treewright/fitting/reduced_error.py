"""Reduced-error pruning: find the smallest of the subtrees that do best on held-out rows."""

import numpy as np

from treewright import _core
from treewright.fitting.leaves import as_leaves, no_worse_as_leaves
from treewright.model.labelled_rows import EncodedRows
from treewright.model.records import Float64, Int32
from treewright.model.tree import Tree
from treewright.parts import ReducedError


def prune_by_held_out(tree: Tree, pruner: ReducedError, rows: EncodedRows, *, of_medians: bool) -> Tree:
    """Turn nodes into leaves, bottom up, if that costs no more on held-out rows, or less if strict.

    Parameters
    ----------
    tree : Tree
        A grown tree; left unchanged.
    pruner : ReducedError
        What to do when costs are equal.
    rows : EncodedRows
        The rows held out; all others have weight 0.
    of_medians : bool
        Whether a regression tree predicts medians instead of means.

    Returns
    -------
    Tree
        The smallest of the pruned trees with the lowest cost. Its nodes report the rows it was grown on.

    References
    ----------
    Quinlan (1987), Simplifying decision trees.
    """
    as_leaf = held_out_costs(tree, rows, of_medians=of_medians)
    return as_leaves(tree, no_worse_as_leaves(tree, as_leaf, pruner.tolerance, strict=pruner.strict))


def held_out_costs(tree: Tree, rows: EncodedRows, *, of_medians: bool) -> Float64:
    """Return the cost of each node as a leaf on held-out rows.

    The cost is the number of errors, or the tree's loss; for regression the squared error, or the absolute
    error if the tree predicts medians. A row in several leaves counts in each with its fraction.

    Parameters
    ----------
    tree : Tree
        A grown tree.
    rows : EncodedRows
        The rows held out; all others have weight 0.
    of_medians : bool
        Whether a regression tree predicts medians instead of means.
    """
    rows = rows.take(rows.counted())
    at, leaves, fractions = rows.leaves(tree)
    weights = rows.weight_of_each[at] * fractions
    if tree.is_classifier:
        return _cost_of_classes(tree, leaves, rows.targets[at], weights)
    return _cost_of_numbers(tree, leaves, rows.targets[at], weights, 1 if of_medians else 2)


def _cost_of_classes(tree: Tree, leaves: Int32, classes: Int32, weights: Float64) -> Float64:
    """Return the cost of each node as a leaf, from the weights of the classes that reach it."""
    outcome = np.zeros(tree.outcome.shape)
    np.add.at(outcome, (leaves, classes), weights)
    outcome = _core.add_up(tree.child_begin, tree.child, outcome)
    cost = np.zeros(tree.n_nodes)
    for true, of_class in enumerate(outcome.T):  # class by class: a matrix product may add up in any order
        cost += of_class * ((tree.answer != true) if tree.loss is None else tree.loss[true, tree.answer])
    return cost


def _cost_of_numbers(tree: Tree, leaves: Int32, numbers: Float64, weights: Float64, power: int) -> Float64:
    """Return the cost of each node as a leaf.

    Each row is followed up to the root, since the distances of a node are not sums of its children's.
    """
    cost = np.zeros(tree.n_nodes)
    at = leaves
    while len(at):
        np.add.at(cost, at, weights * np.abs(numbers - tree.outcome[at, 0]) ** power)
        at = tree.parent[at]
        below_root = at >= 0
        at, numbers, weights = at[below_root], numbers[below_root], weights[below_root]
    return cost
