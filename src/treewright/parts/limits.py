"""Limits say whether a node or a cut may exist."""

from dataclasses import dataclass

from treewright.parts.bounds import Count, NonNegative, TwoOrMore
from treewright.parts.part import Part


@dataclass(frozen=True, slots=True)
class Limits(Part):
    """When to stop growing.

    Parameters
    ----------
    max_depth : int or None
        Edges from the root to the deepest leaf.
    min_rows_split : int
        Rows a node needs before it may be split.
    min_rows_leaf : int
        Rows that each branch must hold.
    min_weight_leaf : float
        Weight that each branch must hold.
    min_weight_split : float
        Weight a node needs before it may be split.
    max_leaves : int or None
        Leaves of the whole tree.
    min_gain : float
        Least value of node weight / total weight × decrease of impurity.
    needs_gain : bool
        Whether a split must have a gain above 0.
    min_impurity : float
        A node of this impurity or less is a leaf.
    max_columns : int or None
        Columns drawn at random for each node; None means all.

    Examples
    --------
    >>> Limits(max_depth=3).max_depth
    3
    >>> Limits(min_rows_leaf=0)
    Traceback (most recent call last):
    ...
    treewright.errors.ParameterError: min_rows_leaf=0 is too small; give a whole number of at least 1.
    """

    max_depth: Count | None = None
    min_rows_split: TwoOrMore = 2
    min_rows_leaf: Count = 1
    min_weight_leaf: NonNegative = 0.0
    min_weight_split: NonNegative = 0.0
    max_leaves: Count | None = None
    min_gain: NonNegative = 0.0
    needs_gain: bool = False
    min_impurity: NonNegative = 0.0
    max_columns: Count | None = None
