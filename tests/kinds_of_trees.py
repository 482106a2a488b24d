"""One small fitted estimator of every kind that a model file must hold, with rows to ask it about."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import treewright as tw
from treewright.errors import UnseenCategoryWarning

N = 120
TOWNS = ["上海", "Ulm", "São Paulo", "", 'a "b"\n\\', "Bonn"]


@dataclass(frozen=True)
class Kind:
    """A way to fit an estimator, and rows with gaps and strangers to ask it about."""

    estimator: Any
    target: str = "class"
    columns: tuple[str, ...] = ("size", "town", "age")
    weights: bool = False

    def fit(self, n_jobs: int | None = None) -> Any:
        table = training_table()
        X = {name: table[name] for name in self.columns}
        weights = np.random.default_rng(5).integers(0, 4, N) / 4 if self.weights else None
        return self.estimator().set_params(n_jobs=n_jobs).fit(X, table[self.target], sample_weight=weights)

    def rows(self) -> dict[str, Any]:
        return {name: rows_to_ask()[name] for name in self.columns}


@cache
def training_table() -> dict[str, Any]:
    rng = np.random.default_rng(11)
    size = np.where(rng.random(N) < 0.1, np.nan, rng.normal(size=N))
    town = np.array([TOWNS[i] for i in rng.integers(0, 5, N)], dtype=object)
    town[rng.random(N) < 0.08] = None
    age = rng.integers(1, 90, N)
    score = np.nan_to_num(size) + age / 30 + np.array([len(each or "") for each in town]) / 3
    noisy = score + rng.normal(size=N)
    day = np.datetime64("2023-02-01") + rng.integers(0, 300, N)
    return {
        "size": size,
        "town": town,
        "age": age,
        "big": 2**60 + rng.integers(0, 500, N) + (noisy > 2) * 300,
        "day": day + (noisy > 2) * 100,
        "moment": pd.Series(day.astype("M8[us]") + rng.integers(0, 10**9, N)).dt.tz_localize("UTC"),
        "delay": (rng.integers(-9, 9, N) + (noisy > 2) * 6).astype("m8[h]"),
        "is_open": rng.random(N) < 0.3 + 0.4 * (noisy > 2),
        "floor": _categories([[3, -1, 10, 7][i] for i in rng.integers(0, 3, N)], categories=[10, 3, -1, 7]),
        "grade": _categories([[0.5, 1.5, 2.0][i] for i in rng.integers(0, 3, N)]),
        "class": np.array(["差", "中", "好"], dtype=object)[np.digitize(noisy, [1.5, 3])],
        "flag": noisy > 2,
        "code": np.digitize(noisy, [1.5, 3]).astype(np.int16) * 5 - 7,
        "whole": np.digitize(noisy, [1.5, 3]).astype(np.float64),
        "word": np.array(["no", "maybe", "yes"])[np.digitize(noisy, [1.5, 3])],
        "one": np.full(N, "only"),
        "number": noisy,
        "one_number": np.full(N, 2.5),
        "count": np.floor(np.abs(noisy) * 2),
    }


@cache
def rows_to_ask() -> dict[str, Any]:
    """Take rows of training, then gaps in each column, then categories that were not there."""
    rows = {}
    for name, values in training_table().items():
        series = pd.Series(values).iloc[:40].reset_index(drop=True)
        if name in ("size", "town", "day", "moment", "delay"):
            series = series.mask(np.arange(40) % 3 == 0)
        rows[name] = series
    rows["town"] = rows["town"].where(np.arange(40) % 5 != 1, "Atlantis")
    rows["floor"] = _categories([99 if i % 7 == 2 else 3 for i in range(40)])
    return rows


def hellinger(y, weight, cuts):
    return np.array([min(cut, len(y) - cut) / len(y) for cut in cuts], dtype=np.float64)


def _categories(values: Any, categories: Any = None) -> Any:
    return pd.Series(pd.Categorical(values, categories=categories))


def _grow(kind: Callable[..., Any], **parameters: Any) -> Callable[[], Any]:
    return lambda: kind(**parameters)


ALL = ("size", "town", "age", "big", "day", "moment", "delay", "is_open", "floor", "grade")
_CLASSIFIER, _REGRESSOR = tw.DecisionTreeClassifier, tw.DecisionTreeRegressor
KINDS = {
    "gini": Kind(_grow(_CLASSIFIER)),
    "every type of column": Kind(_grow(_CLASSIFIER, max_depth=7), columns=ALL),
    "weights": Kind(_grow(_CLASSIFIER, max_depth=6), columns=ALL, weights=True),
    "numbers only": Kind(_grow(_CLASSIFIER, missing="majority"), columns=("size", "age")),
    "booleans as classes": Kind(_grow(_CLASSIFIER, max_depth=4), target="flag"),
    "whole numbers as classes": Kind(_grow(_CLASSIFIER, max_depth=4), target="code"),
    "floats as classes": Kind(_grow(_CLASSIFIER, max_depth=4), target="whole"),
    "texts of NumPy as classes": Kind(_grow(_CLASSIFIER, max_depth=4), target="word"),
    "one class": Kind(_grow(_CLASSIFIER), target="one"),
    "one leaf": Kind(_grow(_CLASSIFIER, min_impurity_decrease=1e9)),
    "one leaf of numbers": Kind(_grow(_REGRESSOR, min_impurity_decrease=1e9), target="number"),
    "multiway": Kind(_grow(_CLASSIFIER, categorical_split="multiway", max_depth=5), columns=ALL),
    "a branch for gaps": Kind(_grow(_CLASSIFIER, missing="branch", max_depth=5), columns=ALL),
    "one against the rest": Kind(
        _grow(_CLASSIFIER, categorical_split="one-vs-rest", max_depth=5), columns=ALL
    ),
    "spread": Kind(_grow(_CLASSIFIER, missing="spread", max_depth=5), columns=ALL),
    "refuse": Kind(_grow(_CLASSIFIER, missing="refuse", max_depth=5), columns=("age", "is_open", "big")),
    "a ledger": Kind(_grow(_CLASSIFIER, max_depth=3, keep_ledger=True), columns=ALL),
    "a ledger of a pruned tree": Kind(_grow(tw.C45Classifier, keep_ledger=True)),
    "a ledger of nothing": Kind(
        _grow(_REGRESSOR, criterion="absolute_error", keep_ledger=True), target="one_number"
    ),
    "surrogates": Kind(_grow(tw.CARTClassifier, pruning=None, max_depth=5), columns=ALL),
    "surrogates of numbers": Kind(_grow(tw.CARTRegressor, pruning=None, max_depth=5), "number", ALL),
    "CART pruned": Kind(_grow(tw.CARTClassifier, cv=4, random_state=0)),
    "CART pruned with priors": Kind(
        _grow(tw.CARTClassifier, cv=3, random_state=0, pruning="min", prior=(0.2, 0.3, 0.5))
    ),
    "CART pruned, numbers": Kind(_grow(tw.CARTRegressor, cv=4, random_state=0), "number", ALL),
    "prior and loss": Kind(
        _grow(
            _CLASSIFIER,
            max_depth=5,
            prior={"中": 0.25, "差": 0.25, "好": 0.5},
            loss=np.array([[0, 1, 2], [1, 0, 1], [5, 1, 0.0]]),
            class_weight="balanced",
        )
    ),
    "monotone": Kind(_grow(_CLASSIFIER, max_depth=5, monotonic_cst={"age": 1}), target="flag"),
    "a pruned tree": Kind(_grow(_CLASSIFIER, ccp_alpha=0.01)),
    "random": Kind(_grow(_CLASSIFIER, splitter="random", max_features="sqrt", random_state=3)),
    "gain ratio": Kind(_grow(_CLASSIFIER, criterion="gain_ratio", max_depth=5)),
    "a function": Kind(_grow(_CLASSIFIER, criterion=hellinger, max_depth=3)),
    "numbers": Kind(_grow(_REGRESSOR, max_depth=6), "number", ALL),
    "medians": Kind(_grow(_REGRESSOR, criterion="absolute_error", max_depth=4), "number"),
    "poisson": Kind(_grow(_REGRESSOR, criterion="poisson", max_depth=4), "count"),
    "numbers in shares": Kind(_grow(_REGRESSOR, missing="spread", max_depth=4), "number", ALL),
    "C4.5": Kind(_grow(tw.C45Classifier), columns=ALL),
    "C4.5 unpruned": Kind(_grow(tw.C45Classifier, pruning=False, min_cases=1), columns=ALL, weights=True),
    "C4.5 with groups": Kind(_grow(tw.C45Classifier, group_categories=True), columns=ALL),
    "C4.5 binary": Kind(_grow(tw.C45Classifier, binary_splits=True, laplace=True), columns=ALL),
    "C4.5 by gain": Kind(_grow(tw.C45Classifier, criterion="gain", class_weight={"好": 2.5}), columns=ALL),
    "J48": Kind(_grow(tw.C45Classifier, variant="j48", reduced_error_folds=3), columns=ALL),
    "textbook": Kind(_grow(tw.C45Classifier, variant="textbook", subtree_raising=False)),
    "ID3": Kind(_grow(tw.ID3Classifier, missing="spread", max_depth=3), columns=("town", "is_open", "floor")),
    "ID3 with intervals": Kind(
        _grow(tw.ID3Classifier, missing="branch", bins=4), columns=("size", "day", "delay", "town")
    ),
}


@cache
def fitted(name: str) -> Any:
    """Fit the estimator of a kind, once."""
    return KINDS[name].fit()


def answers(estimator: Any, kind: Kind) -> dict[str, Any]:
    """Ask a fitted estimator all that it can be asked about the kind's rows."""
    rows = kind.rows()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        found = {
            "predict": estimator.predict(rows),
            "apply": estimator.apply(rows),
            "path": estimator.decision_path(rows).toarray(),
        }
        if hasattr(estimator, "predict_proba"):
            found["predict_proba"] = estimator.predict_proba(rows)
    return found
