"""Predictions for rows that a tree was not grown on: cross-validation, or held-out rows."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli.figures import Classified, Measured, tally
from treewright.cli.tables import TrainingTable
from treewright.cli.words import steps
from treewright.errors import UnseenCategoryWarning
from treewright.estimators.folds import cross_validate, deal
from treewright.table.read import Raw
from treewright.table.target import read_classes, read_numbers


def predict_folds(
    estimator: Any, rows: TrainingTable, folds: NDArray[np.int32], labels: Sequence[Any]
) -> Classified | Measured:
    """Grow a tree without each fold, and predict that fold.

    Parameters
    ----------
    estimator : estimator
        How to grow the trees; it is not changed.
    rows : TrainingTable
        The rows.
    folds : array of int32
        Fold of every row; −1 is never held out.
    labels : sequence
        The classes; empty for regression.
    """
    answers: NDArray[Any] = np.zeros(len(folds), dtype=np.intp if labels else np.float64)
    parameters = {**estimator.get_params(), "verbose": 0}
    if parameters.get("missing") == "refuse":
        # No value is missing, so the trees are the same; but one may not know a category of its fold.
        parameters["missing"] = "majority"

    def fit(_: int, held: NDArray[np.bool_]) -> Any:
        return type(estimator)(**parameters).fit(rows.table.take(np.flatnonzero(~held)), rows.target)

    for held, grown in steps("growing tree", cross_validate(folds, fit), int(folds.max()) + 1):
        unseen, _ = rows.table.take(np.flatnonzero(held)).split_off(rows.target)
        with warnings.catch_warnings():  # of no interest here
            warnings.simplefilter("ignore", UnseenCategoryWarning)
            predicted = grown.predict(unseen)
        answers[held] = _coded(Raw(predicted), labels)
    held = folds >= 0
    true = _coded(rows.raw_target, labels)[held]
    return tally(labels, true, answers[held]) if labels else Measured(true, answers[held])


def _coded(raw: Raw, labels: Sequence[Any]) -> NDArray[Any]:
    """Return classes as their positions in `labels`, numbers as they are."""
    return read_classes(raw).renumbered(labels).codes.astype(np.intp) if labels else read_numbers(raw)


def stratified_folds(
    rows: TrainingTable, n_folds: int, seed: int, labels: Sequence[Any]
) -> NDArray[np.int32]:
    """Return a fold for each row, stratified by class, drawn by `seed`."""
    return deal(_shuffled(rows, seed, labels), rows.table.n_rows, n_folds)


def hold_out(rows: TrainingTable, fraction: float, seed: int, labels: Sequence[Any]) -> NDArray[np.int32]:
    """Put a fraction of the rows, stratified by class, in fold 0, and the others in fold −1."""
    n_rows = rows.table.n_rows
    n_held = min(max(1, round(fraction * n_rows)), n_rows - 1)
    # At equal distances along rows that are sorted by class.
    chosen = np.floor((np.arange(n_held) + 0.5) * n_rows / n_held).astype(np.intp)
    return deal(_shuffled(rows, seed, labels)[chosen], n_rows, 1)


def _shuffled(rows: TrainingTable, seed: int, labels: Sequence[Any]) -> NDArray[np.intp]:
    """Return the rows in random order, sorted by class if there are classes."""
    order = np.random.default_rng(seed).permutation(rows.table.n_rows)
    codes = _coded(rows.raw_target, labels)
    return order[np.argsort(codes[order], kind="stable")] if labels else order
