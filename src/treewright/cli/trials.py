"""Trees on rows that they were not grown on: folds, or a part held out."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli.figures import Classified, Measured, tally
from treewright.cli.tables import Lesson
from treewright.cli.words import steps
from treewright.errors import UnseenCategoryWarning


def try_out(
    estimator: Any, lesson: Lesson, folds: NDArray[np.intp], labels: Sequence[Any]
) -> Classified | Measured:
    """Grow without each fold, and answer for it.

    Parameters
    ----------
    estimator : estimator
        How to grow; it is left as it is.
    lesson : Lesson
        The rows.
    folds : array of intp
        Fold of every row; −1 is never held out.
    labels : sequence
        The classes, none where numbers are predicted.
    """
    n_folds = int(folds.max()) + 1
    answers: NDArray[Any] = np.zeros(len(folds), dtype=np.intp if labels else np.float64)
    at = {label: place for place, label in enumerate(labels)}
    changes: dict[str, Any] = {"verbose": 0}
    if estimator.get_params().get("missing") == "refuse":
        # No row has a gap, so the trees are the same; but a category may be new to one of them.
        changes["missing"] = "majority"
    for fold in steps("growing tree", n_folds):
        held = np.flatnonzero(folds == fold)
        grown = type(estimator)(**{**estimator.get_params(), **changes})
        grown.fit(lesson.table.take(np.flatnonzero(folds != fold)), lesson.target)
        rows, _ = lesson.table.take(held).split_off(lesson.target)
        with warnings.catch_warnings():  # a category that only rows held out have is no news here
            warnings.simplefilter("ignore", UnseenCategoryWarning)
            given = grown.predict(rows)
        answers[held] = [at[label] for label in given.tolist()] if labels else given
    held = np.flatnonzero(folds >= 0)
    true = true_values(lesson, labels)
    if labels:
        return tally(labels, true[held].astype(np.intp), answers[held])
    return Measured(true[held], answers[held])


def true_values(lesson: Lesson, labels: Sequence[Any]) -> NDArray[Any]:
    """Give the target of every row: the place of its class, or its number."""
    values = lesson.raw_target.decoded().values
    if not labels:
        return values.astype(np.float64)
    at = {label: place for place, label in enumerate(labels)}
    return np.array([at[label] for label in values.tolist()], dtype=np.intp)


def deal(lesson: Lesson, n_folds: int, seed: int, labels: Sequence[Any]) -> NDArray[np.intp]:
    """Deal rows to folds, each class evenly, drawn by `seed`."""
    n_rows = lesson.table.n_rows
    order = np.random.default_rng(seed).permutation(n_rows)
    if labels:
        order = order[np.argsort(true_values(lesson, labels)[order], kind="stable")]
    folds = np.empty(n_rows, dtype=np.intp)
    folds[order] = np.arange(n_rows) % n_folds
    return folds


def hold_out(lesson: Lesson, part: float, seed: int, labels: Sequence[Any]) -> NDArray[np.intp]:
    """Hold a part of the rows out, of each class as much, drawn by `seed`; the others are in fold −1."""
    n_rows = lesson.table.n_rows
    n_held = min(max(1, round(part * n_rows)), n_rows - 1)
    order = np.random.default_rng(seed).permutation(n_rows)
    if labels:
        order = order[np.argsort(true_values(lesson, labels)[order], kind="stable")]
    # Evenly along rows that are in order of their class.
    chosen = np.floor((np.arange(n_held) + 0.5) * n_rows / n_held).astype(np.intp)
    folds = np.full(n_rows, -1, dtype=np.intp)
    folds[order[chosen]] = 0
    return folds
