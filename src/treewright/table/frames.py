"""Read dataframes and series through narwhals, column by column.

A column with gaps in a type that has no room for them (integers, booleans) comes with a mask, so nothing is
rounded on the way.
"""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
from narwhals.exceptions import DuplicateError
from numpy.typing import NDArray

from treewright.errors import ColumnTypeError
from treewright.table.read import Raw, refuse_doubles

_CATEGORICAL = (nw.String, nw.Categorical, nw.Enum)
# By name: older releases of narwhals do not know all of them.
_WITHOUT_ORDER = tuple(
    getattr(nw, name) for name in ("List", "Array", "Struct", "Binary", "Time") if hasattr(nw, name)
)


def read_frame(data: Any) -> tuple[Sequence[object], Sequence[Raw], int] | None:
    """Read a dataframe.

    Returns
    -------
    names, columns, number of rows
        Or None if `data` is no dataframe that narwhals knows.
    """
    try:
        frame = nw.from_native(data, pass_through=True)
        if not isinstance(frame, nw.DataFrame | nw.LazyFrame) and hasattr(data, "__arrow_c_stream__"):
            frame = nw.from_arrow(data, backend="pyarrow")
    except DuplicateError:
        refuse_doubles(data.column_names if hasattr(data, "column_names") else data.columns)
        raise
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        return None
    columns = [_raw(series, name) for name, series in zip(frame.columns, frame.iter_columns(), strict=True)]
    return frame.columns, columns, len(frame)


def read_series(data: Any, name: str = "") -> Raw | None:
    """Read a series, or return None if `data` is none that narwhals knows."""
    series = nw.from_native(data, pass_through=True, allow_series=True)
    return _raw(series, name or series.name) if isinstance(series, nw.Series) else None


def _raw(series: "nw.Series[Any]", name: object) -> Raw:
    dtype = series.dtype
    if isinstance(dtype, _WITHOUT_ORDER):
        raise ColumnTypeError(
            f"column {name!r} is of type {dtype}, which has no order; drop it or turn it into numbers."
        )
    if isinstance(dtype, _CATEGORICAL):
        # Through a list: Arrow's dictionaries lose their gaps on the direct way to NumPy, and a cast to texts
        # makes words of pandas' gaps.
        return Raw(_objects(series), is_categorical=True)
    if isinstance(dtype, nw.Int128 | nw.UInt128):
        return Raw(_objects(series))  # NumPy has no integers that wide
    if isinstance(dtype, nw.Datetime):
        return Raw(series.to_numpy(), zone="UTC" if dtype.time_zone else "")
    if isinstance(dtype, nw.Decimal):
        series = series.cast(nw.Float64)
    elif isinstance(dtype, nw.Date):
        series = series.cast(nw.Datetime("ms"))
    elif (dtype.is_integer() or isinstance(dtype, nw.Boolean)) and series.null_count():
        filled = series.fill_null(False if isinstance(dtype, nw.Boolean) else 0)
        return Raw(filled.to_numpy(), series.is_null().to_numpy().astype(bool, copy=False))
    return Raw(series.to_numpy())


def _objects(series: "nw.Series[Any]") -> NDArray[Any]:
    values = np.empty(len(series), dtype=object)
    values[:] = series.to_list()
    return values
