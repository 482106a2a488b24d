"""Where results go: standard output, or a file that is written completely or not at all."""

import contextlib
import json
import math
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any, BinaryIO

from treewright.cli.words import say
from treewright.errors import ParameterError
from treewright.files.writer import writer_of
from treewright.table.read import Table
from treewright.writing import is_stream, whole_file

# What a file holds, and the endings that its name may have, for `check_output`.
MODEL = ("a model is saved as JSON", ".tw.json", ".json")
PAGE = ("a report is an HTML page", ".html", ".htm")


def check_output(
    path: str | None, force: bool, *name: str, option: str = "-o", only_file: bool = False
) -> None:
    """Reject an output that cannot be written, before the command does any work.

    Parameters
    ----------
    path : str or None
        The output; None and ``"-"`` are standard output.
    force : bool
        Whether an existing file may be replaced.
    *name : str
        What is written and the suffixes its name may have, as for `check_name`; by default any name is valid.
    option : str
        The option that names the output.
    only_file : bool
        Whether to reject standard output and devices.

    Raises
    ------
    ParameterError
        If it is a folder, its folder does not exist, or it exists and `force` is not set.
    """
    if path is None:
        return
    if name:
        check_name(path, *name, option=option)
    if path in ("", "-") or is_stream(path):
        if only_file:
            raise ParameterError(f"{option} {path} is not a file; give the name of one.")
        return
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise ParameterError(f"{option} {path}: there is no folder {folder}; create it first.")
    if os.path.isdir(path):
        raise ParameterError(f"{option} {path} is a folder; name a file in it.")
    if os.path.lexists(path) and not force:
        raise ParameterError(f"{option} {path} exists already; add --force, or choose another name.")


def check_name(path: str | None, what: str, *suffixes: str, option: str = "-o") -> None:
    """Reject an output whose suffix stands for something else.

    Parameters
    ----------
    path : str or None
        The output; names without a suffix, and devices, are accepted.
    what : str
        What is written.
    *suffixes : str
        The suffixes that its name may have.
    option : str
        The option that names the output.

    Raises
    ------
    ParameterError
        If the name has another suffix.
    """
    suffix = suffix_of(path)
    if suffix and suffix not in suffixes:
        raise ParameterError(f"{option} {path}: {what}, not {suffix}; end the name with {suffixes[0]}.")


def suffix_of(path: str | None) -> str:
    """Return the suffix of a file name, such as ".svg"; empty for standard output and devices."""
    return "" if path is None or is_stream(path) else PurePath(path).suffix.lower()


@contextlib.contextmanager
def opened(path: str | None) -> Iterator[BinaryIO]:
    """Open an output for bytes; a file appears under its name only when it is complete.

    Parameters
    ----------
    path : str or None
        The output, after `check_output`.
    """
    if path is None or path == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        with whole_file(path) as file:
            yield file


def put(content: str | bytes, path: str | None = None) -> None:
    """Write bytes as they are, or a text with a newline at its end."""
    if isinstance(content, str):
        content = (content.removesuffix("\n") + "\n").encode("utf-8", "replace")
    with opened(path) as stream:
        stream.write(content)


def put_tables(
    tables: Iterable[Table], path: str | None, format: str, for_spreadsheets: bool = False
) -> None:
    """Write tables with the same columns one after the other."""
    with opened(path) as stream:
        writer = writer_of(format, stream, for_spreadsheets)
        for table in tables:
            writer.write(table)
        writer.close()


def put_sections(*sections: str) -> None:
    """Print texts with a blank line between them."""
    put("\n\n".join(each.rstrip("\n") for each in sections))


def put_json(value: Any, path: str | None = None) -> None:
    """Write a value as indented JSON; NaN and infinities, which JSON does not have, become null."""
    put(json.dumps(_plain(value), ensure_ascii=False, indent=1, allow_nan=False), path)


def json_of(value: Any) -> str:
    """Write a value in one line, as ``--set`` reads it."""
    return json.dumps(value, ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@contextlib.contextmanager
def saved(
    estimator: Any, path: str | None, page: str | None = None, page_path: str | None = None
) -> Iterator[None]:
    """Save a model and a report, run the block, which prints, and finally say what was saved.

    Files are saved first, because the reader of the output may stop reading; if saving fails, the block still
    prints.

    Parameters
    ----------
    estimator : estimator
        A fitted tree.
    path : str or None
        Where to save it, from ``-o``; None to not save it.
    page : str or None
        A report.
    page_path : str or None
        Where to save the report.
    """
    problem = None
    try:
        if path is not None:
            estimator.save(path)
        if page is not None:
            put(page, page_path)
    except Exception as error:
        problem = error
    try:
        yield
    finally:
        if problem is not None:
            raise problem
        if page is not None:
            say(f"Report saved in {page_path}.")
        say("Not saved; add -o MODEL.tw.json to save the model." if path is None else f"Saved in {path}.")
