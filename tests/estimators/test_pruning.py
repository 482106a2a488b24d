"""Pruning a fitted tree: every rule by its name, and what is refused."""

import pickle

import numpy as np
import pytest

import treewright as tw
from noisy_tables import noisy, rows
from treewright.errors import (
    ColumnError,
    ParameterError,
    TableError,
    TargetError,
    WeightError,
)
from treewright.estimators.pruning import OPTIONS

CLASSIFIERS = [tw.DecisionTreeClassifier, tw.CARTClassifier, tw.C45Classifier]
GROW = {
    tw.CARTClassifier: {"pruning": None},
    tw.C45Classifier: {"pruning": False},
    tw.CARTRegressor: {"pruning": None},
}


def grown(kind, X, y):
    return kind(**GROW.get(kind, {})).fit(X, y)


# -- every rule ------------------------------------------------------------


@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize(
    ("method", "options", "needs"),
    [
        ("cost-complexity", {"cp": 0.02}, None),
        ("cost-complexity", {"alpha": 0.01}, None),
        ("cost-complexity", {"leaves": 5}, None),
        ("cost-complexity", {}, "held out"),
        ("cost-complexity", {"scoring": "impurity", "rule": "1-se"}, "held out"),
        ("error-based", {}, "training"),
        ("error-based", {"confidence": 0.1, "raising": False}, "training"),
        ("reduced-error", {}, "held out"),
        ("pessimistic", {}, None),
        ("minimum-error", {}, None),
        ("minimum-error", {"m": 20}, None),
    ],
)
def test_every_rule_leaves_a_smaller_tree_and_the_fitted_one_as_it_was(
    kind, method, options, needs, monkeypatch
):
    X, y = noisy()
    seen, kept = slice(0, 200), slice(200, 300)
    tree = grown(kind, rows(X, seen), y[seen])
    before = pickle.dumps(tree.model_)
    monkeypatch.setattr(type(tree), "fit", None)  # nothing is grown again
    part = {None: (), "training": (rows(X, seen), y[seen]), "held out": (rows(X, kept), y[kept])}[needs]
    smaller = tree.prune(method, *part, **options)
    assert pickle.dumps(tree.model_) == before
    assert type(smaller) is kind
    assert smaller.get_params() == tree.get_params()
    assert smaller.get_n_leaves() < tree.get_n_leaves() or kind is tw.C45Classifier  # is small as grown
    assert smaller.get_n_leaves() <= tree.get_n_leaves()
    assert smaller.model_.grown == tree.tree_
    assert set(smaller.predict(X)) <= {"no", "yes"}
    again = smaller.prune(method, *part, **options)  # from the tree as grown, not from the pruned one
    assert again.tree_ == smaller.tree_


def test_rules_for_numbers_are_those_that_mean_something_there():
    X, _ = noisy()
    y = X["a"] ** 2 + np.random.default_rng(1).normal(size=300)
    tree = tw.DecisionTreeRegressor().fit(rows(X, slice(200)), y[:200])
    held = rows(X, slice(200, 300)), y[200:]
    for method in ("cost-complexity", "reduced-error"):
        smaller = tree.prune(method, *held)
        assert smaller.get_n_leaves() < 60 < tree.get_n_leaves()
        assert smaller.score(*held) > tree.score(*held)
    assert (
        tree.prune("cost-complexity", *held, scoring="squared_error").tree_
        == tree.prune("cost-complexity", *held).tree_
    )
    for method in ("error-based", "pessimistic", "minimum-error"):
        with pytest.raises(
            ParameterError, match="counts errors among classes, and this tree predicts numbers"
        ):
            tree.prune(method)


def test_alpha_is_scikit_learns_and_cp_is_relative_to_the_root():
    X, y = noisy()
    tree = tw.DecisionTreeClassifier().fit(X, y)
    for alpha in tree.cost_complexity_pruning_path(X, y).ccp_alphas[1::7] * 1.000001:
        again = tw.DecisionTreeClassifier(ccp_alpha=alpha).fit(X, y)
        assert tree.prune("cost-complexity", alpha=alpha).tree_ == again.tree_
        assert tree.prune("cost-complexity", cp=alpha / tree.tree_.impurity[0]).tree_ == again.tree_


