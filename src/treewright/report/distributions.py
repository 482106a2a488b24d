"""How rows are distributed over the values of a column, and at every node of a tree."""

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.formatting import significant
from treewright.missing_values import is_missing_code
from treewright.model.labelled_rows import EncodedRows
from treewright.model.rows import spelt
from treewright.model.tree import Tree
from treewright.report.nodes import plain_number, plain_numbers
from treewright.schema import Column, Schema

N_BINS = 20
MOST_CATEGORIES = 20  # listed one by one
_ROWS_AT_ONCE = 50_000
Array: TypeAlias = NDArray[Any]


def profile_of(codes: Array, column: Column) -> dict[str, Any]:
    """Describe the values of a column.

    Returns
    -------
    dict
        ``n_missing``; for categories ``top``, pairs of code and count, and ``n_distinct``; otherwise
        ``quantiles``, five texts from minimum to maximum, and a histogram as `histogram` returns it.
    """
    known = codes[~is_missing_code(codes)]
    profile: dict[str, Any] = {"n_missing": len(codes) - len(known)}
    if column.is_category:
        counts = np.bincount(known, minlength=len(column.categories))
        top = np.argsort(-counts, kind="stable")[:MOST_CATEGORIES]
        profile["top"] = [[code, int(counts[code])] for code in top.tolist() if counts[code]]
        profile["n_distinct"] = int((counts > 0).sum())
    elif len(known):
        ranks = np.rint(np.linspace(0, len(known) - 1, 5)).astype(np.intp)
        five = np.partition(known, ranks)[ranks].tolist()
        profile["quantiles"] = [spelt(value, column) for value in five]
        profile |= histogram(known.astype(np.float64))
    return profile


def histogram(values: Array, weights: Array | None = None) -> dict[str, Any]:
    """Count values in intervals of equal width, as ``low``, ``high`` and ``counts``."""
    low, high = float(values.min()), float(values.max())
    counts = np.bincount(intervals(values, low, high), weights, minlength=N_BINS)
    return {"low": low, "high": high, "counts": plain_numbers(counts)}


