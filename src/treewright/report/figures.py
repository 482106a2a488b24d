"""The figures of a report that depend on the tree: how well it predicts and which columns matter."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def shown_classes(
    target: NDArray[Any], answers: NDArray[Any], weights: NDArray[np.float64], n_classes: int
) -> list[int]:
    """Return the heaviest classes, which have rows of their own in a confusion matrix."""
    weight = np.bincount(target, weights, minlength=n_classes)
    weight = weight + np.bincount(answers, weights, minlength=n_classes)
    return sorted(np.argsort(-weight, kind="stable")[:MOST_IN_MATRIX].tolist())


def of_classes(
    target: NDArray[Any],
    answers: NDArray[Any],
    weights: NDArray[np.float64],
    n_classes: int,
    shown: list[int],
) -> dict[str, Any]:
    """Return the accuracy and the confusion matrix.

    Parameters
    ----------
    target, answers : arrays of int
        Codes of the true and of the predicted classes.
    weights : array of float64
        Weights of the rows.
    n_classes : int
        Number of classes.
    shown : list of int
        Classes with rows of their own, see `shown_classes`; the others share the last row.

    Returns
    -------
    dict
        ``accuracy`` and ``matrix``, true by predicted class.
    """
    place = np.full(n_classes, len(shown))
    place[shown] = np.arange(len(shown))
    side = len(shown) + (len(shown) < n_classes)
    matrix = np.bincount(place[target] * side + place[answers], weights, minlength=side * side)
    right = float(weights[target == answers].sum())
    return {
        "accuracy": right / float(weights.sum()),
        "matrix": plain_numbers(matrix.reshape(side, side)),
    }


def of_numbers(
    target: NDArray[np.float64], answers: NDArray[np.float64], weights: NDArray[np.float64]
) -> dict[str, Any]:
    """Return the errors of a regression.

    Parameters
    ----------
    target, answers : arrays of float64
        True and predicted numbers.
    weights : array of float64
        Weights of the rows.

    Returns
    -------
    dict
        ``mean_absolute_error``, ``root_mean_squared_error``, ``r2`` (None if all targets are equal),
        ``residuals`` (a histogram) and ``map``: weights by true and predicted number, ``low`` and ``high``.
    """

    def summed(values: NDArray[np.float64]) -> float:
        return float((weights * values).sum())

    residuals, total = target - answers, float(weights.sum())
    squares, around = summed(residuals**2), summed((target - summed(target) / total) ** 2)
    low, high = float(min(target.min(), answers.min())), float(max(target.max(), answers.max()))
    truths, answered = (intervals(each, low, high, _CELLS) for each in (target, answers))
    cells = np.bincount(truths * _CELLS + answered, weights, minlength=_CELLS * _CELLS)
    return {
        "mean_absolute_error": summed(np.abs(residuals)) / total,
        "root_mean_squared_error": float(np.sqrt(squares / total)),
        "r2": 1.0 - squares / around if around else None,
        "residuals": histogram(residuals, weights),
        "map": {"low": low, "high": high, "cells": plain_numbers(cells.reshape(_CELLS, _CELLS))},
    }
