"""The jobs: which table, which tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Job:
    """One tree to grow on one table of random numbers.

    The target depends on five of the columns, two of them only together, with so much noise that a tree
    without limits goes deep.
    """

    task: Literal["classes", "numbers"]
    n_rows: int
    max_depth: int | None
    n_columns: int = 20
    criterion: str | None = None  # None: the estimator's own

    @property
    def name(self) -> str:
        """Tell the job in a few words, as a row of the table begins."""
        depth = "fully grown" if self.max_depth is None else f"depth {self.max_depth}"
        by = "" if self.criterion is None else f", {self.criterion}"
        return f"{self.task}{by}, {self.n_rows:,} × {self.n_columns}, {depth}"

    def table(self, seed: int = 0, n_rows: int | None = None) -> tuple[Floats, NDArray[np.generic]]:
        """Make the columns (float64, row-major) and the target."""
        random = np.random.default_rng(seed)
        X = random.standard_normal((n_rows or self.n_rows, self.n_columns))
        signal = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + (X[:, 4] > 0)
        y = signal + random.standard_normal(len(X))
        return (X, y) if self.task == "numbers" else (X, (y > 0.5).astype(np.int64))


def all_jobs(sizes: list[int], n_columns: int = 20) -> list[Job]:
    """List every task and depth at these sizes, small tables first; other criteria on the smallest only."""
    jobs = [
        Job(task, n_rows, max_depth, n_columns)
        for n_rows in sizes
        for task in ("classes", "numbers")
        for max_depth in (8, None)
    ]
    absolute = [
        Job("numbers", sizes[0], max_depth, n_columns, criterion="absolute_error") for max_depth in (8, None)
    ]
    return jobs + absolute
