"""Read `monotonic_cst`: along which columns predictions may only rise, or only fall."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright.errors import ParameterError, ParameterTypeError, did_you_mean, listed
from treewright.parts.monotone import Monotone
from treewright.table.read import Table


def monotone(monotonic_cst: object, table: Table) -> Monotone:
    """Read the direction of every column.

    Parameters
    ----------
    monotonic_cst : None, array-like of -1, 0 and 1, or dict
        One entry for each column, as scikit-learn's trees take it, or entries by name for some of them, as
        its gradient boosting does.
    table : Table
        The training table, without the target.

    Returns
    -------
    Monotone

    Examples
    --------
    >>> from treewright.table.read import read
    >>> table = read({"age": [31, 47], "income": [20, 30]})
    >>> monotone({"income": 1}, table), monotone([0, 1], table)
    (Monotone(directions=(0, 1)), Monotone(directions=(0, 1)))
    >>> monotone({"incom": 1}, table)
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: monotonic_cst: no column 'incom'. Did you mean 'income'?
    """
    if monotonic_cst is None:
        return Monotone()
    if isinstance(monotonic_cst, Mapping):
        given = dict.fromkeys(table.names, 0) | {_name(name, table): d for name, d in monotonic_cst.items()}
    else:
        given = dict(zip(table.names, _entries(monotonic_cst, len(table.columns)), strict=True))
    found = Monotone(tuple(_direction(name, direction) for name, direction in given.items()))
    return found if found.is_constrained else Monotone()


def _name(name: object, table: Table) -> str:
    if isinstance(name, str) and name in table.names:
        return name
    raise ParameterError(
        f"monotonic_cst: no column {name!r}."
        + (did_you_mean(name, table.names) or f" The columns are {listed(table.names)}.")
    )


def _entries(monotonic_cst: object, n_columns: int) -> list[Any]:
    entries = np.asarray(monotonic_cst, dtype=object)
    if isinstance(monotonic_cst, str) or entries.ndim != 1:
        raise ParameterTypeError(
            f"monotonic_cst={monotonic_cst!r} cannot be used; give -1, 0 or 1 for each column in a list, or "
            "a dict by the columns' names."
        )
    if len(entries) != n_columns:
        raise ParameterError(
            f"monotonic_cst has {len(entries)} entries, but X has {n_columns} features; give -1, 0 or 1 for "
            "each column, or a dict by the columns' names."
        )
    return list(entries)


def _direction(name: str, direction: object) -> int:
    is_number = isinstance(direction, int | float | np.number) and not isinstance(direction, bool)
    if is_number and direction in (-1, 0, 1):
        return int(direction)
    raise ParameterError(
        f"monotonic_cst holds {direction!r} for column {name!r}; give 1 (predictions rise with it), -1 (they "
        "fall) or 0 (no constraint)."
    )
