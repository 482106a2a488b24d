"""Where every row weighs 1 the cuts of a column are bounded a run at a time; with weights one by one.

A row of weight 2 is the row given twice, so the two must grow the same tree: the slow one is the oracle of
the fast.
"""

import numpy as np
import pytest

from treewright import DecisionTreeClassifier

CRITERIA = ("gini", "entropy", "misclassification", "gain_ratio")


def table(n_rows, n_classes, gaps, seed):
    """Columns with ties and without, some with gaps; classes that hang on the columns, and on chance."""
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [
            random.standard_normal((n_rows, 2)),
            random.integers(0, 9, n_rows),
            np.round(random.standard_normal(n_rows), 1),
        ]
    )
    signal = X[:, 0] + X[:, 1] * X[:, 2] + X[:, 3] + random.standard_normal(n_rows)
    y = np.digitize(signal, np.quantile(signal, np.linspace(0, 1, n_classes + 1)[1:-1]))
    if gaps:
        X[random.random(X.shape) < 0.1] = np.nan
    return X, random.permutation(n_classes)[y], random.integers(1, 3, n_rows)


def unlike(weighted, copied):
    """Tell which arrays of two trees differ, but for those that count rows."""
    one, two = weighted.tree_, copied.tree_
    names = ("feature", "threshold", "children_left", "children_right", "value")
    names += ("weighted_n_node_samples", "impurity")
    return [name for name in names if not np.array_equal(getattr(one, name), getattr(two, name))]


@pytest.mark.parametrize("n_classes", [2, 3, 40])
@pytest.mark.parametrize(
    ("criterion", "missing"),
    [
        (criterion, missing)
        for criterion in CRITERIA
        for missing in ("learned", "majority", "branch")
        if (criterion, missing) != ("gain_ratio", "branch")  # a ratio scores two branches
    ],
)
def test_weights_and_copies_of_rows_grow_the_same_tree(criterion, missing, n_classes):
    X, y, weights = table(400, n_classes, True, 7)
    rows = np.repeat(np.arange(len(y)), weights)
    options = {"criterion": criterion, "missing": missing, "random_state": 0}
    weighted = DecisionTreeClassifier(**options).fit(X, y, sample_weight=weights)
    copied = DecisionTreeClassifier(**options).fit(X[rows], y[rows])
    assert np.array_equal(weighted.apply(X), copied.apply(X))
    assert np.array_equal(weighted.predict_proba(X), copied.predict_proba(X))


@pytest.mark.parametrize("n_rows", [300, 5_000, 12_000, 40_000])
@pytest.mark.parametrize("n_classes", [2, 3, 40])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_so_they_do_in_blocks_of_every_width(criterion, n_classes, n_rows):
    """Of up to 4,096 and 8,192 rows sums are exact; of up to 32,768 numbers are narrow."""
    X, y, weights = table(n_rows, n_classes, False, n_rows)
    rows = np.repeat(np.arange(len(y)), weights)
    options = {"criterion": criterion, "max_depth": 6, "random_state": 0}
    weighted = DecisionTreeClassifier(**options).fit(X, y, sample_weight=weights)
    copied = DecisionTreeClassifier(**options).fit(X[rows], y[rows])
    assert unlike(weighted, copied) == []


@pytest.mark.parametrize("criterion", CRITERIA)
def test_rows_each_of_a_class_of_its_own_grow_the_same_tree_with_a_ledger(criterion):
    """A column that no other can beat ends the search of a node, but not where a ledger is kept."""
    random = np.random.default_rng(3)
    X = np.round(random.standard_normal((60, 5)), 1)
    y = np.arange(60)
    plain = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
    told = DecisionTreeClassifier(criterion=criterion, random_state=0, keep_ledger=True).fit(X, y)
    assert unlike(plain, told) == []
