"""Parse rows of text with Python's csv module: the reader that needs nothing, and says what is wrong."""

import csv
import io
from collections.abc import Iterator, Sequence

from treewright.errors import FileError
from treewright.files.dialect import Dialect
from treewright.files.rows import Block, wrong_quote


def cells_of(block: Block, dialect: Dialect) -> Sequence[Sequence[str]]:
    """Give the cells of a block, column by column.

    Raises
    ------
    FileError
        If bytes are no text, or a row has more or fewer cells than there are columns.
    """
    n_columns = len(dialect.names)
    text = block.text()
    try:
        rows = list(csv.reader(_lines(text), delimiter=dialect.delimiter, strict=True, skipinitialspace=True))
    except csv.Error:
        _refuse_rows(text, block, dialect)
        raise AssertionError("unreachable: the row that cannot be read was found again") from None
    if set(map(len, rows)) != {n_columns}:
        _refuse_rows(text, block, dialect)
        rows = [row for row in rows if not _is_blank(row, n_columns)]
    return list(zip(*rows, strict=True)) if rows else [()] * n_columns


def _lines(text: str) -> Iterator[str]:
    return iter(io.StringIO(text, newline=""))


def _is_blank(row: Sequence[str], n_columns: int) -> bool:
    return not row or (len(row) == 1 < n_columns and not row[0].strip())


def _refuse_rows(text: str, block: Block, dialect: Dialect) -> None:
    """Raise for the first row that is not as it should be; blank lines may be anywhere."""
    n_columns = len(dialect.names)
    name = block.place.source.name
    reader = csv.reader(_lines(text), delimiter=dialect.delimiter, strict=True, skipinitialspace=True)
    before = 0
    try:
        for row in reader:
            if len(row) != n_columns and not _is_blank(row, n_columns):
                raise FileError(
                    f"{name}, line {block.place.line() + before:,}: expected {n_columns} cells, found "
                    f"{len(row)}, parted by {dialect.delimiter!r}. Correct the row, or quote cells that hold "
                    "the delimiter."
                )
            before = reader.line_num
    except csv.Error as error:
        raise wrong_quote(name, block.place.line() + before, error) from None
