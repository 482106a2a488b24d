"""How rows are spread: over the values of a column, over the branches of every node, over answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.formatting import significant
from treewright.missing_values import is_missing_code
from treewright.model.model import router_of
from treewright.model.rows import spelt
from treewright.model.tree import Tree
from treewright.report.nodes import plain_number, plain_numbers
from treewright.schema import Column, Schema

N_BINS = 20
MOST_CATEGORIES = 20  # that are told apart; the others are counted together
_ROWS_AT_ONCE = 50_000


def is_known(codes: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which encoded values are there."""
    return ~is_missing_code(codes)


def profile_of(codes: NDArray[Any], column: Column) -> dict[str, Any]:
    """Describe the values of a column.

    Returns
    -------
    dict
        ``n_missing``; of categories ``top``, pairs of position and count, and ``n_distinct``; of values
        ``quantiles``, five texts from the least to the greatest, ``low``, ``high`` and ``counts``, a
        histogram.
    """
    known = codes[is_known(codes)]
    profile: dict[str, Any] = {"n_missing": len(codes) - len(known)}
    if column.is_category:
        counts = np.bincount(known, minlength=len(column.categories))
        top = np.argsort(-counts, kind="stable")[:MOST_CATEGORIES]
        profile["top"] = [[code, int(counts[code])] for code in top.tolist() if counts[code]]
        profile["n_distinct"] = int((counts > 0).sum())
        return profile
    if not len(known):
        return profile
    ranks = np.rint(np.linspace(0, len(known) - 1, 5)).astype(np.intp)
    five = np.partition(known, ranks)[ranks].tolist()
    profile["quantiles"] = [spelt(value, column) for value in five]
    return profile | histogram(known.astype(np.float64))


