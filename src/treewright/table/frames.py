"""Read dataframes and series through narwhals, column by column.

A column of integers or booleans, types that cannot represent missing values, gets a mask for them, so that no
value is rounded.
"""

import sys
from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from numpy.typing import NDArray

from treewright.errors import ColumnTypeError, TableTypeError
from treewright.table.read import Raw, refuse_doubles

_CATEGORICAL = (nw.String, nw.Categorical, nw.Enum)
_WITHOUT_ORDER = (nw.List, nw.Array, nw.Struct, nw.Binary, nw.Time)


def read_frame(data: Any) -> tuple[Sequence[object], Sequence[Raw], int] | None:
    """Read a dataframe.

    Returns
    -------
    names, columns, number of rows
        Or None if `data` is not a dataframe that narwhals supports.
    """
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(data, pandas.DataFrame) and data.columns.is_unique:
        # Without narwhals' wrapper, which takes longer than reading the columns.
        return data.columns.tolist(), [_of_pandas(series, name) for name, series in data.items()], len(data)
    try:
        frame = nw.from_native(data, pass_through=True, allow_series=True)
        if isinstance(frame, nw.Series):
            raise _no_table(data)
        if not isinstance(frame, nw.DataFrame | nw.LazyFrame) and hasattr(type(data), "__arrow_c_stream__"):
            frame = _of_stream(data)
    except DuplicateError:
        refuse_doubles(data.column_names if hasattr(data, "column_names") else data.columns)
        raise
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        return None
    columns = [_raw(series, name) for name, series in zip(frame.columns, frame.iter_columns(), strict=True)]
    return frame.columns, columns, len(frame)


def _of_stream(data: Any) -> "nw.DataFrame[Any]":
    """Read an Arrow stream; raise if it holds a single series instead of a table."""
    try:
        return nw.from_arrow(data, backend="pyarrow")
    except ValueError as error:
        raise _no_table(data) from error


def _no_table(data: Any) -> TableTypeError:
    kind = type(data).__name__
    way_out = "give a dataframe (most series have to_frame()), or a dict with the column's name"
    return TableTypeError(f"X is a {kind}: Expected 2D array, got 1D array instead; {way_out}.")


def read_series(data: Any, name: str = "") -> Raw | None:
    """Read a series, or return None if `data` is not a series that narwhals supports.

    Arrays of pandas and Arrow have the same types as their series, such as declared categories.
    """
    pandas = sys.modules.get("pandas")
    package = type(data).__module__.partition(".")[0]
    if pandas is not None and package == "pandas" and hasattr(data, "_from_sequence"):  # an extension array
        data = pandas.Series(data)
    elif package == "pyarrow" and hasattr(data, "type") and not hasattr(data, "chunks"):
        data = sys.modules["pyarrow"].chunked_array([data])
    if pandas is not None and isinstance(data, pandas.Series):
        return _of_pandas(data, name or data.name)
    series = nw.from_native(data, pass_through=True, allow_series=True)
    return _raw(series, name or series.name) if isinstance(series, nw.Series) else None


def _of_pandas(series: Any, name: object) -> Raw:
    """Read a column of pandas; the usual types are read without narwhals' wrapper."""
    dtype = series.dtype
    if isinstance(dtype, np.dtype) and dtype in (np.float64, np.float32, np.int64):
        return Raw(series.to_numpy())
    if dtype.name == "category":
        return _categories(series.array)
    return _raw(nw.from_native(series, series_only=True), name)


def _categories(categorical: Any) -> Raw:
    codes = categorical.codes.astype(np.int32)
    return Raw(codes, labels=categorical.categories.tolist(), is_declared=True)


def _raw(series: "nw.Series[Any]", name: object) -> Raw:
    dtype = series.dtype
    if isinstance(dtype, _WITHOUT_ORDER):
        what = f"column {name!r} is of type {dtype}, which has no order"
        raise ColumnTypeError(f"{what}; drop it or turn it into numbers.")
    if isinstance(dtype, _CATEGORICAL):
        return _coded(series)
    if isinstance(dtype, nw.Int128 | nw.UInt128):
        return Raw(_objects(series))  # NumPy has no integers of 128 bits
    if isinstance(dtype, nw.Datetime):
        return Raw(series.to_numpy(), zone="UTC" if dtype.time_zone else "")
    if isinstance(dtype, nw.Decimal):
        floats = series.cast(nw.Float64)
        # Count distinct texts: polars 1.0 cannot count the distinct decimals of a column.
        if floats.n_unique() < series.cast(nw.String).n_unique():
            return Raw(_objects(series))  # encoding will raise and name the column and the rows
        series = floats
    elif isinstance(dtype, nw.Date):
        series = series.cast(nw.Datetime("ms"))
    elif (dtype.is_integer() or isinstance(dtype, nw.Boolean)) and series.null_count():
        filled = series.fill_null(False if isinstance(dtype, nw.Boolean) else 0)
        return Raw(filled.to_numpy(), series.is_null().to_numpy().astype(bool, copy=False))
    return Raw(series.to_numpy())


def _coded(series: "nw.Series[Any]") -> Raw:
    """Read texts or categories as codes, using the codes of the container itself.

    Categoricals of pandas, enums and ordered dictionaries of Arrow declare their categories. Unordered
    dictionaries, and categoricals of polars, which all share one list, only store texts in order of
    appearance.
    """
    native = series.to_native()
    if series.implementation.is_pandas():
        if isinstance(series.dtype, nw.String):
            codes, labels = native.factorize()
            return Raw(codes.astype(np.int32), labels=labels.tolist())
        return _categories(native.array)
    if series.implementation.is_pyarrow():
        is_dictionary = hasattr(native.type, "index_type")
        is_declared = is_dictionary and native.type.ordered
        coded = native if is_dictionary else native.dictionary_encode()
        whole = coded.unify_dictionaries().combine_chunks()
        chunks = whole.chunks if hasattr(whole, "chunks") else [whole]
        if len(chunks) == 1:
            codes = chunks[0].indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int32)
            return Raw(codes, labels=chunks[0].dictionary.to_pylist(), is_declared=is_declared)
    if series.implementation.is_polars() and isinstance(series.dtype, nw.Enum):
        codes = native.to_physical().cast(int).fill_null(-1).to_numpy().astype(np.int32)
        return Raw(codes, labels=series.dtype.categories, is_declared=True)
    if series.implementation.is_polars():
        stored = nw.to_native(series.cast(nw.Categorical)).to_physical().cast(int).fill_null(-1).to_numpy()
        codes, rows = _numbered(stored)
        return Raw(codes, labels=native.gather(rows).to_list())
    return Raw(_objects(series))


def _numbered(stored: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """Replace stored codes by consecutive ones; also return a row that has each code."""
    greatest = int(stored.max(initial=-1))
    if greatest > 4 * len(stored) + 1024:  # the list is shared with much larger columns: sorting is cheaper
        _, rows, codes = np.unique(stored, return_index=True, return_inverse=True)
        return codes.astype(np.int32), rows
    row_of = np.full(greatest + 2, -1, dtype=np.intp)  # code −1, a missing value, selects the last entry
    row_of[stored] = np.arange(len(stored))
    is_present = row_of >= 0
    code_of = np.cumsum(is_present, dtype=np.int32) - np.int32(1)
    return code_of[stored], row_of[is_present]


def _objects(series: "nw.Series[Any]") -> NDArray[Any]:
    values = np.empty(len(series), dtype=object)
    values[:] = series.to_list()
    return values
