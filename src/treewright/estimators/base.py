"""What the estimators share: fitting, predicting, and the attributes of a fitted tree."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import Bunch, metadata_routing

from treewright.engines.local import engine_of
from treewright.errors import TargetError
from treewright.estimators import parameters as chosen
from treewright.estimators.auditing import Auditing
from treewright.estimators.categorical import categorical_columns
from treewright.estimators.drawing import Drawing
from treewright.estimators.explaining import Explaining
from treewright.estimators.fitted import FittedState, RowsAtHand
from treewright.estimators.monotonic import monotone
from treewright.estimators.predicting import Predicting
from treewright.estimators.pruning import Pruning
from treewright.estimators.reading import Reading
from treewright.estimators.renamed import by_new_names
from treewright.estimators.reporting import Reporting
from treewright.estimators.ruling import Ruling
from treewright.estimators.saving import Saving
from treewright.estimators.targets import read_labelled, told_of_cases
from treewright.fitting.fit import fit
from treewright.fitting.folds import Folds
from treewright.fitting.progress import ProgressLine
from treewright.fitting.sequence import pruning_path
from treewright.model.labelled_rows import LabelledRows
from treewright.model.tree import Tree
from treewright.parts.costs import Costs
from treewright.parts.criteria import Criterion
from treewright.recipes import Recipe
from treewright.table.read import Table, read
from treewright.table.target import CodedClasses
from treewright.table.weights import cases_per_weight


class BaseTree(
    Predicting,
    Drawing,
    Reading,
    Ruling,
    Explaining,
    Pruning,
    Auditing,
    Reporting,
    Saving,
    BaseEstimator,  # type: ignore[misc]  # scikit-learn ships no types
):
    """A tree as a scikit-learn estimator; its children say what a target is, and which recipe to follow."""

    # As in scikit-learn, nothing to be routed to the steps of a pipeline.
    __metadata_request__fit = {"check_input": metadata_routing.UNUSED}  # noqa: RUF012
    __metadata_request__predict = {"check_input": metadata_routing.UNUSED}  # noqa: RUF012

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Grow a tree on a table.

        Parameters
        ----------
        X : table
            A pandas, polars or Arrow table, anything narwhals takes, a dict of columns, a two-dimensional
            array or a list of lists. Columns hold numbers, datetimes, durations or categories (texts,
            booleans, categoricals, enums); NaN, None, NA and NaT are missing. Used in place where possible
            and never changed.
        y : array-like of shape (n_samples,), or str
            The target, or the name of a column of `X`, which is then taken out of it.
        sample_weight : array-like of shape (n_samples,), optional
            A weight for each row. Weights count cases: 2 is the same as twice the row, and rows of weight 0
            take no part. One exception: `C45Classifier`, and pruning by the rule of one standard error, take
            weights that add up to 1 (within 1e-6, before `class_weight`) for shares, as boosting hands them
            over, and multiply them by the number of rows of weight above 0 where there are two or more.
            `verbose` says so.
        check_input : bool
            For compatibility with scikit-learn; input is always checked.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._refuse_not_saved()
        given = read_labelled(X, y, sample_weight, self, "learn from")
        rows = self._weighed(given)
        table, target = rows.table, rows.target
        with ProgressLine.wanted(self.verbose) as progress:
            if (
                progress is not None
                and self._counts_cases()
                and (cases := cases_per_weight(given.weights)) > 1
            ):
                progress.tell(told_of_cases(cases))
            model = fit(
                rows,
                recipe=self._recipe(table, rows.weights, target),
                categorical=self._categorical(table),
                n_bins=self._n_bins(),
                folds=self._folds(rows),
                n_threads=self._n_threads(table),
                progress=progress,
                report=None if progress is None else progress.tell,
                engine=engine_of(self.engine),
                keep_ledger=chosen.flag("keep_ledger", self.keep_ledger),
            )
        classes = target.labels if isinstance(target, CodedClasses) else None
        drawn = self._n_columns_drawn(len(table.columns))
        self._state = FittedState(model, table.has_names, classes, drawn, RowsAtHand(X, y, sample_weight))
        return self

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name.

        Parameters
        ----------
        **params
            New values. A name that version 0.1 had is taken with a `FutureWarning`.

        Returns
        -------
        self
        """
        found: Self = super().set_params(**by_new_names(params, vars(self)))
        return found

    def get_depth(self) -> int:
        """Tell the depth of the tree: the number of edges from its root to its deepest leaf.

        Returns
        -------
        int
        """
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Count the leaves.

        Returns
        -------
        int
        """
        return self.tree_.n_leaves

    @property
    def tree_(self) -> Tree:
        """The tree itself: read-only arrays, `node(i)` and `walk()`."""
        return self._fitted().model.tree

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of each column in the total decrease of impurity.

        Columns with many values have more cuts to choose from, and of equal columns the first one wins;
        `sklearn.inspection.permutation_importance` is a second opinion.
        """
        return self.tree_.compute_feature_importances()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.allow_nan = self._takes_missing()
        tags.target_tags.multi_output = False
        return tags

    def _recipe(
        self,
        table: Table,
        weights: NDArray[np.float64] | None,
        target: CodedClasses | NDArray[np.float64],
    ) -> Recipe:
        raise NotImplementedError

    def _categorical(self, table: Table) -> frozenset[int] | None:
        """Tell which columns hold categories; None leaves it to their types."""
        return None

    def _n_bins(self) -> int | None:
        """Tell how many intervals columns of fractions are cut into where they are to hold categories."""
        return None

    def _folds(self, rows: LabelledRows) -> Folds | None:
        """Tell the fold of every row, where it was given and pruning goes by folds."""
        return None

    def _counts_cases(self) -> bool:
        """Tell whether the scale of weights matters, so that a total of 1 makes shares of them."""
        return False

    def _takes_missing(self) -> bool:
        return True

    def _named_target(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Look the target up in the table if it was given by its name."""
        if not isinstance(y, str):
            return X, y
        table, raw = read(X).split_off(y)
        if raw.missing is not None:
            raise TargetError(f"column {y!r} has missing values; there is nothing to score these rows by.")
        return table, raw.decoded().values


class BaseDecisionTree(BaseTree):
    """A tree with the parameters of scikit-learn's."""

    @property
    def max_features_(self) -> int:
        """Columns drawn for each node."""
        drawn = self._fitted().max_features
        assert drawn is not None, "fit and load tell it"
        return drawn

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Grow a tree and follow its weakest links down to the root.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`. The estimator itself is left as it is.

        Returns
        -------
        Bunch
            ``ccp_alphas``: values of `ccp_alpha` from which on each smaller tree is the best one; the first
            is 0, for the tree as grown. ``impurities``: total impurity of the leaves of each of these trees,
            or whatever else `risk` asks for.

        References
        ----------
        Breiman, Friedman, Olshen, Stone (1984), section 3.3.
        """
        as_grown = {name: None for name in ("pruning",) if name in self.get_params()}
        grown = clone(self).set_params(ccp_alpha=0.0, **as_grown).fit(X, y, sample_weight)
        path = pruning_path(grown.tree_, self._risk())
        return Bunch(ccp_alphas=path.alphas, impurities=path.risks)

    def _recipe(
        self,
        table: Table,
        weights: NDArray[np.float64] | None,
        target: CodedClasses | NDArray[np.float64],
    ) -> Recipe:
        params = vars(self)  # get_params would inspect the signature, which costs more than a small fit
        weight = float(table.n_rows if weights is None else weights.sum())
        limits = chosen.limits(params, table.n_rows, len(table.columns), weight)
        splitter = chosen.choice("splitter", params["splitter"], chosen.SPLITTERS)
        draws = limits.max_columns is not None or splitter.choose == "random"
        criterion = self._criterion()
        return Recipe(
            criterion=criterion,
            numeric=splitter,
            categorical=chosen.choice("categorical_split", params["categorical_split"], chosen.CATEGORICAL),
            missing=chosen.missing(params),
            order=chosen.order(params["growth"], params["max_leaf_nodes"]),
            limits=limits,
            pruner=chosen.pruner(params),
            costs=self._costs(target),
            leaf_value=chosen.leaf_value(params.get("leaf_value"), criterion),
            monotone=monotone(params["monotonic_cst"], table),
            seed=_seed(params["random_state"], draws),
        )

    def _categorical(self, table: Table) -> frozenset[int] | None:
        return categorical_columns(self.categorical_features, table)

    def _takes_missing(self) -> bool:
        return bool(self.missing != "refuse")

    def _n_columns_drawn(self, n_columns: int) -> int | None:
        return chosen.n_columns_drawn(self.max_features, n_columns)

    def _as_grown(self) -> Recipe:
        criterion = self._criterion()
        value = chosen.leaf_value(vars(self).get("leaf_value"), criterion)
        return Recipe(criterion=criterion, leaf_value=value)

    def _criterion(self) -> Criterion:
        raise NotImplementedError

    def _costs(self, target: Any) -> Costs:
        return Costs()


def _seed(random_state: Any, draws: bool) -> int:
    """Draw a seed for the core; where nothing is drawn at random the generator is left alone."""
    generator = chosen.generator(random_state)
    return int(generator.randint(np.iinfo(np.int32).max)) if draws else 0
