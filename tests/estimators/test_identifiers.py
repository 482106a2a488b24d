"""A column that identifies rows is reported, dropped, used or refused, as `on_identifier` says."""

import warnings

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from treewright.errors import ColumnError, ParameterError

N = 123
CLASSIFIERS = [tw.DecisionTreeClassifier, tw.CARTClassifier, tw.C45Classifier, tw.ID3Classifier]
ALL = [*CLASSIFIERS, tw.DecisionTreeRegressor, tw.CARTRegressor]


def patients():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "patient": [f"P{at:04}" for at in range(N)],
            "age": rng.integers(20, 80, N),
            "sex": rng.choice(["m", "f"], N),
        }
    )
    return X, (X["age"] + rng.normal(0, 5, N) > 50).astype(int)


def quietly(estimator, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return estimator.fit(X, y)


@pytest.mark.parametrize("kind", ALL)
def test_a_fit_warns_by_name_and_says_what_to_do(kind):
    X, y = patients()
    with pytest.warns(tw.IdentifierWarning, match="'patient' .123 values in 123 rows.* on_identifier='drop'"):
        kind().fit(X, y)


def test_without_the_choice_the_tree_asks_for_the_patient():
    X, y = patients()
    tree = quietly(tw.ID3Classifier(on_identifier="ignore"), X, y)
    assert tree.tree_.column[0] == 0
    assert tree.get_n_leaves() == N


@pytest.mark.parametrize("kind", ALL)
def test_a_dropped_column_counts_and_is_asked_for_nothing(kind, tmp_path):
    X, y = patients()
    tree = quietly(kind(on_identifier="drop"), X, y)
    assert (tree.n_features_in_, tree.feature_names_in_.tolist()) == (3, list(X))
    assert tree.feature_importances_[0] == 0
    same = quietly(kind(), X.drop(columns="patient"), y)
    tree.save(tmp_path / "tree.tw.json")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = same.predict(X[["age", "sex"]])
        for each in (tree, tw.load(tmp_path / "tree.tw.json")):
            for patient in (X["patient"], "Q1", 3.5, None, pd.NaT):
                assert (each.predict(X.assign(patient=patient)) == expected).all()
            assert (each.predict(X.drop(columns="patient")) == expected).all()
            row = {"age": int(X["age"][0]), "sex": X["sex"][0]}
            assert each.predict(row) == each.predict({**row, "patient": "Q1"}) == expected[0]
            assert "patient" not in str(each.explain(row))
    with pytest.raises(ColumnError, match="'age', present in training"):
        tree.predict(X.drop(columns="age"))


def test_raise_raises_and_other_words_are_refused():
    X, y = patients()
    with pytest.raises(ColumnError, match=r"column 'patient' .*, so it identifies rows"):
        tw.C45Classifier(on_identifier="raise").fit(X, y)
    with pytest.raises(ParameterError, match=r"on_identifier='wran' is unknown.* Did you mean 'warn'"):
        tw.C45Classifier(on_identifier="wran").fit(X, y)


def test_all_identifiers_are_named_in_one_warning():
    X, y = patients()
    X["key"] = X["patient"].str.lower()
    with pytest.warns(tw.IdentifierWarning) as warned:
        tw.CARTClassifier().fit(X, y)
    assert len(warned) == 1
    assert "column 'patient' (123 values in 123 rows), 'key' (123 values in 123 rows)" in str(
        warned[0].message
    )


@pytest.mark.parametrize(
    "values",
    [
        np.arange(N),
        np.random.default_rng(0).random(N),
        pd.date_range("2024-01-01", periods=N),
        pd.Categorical([f"P{at}" for at in range(N)]),
        [f"P{at // 2}" for at in range(N)],
    ],
    ids=["whole", "fractions", "dates", "declared", "in pairs"],
)
def test_only_categories_that_nearly_all_differ_are_identifiers(values):
    X, y = patients()
    quietly(tw.DecisionTreeClassifier(), X.drop(columns="patient").assign(id=values), y)


def test_the_tables_of_textbooks_are_never_suspected():
    for name in tw.datasets.names():
        columns, target = tw.datasets.load(name)
        quietly(tw.C45Classifier(), columns, target)


def test_rows_of_weight_zero_do_not_count():
    X, y = patients()
    twice = pd.concat([X, X])
    weights = np.repeat([1.0, 0.0], N)
    with pytest.warns(tw.IdentifierWarning, match="123 values in 123 rows"):
        tw.DecisionTreeClassifier().fit(twice, pd.concat([y, y]), weights)
