"""CART chooses its subtree by cross-validation: folds, tables, pictures, comparisons."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

import treewright as tw
from noisy_tables import noisy, rows
from treewright.errors import (
    MissingPackageError,
    ParameterError,
    TableError,
)
from treewright.estimators.compare import PruningTrials

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


# -- rows of weight 0 ------------------------------------------------------------


def with_weightless_rows(X, y, weights, rng):
    """Put rows of weight 0 among others, with values and targets that these have too."""
    n_rows, n_more = len(y), int(rng.integers(1, 2 * len(y)))
    rows = np.concatenate([np.arange(n_rows), rng.integers(0, n_rows, n_more)])
    targets, given = y[rows], np.concatenate([weights, np.zeros(n_more)])
    targets[n_rows:] = rng.permutation(targets[n_rows:])
    order = rng.permutation(len(rows))
    return (
        {name: column[rows][order] for name, column in X.items()},
        targets[order],
        given[order],
        rows[order],
    )


def same(one, other):
    return one.tree_ == other.tree_ and one.pruning_table_ == other.pruning_table_


@pytest.mark.parametrize("kind", [tw.CARTClassifier, tw.CARTRegressor])
@pytest.mark.parametrize("prune", ["1-se", "min"])
@pytest.mark.parametrize("seed", range(8))
def test_rows_of_weight_zero_take_no_part(kind, prune, seed):
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(2, 12)) if seed < 4 else 80
    X, y = noisy(n_rows, seed)
    target = y if kind is tw.CARTClassifier else X["c"] + (y == "yes")
    weights = rng.integers(1, 4, n_rows).astype(float)
    more, targets, given, rows = with_weightless_rows(X, target, weights, rng)
    for cv in (2, 5, 10):
        tree = kind(cv=cv, pruning=prune).fit(X, target, weights)
        assert same(kind(cv=cv, pruning=prune).fit(more, targets, given), tree)
    of_row = rng.permutation(np.arange(n_rows) % 3 if n_rows > 3 else np.arange(n_rows))
    alone = rng.permutation(n_rows)  # which rows come first names the folds
    grouped = kind(cv=of_row[alone], pruning=prune)
    tree = grouped.fit({name: column[alone] for name, column in X.items()}, target[alone], weights[alone])
    other = kind(cv=np.where(given > 0, of_row[rows], 7), pruning=prune).fit(more, targets, given)
    assert other.tree_ == tree.tree_
    np.testing.assert_allclose(other.pruning_table_.cv_error, tree.pruning_table_.cv_error)


@pytest.mark.parametrize("kind", [tw.CARTClassifier, tw.CARTRegressor])
@pytest.mark.parametrize("cv", [2, 10])
def test_one_row_with_weight_leaves_nothing_to_cross_validate(kind, cv):
    tree = kind(cv=cv).fit([[0.0], [1.0]], [1.0, 2.0], sample_weight=[2.0, 0.0])
    assert np.isnan(tree.pruning_table_.cv_error).all()
    assert tree.get_n_leaves() == 1
    assert tree.predict([[5.0]]).tolist() == [1.0]


@pytest.mark.parametrize(
    ("cv", "text"),
    [
        ([0, 0, 1, 1], "all rows of weight above 0 out at once"),
        (KFold(2), "all rows of weight above 0 out at once"),
        ([([2, 3], [0, 1]), ([0, 1], [2, 3])], "all rows of weight above 0 out at once"),
        (PredefinedSplit([-1, -1, 0, 0]), "no row of weight above 0 out"),
    ],
)
def test_folds_with_no_weight_left_to_grow_on_are_refused_as_such(cv, text):
    with pytest.raises(ParameterError, match=text):
        tw.CARTRegressor(cv=cv).fit([[0.0], [1.0], [2.0], [3.0]], [1, 2, 3, 4], sample_weight=[1, 2, 0, 0])


def test_a_fold_of_rows_without_weight_is_no_fold():
    X, y = noisy(60)
    folds = np.arange(60) % 4
    weights = np.where(folds == 1, 0.0, 1.0)
    tree = tw.CARTClassifier(cv=folds).fit(X, y, weights)
    kept = folds != 1
    other = tw.CARTClassifier(cv=folds[kept]).fit({name: X[name][kept] for name in X}, y[kept])
    assert same(tree, other)


@pytest.mark.parametrize("weights", [None, [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]])
def test_too_few_rows_to_compare_by_are_named(weights):
    X, y = ({"x": [1.0, 2.0, 3.0]}, ["a", "b", "b"]) if weights else ({"x": [1.0]}, ["a"])
    with pytest.raises(TableError, match=r"fold 0 of \d leaves [01] rows of positive weight"):
        tw.compare_pruning(tw.CARTClassifier(), X, y, cv=3, sample_weight=weights)


def test_the_risk_of_the_path_is_that_of_the_estimator():
    X, y = noisy()
    path = tw.CARTClassifier().cost_complexity_pruning_path(X, y)
    assert path.impurities[-1] == pytest.approx(min(np.mean(y == "yes"), np.mean(y == "no")))
    assert (
        tw.CARTClassifier(risk="impurity").cost_complexity_pruning_path(X, y).impurities[-1]
        != path.impurities[-1]
    )
    with pytest.raises(ParameterError, match="risk='loss' weights errors by their loss, and there is none"):
        tw.CARTClassifier(risk="loss").fit(X, y)
    with pytest.raises(ParameterError, match="this tree predicts numbers; use risk='error'"):
        tw.CARTRegressor(risk="loss").fit(X, X["c"])


# -- tables ------------------------------------------------------------


def test_the_table_prints_and_is_a_frame():
    X, y = noisy()
    tree = tw.CARTClassifier(pruning="min").fit(X, y)
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
    for tree in (tw.DecisionTreeClassifier().fit(X, y), tw.CARTClassifier(pruning=None).fit(X, y)):
        assert not hasattr(tree, "pruning_table_")
        with pytest.raises(AttributeError, match="was not chosen by held-out rows"):
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
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'treewright\[plot\]'"):
        tree.plot_pruning()


def test_rules_are_compared_in_pairs_with_the_best_one():
    """On the same rows, so that what two rules get wrong alike says nothing about their difference."""
    X, y = noisy(170)
    found, trials = (make(tw.C45Classifier(), X, y, 4) for make in (tw.compare_pruning, PruningTrials))
    assert all(held.any() for held in trials.folds())
    least = min(zip(found.cv_error, found.leaves, found.method, strict=True))
    assert (found.cv_error.count(least[0]), least[2]) == (2, "pessimistic"), "of equals the smaller tree"
    for method, error, gap, std in zip(
        found.method, found.cv_error, found.above_best, found.above_best_std, strict=True
    ):
        gaps = trials.losses[method] - trials.losses[least[2]]
        assert gap == pytest.approx(error - least[0]) == pytest.approx(gaps.mean())
        assert std == pytest.approx(gaps.std() / np.sqrt(len(gaps)))
    assert max(found.above_best_std) < min(found.cv_std)
    columns = found.to_frame()
    assert list(columns)[-2:] == ["above the best", "standard error of that"]
    assert tuple(columns["above the best"]) == found.above_best
    title, *lines = str(found).splitlines()
    assert title.endswith("cross-validated ± std. error  above the best")
    assert {line.split()[0] for line in lines if line.count("±") == 1} == {"pessimistic"}


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
    with pytest.raises(TypeError, match="takes an estimator of treewright"):
        tw.compare_pruning(KFold(), X, y)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"risk": "error"},
        {"criterion": "entropy", "max_depth": 4},
        {"prior": {"no": 0.7, "yes": 0.3}},
        {"ccp_alpha": 0.01},
        {"recipe": tw.Recipe(tw.parts.Gini(), pruner=tw.parts.CrossValidated())},
    ],
)
def test_rules_that_share_a_table_give_the_trees_of_fits_of_their_own(options):
    for seed in range(4):
        X, y = noisy(150 + 40 * seed)
        trees = PruningTrials(tw.CARTClassifier(**options), X, y, 3).pruned
        for rule in ("min", "1-se"):
            if "recipe" in options:
                pruner = tw.parts.CrossValidated(rule)
                alone = tw.CARTClassifier(recipe=tw.Recipe(tw.parts.Gini(), pruner=pruner)).fit(X, y)
            else:
                alone = tw.CARTClassifier(pruning=rule, **options).fit(X, y)
            assert trees[f"cost-complexity, cross-validated, {rule}"].tree_ == alone.tree_
    X, y = noisy(200)
    target = X["c"] + (y == "yes")
    trees = PruningTrials(tw.CARTRegressor(), X, target, 3).pruned
    alone = tw.CARTRegressor(pruning="1-se").fit(X, target)
    assert trees["cost-complexity, cross-validated, 1-se"].tree_ == alone.tree_
