"""What a cell of text means: a number, true or false, a datetime, a category, or a missing value.

All cells of a column decide together what it holds. Spaces around a cell are ignored. A cell is missing if
it is empty or one of `MISSING` in `rules`. Among numbers and datetimes it is also missing if it is one of
`MISSING_AMONG_NUMBERS`; elsewhere such a word may well be a category.

Numbers and dates may be in everyday notation, see `everyday`. A column that can be read in two ways stays
categorical, and so do codes with leading zeros, unless the caller says what they are.
"""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError
from treewright.files.literals import BOOLEANS, PARSERS, CellKind, Texts
from treewright.files.rules import Rules
from treewright.files.ways import both, ways_of
from treewright.table.checks import wrong_cell
from treewright.table.read import Raw

Codes: TypeAlias = NDArray[np.int32]

_EXPECTED = {
    "number": "a number",
    "boolean": "true or false",
    "datetime": "a date or time in a known format (--date-format gives one)",
}
_KINDS: dict[str, CellKind] = {"b": "boolean", "M": "datetime"}


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
        The texts as written in the file.
    rules : Rules
        How cells are written.
    kind : {"number", "category", "boolean", "datetime", "text"}, optional
        What the column holds; by default this is inferred from its texts. A ``"category"`` is a text that may
        be missing, a ``"text"`` is never missing.
    name : str
        The column's name, for errors.
    start : int
        The number of the first of these rows, for errors.
    notation : str, optional
        How the column was written when a model learned it, empty for plain values; texts that fit are read
        in this notation.

    Raises
    ------
    ColumnError
        If a text is not of the given kind, or the texts can be read in two ways.

    Examples
    --------
    >>> from treewright.files.rules import Everyday
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
        kind = "boolean" if known <= BOOLEANS.keys() else None
    if kind in ("category", "text"):
        return _trimmed(codes, labels, texts, () if kind == "text" else rules.missing_in(kind))
    missing = rules.missing_in(kind or "number")
    some = [text for text in texts if text not in missing]
    ways = ways_of(some, rules, kind, notation) if some or kind else []
    if kind is None and (len(ways) != 1 or ways[0].is_code):
        note = f"{both(ways, some)}; it stays a category" if len(ways) > 1 else ""
        note = ways[0].note if len(ways) == 1 else note
        return _trimmed(codes, labels, texts, rules.missing_in("category"), note)
    if len(ways) == 1:
        way = ways[0]
        return replace(_spread(way.found, codes, texts, missing), notation=way.notation, note=way.note)
    if ways:
        raise ColumnError(f"column {name!r} cannot be read as a {kind}: {both(ways, some)}. Say which.")
    assert kind is not None, "columns without a way are categories"
    raise _misfit(codes, texts, rules, kind, name, start, notation)


def _trimmed(codes: Codes, labels: Texts, texts: Texts, missing: Collection[str], note: str = "") -> Raw:
    """Make a column of texts, with a note if two of them are the same category except for spaces."""
    found = categories(codes, texts, missing)
    first_of: dict[str, str] = {}
    for label, text in zip(labels, texts, strict=True) if len(set(texts)) < len(texts) else ():
        if first_of.setdefault(text, label) != label and text not in missing:
            merged = f"{first_of[text]!r} and {label!r} are one category: spaces around a cell do not count"
            note = f"{note}; {merged}" if note else merged
            break
    return replace(found, note=note)


def categories(codes: Codes, texts: Texts, missing: Collection[str], is_declared: bool = False) -> Raw:
    """Make a column of texts, some of which mean "no value"."""
    code_of_text, labels = coded(texts, missing)
    return Raw(np.append(code_of_text, np.int32(-1))[codes], labels=labels, is_declared=is_declared)


def kind_of(raw: Raw) -> CellKind | None:
    """Find the kind of a column that was read; None if it has only missing values."""
    if raw.labels is not None:
        return "category"
    kind = raw.values.dtype.kind
    return None if kind == "f" and raw.is_missing().all() else _KINDS.get(kind, "number")


def numbers_or_none(codes: Codes, labels: Texts, rules: Rules) -> Raw | None:
    """Read some rows of a column of numbers; None if one of them is not a number."""
    texts, missing = [label.strip() for label in labels], rules.missing_in("number")
    found = PARSERS["number"]([text for text in texts if text not in missing], rules.decimal)
    return None if found is None else _spread(found, codes, texts, missing)


def may_be_codes(labels: Texts) -> bool:
    """Report whether some texts have leading zeros, as codes do."""
    return any(label.strip()[:1] == "0" and label.strip()[1:].isdecimal() for label in labels)


def quick_numbers(cells: Sequence[str], rules: Rules) -> NDArray[Any] | None:
    """Read plain numbers without missing values, as fast as Python can; None if a cell may not be one."""
    whole = "".join(cells)
    if "_" in whole or not whole.isascii():  # Python would read some of these as numbers
        return None
    with suppress(ValueError, OverflowError):
        wholes = list(map(int, cells))
        return np.array(wholes, dtype=np.int64) if list(map(str, wholes)) == list(cells) else None
    if rules.decimal == "." and rules.is_sure:
        with suppress(ValueError):
            floats = np.array(list(map(float, cells)), dtype=np.float64)
            return None if np.isnan(floats).any() else floats  # most texts for NaN mean "no value"
    return None


def _misfit(
    codes: Codes, texts: Texts, rules: Rules, kind: CellKind, name: str, start: int, notation: str | None
) -> ColumnError:
    """Make an error for the first text that is not of a kind, or is not written like those before it."""
    known = [at for at, text in enumerate(texts) if text not in rules.missing_in(kind)]

    def reads(some: Sequence[int]) -> bool:
        return bool(ways_of([texts[at] for at in some], rules, kind, notation))

    def row_of(at: int) -> int:
        return start + int((codes == at).argmax())

    for at in known:
        if not reads([at]):
            why = (
                f"which is not {_EXPECTED[kind]}. Correct it, or give missing={texts[at]!r} if it stands for "
                "no value."
            )
            return wrong_cell(name, texts[at], row_of(at), why)
    n = bisect_left(range(1, len(known) + 1), True, key=lambda n: not reads(known[:n]))
    why = f"which is not written as {texts[known[0]]!r} is. Write all cells alike, or read it as categories."
    return wrong_cell(name, texts[known[n]], row_of(known[n]), why)


def _spread(found: Raw, codes: Codes, texts: Texts, missing: Collection[str]) -> Raw:
    """Give each row the value of its text; `found` has those of the texts that are not missing."""
    is_known = np.array([*(text not in missing for text in texts), False])  # code −1 selects the last entry
    of_text = np.zeros(len(is_known), dtype=found.values.dtype)
    of_text[is_known] = found.values
    return Raw.masked(of_text[codes], ~is_known[codes], found.zone)
