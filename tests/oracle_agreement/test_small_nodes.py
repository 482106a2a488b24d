"""Small nodes in registers and as sets of bits give the tree that lists give, to the bit.

A ledger wants every column's best, so a tree grown with one keeps its lists to the end (decision 0023): it is
the slow twin, and the oracle holds it in turn (`test_growth.py`). Tables are drawn so that nodes lie on both
sides of every switch: 15, 64 and 255 rows, values that are few, tied now and then, or all different.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright
from oracle_agreement.test_counted_values import ARRAYS

TREES = {"classes": treewright.DecisionTreeClassifier, "numbers": treewright.DecisionTreeRegressor}


def drawn(seed, n_rows, n_values, noise, task):
    """Draw columns of so many values each (0: measurements), and a target that two of them tell, or none."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, n, n_rows) if n else rng.normal(size=n_rows) for n in n_values])
    signal = (X[:, 0] > np.median(X[:, 0])) ^ (X[:, -1] > np.median(X[:, -1]))
    y = np.where(rng.random(n_rows) < noise, rng.integers(0, 2, n_rows), signal)
    if task == "numbers":
        y = np.round(y + rng.normal(size=n_rows), rng.integers(0, 4))
    return X, y


def assert_same_tree(tree, twin):
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(tree, name), getattr(twin, name), err_msg=name)


@pytest.mark.parametrize("task", TREES)
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.sampled_from([14, 16, 40, 64, 66, 200, 255, 257, 300, 700, 2000]),
    n_values=st.lists(st.sampled_from([0, 2, 3, 5, 12, 30, 64, 200, 1000]), min_size=1, max_size=6),
    noise=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    limits=st.fixed_dictionaries(
        {},
        optional={
            "max_depth": st.integers(1, 9),
            "min_samples_leaf": st.sampled_from([2, 3, 7, 40]),
            "min_samples_split": st.sampled_from([3, 20]),
            "min_weight_fraction_leaf": st.sampled_from([0.004, 0.02]),
            "min_impurity_decrease": st.sampled_from([0.0005, 0.01]),
        },
    ),
)
def test_small_nodes_give_the_tree_of_lists(task, seed, n_rows, n_values, noise, limits):
    X, y = drawn(seed, n_rows, n_values, noise, task)
    assert_same_tree(
        TREES[task](**limits).fit(X, y).tree_, TREES[task](keep_ledger=True, **limits).fit(X, y).tree_
    )


@pytest.mark.parametrize("n_columns", [1, 2, 3])
@pytest.mark.parametrize("n_copies", [1, 5, 80])
def test_cuts_that_tell_nothing_go_to_the_first_column_and_the_lowest_cut(n_columns, n_copies):
    """Where all cuts are worth nothing, as of parity, none is better than the first."""
    grid = np.stack(np.meshgrid(*[np.arange(4.0)] * n_columns, indexing="ij"), axis=-1).reshape(-1, n_columns)
    X = np.tile(grid, (n_copies * (300 // len(grid) + 1), 1))
    y = X.sum(axis=1) % 2
    fitted = treewright.DecisionTreeClassifier(max_depth=2 * n_columns).fit(X, y).tree_
    if n_columns > 1:
        assert (fitted.feature[0], fitted.threshold[0]) == (0, 0.5)
    twin = treewright.DecisionTreeClassifier(max_depth=2 * n_columns, keep_ledger=True).fit(X, y).tree_
    assert_same_tree(fitted, twin)


def test_two_rows_go_to_the_column_that_a_criterion_prefers():
    """Every column parts two rows alike; a function may still prefer one of them on the left."""

    def high_on_the_left(y, weight, cuts):
        return np.array([y[:cut].mean() - y[cut:].mean() for cut in cuts])

    X, y = np.array([[1.0, 2.0], [2.0, 1.0]]), np.array([0.0, 1.0])
    tree = treewright.DecisionTreeRegressor(criterion=high_on_the_left, n_jobs=1).fit(X, y).tree_
    assert tree.column[0] == 1
    # Four pairs of rows far apart in a third column, which is the best one until only pairs are left.
    far = np.repeat(np.arange(4.0), 2)
    X, y = np.column_stack([np.tile(X, (4, 1)) + 10 * far[:, None], far]), np.tile(y, 4) - 10 * far
    tree = treewright.DecisionTreeRegressor(criterion=high_on_the_left, n_jobs=1).fit(X, y).tree_
    pairs = tree.column[(tree.n_rows == 2) & (tree.column >= 0)]
    assert len(pairs) > 0
    assert (pairs == 1).all()


@pytest.mark.parametrize("penalty", ["linear", "quadratic", None])
def test_nodes_of_two_rows_end_whatever_missing_values_cost(penalty):
    """Columns that nobody needs to look at are not kept in order for these nodes."""
    rng = np.random.default_rng(0)
    for n in (2, 3, 5, 10, 50, 300):
        X, y = rng.normal(size=(n, 3)), rng.normal(size=n)
        plain = treewright.DecisionTreeRegressor(n_jobs=1).fit(X, y).tree_
        spread = (
            treewright.DecisionTreeRegressor(missing="spread", missing_penalty=penalty, n_jobs=1)
            .fit(X, y)
            .tree_
        )
        assert (spread.column == plain.column).all()
        assert (spread.cut[spread.column >= 0] == plain.cut[plain.column >= 0]).all()
