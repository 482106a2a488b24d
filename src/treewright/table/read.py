"""Read any kind of table as named columns, without copying if possible.

Arrays, lists and dicts are read here, dataframes in `frames`. The result is a `Table` of `Raw` columns that
still have their original types; `infer` and `encode` continue from there.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright import errors
from treewright.errors import ColumnError, TableError, TableTypeError, did_you_mean, listed
from treewright.missing_values import is_missing, is_missing_value
from treewright.schema import default_names
from treewright.table.checks import wrong_cell

T = TypeVar("T")
Error: TypeAlias = type[errors.TreewrightError]
_RENAME = "Rename or drop all but one of them."


@dataclass(frozen=True, slots=True)
class Raw:
    """One column as it was given.

    Parameters
    ----------
    values : array
        One-dimensional, of any dtype and stride; often a view of the caller's memory.
    missing : array of bool, optional
        Rows without a value, if `values` itself cannot represent them.
    zone : str
        ``"UTC"`` for datetimes with a time zone.
    labels : sequence, optional
        If the container stores texts or categories as codes: the labels of the codes. `values` then holds the
        codes, int32, −1 for a missing value.
    is_declared : bool
        Whether `labels` is a declared list, in its own order and with labels that may never occur, rather
        than the values that occur in the column.
    notation : str
        How a file writes its numbers or dates, if not as plain values: see `treewright.files.everyday`.
    note : str
        A note for people on how the texts of a file were read.
    """

    values: NDArray[Any]
    missing: NDArray[np.bool_] | None = None
    zone: str = ""
    labels: Sequence[Any] | None = None
    is_declared: bool = False
    notation: str = field(default="", repr=False)
    note: str = field(default="", repr=False)

    @classmethod
    def masked(cls, values: NDArray[Any], missing: NDArray[np.bool_], zone: str = "") -> "Raw":
        """Make a column of an array, which is modified, and a mask of its missing values."""
        if values.dtype.kind in "fmM":
            values[missing] = None  # becomes NaN or NaT
            return cls(values, zone=zone)
        return cls(values, missing if missing.any() else None)

    def is_missing(self) -> NDArray[np.bool_]:
        """Mark the rows without a value."""
        if self.labels is None:
            missing = is_missing(self.values)
        else:
            of_label = [*map(is_missing_value, self.labels), True]  # code −1 selects the last entry
            missing = np.array(of_label)[self.values]
        return missing if self.missing is None else missing | self.missing

    def decoded(self) -> "Raw":
        """Return the column with labels in place of codes, as Python objects; None for a missing value."""
        if self.labels is None:
            return self
        labels = np.empty(len(self.labels) + 1, dtype=object)  # code −1 selects the last entry
        labels[:-1] = list(self.labels)
        return Raw(labels[self.values])


@dataclass(frozen=True, slots=True)
class Declared:
    """A column with its declared categories, for containers that cannot declare them.

    Parameters
    ----------
    values : sequence
        The category of each row; None or NaN for a missing value.
    categories : sequence
        All possible categories, in their order.

    Examples
    --------
    >>> size = Declared(["small", "large", None], ["small", "medium", "large"])
    >>> read({"size": size}).columns[0].labels
    ('small', 'medium', 'large')
    """

    values: Sequence[Any]
    categories: Sequence[Any]

    def raw(self, name: str) -> Raw:
        """Return the column with its codes.

        Raises
        ------
        ColumnError
            If a category is declared twice, or a value is not among them.
        """
        code_of = {label: code for code, label in enumerate(self.categories)}
        if doubled := repeated(self.categories):
            raise ColumnError(f"column {name!r} declares {listed(doubled)} more than once.")
        codes = [code_of.get(value, -1) for value in self.values]
        for row, value in enumerate(self.values):
            if codes[row] < 0 and not is_missing_value(value):
                hint = did_you_mean(value, self.categories)
                why = f"which is not among its declared categories {listed(self.categories)}.{hint}"
                raise wrong_cell(name, value, row, why)
        return Raw(np.array(codes, dtype=np.int32), labels=tuple(self.categories), is_declared=True)


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of equal length, with their names.

    Parameters
    ----------
    names : tuple of str
        ``x0``, ``x1``, ... if the data had no names.
    columns : sequence of Raw
        One for each name.
    n_rows : int
        Their common length.
    has_names : bool
        Whether the data named its columns.
    block : array, optional
        The two-dimensional array of which the columns are views, if there is one.
    """

    names: tuple[str, ...]
    columns: Sequence[Raw]
    n_rows: int
    has_names: bool = True
    block: NDArray[Any] | None = None

    def position(self, name: str) -> int:
        """Find a column by name.

        Raises
        ------
        ColumnError
            If there is no such column; the text suggests the nearest name.
        """
        if name not in self.names:
            known = f"Its columns are {listed(self.names)}." if self.has_names else "It has no column names."
            hint = did_you_mean(name, self.names) or f" {known}"
            raise ColumnError(f"column {name!r} is not in the table.{hint}")
        return self.names.index(name)

    def take(self, rows: NDArray[Any]) -> "Table":
        """Return some of the rows, by position or by a mask.

        Examples
        --------
        >>> read({"age": [31, 52, 40]}).take(np.array([2, 0])).columns[0].values
        array([40, 31])
        """
        columns = []
        for raw in self.columns:
            missing = None if raw.missing is None else raw.missing[rows]
            columns.append(replace(raw, values=raw.values[rows], missing=missing))
        n_rows = int(rows.sum()) if rows.dtype == bool else len(rows)
        return replace(self, columns=columns, n_rows=n_rows, block=None)

    def split_off(self, name: str) -> tuple["Table", Raw]:
        """Return the table without one of its columns, and that column."""
        at = self.position(name)
        rest = [column for position, column in enumerate(self.columns) if position != at]
        names = self.names[:at] + self.names[at + 1 :]
        return replace(self, names=names, columns=rest, block=None), self.columns[at]


