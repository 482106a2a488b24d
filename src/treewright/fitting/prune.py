"""Prune a grown tree into a new one."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.model.model import core_questions, router_of
from treewright.model.pessimism import pessimism
from treewright.model.tree import Tree
from treewright.parts.pruners import Collapse, ErrorBased, InTurn, NoPruning, Pruner, ReducedError
from treewright.table.encode import Codes
from treewright.table.target import CodedClasses


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


@dataclass(frozen=True)
class TrainingRows:
    """Rows that pruners send down a tree: those it was grown on, or those held out.

    Parameters
    ----------
    codes : list of arrays
        Columns as `treewright.table.encode.encode` gives them.
    target : CodedClasses
        Their classes.
    weights : array of float64 or None
        Their weights; None counts each as 1.
    """

    codes: Codes
    target: CodedClasses
    weights: NDArray[np.float64] | None


def prune(tree: Tree, pruner: Pruner, rows: TrainingRows | None = None) -> Tree:
    """Give the smaller tree that `pruner` prefers; the grown one is left as it is."""
    if isinstance(pruner, NoPruning):
        return tree
    if isinstance(pruner, InTurn):
        for each in pruner.pruners:
            tree = prune(tree, each, rows)
        return tree
    if isinstance(pruner, Collapse):
        return collapse(tree, pruner)
    if isinstance(pruner, ErrorBased):
        assert rows is not None, "error-based pruning sends the training rows down again"
        return prune_by_errors(tree, pruner, rows)
    if isinstance(pruner, ReducedError):
        assert rows is not None, "reduced-error pruning sends the rows held out down"
        return prune_by_held_out(tree, pruner, rows)
    path = pruning_path(tree)
    # Alphas rise, so this is the last tree whose alpha is not above the price asked.
    steps = int(np.searchsorted(path.alphas[1:], pruner.alpha, side="right"))
    return tree.collapsed(path.nodes[:steps].tolist()) if steps else tree


def collapse(tree: Tree, pruner: Collapse) -> Tree:
    """Turn nodes into leaves where their leaves make no fewer errors on the training rows than they would."""
    as_leaf = tree.weight - tree.outcome.max(axis=1)
    as_leaf[tree.weight == 0] = 0.0
    return _leaves_where_no_worse(tree, as_leaf, pruner.slack, bottom_up=pruner.bottom_up)


def prune_by_held_out(tree: Tree, pruner: ReducedError, rows: TrainingRows) -> Tree:
    """Turn nodes into leaves, from below, where that makes no more errors among rows held out.

    Parameters
    ----------
    tree : Tree
        A grown tree of classes; left unchanged.
    pruner : ReducedError
        When errors are equal.
    rows : TrainingRows
        The rows held out; others weigh nothing.

    Returns
    -------
    Tree
        Its nodes tell of the rows it was grown on.

    References
    ----------
    Quinlan (1987), Simplifying decision trees.
    """
    weights = np.ones(len(rows.target.codes)) if rows.weights is None else rows.weights
    sent = np.flatnonzero(weights)
    begin, leaves, shares = router_of(tree).spread([column[sent] for column in rows.codes])
    of_row = np.repeat(sent, np.diff(begin))
    outcome = np.zeros(tree.outcome.shape)
    np.add.at(outcome, (leaves, rows.target.codes[of_row]), weights[of_row] * shares)
    for level in reversed(tree.levels[1:]):
        np.add.at(outcome, tree.parent[level], outcome[level])
    as_leaf = outcome.sum(axis=1) - outcome[np.arange(tree.n_nodes), tree.answer]
    return _leaves_where_no_worse(tree, as_leaf, pruner.tolerance, bottom_up=True)


def _leaves_where_no_worse(
    tree: Tree, as_leaf: NDArray[np.float64], slack: float, *, bottom_up: bool
) -> Tree:
    """Turn nodes into leaves where their leaves make no fewer errors than they would, but for `slack`."""
    of_leaves = as_leaf.copy()
    collapsed = np.zeros(tree.n_nodes, dtype=bool)
    for level in reversed(tree.levels):
        inner = level[tree.column[level] >= 0]
        if not len(inner):
            continue
        begin, end = tree.child_begin[inner], tree.child_begin[inner + 1]
        children = np.concatenate([tree.child[a:b] for a, b in zip(begin, end, strict=True)])
        starts = np.concatenate(([0], np.cumsum(end - begin)[:-1]))
        of_leaves[inner] = np.add.reduceat(of_leaves[children], starts)
        collapsed[inner] = of_leaves[inner] >= as_leaf[inner] - slack
        if bottom_up:
            of_leaves[inner] = np.where(collapsed[inner], as_leaf[inner], of_leaves[inner])
    return tree.collapsed(np.flatnonzero(collapsed).tolist()) if collapsed.any() else tree


def prune_by_errors(tree: Tree, pruner: ErrorBased, rows: TrainingRows) -> Tree:
    """Prune a tree by the errors to be expected of its leaves, raising branches where that helps.

    Parameters
    ----------
    tree : Tree
        A grown tree of classes; left unchanged.
    pruner : ErrorBased
        How pessimistic to be.
    rows : TrainingRows
        What the tree was grown on.

    Returns
    -------
    Tree
        With `errors` at every node.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 4.
    """
    n_rows = len(rows.target.codes)
    left = _core.prune_error_based(
        rows.codes,
        rows.target.codes,
        len(rows.target.labels),
        np.ones(n_rows) if rows.weights is None else rows.weights,
        core_questions(tree),
        tree.child_begin,
        tree.child,
        tree.missing_branch,
        tree.weight,
        tree.answer.astype(np.int32),
        pessimism(pruner),
        pruner.raising,
        pruner.keeps_label_on_tie,
        pruner.slack,
        pruner.tolerance,
    )
    # As the node it was, but for the children it has now and the rows that come to it now.
    pruned = tree.taken(left["origin"], left["child_begin"], left["child"])
    comes = left["n_rows"] >= 0
    outcome = np.where(comes[:, None], left["weights"], pruned.outcome)
    weight = np.where(comes, left["weights"].sum(axis=1), pruned.weight)
    return replace(
        pruned,
        n_rows=np.where(comes, left["n_rows"], pruned.n_rows),
        outcome=outcome,
        weight=weight,
        impurity=_entropy(outcome),
        errors=left["errors"],
        label=left["label"],
    )


def _entropy(outcome: NDArray[np.float64]) -> NDArray[np.float64]:
    shares = outcome / outcome.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = np.where(shares > 0, shares * np.log2(shares), 0.0)
    return np.asarray(-bits.sum(axis=1) + 0.0)


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
