"""What every estimator does: fit, predict, and provide the attributes of a fitted tree."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.utils import metadata_routing
from sklearn.utils.validation import check_is_fitted

from treewright.engines.threads import n_threads
from treewright.errors import TableError, TargetError, warn
from treewright.estimators import parameters as chosen
from treewright.estimators.fitted import FittedState, RowsAtHand
from treewright.estimators.renamed import by_new_names
from treewright.estimators.saving import refuse_not_saved
from treewright.estimators.sklearn_base import BaseEstimator
from treewright.estimators.targets import read_labelled, tell_if_scaled
from treewright.fitting.fit import fit
from treewright.fitting.folds import Folds
from treewright.fitting.progress import ProgressLine
from treewright.model.labelled_rows import LabelledRows
from treewright.model.model import Model
from treewright.model.plain import Plain
from treewright.model.rows import holds_values, read_row
from treewright.model.tree import Tree
from treewright.parts import CrossValidated, InTurn, Recipe, Refuse
from treewright.parts.pruners import Risk
from treewright.parts.recipe import as_class, refuse_conflicts
from treewright.table.match import refuse_other_names
from treewright.table.read import Raw, Table, read
from treewright.table.target import CodedClasses, Target
from treewright.table.weights import as_cases

# Below this many values a second thread costs more than it saves.
_VALUES_WORTH_THREADS = 20_000


class BaseTree(BaseEstimator):
    """A decision tree as a scikit-learn estimator.

    Subclasses say what kind of target they have and which recipe they follow.
    """

    # The values that each parameter may have, and the part of the recipe that it decides.
    _parameters: ClassVar[Mapping[str, chosen.Parameter]] = chosen.OF_ALL
    recipe: Recipe | None = None  # none in estimators that version 0.1 pickled
    _state: FittedState

    # As in scikit-learn, `check_input` is not routed to the steps of a pipeline.
    __metadata_request__fit = {"check_input": metadata_routing.UNUSED}  # noqa: RUF012
    __metadata_request__predict = {"check_input": metadata_routing.UNUSED}  # noqa: RUF012

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Grow a tree on a table.

        Parameters
        ----------
        X : table
            A pandas, polars or Arrow table, anything narwhals reads, a dict of columns, a two-dimensional
            array or a list of lists. Columns hold numbers, datetimes, durations or categories (strings,
            booleans, categoricals, enums); NaN, None, NA and NaT are missing values. The table is used in
            place where possible and never changed.
        y : array-like of shape (n_samples,), or str
            The target, or the name of a column of `X`, which is then not used as a feature.
        sample_weight : array-like of shape (n_samples,), optional
            A weight for each row. Weights count cases: a row of weight 2 counts as two equal rows, and rows
            of weight 0 are ignored. One exception: if the weights add up to 1 (within 1e-6, before
            `class_weight`), as in boosting, `C45Classifier` and pruning by the rule of one standard
            error multiply them by the number of rows of positive weight, if there are at least two.
            `verbose` reports it.
        check_input : bool, default=True
            For compatibility with scikit-learn; the input is always checked.

        Returns
        -------
        Self
            The fitted estimator.
        """
        refuse_not_saved(self)
        if self.recipe is not None:
            chosen.read(self, "recipe")
        given = read_labelled(X, y, sample_weight, self, "learn from")
        rows = self._weighed(given)
        table, target = rows.table, rows.target
        with ProgressLine.wanted(self.verbose) as progress:
            if self._counts_cases():
                tell_if_scaled(progress, given.weights)
            model = fit(
                rows,
                recipe=self._chosen_recipe(rows),
                categorical=self._categorical(table),
                n_bins=chosen.read_one(self, "bins"),
                folds=None if self.recipe is not None else self._folds(rows),
                n_threads=self._n_threads(table),
                progress=progress,
                report=None if progress is None or self.verbose < 2 else progress.tell,
                **chosen.read(self, "engine", "keep_ledger", "on_identifier"),
            )
        classes = target.labels if isinstance(target, CodedClasses) else None
        drawn = self._n_columns_drawn(len(table.columns))
        self._state = FittedState(model, table.has_names, classes, drawn, RowsAtHand(X, y, sample_weight))
        return self

    def predict(self, X: Any, check_input: bool = True) -> NDArray[Any]:
        """Predict the class or the number of every row.

        Parameters
        ----------
        X : table
            As for `fit`, or one row as a dict of values. Columns with names are matched by name, in any
            order. A category that did not occur in training counts as missing, with a warning.
        check_input : bool, default=True
            For compatibility with scikit-learn; the input is always checked.

        Returns
        -------
        array of shape (n_samples,)
            Class labels or numbers.
        """
        state = self._fitted()
        rows = self._rows(X, state)
        threads = self._n_threads(rows)
        if state.classes is None:
            return state.model.numbers(rows, threads)
        return state.model.labelled(rows, state.classes, threads)

    def apply(self, X: Any, check_input: bool = True) -> NDArray[np.int64]:
        """Find the leaf of every row.

        Parameters
        ----------
        X : table
            As for `predict`.
        check_input : bool, default=True
            For compatibility with scikit-learn; the input is always checked.

        Returns
        -------
        array of int64, shape (n_samples,)
            Node numbers of the leaves; nodes are numbered in pre-order, from 0 at the root. A row that
            reaches several leaves counts for the one with most of its weight.
        """
        state = self._fitted()
        rows = self._rows(X, state)
        return state.model.apply(rows, self._n_threads(rows))

    def decision_path(self, X: Any, check_input: bool = True) -> csr_matrix:
        """Find the nodes that every row passes.

        Parameters
        ----------
        X : table
            As for `predict`.
        check_input : bool, default=True
            For compatibility with scikit-learn; the input is always checked.

        Returns
        -------
        sparse matrix of shape (n_samples, n_nodes)
            1 where a row passes a node, a fraction where a row with missing values goes down every branch.
        """
        state = self._fitted()
        rows, model = self._rows(X, state), state.model
        begin, nodes, fractions = model.path(rows, self._n_threads(rows))
        if (fractions == 1).all():
            fractions = fractions.astype(np.int64)  # as in scikit-learn
        return csr_matrix((fractions, nodes, begin), shape=(len(begin) - 1, model.tree.n_nodes))

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name.

        Parameters
        ----------
        **params : dict
            New values. Names that only version 0.1 had are accepted with a `FutureWarning`.

        Returns
        -------
        Self
            The estimator.
        """
        return super().set_params(**by_new_names(params, vars(self)))

    @property
    def model_(self) -> Model:
        """The tree together with the schema of its table."""
        return self._fitted().model

    @property
    def tree_(self) -> Tree:
        """The tree itself: read-only arrays, `node(i)` and `walk()`."""
        return self.model_.tree

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Fraction of the total decrease of impurity that each column contributes.

        Columns with many values have more cuts to choose from, and of equal columns the first one wins;
        `sklearn.inspection.permutation_importance` is a second opinion.
        """
        return self.tree_.compute_feature_importances()

    @property
    def n_features_in_(self) -> int:
        """Number of columns of the training table."""
        return len(self.model_.schema.columns)

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """Names of the columns of the training table, if all of them are strings."""
        state = self._fitted()
        if not state.has_names:
            raise AttributeError(f"this {type(self).__name__} was fitted without feature names.")
        return np.array(state.model.schema.names, dtype=object)

    @property
    def n_outputs_(self) -> int:
        """Number of targets: always 1."""
        self._fitted()
        return 1

    def __sklearn_is_fitted__(self) -> bool:
        return "_state" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.allow_nan = self._takes_missing()
        tags.target_tags.multi_output = False
        return tags

    def _fitted(self) -> FittedState:
        """Return the results of `fit`, or raise if the estimator is not fitted yet.

        Methods call this once and use the result throughout, so that a concurrent `fit` cannot change it.
        """
        state: FittedState | None = self.__dict__.get("_state")
        if state is None:
            check_is_fitted(self)
        assert state is not None, "check_is_fitted has raised"
        return state

    def _snapshot(self) -> Self:
        """Return a shallow copy, which a `fit` in another thread does not change.

        A method that needs the fitted state in several places works on such a copy.
        """
        copy = object.__new__(type(self))
        copy.__dict__ = self.__dict__.copy()
        return copy

    def _with(self, model: Model) -> Self:
        """Return a copy of the estimator with another model."""
        other = self._snapshot()
        other._state = replace(self._state, model=model)
        return other

    # What subclasses decide.

    def _read_target(self, raw: Raw) -> Target:
        """Read a target of the estimator's kind."""
        raise NotImplementedError

    def _chosen_recipe(self, rows: LabelledRows) -> Recipe:
        """Return the recipe given, or the one made from the parameters; raise if its parts conflict."""
        recipe = chosen.recipe_of(self) or self._recipe(rows)
        spelling = chosen.as_typed if self.recipe is None else as_class
        refuse_conflicts(recipe, "classes" if isinstance(rows.target, CodedClasses) else "numbers", spelling)
        return recipe

    def _recipe(self, rows: LabelledRows) -> Recipe:
        """Check the parameters and make the recipe of a fit."""
        raise NotImplementedError

    def _as_grown(self) -> Recipe:
        """Return the choices for growing that pruning needs: criterion, leaf values, error-based pruner."""
        raise NotImplementedError

    def _categorical(self, table: Table) -> frozenset[int] | None:
        """Return the positions of the categorical columns; None decides by their types."""
        return None

    def _folds(self, rows: LabelledRows) -> Folds | None:
        """Return the fold of every row, if `cv` gives the folds and the tree is pruned by them."""
        return None

    def _n_columns_drawn(self, n_columns: int) -> int | None:
        """Return the number of columns drawn for each node, if the estimator draws columns."""
        return None

    def _risk(self) -> Risk:
        """Return the risk that cost-complexity pruning weighs against the number of leaves."""
        risk: Risk = chosen.read_one(self, "risk", "impurity")
        return getattr(self.recipe and self.recipe.pruner, "risk", risk)

    def _counts_cases(self) -> bool:
        """Return whether the scale of weights matters, so that weights that add up to 1 are scaled."""
        if self.recipe is None:
            return bool(vars(self).get("pruning") == "1-se")
        pruner = getattr(self.recipe, "pruner", None)  # `fit` has not checked it yet
        *_, last = pruner.pruners if isinstance(pruner, InTurn) else (pruner,)
        return isinstance(last, CrossValidated) and last.rule == "1-se"

    def _takes_missing(self) -> bool:
        if self.recipe is None:
            return bool(getattr(self, "missing", None) != "refuse")
        return not isinstance(self.recipe.missing, Refuse)

    # Rows in.

    def _weighed(self, rows: LabelledRows) -> LabelledRows:
        """Return rows with the weights that they have in fitting."""
        return replace(rows, weights=as_cases(rows.weights)) if self._counts_cases() else rows

    def _labelled(self, X: Any, y: Any, sample_weight: Any, purpose: str) -> LabelledRows:
        """Read rows of the columns that the tree was grown on, with their target and weights as given."""
        rows = read_labelled(X, y, sample_weight, self, purpose)
        self._check_names(rows.table, self._fitted())
        return rows

    def _table(self, X: Any) -> Table:
        """Read a table, and raise if its columns differ from those of the training table."""
        table = read(X)
        self._check_names(table, self._fitted())
        return table

    def _rows(self, X: Any, state: FittedState) -> Table | Plain:
        """Return rows to predict for: unchanged if the model can use them, otherwise read and checked."""
        model = state.model
        if isinstance(X, dict) == state.has_names and (plain := model.plain(X)) is not None:
            return plain
        table = read_row(X, model.schema) if isinstance(X, Mapping) and holds_values(X) else read(X)
        self._check_names(table, state)
        return table

    def _check_names(self, table: Table, state: FittedState) -> None:
        """Raise if the columns differ; give scikit-learn's warning if they are matched by position."""
        was_named, n_columns = state.has_names, len(state.model.schema.columns)
        estimator = type(self).__name__
        if was_named and table.has_names:
            refuse_other_names(table, state.model.schema)
        elif len(table.columns) != n_columns:
            raise TableError(
                f"X has {len(table.columns)} features, but {estimator} is expecting {n_columns} "
                "features as input."
            )
        if was_named != table.has_names:
            has, was = ("does not have valid", "with") if was_named else ("has", "without")
            warn(f"X {has} feature names, but {estimator} was fitted {was} feature names", UserWarning)

    def _n_threads(self, rows: Table | Plain) -> int:
        """Choose the number of threads for some rows: one if there are few values."""
        n_values = rows.block.size if isinstance(rows, Plain) else rows.n_rows * len(rows.columns)
        is_small = n_values < _VALUES_WORTH_THREADS
        # For small tables avoid the system call, so that predicting a single row stays fast.
        threads = 1 if is_small and self.n_jobs is None else n_threads(self.n_jobs)
        return 1 if is_small else threads

    def _named_target(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Return X and y to score by; y may be the name of a column of X."""
        if not isinstance(y, str):
            return X, y
        table, raw = read(X).split_off(y)
        if raw.missing is not None:
            raise TargetError(f"column {y!r} has missing values, so these rows cannot be scored.")
        return table, raw.decoded().values
