"""What counting rows by bins saves where rows have weights, values are missing, criteria are others.

``python -m benchmarks.compare.counted`` grows each tree twice, counted and from sorted lists, on one thread,
and prints the CPU seconds of both.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext

import numpy as np
from benchmarks.compare.jobs import Job
from benchmarks.compare.paths import WAYS, Data, Way, estimator, many_classes, time_fit, weighted
from benchmarks.compare.sizes import nothing_counted

MORE = [
    Way("5 classes", change=many_classes(5)),
    *(
        Way(f"5 classes, {criterion}", change=many_classes(5), options={"criterion": criterion})
        for criterion in ("entropy", "taylor_entropy", "misclassification")
    ),
    Way("entropy, weights", change=weighted, options={"criterion": "entropy"}),
]


def main(argv: list[str] | None = None) -> int:
    """Time every way, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare.counted", description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows (1,000,000)")
    parser.add_argument("--columns", type=int, default=20, help="columns (20)")
    parser.add_argument("--depth", type=int, default=8, help="depth of the trees (8)")
    parser.add_argument("--patience", type=float, default=1.0, help="CPU seconds for runs of a fit")
    options = parser.parse_args(argv)
    print(f"{'way':40}{'counted':>10}{'lists':>10}{'times':>8}")
    for way in (*WAYS, *MORE):
        if "categorical_features" in way.options or way.options.get("criterion") == "gain_ratio":
            continue
        table = Job(way.task, options.rows, options.depth, options.columns).data()
        data = way.change(Data(table.X, table.y), np.random.default_rng(1))
        taken = []
        for context in (nullcontext(), nothing_counted()):
            with context:
                taken.append(
                    time_fit(
                        lambda way=way: estimator(way, options.columns, options.depth), data, options.patience
                    )
                )
        (counted, _, leaves), (lists, _, others) = taken
        assert leaves == others, f"{way.name}: {leaves} and {others} leaves"
        print(
            f"{way.task + ', ' + way.name:40}{counted:9.3f}s{lists:9.3f}s{lists / counted:7.2f}×", flush=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
