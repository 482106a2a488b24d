"""Read C4.5's own files: `stem.names` declares classes and columns, `stem.data` and `stem.test` hold rows.

In the names, classes come first, then a column an entry: ``name: continuous``, ``name: discrete 5``,
``name: ignore`` or ``name: one, two, three``. An entry ends with its line or with a period; a bar begins a
comment; a backslash takes a comma, colon, period, bar or question mark for what it is. A row has a value for
each column and then its class; ``?`` is a gap, in the class too. Rows without the class are read where all of
them lack it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from treewright.errors import FileError
from treewright.files.attributes import BATCH, Attribute, Row, in_batches, refuse_doubled, table_of
from treewright.files.options import Options
from treewright.files.source import Source, source_of
from treewright.files.text import encoding_of, text_lines
from treewright.table.read import Table

CLASS = "class"
"""What the column of classes is called; ``"target"`` where a column has that name."""


def files_of(path: Path) -> tuple[Path, Path] | None:
    """Find the names and the rows that `path` stands for; None if it is none of C4.5's files.

    A stem or its names stand for the training rows.
    """
    if path.suffix in (".data", ".test", ".names"):
        names = path.with_suffix(".names")
        rows = path if path.suffix != ".names" else path.with_suffix(".data")
    elif path.exists():
        return None
    else:
        names, rows = (path.with_name(path.name + suffix) for suffix in (".names", ".data"))
    return (names, rows) if names.is_file() else None


def read_c45(names: Path, rows: Path, options: Options) -> Table:
    """Read C4.5's files whole."""
    return next(_tables(names, rows, options, None))


def c45_batches(names: Path, rows: Path, options: Options) -> Iterator[Table]:
    """Read C4.5's files some rows at a time."""
    yield from _tables(names, rows, options, BATCH)


def _tables(names: Path, rows: Path, options: Options, most: int | None) -> Iterator[Table]:
    if not rows.exists():
        raise FileError(f"{names} has no {rows.name} beside it with the rows.")
    declared = source_of(names)
    lines = text_lines(declared, encoding_of(declared, options.encoding))
    attributes = _attributes(_Tokens("\n".join(lines), declared.name))
    source = source_of(rows)
    n_cells = 0
    for batch in in_batches(_rows(source, len(attributes), options), most):
        n_cells = n_cells or len(batch.cells[0])
        # What was found in one batch says nothing of the next, so values are then but texts.
        known = attributes if most is None else [_as_text(attribute) for attribute in attributes]
        yield table_of(known[:n_cells], batch, source.name, options)
    if not n_cells:
        raise FileError(f"{source.name} holds no rows.")


def _as_text(attribute: Attribute | None) -> Attribute | None:
    is_found = attribute is not None and attribute.kind == "found"
    return Attribute(attribute.name, "text") if is_found and attribute is not None else attribute


@dataclass(slots=True)
class _Tokens:
    """The names file, read name by name."""

    text: str
    file: str
    at: int = 0

    def line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

    def skip(self) -> bool:
        """Go to the next name, past blanks and comments; tell whether there is one."""
        text = self.text
        while self.at < len(text):
            if text[self.at] == "|":
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            elif not text[self.at].isspace():
                return True
            else:
                self.at += 1
        return False

    def next(self, what: str) -> tuple[str, str]:
        """Read a name and what ended it: a comma, a colon, a period or the end of the line."""
        if not self.skip():
            raise FileError(f"{self.file} ends where {what} was expected.")
        text, found = self.text, []
        ended = "\n"
        while self.at < len(text):
            letter = text[self.at]
            if letter == "\\" and self.at + 1 < len(text):
                found.append(text[self.at + 1])
                self.at += 2
                continue
            is_end = letter in ",:|\n" or (letter == "." and not text[self.at + 1 : self.at + 2].strip())
            if is_end:
                ended = "\n" if letter == "|" else letter
                self.at += letter not in "|\n"
                break
            found.append(letter)
            self.at += 1
        name = " ".join("".join(found).split())
        if not name:
            raise FileError(f"{self.file}, line {self.line():,}: expected {what}, found {ended!r}.")
        return name, ended


