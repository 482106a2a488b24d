"""The formats of files: found by their first bytes, else by the file's name."""

import json
from contextlib import suppress
from pathlib import PurePath

from treewright.errors import FileError, ParameterError, did_you_mean
from treewright.files.source import Source
from treewright.files.text import encoding_of, head_text

FORMATS = ("csv", "tsv", "json", "arff", "c45", "parquet", "arrow")
"""Formats that can be read: ``"json"`` is JSON lines, ``"arrow"`` also Feather; ``"c45"`` has two files."""

SUFFIXES = {
    "csv": (".csv",),
    "tsv": (".tsv", ".tab"),
    "json": (".jsonl", ".ndjson", ".json"),
    "arff": (".arff",),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".ipc", ".feather"),
}
"""The file name endings of each format."""

BINARY = ("parquet", "arrow")
"""Formats that their first bytes identify."""

# The last entry is the beginning of an Arrow stream.
_BEGINNINGS = {b"PAR1": "parquet", b"ARROW1": "arrow", b"FEA1": "arrow", b"\xff\xff\xff\xff": "arrow"}
_NAMED = "CSV, TSV, JSON lines, ARFF, C4.5's names and data, Parquet and Arrow"
_OTHERS = {
    b"PK\x03\x04": "a zip file or a spreadsheet",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet or document",
    b"\xfd7zXZ": "compressed by xz",
    b"BZh": "compressed by bzip2",
    b"\x28\xb5\x2f\xfd": "compressed by zstd",
    b"%PDF": "a PDF",
    b"\x89HDF": "an HDF5 file",
    b"SQLite format 3": "an SQLite database",
    b"RDX": "an R data file",
    b"\x93NUMPY": "a NumPy array",
}


def check_format(format: str) -> None:
    """Raise if there is no such format."""
    if format not in FORMATS:
        hint = did_you_mean(format, FORMATS)
        raise ParameterError(f"format={format!r} is not known; there are {_NAMED}.{hint}")


def format_of_suffix(suffix: str) -> str | None:
    """Find the format of files whose names have this ending.

    Examples
    --------
    >>> format_of_suffix(".tab"), format_of_suffix(".txt")
    ('tsv', None)
    """
    return next((format for format, suffixes in SUFFIXES.items() if suffix in suffixes), None)


def format_of(source: Source, encoding: str | None = None) -> str:
    """Find the format of a file.

    Raises
    ------
    FileError
        If the format cannot be read.
    """
    begins = source.head.startswith
    if found := next((format for start, format in _BEGINNINGS.items() if begins(start)), None):
        return found
    if other := next((what for start, what in _OTHERS.items() if begins(start)), None):
        raise FileError(f"{source.name} is {other}, which cannot be read; save it as one of {_NAMED}.")
    suffixes = reversed(PurePath(source.name.lower()).suffixes)
    suffix = next((suffix for suffix in suffixes if suffix != ".gz"), "")
    by_name = format_of_suffix(suffix)
    if by_name in BINARY:
        raise FileError(f"{source.name} does not begin as a {suffix} file does; get it again.")
    return by_name or _format_of_text(head_text(source, encoding_of(source, encoding)).lstrip())


def _format_of_text(text: str) -> str:
    if text.startswith("{"):
        with suppress(json.JSONDecodeError):
            json.loads(text.splitlines()[0])
            return "json"
        return "csv"
    words = (line.strip().lower() for line in text.splitlines())
    first = next((word for word in words if word and not word.startswith("%")), "")
    return "arff" if first.startswith(("@relation", "@attribute")) else "csv"
