"""The pruning ledger: the comparisons of every rule of pruning, written down one by one."""

from collections.abc import Iterator, Set
from dataclasses import replace

import numpy as np

from treewright import _core, parts
from treewright.errors import ParameterError, listed
from treewright.fitting.error_based_audit import comparisons_by_errors
from treewright.fitting.leaves import no_worse_as_leaves, refuse_unless_errors_count
from treewright.fitting.pre_pruning import splits_that_pay
from treewright.fitting.prune import refuse_where_rows_stop
from treewright.fitting.reduced_error import held_out_costs
from treewright.fitting.sequence import pruning_path, risks_as_leaves, total_weight
from treewright.fitting.training_errors import (
    errors_as_leaves,
    errors_of_subtrees,
    expected_as_leaves,
    prune_by_expected_errors,
    prune_pessimistically,
)
from treewright.model.labelled_rows import EncodedRows
from treewright.model.pruning_rows import PruningRow
from treewright.model.records import Bool, Float64
from treewright.model.tree import Tree
from treewright.parts.pruners import METHODS, Pruner, Risk
from treewright.recipes import Recipe


def comparisons(
    tree: Tree, pruner: Pruner, rows: EncodedRows | None, recipe: Recipe
) -> tuple[tuple[PruningRow, ...], float]:
    """List what a rule compares at the nodes of a tree, as `treewright.fitting.prune.prune` does.

    Parameters
    ----------
    tree : Tree
        A grown tree.
    pruner : Pruner
        The rule, any but cost-complexity pruning.
    rows : EncodedRows or None
        The rows that it needs, as for `prune`.
    recipe : Recipe
        How the tree was grown.

    Returns
    -------
    rows : tuple of PruningRow
        The comparisons, in their order.
    total : float
        Weight of the rows that were counted.
    """
    refuse_where_rows_stop(tree, pruner)
    if isinstance(pruner, parts.ReducedError | parts.PrePruning):
        assert rows is not None, "these rules send rows down the tree"
        is_median = isinstance(recipe.leaf_value, parts.Median)
        costs, weight = held_out_costs(tree, rows, of_medians=is_median), _weight_at(tree, rows)
        if isinstance(pruner, parts.PrePruning):
            return tuple(_pre_pruning(tree, costs, weight)), rows.weight
        return tuple(_reduced_error(tree, pruner, costs, weight)), rows.weight
    refuse_unless_errors_count(tree, pruner.word or "")
    if isinstance(pruner, parts.ErrorBased):
        assert rows is not None, "error-based pruning sends rows down the tree"
        return tuple(comparisons_by_errors(tree, pruner, rows)), rows.weight
    if isinstance(pruner, parts.Pessimistic):
        return tuple(_pessimistic(tree, pruner)), float(tree.weight[0])
    if isinstance(pruner, parts.MinimumError):
        return tuple(_minimum_error(tree, pruner)), float(tree.weight[0])
    name = pruner.word or type(pruner).__name__
    others = listed([word for word in METHODS if word != name], most=9)
    raise ParameterError(f"{name} has no pruning ledger; give method=, one of {others}.")


def links(tree: Tree, risk: Risk, after: int = 0) -> tuple[tuple[PruningRow, ...], float]:
    """List the price of a leaf at each inner node, and in which order cost-complexity pruning cuts them.

    Parameters
    ----------
    tree : Tree
        A grown tree.
    risk : {"impurity", "error", "loss"}
        What the leaves of a tree cost.
    after : int
        After how many cuts.

    Returns
    -------
    rows : tuple of PruningRow
        The inner nodes that are left then, by their numbers.
    total : float
        Weight by which risks are divided.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 3.3.
    """
    path, as_leaf, total = pruning_path(tree, risk), risks_as_leaves(tree, risk), total_weight(tree, risk)
    if after > len(path.nodes):
        raise ParameterError(f"after={after} is too many; the root is a leaf after {len(path.nodes)} cuts.")
    is_leaf = tree.column < 0
    is_leaf[path.nodes[:after]] = True
    is_gone = tree.over_ancestors(np.logical_or, is_leaf, False)
    counted = is_leaf & ~is_gone
    both = np.stack((np.where(counted, as_leaf, 0.0), counted), axis=1)
    of_leaves, n_leaves = _core.add_up(tree.child_begin, tree.child, both).T
    cut = np.full(tree.n_nodes, len(path.nodes), dtype=np.int64)
    cut[path.nodes] = np.arange(len(path.nodes))
    first = np.minimum(cut, tree.over_ancestors(np.minimum, cut, len(path.nodes)))
    found = []
    for node in np.flatnonzero(~is_leaf & ~is_gone).tolist():
        at = int(first[node])
        found.append(
            PruningRow(
                step=at + 1 if cut[node] == at else None,
                node=node,
                n_leaves=int(n_leaves[node]),
                weight=float(tree.weight[node]),
                errors=float(as_leaf[node]),
                as_leaf=float(as_leaf[node] / total),
                as_subtree=float(of_leaves[node] / total),
                terms=tuple(float(of_leaves[child] / total) for child in tree.children(node)),
                price=float((as_leaf[node] - of_leaves[node]) / total / (n_leaves[node] - 1)),
                cut_at=float(path.alphas[at + 1]),
                gone_with=None if cut[node] == at else int(path.nodes[at]),
                verdict="leaf" if cut[node] == at else "gone",
            )
        )
    return tuple(found), total


