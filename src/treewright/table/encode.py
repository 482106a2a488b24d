"""Encode columns for the core as float64, float32, int64 or int32, identically from any container.

Floats are used in place. Whole numbers become float32 or float64 if that is exact; other whole numbers,
datetimes and durations become int64, in which `MISSING_INTEGER` stands for a missing value. Categories become
int32 codes, see `treewright.table.categories`.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError
from treewright.missing_values import GREATEST_INTEGER, MISSING_INTEGER, Mask
from treewright.schema import Column
from treewright.table.bins import Binning, codes_of_bins, first_unlisted, learn_bins, origin_of
from treewright.table.categories import Unseen, encode_categories, learn_categories, report_unseen
from treewright.table.checks import changed_column, refuse_infinite_in, refuse_merged
from treewright.table.datetimes import count, finest_unit
from treewright.table.identifiers import Identifier, OnIdentifier, are_identifiers, report_identifiers
from treewright.table.infer import holds_categories, kind_of, plain
from treewright.table.read import Raw, Table

Codes: TypeAlias = list[NDArray[Any]]
Positions: TypeAlias = Set[int] | None

_EXACT_IN_FLOAT32 = 2**24
_HELD = {"number": "numbers", "integer": "numbers", "datetime": "datetimes", "duration": "durations"}
_NAME_IT = "name it in categorical_features, or turn it into numbers"


def encode(
    table: Table,
    categorical: Positions = None,
    counts: Mask | None = None,
    binning: Binning | None = None,
    on_identifier: OnIdentifier = "ignore",
) -> tuple[Codes, tuple[Column, ...]]:
    """Learn the columns of a training table and encode them.

    Parameters
    ----------
    table : Table
        The training table.
    categorical : set of int, optional
        Positions of the categorical columns, whatever their type; all others then hold numbers. None decides
        by the types.
    counts : array of bool, optional
        Rows to learn from, by default all of them.
    binning : Binning, optional
        How to bin columns of fractions, datetimes and durations that are to be categorical.
    on_identifier : {"warn", "drop", "ignore", "raise"}
        What to do about categories that identify rows; ``"drop"`` leaves the column out of the tree.

    Returns
    -------
    codes : list of arrays
        One for each column.
    columns : tuple of Column
        The columns as learned.

    Examples
    --------
    >>> from treewright.table.read import read
    >>> codes, columns = encode(read({"age": [31, None], "id": [2**53 + 1, 2**53 + 2]}))
    >>> codes
    [array([31., nan], dtype=float32), array([9007199254740993, 9007199254740994])]
    >>> [column.kind for column in columns]
    ['number', 'integer']
    """
    block = None if categorical else table.block
    if block is not None and not (categorical is None and block.dtype.kind == "b"):
        views = encode_block(block)
        if views is not None:
            return views, tuple(map(Column, table.names))
    codes: Codes = []
    columns: list[Column] = []
    identifiers: list[Identifier] = []
    for position, (name, raw) in enumerate(zip(table.names, table.columns, strict=True)):
        if holds_categories(raw) if categorical is None else position in categorical:
            if binning is not None and first_unlisted(raw, name, counts) is not None:
                code, column = learn_bins(*_learn_values(raw, name), binning)
            else:
                code, column = learn_categories(raw, name, counts)
                if (
                    on_identifier != "ignore"
                    and (found := _identifier(raw, code, column, counts)) is not None
                ):
                    identifiers.append(found)
                    if on_identifier == "drop":
                        column = Column(name, is_left_out=True)
                        code = _no_codes(column, table.n_rows)
        else:
            code, column = _learn_values(raw, name)
        codes.append(code)
        columns.append(column)
    report_identifiers(identifiers, on_identifier)
    return codes, tuple(columns)


def encode_as(columns: Sequence[Column], raws: Sequence[Raw], takes_missing: bool = True) -> Codes:
    """Encode new rows of columns that were learned before.

    Categories that did not occur in training count as missing; one warning names them.

    Parameters
    ----------
    columns : sequence of Column
        The columns as learned.
    raws : sequence of Raw
        The new rows, column by column.
    takes_missing : bool
        Whether there may be missing values; otherwise new categories are refused.

    Raises
    ------
    ColumnError
        If a column now holds another kind of values.
    """
    codes: Codes = []
    unseen: list[Unseen] = []
    for column, raw in zip(columns, raws, strict=True):
        if column.is_left_out:
            codes.append(_no_codes(column, len(raw.values)))
        elif column.bins is not None:
            values = _encode_values(raw, origin_of(column))
            refuse_infinite_in(values, column.name)  # otherwise it would fall into an outer interval
            codes.append(codes_of_bins(values, column.bins))
        elif column.is_category:
            code, unseen_here = encode_categories(raw, column)
            codes.append(code)
            unseen += unseen_here
        else:
            codes.append(_encode_values(raw, column))
    report_unseen(unseen, takes_missing)
    return codes


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the columns of a training table are encoded.

    Parameters
    ----------
    categorical : set of int, optional
        Positions of the categorical columns; by default their types decide.
    binning : Binning, optional
        How columns of fractions and datetimes are binned if they are to be categorical.
    columns : sequence of Column, optional
        Columns that were learned before; the table is encoded in the same way.
    takes_missing : bool
        Whether columns learned before may have missing values.
    on_identifier : {"warn", "drop", "ignore", "raise"}
        What to do about categories that identify rows.
    """

    categorical: Positions = None
    binning: Binning | None = None
    columns: Sequence[Column] | None = None
    takes_missing: bool = True
    on_identifier: OnIdentifier = "ignore"

    def of(self, table: Table, weights: NDArray[np.float64] | None) -> tuple[Codes, tuple[Column, ...]]:
        """Encode a table; rows of weight 0 take no part in learning columns."""
        if self.columns is not None:
            return encode_as(self.columns, table.columns, self.takes_missing), tuple(self.columns)
        counts = None if weights is None else weights > 0
        return encode(table, self.categorical, counts, self.binning, self.on_identifier)


