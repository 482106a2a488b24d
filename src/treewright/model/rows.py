"""Read a single row: a dict, a series, a list of values, or a table of one row."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from treewright.errors import ColumnError, TableError, TableTypeError, did_you_mean, listed
from treewright.formatting import format_threshold
from treewright.missing_values import GREATEST_INTEGER, MISSING_INTEGER, is_missing_code, is_missing_value
from treewright.schema import Column, Schema
from treewright.table.encode import Codes
from treewright.table.match import match, refuse_other_names
from treewright.table.read import Raw, Table, read, read_values, refuse_doubles, table_of
from treewright.table.spelling import spell

_EXPECTED_ROW = (
    "give a dict of values by the columns' names, a series, a list with a value for each column, "
    "or a table of one row"
)


@dataclass(frozen=True)
class Row:
    """One row, read and encoded.

    Parameters
    ----------
    schema : Schema
        The schema of the model.
    codes : list of arrays
        Its encoded values in the order of the schema; arrays of one element.
    given : dict of str to object
        The same values as they were given, by name.
    """

    schema: Schema
    codes: Codes
    given: dict[str, Any]

    def code(self, column: int) -> float | int | None:
        """Return a value as questions compare it: a number, a count of units or the code of a category.

        None if the value is missing or a category that the training table did not have.
        """
        codes = self.codes[column]
        return None if is_missing_code(codes)[0] else codes[0].item()

    def is_unseen(self, column: int) -> bool:
        """Whether the value is a category that the training table did not have."""
        return self.code(column) is None and not is_missing_value(self.given[self.schema.names[column]])

    def text(self, column: int) -> str:
        """Write a value for people."""
        about, code = self.schema.columns[column], self.code(column)
        given = self.given[about.name]
        if code is None:
            return "missing" if is_missing_value(given) else str(given)
        if about.bins is not None and about.bins.kind == "number":
            return format_threshold(float(given))
        if about.is_category:
            return str(given if about.bins else about.categories[int(code)])
        if about.kind != "number" and code in (MISSING_INTEGER + 1, GREATEST_INTEGER):
            return str(given)  # codes are clipped there; the value itself may be larger
        return spell(code, about.kind, about.unit, about.zone)


def read_row(data: object, schema: Schema) -> Table:
    """Read one row as a table, its columns in the order of the schema.

    Parameters
    ----------
    data : dict, series, 1-D array, list or table
        A dict, or a series whose index holds texts, has values by column name: one for each column of the
        training table, None if it is missing, and no others except the target. Anything else has the values
        in the order of the training table.
    schema : Schema
        The schema of the model.

    Raises
    ------
    TableError
        If this is not a row, or more than one.
    ColumnError
        If columns are missing or unknown.
    """
    table = _table(data, schema)
    if table.n_rows != 1:
        raise TableError(f"one row is needed, and the table has {table.n_rows:,}; {_EXPECTED_ROW}.")
    if table.has_names or not table.names:
        _refuse_absent(table, schema)
    return Table(schema.names, match(table, schema), 1)


def holds_values(data: Mapping[Any, Any]) -> bool:
    """Return whether a dict is one row, that is, holds values instead of columns.

    Examples
    --------
    >>> holds_values({"age": 31, "town": "Ulm"}), holds_values({"age": [31], "town": ["Ulm"]})
    (True, False)
    """
    return any(isinstance(value, str | bytes) or not hasattr(value, "__len__") for value in data.values())


def given_values(table: Table, codes: Codes, schema: Schema) -> dict[str, Any]:
    """Return the values of a row as they were given, as plain Python values if possible."""
    given = {}
    for raw, codes_of, column in zip(table.columns, codes, schema.columns, strict=True):
        value = raw.decoded().values[0]
        if raw.missing is not None and raw.missing[0]:
            value = None
        elif raw.zone and column.kind == "datetime" and not is_missing_code(codes_of)[0]:
            value = value_of(int(codes_of[0]), column)
        elif isinstance(value, np.generic) and not isinstance(value, np.datetime64 | np.timedelta64):
            value = value.item()
        given[column.name] = value
    return given


def value_of(code: float | int, column: Column) -> Any:
    """Return the value that a number or a count of units stands for, as a table holds it.

    Examples
    --------
    >>> value_of(2.5, Column("x")), value_of(86_400, Column("day", "datetime", unit="s"))
    (2.5, datetime.datetime(1970, 1, 2, 0, 0))
    """
    of = column.bins or column
    if of.kind in ("number", "integer"):
        return code
    exact = np.array(int(code), dtype=f"{'M' if of.kind == 'datetime' else 'm'}8[{of.unit}]")
    rounded = exact.astype(f"{exact.dtype.kind}8[us]")
    plain = rounded.item()
    if of.zone and isinstance(plain, datetime):
        return plain.replace(tzinfo=UTC)
    # Python's datetimes resolve microseconds only and end in the year 9999.
    return plain if rounded == exact and not isinstance(plain, int) else exact[()]


def spelt(code: float | int, column: Column) -> str:
    """Write a number or a count of units as text; for a binned column, an edge of its intervals.

    Examples
    --------
    >>> spelt(2.5, Column("x")), spelt(86_400, Column("day", "datetime", unit="s"))
    ('2.5', '1970-01-02')
    """
    of = column.bins or column
    return spell(code, of.kind, of.unit, of.zone)


def _table(data: object, schema: Schema) -> Table:
    if data is None or isinstance(data, str | bytes | int | float | set | frozenset):
        raise TableTypeError(f"{data!r} is not a row; {_EXPECTED_ROW}.")
    if isinstance(data, np.ndarray) and data.ndim == 1 and data.dtype.names is None:
        return _counted(read(data.reshape(1, -1)), schema)
    values = data if isinstance(data, Mapping) else _values_of(data)
    if isinstance(values, Mapping):
        return _named(values)
    return read(data) if values is None else _in_order(values, schema)


def _values_of(data: object) -> dict[str, Any] | list[Any] | None:
    """Extract the values of a row from a list or a series; None if it is a table."""
    if isinstance(data, list | tuple):
        is_table = data and all(isinstance(each, list | tuple | np.ndarray) for each in data)
        return None if is_table else list(data)
    if isinstance(data, np.ndarray):
        return None
    if hasattr(data, "index") and hasattr(data, "items") and not hasattr(data, "columns"):
        pairs = list(data.items())  # a series of pandas
        if not all(isinstance(name, str) for name, _ in pairs):
            return [value for _, value in pairs]
        refuse_doubles(name for name, _ in pairs)
        return dict(pairs)
    if hasattr(data, "to_pylist") and not hasattr(data, "column_names"):
        return list(data.to_pylist())  # an array of Arrow
    from treewright.table.frames import read_series

    series = read_series(data)
    return None if series is None else list(series.decoded().values.tolist())


def _named(values: Mapping[Any, Any]) -> Table:
    columns = [_one_value(name, value) for name, value in values.items()]
    if not all(isinstance(name, str) for name in values):
        raise TableTypeError(
            f"a row has values by the names of columns, not by {listed(values)}; {_EXPECTED_ROW}."
        )
    lengths = {len(raw.values) for raw in columns}
    if len(lengths) > 1:
        raise TableError(
            f"one row is needed, and columns have {listed(sorted(lengths))} values; {_EXPECTED_ROW}."
        )
    return table_of(tuple(values), columns, lengths.pop() if lengths else 1)


def _in_order(values: list[Any], schema: Schema) -> Table:
    columns = [_one_value(at, value) for at, value in enumerate(values)]
    return _counted(Table(tuple(map(str, range(len(columns)))), columns, 1, has_names=False), schema)


def _counted(table: Table, schema: Schema) -> Table:
    n, n_columns = len(table.columns), len(schema.columns)
    if n != n_columns:
        what = f"the row has {n} values and the training table had {n_columns} columns"
        raise TableError(f"{what}: {listed(schema.names)}. Give one for each, None where it is missing.")
    return table


def _one_value(name: object, value: Any) -> Raw:
    is_column = not isinstance(value, str | bytes | Mapping) and hasattr(value, "__len__")
    raw, _ = read_values(value if is_column else [value], str(name))
    if raw.values.ndim != 1:
        raise TableError(f"the row has an array of shape {raw.values.shape} for {name!r}; give one value.")
    return raw


def _refuse_absent(table: Table, schema: Schema) -> None:
    there = set(table.names)
    if there and not schema.has_names and not there & set(schema.names):
        return  # columns are matched by position, as in any table
    absent = [each.name for each in schema.columns if each.name not in there and not each.is_left_out]
    if absent:
        surplus = [name for name in table.names if name not in (*schema.names, schema.target_name)]
        hint = did_you_mean(absent[0], surplus).replace("Did you mean", "Is it what the row calls")
        what = f"the row has no column {listed(absent)}.{hint}"
        raise ColumnError(f"{what} Give None where a value is missing.")
    refuse_other_names(table, schema)
