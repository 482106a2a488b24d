"""What a cell of text means: a number, true or false, a datetime, a category, or a missing value.

All cells of a column decide together what it holds. Spaces around a cell do not count. A cell is missing if
it is empty or one of `MISSING`. Among numbers and datetimes it is also missing if it is one of
`MISSING_AMONG_NUMBERS`; elsewhere such a word may well be a category.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError
from treewright.table.checks import wrong_cell
from treewright.table.read import Raw

MISSING = ("?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
"""Texts that mean "no value" in any column, besides the empty one."""

MISSING_AMONG_NUMBERS = ("-", "--", ".", "None", "none", "NONE", "na", "n.a.", "nil", "Null", "NaT")
"""Texts that mean "no value" where all other cells are numbers or datetimes."""

CellKind: TypeAlias = Literal["number", "category", "boolean", "datetime", "text"]
CELL_KINDS: tuple[CellKind, ...] = ("number", "category", "boolean", "datetime", "text")
Codes: TypeAlias = NDArray[np.int32]
Texts: TypeAlias = Sequence[str]

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
_BOOLEANS = {"true": True, "false": False, "True": True, "False": False, "TRUE": True, "FALSE": False}
_EXPECTED = {"number": "a number", "boolean": "true or false", "datetime": "an ISO 8601 date or time"}
_KINDS: dict[str, CellKind] = {"b": "boolean", "M": "datetime"}
_LEAST, _MOST = -(2**63), 2**63
_MANY_DIGITS = 1000
_LENGTH_IN_MICROSECONDS = len("2024-02-29T12:00:00.123456")


@dataclass(frozen=True, slots=True)
class Rules:
    """How cells are written.

    Parameters
    ----------
    missing, missing_among_numbers : frozenset of str
        Texts that mean "no value".
    decimal : str
        The decimal sign.
    """

    missing: frozenset[str] = frozenset(MISSING)
    missing_among_numbers: frozenset[str] = frozenset(MISSING_AMONG_NUMBERS)
    decimal: str = "."

    @classmethod
    def of(cls, missing: Iterable[str] | None, decimal: str = ".") -> "Rules":
        """Make rules in which only the texts of `missing` mean "no value", if they are given."""
        if missing is None:
            return cls(decimal=decimal)
        return cls(frozenset(map(str.strip, missing)), frozenset(), decimal)

    def missing_in(self, kind: CellKind) -> frozenset[str]:
        """Give the texts that mean "no value" in a column of this kind."""
        others = () if kind in ("category", "boolean") else self.missing_among_numbers
        return self.missing | {"", *others}


def coded(cells: Sequence[str | None], missing: Collection[str] = ()) -> tuple[Codes, list[str]]:
    """Give every cell a code, and the texts that the codes stand for in order of appearance.

    Examples
    --------
    >>> coded(["b", "a", None, "b", "?"], {"?"})
    (array([ 0,  1, -1,  0, -1], dtype=int32), ['b', 'a'])
    """
    code_of = dict.fromkeys(cells, -1)
    labels = [cell for cell in code_of if cell is not None and cell not in missing]
    code_of.update(zip(labels, range(len(labels)), strict=True))
    return np.fromiter(map(code_of.__getitem__, cells), np.int32, len(cells)), labels


def settle(
    codes: Codes, labels: Texts, rules: Rules, kind: CellKind | None = None, name: str = "", start: int = 0
) -> Raw:
    """Decide what a column of texts holds, and read it.

    Parameters
    ----------
    codes : array of int32
        For every row the position of its text among `labels`; −1 is a missing value.
    labels : sequence of str
        The texts as they stand in the file.
    rules : Rules
        How cells are written.
    kind : {"number", "category", "boolean", "datetime", "text"}, optional
        What the column holds, by default what its texts look like. A ``"category"`` is a text that may be
        missing, a ``"text"`` is never missing.
    name : str
        The column's name, for errors.
    start : int
        The number of the first of these rows, for errors.

    Raises
    ------
    ColumnError
        If a text is not of the given kind.

    Examples
    --------
    >>> settle(*coded(["1", " 2", "?", "none"]), Rules())
    Raw(values=array([1, 2, 0, 0]), missing=array([False, False,  True,  True]), zone='', labels=None, \
is_declared=False)
    >>> settle(*coded(["none", "soft", "?"]), Rules()).labels
    ['none', 'soft']
    """
    texts = [label.strip() for label in labels]
    if kind is None:
        known = {text for text in texts if text and text not in rules.missing}
        if not known:
            return Raw(np.full(len(codes), np.nan))
        kind = _guess(known, rules)
    if kind in ("category", "text"):
        return categories(codes, texts, () if kind == "text" else rules.missing_in(kind))
    raw = _parsed(codes, texts, rules, kind)
    if raw is not None:
        return raw
    for at, text in enumerate(texts):
        if _parsed(np.zeros(1, dtype=np.int32), [text], rules, kind) is None:
            row = start + int((codes == at).argmax())
            why = f"which is not {_EXPECTED[kind]}. Correct it, or read the column as categories."
            raise wrong_cell(name, text, row, why)
    raise ColumnError(f"column {name!r} mixes times with and without a time zone; use one or the other.")


def categories(codes: Codes, texts: Texts, missing: Collection[str], is_declared: bool = False) -> Raw:
    """Give a column of texts, some of which mean "no value"."""
    code_of_text, labels = coded(texts, missing)
    return Raw(np.append(code_of_text, np.int32(-1))[codes], labels=labels, is_declared=is_declared)


def kind_of(raw: Raw) -> CellKind | None:
    """Find the kind of a column that was read, None if it has only missing values."""
    if raw.labels is not None:
        return "category"
    kind = raw.values.dtype.kind
    return None if kind == "f" and raw.is_missing().all() else _KINDS.get(kind, "number")


def numbers_or_none(codes: Codes, labels: Texts, rules: Rules) -> Raw | None:
    """Read some rows of a column of numbers, None if one of them is not a number."""
    return _parsed(codes, [label.strip() for label in labels], rules, "number")


def quick_numbers(cells: Sequence[str], rules: Rules) -> NDArray[Any] | None:
    """Read numbers without missing values as fast as Python can, None where a cell may not be a number."""
    whole = "".join(cells)
    if "_" in whole or not whole.isascii():  # Python sees numbers in some of these
        return None
    with suppress(ValueError, OverflowError):
        return np.array(list(map(int, cells)), dtype=np.int64)
    if rules.decimal == ".":
        with suppress(ValueError):
            floats = np.array(list(map(float, cells)), dtype=np.float64)
            return None if np.isnan(floats).any() else floats  # most texts for NaN mean "no value"
    return None


def _guess(known: set[str], rules: Rules) -> CellKind:
    if known <= _BOOLEANS.keys():
        return "boolean"
    some = sorted(known - rules.missing_among_numbers)
    for kind in ("number", "datetime") if some else ():
        if _PARSERS[kind](some, rules.decimal) is not None:
            return kind
    return "category"


def _parsed(codes: Codes, texts: Sequence[str], rules: Rules, kind: CellKind) -> Raw | None:
    """Give each row the value of its text, None if a text is not of this kind."""
    missing_texts = rules.missing_in(kind)
    is_known = np.array([*(text not in missing_texts for text in texts), False])  # code −1 points at the last
    found = _PARSERS[kind]([text for text in texts if text not in missing_texts], rules.decimal)
    if found is None:
        return None
    of_text = np.zeros(len(is_known), dtype=found.values.dtype)
    of_text[is_known] = found.values
    return Raw.masked(of_text[codes], ~is_known[codes], found.zone)


def _numbers(texts: Sequence[str], decimal: str) -> Raw | None:
    """Read numbers: int64 where all are whole and fit, else float64."""
    # Python refuses to read integers of thousands of digits; none of them fits.
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
    known = [_BOOLEANS[text] for text in texts if text in _BOOLEANS]
    return Raw(np.array(known, dtype=bool)) if len(known) == len(texts) else None


def _datetimes(texts: Sequence[str], _: str) -> Raw | None:
    """Read ISO dates and times, in UTC where all of them have a time zone."""
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
_PARSERS: dict[CellKind, _Parser] = {"number": _numbers, "boolean": _booleans, "datetime": _datetimes}
