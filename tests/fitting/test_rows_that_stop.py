"""Rows without a value that stop at an inner node: what grows, prunes, writes and simplifies such trees."""

import pickle
from dataclasses import replace
from json import loads

import numpy as np
import pytest

from labelled import fit
from treewright import CARTClassifier, _core
from treewright.errors import ConversionError, ParameterError
from treewright.estimators.conversion import to_sklearn
from treewright.explain.counterfactual import counterfactual
from treewright.explain.explanation import explain
from treewright.explain.shapley import expected_value, shapley_values
from treewright.export import json, text
from treewright.export.drawn import Words
from treewright.fitting.prune import prune
from treewright.fitting.simplify import simplified
from treewright.model import files
from treewright.model.conditions import paths
from treewright.model.labelled_rows import EncodedRows
from treewright.model.model import Model
from treewright.parts.criteria import AbsoluteError, Entropy, Gini, Poisson, Variance
from treewright.parts.leaf_values import Median
from treewright.parts.limits import Limits
from treewright.parts.missing import Surrogates
from treewright.parts.monotone import Monotone
from treewright.parts.orders import BestFirst
from treewright.parts.pruners import (
    Collapse,
    CostComplexity,
    CrossValidated,
    ErrorBased,
    MinimumError,
    Pessimistic,
    PrePruning,
    ReducedError,
)
from treewright.recipes import Recipe
from treewright.schema import Classes
from treewright.table.target import CodedClasses

STOP = Surrogates(max_surrogates=1, otherwise="stop")
AGE = {"age": [20.0, 21.0, 22.0, 30.0, 31.0, 32.0, None, None, None]}
SAYS = CodedClasses(np.array([0, 0, 0, 1, 1, 1, 0, 0, 1], dtype=np.int32), np.array(["no", "yes"]))


def table(seed=0, n=400, n_classes=0):
    """Draw columns that know of each other, with gaps, and a target that they know of."""
    rng = np.random.default_rng([seed, 77])
    base = rng.normal(size=n)
    columns = {
        "a": (base + rng.normal(size=n) / 3).round(1),
        "b": (base + rng.normal(size=n) / 2).round(1),
        "c": rng.choice(["p", "q", "r"], n).astype(object),
        "d": rng.integers(0, 9, n).astype(float),
    }
    y = np.abs(base + (columns["c"] == "p") + rng.normal(size=n) / 2).round(1)
    for name, values in columns.items():
        values[rng.random(n) < 0.25] = None if name == "c" else np.nan
    weights = rng.integers(1, 4, n).astype(float)
    if n_classes:
        y = CodedClasses((y * 2).astype(np.int32) % n_classes, np.arange(n_classes))
    return columns, y, weights


def rows_that_stop(tree):
    below = np.zeros(tree.n_nodes, dtype=np.int64)
    np.add.at(below, tree.parent[1:], tree.n_rows[1:])
    return np.where(tree.column >= 0, tree.n_rows - below, 0)


RECIPES = {
    "gini of two": (2, Recipe(criterion=Gini(), missing=STOP)),
    "gini of four": (4, Recipe(criterion=Gini(), missing=STOP)),
    "entropy": (3, Recipe(criterion=Entropy(), missing=Surrogates(0, otherwise="stop"))),
    "best first": (
        3,
        Recipe(criterion=Gini(), missing=STOP, order=BestFirst(), limits=Limits(max_leaves=20)),
    ),
    "variance": (0, Recipe(criterion=Variance(), missing=STOP)),
    "poisson": (0, Recipe(criterion=Poisson(), missing=STOP)),
    "medians": (0, Recipe(criterion=AbsoluteError(), missing=STOP, leaf_value=Median())),
    "medians of squares": (0, Recipe(criterion=Variance(), missing=STOP, leaf_value=Median())),
}
ALL_RECIPES = pytest.mark.parametrize(("n_classes", "recipe"), RECIPES.values(), ids=RECIPES)


@ALL_RECIPES
def test_a_node_counts_the_rows_that_stop_there_and_answers_for_them(n_classes, recipe):
    columns, y, weights = table(n_classes=n_classes)
    model = fit(columns, y, recipe=recipe, weights=weights)
    tree = model.tree
    ends = model.apply(columns)
    _, nodes = tree.path_of(ends)
    assert np.bincount(nodes, minlength=tree.n_nodes).tolist() == tree.n_rows.tolist()
    counted = np.bincount(ends, minlength=tree.n_nodes)
    assert counted[tree.column >= 0].tolist() == rows_that_stop(tree)[tree.column >= 0].tolist()
    assert counted[tree.column >= 0].any()
    paths = [set(path.tolist()) for path in np.split(nodes, np.cumsum(tree.depth[ends] + 1)[:-1])]
    for node in np.flatnonzero(rows_that_stop(tree)).tolist():
        here = [row for row, path in enumerate(paths) if node in path]
        assert tree.weight[node] == weights[here].sum()
        if n_classes:
            assert tree.outcome[node].tolist() == [
                weights[here][y.codes[here] == code].sum() for code in range(n_classes)
            ]
        elif not isinstance(recipe.leaf_value, Median):
            assert tree.outcome[node, 0] == pytest.approx(np.average(y[here], weights=weights[here]))
        else:
            half = weights[here].sum() / 2
            assert weights[here][y[here] < tree.outcome[node, 0]].sum() <= half
            assert weights[here][y[here] > tree.outcome[node, 0]].sum() <= half


