"""Where results go: standard output, or a file that is there whole or not at all."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import PurePath
from typing import BinaryIO

from treewright.errors import ParameterError
from treewright.writing import is_stream, whole_file


def check_output(path: str | None, force: bool, must_be_file: bool = False) -> None:
    """Refuse, before anything costs time, what could not be written in the end.

    Parameters
    ----------
    path : str or None
        Where to; None and ``"-"`` are standard output.
    force : bool
        Whether a file that is there is replaced.
    must_be_file : bool
        Whether neither standard output nor a device will do.

    Raises
    ------
    ParameterError
        If it is a folder, lies in none, or exists and `force` is not said.
    """
    if path is None:
        return
    if path in ("", "-"):
        if must_be_file:
            raise ParameterError("a model goes to a file; give its name, such as -o model.tw.json.")
        return
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise ParameterError(f"-o {path}: there is no folder {folder}; make it first.")
    if os.path.isdir(path):
        raise ParameterError(f"-o {path} is a folder; name a file in it.")
    if is_stream(path):
        if must_be_file:
            raise ParameterError(f"-o {path} is no regular file, and a model goes to one.")
        return
    if os.path.lexists(path) and not force:
        raise ParameterError(f"-o {path} exists already; add --force to replace it, or choose another name.")


def check_name(path: str | None, what: str, *suffixes: str, option: str = "-o") -> None:
    """Refuse a file whose name says that it is something else.

    Parameters
    ----------
    path : str or None
        Where to; a name without a suffix promises nothing, and neither does a device.
    what : str
        What is written.
    *suffixes : str
        How its name may end.
    option : str
        How it was asked for.

    Raises
    ------
    ParameterError
        If the name ends otherwise.
    """
    suffix = suffix_of(path)
    if suffix and suffix not in suffixes:
        raise ParameterError(
            f"{option} {path}: {what}, which is no {suffix}; end the name with {suffixes[0]}."
        )


def suffix_of(path: str | None) -> str:
    """Give how the name of a file ends, such as ".svg"; nothing for standard output and devices."""
    return "" if path is None or is_stream(path) else PurePath(path).suffix.lower()


@contextlib.contextmanager
def opened(path: str | None) -> Iterator[BinaryIO]:
    """Open an output for bytes; a file takes its name once it is whole.

    Parameters
    ----------
    path : str or None
        Where to, as `check_output` has let it pass.
    """
    if path in (None, "-"):
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    assert path is not None
    with whole_file(path) as file:
        yield file


def put(content: str | bytes, path: str | None) -> None:
    """Write bytes as they are, or a text and the end of its last line."""
    if isinstance(content, str):
        content = (content if content.endswith("\n") else f"{content}\n").encode("utf-8", "replace")
    with opened(path) as stream:
        stream.write(content)
