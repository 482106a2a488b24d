"""scikit-learn's names for the arrays of a tree with two branches a node.

Code written for ``sklearn.tree`` (plots, SHAP, exporters) reads these. Where scikit-learn's conventions
differ from ours they are kept: −1 for no child, −2 for the column and cut of a leaf, shares of classes
instead of their weights. What has no name there is refused where it would be read, because such code would
go on with something else: `threshold` of a tree that asks about categories, `children_left` and
`children_right` of one with more than two branches a node.
"""

from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from treewright.errors import NoCounterpartError

TREE_LEAF = -1
TREE_UNDEFINED = -2


class _Arrays(Protocol):
    """What is read of a `Tree`."""

    @property
    def column_names(self) -> tuple[str, ...]: ...
    @property
    def column(self) -> NDArray[np.int32]: ...
    @property
    def cut(self) -> NDArray[np.float64]: ...
    @property
    def cut_integer(self) -> NDArray[np.int64]: ...
    @property
    def child_begin(self) -> NDArray[np.int32]: ...
    @property
    def child(self) -> NDArray[np.int32]: ...
    @property
    def missing_branch(self) -> NDArray[np.int32]: ...
    @property
    def set_begin(self) -> NDArray[np.int32]: ...
    @property
    def n_rows(self) -> NDArray[np.int64]: ...
    @property
    def weight(self) -> NDArray[np.float64]: ...
    @property
    def outcome(self) -> NDArray[np.float64]: ...
    @property
    def gain(self) -> NDArray[np.float64]: ...
    @property
    def shares(self) -> NDArray[np.float64]: ...
    @property
    def depth(self) -> NDArray[np.int32]: ...
    @property
    def n_columns(self) -> int: ...
    @property
    def integer_columns(self) -> tuple[int, ...]: ...


class SklearnNames:
    """The part of `Tree` that speaks scikit-learn's words."""

    column_names: tuple[str, ...] = ()  # no field of the tree: a model lends its own to what is said here

    def name_columns(self, names: tuple[str, ...]) -> None:
        """Take names of columns, for errors; a tree by itself has none."""
        self.__dict__["column_names"] = names

    @property
    def node_count(self: _Arrays) -> int:
        """Number of nodes."""
        return len(self.column)

    @property
    def capacity(self: _Arrays) -> int:
        """Number of nodes there is room for."""
        return len(self.column)

    @property
    def max_depth(self: _Arrays) -> int:
        """Depth of the deepest leaf."""
        return int(self.depth.max())

    @property
    def n_features(self: _Arrays) -> int:
        """Columns of the training table."""
        return self.n_columns

    @property
    def n_outputs(self: _Arrays) -> int:
        """One: a tree has a single target here."""
        return 1

    @property
    def max_n_classes(self: _Arrays) -> int:
        """Number of classes, 1 for a numeric target."""
        return int(self.outcome.shape[1])

    @property
    def n_classes(self: _Arrays) -> NDArray[np.intp]:
        """Number of classes, as an array with one entry."""
        return np.array([self.outcome.shape[1]], dtype=np.intp)

    @property
    def children_left(self: _Arrays) -> NDArray[np.intp]:
        """Branch 0 of every node, −1 at a leaf.

        Raises
        ------
        NoCounterpartError
            If a node has more than two branches.
        """
        return _branch(self, 0)

    @property
    def children_right(self: _Arrays) -> NDArray[np.intp]:
        """Branch 1 of every node, −1 at a leaf; raises as `children_left` does."""
        return _branch(self, 1)

    @property
    def feature(self: _Arrays) -> NDArray[np.intp]:
        """Column asked about, −2 at a leaf."""
        return np.where(self.column < 0, TREE_UNDEFINED, self.column).astype(np.intp)

    @property
    def threshold(self: _Arrays) -> NDArray[np.float64]:
        """Cut, −2 at a leaf; rounded to float64 where the column is compared as int64.

        Raises
        ------
        NoCounterpartError
            If a node asks about categories, which no cut can tell apart; see `Tree.question`.
        """
        asks_category = np.flatnonzero(np.diff(self.set_begin) > 0)
        if len(asks_category):
            why = "tells categories apart, for which scikit-learn's trees have no threshold"
            _refuse(self, int(asks_category[0]), why)
        return thresholds(self)

    @property
    def missing_go_to_left(self: _Arrays) -> NDArray[np.uint8]:
        """1 where a missing value takes branch 0."""
        return np.equal(self.missing_branch, 0).astype(np.uint8)

    @property
    def n_node_samples(self: _Arrays) -> NDArray[np.int64]:
        """Training rows of every node."""
        return self.n_rows

    @property
    def weighted_n_node_samples(self: _Arrays) -> NDArray[np.float64]:
        """Their weight."""
        return self.weight

    @property
    def value(self: _Arrays) -> NDArray[np.float64]:
        """Shares of classes or mean, of shape (n_nodes, 1, n_classes)."""
        return self.shares[:, None, :]

    def compute_feature_importances(self: _Arrays, normalize: bool = True) -> NDArray[np.float64]:
        """Sum the gain of each column, as shares of the whole unless told otherwise."""
        inner = self.column >= 0
        total = np.zeros(self.n_columns)
        np.add.at(total, self.column[inner], self.gain[inner])
        whole = total.sum() if normalize else 0.0
        return np.divide(total, whole) if whole > 0 else total


def thresholds(tree: _Arrays) -> NDArray[np.float64]:
    """Give the cuts as scikit-learn has them, NaN where a node asks about categories."""
    whole = np.isin(tree.column, tree.integer_columns) & np.isfinite(tree.cut)
    cut = np.where(whole, tree.cut_integer.astype(np.float64), tree.cut)
    cut = np.where(np.diff(tree.set_begin) > 0, np.nan, cut)
    return np.where(tree.column < 0, float(TREE_UNDEFINED), cut)


def _branch(tree: _Arrays, branch: int) -> NDArray[Any]:
    inner = tree.column >= 0
    not_two = np.flatnonzero(inner & (np.diff(tree.child_begin) != 2))
    if len(not_two):
        _refuse(tree, int(not_two[0]), "has more than two branches; nodes of scikit-learn's trees have two")
    children = np.full(len(tree.column), TREE_LEAF, dtype=np.intp)
    children[inner] = tree.child[tree.child_begin[:-1][inner] + branch]
    return children


def _refuse(tree: _Arrays, node: int, why: str) -> NoReturn:
    column = int(tree.column[node])
    name = repr(tree.column_names[column]) if tree.column_names else column
    raise NoCounterpartError(
        f"node {node}, which asks about column {name}, {why}. Draw the tree with to_dot(), to_text() or "
        f"plot(); read it with tree_.question({node}) and tree_.walk()."
    )
