"""Small tables from textbooks that ship with the package: golf, weather, contact lenses, watermelons, loans.

The README in this folder gives the source of each table.

>>> from treewright import datasets
>>> columns, target = datasets.load("golf")
>>> target
'class'
>>> columns["outlook"][:3]
['sunny', 'sunny', 'overcast']

The result, a dict of columns and the name of one of them, can be passed to `fit`; the dict can also be passed
to `pandas.DataFrame` and `polars.DataFrame`.
"""

from __future__ import annotations

import csv
import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParameterError, did_you_mean, listed

__all__ = ["load", "names", "schema"]


def __dir__() -> list[str]:
    return __all__  # what the Tab key offers


Column = NDArray[np.float64] | list[str | None]

HERE = Path(__file__).parent


class _Table(TypedDict):
    """A table in `schemas.json`."""

    target: str
    columns: dict[str, dict[str, Any]]


def names() -> list[str]:
    """List the names of the tables.

    Each name is also the name of a CSV file in this package.

    Returns
    -------
    list of str
        In alphabetical order.

    See Also
    --------
    load : Load a table by its name.

    Examples
    --------
    >>> names()[:3]
    ['contact_lenses', 'golf', 'loan_lihang']
    """
    return sorted(_schemas())


def load(name: str) -> tuple[dict[str, Column], str]:
    """Load a table by name.

    The result can be passed to estimators: ``fit(columns, target)``.

    Parameters
    ----------
    name : str
        One of `names()`.

    Returns
    -------
    columns : dict of str to ndarray or list
        A numeric column is an array of float64 with NaN for missing values; a categorical one is a list of
        str with None (polars cannot read an array that begins with None). The target is one of the columns.
        They are copies and may be changed.
    target : str
        The name of the column to predict.

    Raises
    ------
    ParameterError
        If there is no such table; the text suggests the nearest name.

    See Also
    --------
    names : List the tables.
    schema : Describe their columns.

    Examples
    --------
    >>> columns, target = load("watermelon_20a")
    >>> columns["色泽"][:3]
    [None, '乌黑', '乌黑']
    >>> target, columns[target][0]
    ('好瓜', '是')
    """
    declared = schema(name)
    with (HERE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns: dict[str, Column] = {}
    for column, about in declared.items():
        cells = [row[column] or None for row in rows]
        columns[column] = np.array(cells, dtype=np.float64) if about["kind"] == "numeric" else cells
    return columns, _schemas()[name]["target"]


def schema(name: str) -> dict[str, dict[str, Any]]:
    """Describe the columns of a table, as its book declares them.

    The order of the categories matters for C4.5, which uses it to number branches and to break ties.

    Parameters
    ----------
    name : str
        One of `names()`.

    Returns
    -------
    dict of str to dict
        For each column, in order, its ``kind``, ``"numeric"`` or ``"categorical"``, and for a categorical one
        its ``categories`` in declared order.

    Raises
    ------
    ParameterError
        If there is no such table; the text suggests the nearest name.

    See Also
    --------
    load : Load the table.

    Examples
    --------
    >>> schema("golf")["outlook"]
    {'kind': 'categorical', 'categories': ['sunny', 'overcast', 'rain']}
    >>> schema("golf")["humidity"]
    {'kind': 'numeric'}
    """
    if name not in _schemas():
        hint = did_you_mean(name, names()) or f" There are {listed(names(), most=20)}."
        raise ParameterError(f"no table is called {name!r}.{hint}")
    # A copy, so that changes by one caller do not affect the next.
    return deepcopy(_schemas()[name]["columns"])


@cache
def _schemas() -> dict[str, _Table]:
    tables: dict[str, _Table] = json.loads((HERE / "schemas.json").read_text(encoding="utf-8"))
    return tables
