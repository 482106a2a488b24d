"""Pruning a fitted tree: every rule by its name, cross-validation, tables, and what is refused."""

import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    PredefinedSplit,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

import treewright as tw
from treewright.errors import (
    ColumnError,
    MissingPackageError,
    ParameterError,
    TableError,
    TargetError,
    WeightError,
)
from treewright.estimators.pruning import OPTIONS

CLASSIFIERS = [tw.DecisionTreeClassifier, tw.CARTClassifier, tw.C45Classifier]
GROW = {
    tw.CARTClassifier: {"prune": None},
    tw.C45Classifier: {"prune": False},
    tw.CARTRegressor: {"prune": None},
}


def noisy(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = {"a": rng.normal(size=n).round(2), "b": rng.choice(["u", "v", "w"], n), "c": rng.normal(size=n)}
    chance = 1 / (1 + np.exp(-3 * X["a"] - 2 * (X["b"] == "u")))
    return X, np.where(rng.random(n) < chance, "yes", "no")


def rows(X, at):
    return {name: values[at] for name, values in X.items()}


def grown(kind, X, y):
    return kind(**GROW.get(kind, {})).fit(X, y)


# -- the parameter and the method ------------------------------------------------------------


@pytest.mark.parametrize("kind", [tw.CARTClassifier, tw.CARTRegressor, tw.C45Classifier])
def test_prune_is_a_parameter_and_a_method(kind):
    estimator = kind()
    given = estimator.get_params()["prune"]
    assert callable(estimator.prune)
    assert callable(kind.prune)
    assert clone(estimator).get_params()["prune"] == given
    estimator.set_params(prune=None)
    assert estimator.get_params()["prune"] is None
    assert "prune=None" in repr(estimator)
    for other in (pickle.loads(pickle.dumps(estimator)), copy.deepcopy(estimator), clone(estimator)):
        assert other.get_params()["prune"] is None
        assert callable(other.prune)


def test_the_parameter_can_be_searched():
    X, y = noisy(120)
    found = GridSearchCV(tw.CARTClassifier(n_jobs=1, cv=3), {"prune": ["1-se", "min", None]}, cv=3)
    best = found.fit(pd.DataFrame(X), y).best_estimator_
    assert best.get_params()["prune"] in ("1-se", "min", None)


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
            ParameterError, match="counts errors among classes, and this tree answers with numbers"
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
    tree = tw.CARTClassifier(prune=None).fit(X, y)
    sizes = [tree.prune("cost-complexity", leaves=most).get_n_leaves() for most in range(1, 30)]
    assert all(size <= most for most, size in enumerate(sizes, start=1))
    assert sizes == sorted(sizes)
    assert sizes[0] == 1


def test_losses_and_priors_count_among_held_out_rows():
    X, y = noisy(400)
    seen, held = slice(200), slice(200, 400)
    loss = {"no": {"no": 0, "yes": 1}, "yes": {"no": 8, "yes": 0}}
    tree = tw.CARTClassifier(prune=None, loss=loss, risk="loss").fit(rows(X, seen), y[seen])
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


# -- cross-validation ------------------------------------------------------------


@pytest.mark.parametrize("kind", [tw.CARTClassifier, tw.CARTRegressor])
def test_the_chosen_tree_does_not_depend_on_the_order_of_rows_or_threads(kind):
    X, y = noisy(400)
    target = y if kind is tw.CARTClassifier else X["c"] + (y == "yes")
    first = kind(n_jobs=1).fit(X, target)
    order = np.random.default_rng(3).permutation(400)
    other = kind(n_jobs=2).fit(pd.DataFrame(X).iloc[order], target[order])
    assert other.tree_ == first.tree_
    assert other.pruning_table_ == first.pruning_table_
    assert 1 < first.get_n_leaves() < 40 < first.model_.grown.n_leaves


def test_another_seed_deals_rows_otherwise_and_the_same_seed_alike():
    X, y = noisy()
    tables = [tw.CARTClassifier(random_state=seed).fit(X, y).pruning_table_ for seed in (1, 1, 2)]
    assert tables[0] == tables[1]
    assert tables[0] != tables[2]


def test_splitters_and_groups_are_folds():
    X, y = noisy(90)
    folds = np.arange(90) % 3
    by_groups = tw.CARTClassifier(cv=folds).fit(X, y).pruning_table_
    pairs = [(np.flatnonzero(folds != f), np.flatnonzero(folds == f)) for f in range(3)]
    for cv in (PredefinedSplit(folds), pairs, iter(pairs), pd.Series(folds.astype(str)), folds.tolist()):
        assert tw.CARTClassifier(cv=cv).fit(X, y).pruning_table_ == by_groups
    in_row = tw.CARTClassifier(cv=KFold(3)).fit(X, y).pruning_table_
    assert in_row != by_groups
    assert tw.CARTClassifier(cv=StratifiedKFold(3)).fit(X, y).pruning_table_ != in_row


def test_rows_that_no_fold_holds_out_are_grown_on():
    X, y = noisy(90)
    folds = np.arange(90) % 4 - 1
    table = tw.CARTClassifier(cv=PredefinedSplit(folds)).fit(X, y).pruning_table_
    assert np.isfinite(table.cv_error).all()


@pytest.mark.parametrize(
    ("cv", "text"),
    [
        (1, "cv"),
        (0, "cv"),
        (2.5, "number of folds"),
        ("ten", "number of folds"),
        (None, "number of folds"),
        ([0] * 90, "all rows out at once"),
        ([0, 1], "2 entries and the table 90 rows"),
        ([0.0, np.nan] * 45, "row 1 no fold"),
        (ShuffleSplit(3, test_size=0.5, random_state=0), "held out once at most"),
        (TimeSeriesSplit(3), "neither grown on and held out"),
        (GroupKFold(3), "does not split this table"),
        (KFold(200), "does not split this table"),
    ],
)
def test_folds_that_cannot_be_are_refused(cv, text):
    X, y = noisy(90)
    with pytest.raises(ParameterError, match=text):
        tw.CARTClassifier(cv=cv).fit(X, y)


def test_a_table_of_very_few_rows_has_fewer_folds():
    tree = tw.CARTClassifier().fit({"x": [1.0, 2.0, 3.0]}, ["a", "b", "b"])
    assert len(tree.pruning_table_) >= 1
    alone = tw.CARTRegressor().fit({"x": [1.0]}, [2.0])
    assert np.isnan(alone.pruning_table_.cv_error).all()
    assert alone.get_n_leaves() == 1
    pure = tw.CARTClassifier().fit({"x": [1.0, 2.0, 3.0]}, ["a", "a", "a"])
    assert pure.pruning_table_.relative_error.tolist() == [0.0]


def test_the_risk_of_the_path_is_that_of_the_estimator():
    X, y = noisy()
    path = tw.CARTClassifier().cost_complexity_pruning_path(X, y)
    assert path.impurities[-1] == pytest.approx(min(np.mean(y == "yes"), np.mean(y == "no")))
    assert (
        tw.CARTClassifier(risk="impurity").cost_complexity_pruning_path(X, y).impurities[-1]
        != path.impurities[-1]
    )
    with pytest.raises(ParameterError, match="risk='loss' weighs answers by their loss, and there is none"):
        tw.CARTClassifier(risk="loss").fit(X, y)
    with pytest.raises(ParameterError, match="answers with numbers"):
        tw.CARTRegressor(risk="loss").fit(X, X["c"])


# -- tables ------------------------------------------------------------


def test_the_table_prints_and_is_a_frame():
    X, y = noisy()
    tree = tw.CARTClassifier(prune="min").fit(X, y)
    table = tree.pruning_table_
    text = str(table)
    assert text.startswith("complexity  leaves  relative error  cross-validated  standard error")
    assert "← chosen" in text
    frame = table.to_frame()
    assert list(frame.columns) == [
        "complexity",
        "leaves",
        "relative error",
        "cross-validated",
        "standard error",
    ]
    assert (np.diff(frame["complexity"]) < 0).all()
    assert (np.diff(frame["leaves"]) > 0).all()
    assert frame["relative error"].iloc[0] == 1.0
    assert frame["leaves"][table.chosen] == tree.get_n_leaves()
    assert table.cv_error[table.chosen] == table.cv_error.min()
    assert "<table>" in table._repr_html_()
    assert table.alpha == pytest.approx(table.complexity * table.root_risk)


def test_every_tree_of_the_table_comes_back_by_its_complexity():
    X, y = noisy()
    tree = tw.CARTClassifier().fit(X, y)
    for cp, leaves in zip(tree.pruning_table_.complexity, tree.pruning_table_.n_leaves, strict=True):
        assert tree.prune("cost-complexity", cp=cp * (1 + 1e-9)).get_n_leaves() == leaves


def test_a_tree_that_was_not_chosen_by_rows_has_no_table():
    X, y = noisy()
    for tree in (tw.DecisionTreeClassifier().fit(X, y), tw.CARTClassifier(prune=None).fit(X, y)):
        assert not hasattr(tree, "pruning_table_")
        with pytest.raises(AttributeError, match="was not chosen by rows held out"):
            tree.pruning_table_  # noqa: B018


def test_the_plot_shows_both_errors_and_the_choice(monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = noisy()
    tree = tw.CARTClassifier().fit(X, y)
    ax = tree.plot_pruning()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels[-1] == f"chosen: {tree.get_n_leaves()} leaves"
    assert tree.plot_pruning(ax) is ax
    matplotlib.pyplot.close("all")
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingPackageError, match=r"pip install treewright\[plot\]"):
        tree.plot_pruning()


def test_all_rules_are_compared_on_the_same_folds():
    X, y = noisy(150)
    X["b"][0] = "seldom"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = tw.compare_pruning(tw.CARTClassifier(cv=3), X, y, cv=4)
    assert found.method[0] == "none"
    assert {"reduced-error", "error-based", "pessimistic", "minimum-error"} <= set(found.method)
    assert len(str(found).splitlines()) == len(found) + 1 == 10
    assert found.training_error[0] == min(found.training_error)
    assert min(found.cv_error) < found.cv_error[0]
    assert list(found.to_frame().columns)[:2] == ["method", "leaves"]
    order = np.random.default_rng(0).permutation(150)
    assert tw.compare_pruning(tw.CARTClassifier(cv=3), rows(X, order), y[order], cv=4) == found
    numbers = tw.compare_pruning(tw.DecisionTreeRegressor(), X, X["c"] + (y == "yes"), cv=3)
    assert set(numbers.method) == {
        "none",
        "cost-complexity, held out",
        "cost-complexity, held out, 1-se",
        "reduced-error",
    }
    with pytest.raises(TypeError, match="none of its estimators"):
        tw.compare_pruning(KFold(), X, y)


# -- bad input ------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ({"method": "cost-complexty"}, "Did you mean 'cost-complexity'"),
        ({"method": "pessimistic", "alpha": 1}, "has no option 'alpha'"),
        ({"method": "minimum-error", "n": 1}, "has no option 'n'; it has 'm'"),
        ({"method": "cost-complexity"}, "takes one of alpha=, cp=, leaves="),
        ({"method": "cost-complexity", "alpha": 0.1, "cp": 0.1}, "given: 'alpha', 'cp'"),
        ({"method": "cost-complexity", "alpha": -0.1}, "alpha"),
        ({"method": "cost-complexity", "alpha": float("nan")}, "alpha"),
        ({"method": "cost-complexity", "cp": "much"}, "cp"),
        ({"method": "cost-complexity", "leaves": 0}, "leaves"),
        ({"method": "cost-complexity", "cp": 0.1, "scoring": "error"}, "has no use for scoring"),
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
    with pytest.raises(ParameterError, match="X and y mean nothing to it"):
        tw.DecisionTreeClassifier().fit(X, y).prune(method, X, y)


@pytest.mark.parametrize("method", ["cost-complexity", "reduced-error", "error-based"])
def test_rows_that_do_not_fit_the_tree_are_refused(method):
    X, y = noisy(60)
    tree = tw.DecisionTreeClassifier().fit(X, y)
    with pytest.raises(
        TargetError, match=r"y holds 'maybe', which the tree was not grown on; its classes are 'no', 'yes'"
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
