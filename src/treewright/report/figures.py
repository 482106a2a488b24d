"""The figures of a report that depend on the tree: how well it predicts and which columns matter."""

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.labelled_rows import EncodedRows
from treewright.model.tree import Tree
from treewright.report.distributions import histogram, intervals
from treewright.report.nodes import plain_numbers

MOST_IMPORTANT = 40  # columns on a page
MOST_IN_MATRIX = 30
_CELLS = 24  # a side of the map of true and predicted numbers


def importances_of(tree: Tree) -> dict[str, float]:
    """Return the importances of the most important columns, by position."""
    importances = tree.compute_feature_importances()
    most = np.argsort(-importances, kind="stable")[:MOST_IMPORTANT]
    return {str(column): float(importances[column]) for column in most if importances[column] > 0}


def shown_classes(rows: EncodedRows, answers: NDArray[Any]) -> list[int]:
    """Return the heaviest classes, which have rows of their own in a confusion matrix."""
    of_answers = np.bincount(answers, rows.weight_of_each, minlength=rows.n_classes)
    weight = rows.weight_of_classes() + of_answers
    return sorted(np.argsort(-weight, kind="stable")[:MOST_IN_MATRIX].tolist())


def quality_of(rows: EncodedRows, answers: NDArray[Any], shown: list[int]) -> dict[str, Any]:
    """Return how well rows are predicted.

    Parameters
    ----------
    rows : EncodedRows
        The rows.
    answers : array
        Codes of the classes, or the numbers, predicted for them.
    shown : list of int
        Classes with rows of their own, see `shown_classes`; the others share the last row. Empty for a
        regression.

    Returns
    -------
    dict
        For classes ``accuracy`` and ``matrix``, true by predicted class. For numbers ``mean_absolute_error``,
        ``root_mean_squared_error``, ``r2`` (None if all targets are equal), ``residuals`` (a histogram) and
        ``map``: weights by true and predicted number, ``low`` and ``high``.
    """
    if not shown:
        return _of_numbers(rows, answers)
    place = np.full(rows.n_classes, len(shown))
    place[shown] = np.arange(len(shown))
    side = len(shown) + (len(shown) < rows.n_classes)
    cells = place[rows.targets] * side + place[answers]
    matrix = np.bincount(cells, rows.weight_of_each, minlength=side * side).reshape(side, side)
    right = float(rows.weight_of_each[rows.targets == answers].sum())
    return {"accuracy": right / rows.weight, "matrix": plain_numbers(matrix)}


def _of_numbers(rows: EncodedRows, answers: NDArray[np.float64]) -> dict[str, Any]:
    target, weights = rows.targets, rows.weight_of_each
    mean = partial(np.average, weights=weights)
    residuals = target - answers
    squares, around = float(mean(residuals**2)), float(mean((target - mean(target)) ** 2))
    low, high = float(min(target.min(), answers.min())), float(max(target.max(), answers.max()))
    truths, answered = (intervals(each, low, high, _CELLS) for each in (target, answers))
    cells = np.bincount(truths * _CELLS + answered, weights, minlength=_CELLS * _CELLS)
    return {
        "mean_absolute_error": float(mean(np.abs(residuals))),
        "root_mean_squared_error": math.sqrt(squares),
        "r2": 1.0 - squares / around if around else None,
        "residuals": histogram(residuals, weights),
        "map": {"low": low, "high": high, "cells": plain_numbers(cells.reshape(_CELLS, _CELLS))},
    }
