"""`DecisionTreeClassifier`: scikit-learn's, exact and with more choices."""

from typing import Any

from treewright.estimators.classifies import Classifies
from treewright.estimators.decision_tree import BaseDecisionTree
from treewright.estimators.parameters import parameter, read_criterion, with_constructor
from treewright.parts.criteria import ClassCriterion, ScoreFunction


@with_constructor
class DecisionTreeClassifier(Classifies, BaseDecisionTree):
    """Grow a decision tree that predicts a class.

    All parameters of scikit-learn's estimator of the same name, with its defaults and meaning, and more.

    Parameters
    ----------
    criterion : str or callable, default="gini"
        Impurity to decrease: ``"gini"``; ``"entropy"``, also called ``"log_loss"``; ``"misclassification"``,
        1 − max p, where the cut whose sides differ least in weight wins among equally good cuts of a column;
        ``"taylor_entropy"``, Σ p ((1 − p) + (1 − p)² / 2). Or a score of splits to increase: ``"twoing"``,
        ``p_L p_R / 4 × (Σ |p(j | L) − p(j | R)|)²``, whose nodes show Gini and whose gain, in importances and
        limits, is that value × node weight / total weight; ``"gain_ratio"``, information gain / entropy of
        the two branches for every cut, whose nodes show entropy and whose gain is that of entropy. It favours
        cuts that split off a few rows, so a tree without limits may be thousands of levels deep, which a
        `treewright.DeepTreeWarning` reports; `C45Classifier` guards against that. Or a function
        ``criterion(y, weight, cuts)`` that scores all cuts of a column at once; see
        `treewright.parts.criteria.FunctionCriterion`.
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
        first column, then to the lowest cut (for ``"misclassification"``, to the most even cut first).
    max_leaf_nodes : int, optional
        Largest number of leaves; the node with the largest gain is split first.
    min_impurity_decrease : float, default=0.0
        Smallest node weight / total weight × decrease of impurity of a split.
    ccp_alpha : float, default=0.0
        Price of a leaf in cost-complexity pruning; 0 prunes nothing.
    monotonic_cst : array-like of shape (n_features,) or dict, optional
        Direction in which the probability of the second class depends on each column: increasing (1),
        decreasing (−1) or unconstrained (0); one entry for each column, or a dict by name for some of them.
        For two classes; categorical columns have no order and cannot be constrained. The probabilities of
        nodes are clipped to the bounds set by the cuts above them; impurities are not.
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
        category from all others. The best two sets are found for two classes, and for more classes with up to
        12 categories; with more categories, the best of many good ones is used, and the question says so
        (``tree_.question(node).is_exact``). For two classes only sets of neighbours in the order of class
        proportions are tried, so if a limit on leaves forbids the best of them, better sets that it allows
        may be missed. The search for two sets of many categories takes time that grows with the square of the
        number of classes.
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
        All choices at once, see `treewright.Recipe`. It decides everything but `class_weight`,
        `categorical_features`, `keep_ledger`, `on_identifier`, `n_jobs`, `engine` and `verbose`; leave the
        other parameters at their defaults.
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
    class_weight : dict, "balanced" or None, default=None
        Weights by class, multiplied by `sample_weight`. ``"balanced"`` is n_samples / (n_classes × rows of
        the class).
    prior : dict or array-like of shape (n_classes,), optional
        Expected frequency of each class, by class or in the order of `classes_`; positive numbers that add up
        to 1. By default the frequencies in `y`, weights included. With a prior, a row of class i counts w ·
        prior / frequency of the class.
    loss : array-like of shape (n_classes, n_classes) or dict of dicts, optional
        Cost of each prediction: true class by row, predicted class by column, 0 on the diagonal. It changes
        the priors while the tree is grown (impurities, gains and node weights are those of growing), and the
        prediction is the class of lowest expected loss, the first one on ties. `predict_proba` does not
        depend on it.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        Class labels that occur, sorted.
    n_classes_ : int
        Number of classes.
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
    CARTClassifier : The same with surrogates, and pruned by cross-validation.
    C45Classifier : Quinlan's C4.5.
    ID3Classifier : Quinlan's ID3.
    DecisionTreeRegressor : A tree that predicts a number.

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

    criterion: ClassCriterion | ScoreFunction = parameter("gini", read_criterion, "criterion", of="classes")
    class_weight: Any = None
    prior: Any = parameter(None, seam="costs")
    loss: Any = parameter(None, seam="costs")
