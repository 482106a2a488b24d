"""Read a table from a file or from standard input, whole or piece by piece: the door of this room."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from treewright.errors import ParameterError, did_you_mean, listed
from treewright.files.arff import arff_batches, read_arff
from treewright.files.arrow import arrow_batches, read_arrow
from treewright.files.c45 import c45_batches, files_of, read_c45
from treewright.files.cells import CELL_KINDS, CellKind
from treewright.files.delimited import delimited_batches, read_delimited
from treewright.files.formats import check_format, format_of
from treewright.files.json_lines import json_batches, read_json_lines
from treewright.files.options import Options
from treewright.files.source import Source, source_of
from treewright.schema import Classes, Schema
from treewright.table.read import Table

Place: TypeAlias = str | PathLike[str]

_READ: dict[str, Callable[[Source, Options], Table]] = {
    "csv": read_delimited,
    "tsv": read_delimited,
    "json": read_json_lines,
    "arff": read_arff,
    "parquet": read_arrow,
    "arrow": read_arrow,
}
_BATCHES: dict[str, Callable[[Source, Options], Iterator[Table]]] = {
    "csv": delimited_batches,
    "tsv": delimited_batches,
    "json": json_batches,
    "arff": arff_batches,
    "parquet": arrow_batches,
    "arrow": arrow_batches,
}


def read_file(
    place: Place,
    *,
    format: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    na: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    kinds: Mapping[str, CellKind] | None = None,
) -> Table:
    """Read a table from a file.

    What is not told is found out: the format from the first bytes or the name, the rest from the first rows.

    Parameters
    ----------
    place : str or path
        A file, a gzip of one, the stem of C4.5's files, or ``"-"`` for standard input.
    format : {"csv", "tsv", "json", "arff", "c45", "parquet", "arrow"}, optional
        ``"json"`` is JSON lines; Feather is ``"arrow"``.
    delimiter : str, optional
        What parts the cells of a CSV: a comma, semicolon, tab or bar where it is found out.
    encoding : str, optional
        Of a text; by default its mark tells, else it is UTF-8, else GB18030.
    decimal : {".", ","}, optional
        The decimal sign of a CSV.
    header : bool, optional
        Whether the first row of a CSV holds names.
    na : sequence of str, optional
        Texts that mean "no value". They stand in for what a CSV has by default: `MISSING` and
        `MISSING_AMONG_NUMBERS` of `treewright.files.cells`. Empty cells are always missing there, so is
        ``?`` in ARFF and C4.5's files.
    columns : sequence of str, optional
        Those to read, by default all.
    kinds : mapping of str to {"number", "category", "boolean", "datetime", "text"}, optional
        What columns hold, whatever they look like. A ``"category"`` is read as texts, a ``"text"`` is one
        that is never missing.

    Returns
    -------
    Table
        What `treewright.table.read.read` takes, and any estimator.

    Raises
    ------
    FileError
        If the file cannot be read; the text names the line.
    ColumnError
        If a column is asked for that is not there, or does not hold what was told.

    Examples
    --------
    >>> from pathlib import Path
    >>> import treewright.datasets
    >>> table = read_file(Path(treewright.datasets.__file__).parent / "golf.csv")
    >>> table.names, table.n_rows
    (('outlook', 'temperature', 'humidity', 'windy', 'class'), 14)
    """
    told = _told(delimiter, encoding, decimal, header, na, columns, kinds)
    pair = _c45_files(place, format)
    if pair is not None:
        _refuse_untaken("C4.5's files", told)
        return read_c45(*pair, told)
    source = source_of(place)
    found = _format(source, place, format, encoding)
    return _READ[found](source, _fitting(found, told))


def read_batches(
    place: Place,
    *,
    format: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
    na: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    kinds: Mapping[str, CellKind] | None = None,
    other_kind: CellKind | None = None,
) -> Iterator[Table]:
    """Read a table from a file some rows at a time, in order, in memory that does not grow with it.

    Parameters are those of `read_file`. What a column of text holds is settled by the first rows if it is not
    told, so for rows to be predicted give the `kinds_of` the model, and where other columns come along, as
    `other_kind`, what they hold in a CSV: ``"text"`` is anything.

    Yields
    ------
    Table
        Some rows.

    Raises
    ------
    FileError, ColumnError
        As `read_file`, when the rows concerned are reached.

    Examples
    --------
    >>> from pathlib import Path
    >>> import treewright.datasets
    >>> golf = Path(treewright.datasets.__file__).parent / "golf.csv"
    >>> [table.n_rows for table in read_batches(golf, columns=["humidity"])]
    [14]
    """
    told = _told(delimiter, encoding, decimal, header, na, columns, kinds, other_kind)
    pair = _c45_files(place, format)
    if pair is not None:
        _refuse_untaken("C4.5's files", told)
        yield from c45_batches(*pair, told)
        return
    source = source_of(place, streams=True)
    found = _format(source, place, format, encoding)
    yield from _BATCHES[found](source, _fitting(found, told))


def kinds_of(schema: Schema, with_target: bool = False) -> dict[str, CellKind]:
    """Tell as what to read the columns that a model knows, so that new rows are read as the old ones were.

    Parameters
    ----------
    schema : Schema
        What the model remembers.
    with_target : bool
        Whether the rows come with what to predict.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> columns = (Column("doors", "category", categories=("2", "more")), Column("age"))
    >>> kinds_of(Schema(columns, Classes((False, True)), target_name="sold"), with_target=True)
    {'doors': 'category', 'age': 'number', 'sold': 'boolean'}
    """
    kinds: dict[str, CellKind] = {}
    for column in schema.columns:
        kind = column.bins.kind if column.bins is not None else column.kind
        if kind == "category":
            kinds[column.name] = _kind_of_labels(column.categories)
        elif kind != "duration":
            kinds[column.name] = "datetime" if kind == "datetime" else "number"
    if with_target and schema.target_name is not None:
        labels = schema.target.labels if isinstance(schema.target, Classes) else (0,)
        kinds[schema.target_name] = _kind_of_labels(labels)
    return kinds


def _kind_of_labels(labels: Sequence[object]) -> CellKind:
    if labels and isinstance(labels[0], bool):
        return "boolean"
    return "number" if labels and isinstance(labels[0], int | float) else "category"


def _told(
    delimiter: str | None,
    encoding: str | None,
    decimal: str | None,
    header: bool | None,
    na: Sequence[str] | None,
    columns: Sequence[str] | None,
    kinds: Mapping[str, CellKind] | None,
    other_kind: CellKind | None = None,
) -> Options:
    for name, kind in (kinds or {}).items():
        if kind not in CELL_KINDS:
            hint = did_you_mean(kind, CELL_KINDS) or f" There are {listed(CELL_KINDS)}."
            raise ParameterError(f"column {name!r} cannot be read as {kind!r}.{hint}")
    for word, values in (("na", na), ("columns", columns)):
        if isinstance(values, str):
            raise ParameterError(f"{word}={values!r} is one text; give a list of them.")
    return Options(delimiter, encoding, decimal, header, na, columns, dict(kinds or {}), other_kind)


def _c45_files(place: Place, asked: str | None) -> tuple[Path, Path] | None:
    if asked is not None:
        check_format(asked)
    if str(place) == "-" or asked not in (None, "c45"):
        if asked == "c45":
            raise ParameterError("C4.5's files are two, so they cannot come from standard input.")
        return None
    pair = files_of(Path(place))
    if pair is None and asked == "c45":
        source_of(place)  # if it is not there, that is what to say
        raise ParameterError(f"there is no .names file beside {place}; C4.5's files are two.")
    return pair


def _format(source: Source, place: Place, asked: str | None, encoding: str | None) -> str:
    return asked or format_of(source, Path(place) if str(place) != "-" else None, encoding)


def _fitting(found: str, told: Options) -> Options:
    if found == "tsv":
        return replace(told, delimiter=told.delimiter or "\t")
    if found != "csv":
        _refuse_untaken({"json": "JSON lines", "arff": "ARFF"}.get(found, found.capitalize()), told)
    return told


def _refuse_untaken(what: str, told: Options) -> None:
    """Raise for what was told and has no meaning in a format."""
    given = [word for word in ("delimiter", "decimal", "header") if getattr(told, word) is not None]
    if what in ("Parquet", "Arrow") and told.encoding is not None:
        given.append("encoding")
    if given:
        raise ParameterError(f"{given[0]} is for CSV and TSV, and this is {what}; leave it out.")
