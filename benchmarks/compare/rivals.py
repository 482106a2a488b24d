"""The libraries compared. To add one, write a `Rival` and put it in `RIVALS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from benchmarks.compare.jobs import Job


@dataclass(frozen=True)
class Rival:
    """A library that grows one tree.

    Attributes
    ----------
    name : str
        As the table shows it.
    package : str
        The distribution it needs; without it the rival stays away.
    make : callable
        Job, number of threads -> an estimator with `fit`, `predict` and `score`.
    n_leaves : callable
        Fitted estimator -> number of leaves.
    takes : callable
        Job -> whether it can do it, in a time and in memory worth waiting for.
    has_threads : bool
        Whether a second thread makes a difference.
    """

    name: str
    package: str
    make: Callable[[Job, int], Any]
    n_leaves: Callable[[Any], int]
    takes: Callable[[Job], bool] = lambda job: True
    has_threads: bool = True

    @property
    def version(self) -> str | None:
        """The installed version, None where there is none."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None

    def is_named(self, beginnings: tuple[str, ...] | list[str]) -> bool:
        """Tell whether its name begins like one of these, in capitals or not."""
        return any(self.name.casefold().startswith(each.casefold()) for each in beginnings)


def criterion(job: Job) -> dict[str, str]:
    """Name the job's criterion where it is not the usual one; the words are scikit-learn's."""
    return {} if job.criterion is None else {"criterion": job.criterion}


def treewright(job: Job, n_threads: int) -> Any:
    from treewright import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeClassifier if job.task == "classes" else DecisionTreeRegressor
    return kind(max_depth=job.max_depth, random_state=0, n_jobs=n_threads, **criterion(job))


def scikit_learn(job: Job, n_threads: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeClassifier if job.task == "classes" else DecisionTreeRegressor
    return kind(max_depth=job.max_depth, random_state=0, **criterion(job))


def hist_gradient_boosting(job: Job, n_threads: int) -> Any:
    # Its threads are OpenMP's, set around each run (see `measure.py`).
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kind = HistGradientBoostingClassifier if job.task == "classes" else HistGradientBoostingRegressor
    return kind(
        max_iter=1,
        learning_rate=1.0,
        max_depth=job.max_depth,
        max_leaf_nodes=None,
        min_samples_leaf=1,
        early_stopping=False,
    )


def lightgbm(job: Job, n_threads: int) -> Any:
    from lightgbm import LGBMClassifier, LGBMRegressor

    kind = LGBMClassifier if job.task == "classes" else LGBMRegressor
    return kind(
        n_estimators=1,
        learning_rate=1.0,
        max_depth=job.max_depth or -1,
        num_leaves=2**job.max_depth if job.max_depth else min(job.n_rows, 131_072),  # its largest
        min_child_samples=1,
        min_child_weight=0.0,
        n_jobs=n_threads,
        verbose=-1,
    )


def xgboost(job: Job, n_threads: int) -> Any:
    from xgboost import XGBClassifier, XGBRegressor

    kind = XGBClassifier if job.task == "classes" else XGBRegressor
    return kind(
        n_estimators=1,
        learning_rate=1.0,
        max_depth=job.max_depth or 0,
        tree_method="hist",
        min_child_weight=0.0,
        reg_lambda=0.0,
        enable_categorical=job.table == "mixed",
        n_jobs=n_threads,
        verbosity=0,
    )


class Ydf:
    """YDF's CART as an estimator: it wants a dict, and a number of levels instead of edges."""

    def __init__(self, job: Job, n_threads: int) -> None:
        self._job, self._n_threads = job, n_threads

    def fit(self, X: Any, y: Any) -> Ydf:
        """Grow one tree, nothing held out to prune with."""
        import ydf

        ydf.verbose(0)
        learner = ydf.CartLearner(
            label="y",
            task=ydf.Task.CLASSIFICATION if self._job.task == "classes" else ydf.Task.REGRESSION,
            max_depth=-1 if self._job.max_depth is None else self._job.max_depth + 1,
            min_examples=1,
            validation_ratio=0.0,
            num_threads=self._n_threads,
        )
        self.model = learner.train({"x": X, "y": y})
        return self

    def score(self, X: Any, y: Any) -> float:
        """Give the accuracy, or R²."""
        answers = self.model.predict({"x": X})
        if self._job.task == "numbers":
            return float(1 - np.square(y - answers).sum() / np.square(y - y.mean()).sum())
        return float(np.mean((answers > 0.5) == y))

    @property
    def n_leaves(self) -> int:
        """Count what has no condition."""
        waiting, n_leaves = [self.model.get_tree(0).root], 0
        while waiting:
            node = waiting.pop()
            if node.is_leaf:
                n_leaves += 1
            else:
                waiting += [node.neg_child, node.pos_child]
        return n_leaves


# Those that sort values into some 255 bins first are not after the same tree: they trade quality for speed.
RIVALS = [
    Rival("treewright", "treewright", treewright, lambda tree: tree.get_n_leaves()),
    Rival(
        "scikit-learn",
        "scikit-learn",
        scikit_learn,
        lambda tree: tree.get_n_leaves(),
        takes=lambda job: job.table != "mixed",
        has_threads=False,
    ),
    Rival(
        "HistGradientBoosting (binned)",
        "scikit-learn",
        hist_gradient_boosting,
        lambda model: model._predictors[0][0].get_n_leaf_nodes(),
        # Fully grown on numbers it needs gigabytes, and a leaf for each row.
        takes=lambda job: job.max_depth is not None or (job.task == "classes" and job.n_rows <= 100_000),
    ),
    Rival(
        "LightGBM (binned)",
        "lightgbm",
        lightgbm,
        lambda model: model.booster_.dump_model()["tree_info"][0]["num_leaves"],
        takes=lambda job: job.max_depth is not None or job.n_rows <= 10_000,
    ),
    Rival(
        "XGBoost hist (binned)",
        "xgboost",
        xgboost,
        lambda model: sum(text.count("leaf=") for text in model.get_booster().get_dump()),
        takes=lambda job: job.max_depth is not None or job.n_rows <= 10_000,
    ),
    Rival(
        "YDF CART",
        "ydf",
        Ydf,
        lambda it: it.n_leaves,
        takes=lambda job: job.table == "random" and job.n_rows <= 1_000_000,
    ),
]


def installed(wanted: list[str] | None = None) -> list[Rival]:
    """List the rivals that are installed, of those `wanted` (beginnings of names) or of all."""
    return [rival for rival in RIVALS if rival.version and (not wanted or rival.is_named(wanted))]


def missing(wanted: list[str] | None = None) -> list[Rival]:
    """List the rivals that are not installed, of those `wanted` or of all."""
    return [rival for rival in RIVALS if not rival.version and (not wanted or rival.is_named(wanted))]
