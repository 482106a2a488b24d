"""The trees that `shap` was asked about: columns of numbers without gaps; classes and numbers to predict."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

from treewright import DecisionTreeClassifier, DecisionTreeRegressor

TREES = {
    "iris": (load_iris, DecisionTreeClassifier, False),
    "iris, weighted": (load_iris, lambda: DecisionTreeClassifier(max_depth=3, criterion="entropy"), True),
    "breast cancer": (load_breast_cancer, lambda: DecisionTreeClassifier(min_samples_leaf=3), False),
    "diabetes": (load_diabetes, lambda: DecisionTreeRegressor(max_leaf_nodes=40), False),
    "diabetes, deep": (load_diabetes, lambda: DecisionTreeRegressor(min_samples_leaf=2), True),
}


def fitted(name):
    """Grow a tree and give rows to ask about; values are rounded so that float32 holds what decides."""
    load, make, is_weighted = TREES[name]
    X, y = load(return_X_y=True)
    X = X.astype(np.float32).astype(np.float64)
    weights = 1.0 + np.arange(len(y)) % 3 if is_weighted else None
    return make().fit(X, y, sample_weight=weights), X[:: len(X) // 4][:4]


N_SMALL = 200


def small_trees() -> Iterator[tuple[Any, np.ndarray]]:
    """Grow small random trees, of classes and of numbers in turn, and give a row to ask each about.

    The stream of `RandomState` is fixed for good, so that what was recorded stays true.
    """
    for seed in range(N_SMALL):
        draw = np.random.RandomState(seed)
        X = draw.randint(0, 8, (draw.randint(6, 40), draw.randint(2, 6))) / 2
        weights = draw.randint(1, 4, len(X)).astype(float)
        classes = draw.randint(0, 3, len(X))
        row = draw.randint(-2, 18, (1, X.shape[1])) / 4
        if seed % 2:
            tree = DecisionTreeRegressor().fit(X, classes + X[:, 0] / 8, sample_weight=weights)
        else:
            tree = DecisionTreeClassifier().fit(X, classes, sample_weight=weights)
        yield tree, row
