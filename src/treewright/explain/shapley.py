r"""Exact Shapley values of the columns, for one row and any kind of question.

The players of the game are the columns. Let S be a set of them. A walk starts at the root with the whole row.
What happens at a node depends on the column that *decides there for this row*:

- If it is in S, the row goes on as in prediction: down one branch or, if its value is missing and such rows
  take every branch, down all branches in fractions.
- If it is not in S, the row goes down every branch in proportion to the branches' training weights.

v(S) is the mean prediction of the leaves, weighted by the fractions of the row that reach them; v(all
columns) is the prediction and v(none) the expected value. The column that decides is that of the split,
unless its value is missing and a surrogate decides: then it is the surrogate's. For numeric columns without
missing values this is the game that the ``shap`` package calls "tree_path_dependent".

The fractions multiply along a path, so a leaf's part in v(S) is the product of O_j over the columns of its
path in S and of Z_j over the others, where O_j and Z_j are the fractions of the row that the steps decided by
column j let through if j is in S and if it is not. For such a product the Shapley value of column i is

.. math:: (O_i - Z_i) \int_0^1 \prod_{j \ne i} \bigl(t\,O_j + (1 - t)\,Z_j\bigr)\,dt,

because :math:`\int t^s (1 - t)^{d - 1 - s} dt = s!\,(d - 1 - s)! / d!` is the weight of a coalition of s
among d columns. The integrand is a polynomial, so Gauss-Legendre quadrature with d / 2 points is exact. All
leaves below a step share its factors, so the core does every point in one walk over the tree
(`cpp/treewright/predict/shapley_values.cpp`): the work is the number of nodes times d / 2, and d is at most
the number of columns, however deep the tree.

References
----------
Shapley (1953), A value for n-person games. Lundberg, Erion, Chen, DeGrave, Prutkin, Nair, Katz, Himmelfarb,
Bansal, Lee (2020), From local explanations to global understanding with explainable AI for trees.
"""

import numpy as np
from numpy.typing import NDArray

from treewright.model.model import Model
from treewright.model.records import Array
from treewright.model.routing import branch_shares, refuse_rows_that_stop
from treewright.model.tree import Tree
from treewright.model.tree_arrays import router_of


def expected_value(tree: Tree, outcomes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean prediction of the leaves, weighted by their training weights.

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


def values_of(tree: Tree, codes: list[Array], n_threads: int = 1) -> NDArray[np.float64]:
    """Return the Shapley values of every column for rows that are read and encoded.

    Parameters
    ----------
    tree : Tree
        The tree.
    codes : list of arrays
        The encoded columns of a table.
    n_threads : int
        Number of threads.

    Returns
    -------
    array of shape (n_rows, n_columns, n_outcomes)
        The values of a row add up to its prediction minus `expected_value`.
    """
    refuse_rows_that_stop(tree)
    points, weights = np.polynomial.legendre.leggauss((min(tree.max_depth, tree.n_columns) + 1) // 2 or 1)
    return router_of(tree).shapley_values(codes, tree.probabilities, (points + 1) / 2, weights / 2, n_threads)


def shapley_values(model: Model, data: object, n_threads: int = 1) -> NDArray[np.float64]:
    """Return the Shapley values of every column for every row of a table.

    Parameters
    ----------
    model : Model
        The model.
    data : table
        Any table that a model takes.
    n_threads : int
        Number of threads.

    Returns
    -------
    array of shape (n_rows, n_columns), or (n_rows, n_columns, n_classes) for probabilities
    """
    values = values_of(model.tree, model.codes(data), n_threads)
    return values if model.tree.is_classifier else values[:, :, 0]