def histogram(values: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> dict[str, Any]:
    """Count values in equal intervals from the least to the greatest."""
    low, high = float(values.min()), float(values.max())
    counts = np.bincount(intervals(values, low, high), weights, minlength=N_BINS)
    return {"low": low, "high": high, "counts": plain_numbers(counts)}


def at_nodes(
    tree: Tree,
    schema: Schema,
    codes: list[NDArray[Any]],
    target: NDArray[Any],
    weights: NDArray[np.float64],
    groups: NDArray[np.intp] | None,
) -> list[dict[str, Any] | None]:
    """Describe for every node how its rows are spread over the column that it asks about.

    Parameters
    ----------
    tree : Tree
        The tree.
    schema : Schema
        Its columns.
    codes, target, weights : arrays
        Rows to be sent down it.
    groups : array of int, optional
        The group of every class; None where targets are numbers.

    Returns
    -------
    list of dict or None
        None at a node to which no row came. ``n``: weight of its rows. At an inner node ``missing``: weight
        of rows without a value, by group; of values, ``low``, ``high``, their texts, and ``counts``, for each
        interval the weight by group; of categories ``codes`` and their ``counts``, the heaviest ones first,
        ``n_more`` of them left out. Where targets are numbers there is one group, ``means`` has the mean
        target of each interval or category, and ``targets`` a histogram of the node's targets.
    """
    cells = _Cells.of(tree, 1 if groups is None else int(groups.max()) + 1)
    numbers = target.astype(np.float64) if groups is None else None
    for row, node, _ in _ways(tree, codes):
        cells.stretch(node, row, codes, numbers)
    for row, node, share in _ways(tree, codes):
        of_group = np.zeros(len(row), dtype=np.intp) if groups is None else groups[target[row]]
        cells.count(node, row, codes, share * weights[row], of_group, numbers)
    return [cells.describe(node, schema) for node in range(tree.n_nodes)]


def _ways(
    tree: Tree, codes: list[NDArray[Any]]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
    """List the nodes that rows pass, and how much of each does: row, node and share, some rows at a time."""
    router = router_of(tree)
    for first in range(0, len(codes[0]), _ROWS_AT_ONCE):
        some = [np.ascontiguousarray(each[first : first + _ROWS_AT_ONCE]) for each in codes]
        if router.spreads:
            begin, leaves, shares = router.spread(some)
            rows = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
        else:
            leaves = router.apply(some, 1)
            rows, shares = np.arange(len(leaves)), np.ones(len(leaves))
        path_begin, nodes = tree.path_of(leaves)
        lengths = np.diff(path_begin)
        yield np.repeat(rows + first, lengths), nodes, np.repeat(shares, lengths)


@dataclass(frozen=True, eq=False)
class _Cells:
    """What is counted at the nodes of a tree: a run of cells a node, an interval or a category each.

    The last cell of a run is for rows that have no value, or a category that has no branch.
    """

    tree: Tree
    begin: NDArray[np.int64]
    weight: NDArray[np.float64]  # by cell and group
    total: NDArray[np.float64]  # of targets, by cell
    of_targets: NDArray[np.float64]  # by node and interval of the target
    of_node: NDArray[np.float64]
    extent: NDArray[np.float64]  # least and greatest value, least and greatest target, by node

    @classmethod
    def of(cls, tree: Tree, n_groups: int) -> "_Cells":
        in_set = np.diff(tree.set_begin)
        sizes = np.where(tree.column < 0, 0, np.where(in_set > 0, in_set, N_BINS) + 1)
        begin = np.concatenate(([0], np.cumsum(sizes)))
        extent = np.tile([[np.inf], [-np.inf], [np.inf], [-np.inf]], tree.n_nodes)
        return cls(
            tree,
            begin,
            np.zeros((begin[-1], n_groups)),
            np.zeros(begin[-1]),
            np.zeros((tree.n_nodes, N_BINS)),
            np.zeros(tree.n_nodes),
            extent,
        )

    def stretch(
        self,
        node: NDArray[np.int64],
        row: NDArray[np.int64],
        codes: list[NDArray[Any]],
        numbers: NDArray[np.float64] | None,
    ) -> None:
        """Widen the range of every node to hold its rows."""
        for here, values in self._by_column(node, row, codes):
            known = is_known(values)
            if values.dtype != np.int32:
                np.minimum.at(self.extent[0], node[here][known], values[known])
                np.maximum.at(self.extent[1], node[here][known], values[known])
        if numbers is not None:
            np.minimum.at(self.extent[2], node, numbers[row])
            np.maximum.at(self.extent[3], node, numbers[row])

    def count(
        self,
        node: NDArray[np.int64],
        row: NDArray[np.int64],
        codes: list[NDArray[Any]],
        weight: NDArray[np.float64],
        group: NDArray[np.intp],
        numbers: NDArray[np.float64] | None,
    ) -> None:
        """Count rows in the cells of the nodes they pass."""
        np.add.at(self.of_node, node, weight)
        for here, values in self._by_column(node, row, codes):
            cell = self._cell(node[here], values)
            np.add.at(self.weight, (cell, group[here]), weight[here])
            if numbers is not None:
                np.add.at(self.total, cell, weight[here] * numbers[row[here]])
        if numbers is not None:
            bins = intervals(numbers[row], self.extent[2][node], self.extent[3][node])
            np.add.at(self.of_targets, (node, bins), weight)

    def describe(self, node: int, schema: Schema) -> dict[str, Any] | None:
        """Write down what was counted at a node."""
        if not self.of_node[node]:
            return None
        told: dict[str, Any] = {"n": plain_number(self.of_node[node])}
        is_number = not self.tree.is_classifier
        if is_number:
            low, high = self.extent[2:, node].tolist()
            told["targets"] = {"low": low, "high": high, "counts": plain_numbers(self.of_targets[node])}
        begin, end = int(self.begin[node]), int(self.begin[node + 1])
        if begin == end:
            return told
        weight, total = self.weight[begin:end], self.total[begin:end]
        told["missing"] = plain_numbers(weight[-1])
        cells = np.arange(len(weight) - 1)
        set_begin, set_end = self.tree.set_begin[node], self.tree.set_begin[node + 1]
        if set_begin < set_end:
            cells = np.argsort(-weight[:-1].sum(axis=1), kind="stable")
            cells = cells[: min(MOST_CATEGORIES, int((weight[:-1].sum(axis=1) > 0).sum()))]
            told["codes"] = self.tree.set_code[set_begin:set_end][cells].tolist()
            told["n_more"] = len(weight) - 1 - len(cells)
        elif np.isfinite(self.extent[0, node]):
            column = schema.columns[self.tree.column[node]]
            low, high = self.extent[:2, node].tolist()
            told |= {
                "low": low,
                "high": high,
                "low_text": spelt(low, column),
                "high_text": spelt(high, column),
            }
        told["counts"] = plain_numbers(weight[cells])
        if is_number:
            sums = weight[cells].sum(axis=1)
            means = total[cells] / np.where(sums > 0, sums, 1.0)
            told["means"] = [
                significant(mean) if amount else None
                for mean, amount in zip(means.tolist(), sums.tolist(), strict=True)
            ]
        return told

    def _by_column(
        self, node: NDArray[np.int64], row: NDArray[np.int64], codes: list[NDArray[Any]]
    ) -> Iterator[tuple[NDArray[np.intp], NDArray[Any]]]:
        asked = self.tree.column[node]
        for column in np.unique(asked[asked >= 0]).tolist():
            here = np.flatnonzero(asked == column)
            yield here, codes[column][row[here]]

    def _cell(self, node: NDArray[np.int64], values: NDArray[Any]) -> NDArray[np.int64]:
        """Find the cell of every value at its node."""
        without = self.begin[node + 1] - 1
        known = is_known(values)
        if values.dtype != np.int32:
            low, high = self.extent[0][node], self.extent[1][node]
            bins = intervals(np.where(known, values, 0).astype(np.float64), low, high)
            return np.where(known, self.begin[node] + bins, without)
        # Sets stand node after node, their codes rising, so that a pair of node and code is found by halving.
        tree, width = self.tree, int(max(self.tree.set_code.max(), values.max())) + 1
        of_set = np.repeat(np.arange(tree.n_nodes, dtype=np.int64), np.diff(tree.set_begin))
        pairs = of_set * width + tree.set_code
        wanted = node * width + values
        at = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
        found = known & (pairs[at] == wanted)
        return np.where(found, self.begin[node] + at - tree.set_begin[node], without)


def intervals(
    values: NDArray[np.float64],
    low: NDArray[np.float64] | float,
    high: NDArray[np.float64] | float,
    n: int = N_BINS,
) -> NDArray[np.intp]:
    """Tell in which of equal intervals from `low` to `high` every value lies."""
    width = np.where(high > low, high - low, 1.0)
    place = np.clip((values - low) / width, 0.0, 1.0)
    bins = np.minimum(np.where(np.isfinite(place), place, 0.0) * n, n - 1)
    return np.asarray(bins, dtype=np.intp)