def _pessimistic(tree: Tree, pruner: parts.Pessimistic) -> Iterator[PruningRow]:
    """Compare nodes from the root down; nothing below a new leaf is compared."""
    as_leaf, is_found = errors_as_leaves(tree), np.zeros(tree.n_nodes, dtype=bool)
    is_found[prune_pessimistically(tree, pruner)] = True
    errors, deviation, n_leaves = errors_of_subtrees(tree)
    is_below = tree.over_ancestors(np.logical_or, is_found, False)
    for step, node in enumerate(_inner(tree, ~is_below), start=1):
        halves = float(n_leaves[node]) / 2
        terms = float(errors[node]) - halves, halves, pruner.standard_errors * float(deviation[node])
        yield PruningRow(
            step=step,
            node=node,
            n_leaves=int(n_leaves[node]),
            weight=float(tree.weight[node]),
            errors=float(as_leaf[node]),
            as_leaf=float(as_leaf[node]) + 0.5,
            as_subtree=sum(terms),
            terms=terms,
            verdict="leaf" if is_found[node] else "stays",
        )


def _minimum_error(tree: Tree, pruner: parts.MinimumError) -> Iterator[PruningRow]:
    as_leaf = expected_as_leaves(tree, pruner)
    errors = errors_as_leaves(tree)
    found = set(prune_by_expected_errors(tree, pruner).tolist())
    for row in _bottom_up(tree, as_leaf, found):
        yield replace(row, weight=float(tree.weight[row.node]), errors=float(errors[row.node]))


def _reduced_error(
    tree: Tree, pruner: parts.ReducedError, costs: Float64, weight: Float64
) -> Iterator[PruningRow]:
    """Compare the whole tree with each node as a leaf and with the node's subtree at that step."""
    found = set(no_worse_as_leaves(tree, costs, pruner.tolerance, strict=pruner.strict).tolist())
    whole = float(costs[tree.column < 0].sum())
    for row in _bottom_up(tree, costs, found):
        as_leaf = whole - row.as_subtree + row.as_leaf
        yield replace(row, weight=float(weight[row.node]), as_leaf=as_leaf, as_subtree=whole)
        whole = as_leaf if row.verdict == "leaf" else whole


def _bottom_up(tree: Tree, as_leaf: Float64, found: Set[int]) -> Iterator[PruningRow]:
    """Compare nodes as leaves with what remains of their subtrees, the deepest nodes first."""
    cost, n_leaves = as_leaf.copy(), np.ones(tree.n_nodes, dtype=np.int64)
    inner = list(_inner(tree, np.ones(tree.n_nodes, dtype=bool)))
    inner.sort(key=lambda node: -int(tree.depth[node]))
    for step, node in enumerate(inner, start=1):
        children = list(tree.children(node))
        terms, n_below = cost[children].tolist(), int(n_leaves[children].sum())
        row = PruningRow(
            step=step,
            node=node,
            n_leaves=n_below,
            weight=float(tree.weight[node]),
            errors=float(as_leaf[node]),
            as_leaf=float(as_leaf[node]),
            as_subtree=sum(terms),
            terms=tuple(terms),
            verdict="leaf" if node in found else "stays",
        )
        if row.verdict == "stays":
            cost[node], n_leaves[node] = row.as_subtree, n_below
        yield row


def _pre_pruning(tree: Tree, costs: Float64, weight: Float64) -> Iterator[PruningRow]:
    """Compare the whole tree before and after each split, level by level; below a leaf nothing is split."""
    pays, whole = splits_that_pay(tree, costs), float(costs[0])
    is_below = tree.over_ancestors(np.logical_or, (tree.column >= 0) & ~pays, False)
    for step, node in enumerate(_inner(tree, ~is_below), start=1):
        terms = costs[list(tree.children(node))].tolist()
        after = whole - float(costs[node]) + sum(terms)
        yield PruningRow(
            step=step,
            node=node,
            n_leaves=len(terms),
            weight=float(weight[node]),
            errors=float(costs[node]),
            as_leaf=whole,
            as_subtree=after,
            terms=tuple(terms),
            verdict="stays" if pays[node] else "leaf",
        )
        whole = after if pays[node] else whole


def _inner(tree: Tree, among: Bool) -> Iterator[int]:
    """List inner nodes level by level, from the root down."""
    for level in tree.levels:
        yield from level[(tree.column[level] >= 0) & among[level]].tolist()


def _weight_at(tree: Tree, rows: EncodedRows) -> Float64:
    """Return the weight of the rows that reach each node."""
    at, leaves, fractions = rows.leaves(tree)
    weights = np.zeros((tree.n_nodes, 1))
    np.add.at(weights[:, 0], leaves, rows.weight_of_each[at] * fractions)
    return _core.add_up(tree.child_begin, tree.child, weights)[:, 0]
