"""Find out how a text table is written: what parts its cells, whether names come first, the decimal sign."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from treewright.errors import FileError, ParameterError, listed
from treewright.files.cells import Rules, coded, settle
from treewright.schema import default_names
from treewright.table.read import Raw

_DELIMITERS = ("\t", ";", "|", ",")  # a comma last: it also stands inside numbers
_SAMPLE = 500

Look: TypeAlias = Literal["whole", "fraction", "text"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text table is written.

    Parameters
    ----------
    delimiter : str
        What parts cells.
    names : tuple of str
        The columns.
    has_header : bool
        Whether the first row holds the names.
    rules : Rules
        How cells are written.
    looks : tuple of {"whole", "fraction", "text"}
        What each column looks like in the first rows; what is no number is a text.
    """

    delimiter: str
    names: tuple[str, ...]
    has_header: bool
    rules: Rules
    looks: tuple[Look, ...]


def dialect_of(
    text: str,
    name: str,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal: str | None = None,
    missing: Sequence[str] | None = None,
) -> Dialect:
    r"""Find out the dialect from the first rows of a table, as far as it was not told.

    Parameters
    ----------
    text : str
        The first rows, whole.
    name : str
        The file's name, for errors.
    delimiter, header, decimal, missing
        What was told.

    Examples
    --------
    >>> dialect = dialect_of("name;size\nUlm;1,5\nBonn;2\n", "towns.csv")
    >>> dialect.delimiter, dialect.names, dialect.rules.decimal
    (';', ('name', 'size'), ',')
    """
    _refuse_strange(delimiter, decimal)
    if delimiter is None:
        delimiter = _delimiter_of(text)
    rows = _rows(text, delimiter)
    if not rows:
        raise FileError(f"{name} holds nothing but blank lines; a table has a header and rows.")
    n_columns = len(rows[0])
    body = [row for row in rows[1:] if len(row) == n_columns]
    if decimal is None:
        decimal = _decimal_of(rows, delimiter)
    rules = Rules.of(missing, decimal)
    columns = [settle(*coded(cells), rules) for cells in zip(*body, strict=True)] if body else []
    if header is None:
        header = _is_header(rows[0], columns, body, rules)
    names = _names(rows[0], name) if header else default_names(n_columns)
    if not header:
        columns = [settle(*coded(cells), rules) for cells in zip(*[rows[0], *body], strict=True)]
    looks = [_look(raw) for raw in columns] or [_look(Raw(np.zeros(0)))] * n_columns
    return Dialect(delimiter, names, header, rules, tuple(looks))


def _refuse_strange(delimiter: str | None, decimal: str | None) -> None:
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n ' or not delimiter.isascii()):
        raise ParameterError(
            f"delimiter={delimiter!r} cannot part cells; give one character such as ',', ';' or a tab."
        )
    if decimal is not None and decimal not in (".", ","):
        raise ParameterError(f"decimal={decimal!r} is not '.' or ','.")
    if decimal is not None and decimal == delimiter:
        raise ParameterError(f"delimiter and decimal are both {decimal!r}; one of them must differ.")


def _rows(text: str, delimiter: str, most: int = _SAMPLE) -> list[list[str]]:
    """Read the first rows, whatever they look like; what is wrong with them is said where rows are read."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    rows = []
    try:
        for row in reader:
            if any(cell.strip() for cell in row) or len(row) > 1:
                rows.append(row)
            if len(rows) > most:
                break
    except csv.Error:
        pass
    return rows


def _delimiter_of(text: str) -> str:
    """Choose the character that parts most rows into the same number of cells."""
    best, most = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        counts = Counter(map(len, _rows(text, delimiter, most=100)))
        n_cells, n_rows = counts.most_common(1)[0] if counts else (1, 0)
        share = n_rows / max(1, counts.total())
        # All rows alike settle it; else the largest share, and more cells where shares are equal.
        if n_cells > 1 and share >= 0.5 and (share, 0 if share == 1 else n_cells) > most:
            best, most = delimiter, (share, 0 if share == 1 else n_cells)
    return best


def _decimal_of(rows: Sequence[Sequence[str]], delimiter: str) -> str:
    """Find a comma in numbers, and no point in others."""
    if delimiter == ",":
        return "."
    body = [row for row in rows[1:] if len(row) == len(rows[0])] or [rows[0]]
    columns = list(zip(*body, strict=True))

    def fractions(decimal: str) -> bool:
        settled = (settle(*coded(cells), Rules(decimal=decimal)) for cells in columns)
        return any(raw.values.dtype.kind == "f" and not all(raw.values != raw.values) for raw in settled)

    return "," if fractions(",") and not fractions(".") else "."


def _is_header(
    first: Sequence[str], columns: Sequence[Raw], body: Sequence[Sequence[str]], rules: Rules
) -> bool:
    """Tell whether the first row names the columns.

    It does if a column holds numbers, moments or truths below a text; it does not if what stands below a
    number is one too, or if most texts of the first row stand below it again. In doubt, texts are names.
    """
    alike = again = 0
    for at, (cell, raw) in enumerate(zip(first, columns, strict=False)):
        text = cell.strip()
        is_text = settle(*coded([cell]), rules).labels is not None
        if raw.labels is None and not _all_gaps(raw):
            if is_text:
                return True
            alike += bool(text) and text not in rules.missing
        elif text:
            again += any(row[at].strip() == text for row in body)
    if alike or 2 * again > len(first):
        return False
    return not any(cell.strip() and settle(*coded([cell]), rules).labels is None for cell in first)


def _look(raw: Raw) -> Look:
    if raw.labels is not None or raw.values.dtype.kind not in "if" or _all_gaps(raw):
        return "text"
    return "whole" if raw.values.dtype.kind == "i" else "fraction"


def _all_gaps(raw: Raw) -> bool:
    return raw.values.dtype.kind == "f" and bool((raw.values != raw.values).all())


def _names(first: Sequence[str], name: str) -> tuple[str, ...]:
    names = tuple(cell.strip() or f"x{at}" for at, cell in enumerate(first))
    doubled = [each for each, times in Counter(names).items() if times > 1]
    if doubled:
        raise FileError(
            f"{name} has more than one column named {listed(doubled)}. Rename all but one, or give "
            "header=False if the first row holds values."
        )
    return names
