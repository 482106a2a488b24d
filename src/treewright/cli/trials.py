"""Predictions for rows that a tree was not grown on: cross-validation, or held-out rows."""

import warnings
from argparse import Namespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli.figures import Evaluation, evaluation
from treewright.cli.tables import coded, named
from treewright.cli.words import on_terminal, steps
from treewright.errors import ParameterError, TableError, UnseenCategoryWarning
from treewright.estimators.folds import cross_validate, deal, threads_for
from treewright.formatting import format_count
from treewright.table.read import Raw, Table

# Replaces missing="refuse" once all rows have been fitted with it: no value is missing, so the trees are the
# same, but a tree may not know a category that occurs only in its fold.
_NOT_REFUSED = "majority"


def predict_folds(
    estimator: Any, table: Table, target: str, folds: NDArray[Any], labels: list[Any]
) -> Evaluation:
    """Grow a tree without each fold, and predict that fold.

    Parameters
    ----------
    estimator : estimator
        How to grow the trees; it is not changed.
    table : Table
        The rows, with their target.
    target : str
        Its name.
    folds : array of int32
        Fold of every row; −1 is never held out.
    labels : list
        The classes; empty for regression.
    """
    true = coded(table.columns[table.position(target)], labels)
    answers = np.zeros_like(true)
    shares = np.zeros((len(true), len(labels)))
    threads = threads_for(table.n_rows * len(table.columns), estimator.n_jobs)
    parameters = {**estimator.get_params(), "verbose": int(threads == 1 and not on_terminal())}
    if threads > 1:
        parameters["n_jobs"] = 1
    if parameters.get("missing") == "refuse":
        parameters["missing"] = _NOT_REFUSED

    def fit(_: int, held: NDArray[np.bool_]) -> Any:
        return type(estimator)(**parameters).fit(table.take(~held), target)

    n_folds = int(folds.max()) + 1
    for held, grown in steps("growing tree", cross_validate(folds, fit, threads), n_folds):
        answers[held], shares[held] = predictions(grown, table.take(held), labels)
    judged = folds >= 0
    return evaluation(labels, true[judged], answers[judged], shares[judged])


def predictions(tree: Any, rows: Table, labels: list[Any]) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Predict rows: return numbers, or positions in `labels`, and the probability of each label."""
    shares = np.zeros((rows.n_rows, len(labels)))
    with warnings.catch_warnings():  # held-out rows are expected to have categories that the tree lacks
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        answers = coded(Raw(tree.predict(rows)), labels)
        if labels:
            shares[:, coded(Raw(tree.classes_), labels)] = tree.predict_proba(rows)
    return answers, shares


def cross_validation(n_folds: int, n_rows: int) -> str:
    """Describe how the figures of a cross-validation were obtained."""
    rows = format_count(n_rows, "row")
    return f"{n_folds}-fold cross-validation: {rows}, each predicted by a tree grown without it"


def check_folds(args: Namespace, *, least: int = 0) -> None:
    """Reject a number of folds, or a seed, that cannot be used; 0 folds mean no cross-validation."""
    if args.folds is not None and (args.folds < least or args.folds == 1):
        none = "" if least else ", or 0 for no cross-validation"
        raise ParameterError(f"--folds {args.folds}: give 2 or more{none}.")
    if args.seed < 0:
        raise ParameterError(f"--seed {args.seed}: give 0 or more.")


def n_folds_of(args: Namespace, n_rows: int, default: int, least: int = 2) -> int:
    """Return the requested number of folds, at most one per row; raise if there are too few rows."""
    if n_rows < least:
        rows = format_count(n_rows, "row")
        raise TableError(f"{named(args.table)} has {rows}; cross-validation needs {least} or more.")
    return min(args.folds or default, n_rows)


def allow_new_categories(estimator: Any, table: Table, target: str) -> None:
    """Make an estimator that rejects missing values predict new categories, after fitting all rows once."""
    if estimator.get_params().get("missing") == "refuse":
        estimator.fit(table, target)
        estimator.set_params(missing=_NOT_REFUSED)


def deal_rows(
    table: Table, target: str, labels: list[Any], seed: int, n_folds: int, holdout: float | None = None
) -> NDArray[np.int32]:
    """Return a fold for each row, stratified by class and drawn by `seed`.

    With `holdout`, this fraction of the rows is in fold 0, and the others are in fold −1.
    """
    n_rows = table.n_rows
    order = np.random.default_rng(seed).permutation(n_rows)
    if labels:
        codes = coded(table.columns[table.position(target)], labels)
        order = order[np.argsort(codes[order], kind="stable")]
    if holdout is None:
        return deal(order, n_rows, n_folds)
    n_held = min(max(1, round(holdout * n_rows)), n_rows - 1)
    # Choose at equal distances along the rows, which are sorted by class.
    chosen = np.floor((np.arange(n_held) + 0.5) * n_rows / n_held).astype(np.intp)
    return deal(order[chosen], n_rows, 1)
