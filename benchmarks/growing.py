"""How time and memory grow with rows, columns, classes, categories and depth.

Each size runs in a process of its own, so that its peak is its own, under a limit of memory:

    python benchmarks/growing.py            # all, in a few minutes
    python benchmarks/growing.py classes    # one of them

A line is a size: seconds of processor time, megabytes above an empty process, nodes of the tree, and the
exponents by which time and memory have grown since the size before: 1 is in proportion.
"""

import json
import math
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import treewright as tw

MOST_MEMORY, MOST_SECONDS = 6 << 30, 120
RNG = np.random.default_rng(0)


def numbers(n_rows: int, n_columns: int = 10) -> Any:
    return RNG.normal(size=(n_rows, n_columns))


def rows(n: int) -> Any:
    X = numbers(n)
    return tw.DecisionTreeClassifier().fit(X, X[:, 0] + RNG.normal(size=n) > 0)


def rows_of_c45(n: int) -> Any:
    X = numbers(n)
    return tw.C45Classifier().fit(X, X[:, 0] + RNG.normal(size=n) > 0)


def rows_of_cart(n: int) -> Any:
    X = numbers(n)
    return tw.CARTClassifier().fit(X, X[:, 0] + RNG.normal(size=n) > 0)


def rows_of_medians(n: int) -> Any:
    X = numbers(n)
    return tw.DecisionTreeRegressor(criterion="absolute_error").fit(X, X[:, 0] + RNG.normal(size=n))


def columns(n: int) -> Any:
    X = numbers(500, n)
    return tw.DecisionTreeClassifier().fit(X, X[:, 0] > 0)


def classes(n: int) -> Any:
    tree = tw.DecisionTreeClassifier().fit(numbers(4 * n, 3), RNG.permutation(np.arange(4 * n) % n))
    tree.predict(numbers(1000, 3))
    return tree


def classes_in_a_ledger(n: int) -> Any:
    X, y = numbers(5000, 3), RNG.integers(0, n, 5000)
    return tw.DecisionTreeClassifier(keep_ledger=True).fit(X, y)


def every_row_its_class(n: int) -> Any:
    return tw.CARTClassifier().fit(numbers(n, 3), np.arange(n))


def categories(n: int) -> Any:
    X = {"c": [f"c{each}" for each in RNG.integers(0, n, 20 * n)]}
    return tw.DecisionTreeClassifier().fit(X, RNG.integers(0, 3, 20 * n))


def categories_in_groups(n: int) -> Any:
    codes = RNG.integers(0, n, 20 * n)
    X = {"c": [f"c{each}" for each in codes]}
    tree = tw.C45Classifier(group_categories=True, on_identifier="ignore")
    return tree.fit(X, (codes % 3 + (RNG.random(20 * n) < 0.2)) % 3)


def fractional_rows(n: int) -> Any:
    X = numbers(n, 4)
    X[RNG.random(X.shape) < 0.1] = np.nan
    return tw.DecisionTreeRegressor(missing="spread").fit(X, RNG.normal(size=n))


def depth(n: int) -> Any:
    tree = tw.DecisionTreeClassifier(criterion="gain_ratio").fit(np.arange(n)[:, None], np.arange(n) % 2)
    tree.to_text()
    str(tree.explain([[n]]))
    tree.rules().to_text()
    return tree


SIZES: dict[str, tuple[Callable[[int], Any], tuple[int, ...]]] = {
    "rows": (rows, (1_000, 10_000, 100_000)),
    "rows of C4.5": (rows_of_c45, (1_000, 10_000, 100_000)),
    "rows of CART": (rows_of_cart, (1_000, 10_000, 100_000)),
    "rows of medians": (rows_of_medians, (1_000, 10_000, 100_000)),
    "columns": (columns, (100, 1_000, 10_000)),
    "classes": (classes, (10, 100, 1_000)),
    "classes in a ledger": (classes_in_a_ledger, (2, 20, 200)),
    "every row its class": (every_row_its_class, (20, 200, 2_000)),
    "categories": (categories, (10, 100, 1_000)),
    "categories in groups": (categories_in_groups, (8, 80, 800)),
    "fractional rows": (fractional_rows, (100, 1_000, 10_000)),
    "depth": (depth, (100, 1_000, 10_000)),
}


def measure(name: str, size: int) -> dict[str, float]:
    """Run one size here and give its figures."""
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    work, _ = SIZES[name]
    tw.DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])  # all that is loaded once
    before = resource.getrusage(resource.RUSAGE_SELF)
    started = time.process_time()
    tree = work(size)
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before.ru_maxrss
    return {"seconds": seconds, "megabytes": peak / 1024, "nodes": tree.tree_.n_nodes}


def report(name: str) -> None:
    """Print a line for each size."""
    last: dict[str, float] | None = None
    for size in SIZES[name][1]:
        asked = [sys.executable, __file__, "--measure", name, str(size)]
        try:
            ran = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=MOST_SECONDS)
            found = json.loads(ran.stdout) if ran.returncode == 0 else None
            failed = (ran.stderr.strip().splitlines() or ["it died"])[-1]
        except subprocess.TimeoutExpired:
            found, failed = None, f"no end within {MOST_SECONDS} s"
        if found is None:
            print(f"{name:21} {size:8,}  {failed}")
            continue
        figures = f"{found['seconds']:8.2f} s {found['megabytes']:8.0f} MB {found['nodes']:10,} nodes"
        line = f"{name:21} {size:8,}  {figures}"
        if last is not None:
            of_time, of_memory = (
                math.log10(max(found[key], 0.01) / max(last[key], 0.01)) for key in ("seconds", "megabytes")
            )
            line += f"   time^{of_time:.1f} memory^{of_memory:.1f}"
        print(line, flush=True)
        last = found


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(sys.argv[2], int(sys.argv[3]))))
    else:
        for each in sys.argv[1:] or SIZES:
            report(each)
