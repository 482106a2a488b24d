"""Tell what format a file is in: by what it begins with, else by its name."""

import json
from pathlib import PurePath

from treewright.errors import FileError, ParameterError, did_you_mean
from treewright.files.source import Source
from treewright.files.text import encoding_of, head_text

FORMATS = ("csv", "tsv", "json", "arff", "c45", "parquet", "arrow")
"""What can be read; ``"json"`` is JSON lines, ``"arrow"`` is Feather too, ``"c45"`` is names and rows."""

_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".arff": "arff",
}
_BEGINNINGS = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"FEA1": "arrow",
    b"\xff\xff\xff\xff": "arrow",  # a stream of Arrow's
}
_OTHERS = {
    b"PK\x03\x04": "a zip file or a spreadsheet",
    b"\xd0\xcf\x11\xe0": "an old spreadsheet or document",
    b"\xfd7zXZ": "compressed by xz",
    b"BZh": "compressed by bzip2",
    b"\x28\xb5\x2f\xfd": "compressed by zstd",
    b"%PDF": "a PDF",
    b"\x89HDF": "an HDF5 file",
    b"SQLite format 3": "an SQLite database",
    b"RDX": "R's own data",
    b"\x93NUMPY": "a NumPy array",
}


def check_format(asked: str) -> None:
    """Raise if there is no such format."""
    if asked not in FORMATS:
        raise ParameterError(
            f"format={asked!r} is not known; there are {_named()}.{did_you_mean(asked, FORMATS)}"
        )


def format_of(source: Source, path: PurePath | None, encoding: str | None = None) -> str:
    """Tell the format of a file.

    Raises
    ------
    FileError
        If it is one that cannot be read.
    """
    for beginning, found in _BEGINNINGS.items():
        if source.head.startswith(beginning):
            return found
    for beginning, what in _OTHERS.items():
        if source.head.startswith(beginning):
            raise FileError(f"{source.name} is {what}, which is not read here; save it as one of {_named()}.")
    suffixes = [suffix.lower() for suffix in path.suffixes] if path is not None else []
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    if suffixes and suffixes[-1] in _SUFFIXES:
        return _SUFFIXES[suffixes[-1]]
    if suffixes and suffixes[-1] in (".parquet", ".pq", ".arrow", ".ipc", ".feather"):
        raise FileError(f"{source.name} does not begin as a {suffixes[-1]} file does; get it again.")
    return _sniffed(head_text(source, encoding_of(source, encoding)).lstrip())


def _sniffed(text: str) -> str:
    if text.startswith("{"):
        try:
            json.loads(text.splitlines()[0])
        except json.JSONDecodeError:
            return "csv"
        return "json"
    for line in text.splitlines():
        word = line.strip().lower()
        if word and not word.startswith("%"):
            return "arff" if word.startswith(("@relation", "@attribute")) else "csv"
    return "csv"


def _named() -> str:
    return "CSV, TSV, JSON lines, ARFF, C4.5's names and data, Parquet and Arrow"
