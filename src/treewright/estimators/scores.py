"""How well predictions agree with the truth: scores of classes and of numbers, with standard errors.

A score keeps the influence of every row, that is, its derivative with respect to the weight of the row. The
standard error follows from the influences (the infinitesimal jackknife). The standard error of the difference
of two scores on the same rows follows in the same way, for every score.
"""

import math
from dataclasses import dataclass

import numpy as np

from treewright.model.records import Bool, Float64, Intp

# Least probability of the true class: with 0 the log loss would be infinite.
_LEAST_SHARE = float(np.finfo(np.float64).eps)
_ROUNDING = 1e-14

LOWER_IS_BETTER = frozenset(("log_loss", "brier_score", "mean_absolute_error", "root_mean_squared_error"))
"""The names of scores that measure errors; for all others, more is better."""


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """A score of predictions.

    Parameters
    ----------
    value : float
        NaN if it is not defined.
    influences : array of float64
        How much each row changes it; they add up to 0.

    Examples
    --------
    >>> right = mean_score(np.array([1.0, 1.0, 0.0, 1.0]))
    >>> right.value, round(right.error, 3)
    (0.75, 0.217)
    """

    value: float
    influences: Float64

    @property
    def error(self) -> float:
        """Standard error, for rows drawn independently."""
        n_rows = len(self.influences)
        return float(np.sqrt((self.influences**2).sum())) / n_rows if n_rows else math.nan

    def minus(self, other: "Score") -> "Score":
        """Return the difference between this score and another one on the same rows."""
        return Score(self.value - other.value, self.influences - other.influences)


def mean_score(values: Float64) -> Score:
    """Return the mean of a value for each row."""
    mean = float(values.mean())
    return Score(mean, values - mean)


def class_scores(true: Intp, answers: Intp, shares: Float64) -> dict[str, Score]:
    """Score predictions of classes.

    Parameters
    ----------
    true, answers : array of int, (n_rows,)
        The class of every row, and the class predicted.
    shares : array of float64, (n_rows, n_classes)
        The predicted probabilities of the classes.

    Returns
    -------
    dict of str to Score
        Accuracy; balanced accuracy, the mean recall of the classes that occur; log loss; ROC AUC, with more
        than two classes the mean over each class against the rest; Brier score, with two classes the squared
        error of one; Cohen's kappa. They agree with `sklearn.metrics`.

    Examples
    --------
    >>> shares = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.3, 0.7]])
    >>> scores = class_scores(np.array([0, 0, 0, 1]), shares.argmax(axis=1), shares)
    >>> {name: round(score.value, 4) for name, score in scores.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'accuracy': 0.75, 'balanced_accuracy': 0.8333, 'log_loss': 0.6456, 'roc_auc': 0.6667,
     'brier_score': 0.225, 'kappa': 0.5}
    """
    n_rows, n_classes = shares.shape
    hits = (true == answers).astype(np.float64)
    of_true = shares[np.arange(n_rows), true]
    squares = (shares**2).sum(axis=1) - 2 * of_true + 1.0
    return {
        "accuracy": mean_score(hits),
        "balanced_accuracy": _balanced(true, hits, n_classes),
        "log_loss": mean_score(-np.log(np.maximum(of_true, _LEAST_SHARE))),
        "roc_auc": _area(true, shares),
        "brier_score": mean_score(squares / 2 if n_classes == 2 else squares),
        "kappa": _kappa(true, answers, hits, n_classes),
    }


def number_scores(true: Float64, predicted: Float64) -> dict[str, Score]:
    """Score predictions of numbers.

    Parameters
    ----------
    true, predicted : array of float64
        The true and the predicted number of every row.

    Returns
    -------
    dict of str to Score
        Mean absolute error; root mean squared error; R², the share of the variance that is explained, NaN if
        all numbers are equal.

    Examples
    --------
    >>> scores = number_scores(np.array([1.0, 2.0, 6.0]), np.array([2.0, 2.0, 5.0]))
    >>> {name: round(score.value, 4) for name, score in scores.items()}
    {'mean_absolute_error': 0.6667, 'root_mean_squared_error': 0.8165, 'r2': 0.8571}
    """
    squared, deviation = (true - predicted) ** 2, (true - true.mean()) ** 2
    mean, variance = mean_score(squared), float(deviation.mean())
    root = math.sqrt(mean.value)
    r2 = _undefined(len(true))
    if variance:
        ratio = mean.value / variance
        r2 = Score(1.0 - ratio, (ratio * deviation - squared) / variance)
    return {
        "mean_absolute_error": mean_score(np.abs(true - predicted)),
        "root_mean_squared_error": Score(root, mean.influences / (2 * root) if root else mean.influences),
        "r2": r2,
    }


