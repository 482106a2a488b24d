"""What a cell of text means: a number, true or false, a moment, a category, or nothing at all.

A column is what all of its cells are. Spaces around a cell do not count. A cell is missing if it is empty or
one of `MISSING`; among numbers and moments also if it is one of `MISSING_AMONG_NUMBERS`, words that elsewhere
are as likely a category as a gap: an optician recommends lenses that are "soft", "hard" or "none".
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError
from treewright.table.read import Raw

MISSING = ("?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
"""Texts that mean "no value" in any column, besides the empty one."""

MISSING_AMONG_NUMBERS = ("-", "--", ".", "None", "none", "NONE", "na", "n.a.", "nil", "Null", "NaT")
"""Texts that mean "no value" where all other cells are numbers or moments."""

CellKind: TypeAlias = Literal["number", "category", "boolean", "datetime", "text"]
CELL_KINDS: tuple[CellKind, ...] = ("number", "category", "boolean", "datetime", "text")
Codes: TypeAlias = NDArray[np.int32]

_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_NUMBER = re.compile(
    r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan(?:\(\w*\))?)",
    re.ASCII | re.IGNORECASE,
)
_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?) ?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?",
    re.ASCII,
)
_BOOLEANS = {"true": True, "false": False, "True": True, "False": False, "TRUE": True, "FALSE": False}
_LEAST, _MOST = -(2**63), 2**63
_MANY_DIGITS = 1000


@dataclass(frozen=True, slots=True)
class Rules:
    """How cells are written.

    Parameters
    ----------
    missing, missing_among_numbers : frozenset of str
        Texts that mean "no value".
    decimal : str
        What stands between whole and fraction.
    """

    missing: frozenset[str] = frozenset(MISSING)
    missing_among_numbers: frozenset[str] = frozenset(MISSING_AMONG_NUMBERS)
    decimal: str = "."

    @classmethod
    def of(cls, missing: Iterable[str] | None, decimal: str = ".") -> "Rules":
        """Make rules with a list of one's own of what is missing, which then is all there is."""
        if missing is None:
            return cls(decimal=decimal)
        return cls(frozenset(text.strip() for text in missing), frozenset(), decimal)


def coded(cells: Sequence[str]) -> tuple[Codes, list[str]]:
    """Give every cell a number, and the texts that they stand for in order of appearance.

    Examples
    --------
    >>> coded(["b", "a", "b"])
    (array([0, 1, 0], dtype=int32), ['b', 'a'])
    """
    code_of = {label: code for code, label in enumerate(dict.fromkeys(cells))}
    return np.fromiter(map(code_of.__getitem__, cells), np.int32, len(cells)), list(code_of)


def settle(
    codes: Codes,
    labels: Sequence[str],
    rules: Rules,
    kind: CellKind | None = None,
    name: str = "",
    first_row: int = 0,
) -> Raw:
    """Tell what a column of texts holds.

    Parameters
    ----------
    codes : array of int32
        For every row the place of its text among `labels`; −1 is a gap.
    labels : sequence of str
        The texts as they stand in the file.
    rules : Rules
        How cells are written.
    kind : {"number", "category", "boolean", "datetime", "text"}, optional
        What the column is to hold, by default what its texts look like. A ``"category"`` is a text that may
        be missing, a ``"text"`` is never missing.
    name : str
        The column's name, for errors.
    first_row : int
        The number of the first of these rows, for errors.

    Raises
    ------
    ColumnError
        If a text is not of the kind asked for.

    Examples
    --------
    >>> settle(*coded(["1", " 2", "?", "none"]), Rules())
    Raw(values=array([1, 2, 0, 0]), missing=array([False, False,  True,  True]), zone='', labels=None, \
is_declared=False)
    >>> settle(*coded(["none", "soft", "?"]), Rules()).labels
    ['none', 'soft']
    """
    texts = [label.strip() for label in labels]
    if kind == "text":
        return _categories(codes, texts, frozenset())
    known = {text for text in texts if text and text not in rules.missing}
    if kind is None:
        if not known:
            return Raw(np.full(len(codes), np.nan))
        kind = _kind_of(known, rules)
    gaps = rules.missing | ({""} if kind in ("category", "boolean") else {"", *rules.missing_among_numbers})
    if kind == "number":
        values = _numbers(texts, gaps, rules.decimal)
    elif kind == "datetime":
        values = _moments(texts, gaps)
    elif kind == "boolean":
        values = _booleans(texts, gaps)
    else:
        return _categories(codes, texts, gaps)
    if values is None:
        _refuse_cell(codes, texts, gaps, kind, rules.decimal, name, first_row)
        raise AssertionError("unreachable: some text was of no such kind")
    return _spread(codes, values)


