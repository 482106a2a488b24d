"""Print scores of predictions beside the baseline; for classes, a confusion matrix and scores by class.

Every score has a standard error, for independently drawn rows: for a proportion by the usual formula, for all
others by first derivatives, see `treewright.estimators.scores`.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.estimators.scores import (
    LOWER_IS_BETTER,
    Score,
    class_scores,
    constant_class,
    constant_number,
    number_scores,
)
from treewright.formatting import format_number, format_with_error
from treewright.grid import Align, Grid, aligned, shortened, text_width

_MOST_SQUARE = 12  # classes of a matrix that fits a terminal
_MOST_CONFUSED = 12  # pairs of classes listed instead of a larger matrix
_WIDTH = 80
NAMES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "log_loss": "log loss",
    "roc_auc": "ROC AUC",
    "brier_score": "Brier score",
    "kappa": "Cohen's kappa",
    "mean_absolute_error": "mean absolute error",
    "root_mean_squared_error": "root mean squared error",
    "r2": "R², variance explained",
}
"""Scores as they are printed."""


def with_error(score: Score) -> str:
    """Write a score with its standard error."""
    return format_with_error(score.value, score.error)


def plain_score(score: Score) -> dict[str, float]:
    """Return a score as plain values."""
    return {"value": score.value, "standard_error": score.error}


@dataclass(frozen=True, slots=True)
class Figure:
    """A score of a class and its standard error.

    Parameters
    ----------
    value, error : float
        NaN if it is not defined.
    """

    value: float
    error: float

    def __str__(self) -> str:
        return format_with_error(self.value, self.error)

    def plain(self) -> dict[str, float]:
        """Return the figure as plain values."""
        return {"value": self.value, "standard_error": self.error}


UNDEFINED = Figure(math.nan, math.nan)


def proportion(count: float, total: float) -> Figure:
    """Return a proportion of rows.

    Examples
    --------
    >>> print(proportion(75, 100))
    0.750 ± 0.043
    """
    if not total:
        return UNDEFINED
    value = count / total
    return Figure(value, math.sqrt(value * (1 - value) / total))


@dataclass(frozen=True, slots=True)
class Confusion:
    """Rows by true and predicted class.

    Parameters
    ----------
    labels : sequence
        The classes.
    counts : array of int64
        A row for each true class, a column for each predicted class.
    """

    labels: Sequence[Any]
    counts: NDArray[np.int64]

    def scores(self, code: int) -> dict[str, Figure]:
        """Return precision, recall and F1 of a class."""
        hits = int(self.counts[code, code])
        n_true, n_predicted = int(self.counts[code].sum()), int(self.counts[:, code].sum())
        return {
            "precision": proportion(hits, n_predicted),
            "recall": proportion(hits, n_true),
            "f1": _f1(hits, n_true + n_predicted - 2 * hits, int(self.counts.sum())),
        }

    def plain(self) -> dict[str, Any]:
        """Return the scores as plain values."""
        return {
            "classes": [
                {"class": label, "rows": int(self.counts[code].sum())}
                | {name: score.plain() for name, score in self.scores(code).items()}
                for code, label in enumerate(self.labels)
            ],
            "confusion": self.counts.tolist(),
        }

    def matrix(self) -> str:
        """Write the confusion matrix or, for many classes, the most frequent confusions."""
        if len(self.labels) > _MOST_SQUARE:
            return self._confused()
        aligns: list[Align] = ["left"]
        aligns += ["right"] * len(self.labels)
        for beside, above in ((24, 24), (16, 10)):  # room for the name of a class
            lines = [["true class", *(shortened(str(label), above) for label in self.labels)]]
            for label, row in zip(self.labels, self.counts.tolist(), strict=True):
                lines.append([shortened(str(label), beside), *(f"{count:,}" for count in row)])
            printed = aligned(lines, aligns)
            if max(map(text_width, printed)) <= _WIDTH:
                margin = max(text_width(first) for first, *_ in lines)
                return "\n".join((f"{'':{margin}}  predicted", *printed))
        return self._confused()

    def _confused(self) -> str:
        """Write the pairs of classes that are most often confused."""
        wrong = self.counts - np.diag(np.diag(self.counts))
        order = np.argsort(-wrong, axis=None, kind="stable")[:_MOST_CONFUSED]
        true, predicted = np.unravel_index(order[wrong.flat[order] > 0], wrong.shape)
        rows = wrong[true, predicted].tolist()
        if not rows:
            return "No class was predicted for another."
        texts = np.array([shortened(str(label), 24) for label in self.labels], dtype=object)
        columns = {"true class": texts[true].tolist(), "predicted": texts[predicted].tolist(), "rows": rows}
        n_more = int(np.count_nonzero(wrong)) - len(rows)
        more = f"\n… and {n_more:,} more pairs of classes" if n_more else ""
        return f"{Grid(columns, {'rows': ','})}{more}"

    def by_class(self) -> str:
        """Write a table of the scores of each class."""
        scores = [self.scores(code) for code in range(len(self.labels))]
        columns: dict[str, list[Any]] = {
            "class": [shortened(str(label), 24) for label in self.labels],
            "rows": self.counts.sum(axis=1).tolist(),
        }
        for name in ("precision", "recall", "F1"):
            columns[name] = [str(each[name.lower()]) for each in scores]
        return Grid(columns, {"rows": ","}).to_text(60)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How well rows are predicted, compared with the best constant prediction.

    Parameters
    ----------
    scores : dict of str to Score
        Scores of the predictions, the most important first.
    constant : object
        The baseline: the most frequent class of these rows, or their mean.
    baseline : dict of str to Score
        Scores of always predicting this constant.
    n_rows : int
        Number of rows.
    confusion : Confusion or None
        For classes, the numbers of rows by true and predicted class.
    """

    scores: dict[str, Score]
    constant: Any
    baseline: dict[str, Score]
    n_rows: int
    confusion: "Confusion | None"

    def __str__(self) -> str:
        columns: dict[str, list[str]] = {"score": [NAMES[name] for name in self.scores]}
        columns["value ± std. error"] = list(map(with_error, self.scores.values()))
        columns["baseline"] = list(map(with_error, self.baseline.values()))
        columns["difference"] = [with_error(self._gain(name)) for name in self.scores]
        texts = [str(Grid(columns)), "\n".join(self._notes())]
        if self.confusion is not None:
            texts += [self.confusion.matrix(), self.confusion.by_class()]
        return "\n\n".join(texts)

    def plain(self) -> dict[str, Any]:
        """Return the scores as plain values."""
        scores = {name: plain_score(score) for name, score in self.scores.items()}
        baseline = {name: plain_score(score) for name, score in self.baseline.items()}
        of_classes = {} if self.confusion is None else self.confusion.plain()
        return {
            "rows": self.n_rows,
            **scores,
            "baseline": {"prediction": self.constant, **baseline},
            "differences": {name: plain_score(self._gain(name)) for name in self.scores},
            **of_classes,
        }

    def _gain(self, name: str) -> Score:
        return self.scores[name].minus(self.baseline[name])

    def _notes(self) -> Iterator[str]:
        first = next(iter(self.scores))
        if self.confusion is None:
            yield f"{self.n_rows:,} rows; baseline: always the mean, {format_number(self.constant)}"
        else:
            n_wrong = self.n_rows - int(self.confusion.counts.trace())
            label = shortened(str(self.constant), 20)
            wrong = f"{n_wrong:,} of {self.n_rows:,} rows wrong"
            yield f"{wrong}; baseline: always {label}, the most frequent class"
            yield "Of log loss and Brier score, less is better."
        gain = self._gain(first)
        better = -gain.value if first in LOWER_IS_BETTER else gain.value
        if not better > 0:
            yield "The tree is no better than the baseline."
        elif better < 2 * gain.error:
            yield f"The difference in {NAMES[first]} is within two standard errors: it may be chance."


