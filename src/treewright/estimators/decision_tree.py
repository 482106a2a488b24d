"""What `DecisionTreeClassifier` and `DecisionTreeRegressor` share: scikit-learn's parameters and ours."""

from typing import Any, Literal

import numpy as np
from sklearn.base import clone
from sklearn.utils import Bunch

from treewright.engines.engine import Engine
from treewright.estimators import parameters as chosen
from treewright.estimators.columns import categorical_columns, monotone
from treewright.estimators.costs import costs
from treewright.estimators.folds import folds_given
from treewright.estimators.parameters import CategoricalSplit, choice, parameter, with_constructor
from treewright.estimators.reading import ReadableTree
from treewright.fitting.folds import Folds
from treewright.fitting.sequence import pruning_path
from treewright.model.labelled_rows import LabelledRows
from treewright.parts import Recipe
from treewright.parts.bounds import real, whole
from treewright.table.identifiers import OnIdentifier
from treewright.table.read import Table
from treewright.table.target import CodedClasses, values_of


@with_constructor
class BaseDecisionTree(ReadableTree):
    """A tree with the parameters of scikit-learn's trees and our own."""

    criterion: Any
    splitter: chosen.Splitter = parameter("best", choice, "numeric", of=chosen.SPLITTERS)
    max_depth: int | None = parameter(None, whole, "limits", at_least=1)
    min_samples_split: int | float = parameter(2, chosen.count_or_fraction, "limits", least=2)
    min_samples_leaf: int | float = parameter(1, chosen.count_or_fraction, "limits", least=1)
    min_weight_fraction_leaf: float = parameter(0.0, real, "limits", at_least=0.0, at_most=0.5)
    max_features: int | float | chosen.ColumnsDrawn | None = parameter(None, chosen.columns_drawn, "limits")
    random_state: Any = parameter(None, chosen.random_state, "seed")
    max_leaf_nodes: int | None = parameter(None, whole, "limits", at_least=2)
    min_impurity_decrease: float = parameter(0.0, real, "limits", at_least=0.0)
    ccp_alpha: float = parameter(0.0, real, "pruner", at_least=0.0)
    monotonic_cst: Any = parameter(None, seam="monotone")
    min_impurity: float = parameter(0.0, real, "limits", at_least=0.0)
    categorical_features: Any = "from_dtype"
    categorical_split: CategoricalSplit = parameter("subset", choice, "categorical", of=chosen.CATEGORICAL)
    missing: chosen.Missing = parameter("learned", choice, "missing", of=chosen.MISSING)
    missing_penalty: chosen.Penalty | None = parameter("linear", choice, "missing", of=chosen.PENALTIES)
    growth: chosen.Growth = parameter("depth", choice, "order", of=chosen.ORDERS)
    recipe: Recipe | None = None
    keep_ledger: bool = False
    on_identifier: OnIdentifier = "warn"
    n_jobs: int | None = None
    engine: Engine | Literal["local"] | None = None
    verbose: int = 0

    @property
    def max_features_(self) -> int:
        """Number of columns drawn for each node."""
        drawn = self._fitted().max_features
        assert drawn is not None, "fit and load set it"
        return drawn

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Grow a tree and follow its weakest links down to the root.

        Parameters
        ----------
        X : table
            As for `fit`. The estimator itself does not change.
        y : array-like of shape (n_samples,), or str
            As for `fit`.
        sample_weight : array-like of shape (n_samples,), optional
            As for `fit`.

        Returns
        -------
        Bunch
            ``ccp_alphas``: the values of `ccp_alpha` from which on each smaller tree is the best one,
            starting with 0 for the tree as grown. ``impurities``: the total impurity of the leaves of each of
            these trees, or their total error or loss if `risk` says so.

        References
        ----------
        Breiman, Friedman, Olshen, Stone (1984), section 3.3.
        """
        grown = clone(self).set_params(**chosen.without_pruning(self)).fit(X, y, sample_weight)
        path = pruning_path(grown.tree_, self._risk())
        return Bunch(ccp_alphas=path.alphas, impurities=path.risks)

    def _recipe(self, rows: LabelledRows) -> Recipe:
        given, table = chosen.read(self), rows.table
        labels = rows.target.labels.tolist() if isinstance(rows.target, CodedClasses) else []
        weight = float(table.n_rows if rows.weights is None else rows.weights.sum())
        limits = chosen.limits(given, table.n_rows, len(table.columns), weight)
        draws = limits.max_columns is not None or given["splitter"].choose == "random"
        return Recipe(
            criterion=given["criterion"],
            numeric=given["splitter"],
            categorical=given["categorical_split"],
            missing=chosen.missing(given),
            order=chosen.order(given["growth"], given["max_leaf_nodes"]),
            limits=limits,
            pruner=chosen.pruner(given),
            costs=costs(given.get("prior"), given.get("loss"), labels),
            leaf_value=chosen.leaf_value(given),
            monotone=monotone(given["monotonic_cst"], table),
            # If nothing is drawn at random, the generator is not used.
            seed=int(chosen.generator(given["random_state"]).randint(np.iinfo(np.int32).max)) if draws else 0,
        )

    def _as_grown(self) -> Recipe:
        given = chosen.read(self, *({"criterion", "leaf_value"} & self._parameters.keys()))
        return self.recipe or Recipe(criterion=given["criterion"], leaf_value=chosen.leaf_value(given))

    def _categorical(self, table: Table) -> frozenset[int] | None:
        return categorical_columns(self.categorical_features, table)

    def _n_columns_drawn(self, n_columns: int) -> int | None:
        if self.recipe is not None:
            return self.recipe.limits.max_columns or n_columns
        return chosen.n_columns_drawn(self.max_features, n_columns)

    def _folds(self, rows: LabelledRows) -> Folds | None:
        # `pruning` and `cv` are parameters of CARTClassifier and CARTRegressor only.
        if vars(self).get("pruning") is None:
            return None
        return folds_given(self.cv, values_of(rows.target), rows.weights)