def constant_class(true: Intp, n_classes: int) -> tuple[int, dict[str, Score]]:
    """Return the most frequent class, and the scores of always predicting it, with all class frequencies."""
    counts = np.bincount(true, minlength=n_classes)
    commonest = int(counts.argmax())
    shares = np.broadcast_to(counts / len(true), (len(true), n_classes))
    return commonest, class_scores(true, np.full_like(true, commonest), shares)


def constant_number(true: Float64) -> tuple[float, dict[str, Score]]:
    """Return the mean, and the scores of always predicting it."""
    mean = float(true.mean())
    return mean, number_scores(true, np.full_like(true, mean))


def _undefined(n_rows: int) -> Score:
    return Score(math.nan, np.full(n_rows, math.nan))


def _balanced(true: Intp, hits: Float64, n_classes: int) -> Score:
    counts = np.bincount(true, minlength=n_classes)
    right = np.bincount(true, hits, minlength=n_classes)
    occurs = counts > 0
    recall = np.divide(right, counts, out=np.zeros(n_classes), where=occurs)
    n_occur = int(occurs.sum())
    influences = (hits - recall[true]) * len(true) / (counts[true] * n_occur)
    return Score(float(recall[occurs].sum()) / n_occur, influences)


def _kappa(true: Intp, answers: Intp, hits: Float64, n_classes: int) -> Score:
    n_rows = len(true)
    of_true, of_answers = (np.bincount(codes, minlength=n_classes) / n_rows for codes in (true, answers))
    by_chance, agreed = float(of_true @ of_answers), float(hits.mean())
    if by_chance >= 1.0:
        return _undefined(n_rows)
    chance_moves = of_answers[true] + of_true[answers] - 2 * by_chance
    kappa = (agreed - by_chance) / (1 - by_chance)
    influences = (hits - agreed - (1 - kappa) * chance_moves) / (1 - by_chance)
    influences[np.abs(influences) < _ROUNDING] = 0.0  # exactly 0 if all rows have the same prediction
    return Score(kappa, influences)


def _area(true: Intp, shares: Float64) -> Score:
    """Return the area under the ROC curve, averaged over the classes that some but not all rows have."""
    n_rows, n_classes = shares.shape
    counts = np.bincount(true, minlength=n_classes)
    classes = np.flatnonzero((counts > 0) & (counts < n_rows))
    if not len(classes):
        return _undefined(n_rows)
    areas = [_area_of(true == each, shares[:, each]) for each in (classes[1:] if n_classes == 2 else classes)]
    influences = sum((area.influences for area in areas), np.zeros(n_rows)) / len(areas)
    return Score(sum(area.value for area in areas) / len(areas), influences)


def _area_of(is_class: Bool, shares: Float64) -> Score:
    """Return how often a row of the class has a larger share of it than another row; ties count half."""
    rank = np.unique(shares, return_inverse=True)[1]
    yes, no = np.bincount(rank, is_class), np.bincount(rank, ~is_class)
    n_yes, n_no = float(yes.sum()), float(no.sum())
    beaten = (np.cumsum(no) - no / 2) / n_no  # fraction of the other rows that a row of the class beats
    beats = 1.0 - (np.cumsum(yes) - yes / 2) / n_yes
    area = float(yes @ beaten) / n_yes
    n_rows = len(is_class)
    influences = np.where(
        is_class, (beaten[rank] - area) * n_rows / n_yes, (beats[rank] - area) * n_rows / n_no
    )
    return Score(area, influences)
