"""The comparisons of error-based pruning: at each node a leaf, the subtree and its heaviest branch.

This module sends the rows down the tree again, node by node. The core, which does the pruning, skips
estimates that cannot change a decision; a ledger lists them all.
"""

from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

import numpy as np

from treewright.fitting.error_based import refuse_other_rows
from treewright.model.labelled_rows import EncodedRows
from treewright.model.pessimism import pessimism
from treewright.model.pruning_rows import PruningRow, PruningVerdict
from treewright.model.records import Float64, Intp
from treewright.model.routing import branches_at
from treewright.model.tree import Tree
from treewright.parts import ErrorBased

_SAME_WEIGHT = 1e-6  # weights closer than this count as equal: fractional weights are rounded


class _Cases(NamedTuple):
    """The rows at a node, with the weight of each there."""

    rows: Intp
    weights: Float64


class _Pruned(NamedTuple):
    """What remains of a subtree after pruning."""

    node: int
    errors: float
    n_leaves: int


def comparisons_by_errors(tree: Tree, pruner: ErrorBased, rows: EncodedRows) -> Iterator[PruningRow]:
    """List the comparisons of error-based pruning, bottom up.

    A branch that takes the place of its parent is pruned again with all rows that reach it there, so its
    nodes are compared again.

    Parameters
    ----------
    tree : Tree
        A grown tree of classes without a loss matrix.
    pruner : ErrorBased
        How pessimistic to be.
    rows : EncodedRows
        The rows that the tree was grown on.

    References
    ----------
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 4.
    """
    refuse_other_rows(tree, rows)
    audit = _Audit(tree, pruner, rows)
    counted = np.flatnonzero(rows.weight_of_each)
    # A stack of generators instead of recursion: trees may be deeper than Python's recursion limit.
    stack, result = [audit.prune(0, _Cases(counted, rows.weight_of_each[counted]))], None
    while stack:
        try:
            stack.append(stack[-1].send(result))
            result = None
        except StopIteration as done:
            result = done.value
            stack.pop()
    return iter(audit.found)


class _Audit:
    """The tree while it is being pruned, and the comparisons made so far."""

    def __init__(self, tree: Tree, pruner: ErrorBased, rows: EncodedRows) -> None:
        self.tree, self.pruner, self.rows = tree, pruner, rows
        self.pessimism = pessimism(pruner)
        self.children = [list(tree.children(node)) for node in range(tree.n_nodes)]
        self.found: list[PruningRow] = []

    def prune(self, node: int, cases: _Cases) -> Generator[Any, Any, _Pruned]:
        """Prune a subtree with the rows that reach it; yields the subtrees that must be pruned first."""
        if not len(cases.rows):
            return _Pruned(node, 0.0, self.n_leaves(node))
        weight, errors, as_leaf = self.as_leaf(cases)
        if not self.children[node]:
            return _Pruned(node, as_leaf, 1)
        parts, below = self.parted(node, cases), []
        for at, part in enumerate(parts):
            left = yield self.prune(self.children[node][at], part)
            self.children[node][at] = left.node
            below.append(left)
        sizes = np.array([part.weights.sum() for part in parts])
        heaviest = int(np.flatnonzero(sizes >= sizes.max() - _SAME_WEIGHT)[-1])
        branch = self.children[node][heaviest]
        as_subtree = sum(left.errors for left in below)
        branch_terms = tuple(self.of_leaves(branch, cases)) if self.pruner.raising else ()
        as_branch = sum(branch_terms) if self.pruner.raising else None
        n_leaves = sum(left.n_leaves for left in below)
        verdict = self.verdict(as_leaf, as_subtree, as_branch)
        row = PruningRow(
            step=len(self.found) + 1,
            node=node,
            n_leaves=n_leaves,
            weight=weight,
            errors=errors,
            as_leaf=as_leaf,
            as_subtree=as_subtree,
            terms=tuple(left.errors for left in below),
            branch=branch if self.pruner.raising else None,
            as_branch=as_branch,
            branch_terms=branch_terms,
            verdict=verdict,
        )
        self.found.append(row)
        if verdict == "leaf":
            self.children[node] = []
            return _Pruned(node, as_leaf, 1)
        if verdict == "branch":
            raised: _Pruned = yield self.prune(branch, cases)
            return raised
        return _Pruned(node, as_subtree, n_leaves)

    def verdict(self, as_leaf: float, as_subtree: float, as_branch: float | None) -> PruningVerdict:
        """Choose the leaf if it is no worse than the others, else the branch if no worse than the subtree."""

        def is_no_worse(errors: float, than: float) -> bool:
            return not errors - (than + self.pruner.slack) > self.pruner.tolerance

        if is_no_worse(as_leaf, as_subtree) and (as_branch is None or is_no_worse(as_leaf, as_branch)):
            return "leaf"
        return "branch" if as_branch is not None and is_no_worse(as_branch, as_subtree) else "stays"

    def as_leaf(self, cases: _Cases) -> tuple[float, float, float]:
        """Return the weight of some rows, the errors of a leaf that holds them, and its expected errors."""
        of_classes = np.bincount(self.rows.targets[cases.rows], cases.weights, self.rows.n_classes)
        weight = float(of_classes.sum())
        errors = max(weight - float(of_classes.max()), 0.0)
        return weight, errors, errors + self.pessimism.extra(weight, errors) if weight > 0 else 0.0

    def of_leaves(self, start: int, cases: _Cases) -> Iterator[float]:
        """Yield the expected errors of each leaf of a subtree that some of these rows reach."""
        waiting = [(start, cases)]
        while waiting:
            node, here = waiting.pop()
            if not len(here.rows):
                continue
            if self.children[node]:
                below = zip(self.children[node], self.parted(node, here), strict=True)
                waiting += reversed(list(below))
            else:
                yield self.as_leaf(here)[-1]

    def parted(self, node: int, cases: _Cases) -> list[_Cases]:
        """Send rows down the branches of a node; divide rows without a branch in proportion to the others."""
        branch = branches_at(self.tree, node, self.rows.codes, cases.rows)
        n_branches = len(self.children[node])
        sizes = np.bincount(branch[branch >= 0], cases.weights[branch >= 0], n_branches)
        spread, total, parts = branch < 0, float(sizes.sum()), []
        for at, size in enumerate(sizes.tolist()):
            here = (branch == at) | (spread if size > 0 else False)
            share = size / total if total else 0.0
            weights = np.where(spread[here], cases.weights[here] * share, cases.weights[here])
            parts.append(_Cases(cases.rows[here], weights))
        return parts

    def n_leaves(self, start: int) -> int:
        """Count the leaves that remain in a subtree."""
        n, waiting = 0, [start]
        while waiting:
            below = self.children[waiting.pop()]
            waiting += below
            n += not below
        return n