@ALL_RECIPES
def test_neither_the_order_of_rows_nor_threads_change_the_tree(n_classes, recipe):
    columns, y, weights = table(1, 9000, n_classes)
    recipe = replace(recipe, limits=replace(recipe.limits, max_depth=6))
    one = fit(columns, y, recipe=recipe, weights=weights)
    assert rows_that_stop(one.tree).any()
    assert fit(columns, y, recipe=recipe, weights=weights, n_threads=3).tree == one.tree
    order = np.random.default_rng(3).permutation(len(weights))
    turned = y[order] if n_classes == 0 else CodedClasses(y.codes[order], y.labels)
    moved = {name: values[order] for name, values in columns.items()}
    assert fit(moved, turned, recipe=recipe, weights=weights[order]).tree == one.tree


def test_a_value_that_was_never_missing_in_training_makes_a_row_stop_too():
    model = fit({"x": [1.0, 2.0]}, np.array([1.0, 3.0]), recipe=Recipe(criterion=Variance(), missing=STOP))
    assert model.predict({"x": [1.0, None, 2.0]}).tolist() == [1.0, 2.0, 3.0]
    assert model.apply({"x": [1.0, None, 2.0]}).tolist() == [1, 0, 2]
    begin, nodes, shares = model.path({"x": [None, 2.0]})
    assert (begin.tolist(), nodes.tolist(), shares.tolist()) == ([0, 1, 3], [0, 0, 2], [1.0, 1.0, 1.0])


def test_a_category_that_the_node_has_not_seen_makes_a_row_stop_too():
    columns = {"x": [0.0, 0.0, 0.0, 0.0, 9.0], "c": ["p", "p", "q", "q", "r"]}
    y = np.array([1.0, 1.0, 3.0, 3.0, 50.0])
    model = fit(columns, y, recipe=Recipe(criterion=Variance(), missing=Surrogates(0, otherwise="stop")))
    assert model.tree.column.tolist() == [0, 1, -1, -1, -1]
    asked = {"x": [0.0, 0.0, 0.0, 9.0, None], "c": ["p", "q", "r", "p", "p"]}
    assert model.predict(asked).tolist() == [1.0, 3.0, 2.0, 50.0, 11.6]


def test_the_text_says_what_rows_that_stop_are_answered():
    recipe = Recipe(criterion=Gini(), missing=STOP)
    assert text.write(fit(AGE, SAYS, recipe=recipe)).splitlines() == [
        "9 rows: no 5, yes 4",
        "├── age is missing: stays here → no (56% of 9 rows; 3 stay)",
        "├── age <= 26 → no (100% of 3 rows)",
        "└── age > 26 → yes (100% of 3 rows)",
    ]
    assert text.write(fit(AGE, SAYS, recipe=recipe), max_depth=0) == "9 rows: no 5, yes 4 ... 2 leaves below"
    visits = [1.0, 2.0, 8.0, 8.0, 8.0, 9.0, 2.0, None, None]
    again = text.write(fit({**AGE, "visits": visits}, SAYS, recipe=recipe))
    assert "├── age and its surrogates are missing: stays here → no (56% of 9 rows; 2 stay)" in again


def test_a_tree_is_the_same_after_pickling_and_cut_back():
    columns, y, weights = table(2, n_classes=3)
    model = fit(columns, y, recipe=Recipe(criterion=Gini(), missing=STOP), weights=weights)
    again = pickle.loads(pickle.dumps(model))
    assert again.tree == model.tree
    assert np.array_equal(again.predict(columns), model.predict(columns))
    cut = Model(model.schema, model.tree.collapsed([1]))
    assert cut.tree.missing_branch[:2].tolist() == [-2, -1]
    stopped_above = model.apply(columns) == 0
    assert stopped_above.any()
    assert np.array_equal(cut.apply(columns)[stopped_above], np.zeros(stopped_above.sum()))


def test_a_model_file_keeps_where_rows_stop():
    columns, y, weights = table(2, n_classes=3)
    model = fit(columns, y, recipe=Recipe(criterion=Gini(), missing=STOP), weights=weights)
    model = replace(model, schema=replace(model.schema, target=Classes(("a", "b", "c"))))
    content = files.to_bytes(files.Saved(model, "CARTClassifier", {}, True, "object"))
    again = files.from_bytes(content).model
    assert again.tree == model.tree
    assert np.array_equal(again.predict(columns), model.predict(columns))


