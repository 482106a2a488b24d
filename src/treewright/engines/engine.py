"""The contract of an engine: it holds the rows of one training table and grows trees on them.

The loop that grows a tree runs in the core, over the verbs of ``engine.hpp`` (propose, route, finish,
count). What Python sees of an engine is the door to that loop.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.model.tree import Tree
from treewright.recipes import Recipe

Progress: TypeAlias = Callable[[int, int], None]
"""Called now and then with the number of rows settled and of all rows."""


@dataclass(frozen=True, slots=True)
class Work:
    """How a tree was grown, and what that took in operations, which no clock is needed for.

    An entry is a row in the list of a column.

    Parameters
    ----------
    path : str
        Which way of growing was taken, in words.
    n_threads : int
        Threads that took part.
    n_sorted : int
        Entries put in order, times the passes over them.
    n_scanned : int
        Entries gone through in search of a cut.
    n_moved : int
        Entries moved to the side of their branch, or to a block of narrower numbers.
    n_nodes : tuple of int
        Nodes looked into: in lists of 32-bit, 16-bit and 8-bit numbers.
    """

    path: str
    n_threads: int
    n_sorted: int
    n_scanned: int
    n_moved: int
    n_nodes: tuple[int, int, int]

    def __str__(self) -> str:
        widths = zip(self.n_nodes, (32, 16, 8), strict=True)
        of_bits = ", ".join(f"{n_nodes:,} of {bits} bits" for n_nodes, bits in widths if n_nodes)
        return (
            f"grown by {self.path}, threads: {self.n_threads}; nodes looked into, by lists: "
            f"{of_bits or 'none'}; entries sorted (times passes): {self.n_sorted:,}, scanned: "
            f"{self.n_scanned:,}, moved: {self.n_moved:,}"
        )


Report: TypeAlias = Callable[[Work], None]
"""Called once a tree is grown."""


class Engine(Protocol):
    """Where rows live."""

    @property
    def n_missing(self) -> NDArray[np.int64]:
        """Missing values of every column."""

    @property
    def first_infinite(self) -> tuple[int, int] | None:
        """Column and row of an infinite value, None if there is none."""

    @property
    def work(self) -> Work:
        """How the tree was grown, once it is."""

    @property
    def ends(self) -> NDArray[np.int32] | None:
        """Where each row of positive weight ended in the tree, once it is grown; None: not told.

        Its leaf, or the first node that asked for a value it has not.
        """

    def check(self, recipe: Recipe) -> None:
        """Raise, with a suggestion, if a part of the recipe is beyond this engine."""

    def grow(self, recipe: Recipe, progress: Progress | None = None, keep_ledger: bool = False) -> Tree:
        """Grow one tree, and keep its ledger if asked to."""
