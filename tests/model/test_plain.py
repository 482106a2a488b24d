"""Rows that need no reading are answered for as those that do, and complained about in the same words."""

import threading
import warnings
from datetime import date
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from kinds_of_trees import KINDS
from treewright.errors import ColumnError, TableError, UnseenCategoryWarning


def verbs(estimator):
    known = ("predict", "predict_proba", "apply", "decision_path")
    return [getattr(estimator, name) for name in known if hasattr(estimator, name)]


def dense(answer):
    return answer.toarray() if hasattr(answer, "toarray") else answer


@pytest.mark.parametrize("kind", KINDS)
def test_a_dict_of_values_is_a_table_of_one_row(kind):
    estimator = KINDS[kind].fit()
    rows = KINDS[kind].rows()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        for at in range(0, 40, 3):
            row = {name: None if values.isna()[at] else values[at] for name, values in rows.items()}
            plain = {name: value.item() if hasattr(value, "item") else value for name, value in row.items()}
            alone = {name: values[at : at + 1] for name, values in rows.items()}
            for ask in verbs(estimator):
                expected = dense(ask(alone))
                for given in (row, plain, dict(reversed(plain.items()))):
                    answer = dense(ask(given))
                    assert answer.dtype == expected.dtype
                    assert answer.tolist() == expected.tolist(), (kind, given)


@pytest.mark.parametrize("missing", ["learned", "majority", "surrogate", "spread", "branch"])
@pytest.mark.parametrize("type_", [np.float64, np.float32])
def test_an_array_is_answered_for_as_its_columns_are(type_, missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4)).astype(type_)
    X[rng.random(X.shape) < 0.2] = np.nan
    y = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) > 0
    estimator = tw.DecisionTreeClassifier(missing=missing, max_depth=6).fit(X, y)
    for rows in (X, X[:1], X[:0], np.asfortranarray(X), X[::-2, ::1]):
        for ask in verbs(estimator):
            assert dense(ask(rows)).tolist() == dense(ask(rows.astype(object))).tolist()


NUMBERS = (
    *(0.5, -0.0, 1e308, -1e-308, float("nan"), float("inf"), float("-inf")),
    *(3, -7, 2**53, 2**53 + 1, 2**70, True, False),
    *(np.float64(0.25), np.float32(0.1), np.int64(2), np.uint8(9), np.bool_(True), np.float64("nan")),
    *(None, pd.NA, pd.NaT, Decimal("1.5"), Decimal("NaN"), Fraction(1, 3), 1j),
    *("4", "", b"4", date(2020, 1, 2), np.datetime64("2020-01-02"), {"a": 1}, object),
)
LABELS = ("Ulm", "Bonn", "Köln", "", np.str_("Ulm"), None, float("nan"), pd.NA, 1, 0.0, True, b"Ulm")


def dresses(value):
    """A value on its own and as columns that hold it, and some that do not."""
    return (value, value, value, value, [value], [value], (value,), np.array([value]), [value, value], [])


def random_row(rng):
    def draw(values):
        return values[rng.integers(len(values))]

    row = {
        "age": draw(NUMBERS),
        "town": draw(LABELS),
        "size": draw(NUMBERS[:14]),
        "known": draw((True, False)),
    }
    if rng.random() < 0.3:
        row = {name: draw(dresses(value)) for name, value in row.items()}
    elif rng.random() < 0.5:
        row = {name: [value] for name, value in row.items()}
    if rng.random() < 0.05:
        del row[draw(tuple(row))]
    if rng.random() < 0.05:
        row[draw(("more", "y", 3, "Age"))] = 1.0
    return row