def _f1(hits: int, wrong: int, n_rows: int) -> Figure:
    """Return the harmonic mean of precision and recall."""
    total = 2 * hits + wrong
    if not total:
        return UNDEFINED
    # The derivatives with respect to the numbers of hits and of wrong rows, centred.
    by_hit, by_wrong = 2 * wrong / total**2, -2 * hits / total**2
    mean = (hits * by_hit + wrong * by_wrong) / n_rows
    variance = hits * by_hit**2 + wrong * by_wrong**2 - n_rows * mean**2
    return Figure(2 * hits / total, math.sqrt(max(0.0, variance)))


def evaluation(
    labels: Sequence[Any],
    true: NDArray[Any],
    answers: NDArray[Any],
    shares: NDArray[np.float64] | None,
) -> Evaluation:
    """Compare predictions with the truth.

    Parameters
    ----------
    labels : sequence
        The classes; empty for numbers.
    true, answers : array
        Classes, as positions in `labels`, or numbers: the truth and the predictions.
    shares : array of float64, (n_rows, n_classes), or None
        The predicted probabilities of the classes; None for numbers.

    Examples
    --------
    >>> true, answers, shares = np.array([0, 0, 1]), np.array([0, 1, 1]), np.eye(2)[[0, 1, 1]]
    >>> found = evaluation(["no", "yes"], true, answers, shares)
    >>> print(with_error(found.scores["accuracy"]), found.confusion.counts.tolist())
    0.67 ± 0.27 [[1, 1], [0, 1]]
    """
    if not labels:
        mean, baseline = constant_number(true)
        return Evaluation(number_scores(true, answers), mean, baseline, len(true), None)
    assert shares is not None, "classes have probabilities"
    n, codes = len(labels), true.astype(np.intp)
    commonest, baseline = constant_class(codes, n)
    counts = np.bincount(codes * n + answers, minlength=n * n).reshape(n, n)
    scores = class_scores(codes, answers.astype(np.intp), shares)
    return Evaluation(scores, labels[commonest], baseline, len(true), Confusion(labels, counts))