def read(data: object) -> Table:
    """Read `data` as a table.

    Parameters
    ----------
    data : dataframe, dict of columns, 2-D array, list of lists
        A pandas, polars or Arrow table, or any other that narwhals supports; a mapping from names to columns
        (arrays, lists, series, `Declared`); a NumPy array or anything that converts to one. It is never
        changed.

    Returns
    -------
    Table
        Its columns are views on the data where possible.

    Raises
    ------
    TableError
        If `data` is empty, ragged, sparse or not a table.

    Examples
    --------
    >>> table = read({"age": [31, 52], "income": [1.5, None]})
    >>> table.names, table.n_rows
    (('age', 'income'), 2)
    >>> read([[1, 2], [3, 4], [5, 6]]).names
    ('x0', 'x1')
    """
    if isinstance(data, Table):
        return data
    if isinstance(data, np.ndarray):
        return _read_array(data)
    _refuse_sparse(data)  # must come before the next line, since one of SciPy's matrices is a dict
    if isinstance(data, Mapping):
        return _read_mapping(data)
    if isinstance(data, list | tuple):
        return _read_array(_array_of(data, "the table"))
    if data is None or isinstance(data, str | bytes | int | float):
        way_out = "give a dataframe, a dict of columns, a two-dimensional array or a list of lists"
        raise TableTypeError(f"{data!r} is not a table; {way_out}.")
    from treewright.table.frames import read_frame

    frame = read_frame(data)
    return _read_array(_array_of(data, "the table")) if frame is None else table_of(*frame)


def read_values(data: object, name: str = "") -> tuple[Raw, bool]:
    """Read one column that stands on its own, such as a target or weights.

    Parameters
    ----------
    data : array, list, series
        Or a table of one column.
    name : str
        Its name in errors; by default its own name.

    Returns
    -------
    Raw
        The column; its values keep more than one dimension if `data` had more than one column.
    bool
        Whether `data` was two-dimensional with a single column.
    """
    if isinstance(data, Declared):
        return data.raw(name), False
    what = f"column {name!r}" if name else "the column"
    if not isinstance(data, np.ndarray | list | tuple):
        _refuse_sparse(data)
        from treewright.table.frames import read_frame, read_series

        series = read_series(data, name)
        if series is not None:
            return series, False
        frame = read_frame(data)
        if frame is not None:
            _, columns, n_rows = frame
            is_one = len(columns) == 1
            return columns[0] if is_one else Raw(np.empty((n_rows, len(columns)))), is_one
    raw = _masked(data if isinstance(data, np.ndarray) else _array_of(data, what))
    if raw.values.ndim == 2 and raw.values.shape[1] == 1:
        return Raw(raw.values[:, 0], None if raw.missing is None else raw.missing[:, 0]), True
    return raw, False


