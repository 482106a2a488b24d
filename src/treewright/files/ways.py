"""The ways in which the texts of a column can be read: as plain values, or in everyday notation."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewright.files.everyday import Reading, are_padded, have_same_unit, read_as, readings
from treewright.files.literals import PARSERS, CellKind, Texts
from treewright.files.rules import Rules
from treewright.table.datetimes import describe_datetime
from treewright.table.read import Raw

_MOST_COMPARED = 1000  # texts among which to find the best example of the notation


@dataclass(frozen=True, slots=True)
class Way:
    """One way to read the texts of a column.

    Parameters
    ----------
    found : Raw
        The value of every text.
    notation, note : str
        As in `Raw`.
    option : str
        The option of the command line that chooses this way.
    is_code : bool
        Whether these are codes, which are numbers only if the caller says so.
    """

    found: Raw
    notation: str = ""
    note: str = ""
    option: str = ""
    is_code: bool = False


def ways_of(texts: Texts, rules: Rules, kind: CellKind | None, notation: str | None) -> list[Way]:
    """List the ways in which all texts can be read; several only if their values differ."""
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
        plain = PARSERS[each](texts, rules.decimal)
        if plain is None or (each == "number" and notation is None and _may_be_grouped(texts, plain, rules)):
            continue
        if each == "number" and kind is None and everyday is not None and are_padded(texts):
            shown = max(texts, key=lambda text: len(text) - len(text.lstrip("0")))
            note = f"{shown!r} has zeros in front, so it stays text; --kind NAME=numeric reads numbers"
            return [Way(plain, note=note, is_code=True)]
        return [Way(plain)]
    if everyday is None or kind == "boolean" or not texts:
        return []
    found = [each for each in readings(texts, everyday.percent) if kind in (None, each.kind)]
    found = [each for each in found if everyday.allows(each) and have_same_unit(each.notation, notation)]
    if len(found) > 1:
        found = [each for each in found if everyday.prefers(each)] or found
    if len(found) > 1 and rules.is_sure:
        # A point that separates thousands does not contradict a decimal point in other columns.
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


def _way(reading: Reading, texts: Texts) -> Way | None:
    found = PARSERS[reading.kind](reading.texts, ".")
    if found is None:
        return None
    at = max(range(min(len(texts), _MOST_COMPARED)), key=lambda at: len(texts[at]))
    note = f"{texts[at]!r} is read as {_shown(found, at)}"
    return Way(found, reading.notation, note, reading.option)


def _shown(found: Raw, at: int) -> str:
    value = found.values[at]
    if value.dtype.kind != "M":
        return str(value)
    return describe_datetime(int(value.astype(np.int64)), np.datetime_data(value.dtype)[0], found.zone)


def both(ways: Sequence[Way], texts: Texts) -> str:
    """Say that texts can be read in two ways, showing the first text whose values differ."""
    at = int((ways[0].found.values != ways[1].found.values).argmax())
    return f"{texts[at]!r} is " + " or ".join(f"{_shown(way.found, at)} ({way.option})" for way in ways)