def test_the_number_of_leaves_is_the_most_there_may_be():
    X, y = noisy()
    tree = tw.CARTClassifier(pruning=None).fit(X, y)
    sizes = [tree.prune("cost-complexity", leaves=most).get_n_leaves() for most in range(1, 30)]
    assert all(size <= most for most, size in enumerate(sizes, start=1))
    assert sizes == sorted(sizes)
    assert sizes[0] == 1


def test_losses_and_priors_count_among_held_out_rows():
    X, y = noisy(400)
    seen, held = slice(200), slice(200, 400)
    loss = {"no": {"no": 0, "yes": 1}, "yes": {"no": 8, "yes": 0}}
    tree = tw.CARTClassifier(pruning=None, loss=loss, risk="loss").fit(rows(X, seen), y[seen])
    chosen = tree.prune("cost-complexity", rows(X, held), y[held])
    table = chosen.pruning_table_
    answers = {
        size: tree.prune("cost-complexity", leaves=int(size)).predict(rows(X, held))
        for size in table.n_leaves
    }
    costs = [
        np.mean([loss[true][said] for true, said in zip(y[held], answers[size], strict=True)])
        for size in table.n_leaves
    ]
    assert table.cv_error * table.root_risk == pytest.approx(costs)
    assert costs[table.chosen] == min(costs)
    with pytest.raises(ParameterError, match="loss"):
        tree.prune("error-based", rows(X, seen), y[seen])
    with pytest.raises(ParameterError, match="loss"):
        tree.prune("pessimistic")


@pytest.mark.parametrize("scoring", ["error", "impurity"])
def test_held_out_errors_are_relative_to_what_the_root_costs(scoring):
    X, y = noisy(400)
    tree = tw.DecisionTreeClassifier(max_depth=3).fit(X, y)
    table = tree.prune("cost-complexity", X, y, scoring=scoring).pruning_table_
    assert table.cv_error[0] == pytest.approx(1.0)
    if scoring == "impurity":  # which is Gini's, on the rows grown on
        assert table.cv_error == pytest.approx(table.relative_error)


def test_class_weights_count_among_held_out_rows():
    X, y = noisy(400)
    seen, held = slice(200), slice(200, 400)
    tree = tw.DecisionTreeClassifier(class_weight={"no": 1, "yes": 6}).fit(rows(X, seen), y[seen])
    weights = np.where(y[held] == "yes", 6.0, 1.0)
    for options in ({}, {"scoring": "error"}):
        chosen = tree.prune("cost-complexity", rows(X, held), y[held], **options)
        plain = tw.DecisionTreeClassifier().fit(rows(X, seen), y[seen], np.where(y[seen] == "yes", 6.0, 1.0))
        assert (
            plain.prune("cost-complexity", rows(X, held), y[held], weights, **options).tree_ == chosen.tree_
        )
    assert (
        tree.prune("reduced-error", rows(X, held), y[held]).tree_
        == plain.prune("reduced-error", rows(X, held), y[held], weights).tree_
    )


def test_simplify_keeps_every_answer():
    X, y = noisy()
    for kind in (*CLASSIFIERS, tw.DecisionTreeRegressor):
        target = y if kind is not tw.DecisionTreeRegressor else (y == "yes").astype(float)
        tree = kind(**({"min_samples_leaf": 10} if "min_samples_leaf" in kind().get_params() else {}))
        tree = tree.fit(X, target)
        simple = tree.simplify()
        assert simple.get_n_leaves() <= tree.get_n_leaves()
        assert (simple.predict(X) == tree.predict(X)).all()
    assert tw.DecisionTreeClassifier(min_samples_leaf=10).fit(X, y).simplify().get_n_leaves() < 20