def test_drawings_say_that_rows_stop():
    model = fit(AGE, SAYS, recipe=Recipe(criterion=Gini(), missing=STOP))
    assert Words(model).missing_note(0) == "missing: stays here"
    assert loads(json.write(model))["tree"]["missing"] == "stops here"
    visits = [1.0, 2.0, 8.0, 8.0, 8.0, 9.0, 2.0, None, None]
    model = fit({**AGE, "visits": visits}, SAYS, recipe=Recipe(criterion=Gini(), missing=STOP))
    assert Words(model).missing_note(0) == "missing: 1 surrogate, or stays here"


def test_explanations_refuse_what_they_have_no_words_for():
    model = fit(AGE, SAYS, recipe=Recipe(criterion=Gini(), missing=STOP))
    for ask in (
        lambda: str(explain(model, {"age": 20.0})),
        lambda: counterfactual(model, {"age": 20.0}),
        lambda: shapley_values(model, AGE),
        lambda: expected_value(model.tree, model.tree.shares),
        lambda: paths(model.tree),
    ):
        with pytest.raises(ParameterError, match="stop at inner nodes; grow it with Surrogates"):
            ask()


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_a_simplified_tree_predicts_the_same(n_classes):
    smaller = 0
    for seed in range(40):
        columns, y, weights = table(seed, 40, n_classes)
        if not n_classes:
            y = (y > 1).astype(float)
        recipe = Recipe(
            criterion=Gini() if n_classes else Variance(), missing=Surrogates(0, otherwise="stop")
        )
        model = fit(columns, y, recipe=recipe, weights=weights)
        # Splits that make a difference only to those who stop, and splits that make none at all.
        coarse = replace(model.tree, outcome=np.round(model.tree.outcome)) if not n_classes else model.tree
        model = Model(model.schema, coarse)
        simple = Model(model.schema, simplified(model.tree))
        smaller += simple.tree.n_nodes < model.tree.n_nodes
        assert np.array_equal(simple.predict(columns), model.predict(columns))
    assert smaller


def test_the_price_of_a_leaf_prunes_such_a_tree():
    columns, y, weights = table(3, n_classes=2)
    recipe = Recipe(criterion=Gini(), missing=STOP)
    grown = fit(columns, y, recipe=recipe, weights=weights).tree
    sizes = [prune(grown, CostComplexity(alpha)).n_leaves for alpha in (0.0, 0.001, 0.01, 0.1, 1.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[2] > sizes[-1] == 1
    pruned = fit(columns, y, recipe=replace(recipe, pruner=CrossValidated()), weights=weights)
    assert pruned.pruning is not None
    assert np.isfinite(pruned.pruning.cv_error).all()


@pytest.mark.parametrize(
    "pruner",
    [Collapse(), Pessimistic(), MinimumError(), ErrorBased(), ReducedError(), PrePruning()],
    ids=lambda p: type(p).__name__,
)
def test_rules_that_need_every_row_in_a_leaf_refuse_rows_that_stop(pruner):
    columns, y, weights = table(4, n_classes=2)
    recipe = Recipe(criterion=Gini(), missing=STOP)
    model = fit(columns, y, recipe=recipe, weights=weights)
    rows = EncodedRows(model.codes(columns), y, weights)
    with pytest.raises(
        ParameterError,
        match=f"{pruner.word or 'Collapse'} pruning .*stop at inner nodes.*otherwise='majority'",
    ):
        prune(model.tree, pruner, rows, recipe)


def test_scikit_learn_has_no_such_trees():
    model = fit(AGE, SAYS, recipe=Recipe(criterion=Gini(), missing=STOP))
    with pytest.raises(ConversionError, match="stop at inner nodes"):
        to_sklearn(CARTClassifier(), model)


def test_answers_stay_in_order_where_rows_stop():
    for seed in range(10):
        columns, y, weights = table(seed, 120)
        recipe = Recipe(criterion=Variance(), missing=STOP, monotone=Monotone((1, 0, 0, 0)))
        model = fit(columns, y, recipe=recipe, weights=weights)
        assert rows_that_stop(model.tree).any()
        low = {name: np.repeat(values, 8) for name, values in columns.items()}
        low["a"] = np.tile(np.linspace(-3, 3, 8), 120)
        answers = model.predict(low).reshape(120, 8)
        assert (np.diff(answers, axis=1) >= 0).all()


def test_an_unknown_word_for_otherwise_is_refused_with_a_hint():
    with pytest.raises(ParameterError, match=r"otherwise='stops' is unknown; .*'majority', 'stop'.*'stop'\?"):
        Surrogates(otherwise="stops")


def test_the_core_lets_rows_stop_only_where_surrogates_are_asked():
    rows = _core.TrainingSet([np.arange(4.0)], 4, 1)
    engine = _core.LocalEngine(rows, _core.Numbers(np.arange(4.0)), None, 1)
    with pytest.raises(ValueError, match="only where missing is surrogate"):
        _core.grow(engine, _core.Recipe(criterion="variance", missing="majority", lets_rows_stop=True))
