"""Where the bytes come from: a file, a gzip file, standard input."""

import gzip
import io
import os
import select
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from treewright.errors import FileError, did_you_mean

HEAD = 1 << 18
"""Number of bytes examined to detect the format of a file, unless its first lines are longer."""

STDIN = "standard input"
_GZIP = b"\x1f\x8b"
_FEW_LINES = 3
_LONGEST_HEAD = 1 << 26
_PATIENCE_MS = 100  # the longest wait for bytes between two looks for Ctrl-C


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a file, uncompressed.

    Parameters
    ----------
    name : str
        The file's name in errors.
    head : bytes
        Its first bytes.
    is_whole : bool
        Whether `head` is the whole file.
    opener : callable
        Returns a stream of its bytes from the start.
    path : Path, optional
        Its path, if it is a file that is not compressed.
    rereads : bool
        Whether it can be opened more than once.
    """

    name: str
    head: bytes
    is_whole: bool
    opener: Callable[[], BinaryIO]
    path: Path | None = None
    rereads: bool = True

    def chunks(self, size: int) -> Iterator[bytes]:
        """Read the file in chunks from its start; failures become a `FileError`."""
        with _file_errors(self.name), self.opener() as stream:
            while chunk := stream.read(size):
                yield chunk

    def error(self, line: int, text: str) -> FileError:
        """Make an error that names a line of the file."""
        return FileError(f"{self.name}, line {line:,}: {text}")


def source_of(place: str | PathLike[str], streams: bool = False) -> Source:
    """Open the source of a file's bytes.

    Parameters
    ----------
    place : str or path
        ``"-"`` is standard input.
    streams : bool
        Whether standard input and pipes are read once, piece by piece, rather than kept in memory.

    Raises
    ------
    FileError
        If there is no such file, or it is a folder, empty, or a damaged gzip.
    """
    path = None if str(place) == "-" else Path(place)
    name = STDIN if path is None else str(place)
    with _file_errors(name):
        if path is not None:
            _refuse_absent(path)
            if path.is_file():
                return _of_whole(name, path)
        given = sys.stdin.buffer if path is None else path.open("rb")
        stream = io.BufferedReader(_Pipe(given, closes=path is not None))
        if streams:
            return _of_stream(stream, name)
        with stream:
            return _of_whole(name, None, stream.read())


def _refuse_absent(path: Path) -> None:
    if path.is_dir():
        raise FileError(f"{path} is a folder; give one of the files in it.")
    if not path.parent.is_dir():
        raise FileError(f"{path} does not exist: there is no folder {path.parent}.")
    if not path.exists():
        hint = did_you_mean(path.name, (each.name for each in path.parent.iterdir()))
        raise FileError(f"{path} does not exist.{hint}")


def _of_whole(name: str, path: Path | None, data: bytes = b"") -> Source:
    """Make a source of a file, or of bytes if there is no path."""

    def opener() -> BinaryIO:
        if is_gzip:
            return gzip.open(path or io.BytesIO(data), "rb")  # type: ignore[return-value]
        return path.open("rb") if path else io.BytesIO(data)

    is_gzip = False
    with opener() as stream:
        is_gzip = stream.read(2) == _GZIP
    with opener() as stream:
        head, is_whole = _head(stream, name)
    return Source(name, head, is_whole, opener, None if is_gzip else path)


def _of_stream(stream: BinaryIO, name: str) -> Source:
    """Make a source of a stream that is read once."""
    unpacked: BinaryIO = io.BufferedReader(_Prefixed(stream.read(2), stream))
    if unpacked.peek(2)[:2] == _GZIP:  # type: ignore[attr-defined]
        unpacked = gzip.GzipFile(fileobj=unpacked)  # type: ignore[assignment]
    head, is_whole = _head(unpacked, name)
    again = io.BufferedReader(_Prefixed(head, unpacked))
    return Source(name, head, is_whole, lambda: again, rereads=False)


def _head(stream: BinaryIO, name: str) -> tuple[bytes, bool]:
    """Read the first few lines or more, and report whether that is the whole file."""
    head = b""
    while True:
        more = stream.read(HEAD)
        head += more
        if not head:
            raise FileError(f"{name} is empty; a table has a header and rows.")
        if len(more) < HEAD:
            return head, True
        n_lines = head.count(b"\n") or head.count(b"\r")
        if n_lines > _FEW_LINES or b"\0" in head or len(head) >= _LONGEST_HEAD:
            return head, False


class _Pipe(io.RawIOBase):
    """A pipe or terminal, read in short waits.

    A signal that arrives just before read(2) starts to block does not end it: Ctrl-C would go unnoticed until
    more bytes come.
    """

    def __init__(self, stream: BinaryIO, closes: bool) -> None:
        self._stream = stream
        self._closes = closes
        self._poll = None
        with suppress(OSError):  # bytes in memory have no file number
            number = stream.fileno()
            if sys.platform != "win32":  # Windows can wait for sockets only
                self._poll = select.poll()
                self._poll.register(number, select.POLLIN)

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        if self._closes:
            self._stream.close()
        super().close()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if self._poll is None:
            data = self._stream.read(len(buffer))
        else:
            while not self._poll.poll(_PATIENCE_MS):
                pass
            data = os.read(self._stream.fileno(), len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Prefixed(io.RawIOBase):
    """A stream whose first bytes have already been read."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._rest.close()
        super().close()

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._head[: len(buffer)] or self._rest.read(len(buffer))
        self._head = self._head[len(data) :]
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def _file_errors(name: str) -> Iterator[None]:
    try:
        yield
    except EOFError as error:
        raise FileError(f"{name} is a gzip file that ends too early; get it again.") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise FileError(f"{name} is a damaged gzip file ({error}); get it again.") from error
    except OSError as error:
        raise FileError(f"{name} cannot be read: {error.strerror or error}.") from error
