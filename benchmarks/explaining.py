"""How long explanations and rules take on large and on deep trees: ``python -m benchmarks.explaining``."""

import argparse
import os
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from benchmarks.compare.adult import N_TRAINING, Adult
from benchmarks.compare.tables import SHARED, AbsentError

import treewright as tw

RUNS = 3


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=96_000, help="of the table of the large tree")
    parser.add_argument("--levels", type=int, default=7_800, help="of the deep tree")
    parser.add_argument("--adult", type=int, default=N_TRAINING, help="rows of adult to make rules of")
    parser.add_argument("--tables", type=Path, default=SHARED, help="where adult.csv is")
    asked = parser.parse_args(arguments)
    print(f"seconds of wall and of CPU time, the least of {RUNS}; load {os.getloadavg()[0]:.1f}")
    explain_large(asked.rows)
    explain_deep(asked.levels)
    make_rules(asked.adult, asked.tables)


def explain_large(n_rows: int) -> None:
    """Time 100 rows on a tree with noise, which has a third as many nodes as rows."""
    rng = np.random.default_rng(0)
    X = rng.random((n_rows, 10))
    y = X[:, :5].sum(axis=1) + rng.normal(scale=0.6, size=n_rows) > 2.5
    tree = tw.DecisionTreeClassifier().fit(X, y)
    of = f"{tree.tree_.n_nodes:,} nodes, 10 columns"
    tell("shapley_values of 100 rows", of, lambda: tree.shapley_values(X[:100]))
    tree.n_jobs = 1
    tell("shapley_values of 100 rows, one thread", of, lambda: tree.shapley_values(X[:100]))
    tell("explain, and its text", of, lambda: str(tree.explain(X[0])))


def explain_deep(n_levels: int) -> None:
    """Time a chain, whose every split takes one row off; three columns take turns."""
    number = np.arange(n_levels + 1)
    X = np.stack([np.where(number % 3 == at, number, n_levels + 1.0) for at in range(3)], axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tw.DeepTreeWarning)
        tree = tw.DecisionTreeClassifier().fit(X, number % 2)
    of = f"a chain of {tree.get_depth():,} levels"
    tell("shapley_values of 100 rows", of, lambda: tree.shapley_values(X[:100]))
    tell("explain, and its text, of the last row", of, lambda: str(tree.explain(X[-1])))


def make_rules(n_rows: int, folder: Path) -> None:
    """Time C4.5rules on adult, the training part of UCI."""
    try:
        adult = Adult(n_rows, folder)
    except AbsentError as error:
        print(f"adult is left out: {error}")
        return
    table = adult.frames()[0]
    target = adult.names[-1]
    tree = tw.C45Classifier().fit(table, target)
    of = f"adult, {adult.size}, {tree.model_.grown.n_leaves:,} leaves"
    tell('rules("c45rules")', of, lambda: tree.rules("c45rules", table, target))


def tell(what: str, of: str, work: Callable[[], object]) -> None:
    """Print the least wall and CPU time of some runs."""
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - begin[0], time.process_time() - begin[1]))
    wall, cpu = map(min, zip(*times, strict=True))
    print(f"{wall:8.3f} {cpu:8.3f}  {what}: {of}", flush=True)


if __name__ == "__main__":
    main()
