"""Cut text between rows into blocks of a few megabytes, so that a table may have any length."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from treewright.errors import FileError
from treewright.files.dialect import Dialect
from treewright.files.source import Source
from treewright.files.text import decoded, mark_of, refuse_nul, utf8_chunks

_LONGEST_ROW = 1 << 26
_QUOTE = ord('"')
_CACHED = 1 << 17  # bytes searched at once, so that they stay in the cache


@dataclass(frozen=True, slots=True)
class Block:
    """Some whole rows of a text table.

    Parameters
    ----------
    buffer : bytes
        UTF-8; most of it belongs to this block.
    start, end : int
        Where the block begins and ends in it.
    place : Place
        Where the block begins in the file.
    is_regular : bool
        Whether quotes occur only around whole cells, and in pairs inside them: all parsers agree on those.
    """

    buffer: bytes
    start: int
    end: int
    place: "Place"
    is_regular: bool

    def holds(self, text: bytes) -> bool:
        """Report whether the block contains these bytes."""
        return self.buffer.find(text, self.start, self.end) >= 0

    def holds_padded(self, delimiter: str) -> bool:
        """Report whether a cell has only digits, with a leading zero."""
        values = np.frombuffer(self.buffer, np.uint8, self.end - self.start, self.start)
        edges, goes_on = np.zeros((2, 256), dtype=bool)
        edges[[ord(delimiter), *b'\n\r"']] = True
        goes_on[[ord(delimiter), *b'\n\r" 0123456789']] = True
        cell = re.compile(rb" *0[0-9]+ *(?:[%s\n\r\"]|\Z)" % re.escape(delimiter).encode())
        if cell.match(self.buffer, self.start, self.end) is not None:
            return True
        for start in range(0, len(values), _CACHED):
            some = values[start : start + _CACHED + 2]
            # The character before a cell is the delimiter, or one that sorts below the digits.
            is_near = (some[:-2] < ord("0")) | (some[:-2] == ord(delimiter))
            is_zero = is_near & (some[1:-1] == ord("0")) & (some[2:] - np.uint8(ord("0")) < 10)
            at = np.flatnonzero(is_zero) + start + 1
            at = at[goes_on[values[np.minimum(at + 2, len(values) - 1)]]]  # excludes times and dates
            while (is_blank := (at > 0) & (values[at - 1] == ord(" "))).any():
                at -= is_blank
            if any(
                cell.match(self.buffer, self.start + each, self.end)
                for each in at[edges[values[at - 1]]].tolist()
            ):
                return True
        return False

    def text(self) -> str:
        """Decode it.

        Raises
        ------
        FileError
            If bytes of it are not text.
        """
        return decoded(self.buffer[self.start : self.end], self.place.source.name, self.place.in_file())


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file, which can find its line number for errors.

    Parameters
    ----------
    source, encoding
        The file.
    offset : int
        Bytes of text before it, as UTF-8.
    breaks : pair of int, or None
        Line feeds and carriage returns before it, counted if the file cannot be read again.
    """

    source: Source
    encoding: str
    offset: int
    breaks: tuple[int, int] | None

    def in_file(self) -> int:
        """Count the bytes before it, including the byte order mark that UTF-8 may begin with."""
        return self.offset + mark_of(self.source, self.encoding)

    def line(self) -> int:
        """Return the number of the line at this place, from 1."""
        if self.breaks is not None:
            return 1 + (self.breaks[0] or self.breaks[1])
        here = replace(self, offset=0, breaks=(0, 0))
        for chunk in utf8_chunks(self.source, self.encoding):
            here = here.after(chunk, min(len(chunk), self.offset - here.offset))
            if here.offset == self.offset:
                break
        return here.line()

    def after(self, data: bytes, n_bytes: int) -> "Place":
        """Return the place `n_bytes` further on; `data` begins here."""
        breaks = self.breaks
        if breaks is not None:
            breaks = (breaks[0] + data.count(b"\n", 0, n_bytes), breaks[1] + data.count(b"\r", 0, n_bytes))
        return replace(self, offset=self.offset + n_bytes, breaks=breaks)


