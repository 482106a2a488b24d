"""Plain texts and the values they stand for: numbers, true and false, ISO 8601 dates and times."""

import re
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np

from treewright.table.read import Raw

CellKind: TypeAlias = Literal["number", "category", "boolean", "datetime", "text"]
CELL_KINDS: tuple[CellKind, ...] = ("number", "category", "boolean", "datetime", "text")
Texts: TypeAlias = Sequence[str]

BOOLEANS = {"true": True, "false": False, "True": True, "False": False, "TRUE": True, "FALSE": False}

_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_NUMBER = re.compile(
    r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan(?:\(\w*\))?)",
    re.ASCII | re.IGNORECASE,
)
_DATETIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?)"
    r" ?(Z|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)?)?",
    re.ASCII,
)
_LEAST, _MOST = -(2**63), 2**63
_MANY_DIGITS = 1000
_LENGTH_IN_MICROSECONDS = len("2024-02-29T12:00:00.123456")


def _numbers(texts: Sequence[str], decimal: str) -> Raw | None:
    """Read numbers: int64 if all are whole and fit, else float64."""
    # Python cannot read integers of thousands of digits; none of them would fit anyway.
    if all(map(_INTEGER.fullmatch, texts)) and max(map(len, texts), default=0) < _MANY_DIGITS:
        wholes = [int(text) for text in texts]
        if not wholes or (min(wholes) >= _LEAST and max(wholes) < _MOST):
            return Raw(np.array(wholes, dtype=np.int64))
    if decimal != ".":
        if any("." in text for text in texts):
            return None
        texts = [text.replace(decimal, ".") for text in texts]
    if not all(map(_NUMBER.fullmatch, texts)):
        return None
    return Raw(np.array([np.nan if "(" in text else float(text) for text in texts]))


def _booleans(texts: Sequence[str], _: str) -> Raw | None:
    known = [BOOLEANS[text] for text in texts if text in BOOLEANS]
    return Raw(np.array(known, dtype=bool)) if len(known) == len(texts) else None


def _datetimes(texts: Sequence[str], _: str) -> Raw | None:
    """Read ISO dates and times, in UTC if all of them have a time zone."""
    stamps, offsets, zoned = [], [], set()
    for text in texts:
        found = _DATETIME.fullmatch(text)
        if found is None:
            return None
        stamps.append(f"{found[1]}T{(found[2] or '00:00').replace(',', '.')}")
        offsets.append(_minutes(found[3] or "Z"))
        zoned.add(found[3] is not None)
    unit = "ns" if max(map(len, stamps), default=0) > _LENGTH_IN_MICROSECONDS else "us"
    if len(zoned) > 1 or (unit == "ns" and (min(stamps) < "1678" or max(stamps) > "2262")):
        return None  # 64 bits hold nanoseconds from 1678 to 2262
    try:
        values = np.array(stamps, dtype=f"M8[{unit}]")
    except ValueError:  # no such day or hour
        return None
    return Raw(values - np.array(offsets, dtype="m8[m]"), zone="UTC" if True in zoned else "")


def _minutes(zone: str) -> int:
    """Read an offset from UTC."""
    size = 0 if zone == "Z" else 60 * int(zone[1:3]) + int(zone[3:].lstrip(":") or 0)
    return -size if zone[0] == "-" else size


_Parser: TypeAlias = Callable[[Texts, str], Raw | None]
PARSERS: dict[CellKind, _Parser] = {"number": _numbers, "boolean": _booleans, "datetime": _datetimes}