def table_of(names: Sequence[object], columns: Sequence[Raw], n_rows: int) -> Table:
    """Put named columns together, checking names as scikit-learn does.

    Names are used if all of them are texts, as in scikit-learn; if none is, columns are known by position.
    """
    are_texts = [isinstance(name, str) for name in names]
    if names and all(are_texts):
        texts = tuple(map(str, names))
        refuse_doubles(texts)
        return Table(texts, columns, n_rows)
    if any(are_texts):
        types = listed(sorted({type(name).__name__ for name in names}))
        unclear = "so it is not clear whether columns go by name or by position"
        mixed = f"the names of the columns are of the types {types}, {unclear}"
        raise errors.ColumnTypeError(f"{mixed}. Name all of them by texts, or none.")
    return Table(default_names(len(names)), columns, n_rows, has_names=False)


def repeated(values: Iterable[T]) -> list[T]:
    """Return the values that occur more than once.

    Examples
    --------
    >>> repeated(["age", "sex", "age"])
    ['age']
    """
    return [value for value, times in Counter(values).items() if times > 1]


def refuse_doubles(
    names: Iterable[object], what: str = "the table", way_out: str = _RENAME, error: Error = ColumnError
) -> None:
    """Raise if two columns have the same name."""
    if doubled := repeated(names):
        raise error(f"{what} has more than one column named {listed(doubled)}. {way_out}")


def _read_array(array: NDArray[Any]) -> Table:
    if array.dtype.names is not None and array.ndim == 1:
        return table_of(array.dtype.names, [Raw(array[name]) for name in array.dtype.names], len(array))
    if array.ndim != 2:
        got = f"Expected 2D array, got {array.ndim}D array of shape {array.shape} instead"
        way = "Reshape your data either using array.reshape(-1, 1) if it is a single column"
        rows = "or array.reshape(1, -1) if it is a single row."
        raise TableError(f"{got}: a table has rows and columns. {way} {rows}")
    n_rows, n_columns = array.shape
    whole = _masked(array)
    names = default_names(n_columns)
    if whole.missing is None:
        return Table(names, list(map(Raw, whole.values.T)), n_rows, has_names=False, block=whole.values)
    return Table(names, list(map(Raw, whole.values.T, whole.missing.T)), n_rows, has_names=False)


def _masked(array: NDArray[Any]) -> Raw:
    """Read an array; masked values of a masked array are missing."""
    if not isinstance(array, np.ma.MaskedArray):
        return Raw(np.asarray(array))  # np.matrix would stay two-dimensional in every column
    mask = np.ma.getmaskarray(array)
    return Raw(np.asarray(array.data), mask if mask.any() else None)


def _read_mapping(data: Mapping[Any, Any]) -> Table:
    columns = []
    for name, values in data.items():
        raw, _ = read_values(values, str(name))
        if raw.values.ndim != 1:
            shape = raw.values.shape
            found = f"has shape {shape}" if shape else f"is a single value, {values!r:.60}"
            way_out = "give a one-dimensional list or array for each column"
            raise ColumnError(f"column {name!r} {found}; {way_out}.")
        columns.append(raw)
    lengths = [len(raw.values) for raw in columns]
    n_rows = lengths[0] if lengths else 0
    for name, n_values in zip(data, lengths, strict=True):
        if n_values != n_rows:
            unequal = f"column {next(iter(data))!r} has {n_rows:,} rows and column {name!r} {n_values:,}"
            raise TableError(f"the columns have unequal lengths: {unequal}. Give each the same number.")
    return table_of(tuple(data), columns, n_rows)


def _array_of(data: Any, what: str) -> NDArray[Any]:
    try:
        array = np.asarray(data)
    except ValueError as error:
        ragged = f"{what} is ragged: its rows differ in length"
        raise TableError(f"{ragged}. Give each the same number of values.") from error
    if isinstance(data, list | tuple) and _may_have_changed(array):
        return np.array(data, dtype=object)
    if array.dtype.kind == "O" and array.ndim == 0:
        kind = type(data).__name__
        raise TableTypeError(f"a {kind} cannot be read as {what}; give an array, a list or a dataframe.")
    return array


def _may_have_changed(array: NDArray[Any]) -> bool:
    """Report whether NumPy may have rounded numbers of a list, or turned values into texts or durations."""
    if array.dtype.kind == "f":
        size = np.abs(array)
        return bool(((size >= 2.0**53) & (size < np.inf)).any())
    return array.dtype.kind in "US" or (array.dtype.kind == "m" and bool(is_missing(array.ravel()).any()))


def _refuse_sparse(data: object) -> None:
    if hasattr(data, "tocsr") and hasattr(data, "toarray"):
        sparse = "Sparse data was passed, but dense data is required: trees are grown on dense tables here"
        raise TableTypeError(f"{sparse}. Use '.toarray()' to convert it to a dense array.")
