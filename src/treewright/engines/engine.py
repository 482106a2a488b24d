"""The contract of an engine: it prepares tables, and grows trees on samples of their rows.

`Engine.prepare` encodes a table and puts it in order, once. `TrainingSet.sample` chooses rows by their
weights and gives them a target; `Sample.grow` grows a tree on them. The trees must equal those of the local
engine, bit for bit. `Engine.check` rejects what an engine cannot do, before any work is done. Rows need not
be in this process; only `TrainingSet.codes` requires it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from treewright.model.labelled_rows import LabelledRows
from treewright.model.ledger_arrays import LedgerArrays
from treewright.model.tree import Tree
from treewright.recipes import Recipe
from treewright.schema import Column
from treewright.table.encode import Codes, Encoding
from treewright.table.target import Target

Progress: TypeAlias = Callable[[int, int], None]
"""Called from time to time with the number of rows settled and the number of all rows."""


@dataclass(frozen=True, slots=True)
class Work:
    """How a tree was grown, and how many operations that took.

    An entry is a row in the list of a column.

    Parameters
    ----------
    path : str
        The engine of the core that grew the tree, in words.
    n_threads : int
        Threads that took part.
    n_sorted : int
        Entries put in order, times the passes over them.
    n_scanned : int
        Entries scanned for a cut.
    n_moved : int
        Entries moved to the range of their branch, or to a block of narrower numbers.
    n_alone : int
        Bins and entries that a single thread processed, where large nodes are counted by bins.
    n_rounds : int
        How often the threads were started together and then waited for each other.
    n_nodes : tuple of int
        Nodes searched for a split: in lists of 32-bit, 16-bit and 8-bit numbers.
    max_depth : int
        Depth of the deepest leaf.
    """

    path: str
    n_threads: int
    n_sorted: int
    n_scanned: int
    n_moved: int
    n_alone: int
    n_rounds: int
    n_nodes: tuple[int, int, int]
    max_depth: int

    def __str__(self) -> str:
        widths = zip(self.n_nodes, (32, 16, 8), strict=True)
        of_bits = ", ".join(f"{n_nodes:,} of {bits} bits" for n_nodes, bits in widths if n_nodes)
        threads = f"{self.n_threads}" + (f" in {self.n_rounds:,} rounds" if self.n_rounds else "")
        return (
            f"grown by {self.path}, threads: {threads}; nodes searched, by lists: "
            f"{of_bits or 'none'}; entries sorted (times passes): {self.n_sorted:,}, scanned: "
            f"{self.n_scanned:,}, moved: {self.n_moved:,}"
        )


Report: TypeAlias = Callable[[Work], None]
"""Called once a tree is grown."""


@dataclass(frozen=True, slots=True)
class Grown:
    """A tree as it was grown.

    Parameters
    ----------
    tree : Tree
        The tree.
    work : Work or None
        How it was grown, where the engine reports that.
    ends : array of int32 or None
        For each row of positive weight its leaf, or the first node that splits by a column in which the row
        has no value. None where the engine does not report it.
    """

    tree: Tree
    work: Work | None = None
    ends: NDArray[np.int32] | None = None


class Sample(Protocol):
    """The rows of a training set that have a positive weight, with a target."""

    @property
    def n_missing(self) -> NDArray[np.int64]:
        """Missing values of every column."""

    @property
    def first_infinite(self) -> tuple[int, int] | None:
        """Column and row of an infinite value, None if there are none."""

    def grow(
        self,
        recipe: Recipe,
        progress: Progress | None = None,
        keep_ledger: bool = False,
        *,
        own_rows_only: bool = False,
    ) -> Grown:
        """Grow one tree.

        Parameters
        ----------
        recipe : Recipe
            How to grow.
        progress : callable, optional
            Called from time to time.
        keep_ledger : bool
            Whether the tree keeps the candidates of every node.
        own_rows_only : bool
            Whether only rows of the training set, of any weight, will be sent down the tree; surrogates that
            none of these rows can need may then be left out.
        """

    def look(
        self, recipe: Recipe, *, every_cut: bool, path: int = 0, low: float = -np.inf, high: float = np.inf
    ) -> LedgerArrays:
        """Score the columns with all rows in one node, without growing a tree.

        Parameters
        ----------
        recipe : Recipe
            How columns are scored.
        every_cut : bool
            Whether to list every cut of a numeric column, not only its best one.
        path : int
            Key of the node's random draws.
        low, high : float
            Bounds of the node's value, under monotonic constraints.
        """


class TrainingSet(Protocol):
    """A table, encoded and put in order once, to grow many trees on."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns: their names, kinds and categories."""

    @property
    def codes(self) -> Codes:
        """The encoded columns, for pruners and audits that read rows; engines without them reject those."""

    def fingerprint(self, target: Target, weights: NDArray[np.float64] | None) -> str:
        """Compute the fingerprint of the rows of positive weight, see `treewright.table.fingerprint`."""

    def sample(
        self,
        target: Target,
        weights: NDArray[np.float64] | None = None,
        own_weights: NDArray[np.float64] | None = None,
        *,
        is_last: bool = False,
    ) -> Sample:
        """Choose rows.

        Parameters
        ----------
        target : CodedClasses or array of float64
            Classes or numbers, one for every row of the table.
        weights : array of float64 or None
            A weight for every row; rows of weight 0 take no part.
        own_weights : array of float64 or None
            Weights where the target does not matter, as for surrogates; by default `weights`.
        is_last : bool
            Whether the training set is not used after this, so that its memory can be reused.
        """


@runtime_checkable
class Engine(Protocol):
    """Grows trees."""

    def check(self, recipe: Recipe, of_classes: bool) -> None:
        """Raise a `ParameterError`, with a suggestion, if this engine cannot grow by a recipe."""

    def prepare(self, rows: LabelledRows, encoding: Encoding, n_threads: int = 1) -> TrainingSet:
        """Encode a table and put it in order.

        Parameters
        ----------
        rows : LabelledRows
            The table; rows of weight 0 take no part in learning its columns.
        encoding : Encoding
            How its columns are encoded.
        n_threads : int
            Threads to use.
        """
