"""By misclassification most cuts of a column tie; the one whose sides differ least in weight wins.

The oracle chooses by the same rule (`tests/oracle/naive_tree.py`); here it is told on tables to be read.
"""

import numpy as np
import pytest

import treewright as tw

NAN = float("nan")


def root(X, y, weights=None, **options):
    """Give column, cut and branch of missing values of the root."""
    tree = tw.DecisionTreeClassifier(criterion="misclassification", max_depth=1, **options)
    asked = tree.fit(X, y, sample_weight=weights).tree_.question(0)
    return asked.column, asked.cut, asked.missing_branch


def column(*values):
    return np.array(values, dtype=float)[:, None]


EIGHT = np.arange(8.0)[:, None]
FEW_ONES = [0, 1, 0, 0, 0, 0, 1, 0]  # no cut has an answer other than 0 on a side


def test_where_no_cut_gains_anything_the_middle_one_wins():
    assert root(EIGHT, FEW_ONES)[:2] == (0, 3.5)


def test_of_cuts_that_gain_the_same_the_most_even_one_wins():
    """Two rows below 1.5, four below 3.5, six below 5.5: each of these cuts gets 8 rows right."""
    y = ["b", "b", "a", "b", "a", "b", "a", "a", "a", "a"]
    X = np.arange(10.0)[:, None]
    tree = tw.DecisionTreeClassifier(criterion="misclassification").fit(X, y)
    ledger = tw.audit(tree, X, y, every_cut=True)
    best = max(row.gain for row in ledger)
    assert best > 0
    assert [row.question.cut for row in ledger if row.gain == best] == [1.5, 3.5, 5.5]
    assert root(X, y)[:2] == (0, 3.5)


def test_weights_move_the_middle():
    assert root(EIGHT, FEW_ONES, [9, 1, 4, 1, 1, 1, 1, 1])[:2] == (0, 0.5)
    assert root(EIGHT, FEW_ONES, [1, 1, 1, 1, 1, 1, 1, 9])[:2] == (0, 6.5)


def test_of_cuts_as_even_as_each_other_the_lowest_wins():
    y = [0, 1, 0, 0, 0, 0, 0]
    assert root(np.arange(7.0)[:, None], y)[:2] == (0, 2.5)


def test_a_tie_between_columns_goes_to_the_first_however_uneven():
    X = np.column_stack([[0, 1, 1, 1, 1, 1, 1, 1], np.arange(8)])
    assert root(X, FEW_ONES)[:2] == (0, 0.5)


def test_missing_values_count_on_the_side_they_go_to():
    """Six known values and four gaps: 1 + 4 | 5 is as even as 5 | 1 + 4, and lower."""
    X = column(0, 1, 2, 3, 4, 5, NAN, NAN, NAN, NAN)
    y = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    assert root(X, y) == (0, 0.5, 0)
    assert root(X, y, missing="majority")[:2] == (0, 2.5)
    assert root(X, y, missing="spread")[:2] == (0, 2.5)


def test_as_even_both_ways_missing_values_go_right():
    assert root(column(0, 0, 0, 1, 1, 1, NAN), [0, 0, 1, 1, 0, 0, 0]) == (0, 0.5, 1)


def test_limits_on_leaves_leave_the_most_even_of_what_is_allowed():
    weights = [1, 1, 1, 1, 1, 1, 1, 9]
    assert root(EIGHT, FEW_ONES, weights, min_samples_leaf=2)[:2] == (0, 5.5)
    assert root(EIGHT, FEW_ONES, weights, min_samples_leaf=4)[:2] == (0, 3.5)


def noise(n, n_classes=2, seed=0):
    random = np.random.default_rng(seed)
    X = np.column_stack([random.standard_normal((n, 2)), random.integers(0, 40, n)])
    X[random.random(X.shape) < 0.05] = NAN
    return X, np.minimum(random.geometric(0.6, n) - 1, n_classes - 1)


@pytest.mark.parametrize("missing", ["learned", "majority", "branch", "spread"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_threads_ledgers_and_the_order_of_rows_change_no_tree(n_classes, missing):
    X, y = noise(12_000, n_classes)
    options = {"criterion": "misclassification", "missing": missing, "max_depth": 12}
    tree = tw.DecisionTreeClassifier(n_jobs=1, **options).fit(X, y).tree_
    assert tw.DecisionTreeClassifier(n_jobs=2, **options).fit(X, y).tree_ == tree
    told = tw.DecisionTreeClassifier(keep_ledger=True, **options).fit(X, y).tree_
    assert np.array_equal(told.cut, tree.cut, equal_nan=True)
    assert np.array_equal(told.missing_branch, tree.missing_branch)
    order = np.random.default_rng(1).permutation(len(y))
    assert tw.DecisionTreeClassifier(n_jobs=1, **options).fit(X[order], y[order]).tree_ == tree


@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])
def test_every_cut_is_listed_and_the_trees_is_the_best_of_its_column(weighted):
    X, y = noise(300, 3)
    weights = np.random.default_rng(2).integers(1, 4, len(y)) if weighted else None
    tree = tw.DecisionTreeClassifier(criterion="misclassification", keep_ledger=True)
    tree.fit(X, y, sample_weight=weights)
    inner = np.flatnonzero(tree.tree_.column >= 0)[:20]
    n_less_even = 0
    for node in inner.tolist():
        ledger = tw.audit(tree, X, y, node, every_cut=True, sample_weight=weights)
        asked = tree.tree_.question(node)
        assert (ledger.winner.question.column, ledger.winner.question.cut) == (asked.column, asked.cut)
        for kept in tree.ledger_[node]:
            rows = [row for row in ledger if row.column == kept.column and row.rank]
            if not rows:
                continue
            best = min(rows, key=lambda row: row.rank)
            assert best.question == kept.question
            assert best.verdict == kept.verdict
            tied = [row for row in rows if row.gain == best.gain]
            assert uneven(best) == min(map(uneven, tied))
            for row in tied:
                if row is not best:
                    is_less_even = uneven(row) > uneven(best)
                    n_less_even += is_less_even
                    assert row.reason.endswith(", sides less even" if is_less_even else ", later cut")
    assert n_less_even > 20


def uneven(row):
    return abs(row.branches[0].weight - row.branches[1].weight)
