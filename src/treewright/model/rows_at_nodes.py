"""Rows sent down a tree: which of them reach each node, and with what weight."""

import numpy as np

from treewright.missing_values import is_missing_code
from treewright.model.labelled_rows import EncodedRows
from treewright.model.records import Array, Bool, Float64, Intp
from treewright.model.tree import Tree


class RowsAtNodes:
    """The rows that reach every node, with their weights there.

    Parameters
    ----------
    tree : Tree
        The tree.
    rows : EncodedRows
        Rows to send down the tree.
    """

    def __init__(self, tree: Tree, rows: EncodedRows) -> None:
        row, leaf, fraction = rows.leaves(tree)
        order = np.argsort(leaf, kind="stable")
        # Nodes are in pre-order, so the rows of each node are adjacent. Memory does not grow with depth.
        self._row, weight = row[order], fraction * rows.weight_of_each[row]
        self._weight = weight[order]
        self._begin = np.searchsorted(leaf[order], np.arange(tree.n_nodes))
        self._end = np.searchsorted(leaf[order], tree.end)

    def at(self, node: int) -> tuple[Intp, Float64]:
        """Return the rows of a node, and the weight of each there."""
        here = slice(self._begin[node], self._end[node])
        return self._row[here], self._weight[here]


def is_known(values: Array) -> Bool:
    """Mark the values of an encoded column that are not missing."""
    return ~is_missing_code(values)


def intervals(values: Array, low: Array | float, high: Array | float, n: int) -> Intp:
    """Return the interval of each value: its number among `n` intervals of equal width, `low` to `high`."""
    width = np.where(high > low, high - low, 1.0)
    place = np.nan_to_num(np.clip((values - low) / width, 0.0, 1.0))
    found: Intp = np.minimum(place * n, n - 1).astype(np.intp)
    return found
