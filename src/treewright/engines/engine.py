"""The contract of an engine: it holds the rows of one training table and grows trees on them.

The loop that grows a tree runs in the core, over the verbs of ``engine.hpp`` (propose, route, finish,
count). What Python sees of an engine is the door to that loop.
"""

from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.model.tree import Tree
from treewright.recipes import Recipe

Progress: TypeAlias = Callable[[int, int], None]
"""Called now and then with the number of rows settled and of all rows."""


class Engine(Protocol):
    """Where rows live."""

    @property
    def n_missing(self) -> NDArray[np.int64]:
        """Missing values of every column."""

    @property
    def first_infinite(self) -> tuple[int, int] | None:
        """Column and row of an infinite value, None if there is none."""

    def check(self, recipe: Recipe) -> None:
        """Raise, with a suggestion, if a part of the recipe is beyond this engine."""

    def grow(self, recipe: Recipe, progress: Progress | None = None, keep_ledger: bool = False) -> Tree:
        """Grow one tree, and keep its ledger if asked to."""