def encode_block(block: NDArray[Any]) -> Codes | None:
    """Encode a two-dimensional array of numbers at once; None if its columns need separate treatment."""
    if block.dtype.kind not in "fiub":
        return None
    if block.dtype.kind in "iu" and block.dtype.itemsize == 8 and _size(block) > 2**53:
        return None  # encode it column by column
    if block.dtype.kind == "f" and block.dtype.itemsize > 8:
        return None
    return list(in_step(block.astype(_float_type(block), copy=False)).T)


def in_step(values: NDArray[Any]) -> NDArray[Any]:
    """Return an array that the core can read in place: aligned, with strides of whole values.

    Fields of packed structured arrays may be neither, so they are copied.

    Examples
    --------
    >>> packed = np.zeros(3, dtype=[("flag", "u1"), ("size", "f8")])["size"]
    >>> in_step(packed).strides, in_step(np.zeros(6)[::2]).strides
    ((8,), (16,))
    """
    flags, size = values.flags, values.itemsize
    # Most arrays are contiguous: checking this first keeps the prediction of one row fast.
    fits = flags.aligned and (flags.forc or not any(stride % size for stride in values.strides))
    return values if fits else values.copy()


def _identifier(raw: Raw, codes: NDArray[np.int32], column: Column, counts: Mask | None) -> Identifier | None:
    """Describe a categorical column that identifies rows, else None; declared categories never do."""
    if raw.is_declared or not holds_categories(raw):
        return None
    counted = codes if counts is None else codes[counts]
    n_distinct, n_known = len(column.categories), int(np.count_nonzero(counted >= 0))
    found = Identifier(column.name, n_distinct, n_known)
    return found if are_identifiers(column.name, n_distinct, n_known) else None


def _no_codes(column: Column, n_rows: int) -> NDArray[Any]:
    """Encode a column that no tree uses: a constant value, which cannot be split and is not missing."""
    dtype = np.int32 if column.is_category else np.int64 if column.is_integer else np.float32
    return np.zeros(n_rows, dtype=dtype)


def _learn_values(raw: Raw, name: str) -> tuple[NDArray[Any], Column]:
    settled = plain(raw, name, _NAME_IT)
    if settled.values.dtype.kind == "f" and (raw.values.dtype.kind == "O" or raw.values.dtype.itemsize > 8):
        # Python's exact numbers and long doubles may differ although their float64 values are equal.
        given, known = raw.decoded().values, ~raw.is_missing()
        refuse_merged(given[known], settled.values[known], name, np.flatnonzero(known).tolist())
    column = Column(name, kind_of(settled), notation=raw.notation)
    if column.kind in ("datetime", "duration"):
        column = replace(column, unit=finest_unit(settled.values, name), zone=settled.zone)
    _refuse_unencodable(settled, column)
    return _encode_column(settled, column), column


