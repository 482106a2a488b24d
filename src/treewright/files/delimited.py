"""Read CSV and TSV, block by block.

All cells of a column decide what it holds. To keep few texts in memory, a column that looks like numbers in
the first rows is read as numbers; if a text turns up after all, the file is read again with that column as
texts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from treewright.errors import ColumnError
from treewright.files import arrow_rows, cells, plain_rows
from treewright.files.arrow_rows import Parsed
from treewright.files.dialect import Look, dialect_of
from treewright.files.everyday import Notation, agree
from treewright.files.literals import CellKind
from treewright.files.options import Options
from treewright.files.rows import Block, blocks_of
from treewright.files.rules import Rules
from treewright.files.source import HEAD, Source
from treewright.files.text import NotUtf8Error, encoding_of, head_text
from treewright.table.read import Raw, Table

WORTH_LOADING = HEAD
"""The plain reader finishes a file of fewer bytes before pyarrow would be loaded."""


def delimited_tables(source: Source, options: Options, most: int | None) -> Iterator[Table]:
    """Read a text table, whole, or block by block, where the first block decides what each column holds."""
    if most is not None:
        yield from _Reader(source, options).batches()
        return
    try:
        table = _Reader(source, options).whole()
    except NotUtf8Error as error:
        if options.encoding is not None or not error.may_be_chinese:
            raise
        table = _Reader(source, replace(options, encoding="gb18030")).whole()
    yield table


@dataclass(slots=True)
class _Column:
    """The part of a column read so far: numbers, or else texts."""

    at: int
    name: str
    look: Look
    kind: CellKind | None
    notation: str | None = None
    written: str | None = None  # the notation of the batches so far
    is_whole: bool = True
    numbers: list[Raw] = field(default_factory=list)
    codes: list[cells.Codes] = field(default_factory=list)
    code_of: dict[str, int] = field(default_factory=dict)

    def add(self, found: Parsed, rules: Rules) -> bool:
        """Add the rows of a block, unless a text turns up among numbers; report whether one did."""
        if not isinstance(found, Raw) and self.look != "text":
            numbers = cells.numbers_or_none(*found, rules)
            if numbers is None or self._may_be_no_numbers(numbers, found[1], rules):
                self.look = "text"
                return True
            self.look = "fraction" if numbers.values.dtype.kind == "f" else self.look
            found = numbers
        if isinstance(found, Raw):
            self.numbers.append(found)
        else:
            codes, labels = found
            known = (self.code_of.setdefault(label, len(self.code_of)) for label in labels)
            self.codes.append(np.fromiter(known, np.int32, len(labels))[codes])
        return False

    def _may_be_no_numbers(self, numbers: Raw, labels: Sequence[str], rules: Rules) -> bool:
        """Report whether only all cells together can tell whether these are codes, or thousands."""
        if self.look == "fraction":
            return False
        is_fraction = numbers.values.dtype.kind == "f"
        return not rules.is_sure if is_fraction else self.kind is None and cells.may_be_codes(labels)

    def take(self, rules: Rules, first_row: int) -> Raw:
        """Return the column as read so far, and start again."""
        if self.numbers:
            raw = joined(self.numbers)
        else:
            codes = np.concatenate([np.zeros(0, dtype=np.int32), *self.codes])
            raw = cells.settle(
                codes, list(self.code_of), rules, self.kind, self.name, first_row, self.notation
            )
        self.clear()
        return raw

    def keep_notation(self, raw: Raw, first_row: int, decimal: str) -> None:
        """Remember how a batch was written; raise if it is written differently from those before it."""
        dtype = raw.values.dtype.kind
        if raw.labels is not None or dtype == "b" or raw.is_missing().all():
            return
        now, before = raw.notation, raw.notation if self.written is None else self.written
        if self.is_whole and not before and (number := Notation.of(now)) is not None:
            decimal = number.decimal  # whole numbers do not show the decimal sign
        if not agree(before, now, decimal):
            was, found = (f"as {each}" if each else "plainly" for each in (before, now))
            raise ColumnError(
                f"column {self.name!r} is written {was} up to row {first_row - 1:,}, and {found} below it. "
                "Write all of it alike, or read it as categories."
            )
        if now:
            self.notation = now
        self.written, self.is_whole = now or before, self.is_whole and dtype == "i"

    def clear(self) -> None:
        self.numbers, self.codes, self.code_of = [], [], {}


def joined(pieces: Sequence[Raw]) -> Raw:
    """Join pieces of a column of numbers; the result is whole numbers if all pieces are."""
    values = np.concatenate([piece.values for piece in pieces])
    missing = np.concatenate([piece.is_missing() for piece in pieces])
    return Raw(np.full(len(values), np.nan)) if missing.all() else Raw.masked(values, missing)


class _Reader:
    """How to read the file, and the columns read so far."""

    def __init__(self, source: Source, options: Options) -> None:
        encoding = encoding_of(source, options.encoding)
        text = head_text(source, encoding)
        if not source.is_whole:
            text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1] or text
        self.dialect = dialect = dialect_of(text, source.name, options)
        self.blocks = partial(blocks_of, source, encoding, dialect)
        self.uses_arrow = len(source.head) >= WORTH_LOADING and arrow_rows.is_there()
        kinds = options.kinds_in(dialect.names)
        self.columns = []
        for at in options.wanted(dialect.names):
            kind = kinds.get(name := dialect.names[at])
            notation = None if options.notations is None else options.notations.get(name)
            look = dialect.looks[at] if kind in (None, "number") and not notation else "text"
            self.columns.append(_Column(at, name, look, kind, notation))

    def whole(self) -> Table:
        # One pass over all blocks finds all columns of numbers in which texts turn up.
        while sum(map(self._add, self.blocks())):
            self._clear()
        return self._table(0)

    def batches(self) -> Iterator[Table]:
        first_row = 0
        for block in self.blocks():
            if self._add(block):
                # Read the block again with texts, which are rejected if the rows before held numbers.
                self._clear()
                self._add(block)
            table = self._table(first_row)
            for column, raw in zip(self.columns, table.columns, strict=True):
                column.kind = column.kind or cells.kind_of(raw)
                column.keep_notation(raw, first_row, self.dialect.rules.decimal)
            first_row += table.n_rows
            yield table

    def _clear(self) -> None:
        for column in self.columns:
            column.clear()

    def _table(self, first_row: int) -> Table:
        raws = [column.take(self.dialect.rules, first_row) for column in self.columns]
        names = tuple(column.name for column in self.columns)
        return Table(names, raws, len(raws[0].values), has_names=self.dialect.has_header)

    def _add(self, block: Block) -> bool:
        """Parse a block and add it to each column; report whether texts turn up in columns of numbers."""
        pairs = zip(self.columns, self._parsed(block), strict=True)
        return sum(column.add(found, self.dialect.rules) for column, found in pairs) > 0

    def _parsed(self, block: Block) -> Sequence[Parsed]:
        looks: dict[int, Look] = {column.at: column.look for column in self.columns}
        texts: dict[int, Look] = dict.fromkeys(looks, "text")
        if self.uses_arrow and block.is_regular:
            if "whole" in looks.values() and block.holds_padded(self.dialect.delimiter):
                looks |= {at: "text" for at, look in looks.items() if look == "whole"}
            for types in [texts] if _may_hold_hexadecimals(block) else [looks, texts]:
                found = arrow_rows.parse(block, self.dialect, types)
                if found is not None:
                    return found
        columns = plain_rows.cells_of(block, self.dialect)
        parsed: list[Parsed] = []
        for at, look in looks.items():
            numbers = None if look == "text" else cells.quick_numbers(columns[at], self.dialect.rules)
            parsed.append(cells.coded(columns[at]) if numbers is None else Raw(numbers))
        return parsed


def _may_hold_hexadecimals(block: Block) -> bool:
    """Report whether there may be numbers such as 0x1F, which are texts here but numbers to pyarrow."""
    # Searching for one letter is much faster than searching for two characters.
    return any(block.holds(letter) and block.holds(b"0" + letter) for letter in (b"x", b"X"))
