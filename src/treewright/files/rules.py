"""How the cells of a file are written: missing values, the decimal sign, and the caller's options."""

from collections.abc import Iterable
from dataclasses import dataclass

from treewright.files.everyday import Percent, Reading
from treewright.files.literals import CellKind

MISSING: tuple[str, ...] = ("?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
MISSING += ("n.a.", "N.A.", "n. a.", "N. A.", "n.a", "k.A.", "k. A.", "#VALUE!", "#DIV/0!", "#REF!", "#NUM!")
"""Texts that mean "no value" in any column, in addition to the empty one."""

MISSING_AMONG_NUMBERS: tuple[str, ...] = ("-", "--", "---", "–", "—", ".", "..", "None", "none", "NONE", "na")
MISSING_AMONG_NUMBERS += ("nil", "Null", "NaT")
"""Texts that mean "no value" if all other cells are numbers or datetimes."""


@dataclass(frozen=True, slots=True)
class Everyday:
    """What the caller says about numbers and dates in everyday notation.

    Parameters
    ----------
    thousands : str or None
        What separates groups of three digits.
    decimal : str or None
        The decimal sign.
    percent : {"points", "fraction"}
        Whether ``76.4%`` is 76.4 or 0.764.
    date_formats : tuple of str
        Formats of `datetime.strptime`, which are tried before all others.
    """

    thousands: str | None = None
    decimal: str | None = None
    percent: Percent = "points"
    date_formats: tuple[str, ...] = ()

    def allows(self, reading: Reading) -> bool:
        """Report whether a reading is allowed: a bare number must have the decimal sign that was given."""
        is_bare = reading.kind == "number" and not reading.thousands and not reading.has_unit
        return not (is_bare and self.decimal) or reading.decimal in ("", self.decimal)

    def prefers(self, reading: Reading) -> bool:
        """Report whether a reading fits the caller's options, if a column can be read in two ways."""
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
        Whether the file certainly uses this sign, so that ``1.200`` can be read in one way only.
    everyday : Everyday or None
        Options for everyday notation; None if it is not read.
    """

    missing: frozenset[str] = frozenset(MISSING)
    missing_among_numbers: frozenset[str] = frozenset(MISSING_AMONG_NUMBERS)
    decimal: str = "."
    is_sure: bool = True
    everyday: Everyday | None = None

    @classmethod
    def of(cls, missing: Iterable[str] | None, also: Iterable[str] = ()) -> "Rules":
        """Make rules: the texts of `missing` (by default the usual ones) and of `also` mean "no value"."""
        also = frozenset(map(str.strip, also))
        if missing is None:
            return cls(frozenset(MISSING) | also)
        return cls(frozenset(map(str.strip, missing)) | also, frozenset())

    def missing_in(self, kind: CellKind) -> frozenset[str]:
        """Return the texts that mean "no value" in a column of this kind."""
        others = () if kind in ("category", "boolean") else self.missing_among_numbers
        return self.missing | {"", *others}
