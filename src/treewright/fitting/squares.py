"""The sums of squared deviations from the mean in the branches of a node's candidates."""

from typing import TypeAlias

import numpy as np

from treewright.missing_values import is_missing_code
from treewright.model.labelled_rows import EncodedRows
from treewright.model.ledger_arrays import LedgerArrays
from treewright.model.records import Array, Float64

# For each set of rows: its weight, and its sums of targets and of squared targets.
_Sums: TypeAlias = Float64


def squares_of_branches(
    arrays: LedgerArrays, rows: EncodedRows, weights: Float64, integer_columns: tuple[int, ...]
) -> Float64:
    """Compute the sum of squares in every branch in the ledger of a node.

    Parameters
    ----------
    arrays : LedgerArrays
        The ledger of one node.
    rows : EncodedRows
        The rows of the audit.
    weights : array of float64
        Weight of each row in the node.
    integer_columns : tuple of int
        Columns compared as int64.
    """
    here = np.flatnonzero(weights)
    w, y = weights[here], rows.targets[here]
    y = y - np.average(y, weights=w)  # so that differences of sums lose little precision
    each = np.column_stack((w, w * y, w * y**2))
    found = np.empty(len(arrays.outcome))
    for column in np.unique(arrays.column).tolist():
        codes = rows.codes[column][here]
        is_missing = is_missing_code(codes)
        missing = each[is_missing].sum(axis=0)
        sums = _Column(codes[~is_missing], each[~is_missing])
        for row in np.flatnonzero(arrays.column == column).tolist():
            begin, end = arrays.branch_begin[row : row + 2].tolist()
            branches = _sums_of(sums, arrays, row, column in integer_columns, end - begin)
            if arrays.missing_branch[row] >= 0 and end > begin:
                branches[arrays.missing_branch[row]] += missing
            size, total, squares = branches.T
            found[begin:end] = squares - total**2 / np.where(size > 0, size, 1.0)
    least = len(here) * np.finfo(float).eps * float(each[:, 2].sum())
    return np.where(found > least, found, 0.0)  # a remainder due to rounding counts as 0


class _Column:
    """The known values of a column in one node, sorted, with the sums up to each value."""

    def __init__(self, codes: Array, each: Float64) -> None:
        order = np.argsort(codes, kind="stable")
        self.codes = codes[order]
        self.upto: _Sums = np.vstack((np.zeros(3), np.cumsum(each[order], axis=0)))

    def between(self, first: object, last: object) -> _Sums:
        """Add up the rows from one value to another, both included."""
        begin = np.searchsorted(self.codes, first, side="left")  # type: ignore[call-overload]
        end = np.searchsorted(self.codes, last, side="right")  # type: ignore[call-overload]
        sums: _Sums = self.upto[end] - self.upto[begin]
        return sums


def _sums_of(column: _Column, arrays: LedgerArrays, row: int, is_integer: bool, n_branches: int) -> _Sums:
    """Add up the rows with a known value in each branch of a candidate."""
    sums = np.zeros((n_branches, 3))
    if not n_branches:
        return sums
    begin, end = arrays.set_begin[row : row + 2].tolist()
    for code, branch in zip(arrays.set_code[begin:end], arrays.set_branch[begin:end], strict=True):
        sums[branch] += column.between(code, code)
    if begin == end and len(column.codes):
        cut = arrays.cut_integer[row] if is_integer else arrays.cut[row]
        sums[0] = column.between(column.codes[0], cut)
        sums[1] = column.upto[-1] - sums[0]
    return sums
