"""scikit-learn's names for the arrays of a tree whose nodes have two branches.

Code written for ``sklearn.tree`` (plots, SHAP, exporters) reads these attributes, so they follow
scikit-learn's conventions where ours differ: −1 for no child, −2 for the column and threshold of a leaf,
proportions of classes instead of their weights. Attributes that scikit-learn cannot express raise an error,
because such code would otherwise carry on with a wrong value: `threshold` of a tree that splits on
categories, `children_left` and `children_right` of a tree with more than two branches at a node.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import NoCounterpartError, TableError
from treewright.model.records import Array, Bool, Float64, Int64, Intp
from treewright.model.tree_arrays import TreeArrays, router_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

TREE_LEAF, TREE_UNDEFINED = -1, -2


class SklearnNames(TreeArrays):
    """The attributes of `Tree` that scikit-learn's trees have too, under the same names."""

    column_names: tuple[str, ...] = ()  # not a field: a model sets the names, which only errors show

    def name_columns(self, names: tuple[str, ...]) -> None:
        """Set the names of columns that errors show; a tree on its own has no names.

        Parameters
        ----------
        names : tuple of str
            A name for each column of the training table.
        """
        self.__dict__["column_names"] = names

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return len(self.column)

    @property
    def capacity(self) -> int:
        """Number of nodes; scikit-learn's trees may have room for more."""
        return len(self.column)

    @property
    def n_features(self) -> int:
        """Columns of the training table."""
        return self.n_columns

    @property
    def n_outputs(self) -> int:
        """Number of targets, always 1."""
        return 1

    @property
    def max_n_classes(self) -> int:
        """Number of classes, 1 for a numeric target."""
        return int(self.outcome.shape[1])

    @property
    def n_classes(self) -> Intp:
        """Number of classes, as an array with one entry."""
        return np.array([self.outcome.shape[1]], dtype=np.intp)

    @property
    def children_left(self) -> Intp:
        """Child of every node at branch 0, −1 at a leaf.

        Raises
        ------
        NoCounterpartError
            If a node has more than two branches.
        """
        return _branch(self, 0)

    @property
    def children_right(self) -> Intp:
        """Child of every node at branch 1, −1 at a leaf; raises as `children_left` does."""
        return _branch(self, 1)

    @property
    def feature(self) -> Intp:
        """Column that every node splits on, −2 at a leaf."""
        return np.where(self.column < 0, TREE_UNDEFINED, self.column).astype(np.intp)

    @property
    def threshold(self) -> Float64:
        """Threshold of every node, −2 at a leaf; a float64 even where the column is compared as int64.

        Raises
        ------
        NoCounterpartError
            If a node splits on categories, which have no threshold; see `Tree.question`.
        """
        why = "tells categories apart, for which scikit-learn's trees have no threshold"
        _refuse_any(self, np.diff(self.set_begin) > 0, why)
        return thresholds(self)

    @property
    def missing_go_to_left(self) -> NDArray[np.uint8]:
        """1 where a missing value takes branch 0, else 0."""
        return np.equal(self.missing_branch, 0).astype(np.uint8)

    @property
    def n_node_samples(self) -> Int64:
        """Number of training rows of every node."""
        return self.n_rows

    @property
    def weighted_n_node_samples(self) -> Float64:
        """Weight of the training rows of every node."""
        return self.weight

    @property
    def value(self) -> Float64:
        """Proportions of the classes, or the mean, of shape (n_nodes, 1, n_classes)."""
        return self.shares[:, None, :]

    def compute_feature_importances(self, normalize: bool = True) -> Float64:
        """Sum the gain of each column over all nodes.

        Parameters
        ----------
        normalize : bool
            Whether to divide by the total, so that the sums add up to 1.

        Returns
        -------
        array of float64
            A sum for each column of the training table.
        """
        inner = self.column >= 0
        total = np.zeros(self.n_columns)
        np.add.at(total, self.column[inner], self.gain[inner])
        whole = total.sum() if normalize else 0.0
        return np.divide(total, whole) if whole > 0 else total

    def apply(self, X: Any) -> Intp:
        """Find the leaf of every row.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_rows, n_features)
            Numbers, NaN where a value is missing. float32, which scikit-learn's trees insist on, or any other
            type.

        Returns
        -------
        array of intp
            Numbers of leaves; for a row that reaches several, the heaviest.

        Raises
        ------
        NoCounterpartError
            If the tree splits on categories, or on a column compared as int64: an array of numbers cannot
            hold their values. The estimator's own `apply` takes any table.

        Examples
        --------
        >>> import treewright as tw
        >>> tree = tw.DecisionTreeClassifier().fit([[1], [2], [3]], ["a", "a", "b"]).tree_
        >>> tree.apply(np.array([[1], [3]], dtype=np.float32)).tolist(), tree.compute_node_depths().tolist()
        ([1, 2], [1, 2, 2])
        >>> tree.predict(np.array([[1], [3]])), tree.decision_path(np.array([[1]])).toarray()
        (array([[1., 0.],
               [0., 1.]]), array([[1, 1, 0]]))
        """
        numbers = np.arange(len(self.column), dtype=np.int64)[:, None]
        return self._sent_down(X, numbers)[:, 0].astype(np.intp, copy=False)

    def predict(self, X: Any) -> Float64:
        """Return the value of the leaf of every row: proportions of the classes, or a number.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_rows, n_features)
            As for `apply`.

        Returns
        -------
        array of float64, shape (n_rows, n_classes) or (n_rows, 1)
            A row of `value`; averaged if a row with a missing value reaches several leaves.
        """
        return self._sent_down(X, self.shares)

    def decision_path(self, X: Any) -> "csr_matrix":
        """Find the nodes that every row passes on its way to the leaf that `apply` returns.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_rows, n_features)
            As for `apply`.

        Returns
        -------
        sparse matrix of shape (n_rows, n_nodes)
            1 where a row passes a node.
        """
        from scipy.sparse import csr_matrix

        begin, nodes = self.path_of(self.apply(X))
        ones = np.ones(len(nodes), dtype=np.int64)
        return csr_matrix((ones, nodes, begin), shape=(len(begin) - 1, len(self.column)))

    def compute_node_depths(self) -> Int64:
        """Count the levels down to every node, including the root's, as scikit-learn does: 1 at the root.

        Returns
        -------
        array of int64
            A number for each node.
        """
        return self.depth.astype(np.int64) + 1

    def _sent_down(self, X: Any, of_nodes: Array) -> Array:
        """Return the values of the leaf of every row."""
        instead = "Use the estimator's own predict, apply and decision_path, which take any table."
        why = "tells categories apart, which an array of numbers cannot hold"
        _refuse_any(self, np.diff(self.set_begin) > 0, why, instead)
        why = "compares whole numbers, dates or durations as int64, which an array of floats cannot hold"
        _refuse_any(self, np.isin(self.column, self.integer_columns), why, instead)
        block = np.asarray(X.toarray() if hasattr(X, "toarray") else X)
        if block.ndim != 2 or block.shape[1] != self.n_columns:
            raise TableError(
                f"X has the shape {block.shape}, and the tree asks about {self.n_columns} columns; give an "
                f"array of shape (n_rows, {self.n_columns})."
            )
        block = block if block.dtype in (np.float32, np.float64) else block.astype(np.float64)
        taken = router_of(self).take(block, of_nodes, True, 1)
        if taken is None:
            raise TableError("X holds infinity; give finite numbers, and NaN for missing values.")
        return taken


