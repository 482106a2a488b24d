"""A table of loans with gaps, and trees of several kinds that are grown on it."""

import numpy as np

import treewright as tw


def credit():
    """Give a table of loans, 30% of them bad, with gaps: columns, target, weights."""
    rng = np.random.default_rng(12)
    n = 700
    amount, age = rng.gamma(2.0, 1500.0, n), rng.integers(19, 75, n).astype(np.float64)
    purpose = np.array(["car", "radio", "repairs", "school"], dtype=object)[rng.integers(0, 4, n)]
    risk = amount / 3000 - age / 40 + (purpose == "school") + rng.normal(size=n)
    target = np.where(risk > np.quantile(risk, 0.7), "bad", "good")
    limit = 800 * rng.random(n) + 3000 * (purpose == "car") - 20 * age + amount
    amount[rng.random(n) < 0.15] = np.nan
    purpose[rng.random(n) < 0.15] = None
    return {"amount": amount, "age": age, "purpose": purpose}, target, limit, rng.integers(1, 4, n) / 2


def some(X, rows):
    return {name: values[rows] for name, values in X.items()}


def classifier():
    X, y, _, _ = credit()
    return tw.DecisionTreeClassifier(max_depth=7).fit(X, y), X, y, None


def regressor():
    X, _, y, _ = credit()
    return tw.CARTRegressor(cv=3, random_state=0, pruning="min").fit(X, y), X, y, None


def c45_with_gaps():
    X, y, _, _ = credit()
    first, rest = slice(0, 450), slice(450, None)
    tree = tw.C45Classifier(min_cases=1, numeric_cost=False, confidence=0.6).fit(some(X, first), y[first])
    return tree, some(X, rest), y[rest], None


def cart_with_losses():
    X, y, _, weights = credit()
    loss = np.array([[0.0, 5.0], [1.0, 0.0]])  # of good for bad five times that of bad for good
    tree = tw.CARTClassifier(pruning=None, loss=loss, max_depth=7).fit(X, y, sample_weight=weights)
    return tree, X, y, weights


MADE = {each.__name__: each for each in (classifier, regressor, c45_with_gaps, cart_with_losses)}
