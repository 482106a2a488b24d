"""Infer what a column holds: numbers, whole numbers beyond float64, datetimes, durations, or categories.

Kinds depend on values, not on dtypes: whole numbers that a float64 represents exactly are ordinary numbers.
Texts, booleans and declared categories are categories; in a column of numbers, booleans count as 0 and 1.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError, ColumnTypeError
from treewright.missing_values import is_missing_value
from treewright.schema import Kind
from treewright.table.checks import wrong_cell
from treewright.table.datetimes import moments_of
from treewright.table.read import Raw

_EXACT = 2**53  # every whole number up to this one is exact as a float64
_NUMBERS = (Real, Decimal, np.bool_)
_MOMENTS = (date, np.datetime64)
_DURATIONS = (timedelta, np.timedelta64)


def holds_categories(raw: Raw) -> bool:
    """Report whether a column holds categories, by its type or the types of its values.

    A column without values does not hold categories, unless they were declared.

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
    has_booleans = any(issubclass(each, bool | np.bool_) for each in types)
    return has_booleans and all(isinstance(each, bool | np.bool_) or is_missing_value(each) for each in items)


def plain(raw: Raw, name: str, way_out: str = "turn it into numbers") -> Raw:
    """Convert a column of Python objects to the NumPy type of its values.

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
    if kind == "f" and raw.values.dtype.itemsize > 8:
        return _of_long_doubles(raw, name)
    if kind in "fiubMm":
        return raw
    if kind == "c":
        raise ColumnError(f"Complex data not supported: column {name!r} is of type {raw.values.dtype}.")
    if kind == "O":
        return _plain_objects(raw, name, way_out)
    if kind in "UT" and raw.values.size:
        raise wrong_cell(name, str(raw.values[0]), 0, f"which is not a number: {way_out}.")
    dtype = raw.values.dtype
    raise ColumnTypeError(f"column {name!r} is of type {dtype}, which has no order; turn it into numbers.")


def kind_of(raw: Raw) -> Kind:
    """Find the kind of a plain column."""
    kind = raw.values.dtype.kind
    if kind in "Mm":
        return "datetime" if kind == "M" else "duration"
    may_round = kind in "iu" and raw.values.dtype.itemsize == 8
    return "integer" if may_round and not is_exact(raw.values) else "number"


def is_exact(values: NDArray[Any]) -> bool:
    """Report whether whole numbers are exact as float64.

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
    # The largest integers round up to a float beyond their own type, which cannot be converted back.
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

    def are(kinds: Any) -> bool:
        return all(issubclass(each, kinds) for each in types)

    if are(_NUMBERS):
        return _numbers(known, are(Integral | np.bool_), missing, name)
    if are(_MOMENTS) or are(_DURATIONS):
        found, zone = moments_of(known, name)
        return _spread(found, missing, zone)
    if are((*_MOMENTS, *_DURATIONS)):
        row = next(at for at, item in enumerate(items) if isinstance(item, _DURATIONS))
        mixed = f"column {name!r} mixes datetimes and durations, such as {items[row]!r} in row {row}"
        raise ColumnTypeError(f"{mixed}; use one or the other.")
    row = next(at for at, item in enumerate(items) if not (missing[at] or isinstance(item, _NUMBERS)))
    if isinstance(items[row], str):
        raise wrong_cell(name, items[row], row, f"which is not a number: {way_out}.")
    raise wrong_object(name, items[row], row)


def _of_long_doubles(raw: Raw, name: str) -> Raw:
    with np.errstate(over="ignore"):
        floats = raw.values.astype(np.float64)
    beyond = np.isinf(floats) & np.isfinite(raw.values)
    if beyond.any():
        row = int(beyond.argmax())
        raise wrong_object(name, raw.values[row], row)
    return replace(raw, values=floats)


def _spread(known: NDArray[Any], missing: NDArray[np.bool_], zone: str = "") -> Raw:
    values = np.zeros(len(missing), dtype=known.dtype)
    values[~missing] = known
    return Raw.masked(values, missing, zone)


def exact_integers(items: Sequence[Any]) -> NDArray[Any] | None:
    """Return whole numbers as int64, else as uint64; None if neither can represent all of them.

    Examples
    --------
    >>> exact_integers([1, 2**63]), exact_integers([-1, 2**63]) is None
    (array([                  1, 9223372036854775808], dtype=uint64), True)
    """
    for dtype in (np.int64, np.uint64):
        if min(items) >= np.iinfo(dtype).min and max(items) <= np.iinfo(dtype).max:
            return np.array(items, dtype=dtype)
    return None


def _numbers(known: list[Any], are_whole: bool, missing: NDArray[np.bool_], name: str) -> Raw:
    integers = exact_integers(list(map(int, known))) if are_whole and known else None
    if integers is not None:
        return _spread(integers, missing)
    try:
        floats = np.array(list(map(float, known)), dtype=np.float64)
    except OverflowError:
        floats = np.full(len(known), np.inf)
    # A value may be beyond float64. It may also be infinite itself, which is rejected later.
    is_doubtful = are_whole or np.isinf(floats).any()
    for row, item in zip(np.flatnonzero(~missing).tolist(), known, strict=True) if is_doubtful else ():
        if is_beyond_float(item):
            raise wrong_object(name, item, row)
        if are_whole and int(float(item)) != item:
            why = "and whole numbers beyond 64 bits would be rounded; scale it down or convert it to float64."
            raise wrong_cell(name, item, row, why)
    return _spread(floats, missing)


def wrong_object(name: str, item: object, row: int) -> ColumnError:
    """Make an error for a value that is neither a number nor a category."""
    if isinstance(item, Real | Decimal):
        return wrong_cell(name, item, row, "which is beyond the largest float64 (1.8e+308); scale it down.")
    kind = type(item).__name__
    expected = f"Every argument must be a string or a real number, not {kind!r}."
    if isinstance(item, bytes):
        expected = "Decode bytes into texts, or turn them into numbers."
    return ColumnTypeError(f"column {name!r} holds a {kind} in row {row}: {item!r}. {expected}")
