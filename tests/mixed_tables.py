"""Random tables of numbers and categories, with gaps and weights, and the ways to grow a tree on them."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import treewright
from oracle.exact_scores import OF_CLASSES, OF_NUMBERS


@dataclass(frozen=True)
class Way:
    """One choice for every seam that questions come from."""

    criterion: str
    split: str = "subset"
    missing: str = "learned"
    splitter: str = "best"

    @property
    def is_offered(self) -> bool:
        """Twoing scores two branches, and gain ratio not those of rows without a value."""
        if self.missing == "branch":
            return self.criterion not in ("twoing", "gain_ratio")
        return self.criterion != "twoing" or self.split != "multiway"


WAYS = [
    way
    for parts in itertools.product(
        (*OF_CLASSES, *OF_NUMBERS),
        ("subset", "multiway", "one-vs-rest"),
        ("learned", "majority", "branch"),
        ("best", "random"),
    )
    if (way := Way(*parts)).is_offered
]


@dataclass(frozen=True)
class MixedTable:
    """Columns by name: floats with NaN, or labels with None."""

    columns: dict[str, list]
    y: NDArray
    weights: NDArray[np.float64]
    is_category: dict[str, bool] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def has_gaps(self) -> bool:
        values = [value for column in self.columns.values() for value in column]
        return any(value is None or value != value for value in values)  # noqa: PLR0124 - NaN

    def take(self, rows: Sequence[int] | NDArray) -> "MixedTable":
        """Give a part of the table, rows in another order, or copies of rows."""
        columns = {name: [values[row] for row in rows] for name, values in self.columns.items()}
        return MixedTable(columns, self.y[rows], self.weights[rows], self.is_category)

    def renamed(self, rng: np.random.Generator) -> "MixedTable":
        """Give every category another name, and with it another place among the categories."""
        columns = dict(self.columns)
        for name, values in self.columns.items():
            if self.is_category[name]:
                labels = sorted({value for value in values if value is not None})
                names = {
                    label: f"n{at}" for label, at in zip(labels, rng.permutation(len(labels)), strict=True)
                }
                columns[name] = [names.get(value) for value in values]
        return MixedTable(columns, self.y, self.weights, self.is_category)

    def fit(self, way: Way, *, weighted: bool = True, **options):
        """Grow a tree on the table."""
        kind = (
            treewright.DecisionTreeRegressor
            if way.criterion in OF_NUMBERS
            else treewright.DecisionTreeClassifier
        )
        tree = kind(
            criterion=way.criterion,
            categorical_split=way.split,
            missing=way.missing,
            splitter=way.splitter,
            **{"random_state": 5, **options},
        )
        return tree.fit(self.columns, self.y, sample_weight=self.weights if weighted else None)


def mixed_table(rng: np.random.Generator, way: Way, *, rows=(2, 40), most_weight: int = 4) -> MixedTable:
    """Draw a table for a way to grow; weights are whole numbers from 1 on."""
    n = int(rng.integers(rows[0], rows[1] + 1))
    columns, is_category = {}, {}
    with_gaps = rng.random() < 0.6
    for j in range(int(rng.integers(1, 4))):
        category = bool(rng.random() < 0.6)
        share = rng.choice([0.0, 0.2]) if with_gaps else 0.0
        if category:
            values = [f"c{code}" for code in rng.integers(0, rng.integers(2, 8), n)]
        else:
            values = (rng.integers(0, 9, n) / 2).tolist()
        gap = None if category else float("nan")
        values = [value if i == 0 or rng.random() >= share else gap for i, value in enumerate(values)]
        columns[f"x{j}"], is_category[f"x{j}"] = values, category
    if way.criterion in OF_NUMBERS:
        y = rng.integers(0, 12, n) / 4
        y[0] = 2.5  # by Poisson deviance some must be positive
    else:
        y = rng.integers(0, rng.integers(2, 5), n)
    weights = rng.integers(1, most_weight + 1, n).astype(float)
    return MixedTable(columns, y, weights, is_category)
