"""`tw.audit`: one node of a fitted tree, from the data."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier as TheirTree

import treewright as tw
from treewright.errors import ParameterError, ParameterTypeError, TableError, TargetError

X = {"age": [22, 35, 47, 58, 61, 29], "city": ["a", "b", "a", "b", "c", "c"]}
Y = ["no", "no", "yes", "yes", "yes", "no"]


def test_the_target_may_be_a_column_and_columns_in_any_order():
    tree = tw.DecisionTreeClassifier().fit(X, Y)
    frame = pd.DataFrame({"city": X["city"], "bought": Y, "age": X["age"]})
    by_name = tw.audit(tw.DecisionTreeClassifier().fit(frame, "bought"), frame, "bought")
    assert by_name.row("age").gain == tw.audit(tree, X, Y).row("age").gain
    other = {"city": X["city"], "age": X["age"]}
    assert tw.audit(tree, other, Y) == tw.audit(tree, X, Y)


def test_numbers_and_nodes_below_the_root():
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(60, 3))
    y = columns[:, 0] + rng.normal(size=60)
    tree = tw.DecisionTreeRegressor(max_depth=3, keep_ledger=True).fit(columns, y)
    for number in tree.ledger_.nodes:
        found = tw.audit(tree, columns, y, number)
        assert found.nodes == (number,)
        if not tree.tree_.node(number).is_leaf:
            asked = tree.tree_.question(number)
            assert (found.winner.question.column, found.winner.question.cut) == (asked.column, asked.cut)
        elif tree.tree_.node(number).impurity > 0 and tree.tree_.n_rows[number] > 1:
            assert found.why(number).startswith(
                "a leaf: the tree has reached its maximum depth; it would have asked "
            )


def test_every_cut_of_every_numeric_column_is_listed_once():
    rng = np.random.default_rng(1)
    columns = {"a": rng.integers(0, 9, 50).astype(float), "b": rng.normal(size=50), "c": ["u", "v"] * 25}
    y = rng.integers(0, 3, 50)
    ledger = tw.audit(
        tw.DecisionTreeClassifier(min_samples_leaf=5).fit(columns, y), columns, y, every_cut=True
    )
    for name in ("a", "b"):
        values = np.unique(columns[name])
        cuts = [row.question.cut for row in ledger if row.column == name]
        assert cuts == ((values[1:] + values[:-1]) / 2).tolist()
        allowed = [row for row in ledger if row.column == name and row.verdict != "too few"]
        best = max(row.gain for row in allowed)
        ranks = sorted(row.rank for row in allowed)
        assert len(set(ranks)) == len(ranks)
        assert min(allowed, key=lambda row: row.rank).gain == best
        for row in ledger:
            assert (row.verdict == "too few") == any(branch.weight < 5 for branch in row.branches)
    assert sum(row.column == "c" for row in ledger) == 1


@pytest.mark.parametrize("criterion", ["squared_error", "poisson", "absolute_error"])
@pytest.mark.parametrize("missing", ["learned", "majority", "branch"])
def test_every_cut_of_numbers_with_gaps(criterion, missing):
    rng = np.random.default_rng(2)
    columns = {
        "a": np.where(rng.random(40) < 0.2, np.nan, rng.integers(0, 6, 40)),
        "b": rng.integers(0, 9, 40),
    }
    y = rng.integers(1, 9, 40).astype(float)
    tree = tw.DecisionTreeRegressor(criterion=criterion, missing=missing, keep_ledger=True).fit(columns, y)
    ledger = tw.audit(tree, columns, y, every_cut=True)
    for kept in tree.ledger_[0]:
        same = [row for row in ledger if row.question == kept.question and row.column == kept.column]
        assert len(same) == 1
        assert same[0].gain == pytest.approx(kept.gain, abs=1e-12)
        assert same[0].gain == pytest.approx(
            max(row.gain for row in ledger if row.column == kept.column), abs=1e-12
        )
    known = np.count_nonzero(~np.isnan(columns["a"]))
    for row in ledger:
        scored = known if missing == "majority" and row.column == "a" else 40
        assert sum(branch.weight for branch in row.branches) == scored


def test_bounds_of_monotone_trees_hold_at_the_node():
    rng = np.random.default_rng(3)
    columns = rng.normal(size=(80, 3))
    for criterion in ("squared_error", "absolute_error"):
        y = columns[:, 0] + rng.normal(size=80)
        tree = tw.DecisionTreeRegressor(
            criterion=criterion, monotonic_cst=[1, 0, -1], max_depth=4, keep_ledger=True
        ).fit(columns, y)
        for number in tree.ledger_.nodes:
            kept = tree.ledger_[number]
            if len(kept):
                found = tw.audit(tree, columns, y, number)
                assert [row.question for row in found] == [row.question for row in kept]
                assert [row.verdict for row in found] == [row.verdict for row in kept]


def test_an_audit_changes_nothing():
    columns = {name: list(values) for name, values in X.items()}
    tree = tw.DecisionTreeClassifier().fit(columns, Y)
    before = tree.to_text()
    tw.audit(tree, columns, Y, every_cut=True)
    assert columns == X
    assert tree.to_text() == before


def test_wrong_calls_are_refused():
    tree = tw.DecisionTreeClassifier().fit(X, Y)
    with pytest.raises(ParameterError, match=r"node=99 does not exist; the tree has nodes 0 to 2"):
        tw.audit(tree, X, Y, node=99)
    with pytest.raises(ValueError, match="node=-1"):
        tw.audit(tree, X, Y, node=-1)
    with pytest.raises(ParameterError, match="every_cut='all' is neither True nor False"):
        tw.audit(tree, X, Y, every_cut="all")
    with pytest.raises(TargetError, match="the target holds 'maybe', which the tree was not grown on"):
        tw.audit(tree, X, ["maybe"] * 6)
    with pytest.raises(ParameterTypeError, match="not DecisionTreeClassifier"):
        tw.audit(TheirTree(), X, Y)
    with pytest.raises(ValueError, match="not fitted"):
        tw.audit(tw.DecisionTreeClassifier(), X, Y)
    with pytest.raises(ValueError, match="6"):
        tw.audit(tree, X, Y[:3])
    with pytest.raises(TableError, match="no row of the table reaches node 2"):
        tw.audit(tree, {"age": [22, 35], "city": ["a", "b"]}, ["no", "no"], node=2)


def test_a_cut_that_limits_forbid_and_that_does_not_pay_has_no_ratio():
    columns, target = tw.datasets.load("watermelon_20a_density")
    tree = tw.C45Classifier().fit(columns, target)
    ledger = tw.audit(tree, columns, target, every_cut=True)
    first = next(row for row in ledger if row.column == "密度")
    assert (first.branches[0].weight, first.gain) == (1.0, pytest.approx(0.0563, abs=1e-4))
    assert (first.split_information, first.ratio, first.verdict) == (None, None, "too few")
