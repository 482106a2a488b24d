"""Checks of columns: infinite values, which no model takes, and missing ones, which some do not take."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError, shown
from treewright.missing_values import is_missing_code


def first_infinite(
    columns: Sequence[NDArray[Any]], block: NDArray[Any] | None = None
) -> tuple[int, int] | None:
    """Find an infinite value: its column and row, None if there is none.

    Parameters
    ----------
    columns : sequence of arrays
        One-dimensional; only floats can be infinite.
    block : array, optional
        The two-dimensional array they are views of, which is quicker to search as a whole.
    """
    if block is not None and block.dtype.kind == "f" and has_finite_sum(block):
        return None
    for position, values in enumerate(columns):
        if values.dtype.kind == "f" and not has_finite_sum(values) and np.isinf(values).any():
            return position, int(np.isinf(values).argmax())
    return None


def wrong_cell(name: str, value: object, row: int, why: str) -> ColumnError:
    """Make an error that names a column, a value and its row.

    Examples
    --------
    >>> wrong_cell("age", "old", 3, "which is not a number.")
    ColumnError("column 'age' holds 'old' in row 3, which is not a number.")
    """
    return ColumnError(f"column {name!r} holds {shown(value)} in row {row}, {why}")


def changed_column(name: str, was: str, now: str) -> ColumnError:
    """Make an error for a column of new rows that is not what it was in training.

    Examples
    --------
    >>> changed_column("age", "held numbers", "holds texts")
    ColumnError("column 'age' held numbers in training and holds texts now; convert it to what it was.")
    """
    return ColumnError(f"column {name!r} {was} in training and {now} now; convert it to what it was.")


def refuse_infinite(name: str, row: int) -> None:
    """Raise because a column holds an infinite value."""
    way_out = "Replace it by a finite value, or by NaN if it is missing."
    raise ColumnError(f"column {name!r} holds infinity in row {row}. {way_out}")


def refuse_infinite_in(values: NDArray[Any], name: str) -> None:
    """Raise if a column holds an infinite value."""
    infinite = first_infinite([values])
    if infinite is not None:
        refuse_infinite(name, infinite[1])


def refuse_missing(columns: Sequence[NDArray[Any]], names: Sequence[str]) -> None:
    """Raise if any encoded value is missing."""
    for name, codes in zip(names, columns, strict=True):
        missing = is_missing_code(codes)
        if missing.any():
            lacks = f"column {name!r} contains NaN: it has no value in row {int(missing.argmax())}"
            way_out = "Fill them in, or train with missing='spread' or 'majority'."
            raise ColumnError(f"{lacks}, and missing values are refused. {way_out}")


def has_finite_sum(values: NDArray[Any]) -> bool:
    """Find out in one quick pass that nothing is infinite or NaN; a sum that is not finite proves nothing."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(values.sum(dtype=np.float64)))
