"""The libraries compared. To add one, write a `Rival` and put it in `RIVALS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

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
        Job -> an estimator with `fit`, `predict` and `score`, on one thread.
    n_leaves : callable
        Fitted estimator -> number of leaves.
    takes : callable
        Job -> whether it is worth waiting for.
    """

    name: str
    package: str
    make: Callable[[Job], Any]
    n_leaves: Callable[[Any], int]
    takes: Callable[[Job], bool] = lambda job: True

    @property
    def version(self) -> str | None:
        """The installed version, None where there is none."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


def criterion(job: Job) -> dict[str, str]:
    """Name the job's criterion where it is not the usual one; the words are scikit-learn's."""
    return {} if job.criterion is None else {"criterion": job.criterion}


def treewright(job: Job) -> Any:
    from treewright import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeClassifier if job.task == "classes" else DecisionTreeRegressor
    return kind(max_depth=job.max_depth, random_state=0, n_jobs=1, **criterion(job))


def scikit_learn(job: Job) -> Any:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    kind = DecisionTreeClassifier if job.task == "classes" else DecisionTreeRegressor
    return kind(max_depth=job.max_depth, random_state=0, **criterion(job))


def hist_gradient_boosting(job: Job) -> Any:
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


def lightgbm(job: Job) -> Any:
    from lightgbm import LGBMClassifier, LGBMRegressor

    kind = LGBMClassifier if job.task == "classes" else LGBMRegressor
    return kind(
        n_estimators=1,
        learning_rate=1.0,
        max_depth=job.max_depth or -1,
        num_leaves=2**job.max_depth if job.max_depth else min(job.n_rows, 131_072),  # its largest
        min_child_samples=1,
        min_child_weight=0.0,
        n_jobs=1,
        verbose=-1,
    )


# Those that sort values into 255 bins first are not after the same tree: they trade quality for speed.
RIVALS = [
    Rival("treewright", "treewright", treewright, lambda tree: tree.get_n_leaves()),
    Rival("scikit-learn", "scikit-learn", scikit_learn, lambda tree: tree.get_n_leaves()),
    Rival(
        "HistGradientBoosting (binned)",
        "scikit-learn",
        hist_gradient_boosting,
        lambda model: model._predictors[0][0].get_n_leaf_nodes(),
        # Fully grown on numbers it needs gigabytes, and a leaf for each row.
        takes=lambda job: (
            job.criterion is None
            and (job.max_depth is not None or (job.task == "classes" and job.n_rows <= 100_000))
        ),
    ),
    Rival(
        "LightGBM (binned)",
        "lightgbm",
        lightgbm,
        lambda model: model.booster_.dump_model()["tree_info"][0]["num_leaves"],
        takes=lambda job: job.criterion is None and (job.max_depth is not None or job.n_rows <= 10_000),
    ),
]


def installed(wanted: list[str] | None = None) -> list[Rival]:
    """List the rivals that are installed, of those `wanted` (beginnings of names) or of all."""
    return [
        rival
        for rival in RIVALS
        if rival.version
        and (not wanted or any(rival.name.casefold().startswith(w.casefold()) for w in wanted))
    ]
