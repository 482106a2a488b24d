"""`DecisionTreeClassifier`: scikit-learn's, exact and with more choices."""

from typing import Any, Literal

from treewright.engines.engine import Engine
from treewright.estimators.base import BaseDecisionTree
from treewright.estimators.classifies import Classifies
from treewright.estimators.costs import costs
from treewright.estimators.parameters import (
    CategoricalSplit,
    ClassCriterion,
    ColumnsDrawn,
    Growth,
    Missing,
    Penalty,
    Splitter,
    criterion_of_classes,
)
from treewright.parts.costs import Costs
from treewright.parts.criteria import Criterion, ScoreFunction


class DecisionTreeClassifier(Classifies, BaseDecisionTree):
    """Grow a tree that answers with a class.

    All parameters of scikit-learn's estimator of the same name, with its defaults and meaning, and some of
    our own.

    Parameters
    ----------
    criterion : str or callable, default="gini"
        Impurity to decrease: ``"gini"``; ``"entropy"``, also called ``"log_loss"``; ``"misclassification"``,
        1 − max p, by which of equally good cuts of a column the one wins whose sides differ least in weight;
        ``"taylor_entropy"``, Σ p ((1 − p) + (1 − p)² / 2). Or a score of splits to increase: ``"twoing"``,
        ``p_L p_R / 4 × (Σ |p(j | L) − p(j | R)|)²``, whose nodes show Gini and whose gain, in importances and
        limits, is that value × node weight / total weight; ``"gain_ratio"``, information gain / entropy of
        the two branches for every cut, whose nodes show entropy and whose gain is that of entropy. It favours
        cuts that take a few rows off the rest, so that a tree without limits may be thousands of levels deep,
        of which a `treewright.errors.DeepTreeWarning` tells; `C45Classifier` guards against that. Or a
        function ``criterion(y, weight, cuts)`` that scores all cuts of a column at once; see
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
        column, then to the lowest cut (by ``"misclassification"``, to the most even one first).
    max_leaf_nodes : int, optional
        Most leaves; the node with the largest gain is opened first.
    min_impurity_decrease : float, default=0.0
        Least node weight / total weight × decrease of impurity of a split.
    class_weight : dict, "balanced" or None, default=None
        Weights by class, multiplied with `sample_weight`. ``"balanced"`` is n_samples / (n_classes × rows of
        the class).
    ccp_alpha : float, default=0.0
        Price of a leaf in cost-complexity pruning; 0 prunes nothing.
    monotonic_cst : array-like of shape (n_features,) or dict, optional
        With which columns the share of the second class may only rise (1), only fall (−1) or do as it likes
        (0): an entry for each column, or by name for some of them. For two classes; columns of categories
        have no order and take none. Shares of nodes are clipped to the bounds that cuts above them set;
        impurities are not.
    min_impurity : float, default=0.0
        A node at or below it is a leaf.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical: texts, booleans, categoricals and enums; none; or those listed by name,
        by index or by a boolean mask, whatever they hold, and no others. What a categorical or an enum
        declares counts, in its order and with categories never seen; otherwise categories are those seen,
        sorted. (polars' categoricals and Arrow's dictionaries without an order declare nothing.)
    categorical_split : {"subset", "multiway", "one-vs-rest"}, default="subset"
        Part the categories in two sets, give each declared one a branch of its own, or part one from all
        others. The best two sets are found with two classes, and with more for up to 12 categories; above
        that the best of many good ones, as the question says (``tree_.question(node).is_exact``). With two
        classes only sets next to each other in order of their class shares are tried, so where a limit on
        leaves forbids the best of all, better ones that it allows may be passed over. The time that a search
        for two sets of many categories takes grows with the square of the number of classes.
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
    prior : dict or array-like of shape (n_classes,), optional
        How often each class is to be expected, by class or in the order of `classes_`; positive, together 1.
        By default as often as in `y`, weights included. A row of class i then counts w · prior / share of the
        class.
    loss : array-like of shape (n_classes, n_classes) or dict of dicts, optional
        What an answer costs: row the true class, column the answer, 0 on the diagonal. It alters the priors
        while the tree is grown (impurities, gains and weights of nodes are those of growing), and the answer
        is the class of least expected loss, of equals the first one. `predict_proba` does not depend on it.
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
    classes_ : array of shape (n_classes,)
        Labels observed, sorted.
    n_classes_ : int
        Their number.
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
    >>> from treewright import DecisionTreeClassifier
    >>> X = {"age": [22, 35, 47, 58, 61], "visits": [1, 4, None, 9, 2]}
    >>> tree = DecisionTreeClassifier(max_depth=2).fit(X, ["no", "no", "yes", "yes", "no"])
    >>> print(tree.to_text())
    5 rows: no 3, yes 2
    ├── visits <= 6.5 → no (100% of 3 rows)
    └── visits > 6.5 or missing → yes (100% of 2 rows)
    >>> tree.predict({"visits": [None, 3], "age": [30, 50]}).tolist()
    ['yes', 'no']
    """

    def __init__(
        self,
        *,
        criterion: ClassCriterion | ScoreFunction = "gini",
        splitter: Splitter = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | ColumnsDrawn | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        min_impurity: float = 0.0,
        categorical_features: Any = "from_dtype",
        categorical_split: CategoricalSplit = "subset",
        missing: Missing = "learned",
        missing_penalty: Penalty | None = "linear",
        growth: Growth = "depth",
        prior: Any = None,
        loss: Any = None,
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
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.min_impurity = min_impurity
        self.categorical_features = categorical_features
        self.categorical_split = categorical_split
        self.missing = missing
        self.missing_penalty = missing_penalty
        self.growth = growth
        self.prior = prior
        self.loss = loss
        self.keep_ledger = keep_ledger
        self.n_jobs = n_jobs
        self.engine = engine
        self.verbose = verbose

    def _criterion(self) -> Criterion:
        return criterion_of_classes(self.criterion)

    def _costs(self, target: Any) -> Costs:
        return costs(self.prior, self.loss, target.labels.tolist())
