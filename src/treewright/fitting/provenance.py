"""Write down what a model is grown from."""

import math
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import treewright
from treewright.model.provenance import Provenance
from treewright.model.values import Plain, to_plain
from treewright.recipes import Recipe
from treewright.schema import Column
from treewright.table.encode import Codes
from treewright.table.fingerprint import fingerprint
from treewright.table.read import Table
from treewright.table.target import CodedClasses


def provenance(
    table: Table,
    codes: Codes,
    columns: Sequence[Column],
    target: CodedClasses | NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    recipe: Recipe,
) -> Provenance:
    """Tell where a model comes from.

    Parameters
    ----------
    table, codes, columns
        The training table: as it was read, encoded and learned.
    target, weights, recipe
        As for `treewright.fitting.fit.fit`.
    """
    is_block = table.block is not None and all(column.kind == "number" for column in columns)
    values = table.block if is_block else codes  # the same numbers; a block is gone through faster
    assert values is not None, "a block or the columns"
    of_target = target.codes if isinstance(target, CodedClasses) else target
    return Provenance(
        library=treewright.__version__,
        n_rows=table.n_rows if weights is None else int((weights > 0).sum()),
        # Rounded once, so that the order of the rows does not show.
        weight=float(table.n_rows) if weights is None else math.fsum(weights.tolist()),
        fingerprint=fingerprint(values, of_target, weights),
        parts=parts_of(recipe),
    )


def parts_of(recipe: Recipe) -> dict[str, Plain]:
    """Describe the choices of a recipe by their names and numbers.

    Examples
    --------
    >>> from treewright.recipes import CART_NUMBERS
    >>> parts_of(CART_NUMBERS)["criterion"], parts_of(CART_NUMBERS)["seed"]
    ({'part': 'Variance'}, 0)
    """
    return {name: _described(getattr(recipe, name)) for name in _names(Recipe) or ()}


def _described(value: Any) -> Plain:
    # Nearly all are plain, and the fit of a small table should not wait.
    if type(value) in _PLAIN or (type(value) is float and math.isfinite(value)):
        return value
    if isinstance(value, tuple):
        return [_described(each) for each in value]
    kind: type = type(value)
    names = _names(kind)
    if names is None:
        return to_plain(value)
    return {"part": kind.__name__, **{name: _described(getattr(value, name)) for name in names}}


_PLAIN = (type(None), bool, int, str)


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else None
