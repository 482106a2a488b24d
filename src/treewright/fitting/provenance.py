"""Record what a model was grown from."""

import math
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import numpy as np

import treewright
from treewright.engines.engine import TrainingSet
from treewright.model.labelled_rows import LabelledRows
from treewright.model.provenance import Provenance
from treewright.model.values import Plain, to_plain
from treewright.recipes import Recipe


def provenance(training_set: TrainingSet, rows: LabelledRows, recipe: Recipe) -> Provenance:
    """Record where a model comes from.

    Parameters
    ----------
    training_set : TrainingSet
        The training table, as the engine prepared it.
    rows, recipe
        As for `treewright.fitting.fit.fit`.
    """
    weights = rows.weights
    return Provenance(
        library=treewright.__version__,
        n_rows=rows.table.n_rows if weights is None else int(np.count_nonzero(weights)),
        # Rounded once, so that the order of the rows has no effect.
        weight=float(rows.table.n_rows) if weights is None else math.fsum(weights.tolist()),
        fingerprint=training_set.fingerprint(rows.target, weights),
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
    kind: type = type(value)
    if kind in _PLAIN or (kind is float and math.isfinite(value)):
        return value
    if isinstance(value, tuple):
        return [_described(each) for each in value]
    names = _names(kind)
    if names is None:
        return to_plain(value)
    described: dict[str, Plain] = {"part": kind.__name__}
    for name in names:
        # Nearly all are plain: skipping the call keeps the fit of a small table fast.
        each = getattr(value, name)
        described[name] = each if type(each) in _PLAIN else _described(each)
    return described


_PLAIN = frozenset((type(None), bool, int, str))


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else None