def outcome(ask, row):
    """What is answered, raised and warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            answer = dense(ask(row))
            found = (answer.dtype, answer.tolist())
        except Exception as error:
            found = (type(error), str(error))
    return found, [(each.category, str(each.message)) for each in caught]


@pytest.mark.parametrize("missing", ["learned", "spread", "refuse"])
def test_a_dict_is_answered_for_as_any_other_mapping_whatever_it_holds(missing):
    rng = np.random.default_rng(len(missing))
    n = 200
    age, size, town, known = (
        rng.normal(size=n),
        rng.integers(0, 9, n),
        rng.integers(0, 2, n),
        rng.random(n) < 0.5,
    )
    table = {"age": age, "town": np.array(["Bonn", "Ulm"])[town], "size": size, "known": known}
    numbers = {"age": age, "size": size}
    y = (age + town > 0.5 * known + (size > 4)).astype(int)
    for columns in (table, numbers):
        estimator = tw.DecisionTreeClassifier(missing=missing, max_depth=5).fit(columns, y)
        for _ in range(400):
            row = random_row(rng)
            row = {name: value for name, value in row.items() if name in columns or name not in table}
            for ask in (estimator.predict, estimator.predict_proba, estimator.apply):
                # Only a dict may go to the core unread.
                assert outcome(ask, row) == outcome(ask, MappingProxyType(row)), row


def fitted(**parameters):
    X = np.random.default_rng(1).normal(size=(50, 3))
    return tw.DecisionTreeRegressor(max_depth=3, **parameters).fit(X, X[:, 0]), X


@pytest.mark.parametrize("n_rows", [1, 200])
def test_infinities_and_refused_gaps_are_named(n_rows):
    estimator, X = fitted(missing="refuse")
    X = np.repeat(X[:1], n_rows, axis=0)
    X[n_rows - 1, 2] = -np.inf
    for ask in verbs(estimator):
        with pytest.raises(ColumnError, match=f"'x2' holds infinity in row {n_rows - 1}"):
            ask(X)
    X[n_rows - 1, 2] = np.nan
    with pytest.raises(ColumnError, match="'x2' contains NaN"):
        estimator.predict(X)


def test_infinities_are_named_where_rows_are_spread():
    estimator, X = fitted(missing="spread")
    X[7, 1] = np.inf
    for ask in verbs(estimator):
        with pytest.raises(ColumnError, match="'x1' holds infinity in row 7"):
            ask(X)


def test_a_row_of_another_table_is_refused():
    table = {"age": [31.0, 52.0, 40.0, 23.0], "town": ["Ulm", "Bonn", "Ulm", "Bonn"]}
    estimator = tw.DecisionTreeClassifier(missing="refuse").fit(table, [0, 1, 1, 0])
    assert estimator.predict({"town": "Bonn", "age": 23}).tolist() == [0]
    with pytest.raises(ColumnError, match="has no column 'town'"):
        estimator.predict({"age": 31})
    with pytest.raises(ColumnError, match="absent in training: column 'size'"):
        estimator.predict({"age": 31, "town": "Ulm", "size": 2})
    with pytest.raises(ColumnError, match="'age' holds infinity"):
        estimator.predict({"age": float("inf"), "town": "Ulm"})
    with pytest.raises(ColumnError, match="contains NaN"):
        estimator.predict({"age": None, "town": "Ulm"})
    with pytest.raises(ColumnError, match="did not occur in training"):
        estimator.predict({"age": 31, "town": "Köln"})
    with pytest.raises(TableError, match="one row is needed"):
        estimator.predict({"age": 31, "town": ["Ulm", "Bonn"]})


def test_arrays_of_another_width_and_without_names_are_told_apart():
    estimator, X = fitted()
    with pytest.raises(TableError, match="X has 2 features"):
        estimator.predict(X[:, :2])
    named = tw.DecisionTreeRegressor().fit({"a": X[:, 0], "b": X[:, 1]}, X[:, 0])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        named.predict(X[:1, :2])
    with pytest.warns(UserWarning, match="fitted without feature names"):
        estimator.predict({"a": 1.0, "b": 2.0, "c": 0.5})


def test_a_tree_is_laid_out_once_by_whichever_thread_comes_first():
    estimator, X = fitted()
    expected = fitted()[0].predict(X).tolist()
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(estimator.predict(X))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.tolist() for answer in answers] == [expected] * 8
    assert estimator.model_._router is estimator.model_._router
