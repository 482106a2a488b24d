"""Read the parameters that are given by column: `categorical_features` and `monotonic_cst`."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np

from treewright.errors import ParameterError, ParameterTypeError, did_you_mean, listed
from treewright.parts.monotone import Monotone
from treewright.table.read import Table

_COLUMNS = "give 'from_dtype', None, or a list of names, indices or booleans."
_DIRECTIONS = "give -1, 0 or 1 for each column, or a dict by the columns' names."


def categorical_columns(categorical_features: object, table: Table) -> frozenset[int] | None:
    """Find the columns that hold categories.

    Parameters
    ----------
    categorical_features : "from_dtype", None, names, indices or a boolean mask
        In the forms that scikit-learn's gradient boosting accepts.
    table : Table
        The training table, without the target.

    Returns
    -------
    frozenset of int or None
        Positions of the columns; all others hold numbers. None: decide by the types.

    Examples
    --------
    >>> from treewright.table.read import read
    >>> table = read({"town": ["Ulm", "Bonn"], "age": [31, 47]})
    >>> categorical_columns(["town"], table), categorical_columns([True, False], table)
    (frozenset({0}), frozenset({0}))
    >>> categorical_columns(["twon"], table)
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: categorical_features: no column 'twon'. Did you mean 'town'?
    """
    if categorical_features is None:
        return frozenset()
    if isinstance(categorical_features, str):
        if categorical_features == "from_dtype":
            return None
        hint = did_you_mean(categorical_features, ("from_dtype",))
        raise ParameterError(f"categorical_features={categorical_features!r} is unknown; {_COLUMNS}{hint}")
    try:
        given: list[Any] = np.asarray(categorical_features, dtype=object).ravel().tolist()
    except ValueError:
        given = [categorical_features]
    if all(isinstance(each, bool | np.bool_) for each in given) and given:
        if len(given) != len(table.columns):
            raise ParameterError(
                f"categorical_features is a mask of {len(given)} entries, the table has {len(table.columns)} "
                "columns; give one entry for each."
            )
        return frozenset(np.flatnonzero(given).tolist())
    return frozenset(_position(each, table) for each in given)


def _position(column: object, table: Table) -> int:
    if isinstance(column, str):
        return _position_of_name("categorical_features", column, table)
    if not isinstance(column, Integral) or isinstance(column, bool):
        raise ParameterTypeError(f"categorical_features holds {column!r}; {_COLUMNS}")
    last = len(table.columns) - 1
    if not 0 <= int(column) <= last:
        raise ParameterError(f"categorical_features holds index {column}; the table has columns 0 to {last}.")
    return int(column)


def _position_of_name(parameter: str, name: object, table: Table) -> int:
    if isinstance(name, str) and name in table.names:
        return table.names.index(name)
    hint = did_you_mean(name, table.names) or f" The columns are {listed(table.names)}."
    raise ParameterError(f"{parameter}: no column {name!r}.{hint}")


def monotone(monotonic_cst: object, table: Table) -> Monotone:
    """Read the direction of every column.

    Parameters
    ----------
    monotonic_cst : None, array-like of -1, 0 and 1, or dict
        One entry for each column, as in scikit-learn's trees, or entries by name for some columns, as in its
        gradient boosting.
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
        given: list[Any] = [0] * len(table.columns)
        for name, direction in monotonic_cst.items():
            given[_position_of_name("monotonic_cst", name, table)] = direction
    else:
        given = _entries(monotonic_cst, len(table.columns))
    found = Monotone(tuple(map(_direction, table.names, given)))
    return found if found.is_constrained else Monotone()


def _entries(monotonic_cst: object, n_columns: int) -> list[Any]:
    entries = np.asarray(monotonic_cst, dtype=object)
    if isinstance(monotonic_cst, str) or entries.ndim != 1:
        raise ParameterTypeError(f"monotonic_cst={monotonic_cst!r} cannot be used; {_DIRECTIONS}")
    if len(entries) != n_columns:
        raise ParameterError(
            f"monotonic_cst has {len(entries)} entries, but X has {n_columns} features; {_DIRECTIONS}"
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
