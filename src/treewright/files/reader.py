"""Read a table from a file or from standard input, whole or in batches: the entry to this room."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from treewright.errors import FileError, ParameterError
from treewright.files import arff, arrow, c45, delimited, json_lines
from treewright.files.formats import BINARY, check_format, format_of
from treewright.files.literals import CellKind
from treewright.files.options import Options
from treewright.files.recast import recast
from treewright.files.source import Source, source_of
from treewright.schema import Classes, Schema
from treewright.table.read import Table

Place: TypeAlias = str | PathLike[str]

BATCH = 50_000
"""Rows of a batch; for a CSV, as many as fit into a few megabytes."""

# Each yields tables of at most the given number of rows; all rows in one table if that is None.
_TABLES: dict[str, Callable[[Source, Options, int | None], Iterator[Table]]] = {
    **dict.fromkeys(("csv", "tsv"), delimited.delimited_tables),
    **dict.fromkeys(BINARY, arrow.arrow_tables),
    "json": json_lines.json_tables,
    "arff": arff.arff_tables,
}
_NAMES = {"json": "JSON lines", "arff": "ARFF", "c45": "C4.5's files"}
_NO_ROWS = dict.fromkeys(("csv", "tsv"), "has a header and no rows below it")
_NO_ROWS["arff"] = "declares its columns and has no rows below @data"


def read_file(place: Place, *, format: str | None = None, **options: Any) -> Table:
    """Read a table from a file.

    Whatever the options leave open is detected: the format from the first bytes or the name, the rest from
    the first rows.

    Parameters
    ----------
    place : str or path
        A file, a gzip of one, the stem of C4.5's files, or ``"-"`` for standard input.
    format : {"csv", "tsv", "json", "arff", "c45", "parquet", "arrow"}, optional
        ``"json"`` is JSON lines; Feather is ``"arrow"``.
    **options
        What else is known about the file: see `treewright.files.options.Options`.

    Returns
    -------
    Table
        The table, which `treewright.table.read.read` and all estimators accept.

    Raises
    ------
    FileError
        If the file cannot be read; the text names the line.
    ColumnError
        If a requested column does not exist, or does not hold values of its kind.

    Examples
    --------
    >>> from pathlib import Path
    >>> import treewright.datasets
    >>> table = read_file(Path(treewright.datasets.__file__).parent / "golf.csv")
    >>> table.names, table.n_rows
    (('outlook', 'temperature', 'humidity', 'windy', 'class'), 14)
    """
    return next(_tables(place, format, Options(**options), None))


def read_batches(place: Place, *, format: str | None = None, **options: Any) -> Iterator[Table]:
    """Read a table from a file some rows at a time, in order, in memory that does not grow with the file.

    Parameters are those of `read_file`. If `kinds` does not say what a column of text holds, its first rows
    decide. So to predict rows, pass the `kinds_of` the model; if a CSV has further columns, also pass
    `other_kind`: ``"text"`` fits anything.

    Yields
    ------
    Table
        Some rows.

    Raises
    ------
    FileError, ColumnError
        As for `read_file`, once the rows in question are reached.

    Examples
    --------
    >>> from pathlib import Path
    >>> import treewright.datasets
    >>> golf = Path(treewright.datasets.__file__).parent / "golf.csv"
    >>> [table.n_rows for table in read_batches(golf, columns=["humidity"])]
    [14]
    """
    yield from _tables(place, format, Options(**options), BATCH)


def kinds_of(schema: Schema, with_target: bool = False) -> dict[str, CellKind]:
    """Return the kinds of a model's columns, so that new rows are read as the training rows were.

    Parameters
    ----------
    schema : Schema
        The schema of the model.
    with_target : bool
        Whether the rows hold the target too.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> columns = (Column("doors", "category", categories=("2", "more")), Column("age"))
    >>> kinds_of(Schema(columns, Classes((False, True)), target_name="sold"), with_target=True)
    {'doors': 'category', 'age': 'number', 'sold': 'boolean'}
    """
    kinds: dict[str, CellKind] = {}
    for column in schema.columns:
        if column.is_left_out:
            continue
        kind = column.bins.kind if column.bins is not None else column.kind
        if kind == "category":
            kinds[column.name] = _kind_of_labels(column.categories)
        elif kind != "duration":
            kinds[column.name] = "datetime" if kind == "datetime" else "number"
    if with_target and schema.target_name is not None:
        labels = schema.target.labels if isinstance(schema.target, Classes) else (0,)
        kinds[schema.target_name] = _kind_of_labels(labels)
    return kinds


def notations_of(schema: Schema) -> dict[str, str]:
    """Return how a model's columns were written in the file they came from; empty for plain values.

    Examples
    --------
    >>> from treewright.schema import Column, Numbers
    >>> columns = (Column("paid", notation="1.234,5 €"), Column("age"))
    >>> notations_of(Schema(columns, Numbers()))
    {'paid': '1.234,5 €', 'age': ''}
    """
    return {column.name: column.notation for column in schema.columns if not column.is_category}


def _kind_of_labels(labels: Sequence[object]) -> CellKind:
    if labels and isinstance(labels[0], bool):
        return "boolean"
    return "number" if labels and isinstance(labels[0], int | float) else "category"


def _tables(place: Place, format: str | None, options: Options, most: int | None) -> Iterator[Table]:
    pair = _c45_files(place, format)
    if pair is not None:
        found, read_from = "c45", str(pair[1])
        _refuse_unused(found, options)
        tables = c45.c45_tables(*pair, options, most)
    else:
        source = source_of(place, streams=most is not None)
        found, read_from = format or format_of(source, options.encoding), source.name
        _refuse_unused(found, options)
        if found == "tsv":
            options = replace(options, delimiter=options.delimiter or "\t")
        tables = _TABLES[found](source, options, most)
    kinds, rules, n_rows = options.kinds or {}, replace(options.rules(), is_sure=True), 0
    for table in tables:
        n_rows += table.n_rows
        if table.n_rows:
            pairs = zip(table.names, table.columns, strict=True)
            yield replace(table, columns=[recast(raw, kinds.get(name), name, rules) for name, raw in pairs])
    if not n_rows:
        raise FileError(f"{read_from} {_NO_ROWS.get(found, 'holds no rows')}.")


def _c45_files(place: Place, format: str | None) -> tuple[Path, Path] | None:
    """Find C4.5's two files; None if another format is to be read."""
    if format is not None:
        check_format(format)
    if format == "c45" and str(place) == "-":
        raise ParameterError("C4.5's format has two files, so it cannot come from standard input.")
    if format not in (None, "c45") or str(place) == "-":
        return None
    pair = c45.files_of(Path(place))
    if pair is None and format == "c45":
        source_of(place)  # raises if it does not exist
        raise ParameterError(f"there is no .names file beside {place}; C4.5's format has two files.")
    return pair


def _refuse_unused(format: str, options: Options) -> None:
    """Raise for options that have no meaning in a format."""
    words = [] if format in ("csv", "tsv") else ["delimiter", "decimal", "header"]
    words += [] if format in ("csv", "tsv") else ["thousands", "percent", "date_formats"]
    words += ["encoding"] if format in BINARY else []
    for word in words:
        if getattr(options, word) not in (None, ()):
            what = _NAMES.get(format, format.capitalize())
            raise ParameterError(f"{word} is for CSV and TSV, and this is {what}; leave it out.")
