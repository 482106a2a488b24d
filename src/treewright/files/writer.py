"""Write a table some rows at a time, as CSV, TSV, JSON lines, Parquet or Arrow.

Values are kept, not their spelling: numbers have as many digits as identify them, datetimes are ISO 8601,
missing values an empty cell (CSV) or null.
"""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from treewright.errors import FileError, MissingPackageError, ParameterError, listed
from treewright.files.formats import SUFFIXES, format_of_suffix
from treewright.table.read import Raw, Table

_SAMPLE = 1000  # values, to estimate whether few of them differ
_FEW = 0.5  # of the sample: so few are formatted once each


def format_of_name(path: str) -> str:
    """Find the format in which to write a file.

    Raises
    ------
    ParameterError
        If its name does not end as those of files that can be written.

    Examples
    --------
    >>> format_of_name("answers.tsv")
    'tsv'
    """
    format = format_of_suffix(PurePath(path).suffix.lower())
    if format is None or format == "arff":
        suffixes = [suffix for format in SUFFIXES if format != "arff" for suffix in SUFFIXES[format]]
        raise ParameterError(
            f"the name of {path} does not end in a format to write; the endings are "
            f"{listed(suffixes, most=20)}."
        )
    return format


class Writer(ABC):
    """Writes tables with the same columns, one after the other."""

    @abstractmethod
    def write(self, table: Table) -> None:
        """Add rows."""

    def close(self) -> None:  # noqa: B027 - most formats end with their rows
        """Write the end of the file."""


def writer_of(format: str, stream: BinaryIO) -> Writer:
    """Make a writer for a format.

    Parameters
    ----------
    format : {"csv", "tsv", "json", "parquet", "arrow"}
        The format.
    stream : binary stream
        The stream to write to; it is left open.

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
    return _DelimitedWriter(stream, "\t" if format == "tsv" else ",")


@dataclass
class _DelimitedWriter(Writer):
    stream: BinaryIO
    delimiter: str
    has_header: bool = False

    def write(self, table: Table) -> None:
        columns = [_cells(raw, self._quoted, str, "") for raw in table.columns]
        is_lone = len(columns) == 1
        # A row of one empty cell would be a blank line, which readers skip.
        lines = (cell or '""' for cell in columns[0]) if is_lone else map(self.delimiter.join, zip(*columns))  # noqa: B905
        text = "\n".join(lines)
        if not self.has_header:
            header = self.delimiter.join(map(self._quoted, table.names))
            text = f"{header}\n{text}" if table.n_rows else header
            self.has_header = True
        self.stream.write(f"{text}\n".encode())

    def _quoted(self, text: Any) -> str:
        cell = str(text)
        if not cell:
            return '""'  # an empty text, which is not missing
        if self.delimiter in cell or '"' in cell or "\n" in cell or "\r" in cell or cell != cell.strip():
            return '"' + cell.replace('"', '""') + '"'
        return cell


@dataclass
class _JsonWriter(Writer):
    stream: BinaryIO

    def write(self, table: Table) -> None:
        keys = [json.dumps(name, ensure_ascii=False) for name in table.names]
        columns = [_cells(raw, _json_text, _json_number, "null") for raw in table.columns]
        pairs = [[f"{key}: {cell}" for cell in cells] for key, cells in zip(keys, columns, strict=True)]
        self.stream.write("".join(f"{{{', '.join(row)}}}\n" for row in zip(*pairs, strict=True)).encode())


@dataclass
class _ArrowWriter(Writer):
    stream: BinaryIO
    is_parquet: bool
    sink: Any = None
    schema: Any = None

    def __post_init__(self) -> None:
        try:
            import pyarrow  # noqa: F401
        except ImportError as error:
            raise MissingPackageError(
                "Parquet and Arrow are written with pyarrow, which is not installed: pip install "
                "'treewright[files]'. Or write a .csv."
            ) from error

    def write(self, table: Table) -> None:
        import pyarrow as pa

        arrays = [_arrow(raw, pa) for raw in table.columns]
        if self.sink is None:
            types = [pa.float64() if each.type == pa.null() else each.type for each in arrays]
            self.schema = pa.schema(list(zip(table.names, types, strict=True)))
            self.sink = self._opened()
        for at, field in enumerate(self.schema):
            if arrays[at].type != field.type:
                try:
                    arrays[at] = arrays[at].cast(field.type)
                except pa.ArrowInvalid:
                    raise FileError(
                        f"column {field.name!r} held {field.type} in the first rows and {arrays[at].type} "
                        "later, which one Parquet or Arrow file cannot hold; write a .csv."
                    ) from None
        self.sink.write_table(pa.Table.from_arrays(arrays, schema=self.schema))

    def close(self) -> None:
        if self.sink is not None:
            self.sink.close()

    def _opened(self) -> Any:
        import pyarrow as pa
        from pyarrow import parquet

        if not self.is_parquet:
            return pa.ipc.new_file(self.stream, self.schema)
        return parquet.ParquetWriter(self.stream, self.schema)


def _cells(raw: Raw, text: Callable[[Any], str], number: Callable[[Any], str], missing: str) -> list[str]:
    """Format the values of a column: texts and numbers by a function each."""
    values = raw.values
    kind = values.dtype.kind
    if raw.labels is not None:
        cells = _by_code([*map(text, raw.labels), missing], values)  # code −1 points at the last
    elif kind == "f":
        distinct, codes = values, None
        if len(np.unique(values[:_SAMPLE])) <= _FEW * len(values[:_SAMPLE]):
            distinct, codes = np.unique(values, return_inverse=True)
        cells = [missing if each != each else number(_whole(each)) for each in distinct.tolist()]  # noqa: PLR0124
        cells = cells if codes is None else _by_code(cells, codes)
    elif kind == "M":
        texts = np.datetime_as_string(values, timezone="UTC" if raw.zone else "naive")
        cells = [missing if each == "NaT" else text(each) for each in texts.tolist()]
    elif kind in "biu":
        cells = [str(each).lower() for each in values.tolist()]
    else:
        cells = [missing if each is None else text(each) for each in values.tolist()]
    if raw.missing is not None:
        for row in np.flatnonzero(raw.missing).tolist():
            cells[row] = missing
    return cells


def _by_code(cells: list[str], codes: NDArray[Any]) -> list[str]:
    found: list[str] = np.array(cells, dtype=object)[codes].tolist()
    return found


def _whole(value: float) -> float:
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _json_text(text: Any) -> str:
    # Booleans and numbers among categories stay what they are.
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
