"""Shapley values: from the formula on small trees of every kind, and as the shap package has them."""

import json
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from oracle import naive_shapley
from oracle.agreement import TIMES
from shap_trees import N_SMALL, TREES, fitted, small_trees
from small_trees import KINDS, SPLITS, cases, cases_with
from treewright import CARTClassifier, DecisionTreeClassifier, DecisionTreeRegressor
from treewright.errors import DeepTreeWarning
from treewright.explain.shapley import expected_value, values_of
from treewright.model.model import router_of
from treewright.parts.missing import Surrogates
from treewright.recipes import CART_CLASSES

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


def chain(n_levels, n_columns):
    """Grow a tree that splits one row off at every level, by each of the columns in turn.

    Every split takes the least value of its column, which all later rows have more of.
    """
    number = np.arange(n_levels + 1)
    X = np.stack(
        [np.where(number % n_columns == c, number, n_levels + 1.0) for c in range(n_columns)], axis=1
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeepTreeWarning)
        tree = DecisionTreeClassifier().fit(X, number % 2)
    assert tree.tree_.max_depth == n_levels
    return tree, X


def test_columns_that_decide_again_and_again_are_one_player():
    tree, X = chain(150, 3)
    model = tree.model_
    found = tree.shapley_values(X[::25])
    for row, values in zip(X[::25], found, strict=True):
        expected = naive_shapley.shapley_values(
            tree.tree_, tree.tree_.probabilities.tolist(), model.schema, row.tolist()
        )
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
    assert np.count_nonzero(found) > 30


class CountingRouter:
    """The core's router, which notes how many points and threads it is to walk the tree with."""

    def __init__(self, tree, calls):
        self._router, self._calls = router_of(tree), calls

    def shapley_values(self, codes, of_nodes, points, weights, n_threads):
        self._calls.append((len(points), n_threads))
        return self._router.shapley_values(codes, of_nodes, points, weights, n_threads)


def test_the_work_grows_with_the_columns_of_a_path_and_not_with_its_length(monkeypatch):
    """One call of the core for all rows, in which every point takes one walk over the nodes for each row."""
    tree, X = chain(2000, 3)
    calls = []
    monkeypatch.setattr("treewright.explain.shapley.router_of", lambda of: CountingRouter(of, calls))
    monkeypatch.setattr("treewright.estimators.reading.n_threads", lambda n_jobs: 10 * n_jobs)
    tree.set_params(n_jobs=2)
    values = tree.shapley_values(X[:100])
    gap = tree.predict_proba(X[:100]) - expected_value(tree.tree_, tree.tree_.probabilities)
    np.testing.assert_allclose(values.sum(axis=1), gap, rtol=0, atol=1e-11)
    assert tree.explain(X[1999]).shapley.shape == (3, 2)
    assert calls == [(2, 20), (2, 1)]


def test_threads_find_the_same_values_bit_for_bit():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 50, (3000, 6)).astype(float)
    tree = DecisionTreeRegressor().fit(X, rng.random(3000))
    codes = tree.model_.codes(X[:60])
    assert values_of(tree.tree_, codes, n_threads=8).tobytes() == values_of(tree.tree_, codes).tobytes()


def test_the_core_refuses_trees_in_which_rows_stop():
    recipe = replace(CART_CLASSES, missing=Surrogates(otherwise="stop"))
    X = {"age": [20.0, 21.0, 22.0, 30.0]}
    tree = DecisionTreeClassifier(recipe=recipe).fit(X, ["no", "no", "yes", "yes"])
    router = router_of(tree.tree_)
    with pytest.raises(ValueError, match="rows may stop"):
        router.shapley_values([np.array([20.0])], tree.tree_.shares, np.full(1, 0.5), np.ones(1), 1)


def test_the_core_wants_a_weight_for_every_point():
    tree = DecisionTreeRegressor().fit([[0.0], [1.0]], [3.0, 4.0]).tree_
    with pytest.raises(ValueError, match="2 points with 1 weights"):
        router_of(tree).shapley_values([np.zeros(1)], tree.outcome, np.full(2, 0.5), np.ones(1), 1)


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
