"""Infer what a column holds: numbers, whole numbers beyond float64, datetimes, durations, or categories.

Kinds depend on values, not on dtypes: whole numbers that a float64 holds exactly are numbers like any other.
Texts, booleans and what a container declares to be categories are categories; in a column of numbers,
booleans count as 0 and 1.
"""

import math
from datetime import date, timedelta
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError, ColumnTypeError, shown
from treewright.missing_values import is_missing_value
from treewright.schema import Kind
from treewright.table.datetimes import datetimes_of
from treewright.table.read import Raw

_EXACT = 2**53  # every whole number up to here is a float64


def holds_categories(raw: Raw) -> bool:
    """Report whether a column holds categories, by its type or the types of its values.

    A column without values holds none, unless they were declared.

    Examples
    --------
    >>> holds_categories(Raw(np.array([True, False]))), holds_categories(Raw(np.array([1.0, 2.0])))
    (True, False)
    >>> holds_categories(Raw(np.array(["red", None], dtype=object)))
    True
    """
    kind = raw.values.dtype.kind
    if raw.labels is not None:
        return raw.is_declared or not all(map(is_missing_value, raw.labels))
    if kind in "UTb":
        return raw.missing is None or not raw.missing.all()
    if kind != "O":
        return False
    items = raw.values.tolist()
    types = set(map(type, items))
    if any(issubclass(each, str) for each in types):
        return True
    if not any(issubclass(each, bool | np.bool_) for each in types):
        return False
    return all(isinstance(item, bool | np.bool_) or is_missing_value(item) for item in items)


def plain(raw: Raw, name: str, way_out: str = "turn it into numbers") -> Raw:
    """Give a column of Python objects the NumPy type of its values.

    Parameters
    ----------
    raw : Raw
        The column.
    name : str
        Its name, for errors.
    way_out : str
        What to do if it holds texts.

    Raises
    ------
    ColumnError
        If it holds texts, complex numbers or anything without an order; the text names the first such value.
    """
    raw = raw.decoded()
    kind = raw.values.dtype.kind
    if kind in "fiubMm":
        return raw
    if kind == "c":
        raise ColumnError(f"Complex data not supported: column {name!r} is of type {raw.values.dtype}.")
    if kind == "O":
        return _plain_objects(raw, name, way_out)
    if kind in "UT" and raw.values.size:
        _refuse_text(name, str(raw.values[0]), 0, way_out)
    raise ColumnTypeError(
        f"column {name!r} is of type {raw.values.dtype}, which has no order; turn it into numbers."
    )


def kind_of(raw: Raw) -> Kind:
    """Find the kind of a plain column."""
    kind = raw.values.dtype.kind
    if kind == "M":
        return "datetime"
    if kind == "m":
        return "duration"
    if kind in "iu" and raw.values.dtype.itemsize == 8 and not is_exact(raw.values):
        return "integer"
    return "number"


def is_exact(values: NDArray[Any]) -> bool:
    """Report whether whole numbers are the same as float64.

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


def is_beyond_float(number: Any) -> bool:
    """Report whether a finite number is larger than any float64.

    Examples
    --------
    >>> is_beyond_float(10**400), is_beyond_float(2**64), is_beyond_float(float("inf"))
    (True, False, False)
    """
    try:
        nearest = float(number)
    except OverflowError:
        return True
    return math.isinf(nearest) and number != nearest


def _plain_objects(raw: Raw, name: str, way_out: str) -> Raw:
    items = raw.values.tolist()
    missing = raw.is_missing()
    known = [item for item, absent in zip(items, missing.tolist(), strict=True) if not absent]
    types = set(map(type, known))
    if all(issubclass(each, Real | Decimal | np.bool_) for each in types):
        return _numbers(known, types, missing, name)
    if all(issubclass(each, date | np.datetime64) for each in types):
        values, zone = datetimes_of(items, missing, name)
        return Raw(values, zone=zone)
    if all(issubclass(each, timedelta | np.timedelta64) for each in types):
        durations_known = np.array([_timedelta64(item) for item in known])
        durations = np.full(len(items), "NaT", dtype=durations_known.dtype)
        durations[~missing] = durations_known
        return Raw(durations)
    for row, item in enumerate(items):
        if isinstance(item, str | bytes):
            _refuse_text(name, item, row, way_out)
        if not missing[row] and not isinstance(item, Real | Decimal | np.bool_):
            refuse_object(name, item, row)
    raise AssertionError("unreachable: some value was of none of the known types")


def _numbers(known: list[Any], types: set[type], missing: NDArray[np.bool_], name: str) -> Raw:
    are_whole = bool(known) and all(issubclass(each, Integral | np.bool_) for each in types)
    if are_whole:
        wholes = [int(item) for item in known]
        for dtype in (np.int64, np.uint64):
            if min(wholes) >= np.iinfo(dtype).min and max(wholes) <= np.iinfo(dtype).max:
                integers = np.zeros(len(missing), dtype=dtype)
                integers[~missing] = wholes
                return Raw(integers, missing if missing.any() else None)
    rows = np.flatnonzero(~missing)
    floats = np.full(len(missing), np.nan)
    floats[rows] = _floats(known, rows, name)
    if are_whole:
        for row, item in zip(rows.tolist(), known, strict=True):
            if int(floats[row]) != item:
                raise ColumnError(
                    f"column {name!r} holds {shown(item)} in row {row}, and whole numbers beyond 64 bits "
                    "would be rounded; scale it down or convert it to float64."
                )
    return Raw(floats)


def _floats(known: list[Any], rows: NDArray[np.intp], name: str) -> NDArray[np.float64]:
    try:
        floats = np.array([float(item) for item in known])
    except OverflowError:
        floats = np.array([np.inf])
    if np.isinf(floats).any():  # a value may be infinite itself, which is looked for later on
        for row, item in zip(rows.tolist(), known, strict=True):
            if is_beyond_float(item):
                refuse_object(name, item, row)
    return floats


def _timedelta64(item: timedelta | np.timedelta64) -> np.timedelta64:
    if isinstance(item, np.timedelta64):
        return item
    exact = getattr(item, "to_timedelta64", None)  # pandas' Timedelta has nanoseconds
    return exact() if exact is not None else np.timedelta64(item, "us")


def refuse_object(name: str, item: object, row: int) -> None:
    """Raise because a value is neither a number nor a category."""
    if isinstance(item, Real | Decimal):
        raise ColumnError(
            f"column {name!r} holds {shown(item)} in row {row}, which is beyond the largest float64 "
            "(1.8e+308); scale it down."
        )
    raise ColumnTypeError(
        f"column {name!r} holds a {type(item).__name__} in row {row}: {item!r}. "
        f"Every argument must be a string or a real number, not {type(item).__name__!r}."
    )


def _refuse_text(name: str, value: object, row: int, way_out: str) -> None:
    raise ColumnError(f"column {name!r} holds {value!r} in row {row}, which is not a number: {way_out}.")
