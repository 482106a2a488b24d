"""Exact trees of large tables against approximate ones: the same fits at several sizes, taking turns.

``python -m benchmarks.compare.sizes`` prints a line for every task, size and library: CPU time on one thread,
wall time on two, how many times treewright's each of them is, and CPU time a row. Binned learners grow one
tree, and putting values in bins counts. "treewright, lists" puts whole columns in order, as it does where
rows cannot be counted. ``--sklearn 1000000``: up to so many rows scikit-learn is there, too.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from typing import Any, Literal
from unittest import mock

from benchmarks.compare import layout
from benchmarks.compare.jobs import Job
from benchmarks.compare.measure import cores
from benchmarks.compare.rivals import RIVALS, Rival, treewright
from threadpoolctl import threadpool_limits

from treewright.engines.local import LocalSample

TASKS: tuple[Literal["classes", "numbers"], ...] = ("classes", "numbers")
LIBRARIES = ("treewright", "HistGradientBoosting", "LightGBM")
HEAD = ["table", "library", "1 thread, CPU", "2 threads, wall", "times ours", "on 2", "µs a row"]


class InLists:
    """The tree that is grown from sorted lists."""

    def __init__(self, job: Job, n_threads: int) -> None:
        self._tree = treewright(job, n_threads)

    def fit(self, X: Any, y: Any) -> None:
        """Fit with nodes counted only above what the core can count."""
        recipe = LocalSample._core_recipe

        def uncounted(sample: LocalSample, *given: Any, **more: Any) -> Any:
            return recipe(sample, *given, count_above=2**16, **more)

        with mock.patch.object(LocalSample, "_core_recipe", uncounted):
            self._tree.fit(X, y)


LISTS = Rival("treewright, lists", "treewright", InLists, lambda _: 0)


def main(argv: list[str] | None = None) -> int:
    """Time every size, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare.sizes", description=__doc__)
    parser.add_argument("--rows", default="1000000,4000000", help="sizes, with commas")
    parser.add_argument("--turns", type=int, default=3, help="the least time of so many counts")
    parser.add_argument("--sklearn", type=int, default=0, help="rows up to which scikit-learn takes part")
    options = parser.parse_args(argv)
    lines = []
    for n_rows in map(int, options.rows.split(",")):
        for task in TASKS:
            job = Job(task, n_rows, 8)
            names = LIBRARIES + (("scikit-learn",) if n_rows <= options.sklearn else ())
            lines += rows_of(job, times(job, names, options.turns))
            print(f"sizes: {job.name} done", file=sys.stderr)
    print("\n".join(layout.markdown(HEAD, lines)))
    return 0


def times(job: Job, names: tuple[str, ...], turns: int) -> dict[str, tuple[float, float]]:
    """Give CPU seconds on one thread and wall seconds on two, by library."""
    X, y = job.data().first(job.n_rows)
    rivals = [each for each in (*RIVALS, LISTS) if each.is_named(names) and each.version is not None]
    best: dict[str, tuple[float, float]] = {}
    for _ in range(turns):
        for each in rivals:
            on_one = timed(each.make(job, 1), X, y, 1, time.process_time)
            n_threads = min(2, cores()) if each.has_threads else 1
            on_two = timed(each.make(job, n_threads), X, y, n_threads, time.perf_counter)
            before = best.get(each.name, (on_one, on_two))
            best[each.name] = (min(on_one, before[0]), min(on_two, before[1]))
    return best


def timed(tree: Any, X: Any, y: Any, n_threads: int, clock: Callable[[], float]) -> float:
    """Fit once."""
    gc.collect(1)
    with threadpool_limits(n_threads, user_api="openmp"):
        start = clock()
        tree.fit(X, y)
        return clock() - start


def rows_of(job: Job, seconds: dict[str, tuple[float, float]]) -> list[list[str]]:
    """Lay out what one job took."""
    ours = seconds["treewright"]
    return [
        [
            job.name,
            name,
            layout.seconds(on_one),
            layout.seconds(on_two),
            layout.ratio(on_one, ours[0]),
            layout.ratio(on_two, ours[1]),
            f"{on_one / job.n_rows * 1e6:.3f}",
        ]
        for name, (on_one, on_two) in seconds.items()
    ]


if __name__ == "__main__":
    sys.exit(main())
