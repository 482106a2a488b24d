"""CART under its own name: estimators with other defaults, which prune by cross-validation."""

from typing import Any

from treewright.estimators.classifier import DecisionTreeClassifier
from treewright.estimators.parameters import Missing, choice, parameter, with_constructor
from treewright.estimators.regressor import DecisionTreeRegressor
from treewright.parts.bounds import whole
from treewright.parts.pruners import RISKS, RULES, Risk, Rule


@with_constructor
class CARTClassifier(DecisionTreeClassifier):
    """Grow a tree that predicts a class, as Breiman, Friedman, Olshen and Stone do.

    `DecisionTreeClassifier` with other defaults: surrogates for missing values, cost-complexity pruning by
    cross-validation and the rule of one standard error; categories are split into two sets.

    The tree is grown large; its weakest links then give a nested sequence of subtrees down to the root, and
    cross-validation chooses one of them. They are listed in `pruning_table_` and drawn by `plot_pruning`; the
    tree as grown stays in ``model_.grown``, where `prune` starts from.

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
        Lowest price of a leaf, in units of risk: links that are not worth it are cut in any case.
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
    missing : {"learned", "majority", "surrogate", "spread", "branch", "refuse"}, default="surrogate"
        What to do with missing values. ``"learned"`` tries the rows on both sides of every cut and keeps the
        better one. The next three score cuts without these rows: ``"majority"`` then sends them to the
        heavier branch, ``"surrogate"`` to the branch that the surrogate which agrees best with the cut
        chooses, ``"spread"`` down every branch with a fraction of their weight. ``"branch"`` gives them a
        branch of their own, and ``"refuse"`` raises an error. A row that is spread may reach many leaves: if
        many values are missing, set `min_weight_fraction_leaf` or limit the depth, or the tree grows very
        large. See `tree_.node(i).surrogates` for the surrogates of a node.
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
    max_surrogates : int, default=5
        Number of surrogates kept at each node. If all their values are missing too, the row takes the heavier
        branch.
    pruning : {"1-se", "min", None}, default="1-se"
        Keep the smallest tree within one standard error of the lowest cross-validated risk, the tree of
        lowest risk, or the tree as grown. The method `prune` prunes the fitted tree by other rules. Version
        0.1 called the parameter ``prune``; that name is still accepted, with a `FutureWarning`.
    cv : int, splitter or array-like of groups, default=10
        Folds of the cross-validation: their number, in which case rows are assigned to folds class by class
        and by their values, so that their order does not count, or as `random_state` says; a scikit-learn
        splitter that holds each row out at most once; or the fold of every row.
    risk : {"error", "impurity", "loss"}, default="error"
        What pruning weighs against the number of leaves: errors, impurity, or the `loss` of errors. With
        errors and losses, links are measured as in rpart, and the pruning table is the one of rpart; with
        impurity they are measured as in scikit-learn, and every subtree is the best one at its price.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        Class labels that occur, sorted.
    n_classes_ : int
        Number of classes.
    tree_ : treewright.Tree
        The tree, with scikit-learn's array names and `node(i)` and `walk()`.
    model_ : treewright.Model
        The tree together with the schema of its table, and the tree before pruning.
    pruning_table_ : treewright.PruningTable
        The nested trees that pruning chose from, and the cost of each on held-out rows.
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
    DecisionTreeClassifier : The same without cross-validation.
    CARTRegressor : A tree that predicts a number.
    compare_pruning : Compare the rules to prune by.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> X = {"outlook": ["sunny", "rain", "rain", "overcast"] * 5, "humidity": [90, 70, 80, 75] * 5}
    >>> tree = CARTClassifier().fit(X, ["no", "yes", "yes", "yes"] * 5)
    >>> print(tree.to_text())
    20 rows: yes 15, no 5
    ├── outlook in {overcast, rain} → yes (100% of 15 rows)
    └── outlook = sunny → no (100% of 5 rows)
    >>> print(tree.pruning_table_)
    complexity  leaves  relative error  cross-validated  standard error
      1.000000       1          1.0000           1.0000          0.3873
      0.000000       2          0.0000           0.0000          0.0000  ← chosen
    """

    missing: Missing = "surrogate"
    max_surrogates: int = parameter(5, whole, "missing", at_least=0)
    pruning: Rule | None = parameter("1-se", choice, "pruner", of=(*RULES, None))
    cv: Any = parameter(10, seam="pruner")
    risk: Risk = parameter("error", choice, "pruner", of=RISKS)


