"""The figures of a report that depend on the tree: how well it predicts and which columns matter."""

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.formatting import significant
from treewright.model.labelled_rows import EncodedRows
from treewright.model.pruning_table import PruningTable
from treewright.model.rows_at_nodes import RowsAtNodes, intervals
from treewright.model.tree import Tree
from treewright.report.distributions import histogram
from treewright.report.nodes import plain_number, plain_numbers

MOST_IMPORTANT = 40  # columns on a page
MOST_IN_MATRIX = 30
_CELLS = 24  # on each side of the map of true and predicted numbers


def importances_of(tree: Tree) -> dict[str, float]:
    """Return the importances of the most important columns, by position."""
    importances = tree.compute_feature_importances()
    most = np.argsort(-importances, kind="stable")[:MOST_IMPORTANT]
    return {str(column): float(importances[column]) for column in most if importances[column] > 0}


def shown_classes(rows: EncodedRows, answers: NDArray[Any]) -> list[int]:
    """Return the heaviest classes, which have their own rows in a confusion matrix."""
    of_answers = np.bincount(answers, rows.weight_of_each, minlength=rows.n_classes)
    weight = rows.weight_of_classes() + of_answers
    return sorted(np.argsort(-weight, kind="stable")[:MOST_IN_MATRIX].tolist())


def quality_of(rows: EncodedRows, answers: NDArray[Any], shown: list[int]) -> dict[str, Any]:
    """Measure how well rows are predicted.

    Parameters
    ----------
    rows : EncodedRows
        The rows.
    answers : array
        The predicted codes of classes, or the predicted numbers.
    shown : list of int
        Classes with their own rows, see `shown_classes`; the others share the last row. Empty for regression.

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


def baseline_of(tree: Tree, rows: EncodedRows) -> dict[str, Any]:
    """Measure how well the root alone predicts the rows, which any useful tree must beat.

    Returns
    -------
    dict
        ``answer``: the code of the heaviest training class, or the root's number; and ``accuracy``, or for
        regression the errors, as in `quality_of`.
    """
    root = tree.outcome[0]
    if tree.is_classifier:
        answer = int(root.argmax())
        right = float(rows.weight_of_each[rows.targets == answer].sum())
        return {"answer": answer, "accuracy": right / rows.weight}
    quality = _of_numbers(rows, np.full(rows.n_rows, root[0]))
    errors = ("mean_absolute_error", "root_mean_squared_error", "r2")
    return {"answer": plain_number(root[0]), **{name: quality[name] for name in errors}}


def rows_at_nodes(tree: Tree, rows: EncodedRows) -> list[list[Any] | None]:
    """Return the outcomes of rows at each node of a tree that was not grown on them.

    Returns
    -------
    list of list or None
        None at a node that no row reaches. For classes, codes and weights alternate; for numbers, the weight,
        the mean, and the root mean squared distance from the node's prediction.
    """
    rows_at = RowsAtNodes(tree, rows)
    found: list[list[Any] | None] = []
    for node in range(tree.n_nodes):
        row, here = rows_at.at(node)
        own = rows.targets[row]
        if not here.any():
            found.append(None)
        elif tree.is_classifier:
            by_class = np.bincount(own, here)
            codes = np.flatnonzero(by_class).tolist()
            found.append([each for code in codes for each in (code, plain_number(by_class[code]))])
        else:
            squares = np.average((own - tree.outcome[node, 0]) ** 2, weights=here)
            figures = (significant(np.average(own, weights=here)), significant(math.sqrt(squares)))
            found.append([plain_number(here.sum()), *figures])
    return found


def scores_of(table: PruningTable, risk: str, baseline: dict[str, Any]) -> dict[str, Any] | None:
    """Convert cross-validated errors to the score that is shown for the training rows, if possible.

    Parameters
    ----------
    table : PruningTable
        The pruning table.
    risk : str
        What its errors measure.
    baseline : dict
        The result of `baseline_of` for the training rows.

    Returns
    -------
    dict or None
        ``name`` (``"accuracy"`` or ``"r2"``), and for each tree ``values`` and ``errors``, their standard
        errors; None if the table measures something else, as with losses, priors and absolute errors.
    """
    if "accuracy" in baseline:
        name, unit, root = "accuracy", table.root_risk, 1.0 - baseline["accuracy"]
        counts_errors = risk == "error"
    else:
        name, unit, root = "r2", 1.0, baseline["root_mean_squared_error"] ** 2
        counts_errors = True
    if not counts_errors or not math.isclose(root, table.root_risk, rel_tol=1e-9):
        return None
    return {
        "name": name,
        "values": or_none(1.0 - table.cv_error * unit),
        "errors": or_none(table.cv_std * unit),
    }


def or_none(values: NDArray[np.float64]) -> list[float | None]:
    """Return numbers for JSON, with None in place of those that are not finite."""
    return [value if np.isfinite(value) else None for value in values.tolist()]
