"""A table whose classes are partly chance, so that there is something to prune."""

import numpy as np


def noisy(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = {"a": rng.normal(size=n).round(2), "b": rng.choice(["u", "v", "w"], n), "c": rng.normal(size=n)}
    chance = 1 / (1 + np.exp(-3 * X["a"] - 2 * (X["b"] == "u")))
    return X, np.where(rng.random(n) < chance, "yes", "no")


def rows(X, at):
    return {name: values[at] for name, values in X.items()}
