"""Write a table some rows at a time, as CSV, TSV, JSON lines, Parquet or Arrow.

Values are preserved, not their spelling: numbers get as many digits as identify them, datetimes are ISO 8601,
missing values are an empty cell (CSV) or null. A text such as ``=1+1`` is written as it is, so that it can be
read back; for spreadsheets, which would evaluate it, `writer_of` can escape it.
"""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, BinaryIO

import numpy as np

from treewright.errors import FileError, MissingPackageError, ParameterError, listed
from treewright.files.formats import SUFFIXES, format_of_suffix
from treewright.missing_values import is_missing
from treewright.table.read import Raw, Table

_SAMPLE = 1000  # number of values from which to estimate whether many are equal
_FEW = 0.5  # up to this fraction of distinct values in the sample, each is formatted only once
_STARTS_OF_FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # to spreadsheets, possibly after spaces


def format_of_name(path: str) -> str:
    """Find the format in which to write a file.

    Raises
    ------
    ParameterError
        If its name does not have the ending of a format that can be written.

    Examples
    --------
    >>> format_of_name("answers.tsv")
    'tsv'
    """
    format = format_of_suffix(PurePath(path).suffix.lower())
    if format is None or format == "arff":
        endings = listed((each for key in SUFFIXES if key != "arff" for each in SUFFIXES[key]), most=20)
        raise ParameterError(f"the name of {path} does not end in a format to write; there are {endings}.")
    return format


@dataclass
class Writer(ABC):
    """Writes tables with the same columns, one after the other."""

    stream: BinaryIO

    @abstractmethod
    def write(self, table: Table) -> None:
        """Add rows."""

    def close(self) -> None:  # noqa: B027 - most formats need nothing after their rows
        """Write the end of the file."""


def writer_of(format: str, stream: BinaryIO, for_spreadsheets: bool = False) -> Writer:
    """Make a writer for a format.

    Parameters
    ----------
    format : {"csv", "tsv", "json", "parquet", "arrow"}
        The format.
    stream : binary stream
        The stream to write to; it is left open.
    for_spreadsheets : bool
        Whether CSV and TSV put an apostrophe before texts that a spreadsheet would take for formulas.

    Raises
    ------
    MissingPackageError
        If the format needs pyarrow and it is not installed.

    Examples
    --------
    >>> import io
    >>> from treewright.table.read import read
    >>> stream = io.BytesIO()
    >>> writer_of("csv", stream).write(read({"name": ["a, b", None], "age": [31, 2.5]}))
    >>> print(stream.getvalue().decode())
    name,age
    "a, b",31
    ,2.5
    <BLANKLINE>
    """
    if format in ("parquet", "arrow"):
        return _ArrowWriter(stream, is_parquet=format == "parquet")
    if format == "json":
        return _JsonWriter(stream)
    return _DelimitedWriter(stream, "\t" if format == "tsv" else ",", for_spreadsheets)


@dataclass
class _DelimitedWriter(Writer):
    delimiter: str
    shields: bool = False
    has_header: bool = False

    def write(self, table: Table) -> None:
        columns = [_cells(raw, self._quoted, str, "") for raw in table.columns]
        is_lone = len(columns) == 1
        # A row of one empty cell would be a blank line, which readers skip.
        lines = (cell or '""' for cell in columns[0]) if is_lone else map(self.delimiter.join, zip(*columns))  # noqa: B905
        header = [] if self.has_header else [self.delimiter.join(map(self._quoted, table.names))]
        self.stream.write("\n".join([*header, *lines, ""]).encode())
        self.has_header = True

    def _quoted(self, text: Any) -> str:
        cell = str(text)
        if self.shields and isinstance(text, str) and text.lstrip(" ").startswith(_STARTS_OF_FORMULAS):
            cell = "'" + cell
        if not cell:
            return '""'  # an empty text, unlike an empty cell, is not missing
        if self.delimiter in cell or '"' in cell or "\n" in cell or "\r" in cell or cell != cell.strip():
            return '"' + cell.replace('"', '""') + '"'
        return cell


