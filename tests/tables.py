"""Random tables, small enough to read and nasty enough to matter, and a shrinker for those that fail."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Table:
    """A table with its target and weights. Prints as code that makes it again."""

    X: Floats
    y: NDArray
    weights: Floats | None = None

    @property
    def n_rows(self) -> int:
        return len(self.y)

    def take(self, rows: Sequence[int] | NDArray, columns: Sequence[int] | None = None) -> "Table":
        """Give a part of the table, or its rows in another order."""
        X = self.X[rows] if columns is None else self.X[rows][:, columns]
        return Table(X, self.y[rows], None if self.weights is None else self.weights[rows])

    def __str__(self) -> str:
        def numbers(values: NDArray) -> str:
            return "[" + ", ".join(repr(value) for value in values.tolist()) + "]"

        lines = ["X = [" + ", ".join(numbers(row) for row in self.X) + "]", f"y = {numbers(self.y)}"]
        lines += [] if self.weights is None else [f"w = {numbers(self.weights)}"]
        return "\n".join(lines)


EPS = float(np.finfo(float).eps)
KINDS: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "few": lambda rng, n: rng.integers(0, 5, n).astype(float),
    "binary": lambda rng, n: rng.integers(0, 2, n).astype(float),
    "eighths": lambda rng, n: rng.integers(-4, 5, n) / 8,
    "distinct": lambda rng, n: rng.permutation(n) * 0.1,
    "constant": lambda rng, n: np.full(n, float(rng.integers(-3, 4))),
    "bits": lambda rng, n: (
        1 + rng.integers(0, 4, n) * EPS
    ),  # midpoints round to a neighbour; one value in float32
    "zeros": lambda rng, n: rng.choice([-0.0, 0.0, 1.0, -1.0], n),  # -0.0 and 0.0 are one value
    "ends": lambda rng, n: rng.choice([-1.7e308, -1e308, 1e308, 1.7e308, 0.0], n),  # sums of two overflow
    "tiny": lambda rng, n: rng.integers(-3, 4, n) * 5e-324,  # halves of these round
}
ORDINARY = ["few", "few", "few", "binary", "eighths", "distinct", "constant", "copy", "mirror"]
NASTY = [*ORDINARY, "bits", "zeros", "ends", "tiny"]


def column(rng: np.random.Generator, n: int, others: list[Floats], kinds: Sequence[str] = NASTY) -> Floats:
    """Draw a column: ties, constants, copies and mirror images of other columns, the ends of the floats."""
    kind = rng.choice(kinds)
    if kind in ("copy", "mirror"):
        if others:
            return others[rng.integers(len(others))] * (1 if kind == "copy" else -1)
        kind = "few"
    return KINDS[kind](rng, n)


def with_gaps(rng: np.random.Generator, X: Floats) -> Floats:
    """Blank cells: some columns whole, some hardly, some not at all."""
    X = X.copy()
    for j in range(X.shape[1]):
        share = rng.choice([0.0, 0.1, 0.3, 0.6, 1.0], p=[0.25, 0.25, 0.25, 0.2, 0.05])
        X[rng.random(len(X)) < share, j] = np.nan
    return X


def random_weights(rng: np.random.Generator, n: int) -> Floats:
    """Draw weights that are exact in binary: whole numbers with zeros among them, quarters, or all equal."""
    match rng.integers(4):
        case 0:
            weights = rng.integers(1, 6, n).astype(float)
        case 1:
            weights = rng.integers(0, 3, n).astype(float)
        case 2:
            weights = rng.integers(0, 9, n) / 4
        case _:
            weights = np.full(n, float(rng.integers(1, 4)))
    if not weights.any():
        weights[rng.integers(n)] = 2.0
    return weights


def classes(rng: np.random.Generator, X: Floats) -> NDArray[np.int64]:
    """Draw class numbers 0, 1, ... all of which occur: noise, or something the columns know about."""
    n = len(X)
    if rng.random() < 0.5:
        y = rng.integers(0, rng.integers(1, 5), n)
    else:
        y = (np.nan_to_num(X[:, rng.integers(X.shape[1])], nan=1.0) > rng.choice([0.0, 1.0, 2.0])).astype(int)
        y = np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), y)
    return np.unique(y, return_inverse=True)[1]


def numbers(rng: np.random.Generator, X: Floats) -> Floats:
    """Draw targets that are exact in binary: few values, eighths, far from zero."""
    n = len(X)
    match rng.integers(5):
        case 0:
            return rng.integers(0, 3, n).astype(float)
        case 1:
            return rng.integers(-20, 21, n) / 8
        case 2:
            return rng.integers(-20, 21, n) / 8 + 1000
        case 3:
            return np.full(n, 0.5) if rng.random() < 0.2 else rng.integers(-100, 101, n).astype(float)
        case _:
            known = np.nan_to_num(X[:, rng.integers(X.shape[1])], nan=-2.0)
            return np.sign(known) * 4 + rng.integers(0, 4, n) / 4


def random_table(
    rng: np.random.Generator,
    *,
    regression: bool = False,
    gaps: bool = False,
    weighted: bool = False,
    rows: tuple[int, int] = (1, 30),
    columns: tuple[int, int] = (1, 4),
    kinds: Sequence[str] = NASTY,
) -> Table:
    """Draw a small table, at least one row and column, any value twice, any column useless."""
    n = int(rng.integers(rows[0], rows[1] + 1))
    drawn: list[Floats] = []
    for _ in range(int(rng.integers(columns[0], columns[1] + 1))):
        drawn.append(column(rng, n, drawn, kinds))
    X = np.column_stack(drawn)
    if n > 2 and rng.random() < 0.2:  # equal rows, with equal or other targets
        X[rng.integers(n, size=n // 3)] = X[rng.integers(n, size=n // 3)]
    if gaps:
        X = with_gaps(rng, X)
    y = numbers(rng, X) if regression else classes(rng, X)
    return Table(X, y, random_weights(rng, n) if weighted else None)


def smallest_failing(table: Table, fails: Callable[[Table], bool]) -> Table:
    """Drop rows and columns and simplify weights as long as the check still fails."""
    shrunk = True
    while shrunk:
        shrunk = False
        for smaller in map(recoded, parts(table)):
            if fails(smaller):
                table, shrunk = smaller, True
                break
    return table


def recoded(table: Table) -> Table:
    """Number the classes that are left 0, 1, ..."""
    whole = table.y.dtype.kind in "iu"
    return replace(table, y=np.unique(table.y, return_inverse=True)[1]) if whole else table


def parts(table: Table):
    """List tables that are a little smaller."""
    n, m = table.X.shape
    for j in range(m):
        if m > 1:
            yield table.take(np.arange(n), [k for k in range(m) if k != j])
    size = n // 2
    while size >= 1:
        for start in range(0, n - size + 1, size):
            left = np.r_[0:start, start + size : n]
            if len(left) and (table.weights is None or table.weights[left].any()):
                yield table.take(left)
        size //= 2
    if table.weights is not None:
        yield replace(table, weights=None)
