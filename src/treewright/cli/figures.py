"""Scores of predictions: a confusion matrix with scores for each class, or the errors of a regression.

Every score comes with its standard error, for rows drawn independently: of a proportion or a mean as
usual, of a function of several sums by its first derivatives (the delta method).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.formatting import format_with_error
from treewright.grid import Align, Grid, aligned, shortened, text_width

_MOST_SQUARE = 12  # classes of a matrix that fits a terminal
_MOST_CONFUSED = 12  # pairs of classes listed instead of a larger matrix
_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Figure:
    """A score and its standard error.

    Parameters
    ----------
    value, error : float
        NaN where it is not defined.
    """

    value: float
    error: float

    def __str__(self) -> str:
        return format_with_error(self.value, self.error)

    def plain(self) -> dict[str, float]:
        """Return it as plain values."""
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
class Classified:
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

    @property
    def accuracy(self) -> Figure:
        """Proportion of rows whose class is predicted."""
        return proportion(int(self.counts.trace()), int(self.counts.sum()))

    def scores(self, code: int) -> dict[str, Figure]:
        """Return precision, recall and F1 of a class."""
        hits = int(self.counts[code, code])
        n_true, n_predicted = int(self.counts[code].sum()), int(self.counts[:, code].sum())
        return {
            "precision": proportion(hits, n_predicted),
            "recall": proportion(hits, n_true),
            "f1": _f1(hits, n_true + n_predicted - 2 * hits, int(self.counts.sum())),
        }

    def __str__(self) -> str:
        n_rows = int(self.counts.sum())
        n_wrong = n_rows - int(self.counts.trace())
        accuracy = f"accuracy {self.accuracy} ({n_wrong:,} of {n_rows:,} rows wrong)"
        return "\n\n".join((accuracy, self._matrix(), self._by_class()))

    def plain(self) -> dict[str, Any]:
        """Return the scores as plain values."""
        return {
            "rows": int(self.counts.sum()),
            "accuracy": self.accuracy.plain(),
            "classes": [
                {"class": label, "rows": int(self.counts[code].sum())}
                | {name: score.plain() for name, score in self.scores(code).items()}
                for code, label in enumerate(self.labels)
            ],
            "confusion": self.counts.tolist(),
        }

    def _matrix(self) -> str:
        texts = [shortened(str(label), 16) for label in self.labels]
        lines = [["true class", *(shortened(text, 10) for text in texts)]]
        for text, row in zip(texts, self.counts.tolist(), strict=True):
            lines.append([text, *(f"{count:,}" for count in row)])
        aligns: list[Align] = ["left"]
        aligns += ["right"] * len(texts)
        printed = aligned(lines, aligns)
        if len(texts) > _MOST_SQUARE or max(map(text_width, printed)) > _WIDTH:
            return self._confused()
        margin = max(text_width(first) for first, *_ in lines)
        return "\n".join((f"{'':{margin}}  predicted", *printed))

    def _confused(self) -> str:
        """List the pairs of classes that are most often confused."""
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

    def _by_class(self) -> str:
        scores = [self.scores(code) for code in range(len(self.labels))]
        columns: dict[str, list[Any]] = {
            "class": [shortened(str(label), 24) for label in self.labels],
            "rows": self.counts.sum(axis=1).tolist(),
        }
        for name in ("precision", "recall", "F1"):
            columns[name] = [str(each[name.lower()]) for each in scores]
        return Grid(columns, {"rows": ","}).to_text(60)


@dataclass(frozen=True, slots=True)
class Measured:
    """Numbers and their predictions.

    Parameters
    ----------
    true, predicted : array of float64
        One of each for every row.
    """

    true: NDArray[np.float64]
    predicted: NDArray[np.float64]

    def scores(self) -> dict[str, Figure]:
        """Return the errors, and R²: the proportion of variance explained, NaN if all numbers are equal."""
        absolute, deviation = np.abs(self.true - self.predicted), (self.true - self.true.mean()) ** 2
        squared, r2 = absolute**2, UNDEFINED
        if deviation.any():
            ratio = float(squared.sum() / deviation.sum())
            r2 = Figure(1 - ratio, _mean((squared - ratio * deviation) / deviation.mean()).error)
        mean = _mean(squared)
        root = math.sqrt(mean.value)
        return {
            "mean_absolute_error": _mean(absolute),
            "root_mean_squared_error": Figure(root, mean.error / (2 * root) if root else 0.0),
            "r2": r2,
        }

    def __str__(self) -> str:
        names = ["mean absolute error", "root mean squared error", "R², variance explained"]
        grid = Grid({"score": names, "value ± standard error": list(map(str, self.scores().values()))})
        return f"{grid}\n({len(self.true):,} rows)"

    def plain(self) -> dict[str, Any]:
        """Return the scores as plain values."""
        return {"rows": len(self.true)} | {name: score.plain() for name, score in self.scores().items()}


def _f1(hits: int, wrong: int, n_rows: int) -> Figure:
    """Return the harmonic mean of precision and recall."""
    total = 2 * hits + wrong
    if not total:
        return UNDEFINED
    # The derivatives by the numbers of hits and of wrong rows, centred.
    by_hit, by_wrong = 2 * wrong / total**2, -2 * hits / total**2
    mean = (hits * by_hit + wrong * by_wrong) / n_rows
    variance = hits * by_hit**2 + wrong * by_wrong**2 - n_rows * mean**2
    return Figure(2 * hits / total, math.sqrt(max(0.0, variance)))


def _mean(values: NDArray[np.float64]) -> Figure:
    n_rows = len(values)
    error = float(values.std(ddof=1)) / math.sqrt(n_rows) if n_rows > 1 else math.nan
    return Figure(float(values.mean()), error)


Evaluation: TypeAlias = Classified | Measured


def compare(labels: Sequence[Any], true: NDArray[Any], predicted: NDArray[Any]) -> Evaluation:
    """Compare predictions with the truth: classes, as positions in `labels`, or without labels numbers.

    Examples
    --------
    >>> compare(["no", "yes"], np.array([0, 0, 1]), np.array([0, 1, 1])).counts.tolist()
    [[1, 1], [0, 1]]
    """
    if not labels:
        return Measured(true, predicted)
    n = len(labels)
    counts = np.bincount(true.astype(np.intp) * n + predicted, minlength=n * n)
    return Classified(labels, counts.reshape(n, n))
