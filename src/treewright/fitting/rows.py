"""Rows that pruners send down a tree."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.errors import TableError, WeightError
from treewright.model.tree import Tree
from treewright.table.encode import Codes
from treewright.table.target import CodedClasses


@dataclass(frozen=True)
class Ended:
    """Where rows ended in the tree that was grown on them.

    Parameters
    ----------
    tree : Tree
        As it was grown.
    nodes : array of int32
        Of each row of positive weight: its leaf, or the first node that asked for a value it has not.
    """

    tree: Tree
    nodes: NDArray[np.int32]

    def in_cut(self, tree: Tree) -> NDArray[np.int32] | None:
        """Give the nodes where they end in a tree that was cut from this one; None if it asks otherwise."""
        grown = self.tree
        number, origin = _core.find_in_cut(grown.child_begin, grown.child, tree.child_begin)
        if not len(origin):
            return None
        asks_the_same = grown.column.take(origin) == tree.column
        # By their bits: questions about categories have no number for a cut.
        asks_the_same &= grown.cut.view(np.int64).take(origin) == tree.cut.view(np.int64)
        asks_the_same &= grown.cut_integer.take(origin) == tree.cut_integer
        return number.take(self.nodes) if (asks_the_same | (tree.column < 0)).all() else None


@dataclass(frozen=True)
class TrainingRows:
    """Rows that pruners send down a tree: those it was grown on, or those held out.

    Parameters
    ----------
    codes : list of arrays
        Columns as `treewright.table.encode.encode` gives them.
    target : CodedClasses or array of float64
        Their classes, by the tree's numbers of them, or their numbers.
    weights : array of float64 or None
        Their weights; None counts each as 1.
    ended : Ended or None
        Where they ended in the tree that was grown on them, if that is known.
    """

    codes: Codes
    target: CodedClasses | NDArray[np.float64]
    weights: NDArray[np.float64] | None
    ended: Ended | None = None

    @property
    def n_rows(self) -> int:
        """Rows of any weight."""
        return len(self.classes if isinstance(self.target, CodedClasses) else self.target)

    @property
    def classes(self) -> NDArray[np.int32]:
        """The class of every row."""
        assert isinstance(self.target, CodedClasses), "rows of a tree of classes have classes"
        return self.target.codes

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The number of every row."""
        assert not isinstance(self.target, CodedClasses), "rows of a tree of numbers have numbers"
        return self.target

    @cached_property
    def weight_of_each(self) -> NDArray[np.float64]:
        """The weight of every row."""
        return np.ones(self.n_rows) if self.weights is None else self.weights

    def counted(self) -> NDArray[np.intp]:
        """List the rows of positive weight, of which there must be one."""
        if not self.n_rows:
            raise TableError("the table has no rows to prune by; give some.")
        if self.weights is None:
            return np.arange(self.n_rows)
        counted = np.flatnonzero(self.weights)
        if not len(counted):
            raise WeightError("all rows to prune by weigh 0; give some a weight above it.")
        return counted
