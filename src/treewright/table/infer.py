"""Infer what a column holds: numbers, whole numbers beyond float64, datetimes, durations, or categories.

Kinds depend on values, not on dtypes: whole numbers that a float64 holds exactly are numbers like any other.
Booleans count as the numbers 0 and 1.
"""

from datetime import date, timedelta
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError, ColumnTypeError
from treewright.schema import Kind
from treewright.table.moments import datetimes_of
from treewright.table.read import Raw

_EXACT = 2**53  # every whole number up to here is a float64


def plain(raw: Raw, name: str) -> Raw:
    """Give a column of Python objects the NumPy type that its values have.

    Raises
    ------
    ColumnError
        If it holds categories, complex numbers or anything without an order; the text
        names the first such value.
    """
    kind = raw.values.dtype.kind
    if kind in "fiubMm":
        return raw
    if kind == "c":
        raise ColumnError(f"Complex data not supported: column {name!r} is of type {raw.values.dtype}.")
    if kind == "O":
        return _plain_objects(raw, name)
    if kind in "UT" and raw.values.size:
        _refuse_category(name, str(raw.values[0]), 0)
    raise ColumnTypeError(
        f"column {name!r} is of type {raw.values.dtype}, which has no order; turn it into numbers."
    )


def kind_of(raw: Raw) -> Kind:
    """Tell the kind of a plain column."""
    kind = raw.values.dtype.kind
    if kind == "M":
        return "datetime"
    if kind == "m":
        return "duration"
    if kind in "iu" and raw.values.dtype.itemsize == 8 and not is_exact(raw.values):
        return "integer"
    return "number"


def is_exact(values: NDArray[Any]) -> bool:
    """Tell whether whole numbers are the same as float64.

    Examples
    --------
    >>> is_exact(np.array([2**53, 2**60]))
    True
    >>> is_exact(np.array([2**53 + 1]))
    False
    """
    if not len(values) or (int(values.min()) >= -_EXACT and int(values.max()) <= _EXACT):
        return True
    floats = values.astype(np.float64)
    # The greatest integers round up to a float beyond their own range, which does not convert back.
    limit = 2.0 ** (64 if values.dtype.kind == "u" else 63)
    return bool((floats < limit).all() and (floats.astype(values.dtype) == values).all())


def is_absent(value: object) -> bool:
    """Tell whether a Python object stands for "no value": None, NA, NaN or NaT."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):  # pandas', without importing it
        return True
    floating = isinstance(value, float | np.floating | Decimal | np.datetime64 | np.timedelta64)
    return floating and bool(value != value)  # noqa: PLR0124 - only NaN and NaT differ from themselves


def _plain_objects(raw: Raw, name: str) -> Raw:
    items = raw.values.tolist()
    missing = np.fromiter(map(is_absent, items), dtype=bool, count=len(items))
    if raw.missing is not None:
        missing |= raw.missing
    known = [item for item, absent in zip(items, missing.tolist(), strict=True) if not absent]
    types = set(map(type, known))
    if raw.is_categorical and known:
        row = int(missing.argmin())
        _refuse_category(name, items[row], row)
    if all(issubclass(each, Real | Decimal | np.bool_) for each in types):
        return _numbers(known, types, missing, name)
    if all(issubclass(each, date | np.datetime64) for each in types):
        values, zone = datetimes_of(items, missing, name)
        return Raw(values, zone=zone)
    if all(issubclass(each, timedelta | np.timedelta64) for each in types):
        durations = np.full(len(items), "NaT", dtype="timedelta64[us]")
        known_durations = np.array([_timedelta64(item) for item in known])
        if np.datetime_data(known_durations.dtype)[0] == "ns":
            durations = durations.astype("timedelta64[ns]")
        durations[~missing] = known_durations
        return Raw(durations)
    for row, item in enumerate(items):
        if isinstance(item, str | bytes):
            _refuse_category(name, item, row)
        if not missing[row] and not isinstance(item, Real | Decimal | np.bool_):
            raise ColumnTypeError(
                f"column {name!r} holds a {type(item).__name__} in row {row}: {item!r}. "
                f"Every argument must be a string or a real number, not {type(item).__name__!r}."
            )
    raise AssertionError("unreachable: some value was of none of the known types")


def _numbers(known: list[Any], types: set[type], missing: NDArray[np.bool_], name: str) -> Raw:
    if known and all(issubclass(each, Integral | np.bool_) for each in types):
        wholes = [int(item) for item in known]
        if min(wholes) >= -(2**63) and max(wholes) < 2**63:
            integers = np.zeros(len(missing), dtype=np.int64)
            integers[~missing] = wholes
            return Raw(integers, missing if missing.any() else None)
        if any(int(float(item)) != item for item in wholes):
            raise ColumnError(
                f"column {name!r} has whole numbers beyond 64 bits, such as {max(wholes, key=abs)}; "
                "scale it down or convert it to float64."
            )
    floats = np.full(len(missing), np.nan)
    floats[~missing] = [float(item) for item in known]
    return Raw(floats)


def _timedelta64(item: timedelta | np.timedelta64) -> np.timedelta64:
    if isinstance(item, np.timedelta64):
        return item
    exact = getattr(item, "to_timedelta64", None)  # pandas' Timedelta knows nanoseconds
    return exact() if exact is not None else np.timedelta64(item, "us")


def _refuse_category(name: str, value: object, row: int) -> None:
    raise ColumnError(
        f"column {name!r} holds {value!r} in row {row}: categorical columns are not supported yet. "
        "Encode it as numbers, or drop it."
    )
