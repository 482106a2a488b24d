"""How rows are distributed over the values of a column, and at every node of a tree."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.formatting import significant
from treewright.missing_values import is_missing_code
from treewright.model.labelled_rows import EncodedRows
from treewright.model.rows import spelt
from treewright.model.rows_at_nodes import RowsAtNodes, intervals
from treewright.model.tree import Tree
from treewright.report.nodes import plain_number, plain_numbers
from treewright.schema import Column, Schema

N_BINS = 20
MOST_CATEGORIES = 20  # listed one by one
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
    """Count values in intervals of equal width; return ``low``, ``high`` and ``counts``."""
    low, high = float(values.min()), float(values.max())
    counts = np.bincount(intervals(values, low, high, N_BINS), weights, minlength=N_BINS)
    return {"low": low, "high": high, "counts": plain_numbers(counts)}


class NodeDistributions:
    """How the rows of each node are distributed over the column that it splits on.

    Rows are counted node by node in cells: one for each interval or category, and a last one for rows with a
    missing value or a category without a branch.

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
        self._at = RowsAtNodes(tree, rows).at
        self._tree, self._rows = tree, rows
        self._group = None if groups is None else groups[rows.targets]
        self._n_groups = 1 if groups is None else int(groups.max()) + 1

    def describe(self, schema: Schema) -> list[dict[str, Any] | None]:
        """Describe the rows of each node.

        Returns
        -------
        list of dict or None
            None at a node that no row reaches. ``n``: weight of its rows. At an inner node, ``missing``:
            weight of rows with a missing value, by group; for a numeric column ``low``, ``high``, their
            texts, and ``counts``: the weight in each interval, by group; for categories ``codes`` and their
            ``counts``, heaviest first, and ``n_more``: the number left out. For regression there is one
            group; ``means``: the mean target of each interval or category; ``targets``: a histogram of the
            targets.
        """
        return [self._describe(node, schema) for node in range(self._tree.n_nodes)]

    def _describe(self, node: int, schema: Schema) -> dict[str, Any] | None:
        tree, (row, weight) = self._tree, self._at(node)
        n = float(weight.sum())
        if not n:
            return None
        found: dict[str, Any] = {"n": plain_number(n)}
        if not tree.is_classifier:
            found["targets"] = histogram(self._rows.targets[row], weight)
        column = int(tree.column[node])
        if column < 0:
            return found
        values = self._rows.codes[column][row]
        known = ~is_missing_code(values)
        codes = tree.set_code[tree.set_begin[node] : tree.set_begin[node + 1]]
        if len(codes):
            cell = np.minimum(np.searchsorted(codes, values), len(codes) - 1)
            cell[~known | (codes[cell] != values)] = len(codes)
            counts, total = self._counted(row, weight, cell, len(codes))
            sums = counts.sum(axis=1)
            heaviest = np.argsort(-sums[:-1], kind="stable")[:MOST_CATEGORIES]
            shown = heaviest[sums[heaviest] > 0]
            found |= {"codes": codes[shown].tolist(), "n_more": len(codes) - len(shown)}
        else:
            some = values[known].astype(np.float64)
            cell = np.full(len(values), N_BINS)
            if len(some):
                low, high = float(some.min()), float(some.max())
                cell[known] = intervals(some, low, high, N_BINS)
                texts = [spelt(end, schema.columns[column]) for end in (low, high)]
                found |= {"low": low, "high": high, "low_text": texts[0], "high_text": texts[1]}
            counts, total = self._counted(row, weight, cell, N_BINS)
            sums, shown = counts.sum(axis=1), np.arange(N_BINS)
        found |= {"missing": plain_numbers(counts[-1]), "counts": plain_numbers(counts[shown])}
        if not tree.is_classifier:
            found["means"] = [
                significant(total[at] / sums[at]) if sums[at] else None for at in shown.tolist()
            ]
        return found

    def _counted(self, row: Array, weight: Array, cell: Array, last: int) -> tuple[Array, Array]:
        """Return the weight in each cell, by group, and for regression the sum of the targets."""
        if self._group is None:
            total = np.bincount(cell, weight * self._rows.targets[row], minlength=last + 1)
            return np.bincount(cell, weight, minlength=last + 1)[:, None], total
        cells = cell * self._n_groups + self._group[row]
        counts = np.bincount(cells, weight, minlength=(last + 1) * self._n_groups)
        return counts.reshape(last + 1, self._n_groups), counts
