"""The jobs: which table, which tree."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from benchmarks.compare.tables import (
    FRESH_ROWS,
    REAL,
    SHARED,
    Data,
    clouds,
    mixed,
    random_numbers,
    two_classes,
)
from numpy.typing import NDArray


@dataclass(frozen=True)
class Job:
    """One tree to grow on one table.

    Attributes
    ----------
    task : {"classes", "numbers"}
        What the target holds.
    n_rows, n_columns : int
        Of random tables; of a real one at most so many rows.
    max_depth : int, optional
        None: fully grown.
    criterion : str, optional
        None: the estimator's own.
    table : {"random", "noise", "clouds", "mixed"} or the name of a real one
        Which table.
    n_classes : int
        Of clouds.
    dtype : {"float64", "float32"}
        Row-major float64, or float32 column by column.
    """

    task: Literal["classes", "numbers"]
    n_rows: int
    max_depth: int | None
    n_columns: int = 20
    criterion: str | None = None
    table: str = "random"
    n_classes: int = 2
    dtype: Literal["float64", "float32"] = "float64"

    @property
    def name(self) -> str:
        """Tell the job in a few words, as a row of the table begins."""
        depth = "fully grown" if self.max_depth is None else f"depth {self.max_depth}"
        if self.table in REAL:
            return f"{self.table}, {depth}"
        what = {
            "random": self.task,
            "noise": f"{self.task}, noise",
            "clouds": f"{self.n_classes} classes",
            "mixed": "mixed, gaps",
        }[self.table]
        by = "" if self.criterion is None else f", {self.criterion}"
        kind = "" if self.dtype == "float64" else f", {self.dtype} columns"
        return f"{what}{by}{kind}, {self.n_rows:,} × {self.n_columns}, {depth}"

    @staticmethod
    def rows_in(name: str) -> int:
        """Read the number of rows in the name of a job on a random table."""
        return int(name.split(" × ", maxsplit=1)[0].rsplit(maxsplit=1)[-1].replace(",", ""))

    def data(self, folder: Path = SHARED) -> Data:
        """Make the table, or read it from a folder; the same every time."""
        if self.table in REAL:
            whole = REAL[self.table](folder)
            return Data(whole.X[: self.n_rows], whole.y[: self.n_rows], whole.fresh)
        if self.table == "mixed":
            return mixed(self.n_rows)
        X, y = self._drawn(self.n_rows, seed=0)
        new_X, new_y = self._drawn(min(FRESH_ROWS, self.n_rows), seed=1)
        if self.dtype == "float32":
            X, new_X = (np.asfortranarray(each, dtype=np.float32) for each in (X, new_X))
        return Data(X, y, (new_X, new_y))

    def _drawn(self, n_rows: int, seed: int) -> tuple[NDArray[Any], NDArray[Any]]:
        if self.table == "clouds":
            return clouds(n_rows, self.n_columns, self.n_classes, seed)
        draw = random_numbers if self.task == "numbers" else two_classes
        X, y = draw(n_rows, self.n_columns, seed)
        return X, np.random.default_rng(seed).permutation(y) if self.table == "noise" else y