class NodeDistributions:
    """How the rows of each node are distributed over the column that it tests.

    They are counted in cells: at each node one for each interval or category, and a last one for rows with a
    missing value, or a category without a branch.

    Parameters
    ----------
    tree : Tree
        The tree.
    rows : EncodedRows
        Rows to send down the tree.
    groups : array of int, optional
        The group of every class; None for regression.
    """

    def __init__(self, tree: Tree, rows: EncodedRows, groups: Array | None) -> None:
        target, weights = rows.targets, rows.weight_of_each
        group = np.zeros(rows.n_rows, np.intp) if groups is None else groups[target]
        n_nodes, n_categories = tree.n_nodes, np.diff(tree.set_begin)
        n_cells = np.where(tree.column < 0, 0, np.where(n_categories > 0, n_categories, N_BINS) + 1)
        self._tree, self._codes = tree, rows.codes
        self._begin = np.concatenate(([0], np.cumsum(n_cells)))
        self._ranges = np.tile((np.inf, -np.inf), (n_nodes, 1))
        self._of_node = np.zeros(n_nodes)
        self._weight = np.zeros((self._begin[-1], 1 if groups is None else int(groups.max()) + 1))
        # Of a regression: sums of targets by cell; the range and the histogram of targets by node.
        self._total = np.zeros(self._begin[-1])
        self._target_ranges = self._ranges.copy()
        self._targets = np.zeros((n_nodes, N_BINS))
        for row, node, _ in _passed(tree, rows):
            for here, values in self._by_column(node, row):
                if values.dtype != np.int32:
                    _widen(self._ranges, node[here], values)
            if groups is None:
                _widen(self._target_ranges, node, target[row])
        for row, node, fraction in _passed(tree, rows):
            weight = fraction * weights[row]
            np.add.at(self._of_node, node, weight)
            for here, values in self._by_column(node, row):
                cell = self._cell(node[here], values)
                np.add.at(self._weight, (cell, group[row[here]]), weight[here])
                if groups is None:
                    np.add.at(self._total, cell, weight[here] * target[row[here]])
            if groups is None:
                bins = intervals(target[row], *self._target_ranges[node].T)
                np.add.at(self._targets, (node, bins), weight)

    def describe(self, schema: Schema) -> list[dict[str, Any] | None]:
        """Describe the rows of each node.

        Returns
        -------
        list of dict or None
            None at a node that no row reaches. ``n``: weight of its rows. At an inner node ``missing``:
            weight of rows with a missing value, by group; for a numeric column ``low``, ``high``, their
            texts, and ``counts``, for each interval the weight by group; for categories ``codes`` and
            their ``counts``, heaviest first, and ``n_more``, the number left out. A regression has one
            group; ``means`` has the mean target of each interval or category, and ``targets`` a histogram
            of the targets.
        """
        return [self._describe(node, schema) for node in range(self._tree.n_nodes)]

    def _describe(self, node: int, schema: Schema) -> dict[str, Any] | None:
        if not self._of_node[node]:
            return None
        found: dict[str, Any] = {"n": plain_number(self._of_node[node])}
        if not self._tree.is_classifier:
            low, high = self._target_ranges[node].tolist()
            found["targets"] = {"low": low, "high": high, "counts": plain_numbers(self._targets[node])}
        cells = slice(self._begin[node], self._begin[node + 1])
        weight, total = self._weight[cells], self._total[cells]
        if not len(weight):
            return found
        found["missing"] = plain_numbers(weight[-1])
        sums, shown = weight.sum(axis=1), np.arange(len(weight) - 1)
        codes = self._tree.set_code[self._tree.set_begin[node] : self._tree.set_begin[node + 1]]
        low, high = self._ranges[node].tolist()
        if len(codes):
            heaviest = np.argsort(-sums[:-1], kind="stable")[:MOST_CATEGORIES]
            shown = heaviest[sums[heaviest] > 0]
            found |= {"codes": codes[shown].tolist(), "n_more": len(codes) - len(shown)}
        elif np.isfinite(low):
            column = schema.columns[self._tree.column[node]]
            texts = {"low_text": spelt(low, column), "high_text": spelt(high, column)}
            found |= {"low": low, "high": high} | texts
        found["counts"] = plain_numbers(weight[shown])
        if not self._tree.is_classifier:
            found["means"] = [
                significant(total[at] / sums[at]) if sums[at] else None for at in shown.tolist()
            ]
        return found

    def _by_column(self, node: Array, row: Array) -> Iterator[tuple[Array, Array]]:
        """For each column yield the places of the nodes that test it, and its values there."""
        tested = self._tree.column[node]
        for column in np.unique(tested[tested >= 0]).tolist():
            here = np.flatnonzero(tested == column)
            values = self._codes[column][row[here]]
            if values.dtype == np.int64:
                values = np.where(is_missing_code(values), np.nan, values)
            yield here, values

    def _cell(self, node: Array, values: Array) -> Array:
        """Find the cell of each value at its node."""
        tree, begin, last = self._tree, self._begin[node], self._begin[node + 1] - 1
        known = ~is_missing_code(values)
        if values.dtype != np.int32:
            return np.where(known, begin + intervals(values, *self._ranges[node].T), last)
        # Sets are stored node after node with ascending codes, so pairs of node and code can be bisected.
        width = int(max(tree.set_code.max(), values.max())) + 1
        of_set = np.repeat(np.arange(tree.n_nodes, dtype=np.int64), np.diff(tree.set_begin))
        pairs = of_set * width + tree.set_code
        wanted = node * width + values
        at = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
        found = known & (pairs[at] == wanted)
        return np.where(found, begin + at - tree.set_begin[node], last)


def _widen(ranges: Array, node: Array, values: Array) -> None:
    """Let the range of each node hold its values; NaN is ignored."""
    np.fmin.at(ranges[:, 0], node, values)
    np.fmax.at(ranges[:, 1], node, values)


def _passed(tree: Tree, rows: EncodedRows) -> Iterator[tuple[Array, Array, Array]]:
    """List the nodes that rows pass as row, node and fraction of the row, in batches of rows."""
    for first in range(0, rows.n_rows, _ROWS_AT_ONCE):
        batch = rows.take(np.arange(first, min(first + _ROWS_AT_ONCE, rows.n_rows)))
        row, leaf, fraction = batch.leaves(tree)
        begin, nodes = tree.path_of(leaf)
        lengths = np.diff(begin)
        yield np.repeat(row + first, lengths), nodes, np.repeat(fraction, lengths)


def intervals(values: Array, low: Array | float, high: Array | float, n: int = N_BINS) -> NDArray[np.intp]:
    """Return the number of the interval of each value, of `n` of equal width from `low` to `high`."""
    width = np.where(high > low, high - low, 1.0)
    place = np.nan_to_num(np.clip((values - low) / width, 0.0, 1.0))
    return np.minimum(place * n, n - 1).astype(np.intp)
