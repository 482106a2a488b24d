"""What keeping the ledger costs: the same fit with it and without, taking turns."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal

from benchmarks.compare.jobs import Job
from benchmarks.compare.paths import PathFigures

Task = Literal["classes", "numbers"]
MOST_TURNS = 5


def trees() -> list[tuple[str, Task, Callable[..., Any]]]:
    """List the trees: their names, tasks, and how to make them."""
    from treewright import C45Classifier, DecisionTreeClassifier, DecisionTreeRegressor

    return [
        ("depth 8", "classes", lambda **more: DecisionTreeClassifier(max_depth=8, **more)),
        ("fully grown", "classes", DecisionTreeClassifier),
        ("C4.5", "classes", C45Classifier),
        ("depth 8", "numbers", lambda **more: DecisionTreeRegressor(max_depth=8, **more)),
        ("20 rows a leaf", "numbers", lambda **more: DecisionTreeRegressor(min_samples_leaf=20, **more)),
        ("fully grown", "numbers", DecisionTreeRegressor),
    ]


def ledger_times(n_rows: int, n_columns: int, patience_s: float) -> Iterator[PathFigures]:
    """Time every tree with its ledger; the ratio is to the same tree without."""
    for name, task, make in trees():
        data = Job(task, n_rows, None, n_columns).data()
        runs: dict[bool, list[float]] = {False: [], True: []}
        while not runs[True] or (sum(runs[True]) < patience_s and len(runs[True]) < MOST_TURNS):
            for keep_ledger, times in runs.items():
                model = make(keep_ledger=keep_ledger, n_jobs=1)
                gc.collect(1)
                start = time.process_time()
                model.fit(data.X, data.y)
                times.append(time.process_time() - start)
        cpu_s = min(runs[True])
        what = f"{task}, with ledger, {n_rows:,} × {n_columns}, {name}"
        yield PathFigures(what, cpu_s, cpu_s / min(runs[False]), len(runs[True]), model.get_n_leaves())
