"""`compare_pruning`: every pruning rule on the same grown trees."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from treewright.errors import ParameterTypeError, TableError, UnseenCategoryWarning
from treewright.estimators.base import BaseTree
from treewright.estimators.folds import folds_given, threads_for
from treewright.estimators.parameters import without_pruning
from treewright.estimators.targets import read_labelled
from treewright.fitting.folds import SAME, Folds, cross_validate, deal, order_by_content
from treewright.formatting import format_with_error
from treewright.grid import Grid
from treewright.parts import CrossValidated
from treewright.parts.bounds import whole
from treewright.table.target import values_of
from treewright.table.weights import as_cases

# One row in three is held out of growing, for the rules that choose by held-out rows.
_ONE_IN = 3


@dataclass(frozen=True)
class PruningComparison:
    """The results of pruning rules on the same trees, one row for each rule.

    It prints as a table, here and in notebooks.

    Parameters
    ----------
    method : tuple of str
        The rules.
    leaves : tuple of int
        Number of leaves of the pruned tree that was grown on all rows.
    depth : tuple of int
        Its depth.
    training_error : tuple of float
        Its error on these rows: the fraction of wrong predictions, or the mean squared error.
    cv_error : tuple of float
        The error on rows held out of growing and pruning.
    cv_std : tuple of float
        The standard error of `cv_error`.
    above_best : tuple of float
        How far `cv_error` is above the least one; among equals, above that of the smallest tree.
    above_best_std : tuple of float
        The standard error of the difference. It compares two predictions for each row, so it is smaller than
        `cv_std` if rules err on the same rows.

    See Also
    --------
    compare_pruning : Make the comparison.

    Examples
    --------
    >>> PruningComparison(("none",), (9,), (4,), (0.0,), (0.25,), (0.125,), (0.0,), (0.0,))
    method  leaves  depth  training error  cross-validated ± std. error  above the best
    none         9      4               0  0.25 ± 0.12
    """

    method: tuple[str, ...]
    leaves: tuple[int, ...]
    depth: tuple[int, ...]
    training_error: tuple[float, ...]
    cv_error: tuple[float, ...]
    cv_std: tuple[float, ...]
    above_best: tuple[float, ...]
    above_best_std: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.method)

    def __str__(self) -> str:
        return str(self._printed())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self._printed().to_html()

    def to_frame(self) -> Any:
        """Convert to a data frame of pandas, polars or Arrow, whichever is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            One row for each rule.
        """
        of_tree = ("method", "leaves", "depth", "training error")
        titles = (*of_tree, "cross-validated", "standard error", "above the best", "standard error of that")
        return Grid(dict(zip(titles, vars(self).values(), strict=True))).to_frame()

    def _printed(self) -> Grid:
        names = ("method", "leaves", "depth", "training_error")
        columns: dict[str, Any] = {name.replace("_", " "): getattr(self, name) for name in names}
        errors = zip(self.cv_error, self.cv_std, strict=True)
        gaps = zip(self.above_best, self.above_best_std, strict=True)
        columns["cross-validated ± std. error"] = [format_with_error(*each) for each in errors]
        columns["above the best"] = [format_with_error(*each) for each in gaps]
        columns["above the best"][_best(self.cv_error, self.leaves)] = ""
        return Grid(columns)


def compare_pruning(
    est: BaseTree, X: Any, y: Any, cv: Any = 10, sample_weight: Any = None
) -> PruningComparison:
    """Compare all pruning rules on trees grown in the same way.

    For every fold, a tree is grown on the other rows, pruned by each rule, and scored on the fold. Rules that
    choose by held-out rows get one in three of the other rows, and a tree grown without them. Rules are
    compared in pairs, row by row: a rule within two standard errors of the best one is not clearly worse.

    Parameters
    ----------
    est : estimator
        How to grow. It need not be fitted, and does not change.
    X : table
        As for `fit`.
    y : array-like or str
        The target, or the name of a column of `X`.
    cv : int, splitter or array-like of groups, default=10
        Folds, as for `CARTClassifier`.
    sample_weight : array-like, optional
        Weights of the rows. They count cases, unless they add up to 1; see `C45Classifier.fit`.

    Returns
    -------
    PruningComparison
        Prints as a table; `to_frame` gives a data frame.

    See Also
    --------
    CARTClassifier : Prunes by cross-validation when it is fitted.
    DecisionTreeClassifier.prune : Prunes a fitted tree by one rule; every estimator has it.

    Examples
    --------
    >>> import treewright as tw
    >>> columns, target = tw.datasets.load("loan_lihang")
    >>> found = tw.compare_pruning(tw.CARTClassifier(), columns, target, cv=5)
    >>> found.method[:3]
    ('none', 'cost-complexity, held out', 'cost-complexity, held out, 1-se')
    """
    if not isinstance(est, BaseTree):
        raise ParameterTypeError(
            f"compare_pruning takes an estimator of treewright, not {type(est).__name__}."
        )
    with warnings.catch_warnings():  # categories that occur only in held-out rows are expected
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        return _compared(est, X, y, cv, sample_weight)


def _compared(est: BaseTree, X: Any, y: Any, cv: Any, sample_weight: Any) -> PruningComparison:
    trials = PruningTrials(est, X, y, cv, sample_weight)
    for _ in trials.folds():
        pass
    found = []
    for name, tree in trials.pruned.items():
        training_error, _ = trials.training_error(name)
        found.append((name, tree.get_n_leaves(), tree.get_depth(), training_error, *trials.error(name)))
    columns = tuple(zip(*found, strict=True))
    names, leaves, *_, errors, _ = columns
    gaps = [trials.error_above(name, names[_best(errors, leaves)]) for name in names]
    return PruningComparison(*columns, *zip(*gaps, strict=True))


def _best(errors: tuple[float, ...], leaves: tuple[int, ...]) -> int:
    """Return the position of the least error; among equals, that of the smallest tree."""
    return min(range(len(errors)), key=lambda at: (errors[at], leaves[at]))


class PruningTrials:
    """Trees of one estimator pruned by every rule: grown on all rows, and scored on folds of them.

    Parameters
    ----------
    est, X, y, cv, sample_weight
        As for `compare_pruning`.

    Attributes
    ----------
    pruned : dict of str to estimator
        For each rule, the pruned tree that was grown on all rows.
    losses : dict of str to array
        For each rule, the loss of each held-out row: whether its prediction is wrong, or the squared error.
    """

    def __init__(self, est: BaseTree, X: Any, y: Any, cv: Any, sample_weight: Any = None) -> None:
        rows = read_labelled(X, y, sample_weight, est, "learn from")
        self._table, self._target, given = rows.table, values_of(rows.target), as_cases(rows.weights)
        self._weights = np.ones(rows.table.n_rows) if given is None else given
        self._est, self._unpruned = est, clone(est).set_params(**without_pruning(est))
        whole_tree = clone(self._unpruned).fit(self._table, self._target, self._weights)
        # Rows are shuffled by their values, so that the order of the table has no effect.
        encoded = replace(rows.encoded(whole_tree.model_), weights=self._weights)
        self._order = order_by_content(encoded, seed=0)
        folds = folds_given(cv, self._target, given)
        if folds is None:
            n_folds = min(whole("cv", cv, at_least=2), len(self._order))
            folds = deal(self._order, rows.table.n_rows, n_folds)
        _refuse_too_few(self._weights, folds)
        self._folds, self._held_out = folds, self._weights * (folds >= 0)
        of_all = self._table, self._target, self._weights
        self.pruned = dict(_pruned(est, self._unpruned, whole_tree, of_all, self._order))
        self.losses = {name: np.zeros(rows.table.n_rows) for name in self.pruned}

    def folds(self) -> Iterator[NDArray[np.bool_]]:
        """Grow and prune without each fold, and judge on it; yield its rows."""
        threads = threads_for(self._table.n_rows * len(self._table.columns), self._est.n_jobs)
        alone = {"n_jobs": 1} if threads > 1 else {}
        est, unpruned = (clone(each).set_params(**alone) for each in (self._est, self._unpruned))

        def judged(_: int, held: NDArray[np.bool_]) -> dict[str, NDArray[np.float64]]:
            rows = self._table, self._target, np.where(held, 0.0, self._weights)
            grown, order = clone(unpruned).fit(*rows), self._order[~held[self._order]]
            here, true = self._table.take(held), self._target[held]
            pruned = _pruned(est, unpruned, grown, rows, order)
            return {name: _losses(tree, here, true) for name, tree in pruned}

        for held, losses in cross_validate(self._folds, judged, threads):
            for name, each in losses.items():
                self.losses[name][held] = each
            yield held

    def error(self, name: str) -> tuple[float, float]:
        """Return the error of a rule on held-out rows, and its standard error."""
        return _mean_and_error(self.losses[name], self._held_out)

    def error_above(self, name: str, other: str) -> tuple[float, float]:
        """Return the difference in error between a rule and another, row by row, and its standard error."""
        return _mean_and_error(self.losses[name] - self.losses[other], self._held_out)

    def training_error(self, name: str) -> tuple[float, float]:
        """Return the error of a rule on the rows that the tree was grown on, and its standard error."""
        return _mean_and_error(_losses(self.pruned[name], self._table, self._target), self._weights)


def _refuse_too_few(weights: NDArray[np.float64], folds: Folds) -> None:
    """Raise if a fold leaves too few rows for growing and pruning."""
    counted = weights > 0
    n_left = counted.sum() - np.bincount(folds[counted & (folds >= 0)])
    if n_left.min() < 2:
        raise TableError(
            f"compare_pruning grows and prunes a tree without each fold, and fold {n_left.argmin()} of "
            f"{len(n_left)} leaves {n_left.min()} rows of positive weight for that; at least 2 are needed. "
            "Give more rows, or folds."
        )


def _pruned(
    est: BaseTree, unpruned: BaseTree, grown: BaseTree, rows: tuple[Any, ...], order: NDArray[np.intp]
) -> Iterator[tuple[str, BaseTree]]:
    """Prune a tree grown on rows of positive weight by every rule."""
    yield "none", grown
    *data, weights = rows
    held = deal(order, len(weights), _ONE_IN) == 0
    without = clone(unpruned).fit(*data, np.where(held, 0.0, weights))
    to_prune_by = (*data, np.where(held, weights, 0.0))
    yield "cost-complexity, held out", without.prune("cost-complexity", *to_prune_by)
    yield "cost-complexity, held out, 1-se", without.prune("cost-complexity", *to_prune_by, rule="1-se")
    for rule in ("min", "1-se") if "cv" in est.get_params() else ():
        how: dict[str, Any] = {"pruning": rule, "cv": min(10, max(2, len(order)))}
        if est.recipe is not None:
            how = {"recipe": replace(est.recipe, pruner=CrossValidated(*how.values()))}
        if rule == "min" or est.recipe is not None or est.ccp_alpha > 0:
            tree = clone(est).set_params(**how).fit(*rows)
        else:
            tree = _within_one_standard_error(tree)
        yield f"cost-complexity, cross-validated, {rule}", tree
    yield "reduced-error", without.prune("reduced-error", *to_prune_by)
    if is_classifier(grown) and grown.tree_.loss is None:
        yield "error-based", grown.prune("error-based", *rows)
        yield "pessimistic", grown.prune("pessimistic")
        yield "minimum-error", grown.prune("minimum-error")


def _within_one_standard_error(best: BaseTree) -> BaseTree:
    """Give the tree that ``pruning="1-se"`` chooses from the table of one that was fitted with ``"min"``."""
    table = best.pruning_table_
    row = int(np.argmax(table.cv_error <= table.within_one_se * (1 + SAME)))
    # Between the prices at which the tree and the next smaller one begin, so that no rounding decides.
    price = np.sqrt(table.alpha[row]) * np.sqrt(table.alpha[row - 1]) if row else 2 * table.alpha[0]
    smaller: BaseTree = best.prune("cost-complexity", alpha=float(price))
    return smaller


def _losses(tree: BaseTree, table: Any, target: NDArray[Any]) -> NDArray[np.float64]:
    predicted = tree.predict(table)
    losses = predicted != target if is_classifier(tree) else (predicted - target) ** 2
    return np.asarray(losses, dtype=np.float64)


def _mean_and_error(losses: NDArray[np.float64], weights: NDArray[np.float64]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    total = float(weights.sum())
    mean = float(weights @ losses) / total
    spread = max(0.0, float(weights @ losses**2) - mean**2 * total)
    return mean, float(np.sqrt(spread)) / total