def numbers_or_none(codes: Codes, labels: Sequence[str], rules: Rules) -> Raw | None:
    """Give some rows of a column of numbers, None if one of them is none."""
    texts = [label.strip() for label in labels]
    values = _numbers(texts, rules.missing | rules.missing_among_numbers | {""}, rules.decimal)
    return None if values is None else _spread(codes, values)


def quick_numbers(cells: Sequence[str], rules: Rules) -> NDArray[Any] | None:
    """Give numbers without gaps at the speed of Python's own parser, None where a cell may be none."""
    whole = "".join(cells)
    if "_" in whole or not whole.isascii():  # Python sees numbers in some of these
        return None
    try:
        return np.array(list(map(int, cells)), dtype=np.int64)
    except (ValueError, OverflowError):
        pass
    if rules.decimal != ".":
        return None
    try:
        floats = np.array(list(map(float, cells)), dtype=np.float64)
    except ValueError:
        return None
    return None if np.isnan(floats).any() else floats  # most texts for NaN say that nothing is there


def _kind_of(known: set[str], rules: Rules) -> CellKind:
    if known <= _BOOLEANS.keys():
        return "boolean"
    some = known - rules.missing_among_numbers
    if some:
        number = _NUMBER.fullmatch
        if rules.decimal == ".":
            if all(map(number, some)):
                return "number"
        elif all("." not in text and number(text.replace(rules.decimal, ".")) for text in some):
            return "number"
        if all(map(_MOMENT.fullmatch, some)) and _moments(sorted(some), frozenset()) is not None:
            return "datetime"
    return "category"


def _numbers(texts: Sequence[str], gaps: frozenset[str], decimal: str) -> "_Labelled | None":
    """Turn labels into numbers: int64 where all are whole and fit, else float64."""
    absent = np.fromiter((text in gaps for text in texts), bool, len(texts))
    known = [text for text, is_gap in zip(texts, absent.tolist(), strict=True) if not is_gap]
    # Python refuses to read integers of thousands of digits; none of them fits.
    if all(map(_INTEGER.fullmatch, known)) and max(map(len, known), default=0) < _MANY_DIGITS:
        wholes = [int(text) for text in known]
        if not wholes or (min(wholes) >= _LEAST and max(wholes) < _MOST):
            integers = np.zeros(len(texts), dtype=np.int64)
            integers[~absent] = wholes
            return _Labelled(integers, absent)
    if decimal != ".":
        if any("." in text for text in known):
            return None
        known = [text.replace(decimal, ".") for text in known]
    if not all(map(_NUMBER.fullmatch, known)):
        return None
    floats = np.full(len(texts), np.nan)
    floats[~absent] = [np.nan if "(" in text else float(text) for text in known]
    return _Labelled(floats, absent)


def _booleans(texts: Sequence[str], gaps: frozenset[str]) -> "_Labelled | None":
    absent = np.fromiter((text in gaps for text in texts), bool, len(texts))
    if not all(text in _BOOLEANS or text in gaps for text in texts):
        return None
    return _Labelled(np.fromiter((_BOOLEANS.get(text, False) for text in texts), bool, len(texts)), absent)


