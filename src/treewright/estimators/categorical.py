"""Read `categorical_features`: which columns of a table hold categories."""

from numbers import Integral
from typing import Any

import numpy as np

from treewright.errors import ParameterError, ParameterTypeError, did_you_mean, listed
from treewright.table.read import Table


def categorical_columns(categorical_features: object, table: Table) -> frozenset[int] | None:
    """Find the columns that hold categories.

    Parameters
    ----------
    categorical_features : "from_dtype", None, names, indices or a boolean mask
        As scikit-learn's gradient boosting takes it.
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
        raise ParameterError(
            f"categorical_features={categorical_features!r} is unknown; give 'from_dtype', None, or a list "
            "of names, indices or booleans." + did_you_mean(categorical_features, ("from_dtype",))
        )
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
        if column not in table.names:
            raise ParameterError(
                f"categorical_features: no column {column!r}."
                + (did_you_mean(column, table.names) or f" Its columns are {listed(table.names)}.")
            )
        return table.names.index(column)
    if isinstance(column, Integral) and not isinstance(column, bool):
        if not 0 <= int(column) < len(table.columns):
            raise ParameterError(
                f"categorical_features holds index {column}; the table has columns 0 to "
                f"{len(table.columns) - 1}."
            )
        return int(column)
    raise ParameterTypeError(
        f"categorical_features holds {column!r}; give 'from_dtype', None, or a list of names, indices or "
        "booleans."
    )
