"""What a cell of text means: a number, true or false, a datetime, a category, or a missing value.

All cells of a column decide together what it holds. Spaces around a cell do not count. A cell is missing if
it is empty or one of `MISSING`. Among numbers and datetimes it is also missing if it is one of
`MISSING_AMONG_NUMBERS`; elsewhere such a word may well be a category.

Numbers and dates may wear everyday dress, see `everyday`. A column that reads two ways stays a category, and
so do codes with zeros in front, unless the caller says what they are.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError
from treewright.files.everyday import Percent, Reading, are_padded, have_same_unit, read_as, readings
from treewright.table.checks import wrong_cell
from treewright.table.datetimes import describe_datetime
from treewright.table.read import Raw

MISSING: tuple[str, ...] = ("?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
MISSING += ("n.a.", "N.A.", "n. a.", "N. A.", "n.a", "k.A.", "k. A.", "#VALUE!", "#DIV/0!", "#REF!", "#NUM!")
"""Texts that mean "no value" in any column, besides the empty one."""

MISSING_AMONG_NUMBERS: tuple[str, ...] = ("-", "--", "---", "–", "—", ".", "..", "None", "none", "NONE", "na")
MISSING_AMONG_NUMBERS += ("nil", "Null", "NaT")
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
_EXPECTED = {
    "number": "a number",
    "boolean": "true or false",
    "datetime": "a date or time in a known format (--date-format gives one)",
}
_KINDS: dict[str, CellKind] = {"b": "boolean", "M": "datetime"}
_LEAST, _MOST = -(2**63), 2**63
_MANY_DIGITS = 1000
_LENGTH_IN_MICROSECONDS = len("2024-02-29T12:00:00.123456")


@dataclass(frozen=True, slots=True)
class Everyday:
    """What the caller says of numbers and dates in everyday dress.

    Parameters
    ----------
    thousands : str or None
        What divides groups of three digits.
    decimal : str or None
        The decimal sign.
    percent : {"points", "fraction"}
        Whether ``76.4%`` is 76.4 or 0.764.
    date_formats : tuple of str
        Formats of `datetime.strptime`, which come before all others.
    """

    thousands: str | None = None
    decimal: str | None = None
    percent: Percent = "points"
    date_formats: tuple[str, ...] = ()

    def allows(self, reading: Reading) -> bool:
        """Report whether a reading may be: a bare number has the decimal sign that was told."""
        is_bare = reading.kind == "number" and not reading.thousands and not reading.has_unit
        return not (is_bare and self.decimal) or reading.decimal in ("", self.decimal)

    def prefers(self, reading: Reading) -> bool:
        """Report whether a reading is what the caller says, where a column reads two ways."""
        is_grouped = self.thousands is None or reading.thousands in ("", self.thousands)
        is_point = self.decimal is None or reading.decimal in ("", self.decimal)
        crossed = reading.thousands and reading.thousands == self.decimal
        return is_grouped and is_point and not crossed


@dataclass(frozen=True, slots=True)
class Rules:
    """How cells are written.

    Parameters
    ----------
    missing, missing_among_numbers : frozenset of str
        Texts that mean "no value".
    decimal : str
        The decimal sign of plain numbers.
    is_sure : bool
        Whether numbers of the file have this sign, so that ``1.200`` reads one way.
    everyday : Everyday or None
        What the caller says of everyday dress; None if there is none.
    """

    missing: frozenset[str] = frozenset(MISSING)
    missing_among_numbers: frozenset[str] = frozenset(MISSING_AMONG_NUMBERS)
    decimal: str = "."
    is_sure: bool = True
    everyday: Everyday | None = None

    @classmethod
    def of(cls, missing: Iterable[str] | None, also: Iterable[str] = ()) -> "Rules":
        """Make rules by which only the texts of `missing`, if given, and of `also` mean "no value"."""
        also = frozenset(map(str.strip, also))
        if missing is None:
            return cls(frozenset(MISSING) | also)
        return cls(frozenset(map(str.strip, missing)) | also, frozenset())

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
    codes: Codes,
    labels: Texts,
    rules: Rules,
    kind: CellKind | None = None,
    name: str = "",
    start: int = 0,
    notation: str | None = None,
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
    notation : str, optional
        How a model's column was written, empty for plainly: what fits is read so.

    Raises
    ------
    ColumnError
        If a text is not of the given kind, or the texts read two ways.

    Examples
    --------
    >>> settle(*coded(["1", " 2", "?", "none"]), Rules())
    Raw(values=array([1, 2, 0, 0]), missing=array([False, False,  True,  True]), zone='', labels=None, \
is_declared=False)
    >>> settle(*coded(["none", "soft", "?"]), Rules()).labels
    ['none', 'soft']
    >>> raw = settle(*coded(["69,322.77", "n.a.", "5.00"]), Rules(everyday=Everyday()))
    >>> raw.values, raw.note
    (array([6.932277e+04,          nan, 5.000000e+00]), "'69,322.77' is read as 69322.77")
    """
    texts = [label.strip() for label in labels]
    if kind is None:
        known = {text for text in texts if text and text not in rules.missing}
        if not known:
            return Raw(np.full(len(codes), np.nan))
        kind = "boolean" if known <= _BOOLEANS.keys() else None
    if kind in ("category", "text"):
        return categories(codes, texts, () if kind == "text" else rules.missing_in(kind))
    missing = rules.missing_in(kind or "number")
    some = [text for text in texts if text not in missing]
    ways = _ways(some, rules, kind, notation) if some or kind else []
    if kind is None and (len(ways) != 1 or ways[0].is_code):
        note = f"{_both(ways, some)}; it stays a category" if len(ways) > 1 else ""
        note = ways[0].note if len(ways) == 1 else note
        return replace(categories(codes, texts, rules.missing_in("category")), note=note)
    if len(ways) == 1:
        way = ways[0]
        return replace(_spread(way.found, codes, texts, missing), notation=way.notation, note=way.note)
    if ways:
        raise ColumnError(f"column {name!r} cannot be read as a {kind}: {_both(ways, some)}. Say which.")
    assert kind is not None, "columns without a way are categories"
    raise _misfit(codes, texts, rules, kind, name, start, notation)


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
    texts, missing = [label.strip() for label in labels], rules.missing_in("number")
    found = _numbers([text for text in texts if text not in missing], rules.decimal)
    return None if found is None else _spread(found, codes, texts, missing)


