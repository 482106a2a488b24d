r"""Exact Shapley values of the columns, for one row and any kind of question.

The players of the game are the columns. Let S be a set of them. A walk starts at the root with the whole row.
At a node, what happens depends on the column that *decides there for this row*:

- If it is in S, the row goes on as in prediction: down one branch or, where its value is missing and such
  rows take every branch, down all of them in fractions.
- If it is not in S, the row goes down every branch in proportion to the branches' training weights.

v(S) is the mean prediction of the leaves, weighted by the fractions of the row that reach them; v(all
columns) is the prediction and v(none) the expected value. The column that decides is that of the split,
unless its value is missing and a surrogate decides: then it is the surrogate's. For numeric columns without
missing values this is the game that the ``shap`` package calls "tree_path_dependent".

The fractions multiply along a path, so a leaf's part in v(S) is the product of O_j over the columns of its
path in S and of Z_j over the others, where O_j and Z_j are what the steps decided by column j leave of the
row if j is in S and if it is not. For such a product the Shapley value of column i is

.. math:: (O_i - Z_i) \int_0^1 \prod_{j \ne i} \bigl(t\,O_j + (1 - t)\,Z_j\bigr)\,dt,

because :math:`\int t^s (1 - t)^{d - 1 - s} dt = s!\,(d - 1 - s)! / d!` is the weight of a coalition of s
among d columns. The integrand is a polynomial, so Gauss-Legendre quadrature with d / 2 points is exact. The
work is the number of leaves times the square of the depth, and no terms cancel.

References
----------
Shapley (1953), A value for n-person games. Lundberg, Erion, Chen, DeGrave, Prutkin, Nair, Katz, Himmelfarb,
Bansal, Lee (2020), From local explanations to global understanding with explainable AI for trees.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.model.model import Model
from treewright.model.routing import Decisions, branch_shares, decide
from treewright.model.tree import Tree

_AT_ONCE = 1 << 18  # steps of paths times points, so that what is looked at stays in the cache


def expected_value(tree: Tree, outcomes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the mean prediction of the leaves, weighted by their training weights.

    Parameters
    ----------
    tree : Tree
        The tree.
    outcomes : array of shape (n_nodes, n_outcomes)
        Prediction of each node.

    Returns
    -------
    array of shape (n_outcomes,)
    """
    reach = branch_shares(tree).copy()
    for level in tree.levels[1:]:
        reach[level] *= reach[tree.parent[level]]
    leaves = tree.column < 0
    return np.asarray((reach[leaves, None] * outcomes[leaves]).sum(axis=0))


class ShapleyGame:
    """The game of one tree, for any number of rows.

    Parameters
    ----------
    tree : Tree
        The tree.
    outcomes : array of shape (n_nodes, n_outcomes)
        Prediction of each node: probabilities, or a number.
    """

    def __init__(self, tree: Tree, outcomes: NDArray[np.float64]) -> None:
        self._tree = tree
        self._outcomes = outcomes
        self._without = branch_shares(tree)
        leaves = np.flatnonzero(tree.column < 0)
        n_points = max(1, (min(tree.max_depth, tree.n_columns) + 1) // 2)
        at_once = max(1, _AT_ONCE // (n_points * max(1, tree.max_depth)))
        self._parts = [_Paths.to(tree, leaves[at : at + at_once]) for at in range(0, len(leaves), at_once)]
        points, weights = np.polynomial.legendre.leggauss(n_points)
        self._points, self._weights = (points + 1) / 2, weights / 2
        # Without surrogates the same columns decide for every row.
        self._groups = None if len(tree.surrogates) else [part.groups(tree.column) for part in self._parts]

    def values(self, decisions: Decisions) -> NDArray[np.float64]:
        """Give the Shapley values of every column for one row.

        Parameters
        ----------
        decisions : Decisions
            The decisions of the nodes for the row.

        Returns
        -------
        array of shape (n_columns, n_outcomes)
            They add up to the prediction less `expected_value`.
        """
        values = np.zeros((self._tree.n_columns, self._outcomes.shape[1]))
        if not self._tree.max_depth:
            return values
        groups = self._groups or [part.groups(decisions.column) for part in self._parts]
        for part, (order, begin, leaf, column, leaf_begin) in zip(self._parts, groups, strict=True):
            with_it, without = (
                np.multiply.reduceat(of[part.nodes[order]], begin) for of in (decisions.share, self._without)
            )
            mixed = with_it[:, None] * self._points + without[:, None] * (1 - self._points)
            whole = np.multiply.reduceat(mixed, leaf_begin, axis=0)[leaf]
            # Zero at every point: the row never goes there, with or without the column; no credit is due.
            others = np.divide(whole, mixed, out=np.zeros_like(mixed), where=mixed > 0)
            amount = (with_it - without) * (others @ self._weights)
            np.add.at(values, column, amount[:, None] * self._outcomes[part.leaves[leaf]])
        return values


@dataclass(frozen=True, slots=True)
class _Paths:
    """The paths from the root to some leaves, one after the other."""

    tree: Tree
    leaves: NDArray[np.intp]
    leaf: NDArray[np.intp]  # of each step, as a position in `leaves`
    nodes: NDArray[np.int64]  # the node that each step leads to

    @classmethod
    def to(cls, tree: Tree, leaves: NDArray[np.intp]) -> "_Paths":
        begin, nodes = tree.path_of(leaves)
        leaf = np.repeat(np.arange(len(leaves)), np.diff(begin))
        steps = nodes > 0  # no step leads to the root
        return cls(tree, leaves, leaf[steps], nodes[steps])

    def groups(self, decides: NDArray[np.int32]) -> tuple[NDArray[np.intp], ...]:
        """Group the steps by leaf and deciding column.

        Returns
        -------
        order : array
            Of the steps, so that groups are contiguous.
        begin, leaf, column : arrays
            The first step of each group, its leaf and its column.
        leaf_begin : array
            The first group of each leaf.
        """
        key = self.leaf * self.tree.n_columns + decides[self.tree.parent[self.nodes]]
        order = np.argsort(key, kind="stable")
        found, begin = np.unique(key[order], return_index=True)
        leaf, column = np.divmod(found, self.tree.n_columns)
        return order, begin, leaf, column, np.searchsorted(leaf, np.arange(len(self.leaves)))


def shapley_values(model: Model, data: object) -> NDArray[np.float64]:
    """Give the Shapley values of every column for every row of a table.

    Parameters
    ----------
    model : Model
        The model.
    data : table
        Any table that a model takes.

    Returns
    -------
    array of shape (n_rows, n_columns), or (n_rows, n_columns, n_classes) for probabilities
    """
    tree, codes = model.tree, model.codes(data)
    game = ShapleyGame(tree, tree.probabilities)
    n_rows = len(codes[0]) if codes else 0
    values = np.zeros((n_rows, tree.n_columns, tree.outcome.shape[1]))
    for row in range(n_rows):
        values[row] = game.values(decide(tree, codes, row))
    return values if tree.is_classifier else values[:, :, 0]