def _encode_values(raw: Raw, column: Column) -> NDArray[Any]:
    """Encode new rows of a column that is not categorical."""
    if column.kind == "number" and raw.values.dtype.kind == "f" and raw.missing is None:
        return _encode_number(raw)
    settled = plain(raw, column.name, f"it held {_HELD[column.kind]} in training, convert it")
    kind = kind_of(settled)
    if _HELD[kind] != _HELD[column.kind]:
        if settled.is_missing().all():  # a column without values fits any kind
            return np.full(len(settled.values), MISSING_INTEGER if column.is_integer else np.nan)
        raise changed_column(column.name, f"held {_HELD[column.kind]}", f"holds {_HELD[kind]}")
    if settled.zone != column.zone:
        was, now = (f"with{'' if zone else 'out'}" for zone in (column.zone, settled.zone))
        raise changed_column(column.name, f"held datetimes {was} a time zone", f"{now} one")
    refuse_infinite_in(settled.values, column.name, settled.missing)  # before it is clipped to an integer
    return _encode_column(settled, column)


def _encode_column(raw: Raw, column: Column) -> NDArray[Any]:
    if column.kind == "number":
        return _encode_number(raw)
    return _encode_integer(raw) if column.kind == "integer" else count(raw.values, column.unit, column.name)


def _encode_number(raw: Raw) -> NDArray[Any]:
    values = in_step(raw.values.astype(_float_type(raw.values), copy=False))
    return values if raw.missing is None else np.where(raw.missing, values.dtype.type(np.nan), values)


def _encode_integer(raw: Raw) -> NDArray[np.int64]:
    """Encode as int64; new values beyond its range are clipped, which keeps them on the same side of cuts."""
    values, missing = raw.values, raw.is_missing()
    if values.dtype.kind == "f":
        # Rounding down does not change comparisons with a whole cut. The ends of int64 are not exact floats.
        floor = np.floor(np.where(missing, 0.0, values))
        inside = np.abs(floor) < 2.0**63
        integers = np.where(inside, floor, 0.0).astype(np.int64)
        integers[~inside] = np.where(floor[~inside] > 0, GREATEST_INTEGER, MISSING_INTEGER + 1)
    else:
        if values.dtype.kind == "u" and values.dtype.itemsize == 8:
            values = np.minimum(values, values.dtype.type(GREATEST_INTEGER))
        integers = values.astype(np.int64).clip(MISSING_INTEGER + 1, GREATEST_INTEGER)
    integers[missing] = MISSING_INTEGER
    return integers


def _refuse_unencodable(raw: Raw, column: Column) -> None:
    """Raise if an int64 training column holds values that the core reserves, or larger ones."""
    if column.kind == "number":
        return
    counts = raw.values if column.kind == "integer" else raw.values.astype(np.int64)
    reserved = ((counts > GREATEST_INTEGER) | (counts == MISSING_INTEGER)) & ~raw.is_missing()
    if not reserved.any():
        return
    row = int(reserved.argmax())
    what = f"whole numbers that compare exactly ({MISSING_INTEGER + 1} to {GREATEST_INTEGER})"
    way_out = "Scale it down, convert it to float64, or give None if it stands for a missing value."
    if column.kind != "integer":
        what = f"{column.kind}s that compare exactly: it is the very last one of its unit"
        way_out = "Replace it by one before it, or by NaT if it is missing."
    holds = f"column {column.name!r} holds {raw.values[row]} in row {row}, beyond"
    raise ColumnError(f"{holds} the {what}. {way_out}")


def _float_type(values: NDArray[Any]) -> type[np.floating[Any]]:
    """Choose the smallest float type of the core that represents all values exactly."""
    if values.dtype.kind == "f":
        is_wide = values.dtype.itemsize > 4
    else:
        is_wide = values.dtype.itemsize > 2 and _size(values) > _EXACT_IN_FLOAT32
    return np.float64 if is_wide else np.float32


def _size(values: NDArray[Any]) -> int:
    return max(-int(values.min()), int(values.max())) if values.size else 0