def blocks_of(source: Source, encoding: str, dialect: Dialect) -> Iterator[Block]:
    """Yield the rows of a text table below its header.

    Raises
    ------
    FileError
        If bytes are not text, or a quote is not closed.
    """
    awaits_header = dialect.has_header
    place = Place(source, encoding, 0, None if source.rereads else (0, 0))
    rest = b""
    for chunk, after in pairwise(chain(utf8_chunks(source, encoding), [None])):
        buffer, is_last = rest + (chunk or b""), after is None
        refuse_nul(buffer, source.name, place.in_file())
        cut, is_regular = _last_row_end(buffer, dialect.delimiter, place, is_last)
        if cut == 0:
            if len(buffer) > _LONGEST_ROW:
                raise _unclosed(source, place.line(), f"within {_LONGEST_ROW >> 20} MB")
            rest = buffer
            continue
        start = _end_of_first_row(buffer, cut, dialect.delimiter) if awaits_header else 0
        awaits_header = False
        if start < cut:
            yield Block(buffer, start, cut, place.after(buffer, start), is_regular)
        place, rest = place.after(buffer, cut), buffer[cut:]


def _last_row_end(buffer: bytes, delimiter: str, place: Place, is_last: bool) -> tuple[int, bool]:
    """Find where the last whole row ends (0 if none does), and whether quotes are regular up to there."""
    if b'"' not in buffer:
        # Old Macs end lines with a lone carriage return; one at the very end may be half of a pair.
        last = buffer.rfind(b"\n") + 1 or buffer.rfind(b"\r", 0, -1) + 1
        return (len(buffer) if is_last else last), True
    values = np.frombuffer(buffer, dtype=np.uint8)
    quotes = np.flatnonzero(values == _QUOTE)
    if _are_regular(values, quotes, ord(delimiter)):
        if is_last:
            if len(quotes) % 2:
                line = place.after(buffer, int(quotes[-1])).line()
                raise _unclosed(place.source, line, "before the file ends")
            return len(buffer), True
        breaks = np.flatnonzero(values == ord("\n"))
        outside = breaks[np.searchsorted(quotes, breaks) % 2 == 0]
        return (int(outside[-1]) + 1 if len(outside) else 0), True
    return _last_row_end_by_csv(buffer, delimiter, place, is_last), False


def _are_regular(values: NDArray[np.uint8], quotes: NDArray[np.intp], delimiter: int) -> bool:
    """Report whether quotes alternately open and close cells, or are doubled inside them."""
    edges = np.zeros(256, dtype=bool)
    edges[[delimiter, ord("\n"), ord("\r"), _QUOTE]] = True
    opens, closes = quotes[::2], quotes[1::2]
    before = opens[opens > 0] - 1
    after = closes[closes + 1 < len(values)] + 1
    return bool(edges[values[before]].all() and edges[values[after]].all())


def _last_row_end_by_csv(buffer: bytes, delimiter: str, place: Place, is_last: bool) -> int:
    """Find the end of the last whole row with the csv module, for files with quotes inside cells."""
    before, end = 0, 0
    read: list[int] = []
    reader = csv.reader(_measured(buffer, read), delimiter=delimiter, strict=True, skipinitialspace=True)
    try:
        for _ in reader:
            before, end = end, end + sum(read)
            read.clear()
    except csv.Error as error:
        row = place.after(buffer, end)
        if "unexpected end of data" not in str(error):
            raise wrong_quote(place.source, row.line(), error) from None
        if is_last:
            raise _unclosed(place.source, row.line(), "before the file ends") from None
        return end
    if is_last:
        return len(buffer)
    return end if buffer.endswith(b"\n") else before  # the last row may continue in the next chunk


def _measured(data: bytes, read: list[int]) -> Iterator[str]:
    """Yield the lines of UTF-8, which may end within a character; append the bytes of each to `read`."""
    for each in io.TextIOWrapper(io.BytesIO(data), "utf-8", "ignore", newline=""):
        read.append(len(each.encode("utf-8")))
        yield each


def _end_of_first_row(buffer: bytes, end: int, delimiter: str) -> int:
    """Find the end of the first row that is not blank."""
    read: list[int] = []
    reader = csv.reader(_measured(buffer, read), delimiter=delimiter, skipinitialspace=True)
    next((row for row in reader if len(row) > 1 or "".join(row).strip()), None)
    return min(sum(read), end)


def _unclosed(source: Source, line: int, where: str) -> FileError:
    way_out = "Close it, or write it twice if it is part of the text."
    return source.error(line, f"a quote is opened and not closed {where}. {way_out}")


def wrong_quote(source: Source, line: int, error: csv.Error) -> FileError:
    """Make an error that says why Python's csv module cannot read a row."""
    if "field larger" in str(error):
        return _unclosed(source, line, f"within {csv.field_size_limit():,} characters")
    way_out = "Quote the whole cell, and write quotes inside it twice."
    return source.error(line, f"a quote ends before its cell does. {way_out}")
