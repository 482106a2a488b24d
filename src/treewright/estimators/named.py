"""CART by its name: estimators with other defaults, that prune by cross-validation."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treewright.engines.engine import Engine
from treewright.errors import ParameterError
from treewright.estimators.classifier import DecisionTreeClassifier
from treewright.estimators.folds import folds_given
from treewright.estimators.parameters import (
    CategoricalSplit,
    ClassCriterion,
    ColumnsDrawn,
    Growth,
    LeafWord,
    Missing,
    NumberCriterion,
    Penalty,
    Splitter,
    choice,
)
from treewright.estimators.regressor import DecisionTreeRegressor
from treewright.estimators.renamed import takes_old_names
from treewright.fitting.folds import Folds
from treewright.model.labelled_rows import LabelledRows
from treewright.parts.criteria import ScoreFunction
from treewright.parts.pruners import RISKS, Risk, Rule
from treewright.recipes import Recipe
from treewright.table.target import values_of
from treewright.table.weights import as_cases


class CrossValidates:
    """What prunes by cross-validation."""

    pruning: Any
    cv: Any
    risk: Any

    def _folds(self, rows: LabelledRows) -> Folds | None:
        return None if self.pruning is None else folds_given(self.cv, values_of(rows.target), rows.weights)

    def _counts_cases(self) -> bool:
        return bool(self.pruning == "1-se")

    def _weigh(self, target: Any, weights: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
        weighed: NDArray[np.float64] | None = super()._weigh(  # type: ignore[misc]  # the estimator's
            target, as_cases(weights) if self._counts_cases() else weights
        )
        return weighed

    def _risk(self) -> Risk:
        return choice("risk", self.risk, dict(zip(RISKS, RISKS, strict=True)))


class CARTClassifier(CrossValidates, DecisionTreeClassifier):
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

    @takes_old_names
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
        missing: Missing = "surrogate",
        max_surrogates: int = 5,
        missing_penalty: Penalty | None = "linear",
        growth: Growth = "depth",
        pruning: Rule | None = "1-se",
        cv: Any = 10,
        risk: Risk = "error",
        prior: Any = None,
        loss: Any = None,
        keep_ledger: bool = False,
        n_jobs: int | None = None,
        engine: Engine | Literal["local"] | None = None,
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
        self.pruning = pruning
        self.cv = cv
        self.risk = risk


class CARTRegressor(CrossValidates, DecisionTreeRegressor):
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

    @takes_old_names
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
        missing: Missing = "surrogate",
        max_surrogates: int = 5,
        missing_penalty: Penalty | None = "linear",
        growth: Growth = "depth",
        pruning: Rule | None = "1-se",
        cv: Any = 10,
        risk: Risk = "error",
        leaf_value: LeafWord | None = None,
        keep_ledger: bool = False,
        n_jobs: int | None = None,
        engine: Engine | Literal["local"] | None = None,
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
        self.pruning = pruning
        self.cv = cv
        self.risk = risk

    def _recipe(self, *given: Any) -> Recipe:
        if self.risk == "loss":
            raise ParameterError(
                "risk='loss' weighs answers by the loss of classes, and this tree answers with numbers; use "
                "'error' or 'impurity'."
            )
        return super()._recipe(*given)
