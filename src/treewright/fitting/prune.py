"""Prune a grown tree into a new one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.fitting.collapse import collapse
from treewright.fitting.error_based import prune_by_errors
from treewright.fitting.minimum_error import prune_by_expected_errors
from treewright.fitting.pessimistic import prune_pessimistically
from treewright.fitting.reduced_error import prune_by_held_out
from treewright.fitting.rows import TrainingRows
from treewright.model.tree import Tree
from treewright.parts.pruners import (
    Collapse,
    CostComplexity,
    ErrorBased,
    HeldOutFold,
    InTurn,
    MinimumError,
    Pessimistic,
    Pruner,
    ReducedError,
)
from treewright.recipes import Recipe


@dataclass(frozen=True, slots=True)
class PruningPath:
    """The weakest-link sequence of a tree, from the tree itself to its root alone.

    Parameters
    ----------
    alphas : array of float64
        Price of a leaf from which on each tree is the best one; rising, the first is 0.
    risks : array of float64
        Risk of each tree: the sum over its leaves of weight / total weight × impurity.
    nodes : array of int32
        The node that becomes a leaf at each step but the first.
    """

    alphas: NDArray[np.float64]
    risks: NDArray[np.float64]
    nodes: NDArray[np.int32]


def prune(tree: Tree, pruner: Pruner, rows: TrainingRows | None = None, recipe: Recipe | None = None) -> Tree:
    """Give the smaller tree that `pruner` prefers; the grown one is left as it is.

    Parameters
    ----------
    tree : Tree
        A grown tree.
    pruner : one of `treewright.parts.pruners`
        The rule.
    rows : TrainingRows, optional
        The training rows, for `ErrorBased`; those held out, for `ReducedError`.
    recipe : Recipe, optional
        How the tree was grown, for `ErrorBased`, and for `ReducedError` where it is one of numbers.
    """
    if isinstance(pruner, InTurn):
        for each in pruner.pruners:
            tree = prune(tree, each, rows, recipe)
    elif isinstance(pruner, HeldOutFold):
        tree = prune(tree, pruner.pruner, rows, recipe)
    elif isinstance(pruner, Collapse):
        tree = collapse(tree, pruner)
    elif isinstance(pruner, Pessimistic):
        tree = prune_pessimistically(tree, pruner)
    elif isinstance(pruner, MinimumError):
        tree = prune_by_expected_errors(tree, pruner)
    elif isinstance(pruner, ErrorBased):
        assert rows is not None, "error-based pruning sends the training rows down again"
        assert recipe is not None, "error-based pruning measures nodes anew"
        tree = prune_by_errors(tree, pruner, rows, recipe)
    elif isinstance(pruner, ReducedError):
        assert rows is not None, "reduced-error pruning sends the rows held out down"
        tree = prune_by_held_out(tree, pruner, rows, None if recipe is None else recipe.leaf_value)
    elif isinstance(pruner, CostComplexity):
        path = pruning_path(tree)
        # Alphas rise, so this is the last tree whose alpha is not above the price asked.
        steps = int(np.searchsorted(path.alphas[1:], pruner.alpha, side="right"))
        tree = tree.collapsed(path.nodes[:steps].tolist()) if steps else tree
    return tree


def pruning_path(tree: Tree) -> PruningPath:
    """Follow weakest-link pruning down to the root.

    Each step turns that node into a leaf which saves leaves at the least rise of the risk per leaf; of equals
    the first one in pre-order.

    Parameters
    ----------
    tree : Tree
        A grown tree; left unchanged.

    Returns
    -------
    PruningPath
        One entry for the tree and one for each step.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 3.3.
    """
    risk = tree.weight * tree.impurity / tree.weight[0]
    nodes, alphas = _core.weakest_links(tree.child_begin, tree.child, risk)
    # In exact arithmetic alphas never fall; rounding may make them, by an ulp, where nested nodes tie.
    rising = np.maximum.accumulate(np.concatenate(([0.0], alphas)))
    return PruningPath(rising, _risks(tree, nodes, risk), nodes)


def _risks(tree: Tree, nodes: NDArray[np.int32], risk: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the risk of the leaves after every step.

    A node is a leaf from its own step (original leaves: from the start) until the step of an ancestor.
    """
    n_steps = len(nodes)
    never = n_steps + 1
    step = np.full(tree.n_nodes, never)
    step[nodes] = np.arange(1, n_steps + 1)
    until = np.full(tree.n_nodes, never)
    for level in tree.levels[1:]:
        above = tree.parent[level]
        until[level] = np.minimum(until[above], step[above])
    since = np.where(tree.column < 0, 0, step)
    is_ever_leaf = since < never
    change = np.zeros(never + 1)
    np.add.at(change, since[is_ever_leaf], risk[is_ever_leaf])
    np.subtract.at(change, until[is_ever_leaf], risk[is_ever_leaf])
    risks = np.cumsum(change[:never])
    risks[-1] = risk[0] if n_steps else risks[-1]  # only the root is left: no sum, no rounding
    return risks
