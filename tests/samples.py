"""Samples of rows that trees are grown on, from columns as they are."""

from collections.abc import Sequence

import numpy as np

from treewright import _core
from treewright.engines.engine import Sample
from treewright.engines.local import LocalTrainingSet
from treewright.model.surrogates import SurrogateArrays
from treewright.schema import Column


def training_set(columns, n_threads: int = 1, n_categories: Sequence[int] | None = None) -> LocalTrainingSet:
    """Put encoded columns in order; a column with categories has as many as `n_categories` says."""
    known = [
        Column(f"x{at}", "category", categories=tuple(range(n))) if n else Column(f"x{at}")
        for at, n in enumerate(n_categories or [0] * len(columns))
    ]
    return LocalTrainingSet(columns, known, n_threads)


def core_tree(engine, recipe) -> dict[str, np.ndarray]:
    """Grow a tree in the core; where it has no surrogates, their arrays are empty."""
    tree = _core.grow(engine, recipe)
    none = SurrogateArrays.none(len(tree["column"]))
    return {f"surrogate_{name}": getattr(none, name).copy() for name in none.arrays()} | tree


def sample(columns, target, weights=None, n_threads: int = 1, n_categories=None, own_weights=None) -> Sample:
    """Put encoded columns in order for one growth."""
    rows = training_set(columns, n_threads, n_categories)
    return rows.sample(target, weights, own_weights, is_last=True)
