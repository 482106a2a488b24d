"""CART by its name: estimators with other defaults, that prune by cross-validation."""

from typing import Any

from treewright.errors import ParameterError
from treewright.estimators.classifier import DecisionTreeClassifier
from treewright.estimators.constructor import with_constructor
from treewright.estimators.parameters import Missing
from treewright.estimators.regressor import DecisionTreeRegressor
from treewright.parts.pruners import Risk, Rule
from treewright.recipes import Recipe


@with_constructor
class CARTClassifier(DecisionTreeClassifier):
    """Grow a tree that answers with a class, as Breiman, Friedman, Olshen and Stone do.

    `DecisionTreeClassifier` with other defaults: categories in two sets, surrogates for missing values,
    cost-complexity pruning by cross-validation and the rule of one standard error.

    The tree is grown large; its weakest links then give a nested sequence of subtrees down to the root, and
    cross-validation says which of them to keep. All of them are in `pruning_table_`, `plot_pruning` draws it,
    and the tree as grown stays in ``model_.grown``, for `prune` to start from.

    All parameters of `DecisionTreeClassifier`, and these.

    Parameters
    ----------
    missing : {"surrogate", "majority", "learned", "spread", "branch", "refuse"}, default="surrogate"
        What to do with rows without a value. ``"surrogate"`` asks another column, the one that sends most of
        the weight the same way; see `tree_.node(i).surrogates`.
    max_surrogates : int, default=5
        Surrogates kept at each node. Where none of them has a value either, the heavier branch is taken.
    pruning : {"1-se", "min", None}, default="1-se"
        The smallest tree within one standard error of the least cross-validated risk, the tree of least risk,
        or the tree as grown. The method `prune` applies other rules to the fitted tree. (Version 0.1 called
        the parameter ``prune``, which is still taken, with a `FutureWarning`.)
    cv : int, splitter or array-like of groups, default=10
        Folds of the cross-validation: how many, and rows are dealt to them class by class and by what is in
        them, so that their order does not count, or as `random_state` says; one of scikit-learn's splitters
        that holds each row out once at most; or for every row its fold.
    risk : {"error", "impurity", "loss"}, default="error"
        What pruning weighs against leaves: wrong answers, impurity, or what wrong answers cost by `loss`.
        With errors and losses links are measured as rpart measures them, and its tables come out; with
        impurity they are scikit-learn's, and every subtree is the best one at its price.
    ccp_alpha : float, default=0.0
        Least price of a leaf in units of risk: links that are not worth it are cut in any case.

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
    max_surrogates: int = 5
    pruning: Rule | None = "1-se"
    cv: Any = 10
    risk: Risk = "error"


@with_constructor
class CARTRegressor(DecisionTreeRegressor):
    """Grow a tree that answers with a number, as Breiman, Friedman, Olshen and Stone do.

    `DecisionTreeRegressor` with other defaults: categories in two sets, surrogates for missing values,
    cost-complexity pruning by cross-validation and the rule of one standard error.

    The tree is grown large; its weakest links then give a nested sequence of subtrees down to the root, and
    cross-validation says which of them to keep. All of them are in `pruning_table_`, `plot_pruning` draws it,
    and the tree as grown stays in ``model_.grown``, for `prune` to start from.

    All parameters of `DecisionTreeRegressor`, and these.

    Parameters
    ----------
    missing : {"surrogate", "majority", "learned", "spread", "branch", "refuse"}, default="surrogate"
        What to do with rows without a value. ``"surrogate"`` asks another column, the one that sends most of
        the weight the same way; see `tree_.node(i).surrogates`.
    max_surrogates : int, default=5
        Surrogates kept at each node. Where none of them has a value either, the heavier branch is taken.
    pruning : {"1-se", "min", None}, default="1-se"
        The smallest tree within one standard error of the least cross-validated risk, the tree of least risk,
        or the tree as grown. The method `prune` applies other rules to the fitted tree. (Version 0.1 called
        the parameter ``prune``, which is still taken, with a `FutureWarning`.)
    cv : int, splitter or array-like of groups, default=10
        Folds of the cross-validation: how many, and rows are dealt to them by what is in them, so that their
        order does not count, or as `random_state` says; one of scikit-learn's splitters that holds each row
        out once at most; or for every row its fold.
    risk : {"error", "impurity"}, default="error"
        What pruning weighs against leaves. Both are the impurity; for ``"error"`` links are measured as rpart
        measures them, and its tables come out, for ``"impurity"`` as scikit-learn does, and every subtree is
        the best one at its price.
    ccp_alpha : float, default=0.0
        Least price of a leaf in units of risk: links that are not worth it are cut in any case.

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
    max_surrogates: int = 5
    pruning: Rule | None = "1-se"
    cv: Any = 10
    risk: Risk = "error"

    def _recipe(self, *given: Any) -> Recipe:
        if self.risk == "loss":
            raise ParameterError(
                "risk='loss' weighs answers by the loss of classes, and this tree answers with numbers; use "
                "'error' or 'impurity'."
            )
        return super()._recipe(*given)
