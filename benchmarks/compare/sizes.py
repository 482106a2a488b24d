"""Exact trees of large tables against approximate ones: the same fits at several sizes, taking turns.

``python -m benchmarks.compare.sizes`` prints a line for every task, size and library, and how much more a row
costs in the largest table. ``--write`` keeps the figures in ``benchmarks/results/`` and draws them; ``make
quote`` puts them into the READMEs. Binned learners grow one tree, and putting values in bins counts.
"treewright, lists" sorts whole columns, as treewright does where rows cannot be counted. scikit-learn and
the lists take part up to ``--exact`` rows. All in all some fifteen minutes on two quiet cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal
from unittest import mock

from benchmarks.compare import layout, machine, results
from benchmarks.compare.jobs import Job
from benchmarks.compare.measure import Figures, fit_times
from benchmarks.compare.presets import Preset
from benchmarks.compare.rivals import Rival, installed, treewright
from benchmarks.compare.verdicts import OURS

from treewright.engines.local import LocalSample

TASKS: tuple[Literal["classes", "numbers"], ...] = ("classes", "numbers")
APPROXIMATE = ("HistGradientBoosting", "LightGBM")
KEPT = "sizes"  # the name of the files in benchmarks/results
NOISE = 1_000_000  # rows of the table whose columns say nothing about its target


@contextmanager
def nothing_counted() -> Iterator[None]:
    """Grow from sorted lists: nodes are counted only above what the core can count."""
    recipe = LocalSample._core_recipe

    def uncounted(sample: LocalSample, *given: Any, **more: Any) -> Any:
        return recipe(sample, *given, count_above=2**16, **more)

    with mock.patch.object(LocalSample, "_core_recipe", uncounted):
        yield


class InLists:
    """The tree that is grown from sorted lists."""

    def __init__(self, job: Job, n_threads: int) -> None:
        self._tree = treewright(job, n_threads)

    def fit(self, X: Any, y: Any) -> Any:
        """Fit with no node counted."""
        with nothing_counted():
            return self._tree.fit(X, y)


LISTS = Rival("treewright, lists", OURS, InLists, lambda tree: tree.get_n_leaves())


def main(argv: list[str] | None = None) -> int:
    """Time every size, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare.sizes", description=__doc__)
    parser.add_argument("--rows", default="100000,1000000,4000000,16000000", help="sizes, with commas")
    parser.add_argument("--columns", type=int, default=20, help="columns (20)")
    parser.add_argument("--exact", type=int, default=4_000_000, help="the most rows for exact rivals")
    parser.add_argument(
        "--patience", type=float, default=4.0, help="CPU seconds after which one run is enough"
    )
    parser.add_argument("--write", action="store_true", help="keep the figures, and draw them")
    options = parser.parse_args(argv)
    preset = Preset(patience_s=options.patience, slow_s=2 * options.patience)
    sizes = [int(n_rows) for n_rows in options.rows.split(",")]
    kept = results.Results(machine=machine.describe(installed([OURS, "scikit", *APPROXIMATE])))
    print("\n" + layout.line(layout.TIME_HEAD, layout.TIME_HEAD), flush=True)
    jobs = [Job(task, n_rows, 8, options.columns) for n_rows in sizes for task in TASKS]
    jobs += [Job("classes", min(NOISE, max(sizes)), 8, options.columns, table="noise")]
    for job in jobs:
        kept.time += fit_times("sizes", job, entrants(job, options.exact), preset)
        for row in layout.time_rows([f for f in kept.time if f.job == job.name]):
            print(layout.line(row, layout.TIME_HEAD), flush=True)
    print("\n" + "\n".join(costs(kept.time, jobs)))
    if options.write:
        from benchmarks.compare.plot import draw_sizes

        results.write(kept, name=KEPT)
        print(f"written to results/{KEPT}.json and {KEPT}.md, and drawn in {draw_sizes(kept)}")
    return 0


def entrants(job: Job, exact: int) -> list[Rival]:
    """List who grows the tree of a job: of noise the lists alone are the measure."""
    if job.table == "noise":
        return [*installed([OURS]), LISTS]
    if job.n_rows > exact:
        return installed([OURS, *APPROXIMATE])
    return [*installed([OURS, *APPROXIMATE, "scikit"]), LISTS]


def costs(times: list[Figures], jobs: list[Job]) -> list[str]:
    """Say what a row costs treewright at each size, against the million."""
    said = []
    for task in TASKS:
        of = {job.n_rows: job.name for job in jobs if job.task == task and job.table == "random"}
        spent = {
            n_rows: f.cpu_s / n_rows
            for n_rows, name in of.items()
            for f in times
            if f.job == name and f.rival == OURS and f.cpu_s is not None
        }
        usual = spent.get(1_000_000)
        said += [
            f"{task}, {n_rows:,} rows: {a_row * 1e6:.3f} µs a row"
            + (f", {a_row / usual:.2f} times that of 1,000,000" if usual else "")
            for n_rows, a_row in spent.items()
        ]
    return said


if __name__ == "__main__":
    sys.exit(main())
