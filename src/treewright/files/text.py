"""Bytes as text: find out the encoding, turn text into UTF-8, report which bytes are not text."""

import codecs
import re
from collections.abc import Iterator
from itertools import chain

from treewright.errors import FileError, ParameterError
from treewright.files.source import Source

# UTF-32 comes before UTF-16, because its mark begins with that of UTF-16.
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32"}
_BOMS |= {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_MARK = "\ufeff"
CHUNK = 1 << 22


class NotUtf8Error(FileError):
    """Bytes that looked like UTF-8 so far are not; `may_be_chinese` says that GB18030 is worth a try."""

    may_be_chinese = False


class Lines:
    """The lines of a text file, without their ends, and the number of the last one, for errors."""

    def __init__(self, source: Source, encoding: str | None) -> None:
        self.source = source
        self.number = 0
        self._texts = _text_lines(source, encoding_of(source, encoding))

    def __iter__(self) -> Iterator[str]:
        for text in self._texts:
            self.number += 1
            yield text

    def error(self, text: str) -> FileError:
        """Make an error that names the last line."""
        return self.source.error(self.number, text)


def encoding_of(source: Source, encoding: str | None = None) -> str:
    """Find out the encoding of a file: by its byte order mark, else UTF-8, else GB18030.

    Raises
    ------
    FileError
        If the first bytes are not text in any of them.
    ParameterError
        If `encoding` is given and not known to Python.
    """
    if encoding is not None:
        try:
            "".encode(encoding)
        except LookupError:
            known = "give one such as 'utf-8', 'gb18030' or 'cp1252'"
            raise ParameterError(f"encoding={encoding!r} is not known; {known}.") from None
        return "utf-8-sig" if codecs.lookup(encoding).name == "utf-8" else encoding
    for mark, marked in _BOMS.items():
        if source.head.startswith(mark):
            return marked
    try:
        codecs.getincrementaldecoder("utf-8")().decode(source.head, source.is_whole)
    except UnicodeDecodeError as error:
        wrong = _not_utf8(source.name, source.head, error.start, 0)
        if not wrong.may_be_chinese:
            raise wrong from None
        return "gb18030"
    return "utf-8"


def head_text(source: Source, encoding: str) -> str:
    """Decode the first bytes of a file, up to the last whole character."""
    mark = mark_of(source, encoding)
    head = source.head[mark:]
    try:
        text = codecs.getincrementaldecoder("utf-8" if mark else encoding)().decode(head, source.is_whole)
    except UnicodeDecodeError as error:
        raise _not_text(source.name, head, error.start, encoding, mark) from None
    return text.removeprefix(_MARK)


def mark_of(source: Source, encoding: str) -> int:
    """Count the bytes of the byte order mark before text in UTF-8."""
    return 3 if encoding == "utf-8-sig" and source.head.startswith(codecs.BOM_UTF8) else 0


def utf8_chunks(source: Source, encoding: str) -> Iterator[bytes]:
    """Yield the file as UTF-8 without a mark, in chunks that may end anywhere.

    Input that is already UTF-8 is not checked here, but later, when it is cut into rows.
    """
    if encoding in ("utf-8", "utf-8-sig"):
        chunks = source.chunks(CHUNK)
        yield next(chunks).removeprefix(codecs.BOM_UTF8 if encoding == "utf-8-sig" else b"")
        yield from chunks
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    offset, is_first = 0, True
    for chunk in chain(source.chunks(CHUNK), [b""]):
        pending = decoder.getstate()[0]
        try:
            text = decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            at = offset - len(pending)
            raise _not_text(source.name, pending + chunk, error.start, encoding, at) from None
        offset += len(chunk)
        if is_first and text:
            text, is_first = text.removeprefix(_MARK), False
        yield text.encode("utf-8", "surrogatepass")


def _text_lines(source: Source, encoding: str) -> Iterator[str]:
    offset, rest = mark_of(source, encoding), b""
    for chunk in utf8_chunks(source, encoding):
        buffer = rest + chunk
        refuse_nul(buffer, source.name, offset)
        cut = buffer.rfind(b"\n") + 1
        yield from _split(decoded(buffer[:cut], source.name, offset))
        offset, rest = offset + cut, buffer[cut:]
    yield from _split(decoded(rest, source.name, offset))


def _split(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def refuse_nul(buffer: bytes, name: str, offset: int) -> None:
    """Raise if there is a NUL byte, which text never has.

    Examples
    --------
    >>> refuse_nul(b"a,b" + bytes(1), "t.csv", 100)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    treewright.errors.FileError: t.csv holds a NUL byte at offset 103, so it is not text. ...
    """
    if b"\0" in buffer:
        nul = f"{name} holds a NUL byte at offset {offset + buffer.index(0):,}, so it is not text"
        raise FileError(f"{nul}. Is it a table at all, or UTF-16 without a mark (encoding='utf-16-le')?")


def decoded(block: bytes, name: str, offset: int) -> str:
    """Decode a block of UTF-8, or report which byte of it is not text."""
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_utf8(name, block, error.start, offset) from None


def _not_utf8(name: str, data: bytes, at: int, offset: int) -> NotUtf8Error:
    refuse_nul(data[:at], name, offset)
    may_be_chinese = _looks_chinese(data)
    tried, other = ("UTF-8", "gb18030") if may_be_chinese else ("UTF-8 or GB18030", "cp1252")
    way_out = f"If it is text, give its encoding, such as encoding={other!r}."
    error = NotUtf8Error(f"{_wrong_byte(name, data, at, offset)} in {tried}. {way_out}")
    error.may_be_chinese = may_be_chinese
    return error


def _not_text(name: str, data: bytes, at: int, encoding: str, offset: int) -> FileError:
    wrong = _wrong_byte(name, data, at, offset)
    return FileError(f"{wrong} in {encoding}. Give the encoding it is written in.")


def _wrong_byte(name: str, data: bytes, at: int, offset: int) -> str:
    return f"{name} holds the byte 0x{data[at]:02X} at offset {offset + at:,}, which is not text"


def _looks_chinese(data: bytes) -> bool:
    """Report whether bytes are likely GB18030: nearly all of their pairs are common characters.

    Much text in cp1252 decodes as GB18030 too, but as rare characters, since in cp1252 an accented letter is
    usually followed by an ASCII letter.
    """
    try:
        codecs.getincrementaldecoder("gb18030")().decode(data)
    except UnicodeDecodeError:
        return False
    n_bytes = len(re.findall(rb"[\x80-\xff]", data))
    n_paired = 2 * len(re.findall(rb"[\xa1-\xff]{2}", data))
    return (n_bytes - n_paired) * 10 <= n_bytes