def _moments(texts: Sequence[str], gaps: frozenset[str]) -> "_Labelled | None":
    """Turn ISO dates and times into datetimes, in UTC where all of them know their zone."""
    found = [None if text in gaps else _MOMENT.fullmatch(text) for text in texts]
    absent = np.fromiter((text in gaps for text in texts), bool, len(texts))
    parts = [each.groups() for each in found if each is not None]
    zones = {zone is not None for _, _, zone in parts}
    if len(parts) < len(texts) - int(absent.sum()) or len(zones) > 1:
        return None
    clocks = [(clock or "00:00").replace(",", ".") for _, clock, _ in parts]
    unit = "ns" if any(len(clock) > 15 for clock in clocks) else "us"
    days = [day for day, _, _ in parts]
    if unit == "ns" and days and (min(days) < "1678" or max(days) > "2262"):
        return None  # beyond what 64 bits hold in nanoseconds
    values = np.full(len(texts), "NaT", dtype=f"M8[{unit}]")
    try:
        known = np.array(
            [f"{day}T{clock}" for day, clock in zip(days, clocks, strict=True)], dtype=f"M8[{unit}]"
        )
    except ValueError:  # no such day or hour
        return None
    offsets = [_minutes(zone) for _, _, zone in parts]
    if None in offsets:
        return None
    values[~absent] = known - np.array(offsets, dtype="m8[m]")
    return _Labelled(values, absent, "UTC" if True in zones else "")


def _minutes(zone: str | None) -> int | None:
    """Read an offset from UTC; None if there is no such offset."""
    if zone is None or zone == "Z":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[3:].lstrip(":") or 0)
    size = 60 * hours + minutes
    return (-size if zone[0] == "-" else size) if hours < 24 and minutes < 60 else None


def _categories(codes: Codes, texts: Sequence[str], gaps: frozenset[str]) -> Raw:
    code_of: dict[str, int] = {}
    to = np.full(len(texts) + 1, -1, dtype=np.int32)  # the last one is where code −1 points
    for at, text in enumerate(texts):
        if text not in gaps:
            to[at] = code_of.setdefault(text, len(code_of))
    return Raw(to[codes], labels=list(code_of))


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A value for each label."""

    values: NDArray[Any]
    absent: NDArray[np.bool_]
    zone: str = ""


def _spread(codes: Codes, labelled: _Labelled) -> Raw:
    """Give each row its label's value."""
    # One more value, for code −1 to point at.
    values = np.append(labelled.values, np.zeros(1, dtype=labelled.values.dtype))
    missing = np.append(labelled.absent, True)[codes]
    rows = values[codes]
    if rows.dtype.kind == "f":
        rows[missing] = np.nan
        return Raw(rows)
    if rows.dtype.kind == "M":
        rows[missing] = np.datetime64("NaT")
        return Raw(rows, zone=labelled.zone)
    rows[missing] = 0
    return Raw(rows, missing if missing.any() else None)


def _refuse_cell(
    codes: Codes,
    texts: Sequence[str],
    gaps: frozenset[str],
    kind: CellKind,
    decimal: str,
    name: str,
    first_row: int,
) -> None:
    """Raise for the first label that is not of the kind asked for."""
    what = {"number": "a number", "boolean": "true or false", "datetime": "an ISO 8601 date or time"}[kind]
    for at, text in enumerate(texts):
        if kind == "number":
            value = _numbers([text], gaps, decimal)
        else:
            value = _booleans([text], gaps) if kind == "boolean" else _moments([text], gaps)
        if value is None:
            row = first_row + int((codes == at).argmax())
            raise ColumnError(
                f"column {name!r} holds {text!r} in row {row}, which is not {what}. Correct it, or read the "
                "column as categories."
            )
    raise ColumnError(f"column {name!r} mixes times with and without a zone; give all of them one, or none.")
