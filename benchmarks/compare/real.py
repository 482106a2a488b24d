"""What C4.5 costs on a real table: categories, numbers and gaps side by side.

The table is not part of the repository; where it is not there, the lines say so.
"""

from __future__ import annotations

import csv
import gc
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.compare.measure import MOST_RUNS
from benchmarks.compare.paths import PathFigures

ADULT = Path(__file__).resolve().parents[3] / "shared" / "data" / "adult.csv"
NUMBERS = {"age", "fnlwgt", "education_num", "capital_gain", "capital_loss", "hours_per_week"}
TARGET = "income"

WAYS: dict[str, dict[str, Any]] = {
    "C4.5, Release 8": {},
    "C4.5, Release 8, not pruned": {"pruning": False},
    "C4.5, J48": {"variant": "j48"},
    "C4.5, textbook": {"variant": "textbook"},
}


def adult(path: Path = ADULT) -> dict[str, Any]:
    """Read the table: numbers as arrays, categories as texts, an empty cell as a gap."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    return {
        name: np.array([float(row[name]) for row in rows])
        if name in NUMBERS
        else [row[name] or None for row in rows]
        for name in rows[0]
    }


def real_times(patience_s: float, path: Path = ADULT) -> Iterator[PathFigures]:
    """Time C4.5 and its variants, the conversion of the table included, one thread."""
    from treewright import C45Classifier

    table = adult(path)
    size = f"{len(table[TARGET]):,} × {len(table) - 1}"
    for way, options in WAYS.items():
        runs: list[float] = []
        while not runs or (sum(runs) < patience_s and len(runs) < MOST_RUNS):
            model = C45Classifier(n_jobs=1, **options)
            gc.collect(1)
            start = time.process_time()
            model.fit(table, TARGET)
            runs.append(time.process_time() - start)
        yield PathFigures(f"{way}, adult, {size}", min(runs), n_runs=len(runs), n_leaves=model.get_n_leaves())
