"""How good answers are: a confusion matrix with figures for every class, or errors of numbers.

Every figure comes with its standard error, as if rows had been drawn one by one: of a share or a mean as
usual, of what is made of several sums by their first derivatives (the delta method).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.formatting import format_with_error
from treewright.grid import Grid, padded, shortened, text_width

_MOST_SQUARE = 12  # classes, of which a matrix fits a terminal
_MOST_MIXED = 12  # pairs of classes that are listed where it does not
_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and its standard error.

    Parameters
    ----------
    value, error : float
        Either is NaN where it has no meaning.
    """

    value: float
    error: float

    def __str__(self) -> str:
        return format_with_error(self.value, self.error)

    def plain(self) -> dict[str, float | None]:
        """Give it for JSON."""
        value, error = (None if math.isnan(each) else each for each in (self.value, self.error))
        return {"value": value, "standard_error": error}


def share(part: float, whole: float) -> Figure:
    """Give a share of rows.

    Examples
    --------
    >>> print(share(75, 100))
    0.750 ± 0.043
    """
    if not whole:
        return Figure(math.nan, math.nan)
    value = part / whole
    return Figure(value, math.sqrt(value * (1 - value) / whole))


@dataclass(frozen=True, slots=True)
class Classified:
    """Rows by the class they have and the class they are given.

    Parameters
    ----------
    labels : sequence
        The classes.
    counts : array of int64
        A line for each true class, a column for each predicted one.
    """

    labels: Sequence[Any]
    counts: NDArray[np.int64]

    @property
    def accuracy(self) -> Figure:
        """Share of rows that are given their class."""
        return share(float(self.counts.trace()), float(self.counts.sum()))

    def precision(self, at: int) -> Figure:
        """Share of a class among the rows that are given it."""
        return share(float(self.counts[at, at]), float(self.counts[:, at].sum()))

    def recall(self, at: int) -> Figure:
        """Share of the rows of a class that are given it."""
        return share(float(self.counts[at, at]), float(self.counts[at].sum()))

    def f1(self, at: int) -> Figure:
        """Harmonic mean of precision and recall."""
        hits = float(self.counts[at, at])
        false, missed = float(self.counts[:, at].sum()) - hits, float(self.counts[at].sum()) - hits
        total, n_rows = 2 * hits + false + missed, float(self.counts.sum())
        if not total:
            return Figure(math.nan, math.nan)
        # What one more row of a kind would change, less what a row changes on average.
        of_hit, of_fault = 2 * (false + missed) / total**2, -2 * hits / total**2
        mean = (hits * of_hit + (false + missed) * of_fault) / n_rows
        spread = hits * of_hit**2 + (false + missed) * of_fault**2 - n_rows * mean**2
        return Figure(2 * hits / total, math.sqrt(max(0.0, spread)))

    def __str__(self) -> str:
        n_rows = int(self.counts.sum())
        lines = [f"accuracy {self.accuracy} ({n_rows - int(self.counts.trace()):,} of {n_rows:,} rows wrong)"]
        return "\n\n".join([*lines, self._matrix(), self._by_class()])

    def plain(self) -> dict[str, Any]:
        """Give it for JSON."""
        return {
            "rows": int(self.counts.sum()),
            "accuracy": self.accuracy.plain(),
            "classes": [
                {
                    "class": label,
                    "rows": int(self.counts[at].sum()),
                    "precision": self.precision(at).plain(),
                    "recall": self.recall(at).plain(),
                    "f1": self.f1(at).plain(),
                }
                for at, label in enumerate(self.labels)
            ],
            "confusion": self.counts.tolist(),
        }

    def _matrix(self) -> str:
        texts = [shortened(str(label), 16) for label in self.labels]
        heads = [shortened(text, 10) for text in texts]
        widths = [
            max(text_width(head), *(len(f"{count:,}") for count in self.counts[:, at].tolist()))
            for at, head in enumerate(heads)
        ]
        margin = max(text_width(text) for text in [*texts, "true class"])
        if len(texts) > _MOST_SQUARE or margin + sum(widths) + 2 * len(widths) > _WIDTH:
            return self._mixed()
        lines = [padded("", margin) + "  predicted"]
        for first, cells in (("true class", heads), *zip(texts, self._cells(), strict=True)):
            beside = [padded(cell, width, "right") for cell, width in zip(cells, widths, strict=True)]
            lines.append("  ".join([padded(first, margin), *beside]))
        return "\n".join(lines)

    def _cells(self) -> list[list[str]]:
        return [[f"{count:,}" for count in line] for line in self.counts.tolist()]

    def _mixed(self) -> str:
        """List the classes that are most often taken for each other."""
        wrong = self.counts - np.diag(np.diag(self.counts))
        order = np.argsort(-wrong, axis=None, kind="stable")[:_MOST_MIXED].tolist()
        pairs = [divmod(at, len(self.labels)) for at in order if wrong.flat[at]]
        if not pairs:
            return "No class was taken for another."
        grid = Grid(
            {
                "true class": [shortened(str(self.labels[true]), 24) for true, _ in pairs],
                "taken for": [shortened(str(self.labels[given]), 24) for _, given in pairs],
                "rows": [int(wrong[pair]) for pair in pairs],
            },
            {"rows": ","},
        )
        n_other = int(np.count_nonzero(wrong)) - len(pairs)
        return f"{grid}" + (f"\n… and {n_other:,} other pairs of classes" if n_other else "")

    def _by_class(self) -> str:
        at = range(len(self.labels))
        return Grid(
            {
                "class": [shortened(str(label), 24) for label in self.labels],
                "rows": [int(self.counts[each].sum()) for each in at],
                "precision": [str(self.precision(each)) for each in at],
                "recall": [str(self.recall(each)) for each in at],
                "F1": [str(self.f1(each)) for each in at],
            },
            {"rows": ","},
        ).to_text(60)


