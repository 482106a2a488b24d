"""Rows with targets and weights, as read from a table and as encoded for a model."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treewright.errors import TableError, TargetError, WeightError
from treewright.model.model import Model
from treewright.model.records import Array, Bool, Float64, Int32, Intp
from treewright.model.tree import Tree
from treewright.model.tree_arrays import router_of
from treewright.table.encode import Codes
from treewright.table.read import Table
from treewright.table.target import CodedClasses, Target, targets_of


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """A table with a target and a weight for each row, all read and checked.

    Parameters
    ----------
    table : Table
        The columns, without the target.
    target : CodedClasses or array of float64
        Classes or numbers, one for each row.
    weights : array of float64 or None
        Weights of the rows; None counts each as 1.
    target_name : str, optional
        Name of the target, if it was a column of the table.

    Examples
    --------
    >>> from treewright.table.read import read
    >>> rows = LabelledRows(read({"age": [22, 35, 47]}), np.array([0.0, 1.0, 1.0]))
    >>> rows.table.n_rows, rows.weights is None
    (3, True)
    """

    table: Table
    target: Target
    weights: Float64 | None = None
    target_name: str | None = None

    def __post_init__(self) -> None:
        n, n_rows = len(self.target), self.table.n_rows
        if n != n_rows:
            raise TargetError(f"the target has {n} values, the table {n_rows} rows; give one for each.")

    def encoded(self, model: Model) -> "EncodedRows":
        """Encode the rows as `model` compares them, with the model's codes for the classes.

        Raises
        ------
        TargetError
            If the model does not know a class.
        """
        return EncodedRows(model.codes(self.table), self.target_for(model), self.weights)

    def target_for(self, model: Model) -> Target:
        """Return the target with the model's codes for the classes."""
        target, labels = self.target, model.schema.labels
        return target.renumbered(labels) if isinstance(target, CodedClasses) else target


@dataclass(frozen=True, eq=False)
class EncodedRows:
    """Encoded rows with their targets and weights.

    Parameters
    ----------
    codes : list of arrays
        Columns as `treewright.table.encode.encode` gives them.
    target : CodedClasses or array of float64
        Classes or numbers.
    weights : array of float64 or None
        Weights of the rows; None counts each as 1.
    """

    codes: Codes
    target: Target
    weights: Float64 | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows, including those of weight 0."""
        return len(self.target)

    @property
    def targets(self) -> Array:
        """The class or the number of every row."""
        return targets_of(self.target)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        assert isinstance(self.target, CodedClasses), "rows of a tree of classes have classes"
        return len(self.target.labels)

    @cached_property
    def weight_of_each(self) -> Float64:
        """The weight of every row."""
        return np.ones(self.n_rows) if self.weights is None else self.weights

    @cached_property
    def weight(self) -> float:
        """Weight of all rows."""
        return float(self.weight_of_each.sum())

    def weight_of_classes(self, rows: Bool | None = None) -> Float64:
        """Weight of each class among some rows, by default all."""
        kept = slice(None) if rows is None else rows
        sums = np.bincount(self.targets[kept], self.weight_of_each[kept], minlength=self.n_classes)
        return sums.astype(np.float64, copy=False)

    def take(self, rows: Intp | Bool) -> "EncodedRows":
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return EncodedRows([column[rows] for column in self.codes], self.target[rows], weights)

    def of_positive_weight(self) -> "EncodedRows":
        """Return the rows of positive weight."""
        return self if self.weights is None else self.take(np.flatnonzero(self.weights))

    def leaves(self, tree: Tree, n_threads: int = 1) -> tuple[Intp, Int32, Float64]:
        """Send the rows down a tree.

        Returns
        -------
        row, leaf, fraction : arrays
            The leaves that each row reaches, row after row, and the fraction of the row that reaches each: 1,
            unless rows with missing values go down several branches.
        """
        router = router_of(tree)
        if not router.spreads:
            leaf = router.apply(self.codes, n_threads)
            return np.arange(self.n_rows), leaf, np.ones(self.n_rows)
        begin, leaf, fraction = router.spread(self.codes)
        return np.repeat(np.arange(self.n_rows), np.diff(begin)), leaf, fraction

    def counted(self) -> Intp:
        """List the rows of positive weight; raise if there are none."""
        if not self.n_rows:
            raise TableError("the table has no rows to prune by; give some.")
        counted = np.flatnonzero(self.weight_of_each)
        if not len(counted):
            raise WeightError("all rows to prune by have weight 0; give some a positive weight.")
        return counted
