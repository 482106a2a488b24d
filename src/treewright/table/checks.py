"""Checks of columns: infinite values, which no model accepts, and missing ones, which some reject."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError, shown
from treewright.missing_values import is_missing_code

_EXACT = (Decimal, Fraction, np.longdouble)  # types of numbers that may differ where float64 cannot


def first_infinite(
    columns: Sequence[NDArray[Any]], block: NDArray[Any] | None = None
) -> tuple[int, int] | None:
    """Find an infinite value: its column and row, None if there is none.

    Parameters
    ----------
    columns : sequence of arrays
        One-dimensional; only floats can be infinite.
    block : array, optional
        The two-dimensional array of which they are views, which is faster to search as a whole.
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


def refuse_infinite_in(values: NDArray[Any], name: str, missing: NDArray[np.bool_] | None = None) -> None:
    """Raise if a column holds an infinite value that is not marked as missing."""
    if missing is not None and values.dtype.kind == "f":
        values = np.where(missing, 0.0, values)
    infinite = first_infinite([values])
    if infinite is not None:
        refuse_infinite(name, infinite[1])


def refuse_merged(
    given: Sequence[Any] | NDArray[Any],
    floats: Sequence[Any] | NDArray[Any],
    name: str,
    rows: Sequence[int] | None = None,
) -> None:
    """Raise if two different exact numbers have the same float64, so that no split could separate them.

    Parameters
    ----------
    given : sequence or array
        Decimals, fractions and long doubles; other types are not checked.
    floats : sequence or array of float
        The same numbers as float64.
    name : str
        The column's name.
    rows : sequence of int, optional
        Their rows, by default 0, 1, ...

    Examples
    --------
    >>> refuse_merged([Decimal(1), 1 + Decimal("1e-20")], [1.0, 1.0], "a")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.ColumnError: column 'a' holds 1 in row 0 and 1.00000000000000000001 in row 1, which ...
    """
    first: dict[float, int] = {}
    for at, (exact, nearest) in enumerate(zip(given, floats, strict=True)):
        if not isinstance(exact, _EXACT):
            continue
        before = first.setdefault(nearest, at)
        if given[before] != exact:
            row = range(len(given)) if rows is None else rows
            held = f"{given[before]!s:.40} in row {row[before]} and {exact!s:.40} in row {row[at]}"
            way_out = "Scale or shift them, or turn them into whole numbers or texts."
            raise ColumnError(f"column {name!r} holds {held}, which are one float64. {way_out}")


def refuse_missing(columns: Sequence[NDArray[Any]], names: Sequence[str]) -> None:
    """Raise if any encoded value is missing."""
    for name, codes in zip(names, columns, strict=True):
        missing = is_missing_code(codes)
        if missing.any():
            lacks = f"column {name!r} contains NaN: it has no value in row {int(missing.argmax())}"
            way_out = "Fill them in, or train with missing='spread' or 'majority'."
            raise ColumnError(f"{lacks}, and missing values are refused. {way_out}")


def has_finite_sum(values: NDArray[Any]) -> bool:
    """Return whether the sum is finite. If so, no value is infinite or NaN; otherwise nothing is known."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(values.sum(dtype=np.float64)))