def _attributes(tokens: _Tokens) -> list[Attribute | None]:
    """Read the classes and the columns, None for what is to be ignored; the class comes last, as in rows."""
    classes = _values(tokens, "a class")
    attributes: list[Attribute | None] = []
    names = []
    while tokens.skip():
        name, ended = tokens.next("the name of a column")
        if ended != ":":
            raise FileError(
                f"{tokens.file}, line {tokens.line():,}: expected a colon after the column's name {name!r}."
            )
        if tokens.text.startswith("=", tokens.at):
            raise FileError(
                f"{tokens.file}, line {tokens.line():,}: column {name!r} is defined by a formula, which C5.0 "
                "knows and C4.5 does not. Put its values in the rows."
            )
        names.append(name)
        attributes.append(_attribute(tokens, name))
    if not attributes:
        raise FileError(f"{tokens.file} declares classes and no columns.")
    refuse_doubled(names, tokens.file)
    target = CLASS if CLASS not in names else "target"
    refuse_doubled([*names, target], tokens.file)
    return [*attributes, Attribute(target, "category", classes)]


def _attribute(tokens: _Tokens, name: str) -> Attribute | None:
    start = tokens.line()
    values = _values(tokens, f"continuous, discrete, ignore or the values of column {name!r}")
    if len(values) == 1:
        word, _, number = values[0].partition(" ")
        if values[0] == "ignore":
            return None
        if values[0] == "continuous":
            return Attribute(name, "number")
        if word == "discrete":
            if not (number.isascii() and number.isdigit() and int(number)):
                raise FileError(
                    f"{tokens.file}, line {start:,}: expected a number after 'discrete': how many values "
                    f"column {name!r} has."
                )
            return Attribute(name, "found", most=int(number))
    return Attribute(name, "category", values)


def _values(tokens: _Tokens, what: str) -> tuple[str, ...]:
    values = []
    ended = ","
    while ended == ",":
        value, ended = tokens.next(what)
        if value in values:
            raise FileError(f"{tokens.file}, line {tokens.line():,}: {value!r} is declared twice.")
        values.append(value)
    if ended == ":":
        raise FileError(
            f"{tokens.file}, line {tokens.line():,}: expected a comma or a period after {values[-1]!r}, "
            "found a colon; write \\: if it is part of the name."
        )
    return tuple(values)


def _rows(source: Source, n_cells: int, options: Options) -> Iterator[tuple[Row, int]]:
    lines = text_lines(source, encoding_of(source, options.encoding))
    expected = None
    for number, line in enumerate(lines, start=1):
        row = _cells(line)
        if row is None:
            continue
        if expected is None:  # all rows may lack the class, as those do that are to be classified
            expected = n_cells - 1 if len(row) == n_cells - 1 and n_cells > 2 else n_cells
        if len(row) != expected:
            raise FileError(
                f"{source.name}, line {number:,}: expected {expected} values, found {len(row)}. Write \\, "
                "for a comma that is part of a value."
            )
        yield row, number


def _cells(line: str) -> Row | None:
    """Part a line into values; None if there is nothing on it."""
    if "\\" not in line and "|" not in line:
        text = line.strip()
        if not text:
            return None
        text = text[:-1] if text[-1] == "." else text
        texts = (" ".join(cell.split()) for cell in text.split(","))
        return [None if cell == "?" else cell for cell in texts]
    # Letters with whether a backslash takes them for what they are.
    letters = [(each[-1], len(each) > 1) for each in re.findall(r"\\.|.", line)]
    if ("|", False) in letters:
        letters = letters[: letters.index(("|", False))]
    while letters and letters[-1][0].isspace():
        letters.pop()
    if letters and letters[-1] == (".", False):
        letters.pop()
    if not letters:
        return None
    cells: list[list[tuple[str, bool]]] = [[]]
    for letter in letters:
        if letter == (",", False):
            cells.append([])
        else:
            cells[-1].append(letter)
    return [_cell(cell) for cell in cells]


def _cell(letters: list[tuple[str, bool]]) -> str | None:
    text = " ".join("".join(letter for letter, _ in letters).split())
    return None if text == "?" and ("?", False) in letters else text
