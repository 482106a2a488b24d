"""Rows that need no reading: an array of floats, or one row of plain values by name.

A short prediction would spend most of its time on reading a table, matching its columns and encoding them.
If this is not needed, rows go to the core as they are. All other rows are read, which also finds any errors
in them.
"""

from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from treewright import _core
from treewright.missing_values import is_missing, is_missing_value
from treewright.model.records import Array
from treewright.schema import Label, Schema
from treewright.table.encode import Codes, in_step

_NAN = float("nan")
_MOST = float(np.finfo(np.float64).max)
_EXACT = 2**53


@dataclass(eq=False, slots=True)
class Plain:
    """Rows that the core can use directly.

    Parameters
    ----------
    block : array of float64 or float32, (n_rows, n_columns)
        Columns in the order of the schema, categories as codes. NaN is a missing value.
    """

    block: Array


@dataclass(frozen=True, slots=True)
class Shortcut:
    """Decides which rows need no reading, given a schema.

    Parameters
    ----------
    codes : tuple of (str, dict or None)
        The name of each column, and the codes of its labels if it holds categories.
    takes_missing : bool
        Whether a row may have missing values.
    is_all_numbers : bool
        Whether an array of floats can be a table of this schema.
    is_open : bool
        Whether every column holds numbers or labels: no datetimes, durations or intervals, no whole numbers
        beyond float64, and no column that is left out.
    """

    codes: tuple[tuple[str, dict[Label, int] | None], ...]
    takes_missing: bool
    is_all_numbers: bool
    is_open: bool

    @classmethod
    def of(cls, schema: Schema) -> "Shortcut":
        """Examine a schema."""
        kinds = {"other" if column.bins or column.is_left_out else column.kind for column in schema.columns}
        codes = tuple(
            (column.name, dict(zip(column.categories, count())) if column.is_category else None)
            for column in schema.columns
        )
        return cls(codes, schema.takes_missing, kinds == {"number"}, kinds <= {"number", "category"})

    def take(self, data: object) -> Plain | None:
        """Convert rows that need no reading; return None if they have to be read first.

        Parameters
        ----------
        data : object
            Two-dimensional arrays of float64 or float32 can be converted, and dicts with a value, or a list
            of one value, for each column.

        Examples
        --------
        >>> from treewright.schema import Column, Numbers
        >>> town = Column("town", "category", categories=("Bonn", "Ulm"))
        >>> shortcut = Shortcut.of(Schema((Column("age"), town), Numbers()))
        >>> shortcut.take({"town": "Ulm", "age": 31}).block.tolist()
        [[31.0, 1.0]]
        >>> shortcut.take({"town": "Ulm", "age": "old"}) is None
        True
        """
        if isinstance(data, dict):
            return self._take_row(data) if self.is_open else None
        if not self.is_all_numbers or type(data) is not np.ndarray:  # subclasses may be masked arrays
            return None
        is_block = data.ndim == 2 and data.dtype.char in "df" and data.dtype.isnative
        if is_block and in_step(data) is not data:
            return None
        return Plain(data) if is_block and data.shape[1] == len(self.codes) else None

    def columns(self, plain: Plain) -> Codes:
        """Encode rows column by column."""
        return [
            values if codes is None else np.where(is_missing(values), -1, values).astype(np.int32)
            for values, (_, codes) in zip(plain.block.T, self.codes, strict=True)
        ]

    def _take_row(self, row: dict[Any, Any]) -> Plain | None:
        if len(row) != len(self.codes):
            return None
        block = _core.plain_row(row, self.codes, self._number_of)
        return None if block is None else Plain(block)

    def _number_of(self, value: object, codes: dict[Label, int] | None) -> float | None:
        """Return the number for a value that is not a finite float, or is a label; None if it is unknown."""
        return self._number(value) if codes is None else self._code(value, codes)

    def _number(self, value: object) -> float | None:
        if isinstance(value, float) and -_MOST <= value <= _MOST:
            return value
        if type(value) is int:
            return value if -_EXACT <= value <= _EXACT else None
        return _NAN if self.takes_missing and is_missing_value(value) else None

    def _code(self, value: object, codes: dict[Label, int]) -> float | None:
        code = codes.get(value) if isinstance(value, str | int | float) else None
        if code is None and self.takes_missing and is_missing_value(value):
            return _NAN
        return code  # None: the label did not occur in training; reading the row will warn about it
