"""Identifiers: categorical columns that name rows, such as patient numbers, and what to do about them.

A split on an identifier separates the training rows by name, and tells nothing about new rows. This rule is
used by `profile`, with which the command line leaves such columns out, and by `encode`, which does what
`on_identifier` says.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ColumnError, IdentifierWarning, warn

OnIdentifier: TypeAlias = Literal["warn", "drop", "ignore", "raise"]
CHOICES: tuple[OnIdentifier, ...] = ("warn", "drop", "ignore", "raise")

FEWEST = 20
"""In columns of fewer values, distinct texts may still be categories, and 1, 2, 3 may be measurements."""

MOST_DIFFER = 0.9
"""If at least this fraction of texts differ, they are keys and not categories."""

_NAMES_OF_KEYS = re.compile(
    r"(?:.*[\s_.-])?(?:id|uid|uuid|guid|key|rowid|rownum|row ?(?:number|names?)|index|no|nr|编号|序号|学号)"
    r"|.*[a-z](?:Id|ID)|unnamed: 0",
    re.IGNORECASE,
)
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Identifier:
    """A column that identifies rows.

    Parameters
    ----------
    name : str
        Its name.
    n_distinct, n_known : int
        Its number of categories, and the number of rows that have one.
    """

    name: str
    n_distinct: int
    n_known: int


def is_named_as_key(name: str) -> bool:
    """Report whether a column has the name of an identifier.

    Examples
    --------
    >>> [is_named_as_key(name) for name in ("customer_id", "编号", "income")]
    [True, True, False]
    """
    return _NAMES_OF_KEYS.fullmatch(name) is not None


def are_identifiers(name: str, n_distinct: int, n_known: int) -> bool:
    """Report whether the categories of a column identify its rows: nearly every row has its own.

    Examples
    --------
    >>> are_identifiers("patient", 123, 123), are_identifiers("patient", 60, 123)
    (True, False)
    >>> are_identifiers("town", 8, 8), are_identifiers("id", 8, 8)
    (False, True)
    """
    is_key = n_known >= FEWEST and n_distinct >= MOST_DIFFER * n_known
    return is_key or (2 < n_distinct == n_known and is_named_as_key(name))


def are_mostly_single(codes: NDArray[Any]) -> bool:
    """Report whether most categories, given as codes, occur in one row only.

    Examples
    --------
    >>> [are_mostly_single(np.arange(60) % n) for n in (39, 40, 41)]
    [False, False, True]
    """
    counts = np.bincount(codes)
    n_single = int(np.count_nonzero(counts == 1))
    return bool(n_single >= FEWEST and 2 * n_single > np.count_nonzero(counts))


def report_identifiers(found: Sequence[Identifier], on_identifier: OnIdentifier) -> None:
    """Warn once about all identifiers of a table, or raise, if that is the choice.

    Raises
    ------
    ColumnError
        With ``on_identifier="raise"``.
    """
    if not found or on_identifier not in ("warn", "raise"):
        return
    shown = [f"{each.name!r} ({each.n_distinct:,} values in {each.n_known:,} rows)" for each in found]
    more = f" and {len(shown) - _MOST_NAMED:,} more" if len(shown) > _MOST_NAMED else ""
    columns = ", ".join(shown[:_MOST_NAMED]) + more
    text = (
        f"hardly any rows share a value of column {columns}, so it identifies rows and says nothing about "
        "new ones. Drop it, or give on_identifier='drop' to keep it out of the tree, or "
        "on_identifier='ignore' to use it all the same."
    )
    if on_identifier == "raise":
        raise ColumnError(text)
    warn(text, IdentifierWarning)
