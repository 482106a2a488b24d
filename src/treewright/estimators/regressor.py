"""`DecisionTreeRegressor`: scikit-learn's, exact and with more choices."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.estimators import parameters as chosen
from treewright.estimators.decision_tree import BaseDecisionTree
from treewright.estimators.parameters import choice, parameter, with_constructor
from treewright.estimators.sklearn_base import RegressorMixin
from treewright.parts.criteria import NumberCriterion, ScoreFunction
from treewright.table.read import Raw
from treewright.table.target import read_numbers


@with_constructor
class DecisionTreeRegressor(RegressorMixin, BaseDecisionTree):
    """Grow a decision tree that predicts a number.

    All parameters of scikit-learn's estimator of the same name, with its defaults and meaning, and more.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson"} or callable, default="squared_error"
        Impurity to decrease: the mean squared distance from the mean, the mean distance from the median, or
        half the mean Poisson deviance, Σ w y ln(y / mean) / Σ w, for targets of at least 0.
        ``"friedman_mse"`` is a deprecated name of ``"squared_error"``. Or a function ``criterion(y, weight,
        cuts)`` that scores all cuts of a column at once; see `treewright.parts.criteria.FunctionCriterion`.
    splitter : {"best", "random"}, default="best"
        Try every cut of a column, or one drawn uniformly between its smallest and largest value.
    max_depth : int, optional
        Largest number of edges from the root to a leaf.
    min_samples_split : int or float, default=2
        Rows that a node needs to be split; a fraction is a fraction of all rows, rounded up.
    min_samples_leaf : int or float, default=1
        Rows that each branch needs; a fraction is a fraction of all rows, rounded up.
    min_weight_fraction_leaf : float, default=0.0
        Fraction of the total weight that each branch needs.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Number of columns drawn at random for each node; a fraction is a fraction of all columns.
    random_state : int, RandomState or None, default=None
        Seed of all random draws. With ``splitter="best"`` and all columns nothing is drawn: ties go to the
        first column, then to the lowest cut.
    max_leaf_nodes : int, optional
        Largest number of leaves; the node with the largest gain is split first.
    min_impurity_decrease : float, default=0.0
        Smallest node weight / total weight × decrease of impurity of a split.
    ccp_alpha : float, default=0.0
        Price of a leaf in cost-complexity pruning; 0 prunes nothing.
    monotonic_cst : array-like of shape (n_features,) or dict, optional
        Direction in which predictions depend on each column: increasing (1), decreasing (−1) or unconstrained
        (0); one entry for each column, or a dict by name for some of them. Categorical columns have no order
        and cannot be constrained. The predictions of nodes are clipped to the bounds set by the cuts above
        them; impurities are not. Needs the `leaf_value` that suits the criterion.
    min_impurity : float, default=0.0
        A node with at most this impurity is a leaf.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical: strings, booleans, categoricals and enums; none; or exactly those
        listed by name, by index or by a boolean mask, whatever they contain. The categories that a
        categorical or an enum declares are used in its order, including those that do not occur; otherwise
        the categories are those that occur, sorted. Categoricals in polars and unordered dictionaries in
        Arrow declare nothing.
    categorical_split : {"subset", "multiway", "one-vs-rest"}, default="subset"
        Split the categories into two sets, give each declared category its own branch, or separate one
        category from all others. The best two sets are neighbours in the order of the mean target, and only
        such sets are tried: if a limit on leaves forbids the best of them, better sets that it allows may be
        missed. The question says so (``tree_.question(node).is_exact``).
    missing : {"learned", "majority", "surrogate", "spread", "branch", "refuse"}, default="learned"
        What to do with missing values. ``"learned"`` tries the rows on both sides of every cut and keeps the
        better one. The next three score cuts without these rows: ``"majority"`` then sends them to the
        heavier branch, ``"surrogate"`` to the branch that the surrogate which agrees best with the cut
        chooses, ``"spread"`` down every branch with a fraction of their weight. ``"branch"`` gives them a
        branch of their own, and ``"refuse"`` raises an error. A row that is spread may reach many leaves: if
        many values are missing, set `min_weight_fraction_leaf` or limit the depth, or the tree grows very
        large.
    missing_penalty : {"linear", "quadratic"} or None, default="linear"
        For ``missing="spread"``: the gain of a column is multiplied by 1 − γ, 1 − γ² or 1, where γ is the
        fraction of the weight whose value is missing.
    growth : {"depth", "best", "breadth"}, default="depth"
        Which node to split next. `max_leaf_nodes` implies ``"best"``.
    recipe : Recipe, optional
        All choices at once, see `treewright.Recipe`. It decides everything but `categorical_features`,
        `keep_ledger`, `on_identifier`, `n_jobs`, `engine` and `verbose`; leave the other parameters at their
        defaults.
    keep_ledger : bool, default=False
        Whether to keep, in `ledger_`, the candidate of every column at every node and why it lost. The tree
        is the same either way.
    on_identifier : {"warn", "drop", "ignore", "raise"}, default="warn"
        What to do about a categorical column that identifies rows: nearly every row has its own. Warn with
        a `treewright.IdentifierWarning`; leave it out of the tree (it still counts in `n_features_in_`, and
        at prediction it may hold anything or be absent); use it like any other; or raise an error.
    n_jobs : int, optional
        Number of threads. None uses the number that joblib's context sets, or else all cores that the process
        may use; inside a joblib worker, the number that joblib leaves it. −1 uses all cores. (In
        scikit-learn, ``None`` means 1.) The tree is the same for any number of threads.
    engine : {None, "local"} or Engine, default=None
        Where rows are counted.
    verbose : int, default=0
        1 writes the progress of long fits to standard error; 2 also how the tree was grown: the engine, the
        number of threads, and how many list entries were sorted, scanned and moved.
    leaf_value : {None, "mean", "median"}, default=None
        Prediction of a leaf: the mean or the median of its targets. None is the median for
        ``criterion="absolute_error"`` and the mean otherwise, as in scikit-learn. It changes predictions
        only: splits, impurities and pruning follow the criterion.

    Attributes
    ----------
    tree_ : treewright.Tree
        The tree, with scikit-learn's array names and `node(i)` and `walk()`.
    model_ : treewright.Model
        The tree together with the schema of its table.
    ledger_ : treewright.Ledger
        The candidate of every column at every node, with ``keep_ledger=True``.
    feature_importances_ : array of shape (n_features,)
        Fraction of the total decrease of impurity that each column contributes.
    n_features_in_ : int
        Number of columns of the training table.
    feature_names_in_ : array of shape (n_features,)
        Their names, if all of them are strings.
    max_features_ : int
        Number of columns drawn for each node.
    n_outputs_ : int
        Number of targets: always 1.

    See Also
    --------
    CARTRegressor : The same with surrogates, and pruned by cross-validation.
    DecisionTreeClassifier : A tree that predicts a class.

    Notes
    -----
    Values are compared exactly, in float64 or int64; scikit-learn casts them to float32 and treats values
    within 1e-7 as equal. The tree is the same, bit for bit, for any number of threads, order of rows,
    container and memory layout.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees.

    Examples
    --------
    >>> from treewright import DecisionTreeRegressor
    >>> X = [[1.0], [2.0], [3.0], [4.0]]
    >>> tree = DecisionTreeRegressor(max_depth=1).fit(X, [1.0, 1.0, 5.0, 7.0])
    >>> tree.predict([[1.5], [9.0]])
    array([1., 6.])
    """

    criterion: NumberCriterion | ScoreFunction = parameter(
        "squared_error", chosen.read_criterion, "criterion", of="numbers"
    )
    leaf_value: chosen.LeafWord | None = parameter(None, choice, "leaf_value", of=chosen.LEAF_VALUES)

    def _read_target(self, raw: Raw) -> NDArray[np.float64]:
        return read_numbers(raw)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Measure the coefficient of determination R² of the predictions.

        Parameters
        ----------
        X : table
            As for `predict`.
        y : array-like of shape (n_samples,), or str
            The true numbers, or the name of a column of `X`.
        sample_weight : array-like of shape (n_samples,), optional
            A weight for each row.

        Returns
        -------
        float
            At most 1; 0 for predictions as good as the mean of `y`.
        """
        X, y = self._named_target(X, y)
        return float(super().score(X, y, sample_weight))
