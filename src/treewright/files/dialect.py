"""Find out how a text table is written: its delimiter, its header, its decimal sign."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, TypeAlias

from treewright.errors import FileError, ParameterError
from treewright.files.cells import coded, kind_of, settle
from treewright.files.options import Options
from treewright.files.rules import Rules
from treewright.schema import default_names
from treewright.table.read import Raw, refuse_doubles

_DELIMITERS = ("\t", ";", "|", ",")  # comma last, as it also occurs inside numbers
_SAMPLE = 500
_NO_OPTIONS = Options()

Look: TypeAlias = Literal["whole", "fraction", "text"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text table is written.

    Parameters
    ----------
    delimiter : str
        What separates cells.
    names : tuple of str
        The columns.
    has_header : bool
        Whether the first row holds the names.
    rules : Rules
        How cells are written.
    looks : tuple of {"whole", "fraction", "text"}
        What each column looks like in the first rows; anything but a number is a text.
    """

    delimiter: str
    names: tuple[str, ...]
    has_header: bool
    rules: Rules
    looks: tuple[Look, ...]


def dialect_of(text: str, name: str, options: Options = _NO_OPTIONS) -> Dialect:
    r"""Find out the dialect from the first rows of a table, as far as the options leave it open.

    Parameters
    ----------
    text : str
        The first rows, whole.
    name : str
        The file's name, for errors.
    options : Options
        What the caller says about the file.

    Examples
    --------
    >>> dialect = dialect_of("name;size\nUlm;1,5\nBonn;2\n", "towns.csv")
    >>> dialect.delimiter, dialect.names, dialect.rules.decimal
    (';', ('name', 'size'), ',')
    """
    _refuse_invalid(options.delimiter, options.decimal)
    delimiter = options.delimiter or _delimiter_of(text)
    rows = _rows(text, delimiter)
    if not rows:
        raise FileError(f"{name} holds only blank lines; a table has a header and rows.")
    body = [row for row in rows[1:] if len(row) == len(rows[0])]
    rules = options.rules()
    if not rules.is_sure:
        rules = _with_decimal(rules, body or rows[:1], delimiter)
    columns = _read_columns(body, rules)
    header = _is_header(rows[0], columns, body, rules) if options.header is None else options.header
    names = _names(rows[0], name) if header else default_names(len(rows[0]))
    if not header:
        columns = _read_columns([rows[0], *body], rules)
    looks: list[Look] = list(map(_look, columns)) or ["text"] * len(names)
    return Dialect(delimiter, names, header, rules, tuple(looks))


def _read_columns(rows: Sequence[Sequence[str]], rules: Rules) -> list[Raw]:
    """Read the columns of some rows."""
    return [settle(*coded(cells), rules) for cells in zip(*rows, strict=True)]


def _refuse_invalid(delimiter: str | None, decimal: str | None) -> None:
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n ' or not delimiter.isascii()):
        way_out = "give one character such as ',', ';' or a tab"
        raise ParameterError(f"delimiter={delimiter!r} cannot separate cells; {way_out}.")
    if decimal is not None and decimal not in (".", ","):
        raise ParameterError(f"decimal={decimal!r} is not '.' or ','.")
    if decimal is not None and decimal == delimiter:
        raise ParameterError(f"delimiter and decimal are both {decimal!r}; one of them must differ.")


def _rows(text: str, delimiter: str, most: int = _SAMPLE) -> list[list[str]]:
    """Read the first rows as far as they can be read; errors are reported when all rows are read."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    rows: list[list[str]] = []
    with suppress(csv.Error):
        whole = (row for row in reader if len(row) > 1 or "".join(row).strip())
        rows.extend(islice(whole, most + 1))
    return rows


def _delimiter_of(text: str) -> str:
    """Choose the character that splits most rows into the same number of cells."""
    best, most = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        counts = Counter(map(len, _rows(text, delimiter, most=100)))
        n_cells, n_rows = counts.most_common(1)[0] if counts else (1, 0)
        fraction = n_rows / max(1, counts.total())
        # A delimiter by which all rows agree wins; else the largest fraction, then the most cells.
        found = (fraction, 0 if fraction == 1 else n_cells)
        if n_cells > 1 and fraction >= 0.5 and found > most:
            best, most = delimiter, found
    return best


def _with_decimal(rules: Rules, rows: Sequence[Sequence[str]], delimiter: str) -> Rules:
    """Choose a comma if some numbers have one and no others have a point.

    Numbers such as 1.200 and 1,200 alone do not decide, since they may be thousands. If a comma separates
    cells, the decimal sign is a point.
    """
    for sign in ".,":
        tried = replace(rules, decimal=sign)
        if delimiter != "," and any(_look(raw) == "fraction" for raw in _read_columns(rows, tried)):
            return replace(tried, is_sure=True)
    return replace(rules, is_sure=delimiter == ",")


def _is_header(
    first: Sequence[str], columns: Sequence[Raw], body: Sequence[Sequence[str]], rules: Rules
) -> bool:
    """Decide whether the first row names the columns.

    It does if some column has a text first and numbers, datetimes or booleans below it. It does not if such a
    column starts with a value of this kind, or if most texts of the first row occur again below it. In doubt,
    texts are names.
    """
    kinds = list(map(kind_of, _read_columns([first], rules)))
    alike = again = 0
    for at, (kind, raw) in enumerate(zip(kinds, columns, strict=False)):
        if kind_of(raw) not in (None, "category"):
            if kind == "category":
                return True
            alike += kind is not None
        elif text := first[at].strip():
            again += any(row[at].strip() == text for row in body)
    if alike or 2 * again > len(first):
        return False
    return all(kind == "category" or not cell.strip() for kind, cell in zip(kinds, first, strict=True))


def _look(raw: Raw) -> Look:
    if kind_of(raw) != "number" or raw.notation:
        return "text"
    return "whole" if raw.values.dtype.kind == "i" else "fraction"


def _names(first: Sequence[str], name: str) -> tuple[str, ...]:
    names = tuple(cell.strip() or f"x{at}" for at, cell in enumerate(first))
    way_out = "Rename all but one, or give header=False if the first row holds values."
    refuse_doubles(names, name, way_out, FileError)
    return names
