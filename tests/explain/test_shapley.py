"""Shapley values: from the formula on small trees of every kind, and as the shap package has them."""

import json
from pathlib import Path

import numpy as np
import pytest

from oracle import naive_shapley
from oracle.agreement import TIMES
from shap_trees import N_SMALL, TREES, fitted, small_trees
from small_trees import KINDS, SPLITS, cases, cases_with
from treewright import CARTClassifier, DecisionTreeClassifier, DecisionTreeRegressor
from treewright.explain.shapley import ShapleyGame, expected_value
from treewright.model.routing import decide

RECORDED = json.loads(Path(__file__).with_name("shap_values.json").read_text("utf-8"))
N_TREES = 200 * TIMES  # of every kind of split


def seen_by_the_oracle(model, row):
    """Give the values of a row as the oracle takes them: of binned columns the interval."""
    read = model.row(row)
    return [
        None
        if read.code(at) is None
        else column.categories[read.code(at)]
        if column.bins
        else row[column.name]
        for at, column in enumerate(model.schema.columns)
    ]


@pytest.mark.parametrize("split", SPLITS)
def test_values_of_every_kind_of_split_are_those_of_the_formula(split):
    n_trees = spread = with_surrogates = repeated = 0
    for case in cases_with(split, N_TREES, seed=1, n_rows=1):
        model = case.tree.model_
        tree = model.tree
        n_trees += 1
        for row in case.rows:
            values = seen_by_the_oracle(model, row)
            expected = naive_shapley.shapley_values(tree, tree.probabilities.tolist(), model.schema, values)
            explanation = case.tree.explain(row)
            found = explanation.shapley if explanation.labels else explanation.shapley[:, None]
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9, err_msg=f"{case}\n{row}")
            spread += len(explanation.leaves) > 1
            with_surrogates += any(step.why == "surrogate" for step in explanation.steps)
            repeated += len({step.column for step in explanation.steps}) < len(explanation.steps)
    assert n_trees == N_TREES
    # The hard cases did occur, where they can.
    assert spread >= 10 or split in ("known or not", "a branch for gaps", "a surrogate")
    assert with_surrogates >= 20 or split != "a surrogate"
    assert repeated >= 10


def test_values_add_up_to_the_prediction_less_what_is_expected():
    for case in cases(len(KINDS), seed=2, columns=(4, 8)):
        table = {name: [row[name] for row in case.rows] for name in case.rows[0]}
        said = case.tree.predict if case.kind.of_numbers else case.tree.predict_proba
        tree = case.tree.tree_
        sums = case.tree.shapley_values(table).sum(axis=1)
        expected = expected_value(tree, tree.probabilities)
        if case.kind.of_numbers:
            expected = expected[0]
        np.testing.assert_allclose(sums + expected, said(table), atol=1e-12, err_msg=str(case))


@pytest.mark.parametrize("name", TREES)
def test_values_are_those_of_the_shap_package(name):
    """Recorded by `tests/make_shap_values.py`."""
    tree, rows = fitted(name)
    recorded = RECORDED["trees"][name]
    scale = np.abs(recorded["values"]).max()
    np.testing.assert_allclose(tree.shapley_values(rows), recorded["values"], rtol=0, atol=1e-9 * scale)
    np.testing.assert_allclose(
        np.atleast_1d(tree.explain(rows[0]).expected), recorded["expected"], rtol=1e-12
    )


def test_values_of_small_random_trees_are_those_of_the_shap_package():
    """Recorded by `tests/make_shap_values.py`."""
    recorded = RECORDED["small trees"]
    assert len(recorded) == N_SMALL
    n_columns = 0
    for (tree, row), values in zip(small_trees(), recorded, strict=True):
        np.testing.assert_allclose(tree.shapley_values(row), values, rtol=0, atol=1e-9)
        n_columns += np.count_nonzero(values)
    assert n_columns > 4 * N_SMALL


def test_a_table_gives_what_its_rows_give_one_by_one():
    for case in cases(len(KINDS), seed=3, n_rows=3):
        table = {name: [row[name] for row in case.rows] for name in case.rows[0]}
        one_by_one = [case.tree.explain(row).shapley for row in case.rows]
        np.testing.assert_array_equal(case.tree.shapley_values(table), one_by_one)


def test_a_table_without_rows_has_no_values():
    tree = DecisionTreeClassifier().fit([[0.0, 1.0], [1.0, 1.0]], ["a", "b"])
    assert tree.shapley_values(np.empty((0, 2))).shape == (0, 2, 2)


def test_a_tree_of_one_leaf_owes_nothing_to_any_column():
    tree = DecisionTreeRegressor().fit([[0.0, 1.0], [1.0, 1.0]], [3.0, 3.0])
    assert tree.shapley_values([[5.0, 5.0]]).tolist() == [[0.0, 0.0]]


def test_many_leaves_are_looked_through_in_parts():
    """A tree whose paths do not fit into one part, against the same tree in one."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 50, (3000, 6)).astype(float)
    tree = DecisionTreeRegressor().fit(X, rng.random(3000))
    game = ShapleyGame(tree.tree_, tree.tree_.outcome)
    assert len(game._parts) > 1
    decisions = decide(tree.tree_, tree.model_.codes(X[:1]))
    gap = tree.predict(X[:1])[0] - expected_value(tree.tree_, tree.tree_.outcome)[0]
    assert game.values(decisions).sum() == pytest.approx(gap, abs=1e-12)


def test_a_surrogate_is_credited_with_what_it_decided():
    age = [20.0, 21.0, 22.0, 30.0, 31.0, 32.0]
    X = {"age": age, "visits": [1, 2, 3, 7, 8, 9]}
    tree = CARTClassifier(pruning=None).fit(X, ["no"] * 3 + ["yes"] * 3)
    explanation = tree.explain({"age": None, "visits": 8})
    assert explanation.shapley == pytest.approx(np.array([[0.0, 0.0], [-0.5, 0.5]]))
    assert explanation.contributions == pytest.approx(np.array([[0.0, 0.0], [-0.5, 0.5]]))


def test_a_value_that_is_missing_and_spread_is_credited_with_nothing():
    X = {"age": [20.0, 21.0, 22.0, 30.0], "visits": [1, 9, 9, 1]}
    tree = DecisionTreeClassifier(missing="spread").fit(X, ["no", "no", "yes", "yes"])
    explanation = tree.explain({"age": None, "visits": 9})
    assert explanation.shapley[0].tolist() == [0.0, 0.0]
