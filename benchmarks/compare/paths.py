"""What the ways off the beaten path cost: weights, many classes, categories, gaps, other criteria.

Each is timed beside the plain case, numbers without gaps, rows of equal weight, two classes, Gini (or a
numeric target and squares), on as many rows and columns. None should be ten times slower without anyone
knowing.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from benchmarks.compare.jobs import Job
from benchmarks.compare.measure import MOST_RUNS
from numpy.typing import NDArray

Floats = NDArray[np.float64]
OF_CLASSES = ("entropy", "misclassification", "taylor_entropy", "twoing", "gain_ratio")
OF_NUMBERS = ("poisson", "absolute_error")


@dataclass(frozen=True)
class Data:
    """A table, its target, and weights or none."""

    X: Floats
    y: NDArray[Any]
    weights: Floats | None = None


@dataclass(frozen=True)
class Way:
    """One way to fit, off the beaten path.

    Attributes
    ----------
    name : str
        As the table shows it.
    task : {"classes", "numbers"}
        Which plain case it is compared with.
    change : callable
        The plain table, and a generator -> the table to fit.
    options : dict
        Parameters of the estimator.
    """

    name: str
    task: Literal["classes", "numbers"] = "classes"
    change: Callable[[Data, np.random.Generator], Data] = lambda data, _: data
    options: dict[str, Any] = field(default_factory=dict)


@dataclass
class PathFigures:
    """What a way cost."""

    way: str
    cpu_s: float
    ratio: float | None = None  # to the plain case
    n_runs: int = 0
    n_leaves: int = 0


def weighted(data: Data, random: np.random.Generator) -> Data:
    """Give the rows weights, all of them different."""
    return Data(data.X, data.y, random.random(len(data.y)) + 0.5)


def many_classes(n_classes: int) -> Callable[[Data, np.random.Generator], Data]:
    """Make a table of so many classes: each class is cut in parts, by columns and noise."""

    def change(data: Data, random: np.random.Generator) -> Data:
        part = np.digitize(
            data.X[:, 0] + random.standard_normal(len(data.y)), np.linspace(-2, 2, n_classes // 2 - 1)
        )
        return Data(data.X, data.y * (n_classes // 2) + part)

    return change


def categories(n_categories: int) -> Callable[[Data, np.random.Generator], Data]:
    """Turn every column into so many categories, as frequent as each other, whose order says nothing."""

    def change(data: Data, random: np.random.Generator) -> Data:
        cuts = np.linspace(0, 1, n_categories + 1)[1:-1]
        X = np.empty_like(data.X)
        for j, column in enumerate(data.X.T):
            codes = np.digitize(column, np.quantile(column, cuts))
            X[:, j] = random.permutation(n_categories)[codes]
        return Data(X, data.y)

    return change


def gaps(data: Data, random: np.random.Generator) -> Data:
    """Leave a tenth of the values out."""
    X = data.X.copy()
    X[random.random(X.shape) < 0.1] = np.nan
    return Data(X, data.y)


def counts(data: Data, _: np.random.Generator) -> Data:
    """Make the target one that Poisson deviance is for."""
    return Data(data.X, np.floor(np.abs(data.y)))


def chain(*changes: Callable[[Data, np.random.Generator], Data]) -> Callable[..., Data]:
    """Make one change after the other."""

    def change(data: Data, random: np.random.Generator) -> Data:
        for each in changes:
            data = each(data, random)
        return data

    return change


PLAIN = [Way("plain", "classes"), Way("plain", "numbers")]
ALL = {"categorical_features": "all"}  # all columns, listed where the table is known
WAYS = [
    *PLAIN,
    Way("weights", change=weighted),
    Way("weights", "numbers", weighted),
    Way("26 classes", change=many_classes(26)),
    Way("26 classes, entropy", change=many_classes(26), options={"criterion": "entropy"}),
    *(
        Way(f"{n:,} categories{more}", task, chain(categories(n), other), ALL)
        for n in (10, 1000)
        for task, more, other in (
            ("classes", "", lambda data, _: data),
            ("classes", ", 26 classes", many_classes(26)),
            ("numbers", "", lambda data, _: data),
        )
    ),
    *(
        Way(f"gaps, {policy}", task, gaps, {"missing": policy})
        for task in ("classes", "numbers")
        for policy in ("learned", "majority", "branch")
    ),
    *(Way(criterion, options={"criterion": criterion}) for criterion in OF_CLASSES),
    *(Way(criterion, "numbers", counts, {"criterion": criterion}) for criterion in OF_NUMBERS),
]


def estimator(way: Way, n_columns: int, max_depth: int | None = None) -> Any:
    """Make treewright's estimator for a way."""
    from treewright import DecisionTreeClassifier, DecisionTreeRegressor

    options = dict(way.options)
    if options.get("categorical_features") == "all":
        options["categorical_features"] = list(range(n_columns))
    kind = DecisionTreeClassifier if way.task == "classes" else DecisionTreeRegressor
    return kind(max_depth=max_depth, random_state=0, n_jobs=1, **options)


def time_fit(make: Callable[[], Any], data: Data, patience_s: float) -> tuple[float, int, int]:
    """Time fits until `patience_s` is used up: least CPU seconds, number of runs, number of leaves."""
    runs: list[float] = []
    while not runs or (sum(runs) < patience_s and len(runs) < MOST_RUNS):
        model = make()
        gc.collect(1)
        start = time.process_time()
        model.fit(data.X, data.y, sample_weight=data.weights)
        runs.append(time.process_time() - start)
    return min(runs), len(runs), model.get_n_leaves()


def path_times(n_rows: int, n_columns: int, patience_s: float) -> Iterator[PathFigures]:
    """Time every way beside the plain case of its task, fully grown."""
    plain: dict[str, float] = {}
    for way in WAYS:
        job = Job(way.task, n_rows, None, n_columns)
        table = job.data()
        data = way.change(Data(table.X, table.y), np.random.default_rng(1))
        cpu_s, n_runs, n_leaves = time_fit(lambda way=way: estimator(way, n_columns), data, patience_s)
        ratio = cpu_s / plain.setdefault(way.task, cpu_s)
        yield PathFigures(f"{way.task}, {way.name}", cpu_s, ratio, n_runs, n_leaves)


def one_column(n_rows: int, n_categories: int, n_classes: int, max_depth: int | None) -> PathFigures:
    """Time a tree on one column of very many categories."""
    random = np.random.default_rng(0)
    codes = random.integers(0, n_categories, n_rows)
    share = random.random(n_categories)
    y = np.minimum(n_classes * (share[codes] + random.random(n_rows)) / 2, n_classes - 1).astype(np.int64)
    data = Data(codes[:, None].astype(np.float64), y)
    way = Way("", options=ALL)
    cpu_s, n_runs, n_leaves = time_fit(lambda: estimator(way, 1, max_depth), data, 0)
    depth = "fully grown" if max_depth is None else f"depth {max_depth}"
    name = f"{n_classes} classes, {n_rows:,} × 1, {n_categories:,} categories, {depth}"
    return PathFigures(name, cpu_s, None, n_runs, n_leaves)
