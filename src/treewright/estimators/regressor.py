"""`DecisionTreeRegressor`: scikit-learn's, exact and with more choices."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from treewright.engines.engine import Engine
from treewright.estimators.base import BaseDecisionTree
from treewright.estimators.fitted import FittedState
from treewright.estimators.parameters import (
    CategoricalSplit,
    ColumnsDrawn,
    Growth,
    LeafWord,
    Missing,
    NumberCriterion,
    Penalty,
    Splitter,
    criterion_of_numbers,
)
from treewright.model.plain import Plain
from treewright.parts.criteria import Criterion, ScoreFunction
from treewright.table.read import Raw, Table
from treewright.table.target import read_numbers


class DecisionTreeRegressor(RegressorMixin, BaseDecisionTree):  # type: ignore[misc]  # as BaseDecisionTree
    """Grow a tree that answers with a number.

    All parameters of scikit-learn's estimator of the same name, with its defaults and meaning, and some of
    our own.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson"} or callable, default="squared_error"
        Impurity to decrease: the mean squared distance from the mean, the mean distance from the median, or
        half the mean Poisson deviance, Σ w y ln(y / mean) / Σ w, for targets of at least 0.
        ``"friedman_mse"`` is a deprecated name of ``"squared_error"``. Or a function
        ``criterion(y, weight, cuts)`` that scores all cuts of a column at once; see
        `treewright.parts.criteria.FunctionCriterion`.
    splitter : {"best", "random"}, default="best"
        Try every cut of a column, or one drawn uniformly between its least and greatest value.
    max_depth : int, optional
        Edges from the root to the deepest leaf.
    min_samples_split : int or float, default=2
        Rows a node needs before it may be split; a fraction is a share of all rows, rounded up.
    min_samples_leaf : int or float, default=1
        Rows each branch must keep; a fraction is a share of all rows, rounded up.
    min_weight_fraction_leaf : float, default=0.0
        Share of the total weight that each branch must keep.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Columns drawn at random for each node; a fraction is a share of all columns.
    random_state : int, RandomState or None, default=None
        Seed of whatever is drawn. With ``splitter="best"`` and all columns nothing is: ties go to the first
        column, then to the lowest cut.
    max_leaf_nodes : int, optional
        Most leaves; the node with the largest gain is opened first.
    min_impurity_decrease : float, default=0.0
        Least node weight / total weight × decrease of impurity of a split.
    ccp_alpha : float, default=0.0
        Price of a leaf in cost-complexity pruning; 0 prunes nothing.
    monotonic_cst : array-like of shape (n_features,) or dict, optional
        With which columns answers may only rise (1), only fall (−1) or do as they like (0): an entry for each
        column, or by name for some of them. Columns of categories have no order and take none. Answers of
        nodes are clipped to the bounds that cuts above them set; impurities are not. Needs the `leaf_value`
        that suits the criterion.
    min_impurity : float, default=0.0
        A node at or below it is a leaf.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical: texts, booleans, categoricals and enums; none; or those listed by name,
        by index or by a boolean mask, whatever they hold, and no others. What a categorical or an enum
        declares counts, in its order and with categories never seen; otherwise categories are those seen,
        sorted. (polars' categoricals and Arrow's dictionaries without an order declare nothing.)
    categorical_split : {"subset", "multiway", "one-vs-rest"}, default="subset"
        Part the categories in two sets, give each declared one a branch of its own, or part one from all
        others. The best two sets are next to each other in order of the mean target, and only such are
        tried: where a limit on leaves forbids the best of all, better ones that it allows may be passed over.
        The question says so (``tree_.question(node).is_exact``).
    missing : {"learned", "majority", "surrogate", "spread", "branch", "refuse"}, default="learned"
        What to do with rows without a value: try them on both sides of every cut and keep the better one;
        judge cuts without them and send them where most of the weight goes, or where the surrogate goes that
        agrees best with the cut, or down every branch with a share of their weight; give them a branch of
        their own; refuse them. A row that is spread may end up in many leaves: where there are many gaps, let
        leaves weigh something (`min_weight_fraction_leaf`) or limit the depth, or the tree grows very large.
    missing_penalty : {"linear", "quadratic"} or None, default="linear"
        With ``missing="spread"``: what the gain of a column is multiplied by where γ of the weight has no
        value, 1 − γ, 1 − γ² or 1.
    growth : {"depth", "best", "breadth"}, default="depth"
        Which node to open next. ``"best"`` is implied by `max_leaf_nodes`.
    leaf_value : {None, "mean", "median"}, default=None
        What a leaf answers: the mean or the median of its targets. None is the median with
        ``criterion="absolute_error"`` and the mean otherwise, as in scikit-learn. It changes answers only:
        splits, impurities and pruning stay those of the criterion.
    keep_ledger : bool, default=False
        Whether `ledger_` keeps what every column offered at every node, and why it did not win. The tree is
        the same either way.
    n_jobs : int, optional
        Threads. None: what joblib's context says, without one all cores the process may use, and inside a
        joblib worker what joblib leaves it; −1: all cores. (scikit-learn's own ``None`` means 1.) The tree is
        the same for any number of them.
    engine : {None, "local"} or Engine, default=None
        Where rows are counted.
    verbose : int, default=0
        1 writes to standard error how far long fits are, then how the tree was grown: which way was taken,
        on how many threads, and how many entries of lists were sorted, scanned and moved.

    Attributes
    ----------
    tree_ : treewright.model.tree.Tree
        The tree, with scikit-learn's array names and our own `node(i)` and `walk()`.
    model_ : treewright.model.model.Model
        The tree together with what it remembers of the table.
    feature_importances_ : array of shape (n_features,)
        Share of each column in the total decrease of impurity.
    n_features_in_ : int
        Columns of the training table.
    feature_names_in_ : array of shape (n_features,)
        Their names, where all of them are texts.
    max_features_ : int
        Columns drawn for each node.
    n_outputs_ : int
        1.

    Notes
    -----
    Values are compared exactly, in float64 or int64; scikit-learn casts them to float32 and takes values
    within 1e-7 for equal. The tree is the same bit for bit for any number of threads, order of rows,
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

    def __init__(
        self,
        *,
        criterion: NumberCriterion | ScoreFunction = "squared_error",
        splitter: Splitter = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | ColumnsDrawn | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        min_impurity: float = 0.0,
        categorical_features: Any = "from_dtype",
        categorical_split: CategoricalSplit = "subset",
        missing: Missing = "learned",
        missing_penalty: Penalty | None = "linear",
        growth: Growth = "depth",
        leaf_value: LeafWord | None = None,
        keep_ledger: bool = False,
        n_jobs: int | None = None,
        engine: Engine | Literal["local"] | None = None,
        verbose: int = 0,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.min_impurity = min_impurity
        self.categorical_features = categorical_features
        self.categorical_split = categorical_split
        self.missing = missing
        self.missing_penalty = missing_penalty
        self.growth = growth
        self.leaf_value = leaf_value
        self.keep_ledger = keep_ledger
        self.n_jobs = n_jobs
        self.engine = engine
        self.verbose = verbose

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Give the coefficient of determination R² of the predictions.

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
        """
        X, y = self._named_target(X, y)
        return float(super().score(X, y, sample_weight))

    def _criterion(self) -> Criterion:
        return criterion_of_numbers(self.criterion)

    def _read_target(self, raw: Raw) -> NDArray[np.float64]:
        return read_numbers(raw)

    def _weigh(self, target: Any, weights: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
        return weights

    def _answers(self, rows: Table | Plain, state: FittedState) -> NDArray[Any]:
        return state.model.numbers(rows, self._n_threads(rows))
