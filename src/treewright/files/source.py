"""Where the bytes come from: a path, a gzip of one, standard input."""

import gzip
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from treewright.errors import FileError, did_you_mean

HEAD = 1 << 18
"""How many bytes are looked at to find out what a file is, unless its first lines are longer."""

STDIN = "standard input"
_GZIP = b"\x1f\x8b"
_FEW_LINES = 3
_LONGEST_HEAD = 1 << 26


@dataclass(frozen=True, slots=True)
class Source:
    """A file's bytes, out of their gzip.

    Parameters
    ----------
    name : str
        What to call it in an error.
    head : bytes
        Its first bytes.
    is_whole : bool
        Whether `head` is all there is.
    opener : callable
        Gives its bytes from the start.
    path : Path, optional
        Where it lies, if it is a file that is not compressed.
    rereads : bool
        Whether it can be opened more than once.
    """

    name: str
    head: bytes
    is_whole: bool
    opener: Callable[[], BinaryIO]
    path: Path | None = None
    rereads: bool = True

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open it at its start; what goes wrong while reading is a `FileError`."""
        with _told_as_file_error(self.name), self.opener() as stream:
            yield stream

    def read(self) -> bytes:
        """Read it whole."""
        with self.open() as stream:
            return stream.read()


def source_of(place: str | PathLike[str], streams: bool = False) -> Source:
    """Find a file's bytes.

    Parameters
    ----------
    place : str or path
        ``"-"`` is standard input.
    streams : bool
        Whether standard input is read once, piece by piece, rather than kept whole.

    Raises
    ------
    FileError
        If there is no such file, or it is a folder, empty, or no gzip though it begins like one.
    """
    if str(place) == "-":
        if streams:
            return _of_stream(sys.stdin.buffer, STDIN, closes=False)
        with _told_as_file_error(STDIN):
            return _of_bytes(sys.stdin.buffer.read(), STDIN)
    path = Path(place)
    with _told_as_file_error(str(place)):
        _refuse_absent(path)
        if not path.is_file():  # a pipe, which can be opened once
            if streams:
                return _of_stream(path.open("rb"), str(place), closes=True)
            return _of_bytes(path.read_bytes(), str(place))
        with path.open("rb") as file:
            is_gzip = file.read(2) == _GZIP

        def opener() -> BinaryIO:
            return gzip.open(path, "rb") if is_gzip else path.open("rb")  # type: ignore[return-value]

        with opener() as stream:
            head, is_whole = _head(stream)
    return _checked(Source(str(place), head, is_whole, opener, None if is_gzip else path))


def near_names(path: Path) -> str:
    """Suggest the name of a file beside `path` that is spelt nearly the same."""
    folder = path.parent
    return did_you_mean(path.name, (each.name for each in folder.iterdir())) if folder.is_dir() else ""


def _refuse_absent(path: Path) -> None:
    if path.is_dir():
        raise FileError(f"{path} is a folder; give one of the files in it.")
    if not path.exists():
        if not path.parent.is_dir():
            raise FileError(f"{path} does not exist: there is no folder {path.parent}.")
        raise FileError(f"{path} does not exist.{near_names(path)}")


def _of_bytes(data: bytes, name: str) -> Source:
    whole = gzip.decompress(data) if data.startswith(_GZIP) else data
    head, is_whole = _head(io.BytesIO(whole))
    return _checked(Source(name, head, is_whole, lambda: io.BytesIO(whole)))


def _of_stream(stream: BinaryIO, name: str, closes: bool) -> Source:
    """Read a stream once; `closes` says whether it is closed at its end."""
    with _told_as_file_error(name):
        unpacked: BinaryIO = io.BufferedReader(_Again(stream.read(2), stream, closes))
        if unpacked.peek(2)[:2] == _GZIP:  # type: ignore[attr-defined]
            unpacked = gzip.GzipFile(fileobj=unpacked)  # type: ignore[assignment]
        head, is_whole = _head(unpacked)
        again = io.BufferedReader(_Again(head, unpacked, closes=True))
    return _checked(Source(name, head, is_whole, lambda: again, rereads=False))


def _head(stream: BinaryIO) -> tuple[bytes, bool]:
    """Read the first bytes, as many as hold some lines, and tell whether they are all there are."""
    head = b""
    while True:
        more = stream.read(HEAD)
        head += more
        if len(more) < HEAD:
            return head, True
        n_lines = head.count(b"\n") or head.count(b"\r")
        if n_lines > _FEW_LINES or b"\0" in head or len(head) >= _LONGEST_HEAD:
            return head, False


class _Again(io.RawIOBase):
    """A stream of which the first bytes were read already."""

    def __init__(self, head: bytes, rest: BinaryIO, closes: bool) -> None:
        self._head = head
        self._rest = rest
        self._closes = closes

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        if self._closes:
            self._rest.close()
        super().close()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(data) :]
        buffer[: len(data)] = data
        return len(data)


def _checked(source: Source) -> Source:
    if not source.head:
        raise FileError(f"{source.name} is empty; a table has a header and rows.")
    return source


@contextmanager
def _told_as_file_error(name: str) -> Iterator[None]:
    try:
        yield
    except EOFError as error:
        raise FileError(f"{name} is a gzip that breaks off before its end; get it again.") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise FileError(f"{name} is a damaged gzip ({error}); get it again.") from error
    except OSError as error:
        raise FileError(f"{name} cannot be read: {error.strerror or error}.") from error
