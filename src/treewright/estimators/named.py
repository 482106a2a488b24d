"""The classic learners by name: estimators with other defaults, nothing else."""

from typing import Any

from treewright.estimators.classifier import DecisionTreeClassifier
from treewright.estimators.regressor import DecisionTreeRegressor


class CARTClassifier(DecisionTreeClassifier):
    """Grow a tree that answers with a class, as Breiman, Friedman, Olshen and Stone do.

    `DecisionTreeClassifier` with other defaults: categories in two sets, surrogates for missing values,
    cost-complexity pruning by cross-validation and the rule of one standard error.

    Cross-validated pruning is not in this version. It stays the default, so that no tree changes its meaning
    when it comes; until then pass ``prune=None``.

    All parameters of `DecisionTreeClassifier`, and these.

    Parameters
    ----------
    missing : {"surrogate", "majority", "learned", "spread", "branch", "refuse"}, default="surrogate"
        What to do with rows without a value. ``"surrogate"`` asks another column, the one that sends most of
        the weight the same way; see `tree_.node(i).surrogates`.
    max_surrogates : int, default=5
        Surrogates kept at each node. Where none of them has a value either, the heavier branch is taken.
    prune : {"1-se", "min", None}, default="1-se"
        The smallest tree within one standard error of the least cross-validated risk, the tree of least risk,
        or the tree as grown. Only None is available in this version.
    cv : int, splitter or array-like of groups, default=10
        Folds of the cross-validation.
    risk : {"error", "impurity", "loss"}, default="error"
        What pruning weighs against leaves.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> X = {"outlook": ["sunny", "rain", "rain", "overcast"], "humidity": [90, 70, 80, 75]}
    >>> tree = CARTClassifier(prune=None).fit(X, ["no", "yes", "yes", "yes"])
    >>> print(tree.to_text())
    4 rows: yes 3, no 1
    ├── outlook in {overcast, rain} → yes (3 rows)
    └── outlook = sunny → no (1 row)
    """

    def __init__(
        self,
        *,
        criterion: Any = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        min_impurity: float = 0.0,
        categorical_features: Any = "from_dtype",
        categorical_split: str = "subset",
        missing: str = "surrogate",
        max_surrogates: int = 5,
        missing_penalty: str | None = "linear",
        growth: str = "depth",
        prune: str | None = "1-se",
        cv: Any = 10,
        risk: str = "error",
        prior: Any = None,
        loss: Any = None,
        keep_ledger: bool = False,
        n_jobs: int | None = None,
        engine: Any = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            criterion=criterion,
            splitter=splitter,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            max_features=max_features,
            random_state=random_state,
            max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease,
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            monotonic_cst=monotonic_cst,
            min_impurity=min_impurity,
            categorical_features=categorical_features,
            categorical_split=categorical_split,
            missing=missing,
            missing_penalty=missing_penalty,
            growth=growth,
            prior=prior,
            loss=loss,
            keep_ledger=keep_ledger,
            n_jobs=n_jobs,
            engine=engine,
            verbose=verbose,
        )
        self.max_surrogates = max_surrogates
        self.prune = prune
        self.cv = cv
        self.risk = risk


class CARTRegressor(DecisionTreeRegressor):
    """Grow a tree that answers with a number, as Breiman, Friedman, Olshen and Stone do.

    `DecisionTreeRegressor` with other defaults: categories in two sets, surrogates for missing values,
    cost-complexity pruning by cross-validation and the rule of one standard error.

    Cross-validated pruning is not in this version. It stays the default, so that no tree changes its meaning
    when it comes; until then pass ``prune=None``.

    All parameters of `DecisionTreeRegressor`, and these.

    Parameters
    ----------
    missing : {"surrogate", "majority", "learned", "spread", "branch", "refuse"}, default="surrogate"
        What to do with rows without a value. ``"surrogate"`` asks another column, the one that sends most of
        the weight the same way; see `tree_.node(i).surrogates`.
    max_surrogates : int, default=5
        Surrogates kept at each node. Where none of them has a value either, the heavier branch is taken.
    prune : {"1-se", "min", None}, default="1-se"
        The smallest tree within one standard error of the least cross-validated risk, the tree of least risk,
        or the tree as grown. Only None is available in this version.
    cv : int, splitter or array-like of groups, default=10
        Folds of the cross-validation.
    risk : {"error", "impurity", "loss"}, default="error"
        What pruning weighs against leaves.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), Classification and Regression Trees.

    Examples
    --------
    >>> from treewright import CARTRegressor
    >>> X = {"town": ["Ulm", "Bonn", "Bonn", "Ulm"]}
    >>> tree = CARTRegressor(prune=None).fit(X, [1.0, 5.0, 7.0, 1.0])
    >>> tree.predict({"town": ["Bonn", "Ulm"]})
    array([6., 1.])
    """

    def __init__(
        self,
        *,
        criterion: Any = "squared_error",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        min_impurity: float = 0.0,
        categorical_features: Any = "from_dtype",
        categorical_split: str = "subset",
        missing: str = "surrogate",
        max_surrogates: int = 5,
        missing_penalty: str | None = "linear",
        growth: str = "depth",
        prune: str | None = "1-se",
        cv: Any = 10,
        risk: str = "error",
        leaf_value: str | None = None,
        keep_ledger: bool = False,
        n_jobs: int | None = None,
        engine: Any = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            criterion=criterion,
            splitter=splitter,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            max_features=max_features,
            random_state=random_state,
            max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease,
            ccp_alpha=ccp_alpha,
            monotonic_cst=monotonic_cst,
            min_impurity=min_impurity,
            categorical_features=categorical_features,
            categorical_split=categorical_split,
            missing=missing,
            missing_penalty=missing_penalty,
            growth=growth,
            leaf_value=leaf_value,
            keep_ledger=keep_ledger,
            n_jobs=n_jobs,
            engine=engine,
            verbose=verbose,
        )
        self.max_surrogates = max_surrogates
        self.prune = prune
        self.cv = cv
        self.risk = risk
