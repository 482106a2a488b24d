"""What an engine promises, held on every engine: the local one, and one that grows by the slow oracle."""

import copy
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import oracle_engine
import treewright as tw
from treewright.engines.engine import Engine
from treewright.engines.local import LocalEngine
from treewright.errors import ColumnError, ParameterError

SEEDS = range(4)
KINDS = [
    (tw.DecisionTreeClassifier, "gini"),
    (tw.DecisionTreeClassifier, "entropy"),
    (tw.DecisionTreeRegressor, "squared_error"),
]


def table(seed, n=30):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (n, 3)).astype(float)
    X[rng.random((n, 3)) < 0.1] = np.nan
    y = np.nansum(X, axis=1) + rng.integers(0, 5, n) > 14
    return X, y.astype(int), rng.integers(0, 3, n).astype(float)


def assert_same(ours, theirs):
    """Compare trees: all that decides and counts to the bit, what is divided to the last few."""
    assert (ours.n_nodes, ours.is_classifier) == (theirs.n_nodes, theirs.is_classifier)
    for name in (
        "column",
        "cut",
        "child_begin",
        "child",
        "missing_branch",
        "n_rows",
        "weight",
        "is_classifier",
    ):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    for name in ("outcome", "impurity", "gain"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-12, atol=1e-12)


class Recorder:
    """The local engine behind a contract that counts the calls of its verbs."""

    def __init__(self):
        self.calls = Counter()

    def __deepcopy__(self, memo):
        return self  # as an engine with a connection has it, when scikit-learn clones an estimator

    def check(self, recipe, of_classes):
        self.calls["check"] += 1
        LocalEngine().check(recipe, of_classes)

    def prepare(self, rows, encoding, n_threads=1):
        self.calls["prepare"] += 1
        return Recorded(LocalEngine().prepare(rows, encoding, n_threads), self.calls)


class Recorded:
    """What an engine made, whose verbs are counted too."""

    def __init__(self, what, calls):
        self.what, self.calls = what, calls

    def __getattr__(self, name):
        found = getattr(self.what, name)
        return self.counted(name, found) if callable(found) else found

    def counted(self, name, verb):
        def called(*args, **options):
            self.calls[name] += 1
            made = verb(*args, **options)
            return Recorded(made, self.calls) if name == "sample" else made

        return called


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("kind", "criterion"), KINDS)
def test_every_engine_grows_the_same_tree(engine, kind, criterion, seed):
    X, y, weights = table(seed)
    for given in (None, weights):
        ours = kind(criterion=criterion, max_depth=4).fit(X, y, given)
        theirs = kind(criterion=criterion, max_depth=4, engine=engine).fit(X, y, given)
        assert_same(ours.tree_, theirs.tree_)
        assert ours.model_.schema == theirs.model_.schema
        assert ours.model_.provenance == theirs.model_.provenance


@pytest.mark.parametrize("pruning", ["min", "1-se"])
def test_every_engine_grows_the_trees_of_folds(engine, pruning):
    X, y, weights = table(1, 40)
    options = {"missing": "learned", "pruning": pruning, "cv": 4, "max_depth": 4}
    ours = tw.CARTClassifier(**options).fit(X, y, weights)
    theirs = tw.CARTClassifier(**options, engine=engine).fit(X, y, weights)
    assert_same(ours.tree_, theirs.tree_)
    np.testing.assert_allclose(theirs.pruning_table_.cv_error, ours.pruning_table_.cv_error, rtol=1e-12)


def test_every_engine_finds_missing_and_infinite_values_of_rows_that_count(engine):
    X = np.array([[1.0, 2.0], [2.0, np.inf], [3.0, np.nan]])
    y = [0, 1, 1]
    fitted = tw.DecisionTreeClassifier(engine=engine).fit(X, y, sample_weight=[1.0, 0.0, 1.0])
    assert [each.has_missing for each in fitted.model_.schema.columns] == [False, True]
    with pytest.raises(ColumnError, match="column 'x1' holds infinity in row 1"):
        tw.DecisionTreeClassifier(engine=engine).fit(X, y)