def thresholds(tree: TreeArrays) -> Float64:
    """Return the thresholds in scikit-learn's form, with NaN if a node splits on categories."""
    whole = np.isin(tree.column, tree.integer_columns) & np.isfinite(tree.cut)
    cut = np.where(whole, tree.cut_integer.astype(np.float64), tree.cut)
    cut = np.where(np.diff(tree.set_begin) > 0, np.nan, cut)
    return np.where(tree.column < 0, float(TREE_UNDEFINED), cut)


def _branch(tree: SklearnNames, branch: int) -> Array:
    inner = tree.column >= 0
    why = "has more than two branches; nodes of scikit-learn's trees have two"
    _refuse_any(tree, inner & (np.diff(tree.child_begin) != 2), why)
    children = np.full(len(tree.column), TREE_LEAF, dtype=np.intp)
    children[inner] = tree.child[tree.child_begin[:-1][inner] + branch]
    return children


def _refuse_any(tree: SklearnNames, bad: Bool, why: str, instead: str = "") -> None:
    if not bad.any():
        return
    node = int(bad.argmax())
    column = int(tree.column[node])
    name = repr(tree.column_names[column]) if tree.column_names else column
    instead = instead or (
        f"Draw the tree with to_dot(), to_text() or plot(); read it with tree_.question({node}) and "
        "tree_.walk(); explain predictions with shapley_values()."
    )
    raise NoCounterpartError(f"node {node}, which asks about column {name}, {why}. {instead}")