@with_constructor
class CARTRegressor(DecisionTreeRegressor):
    """Grow a tree that predicts a number, as Breiman, Friedman, Olshen and Stone do.

    `DecisionTreeRegressor` with other defaults: surrogates for missing values, cost-complexity pruning by
    cross-validation and the rule of one standard error; categories are split into two sets.

    The tree is grown large; its weakest links then give a nested sequence of subtrees down to the root, and
    cross-validation chooses one of them. They are listed in `pruning_table_` and drawn by `plot_pruning`; the
    tree as grown stays in ``model_.grown``, where `prune` starts from.

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
        Lowest price of a leaf, in units of risk: links that are not worth it are cut in any case.
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
    missing : {"learned", "majority", "surrogate", "spread", "branch", "refuse"}, default="surrogate"
        What to do with missing values. ``"learned"`` tries the rows on both sides of every cut and keeps the
        better one. The next three score cuts without these rows: ``"majority"`` then sends them to the
        heavier branch, ``"surrogate"`` to the branch that the surrogate which agrees best with the cut
        chooses, ``"spread"`` down every branch with a fraction of their weight. ``"branch"`` gives them a
        branch of their own, and ``"refuse"`` raises an error. A row that is spread may reach many leaves: if
        many values are missing, set `min_weight_fraction_leaf` or limit the depth, or the tree grows very
        large. See `tree_.node(i).surrogates` for the surrogates of a node.
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
    max_surrogates : int, default=5
        Number of surrogates kept at each node. If all their values are missing too, the row takes the heavier
        branch.
    pruning : {"1-se", "min", None}, default="1-se"
        Keep the smallest tree within one standard error of the lowest cross-validated risk, the tree of
        lowest risk, or the tree as grown. The method `prune` prunes the fitted tree by other rules. Version
        0.1 called the parameter ``prune``; that name is still accepted, with a `FutureWarning`.
    cv : int, splitter or array-like of groups, default=10
        Folds of the cross-validation: their number, in which case rows are assigned to folds by their values,
        so that their order does not count, or as `random_state` says; a scikit-learn splitter that holds each
        row out at most once; or the fold of every row.
    risk : {"error", "impurity"}, default="error"
        What pruning weighs against the number of leaves. Both are the impurity; with ``"error"`` links are
        measured as in rpart, and the pruning table is the one of rpart; with ``"impurity"`` they are measured
        as in scikit-learn, and every subtree is the best one at its price.

    Attributes
    ----------
    tree_ : treewright.Tree
        The tree, with scikit-learn's array names and `node(i)` and `walk()`.
    model_ : treewright.Model
        The tree together with the schema of its table, and the tree before pruning.
    pruning_table_ : treewright.PruningTable
        The nested trees that pruning chose from, and the cost of each on held-out rows.
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
    DecisionTreeRegressor : The same without cross-validation.
    CARTClassifier : A tree that predicts a class.
    compare_pruning : Compare the rules to prune by.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees.

    Examples
    --------
    >>> from treewright import CARTRegressor
    >>> X = {"town": ["Ulm", "Bonn", "Bonn", "Ulm"]}
    >>> tree = CARTRegressor(pruning=None).fit(X, [1.0, 5.0, 7.0, 1.0])
    >>> tree.predict({"town": ["Bonn", "Ulm"]})
    array([6., 1.])
    """

    missing: Missing = "surrogate"
    max_surrogates: int = parameter(5, whole, "missing", at_least=0)
    pruning: Rule | None = parameter("1-se", choice, "pruner", of=(*RULES, None))
    cv: Any = parameter(10, seam="pruner")
    risk: Risk = parameter("error", choice, "pruner", of=RISKS)