@dataclass(frozen=True, slots=True)
class Measured:
    """Numbers and what was predicted for them.

    Parameters
    ----------
    true, given : array of float64
        One of each for every row.
    """

    true: NDArray[np.float64]
    given: NDArray[np.float64]

    @property
    def absolute_error(self) -> Figure:
        """Mean distance."""
        return _mean(np.abs(self.true - self.given))

    @property
    def root_squared_error(self) -> Figure:
        """Root of the mean squared distance."""
        squared = _mean((self.true - self.given) ** 2)
        root = math.sqrt(squared.value)
        return Figure(root, squared.error / (2 * root) if root else 0.0)

    @property
    def explained(self) -> Figure:
        """Share of the variance that is explained, R²; NaN where all numbers are equal."""
        squared = (self.true - self.given) ** 2
        apart = (self.true - self.true.mean()) ** 2
        if not apart.any():
            return Figure(math.nan, math.nan)
        ratio = float(squared.sum() / apart.sum())
        return Figure(1 - ratio, _mean((squared - ratio * apart) / apart.mean()).error)

    def __str__(self) -> str:
        figures = {
            "mean absolute error": self.absolute_error,
            "root mean squared error": self.root_squared_error,
            "share of variance explained (R²)": self.explained,
        }
        grid = Grid({"error": list(figures), "± standard error": [str(each) for each in figures.values()]})
        return f"{grid}\n({len(self.true):,} rows)"

    def plain(self) -> dict[str, Any]:
        """Give it for JSON."""
        return {
            "rows": len(self.true),
            "mean_absolute_error": self.absolute_error.plain(),
            "root_mean_squared_error": self.root_squared_error.plain(),
            "r2": self.explained.plain(),
        }


def _mean(values: NDArray[np.float64]) -> Figure:
    n_rows = len(values)
    spread = float(values.std(ddof=1)) / math.sqrt(n_rows) if n_rows > 1 else math.nan
    return Figure(float(values.mean()), spread)


def tally(labels: Sequence[Any], true: NDArray[np.intp], given: NDArray[np.intp]) -> Classified:
    """Count rows by true and predicted class, both as positions among `labels`.

    Examples
    --------
    >>> tally(["no", "yes"], np.array([0, 0, 1]), np.array([0, 1, 1])).counts.tolist()
    [[1, 1], [0, 1]]
    """
    n_classes = len(labels)
    counts = np.bincount(true * n_classes + given, minlength=n_classes**2).reshape(n_classes, n_classes)
    return Classified(list(labels), counts.astype(np.int64))