# -- bad input ------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ({"method": "cost-complexty"}, "Did you mean 'cost-complexity'"),
        ({"method": "pessimistic", "alpha": 1}, "has no option 'alpha'"),
        ({"method": "minimum-error", "n": 1}, "has no option 'n'; it has 'm'"),
        ({"method": "cost-complexity"}, "takes exactly one of alpha=, cp=, leaves= and"),
        ({"method": "cost-complexity", "alpha": 0.1, "cp": 0.1}, "given: 'alpha', 'cp'"),
        ({"method": "cost-complexity", "alpha": -0.1}, "alpha"),
        ({"method": "cost-complexity", "alpha": float("nan")}, "alpha"),
        ({"method": "cost-complexity", "cp": "much"}, "cp"),
        ({"method": "cost-complexity", "leaves": 0}, "leaves"),
        ({"method": "cost-complexity", "cp": 0.1, "scoring": "error"}, "cannot use scoring"),
        ({"method": "cost-complexity", "cp": 0.1, "risk": "loss"}, "the tree has none"),
        ({"method": "error-based"}, "needs the training rows"),
        ({"method": "reduced-error"}, "needs rows held out"),
        ({"method": "pessimistic", "standard_errors": -1}, "standard_errors"),
        ({"method": "minimum-error", "m": float("nan")}, "m"),
        ({"method": "pessimistic", "sample_weight": [1]}, "sample_weight was given without X"),
    ],
)
def test_what_a_rule_cannot_be_told_is_refused(call, text):
    X, y = noisy(60)
    with pytest.raises(ParameterError, match=text):
        tw.DecisionTreeClassifier().fit(X, y).prune(**call)


@pytest.mark.parametrize("method", ["pessimistic", "minimum-error"])
def test_rows_that_mean_nothing_to_a_rule_are_refused(method):
    X, y = noisy(60)
    with pytest.raises(ParameterError, match="not X and y"):
        tw.DecisionTreeClassifier().fit(X, y).prune(method, X, y)


@pytest.mark.parametrize("method", ["cost-complexity", "reduced-error", "error-based"])
def test_rows_that_do_not_fit_the_tree_are_refused(method):
    X, y = noisy(60)
    tree = tw.DecisionTreeClassifier().fit(X, y)
    with pytest.raises(
        TargetError,
        match=r"the target holds 'maybe', which the tree was not grown on; its classes are 'no', 'yes'",
    ):
        tree.prune(method, X, np.where(y == "no", "maybe", y))
    with pytest.raises(ColumnError, match="'c'"):
        tree.prune(method, {"a": X["a"], "b": X["b"]}, y)
    with pytest.raises(TableError, match="no rows"):
        tree.prune(method, rows(X, slice(0)), y[:0])
    with pytest.raises(ParameterError, match="X was given without y"):
        tree.prune(method, X)
    with pytest.raises(ParameterError, match="y was given without X"):
        tree.prune(method, y=y)
    with pytest.raises((WeightError, TableError), match="weigh"):
        tree.prune(method, X, y, np.zeros(60))
    with pytest.raises(TargetError, match="59 values and X 60 rows"):
        tree.prune(method, X, y[:59])


def test_training_rows_must_be_those_that_the_tree_was_grown_on():
    X, y = noisy(60)
    tree = tw.DecisionTreeClassifier().fit(X, y)
    with pytest.raises(
        TableError, match="needs the rows that the tree was grown on, 60 of positive weight; X has 50"
    ):
        tree.prune("error-based", rows(X, slice(50)), y[:50])


def test_held_out_rows_may_lack_classes_and_bring_new_categories():
    X, y = noisy(200)
    tree = tw.DecisionTreeClassifier().fit(rows(X, slice(150)), y[:150])
    held = rows(X, slice(150, 200))
    only_no = np.full(50, "no")
    assert tree.prune("reduced-error", held, only_no).score(held, only_no) > tree.score(held, only_no)
    held["b"] = np.full(50, "new")
    with pytest.warns(tw.errors.UnseenCategoryWarning, match="'new'"):
        tree.prune("reduced-error", held, y[150:])
    named = held | {"b": X["b"][150:], "target": y[150:]}
    assert tree.prune("reduced-error", named, "target").get_n_leaves() < tree.get_n_leaves()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"loss": [[0, 1, 2], [1, 0, 1]]}, "loss"),
        ({"loss": [[0, -1], [1, 0]]}, "loss"),
        ({"loss": [[1, 1], [1, 0]]}, "loss"),
        ({"prior": [0.5, 0.6]}, "prior"),
        ({"ccp_alpha": -1.0}, "ccp_alpha"),
        ({"ccp_alpha": float("nan")}, "ccp_alpha"),
    ],
)
def test_costs_that_cannot_be_are_refused_before_anything_is_grown(options, text):
    X, y = noisy(60)
    with pytest.raises(ParameterError, match=text):
        tw.CARTClassifier(**options).fit(X, y)


def test_every_option_is_described():
    for options in OPTIONS.values():
        for name in options:
            assert f"`{name}`" in tw.CARTClassifier.prune.__doc__, name
