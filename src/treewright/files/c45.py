r"""Read C4.5's own files: `stem.names` declares classes and columns, `stem.data` and `stem.test` hold rows.

In the names, classes come first, then an entry for each column: ``name: continuous``, ``name: discrete 5``,
``name: ignore`` or ``name: one, two, three``. An entry ends with its line or with a period; a bar begins a
comment; a backslash makes a comma, colon, period, bar or question mark part of the text. A row has a value
for each column and then its class; ``?`` is a missing value, in the class too. All rows may lack the class.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from treewright.errors import FileError
from treewright.files.attributes import Attribute, Row, Rows, tables_of
from treewright.files.options import Options
from treewright.files.source import Source, source_of
from treewright.files.text import Lines
from treewright.table.read import Table, refuse_doubles

CLASS = "class"
"""The name of the class column; ``"target"`` if another column has that name."""

_BLANKS = re.compile(r"(?:\s|\|[^\n]*)*")
# A period ends a name only before a blank.
_NAME = re.compile(r"((?:\\.|\.(?=\S)|[^,:|\n.])*)([,:.]?)", re.DOTALL)
_ROW = re.compile(r"((?:\\.|[^|])*?)\.?(?:\\?\s)*(?:\|.*)?")  # captures all but the period and comment
_CELL = re.compile(r"((?:\\.|[^,])*?),")


def files_of(path: Path) -> tuple[Path, Path] | None:
    """Find the names file and the file of rows that `path` stands for; None if it is not a C4.5 file.

    A stem, or the names file, stands for the training rows.
    """
    if path.suffix in (".data", ".test", ".names"):
        names = path.with_suffix(".names")
        rows = path if path.suffix != ".names" else path.with_suffix(".data")
    elif path.exists():
        return None
    else:
        names, rows = (path.with_name(path.name + suffix) for suffix in (".names", ".data"))
    return (names, rows) if names.is_file() else None


def c45_tables(names: Path, rows: Path, options: Options, most: int | None) -> Iterator[Table]:
    """Read C4.5's files."""
    if not rows.exists():
        raise FileError(f"{names} has no {rows.name} beside it with the rows.")
    declared = source_of(names)
    attributes = _attributes(_Names("\n".join(Lines(declared, options.encoding)), declared, most is None))
    lines = Lines(source_of(rows), options.encoding)
    yield from tables_of(attributes, _rows(lines, len(attributes)), lines.source, options, most)


@dataclass(slots=True)
class _Names:
    """The names file, read name by name."""

    text: str
    source: Source
    is_for_all_rows: bool
    at: int = 0

    def error(self, text: str) -> FileError:
        return self.source.error(self.text.count("\n", 0, self.at) + 1, text)

    def skip(self) -> bool:
        """Skip blanks and comments before the next name; report whether there is one."""
        blanks = _BLANKS.match(self.text, self.at)
        assert blanks is not None, "matches nothing at all, too"
        self.at = blanks.end()
        return self.at < len(self.text)

    def next(self, what: str) -> tuple[str, str]:
        """Read a name and what ends it: a comma, a colon, a period or the end of the line."""
        if not self.skip():
            raise FileError(f"{self.source.name} ends where {what} was expected.")
        found = _NAME.match(self.text, self.at)
        assert found is not None, "matches nothing at all, too"
        self.at, name, ended = found.end(), _unescaped(found[1]), found[2] or "\n"
        if not name:
            raise self.error(f"expected {what}, found {ended!r}.")
        return name, ended


def _attributes(names: _Names) -> list[Attribute | None]:
    """Read the classes and the columns, None for ignored ones; the class comes last, as in rows."""
    classes = _values(names, "a class")
    attributes: list[Attribute | None] = []
    columns = []
    while names.skip():
        name, ended = names.next("the name of a column")
        if ended != ":":
            raise names.error(f"expected a colon after the column's name {name!r}.")
        if names.text.startswith("=", names.at):
            defined = f"column {name!r} is defined by a formula, which C5.0 knows and C4.5 does not"
            raise names.error(f"{defined}. Put its values in the rows.")
        columns.append(name)
        attributes.append(_attribute(names, name))
    if not columns:
        raise FileError(f"{names.source.name} declares classes and no columns.")
    target = CLASS if CLASS not in columns else "target"
    refuse_doubles([*columns, target], names.source.name, "Rename all but one.", FileError)
    return [*attributes, Attribute(target, "category", classes)]


def _attribute(names: _Names, name: str) -> Attribute | None:
    values = _values(names, f"continuous, discrete, ignore or the values of column {name!r}")
    word, _, number = values[0].partition(" ")
    if values == ("ignore",):
        return None
    if values == ("continuous",):
        return Attribute(name, "number")
    if len(values) > 1 or word != "discrete":
        return Attribute(name, "category", values)
    if not (number.isascii() and number.isdigit() and int(number)):
        expected = "expected a number after 'discrete'"
        raise names.error(f"{expected}: how many values column {name!r} has.")
    # The values found in one batch may differ from those of the next, so batches read them as texts.
    return Attribute(name, "found" if names.is_for_all_rows else "text", most=int(number))


def _values(names: _Names, what: str) -> tuple[str, ...]:
    values = []
    ended = ","
    while ended == ",":
        value, ended = names.next(what)
        if value in values:
            raise names.error(f"{value!r} is declared twice.")
        values.append(value)
    if ended == ":":
        expected = f"expected a comma or a period after {values[-1]!r}"
        raise names.error(f"{expected}, found a colon; write \\: if it is part of the name.")
    return tuple(values)


def _rows(lines: Lines, n_cells: int) -> Rows:
    expected = 0
    for row in filter(None, map(_cells, lines)):
        # All rows may lack the class, if they are to be classified.
        expected = expected or (n_cells - 1 if len(row) == n_cells - 1 and n_cells > 2 else n_cells)
        if len(row) != expected:
            way_out = "Write \\, for a comma that is part of a value."
            raise lines.error(f"expected {expected} values, found {len(row)}. {way_out}")
        yield lines.number, row


def _cells(line: str) -> Row:
    """Split a line into values; a blank line has none."""
    if "\\" not in line and "|" not in line:
        text = line.strip()
        cells = [" ".join(cell.split()) for cell in text.removesuffix(".").split(",")]
        return [None if cell == "?" else cell for cell in cells] if text else []
    row = _ROW.fullmatch(line)
    found = _CELL.findall(row[1] + ",") if row is not None and row[1] else []
    pairs = [(cell, _unescaped(cell)) for cell in found]
    return [None if text == "?" and "\\?" not in cell else text for cell, text in pairs]


def _unescaped(text: str) -> str:
    """Remove backslashes and redundant blanks."""
    return " ".join(re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL).split())
