"""Random tables; the same every time."""

import numpy as np

N_COLUMNS = 20


def numbers(n_rows, n_columns=N_COLUMNS):
    """Draw columns and a numeric target that depends on some of them."""
    random = np.random.default_rng(0)
    X = random.standard_normal((n_rows, n_columns))
    y = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + random.standard_normal(n_rows)
    return X, y


def classes(n_rows, n_classes=2):
    """Draw the same columns, and cut the target into classes of equal size."""
    X, y = numbers(n_rows)
    return X, np.digitize(y, np.quantile(y, np.linspace(0, 1, n_classes + 1)[1:-1]))


def with_gaps(X):
    """Leave a tenth of the values out."""
    X = X.copy()
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    return X


def categories(X, n_categories):
    """Turn every column into categories, as frequent as each other, whose order says nothing."""
    random = np.random.default_rng(2)
    ranks = X.argsort(axis=0).argsort(axis=0)
    codes = ranks * n_categories // len(X)
    return np.stack([random.permutation(n_categories)[column] for column in codes.T], axis=1).astype(float)
