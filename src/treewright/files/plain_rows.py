"""Parse rows of text with Python's csv module: without dependencies, and with explanations of errors."""

import csv
import io
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from treewright.files.dialect import Dialect
from treewright.files.rows import Block, wrong_quote


def cells_of(block: Block, dialect: Dialect) -> Sequence[Sequence[str]]:
    """Return the cells of a block, column by column.

    Raises
    ------
    FileError
        If bytes are not text, or a row has more or fewer cells than there are columns.
    """
    n_columns = len(dialect.names)
    rows: list[list[str]] = []
    with suppress(csv.Error):
        rows = list(_reader(block, dialect))
    if set(map(len, rows)) != {n_columns}:
        rows = _whole_rows(block, dialect)
    return list(zip(*rows, strict=True)) if rows else [()] * n_columns


def _reader(block: Block, dialect: Dialect) -> Any:
    lines = io.StringIO(block.text(), newline="")
    return csv.reader(lines, delimiter=dialect.delimiter, strict=True, skipinitialspace=True)


def _whole_rows(block: Block, dialect: Dialect) -> list[list[str]]:
    """Return the rows that are not blank, or raise for the first that is wrong."""
    source, n_columns, reader = block.place.source, len(dialect.names), _reader(block, dialect)
    rows = []
    before = 0
    try:
        for row in reader:
            if len(row) == n_columns:
                rows.append(row)
            elif len(row) > 1 or "".join(row).strip():
                found = f"expected {n_columns} cells, found {len(row)}, separated by {dialect.delimiter!r}"
                way_out = "Correct the row, or quote cells that hold the delimiter."
                raise source.error(block.place.line() + before, f"{found}. {way_out}")
            before = reader.line_num
    except csv.Error as error:
        raise wrong_quote(source, block.place.line() + before, error) from None
    return rows
