"""Scores of predictions: a confusion matrix with scores for each class, or the errors of a regression.

Every score comes with its standard error, for rows drawn independently: of a proportion or a mean as
usual, of a function of several sums by its first derivatives (the delta method).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.formatting import format_with_error
from treewright.grid import Grid, padded, shortened, text_width

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

    def plain(self) -> dict[str, float | None]:
        """Return it as plain values for JSON."""
        value, error = (None if math.isnan(each) else each for each in (self.value, self.error))
        return {"value": value, "standard_error": error}


def proportion(count: float, total: float) -> Figure:
    """Return a proportion of rows.

    Examples
    --------
    >>> print(proportion(75, 100))
    0.750 ± 0.043
    """
    if not total:
        return Figure(math.nan, math.nan)
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

    def precision(self, code: int) -> Figure:
        """Proportion of a class among the rows it is predicted for."""
        return proportion(int(self.counts[code, code]), int(self.counts[:, code].sum()))

    def recall(self, code: int) -> Figure:
        """Proportion of the rows of a class it is predicted for."""
        return proportion(int(self.counts[code, code]), int(self.counts[code].sum()))

    def f1(self, code: int) -> Figure:
        """Harmonic mean of precision and recall."""
        hits = float(self.counts[code, code])
        wrong = float(self.counts[:, code].sum() + self.counts[code].sum()) - 2 * hits
        total, n_rows = 2 * hits + wrong, float(self.counts.sum())
        if not total:
            return Figure(math.nan, math.nan)
        # The derivatives by the numbers of hits and of wrong rows, centred.
        by_hit, by_wrong = 2 * wrong / total**2, -2 * hits / total**2
        mean = (hits * by_hit + wrong * by_wrong) / n_rows
        variance = hits * by_hit**2 + wrong * by_wrong**2 - n_rows * mean**2
        return Figure(2 * hits / total, math.sqrt(max(0.0, variance)))

    def scores(self, code: int) -> dict[str, Figure]:
        """Return the scores of a class by name."""
        return {"precision": self.precision(code), "recall": self.recall(code), "f1": self.f1(code)}

    def __str__(self) -> str:
        n_rows = int(self.counts.sum())
        n_wrong = n_rows - int(self.counts.trace())
        accuracy = f"accuracy {self.accuracy} ({n_wrong:,} of {n_rows:,} rows wrong)"
        return "\n\n".join((accuracy, self._matrix(), self._by_class()))

    def plain(self) -> dict[str, Any]:
        """Return the scores as plain values for JSON."""
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
        lines += [
            [text, *(f"{count:,}" for count in row)]
            for text, row in zip(texts, self.counts.tolist(), strict=True)
        ]
        margin, *widths = (max(map(text_width, column)) for column in zip(*lines, strict=True))
        if len(texts) > _MOST_SQUARE or margin + sum(widths) + 2 * len(widths) > _WIDTH:
            return self._confused()
        printed = [f"{'':{margin}}  predicted"]
        for first, *cells in lines:
            aligned = (padded(cell, width, "right") for cell, width in zip(cells, widths, strict=True))
            printed.append("  ".join((padded(first, margin), *aligned)))
        return "\n".join(printed)

    def _confused(self) -> str:
        """List the pairs of classes that are most often confused."""
        wrong = self.counts - np.diag(np.diag(self.counts))
        order = np.argsort(-wrong, axis=None, kind="stable")[:_MOST_CONFUSED].tolist()
        pairs = [divmod(at, len(self.labels)) for at in order if wrong.flat[at]]
        if not pairs:
            return "No class was predicted for another."
        columns: dict[str, list[Any]] = {
            "true class": [shortened(str(self.labels[true]), 24) for true, _ in pairs],
            "predicted": [shortened(str(self.labels[predicted]), 24) for _, predicted in pairs],
            "rows": [int(wrong[pair]) for pair in pairs],
        }
        n_more = int(np.count_nonzero(wrong)) - len(pairs)
        return f"{Grid(columns, {'rows': ','})}" + (
            f"\n… and {n_more:,} more pairs of classes" if n_more else ""
        )

    def _by_class(self) -> str:
        scores = [self.scores(code) for code in range(len(self.labels))]
        columns = {
            "class": [shortened(str(label), 24) for label in self.labels],
            "rows": self.counts.sum(axis=1).tolist(),
            "precision": [str(each["precision"]) for each in scores],
            "recall": [str(each["recall"]) for each in scores],
            "F1": [str(each["f1"]) for each in scores],
        }
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

    @property
    def mean_absolute_error(self) -> Figure:
        """Mean absolute error."""
        return _mean(np.abs(self.true - self.predicted))

    @property
    def root_mean_squared_error(self) -> Figure:
        """Root mean squared error."""
        squared = _mean((self.true - self.predicted) ** 2)
        root = math.sqrt(squared.value)
        return Figure(root, squared.error / (2 * root) if root else 0.0)

    @property
    def r2(self) -> Figure:
        """R², the proportion of variance explained; NaN if all numbers are equal."""
        squared = (self.true - self.predicted) ** 2
        deviation = (self.true - self.true.mean()) ** 2
        if not deviation.any():
            return Figure(math.nan, math.nan)
        ratio = float(squared.sum() / deviation.sum())
        return Figure(1 - ratio, _mean((squared - ratio * deviation) / deviation.mean()).error)

    def __str__(self) -> str:
        figures = {
            "mean absolute error": self.mean_absolute_error,
            "root mean squared error": self.root_mean_squared_error,
            "R², variance explained": self.r2,
        }
        grid = Grid({"score": list(figures), "value ± standard error": list(map(str, figures.values()))})
        return f"{grid}\n({len(self.true):,} rows)"

    def plain(self) -> dict[str, Any]:
        """Return the scores as plain values for JSON."""
        names = ("mean_absolute_error", "root_mean_squared_error", "r2")
        return {"rows": len(self.true), **{name: getattr(self, name).plain() for name in names}}


def _mean(values: NDArray[np.float64]) -> Figure:
    n_rows = len(values)
    error = float(values.std(ddof=1)) / math.sqrt(n_rows) if n_rows > 1 else math.nan
    return Figure(float(values.mean()), error)


def tally(labels: Sequence[Any], true: NDArray[np.intp], predicted: NDArray[np.intp]) -> Classified:
    """Count rows by true and predicted class, both given as positions in `labels`.

    Examples
    --------
    >>> tally(["no", "yes"], np.array([0, 0, 1]), np.array([0, 1, 1])).counts.tolist()
    [[1, 1], [0, 1]]
    """
    n = len(labels)
    return Classified(list(labels), np.bincount(true * n + predicted, minlength=n * n).reshape(n, n))
