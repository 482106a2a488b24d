"""Error-based pruning: compare the expected errors of leaves, and raise branches to their parents' places."""

import math
from dataclasses import replace

import numpy as np

from treewright import _core
from treewright.errors import ParameterError, TableError
from treewright.fitting.leaves import refuse_unless_errors_count
from treewright.formatting import format_number
from treewright.model.labelled_rows import EncodedRows
from treewright.model.pessimism import pessimism
from treewright.model.records import Bool, Float64, Int32, Int64, runs
from treewright.model.tree import Tree
from treewright.model.tree_arrays import core_arrays
from treewright.parts import ErrorBased, Recipe
from treewright.parts.criteria import Criterion


def prune_by_errors(
    tree: Tree,
    pruner: ErrorBased,
    rows: EncodedRows,
    recipe: Recipe,
    ends: Int32 | None = None,
) -> Tree:
    """Prune a tree by the expected errors of its leaves, raising branches where that helps.

    Parameters
    ----------
    tree : Tree
        A grown tree of classes without a loss matrix; left unchanged.
    pruner : ErrorBased
        How pessimistic to be.
    rows : EncodedRows
        The rows that the tree was grown on, with the weights that its nodes counted.
    recipe : Recipe
        How it was grown.
    ends : array of int32, optional
        The node in which each row ends in this tree, as in `Grown`.

    Returns
    -------
    Tree
        With `errors` at every node. Where other rows than before reach a node, because a branch at or above
        it was raised, the node reports those; its gain is the decrease of the criterion's impurity.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 4.
    """
    refuse_unless_errors_count(tree, "error-based")
    if recipe.monotone.is_constrained and pruner.raising:
        raise ParameterError(
            "a branch that is raised may break the monotonic constraints; prune with "
            "raising=False, or grow without monotonic constraints."
        )
    refuse_other_rows(tree, rows)
    left = _core.prune_error_based(
        rows.codes,
        rows.targets,
        tree.outcome.shape[1],
        rows.weight_of_each,
        *core_arrays(tree),
        tree.answer.astype(np.int32),
        pessimism(pruner),
        pruner.raising,
        pruner.keeps_label_on_tie,
        pruner.slack,
        pruner.tolerance,
        ends,
    )
    # Each node is a copy of its original, except for its new children and the rows that now reach it.
    origin = left["origin"]
    taken = tree.taken(origin, left["child_begin"], left["child"])
    if recipe.monotone.is_constrained:  # the class follows from the bounded shares, not from the rows
        return replace(taken, errors=left["errors"], label=tree.answer[origin].astype(np.int32))
    pruned = replace(taken, errors=left["errors"], label=left["label"])
    raised = _raised(tree, pruned, origin)
    other_rows = raised | pruned.over_ancestors(np.logical_or, raised, False)
    other_rows &= left["n_rows"] >= 0
    return _with_rows(pruned, other_rows, left["n_rows"], left["weights"], recipe.criterion)


def _raised(tree: Tree, pruned: Tree, origin: Int32) -> Bool:
    """Find the nodes that took the place of an ancestor. A node that is still split has all its branches."""
    n_branches = np.diff(pruned.child_begin)
    were_there = tree.child.take(runs(tree.child_begin.take(origin), n_branches))
    raised = np.empty(pruned.n_nodes, dtype=bool)
    raised[0] = origin[0] != 0
    raised[pruned.child] = origin.take(pruned.child) != were_there
    return raised


def refuse_other_rows(tree: Tree, rows: EncodedRows) -> None:
    """Refuse rows that the tree was not grown on."""
    counted = rows.counted()
    weight = rows.weight
    if len(counted) != tree.n_rows[0] or not math.isclose(weight, tree.weight[0], rel_tol=1e-6):
        raise TableError(
            "error-based pruning sends the training rows down the tree again. It was grown on "
            f"{tree.n_rows[0]:,} rows of weight {format_number(tree.weight[0])} in all; these are "
            f"{len(counted):,} of weight {format_number(weight)}. Give the rows and weights it was grown on."
        )


def _with_rows(tree: Tree, nodes: Bool, n_rows: Int64, outcome: Float64, criterion: Criterion) -> Tree:
    """Update some nodes so that they report the rows that now reach them."""
    if not nodes.any():
        return tree
    weight = np.where(nodes, outcome.sum(axis=1), tree.weight)
    impurity = np.where(nodes, criterion.impurity_of(outcome), tree.impurity)
    amount = weight * impurity
    below = np.zeros(tree.n_nodes)
    np.add.at(below, tree.parent[1:], amount[1:])
    gain = np.where(tree.column < 0, 0.0, np.maximum(amount - below, 0.0) / weight[0])
    return replace(
        tree,
        n_rows=np.where(nodes, n_rows, tree.n_rows),
        outcome=np.where(nodes[:, None], outcome, tree.outcome),
        weight=weight,
        impurity=impurity,
        gain=np.where(nodes, gain, tree.gain),
    )
