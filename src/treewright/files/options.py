"""What the caller may say about a file; everything else is detected."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from treewright.errors import ColumnError, ParameterError, did_you_mean, listed
from treewright.files.everyday import PERCENTS, THOUSANDS, Percent
from treewright.files.literals import CELL_KINDS, CellKind
from treewright.files.rules import Everyday, Rules


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller says about a file.

    Parameters
    ----------
    delimiter : str, optional
        What separates the cells of a CSV; by default comma, semicolon, tab or bar is detected.
    encoding : str, optional
        Encoding of a text file; by default its byte order mark decides, else it is UTF-8, else GB18030.
    decimal : {".", ","}, optional
        The decimal sign of a CSV.
    header : bool, optional
        Whether the first row of a CSV holds names.
    na : sequence of str, optional
        Texts that mean "no value". They replace those of a CSV: `MISSING` and `MISSING_AMONG_NUMBERS` of
        `treewright.files.rules`. Empty cells are always missing there, so is ``?`` in ARFF and C4.5's files.
    missing : sequence of str
        More texts that mean "no value", in addition to the usual ones.
    thousands : {",", ".", " ", "'"}, optional
        What separates groups of three digits in a CSV.
    percent : {"points", "fraction"}, optional
        Whether ``76.4%`` in a CSV is 76.4, the default, or 0.764.
    date_formats : sequence of str
        How dates of a CSV are written, as formats of `datetime.strptime`; these are tried before all others.
    columns : sequence of str, optional
        The columns to read, by default all.
    kinds : mapping of str to {"number", "category", "boolean", "datetime", "text"}, optional
        What columns hold, instead of detecting it. A ``"category"`` is read as texts; a ``"text"`` is a
        category that is never missing.
    other_kind : {"number", "category", "boolean", "datetime", "text"}, optional
        What the other columns of a CSV hold; ``"text"`` fits anything.
    may_lack : collection of str
        Columns of `columns` and `kinds` that the file need not have.
    notations : mapping of str to str, optional
        How columns were written when a model learned them: see `treewright.files.everyday`.

    Raises
    ------
    ParameterError
        If a kind is not known, or `na` or `columns` is a single text.
    """

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    header: bool | None = None
    na: Sequence[str] | None = None
    missing: Sequence[str] = ()
    thousands: str | None = None
    percent: Percent | None = None
    date_formats: Sequence[str] = ()
    columns: Sequence[str] | None = None
    kinds: Mapping[str, CellKind] | None = None
    other_kind: CellKind | None = None
    may_lack: Collection[str] = ()
    notations: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", dict(self.kinds or {}))
        for name, kind in self.kinds_in(()).items():
            if kind not in CELL_KINDS:
                hint = did_you_mean(kind, CELL_KINDS) or f" There are {listed(CELL_KINDS)}."
                raise ParameterError(f"column {name!r} cannot be read as {kind!r}.{hint}")
        for word in ("na", "missing", "columns", "date_formats"):
            if isinstance(values := getattr(self, word), str):
                raise ParameterError(f"{word}={values!r} is one text; give a list of texts.")
        if self.thousands is not None and self.thousands not in THOUSANDS:
            raise ParameterError(f"thousands={self.thousands!r} is not one of {listed(THOUSANDS)}.")
        if self.thousands is not None and self.thousands == self.decimal:
            raise ParameterError(f"thousands and decimal are both {self.decimal!r}; one of them must differ.")
        if self.percent is not None and self.percent not in PERCENTS:
            raise ParameterError(f"percent={self.percent!r} is not one of {listed(PERCENTS)}.")

        for format in self.date_formats:
            _refuse_wrong_format(format)

    def rules(self) -> Rules:
        """Return how cells are written, as far as the caller has said."""
        decimal = self.decimal or {".": ",", ",": "."}.get(self.thousands or "")
        everyday = Everyday(self.thousands, self.decimal, self.percent or "points", tuple(self.date_formats))
        rules = Rules.of(self.na, self.missing)
        return replace(rules, decimal=decimal or ".", is_sure=decimal is not None, everyday=everyday)

    def missing_texts(self) -> frozenset[str]:
        """Return the texts that mean "no value" in files whose format has its own way to say so."""
        return frozenset((*(self.na or ()), *self.missing))

    def kinds_in(self, names: Sequence[str]) -> dict[str, CellKind]:
        """Return the kinds of the columns of a text file, as far as the caller has said."""
        others = {} if self.other_kind is None else dict.fromkeys(names, self.other_kind)
        return {**others, **(self.kinds or {})}

    def wanted(self, names: Sequence[str]) -> list[int]:
        """Return the positions of the columns to read, in the order of the file.

        Raises
        ------
        ColumnError
            If `columns` or `kinds` names a column that the file lacks, unless `may_lack` allows that.
        """
        for name in (*(self.columns or ()), *(self.kinds or ())):
            if name not in names and name not in self.may_lack:
                hint = did_you_mean(name, names) or f" Its columns are {listed(names)}."
                raise ColumnError(f"column {name!r} is not in the table.{hint}")
        requested = set(names if self.columns is None else self.columns)
        return [at for at, name in enumerate(names) if name in requested]


def _refuse_wrong_format(format: str) -> None:
    """Raise unless `datetime.strptime` knows a format."""
    way_out = "give one such as '%d.%m.%Y', as Python's strptime takes it"
    if "%" not in format:
        raise ParameterError(f"{format!r} is not a format of dates; {way_out}.")
    try:
        datetime.strptime("", format)
    except (ValueError, re.error) as error:
        if "does not match" not in str(error):
            raise ParameterError(f"{format!r} is not a format of dates ({error}); {way_out}.") from None
