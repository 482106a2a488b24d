"""Rows counted by value give the tree that lists in order give, and the oracle, to the bit.

A ledger keeps the lists, so a tree grown with one is the slow twin. Tables are drawn so that nodes lie on
both sides of every switch: counts that are kept, counts on the spot (64 values at most), lists of 16 and 8
bits.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright
from oracle.exact_scores import OF_CLASSES
from oracle.naive_tree import Rules, acceptable_trees
from oracle.plain_tree import difference, of_estimator, of_nodes
from samples import sample
from treewright.parts.limits import Limits
from treewright.recipes import CART_CLASSES, Recipe
from treewright.table.target import CodedClasses

ARRAYS = (
    "feature",
    "threshold",
    "children_left",
    "children_right",
    "n_node_samples",
    "impurity",
    "value",
    "gain",
)
FEWEST_ROWS = 4096  # tables of fewer rows are sorted


def drawn(seed, n_rows, n_values, n_classes):
    """Draw columns of so many values each, one of which tells something of the class."""
    rng = np.random.default_rng(seed)
    steps = rng.choice([1.0, 3.0, 0.1], len(n_values))
    codes = np.column_stack([rng.integers(0, n, n_rows) for n in n_values])
    centre = codes[:, 0] * n_classes / n_values[0] + rng.normal(0, n_classes / 4, n_rows)
    y = np.clip(centre, 0, n_classes - 1).astype(np.int64)
    return (codes - rng.integers(0, 5)) * steps, y


def path_of(X, y):
    """Tell which way the engine grows a tree of one cut."""
    target = CodedClasses(y.astype(np.int32), np.arange(y.max() + 1))
    rows = sample([np.ascontiguousarray(column) for column in X.T], target)
    return rows.grow(Recipe(criterion=CART_CLASSES.criterion, limits=Limits(max_depth=1))).work.path


def without_row_counts(tree):
    """Leave out what hangs on how many rows there are: the counts, and where a gap would follow the most."""
    tests = [test and replace(test, missing_left=False) for test in tree.tests]
    return replace(tree, n_rows=[0] * len(tree), tests=tests)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.sampled_from([FEWEST_ROWS, 4500, 9000]),
    n_values=st.lists(st.sampled_from([2, 3, 5, 16, 40, 63, 64, 65, 130, 250]), min_size=1, max_size=5),
    n_classes=st.sampled_from([2, 2, 3, 7, 8, 9, 26]),
    criterion=st.sampled_from(["gini", "gini", "gini", *OF_CLASSES]),
    limits=st.fixed_dictionaries(
        {},
        optional={
            "max_depth": st.integers(1, 9),
            "min_samples_leaf": st.sampled_from([2, 30, 500]),
            "min_samples_split": st.sampled_from([3, 100]),
            "min_weight_fraction_leaf": st.sampled_from([0.001, 0.02]),
            "min_impurity_decrease": st.sampled_from([0.0005, 0.01]),
        },
    ),
    n_jobs=st.sampled_from([1, 2]),
)
def test_counted_rows_give_the_tree_of_lists(seed, n_rows, n_values, n_classes, criterion, limits, n_jobs):
    X, y = drawn(seed, n_rows, n_values, n_classes)
    options = {"criterion": criterion, **limits}
    counted = treewright.DecisionTreeClassifier(n_jobs=n_jobs, **options).fit(X, y).tree_
    listed = treewright.DecisionTreeClassifier(keep_ledger=True, **options).fit(X, y).tree_
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(counted, name), getattr(listed, name), err_msg=name)


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_values=st.lists(st.integers(2, 6), min_size=1, max_size=3),
    n_classes=st.sampled_from([2, 3, 5]),
    criterion=st.sampled_from(["gini", "gini", "entropy"]),
)
def test_counted_rows_give_the_oracle_s_tree(seed, n_values, n_classes, criterion):
    """Equal rows are one for the oracle, which weighs as much as they do."""
    X, y = drawn(seed, FEWEST_ROWS, n_values, n_classes)
    assert "counted" in path_of(X, y)
    rows, counts = np.unique(np.column_stack([X, y]), axis=0, return_counts=True)
    rules = Rules(criterion, max_depth=4)
    fitted = treewright.DecisionTreeClassifier(criterion=criterion, max_depth=4).fit(X, y)
    ours = without_row_counts(of_estimator(fitted))
    found = []
    for nodes in acceptable_trees(rows[:, :-1], rows[:, -1], rules, counts.astype(np.float64)):
        expected = without_row_counts(of_nodes(nodes, shares=True))
        found.append(difference(ours, expected, value_tolerance=1e-12, other_tolerance=1e-9))
    assert None in found, found[0]


@pytest.mark.parametrize(
    ("change", "is_counted"),
    [
        ("nothing", True),
        ("float32", True),
        ("int64", True),
        ("a gap", False),
        ("few rows", False),
        ("many values", False),
        ("one column of measurements", False),
    ],
)
def test_whole_columns_of_few_values_are_counted(change, is_counted):
    X, y = drawn(0, 2 * FEWEST_ROWS, [7, 90], 3)
    rng = np.random.default_rng(1)
    if change in ("float32", "int64"):
        X = X.astype(change)
    elif change == "a gap":
        X[3, 1] = np.nan
    elif change == "few rows":
        X, y = X[: FEWEST_ROWS - 1], y[: FEWEST_ROWS - 1]
    elif change == "many values":
        X[:, 1] = rng.integers(0, 3000, len(y))
    elif change == "one column of measurements":
        X[:, 0] = rng.normal(size=len(y))
    assert ("values counted" in path_of(X, y)) == is_counted


@pytest.mark.parametrize("outlier", [0.5, 1e6, -1e6, 2.0**40, np.nan, -0.0])
def test_one_late_value_of_another_kind_changes_no_code(outlier):
    """Whole numbers near the first ones are coded as they are read; one that is not has to be seen."""
    X, y = drawn(3, 6000, [9, 30], 2)
    X = np.round(X)
    X[5000, 0] = outlier
    X[5500, 1] = 31.0
    counted = treewright.DecisionTreeClassifier().fit(X, y).tree_
    shuffled = np.random.default_rng(0).permutation(len(y))
    other = treewright.DecisionTreeClassifier(keep_ledger=True).fit(X[shuffled], y[shuffled]).tree_
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(counted, name), getattr(other, name), err_msg=name)