def test_what_an_engine_cannot_do_it_refuses_before_the_table_is_prepared(monkeypatch):
    engine = oracle_engine.OracleEngine()
    monkeypatch.delattr(oracle_engine.OracleEngine, "prepare")
    engine.prepare = None
    X, y, _ = table(0)
    for options in ({"missing": "spread"}, {"min_samples_leaf": 5}, {"criterion": "twoing"}):
        with pytest.raises(ParameterError, match="use engine='local'"):
            tw.DecisionTreeClassifier(**options, engine=engine).fit(X, y)


def test_a_table_is_prepared_once_whatever_is_grown_on_it():
    X, y, _ = table(2, 60)
    engine = Recorder()
    fitted = tw.CARTClassifier(cv=5, engine=engine).fit(X, y)
    assert engine.calls == {"check": 1, "prepare": 1, "fingerprint": 1, "sample": 6, "grow": 6}
    engine.calls.clear()
    tw.audit(fitted, X, y)
    assert engine.calls == {"check": 1, "prepare": 1, "sample": 1, "look": 1}


def test_reports_and_comparisons_ask_the_engine_that_is_given(tmp_path):
    X, y, _ = table(3, 60)
    engine = Recorder()
    fitted = tw.DecisionTreeClassifier(max_depth=2, engine=engine).fit(X, y)
    engine.calls.clear()
    fitted.report(tmp_path / "tree.html", X, y)
    n_inner = (fitted.tree_.column >= 0).sum()
    assert engine.calls == {"check": 1, "prepare": 1, "sample": n_inner, "look": n_inner}
    engine.calls.clear()
    tw.compare_pruning(fitted, X, y, cv=2)
    assert engine.calls["grow"] == engine.calls["prepare"] == 1 + 1 + 2 * 2


def test_rows_held_out_of_growing_are_held_out_of_any_engine():
    X, y, _ = table(4, 60)
    engine = Recorder()
    options = {"variant": "j48", "reduced_error_folds": 3}
    theirs = tw.C45Classifier(**options, engine=engine).fit(X, y)
    assert theirs.tree_ == tw.C45Classifier(**options).fit(X, y).tree_
    assert engine.calls["grow"] == 1


def test_an_engine_is_a_parameter_like_any_other(engine, tmp_path):
    X, y, _ = table(0)
    estimator = tw.DecisionTreeClassifier(engine=engine, max_depth=2)
    assert type(clone(estimator).engine) is type(engine)
    fitted = copy.deepcopy(estimator).fit(X, y)
    again = GridSearchCV(estimator, {"max_depth": [1, 2]}, cv=2).fit(X, y)
    assert again.best_estimator_.engine is not None
    fitted.save(tmp_path / "tree.tw.json")
    assert tw.load(tmp_path / "tree.tw.json").predict(X).tolist() == fitted.predict(X).tolist()


@pytest.mark.parametrize("given", [LocalEngine, object(), 3, lambda: None])
def test_what_is_no_engine_is_refused(given):
    with pytest.raises(ParameterError, match="is not an engine; give None, 'local', or an object with the"):
        tw.DecisionTreeClassifier(engine=given).fit([[1], [2]], [0, 1])


def test_the_test_engine_is_short_and_not_the_local_one(engine):
    assert isinstance(engine, Engine)
    text = Path(oracle_engine.__file__).read_text("utf-8")
    assert "LocalEngine" not in text
    assert "_core" not in text
    assert sum(bool(line.strip()) for line in text.splitlines()) <= 60


def test_only_the_default_names_the_local_engine():
    """Whoever grows or scores asks the engine that is given."""
    source = Path(tw.__file__).parent
    named = {
        file.relative_to(source).as_posix()
        for file in source.rglob("*.py")
        if "LocalEngine(" in file.read_text("utf-8")
    }
    assert named == {"engines/local.py", "fitting/fit.py"}
