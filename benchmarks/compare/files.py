"""What it costs to keep a large tree in a model file, and to read it back."""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from benchmarks.compare.paths import PathFigures


def file_times(n_rows: int) -> Iterator[PathFigures]:
    """Time both ways of a tree fully grown on noise of five classes: about as many nodes as rows."""
    import treewright

    random = np.random.default_rng(0)
    X, y = random.standard_normal((n_rows, 4)), random.integers(0, 5, n_rows)
    kept = treewright.DecisionTreeClassifier(n_jobs=1).fit(X, y)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.tw.json")
        for name, run in (("save", lambda: kept.save(path)), ("load", lambda: treewright.load(path))):
            gc.collect(1)
            start = time.process_time()
            run()
            cpu_s = time.process_time() - start
            yield PathFigures(f"{name}, {kept.tree_.n_nodes:,} nodes", cpu_s, None, 1, kept.get_n_leaves())
