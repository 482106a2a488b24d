"""The figures of a report that change with the tree: how well it answers, and which columns it goes by."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.tree import Tree
from treewright.report.distributions import histogram, intervals
from treewright.report.nodes import plain_numbers

MOST_IMPORTANT = 40  # columns that a page has room for
MOST_IN_MATRIX = 30
_CELLS = 24  # a side of the map of answers and truths


def importances_of(tree: Tree) -> dict[str, float]:
    """Give the importances of the columns that have most, by position."""
    importances = tree.compute_feature_importances()
    most = np.argsort(-importances, kind="stable")[:MOST_IMPORTANT]
    return {str(column): float(importances[column]) for column in most if importances[column] > 0}


def told_apart(
    target: NDArray[Any], answers: NDArray[Any], weights: NDArray[np.float64], n_classes: int
) -> list[int]:
    """Choose the classes that have lines of their own in a confusion matrix: the heaviest ones."""
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
    """Count right answers, and answers by true class.

    Parameters
    ----------
    target, answers : arrays of int
        Positions of the true classes, and of those that a tree answers with.
    weights : array of float64
        What each row counts.
    n_classes : int
        Classes that there are.
    shown : list of int
        Those with lines of their own, see `told_apart`; the others have one together, the last one.

    Returns
    -------
    dict
        ``accuracy`` and ``matrix``, truths by answers.
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
    """Measure how far off answers are.

    Parameters
    ----------
    target, answers : arrays of float64
        The true numbers, and those that a tree answers with.
    weights : array of float64
        What each row counts.

    Returns
    -------
    dict
        ``mean_absolute_error``, ``root_mean_squared_error``, ``r2`` (None where all targets are equal),
        ``residuals`` (a histogram) and ``map``: weights by truth and answer, with ``low`` and ``high``.
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