def may_be_codes(labels: Texts) -> bool:
    """Report whether some texts have zeros in front, as codes do."""
    return any(label.strip()[:1] == "0" and label.strip()[1:].isdecimal() for label in labels)


def quick_numbers(cells: Sequence[str], rules: Rules) -> NDArray[Any] | None:
    """Read plain numbers without missing values as fast as Python can, None where a cell may not be one."""
    whole = "".join(cells)
    if "_" in whole or not whole.isascii():  # Python sees numbers in some of these
        return None
    with suppress(ValueError, OverflowError):
        wholes = list(map(int, cells))
        return np.array(wholes, dtype=np.int64) if list(map(str, wholes)) == list(cells) else None
    if rules.decimal == ".":
        with suppress(ValueError):
            floats = np.array(list(map(float, cells)), dtype=np.float64)
            return None if np.isnan(floats).any() else floats  # most texts for NaN mean "no value"
    return None


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to read the texts of a column.

    Parameters
    ----------
    found : Raw
        The value of every text.
    notation, note : str
        As in `Raw`.
    option : str
        What to say on the command line to have it read so.
    is_code : bool
        Whether these are codes, which are numbers only if the caller says so.
    """

    found: Raw
    notation: str = ""
    note: str = ""
    option: str = ""
    is_code: bool = False


def _ways(texts: Texts, rules: Rules, kind: CellKind | None, notation: str | None) -> list[_Way]:
    """Give the ways in which all texts can be read; several only if their values differ."""
    everyday = rules.everyday
    if everyday is not None:
        for known in (*everyday.date_formats, *([notation] if notation else ())):
            reading = read_as(texts, known) if texts else None
            way = None if reading is None or kind not in (None, reading.kind) else _way(reading, texts)
            if way is not None:
                return [way]
    for each in ("number", "datetime", "boolean"):
        if kind not in (None, each) or (each == "boolean" and kind is None):
            continue
        plain = _PARSERS[each](texts, rules.decimal)
        if plain is None or (each == "number" and notation is None and _may_be_grouped(texts, plain, rules)):
            continue
        if each == "number" and kind is None and everyday is not None and are_padded(texts):
            shown = max(texts, key=lambda text: len(text) - len(text.lstrip("0")))
            note = f"{shown!r} has zeros in front, so it stays text; --kind NAME=numeric reads numbers"
            return [_Way(plain, note=note, is_code=True)]
        return [_Way(plain)]
    if everyday is None or kind == "boolean" or not texts:
        return []
    found = [each for each in readings(texts, everyday.percent) if kind in (None, each.kind)]
    found = [each for each in found if everyday.allows(each) and have_same_unit(each.notation, notation)]
    if len(found) > 1:
        found = [each for each in found if everyday.prefers(each)] or found
    if len(found) > 1 and rules.is_sure:
        # A point that divides thousands does not contradict one that is a decimal sign elsewhere.
        found = [each for each in found if each.decimal in ("", rules.decimal)] or found
    ways = [way for each in found if (way := _way(each, texts)) is not None]
    is_same = all(np.array_equal(ways[0].found.values, way.found.values) for way in ways[1:])
    return ways[:1] if is_same else ways


def _may_be_grouped(texts: Texts, found: Raw, rules: Rules) -> bool:
    """Report whether plain fractions may be thousands divided by the decimal sign, as in 1.200."""
    everyday = rules.everyday
    if everyday is None or rules.is_sure or found.values.dtype.kind != "f":
        return False
    return any(each.thousands == rules.decimal for each in readings(texts))


def _way(reading: Reading, texts: Texts) -> _Way | None:
    found = _PARSERS[reading.kind](reading.texts, ".")
    if found is None:
        return None
    at = max(range(min(len(texts), _MANY_DIGITS)), key=lambda at: len(texts[at]))
    note = f"{texts[at]!r} is read as {_shown(found, at)}"
    return _Way(found, reading.notation, note, reading.option)


def _shown(found: Raw, at: int) -> str:
    value = found.values[at]
    if value.dtype.kind != "M":
        return str(value)
    return describe_datetime(int(value.astype(np.int64)), np.datetime_data(value.dtype)[0], found.zone)


def _both(ways: Sequence[_Way], texts: Texts) -> str:
    """Say that texts read two ways, by the first of them whose values differ."""
    at = int((ways[0].found.values != ways[1].found.values).argmax())
    return f"{texts[at]!r} is " + " or ".join(f"{_shown(way.found, at)} ({way.option})" for way in ways)


def _misfit(
    codes: Codes, texts: Texts, rules: Rules, kind: CellKind, name: str, start: int, notation: str | None
) -> ColumnError:
    """Name the first text that is not of a kind, or that is not written as those before it."""
    known = [at for at, text in enumerate(texts) if text not in rules.missing_in(kind)]

    def reads(some: Sequence[int]) -> bool:
        return bool(_ways([texts[at] for at in some], rules, kind, notation))

    def row_of(at: int) -> int:
        return start + int((codes == at).argmax())

    for at in known:
        if not reads([at]):
            why = f"which is not {_EXPECTED[kind]}. Correct it, or read the column as categories."
            return wrong_cell(name, texts[at], row_of(at), why)
    n = bisect_left(range(1, len(known) + 1), True, key=lambda n: not reads(known[:n]))
    why = f"which is not written as {texts[known[0]]!r} is. Write all cells alike, or read it as categories."
    return wrong_cell(name, texts[known[n]], row_of(known[n]), why)


def _spread(found: Raw, codes: Codes, texts: Texts, missing: Collection[str]) -> Raw:
    """Give each row the value of its text; `found` has those of the texts that are not missing."""
    is_known = np.array([*(text not in missing for text in texts), False])  # code −1 points at the last
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