class _JsonWriter(Writer):
    def write(self, table: Table) -> None:
        keys = [json.dumps(name, ensure_ascii=False) for name in table.names]
        columns = [_cells(raw, _json_text, _json_number, "null") for raw in table.columns]
        pairs = [[f"{key}: {cell}" for cell in cells] for key, cells in zip(keys, columns, strict=True)]
        self.stream.write("".join(f"{{{', '.join(row)}}}\n" for row in zip(*pairs, strict=True)).encode())


@dataclass
class _ArrowWriter(Writer):
    is_parquet: bool
    sink: Any = None
    schema: Any = None

    def __post_init__(self) -> None:
        try:
            import pyarrow  # noqa: F401
        except ImportError as error:
            absent = "Parquet and Arrow are written with pyarrow, which is not installed"
            way_out = "pip install 'treewright[files]'. Or write a .csv."
            raise MissingPackageError(f"{absent}: {way_out}") from error

    def write(self, table: Table) -> None:
        import pyarrow as pa

        arrays = [_arrow(raw, pa) for raw in table.columns]
        if self.sink is None:
            types = [pa.float64() if each.type == pa.null() else each.type for each in arrays]
            self.schema = pa.schema(list(zip(table.names, types, strict=True)))
            if self.is_parquet:
                from pyarrow import parquet

                self.sink = parquet.ParquetWriter(self.stream, self.schema)
            else:
                self.sink = pa.ipc.new_file(self.stream, self.schema)
        for at, field in enumerate(self.schema):
            try:
                arrays[at] = arrays[at].cast(field.type)
            except pa.ArrowInvalid:
                held = f"held {field.type} in the first rows and {arrays[at].type} later"
                way_out = "which one Parquet or Arrow file cannot hold; write a .csv."
                raise FileError(f"column {field.name!r} {held}, {way_out}") from None
        self.sink.write_table(pa.Table.from_arrays(arrays, schema=self.schema))

    def close(self) -> None:
        if self.sink is not None:
            self.sink.close()


def _cells(raw: Raw, text: Callable[[Any], str], number: Callable[[Any], str], missing: str) -> list[str]:
    """Format the values of a column, with one function for texts and one for numbers."""
    values, codes = raw.values, None
    kind = values.dtype.kind
    if raw.labels is not None:
        cells, codes = [*map(text, raw.labels), missing], values  # code −1 selects the last entry
    elif kind == "f":
        if len(np.unique(values[:_SAMPLE])) <= _FEW * len(values[:_SAMPLE]):
            values, codes = np.unique(values, return_inverse=True)
        pairs = zip(values.tolist(), is_missing(values).tolist(), strict=True)
        cells = [missing if gone else number(_whole(each)) for each, gone in pairs]
    elif kind == "M":
        texts = np.datetime_as_string(values, timezone="UTC" if raw.zone else "naive")
        cells = [missing if each == "NaT" else text(each) for each in texts.tolist()]
    elif kind in "biu":
        cells = [str(each).lower() for each in values.tolist()]
    else:
        cells = [missing if each is None else text(each) for each in values.tolist()]
    if codes is not None:
        cells = np.array(cells, dtype=object)[codes].tolist()
    for row in () if raw.missing is None else np.flatnonzero(raw.missing).tolist():
        cells[row] = missing
    return cells


def _whole(value: float) -> float:
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _json_text(text: Any) -> str:
    # Categories that are booleans or numbers keep their JSON type.
    return json.dumps(text if isinstance(text, bool | int | float) else str(text), ensure_ascii=False)


def _json_number(value: float) -> str:
    return json.dumps(value) if math.isfinite(value) else f'"{value}"'


def _arrow(raw: Raw, pa: Any) -> Any:
    if raw.labels is not None:
        labels = pa.array([str(label) for label in raw.labels], pa.string())
        return labels.take(pa.array(raw.values, mask=raw.values < 0))
    if raw.values.dtype.kind == "O":
        return pa.array([None if each is None else str(each) for each in raw.values.tolist()], pa.string())
    made = pa.array(np.ascontiguousarray(raw.values), mask=raw.is_missing())
    return made.cast(pa.timestamp(made.type.unit, raw.zone)) if raw.zone else made
