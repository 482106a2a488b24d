"""Missing values: the single definition of which values are missing.

A value is missing if it is None, NaN, NaT or pandas' NA, or if the mask of its column says so. Encoded
columns mark missing values by NaN among floats, by −1 among the codes of categories and by `MISSING_INTEGER`
among int64 values. An empty text is missing only in files, see `treewright.files.cells`.
"""

from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Mask: TypeAlias = NDArray[np.bool_]

MISSING_INTEGER = np.iinfo(np.int64).min
"""Stands for a missing value in an encoded int64 column."""

GREATEST_INTEGER = np.iinfo(np.int64).max - 1
"""The largest value of an encoded int64 column: the core sorts missing values just above it."""

_FLOATING = (float, np.floating, Decimal, np.datetime64, np.timedelta64)


def is_missing_value(value: object) -> bool:
    """Report whether a single Python object is missing.

    Examples
    --------
    >>> [is_missing_value(value) for value in (None, float("nan"), np.datetime64("NaT"), 0, "")]
    [True, True, True, False, False]
    """
    if value is None or type(value).__name__ in ("NAType", "NaTType"):  # from pandas, without importing it
        return True
    return isinstance(value, _FLOATING) and bool(value != value)  # noqa: PLR0124 - NaN, NaT


def is_missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark the missing values of an array that is not encoded yet.

    Examples
    --------
    >>> is_missing(np.array([1.5, np.nan])), is_missing(np.array(["a", None], dtype=object))
    (array([False,  True]), array([False,  True]))
    """
    if values.dtype.kind == "O":
        return np.fromiter(map(is_missing_value, values.tolist()), bool, len(values))
    has_nan = values.dtype.kind in "fcmM"  # or NaT, which NumPy treats as NaN
    missing: NDArray[np.bool_] = np.isnan(values) if has_nan else np.zeros(len(values), dtype=bool)
    return missing


def is_missing_code(codes: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark the missing values of an encoded column.

    Examples
    --------
    >>> is_missing_code(np.array([2, -1], dtype=np.int32)), is_missing_code(np.array([3, MISSING_INTEGER]))
    (array([False,  True]), array([False,  True]))
    """
    if codes.dtype.kind != "i":
        return is_missing(codes)
    missing: NDArray[np.bool_] = codes < 0 if codes.dtype == np.int32 else codes == MISSING_INTEGER
    return missing
