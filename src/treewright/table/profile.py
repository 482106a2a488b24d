"""Describe the columns of a table before a tree is grown on it: what they hold, and which are useless.

A column is useless if it has no values, the same value everywhere, or a different value in nearly every row:
a row number, a name or a key. `keep` and `drop` overrule this.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParameterError, listed
from treewright.schema import Kind
from treewright.table.categories import learn_categories
from treewright.table.identifiers import FEWEST, are_identifiers, are_mostly_single, is_named_as_key
from treewright.table.infer import holds_categories, kind_of, plain
from treewright.table.read import Raw, Table

ALL_MISSING = "all missing"
CONSTANT = "constant"
ROW_NUMBERS = "identifier-like: counts the rows"
KEYS = "identifier-like: hardly any rows share a value"
DROPPED = "dropped on request"


@dataclass(frozen=True, slots=True)
class ColumnReport:
    """What one column holds.

    Parameters
    ----------
    name : str
        Its name.
    kind : {"number", "integer", "datetime", "duration", "category"}
        As in a model's schema; an ``"integer"`` column holds whole numbers that a float cannot represent.
    n_categories : int
        Number of categories, including declared ones that do not occur; 0 for other kinds.
    n_missing : int
        Rows without a value.
    missing_share : float
        The fraction of such rows.
    left_out : str
        Why the column is left out, empty if it is not.
    is_target : bool
        Whether it is the target.
    note : str
        How its texts were read, if not as plain values, or why they stay categories; whether they nearly
        identify rows.
    """

    name: str
    kind: Kind
    n_categories: int
    n_missing: int
    missing_share: float
    left_out: str = ""
    is_target: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Profile:
    """What the columns hold, and the table without the useless columns.

    Parameters
    ----------
    columns : tuple of ColumnReport
        In the order of the table.
    table : Table
        The columns to use, the target included.
    """

    columns: tuple[ColumnReport, ...]
    table: Table

    @property
    def left_out(self) -> dict[str, str]:
        """The columns to leave out, with the reasons."""
        return {report.name: report.left_out for report in self.columns if report.left_out}


def describe_columns(
    table: Table, *, target: str | None = None, keep: Collection[str] = (), drop: Collection[str] = ()
) -> Profile:
    """Describe each column, and find those that are useless to a tree.

    Parameters
    ----------
    table : Table
        The table.
    target : str, optional
        The column to predict; it is never left out.
    keep, drop : collection of str
        Columns to use, or to leave out, whatever they hold.

    Raises
    ------
    ColumnError
        If there is no such column; the text suggests the nearest name.
    ParameterError
        If a column is both in `keep` and in `drop`, or the target is in `drop`.

    Examples
    --------
    >>> from treewright.table.read import read
    >>> data = {"id": [1, 2, 3], "planet": ["Earth"] * 3, "age": [31, None, 47]}
    >>> profile = describe_columns(read(data))
    >>> profile.left_out
    {'id': 'identifier-like: counts the rows', 'planet': 'constant'}
    >>> profile.columns[2]  # doctest: +ELLIPSIS
    ColumnReport(name='age', kind='number', n_categories=0, n_missing=1, missing_share=0.33..., ...)
    """
    for name in (*keep, *drop, *(() if target is None else (target,))):
        table.position(name)
    both = [name for name in keep if name in drop]
    if both:
        raise ParameterError(f"column {listed(both)} is to be kept and to be dropped; choose one.")
    if target in drop:
        raise ParameterError(f"column {target!r} is the target and cannot be dropped.")
    reports, used = [], {}
    for name, column in zip(table.names, table.columns, strict=True):
        report = _report(column, name, is_target=name == target)
        if name in drop or name in keep:
            report = replace(report, left_out=DROPPED if name in drop else "")
        reports.append(report)
        if not report.left_out:
            used[name] = column
    useful = replace(table, names=tuple(used), columns=list(used.values()), block=None)
    return Profile(tuple(reports), useful)


def _report(raw: Raw, name: str, is_target: bool) -> ColumnReport:
    kind: Kind = "category"
    n_categories = 0
    if holds_categories(raw):
        values, column = learn_categories(raw, name)
        missing = values < 0
        n_categories = len(column.categories)
    else:
        settled = plain(raw, name)
        values, missing, kind = settled.values, settled.is_missing(), kind_of(settled)
    n_rows, n_missing = len(missing), int(missing.sum())
    known = values[~missing] if n_missing else values
    why = "" if is_target else _why(raw, name, kind, known)
    notes = [raw.note] if raw.note else []
    if kind == "category" and not (why or is_target or raw.is_declared) and are_mostly_single(known):
        notes.append("most categories occur in one row only, so a split on them says little about new rows")
    return ColumnReport(
        name, kind, n_categories, n_missing, n_missing / max(1, n_rows), why, is_target, "; ".join(notes)
    )


def _why(raw: Raw, name: str, kind: Kind, known: NDArray[Any]) -> str:
    """Say why a column is useless, given its known values or codes; empty if it is not."""
    has_missing = len(known) < len(raw.values)
    if not len(known):
        return ALL_MISSING
    if not has_missing and known.min() == known.max():
        return CONSTANT
    if kind == "category":
        n_distinct = int(np.count_nonzero(np.bincount(known)))
        return KEYS if not raw.is_declared and are_identifiers(name, n_distinct, len(known)) else ""
    is_named = is_named_as_key(name)
    if has_missing or known.dtype.kind not in "iuf" or len(known) < 3 or (known != np.floor(known)).any():
        return ""
    if known[0] in (0, 1) and (is_named or len(known) >= FEWEST) and (known[1:] - known[:-1] == 1).all():
        return ROW_NUMBERS
    return KEYS if is_named and len(np.unique(known)) == len(known) else ""
