"""Trees on rows that they were not grown on: folds, or a part held out."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli.figures import Classified, Measured, tally
from treewright.cli.tables import Lesson
from treewright.cli.words import Steps
from treewright.errors import UnseenCategoryWarning
from treewright.estimators.folds import cross_validate, deal
from treewright.table.target import read_classes, read_numbers


def try_out(
    estimator: Any, lesson: Lesson, folds: NDArray[np.int32], labels: Sequence[Any]
) -> Classified | Measured:
    """Grow without each fold, and answer for it.

    Parameters
    ----------
    estimator : estimator
        How to grow; it is left as it is.
    lesson : Lesson
        The rows.
    folds : array of int32
        Fold of every row; −1 is never held out.
    labels : sequence
        The classes, none where numbers are predicted.
    """
    answers: NDArray[Any] = np.zeros(len(folds), dtype=np.intp if labels else np.float64)
    at = {label: place for place, label in enumerate(labels)}
    parameters = {**estimator.get_params(), "verbose": 0}
    if parameters.get("missing") == "refuse":
        # No row has a missing value, so the trees are the same; but a category may be new to one of them.
        parameters["missing"] = "majority"
    steps = Steps("growing tree", int(folds.max()) + 1)

    def fit(fold: int, held: NDArray[np.bool_]) -> Any:
        steps.at(fold)
        return type(estimator)(**parameters).fit(lesson.table.take(np.flatnonzero(~held)), lesson.target)

    for held, grown in cross_validate(folds, fit):
        rows, _ = lesson.table.take(np.flatnonzero(held)).split_off(lesson.target)
        with warnings.catch_warnings():  # a category that only rows held out have is no news here
            warnings.simplefilter("ignore", UnseenCategoryWarning)
            given = grown.predict(rows)
        answers[held] = [at[label] for label in given.tolist()] if labels else given
    steps.at(int(folds.max()) + 1)
    held = folds >= 0
    true = true_values(lesson, labels)
    if labels:
        return tally(labels, true[held].astype(np.intp), answers[held])
    return Measured(true[held], answers[held])


def true_values(lesson: Lesson, labels: Sequence[Any]) -> NDArray[Any]:
    """Give the target of every row: the position of its class, or its number."""
    if not labels:
        return read_numbers(lesson.raw_target)
    return read_classes(lesson.raw_target).renumbered(labels).codes.astype(np.intp)


def dealt(lesson: Lesson, n_folds: int, seed: int, labels: Sequence[Any]) -> NDArray[np.int32]:
    """Deal rows to folds, each class evenly, drawn by `seed`."""
    return deal(_shuffled(lesson, seed, labels), lesson.table.n_rows, n_folds)


def held_out(lesson: Lesson, part: float, seed: int, labels: Sequence[Any]) -> NDArray[np.int32]:
    """Hold a part of the rows out, of each class as much, drawn by `seed`; the others are in fold −1."""
    n_rows = lesson.table.n_rows
    n_held = min(max(1, round(part * n_rows)), n_rows - 1)
    # Evenly along rows that are in order of their class.
    chosen = np.floor((np.arange(n_held) + 0.5) * n_rows / n_held).astype(np.intp)
    return deal(_shuffled(lesson, seed, labels)[chosen], n_rows, 1)


def _shuffled(lesson: Lesson, seed: int, labels: Sequence[Any]) -> NDArray[np.intp]:
    order = np.random.default_rng(seed).permutation(lesson.table.n_rows)
    return order[np.argsort(true_values(lesson, labels)[order], kind="stable")] if labels else order
