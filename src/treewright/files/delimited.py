"""Read CSV and its kin, block by block.

What a column holds is settled by all of its cells. To keep few texts in memory, a column that looks like
numbers in the first rows is read as numbers; if a text turns up after all, the file is read once more with
that column as texts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from treewright.errors import FileError
from treewright.files import arrow_rows
from treewright.files.cells import (
    CellKind,
    Codes,
    Rules,
    coded,
    numbers_or_none,
    quick_numbers,
    settle,
)
from treewright.files.dialect import Dialect, Look, dialect_of
from treewright.files.options import Options
from treewright.files.plain_rows import cells_of
from treewright.files.rows import Block, blocks_of
from treewright.files.source import HEAD, Source
from treewright.files.text import NotUtf8Error, encoding_of, head_text
from treewright.table.read import Raw, Table

WORTH_LOADING = HEAD
"""Below so many bytes the plain reader is done before pyarrow is loaded."""


def read_delimited(source: Source, options: Options) -> Table:
    """Read a text table whole."""
    reader = _Reader.of(source, options)
    while True:
        try:
            return reader.table()
        except _IsTextError as found:
            reader = replace(reader, types=reader.with_texts(found.columns))
        except NotUtf8Error as error:
            if options.encoding is not None or not error.may_be_chinese:
                raise
            options = replace(options, encoding="gb18030")
            reader = _Reader.of(source, options)


def delimited_batches(source: Source, options: Options) -> Iterator[Table]:
    """Read a text table piece by piece; the first piece settles what columns hold that nobody told."""
    yield from _Reader.of(source, options).batches()


class _IsTextError(Exception):
    """Columns that were read as numbers hold texts."""

    def __init__(self, columns: set[int]) -> None:
        self.columns = columns


@dataclass(slots=True)
class _Pieces:
    """What was read of one column so far: numbers, or else texts."""

    numbers: list[Raw] = field(default_factory=list)
    codes: list[Codes] = field(default_factory=list)
    code_of: dict[str, int] = field(default_factory=dict)

    def add_texts(self, codes: Codes, labels: Sequence[str]) -> None:
        code_of = self.code_of
        to = np.fromiter((code_of.setdefault(label, len(code_of)) for label in labels), np.int32, len(labels))
        self.codes.append(to[codes])

    def settled(self, rules: Rules, kind: CellKind | None, name: str, first_row: int) -> Raw:
        if self.numbers:
            return joined(self.numbers)
        codes = np.concatenate(self.codes) if self.codes else np.zeros(0, dtype=np.int32)
        return settle(codes, list(self.code_of), rules, kind, name, first_row)


def joined(pieces: Sequence[Raw]) -> Raw:
    """Put pieces of a column of numbers together: whole if all of them are."""
    values = [piece.values for piece in pieces]
    missing = [
        np.zeros(len(piece.values), dtype=bool) if piece.missing is None else piece.missing
        for piece in pieces
    ]
    gaps = np.concatenate(missing)
    if gaps.all():
        return Raw(np.full(len(gaps), np.nan))
    # A piece of nothing but gaps is whole or not, as the others are.
    if all(each.dtype.kind == "i" or gap.all() for each, gap in zip(values, missing, strict=True)):
        wholes = [each if each.dtype.kind == "i" else np.zeros(len(each), np.int64) for each in values]
        return Raw(np.concatenate(wholes), gaps if gaps.any() else None)
    floats = np.concatenate(values)
    floats[gaps] = np.nan
    return Raw(floats)


@dataclass(frozen=True, slots=True)
class _Reader:
    """One way through the file."""

    source: Source
    encoding: str
    dialect: Dialect
    kinds: Mapping[str, CellKind]
    wanted: Sequence[int]
    types: tuple[Look, ...]
    uses_arrow: bool

    @classmethod
    def of(cls, source: Source, options: Options) -> "_Reader":
        encoding = encoding_of(source, options.encoding)
        text = head_text(source, encoding)
        if not source.is_whole:
            text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1] or text
        dialect = dialect_of(
            text,
            source.name,
            delimiter=options.delimiter,
            header=options.header,
            decimal=options.decimal,
            missing=options.missing,
        )
        wanted = options.wanted(dialect.names)
        kinds = options.kinds_in(dialect.names)
        types: tuple[Look, ...] = tuple(
            look if kinds.get(name, "number") == "number" else "text"
            for name, look in zip(dialect.names, dialect.looks, strict=True)
        )
        uses_arrow = len(source.head) >= WORTH_LOADING and arrow_rows.is_there()
        return cls(source, encoding, dialect, kinds, wanted, types, uses_arrow)

    def with_texts(self, columns: set[int]) -> tuple[Look, ...]:
        return tuple("text" if at in columns else each for at, each in enumerate(self.types))

    def table(self) -> Table:
        pieces = [_Pieces() for _ in self.wanted]
        types = list(self.types)
        strange: set[int] = set()
        for block in blocks_of(self.source, self.encoding, self.dialect):
            strange |= self._add(block, pieces, types)
        if strange:
            raise _IsTextError(strange)
        table = self._settled(pieces, self.kinds)
        if not table.n_rows:
            raise self._no_rows()
        return table

    def batches(self) -> Iterator[Table]:
        kinds = dict(self.kinds)
        types = list(self.types)
        n_rows = 0
        for block in blocks_of(self.source, self.encoding, self.dialect):
            pieces = [_Pieces() for _ in self.wanted]
            if self._add(block, pieces, types):
                # Once more with texts, which are refused if the rows before held numbers.
                pieces = [_Pieces() for _ in self.wanted]
                self._add(block, pieces, types)
            table = self._settled(pieces, kinds, n_rows)
            if not table.n_rows:
                continue
            for name, raw in zip(table.names, table.columns, strict=True):
                kind = kind_of_cells(raw)
                if kind is not None:
                    kinds.setdefault(name, kind)
            n_rows += table.n_rows
            yield table
        if not n_rows:
            raise self._no_rows()

    def _add(self, block: Block, pieces: Sequence[_Pieces], types: list[Look]) -> set[int]:
        """Parse a block and add what it holds to each column; give those that turn out to hold texts."""
        strange: set[int] = set()
        for at, piece, found in zip(self.wanted, pieces, self._parsed(block, types), strict=True):
            if isinstance(found, Raw):
                piece.numbers.append(found)
                continue
            if types[at] == "text":
                piece.add_texts(*found)
                continue
            numbers = numbers_or_none(*found, self.dialect.rules)
            if numbers is None:
                strange.add(at)
                types[at] = "text"  # to find all such columns on one way through the file
            else:
                piece.numbers.append(numbers)
                if numbers.values.dtype.kind == "f":
                    types[at] = "fraction"
        return strange

    def _parsed(self, block: Block, types: Sequence[Look]) -> Sequence[Raw | tuple[Codes, list[str]]]:
        if self.uses_arrow and block.is_regular:
            if not _may_hold_hexadecimals(block):
                found = arrow_rows.parse(block, self.dialect, types, self.wanted)
                if found is not None:
                    return found
            texts = self.with_texts(set(range(len(types))))
            found = arrow_rows.parse(block, self.dialect, texts, self.wanted)
            if found is not None:
                return found
        cells = cells_of(block, self.dialect)
        parsed: list[Raw | tuple[Codes, list[str]]] = []
        for at in self.wanted:
            numbers = None if types[at] == "text" else quick_numbers(cells[at], self.dialect.rules)
            parsed.append(coded(cells[at]) if numbers is None else Raw(numbers))
        return parsed

    def _settled(self, pieces: Sequence[_Pieces], kinds: Mapping[str, CellKind], first_row: int = 0) -> Table:
        names = tuple(self.dialect.names[at] for at in self.wanted)
        columns = [
            piece.settled(self.dialect.rules, kinds.get(name), name, first_row)
            for name, piece in zip(names, pieces, strict=True)
        ]
        return Table(names, columns, len(columns[0].values), has_names=self.dialect.has_header)

    def _no_rows(self) -> FileError:
        return FileError(f"{self.source.name} has a header and no rows below it.")


def _may_hold_hexadecimals(block: Block) -> bool:
    """Tell whether there may be numbers such as 0x1F, which pyarrow reads and to us are texts."""
    # Looking for one letter is far quicker than for two characters.
    return any(block.holds(letter) and block.holds(b"0" + letter) for letter in (b"x", b"X"))


def kind_of_cells(raw: Raw) -> CellKind | None:
    """Tell what the cells of a settled column are, None where there are only gaps."""
    if raw.labels is not None:
        return "category"
    kind = raw.values.dtype.kind
    if kind == "f" and np.isnan(raw.values).all():
        return None
    return {"b": "boolean", "M": "datetime"}.get(kind, "number")  # type: ignore[return-value]
