"""Predictions for rows that a tree was not grown on: cross-validation, or held-out rows."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli.figures import Evaluation, compare
from treewright.cli.tables import TrainingTable, coded
from treewright.cli.words import steps
from treewright.errors import UnseenCategoryWarning
from treewright.estimators.folds import cross_validate, deal
from treewright.table.read import Raw


def predict_folds(estimator: Any, rows: TrainingTable, folds: NDArray[Any], labels: list[Any]) -> Evaluation:
    """Grow a tree without each fold, and predict that fold.

    Parameters
    ----------
    estimator : estimator
        How to grow the trees; it is not changed.
    rows : TrainingTable
        The rows.
    folds : array of int32
        Fold of every row; −1 is never held out.
    labels : list
        The classes; empty for regression.
    """
    true = coded(rows.raw_target, labels)
    answers = np.zeros_like(true)
    parameters = {**estimator.get_params(), "verbose": 0}
    if parameters.get("missing") == "refuse":
        # No value is missing, so the trees are the same; but one may not know a category of its fold.
        parameters["missing"] = "majority"

    def fit(_: int, held: NDArray[np.bool_]) -> Any:
        return type(estimator)(**parameters).fit(rows.table.take(~held), rows.target)

    for held, grown in steps("growing tree", cross_validate(folds, fit), int(folds.max()) + 1):
        with warnings.catch_warnings():  # of no interest here
            warnings.simplefilter("ignore", UnseenCategoryWarning)
            answers[held] = coded(Raw(grown.predict(rows.table.take(held))), labels)
    return compare(labels, true[folds >= 0], answers[folds >= 0])


def deal_rows(
    rows: TrainingTable, labels: list[Any], seed: int, n_folds: int, holdout: float | None
) -> NDArray[np.int32]:
    """Return a fold for each row, stratified by class and drawn by `seed`.

    With `holdout`, this fraction of the rows is in fold 0, and the others are in fold −1.
    """
    n_rows = rows.table.n_rows
    order = np.random.default_rng(seed).permutation(n_rows)
    if labels:
        order = order[np.argsort(coded(rows.raw_target, labels)[order], kind="stable")]
    if holdout is None:
        return deal(order, n_rows, n_folds)
    n_held = min(max(1, round(holdout * n_rows)), n_rows - 1)
    # At equal distances along rows that are sorted by class.
    chosen = np.floor((np.arange(n_held) + 0.5) * n_rows / n_held).astype(np.intp)
    return deal(order[chosen], n_rows, 1)
