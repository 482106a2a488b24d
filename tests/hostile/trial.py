"""One trial: fit hostile data, use the tree in every way, and judge what comes out.

The table is made so that every learner answers it alike. Column `a` holds the numbers 0 to 11, each in four
rows, and `v // 4` decides the target; where there is a column `b`, it has nothing to do with it. So the right
answer for every row is known without any library, whatever spelling, container or type the numbers come in.
"""

import contextlib
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse as sp
from sklearn.exceptions import DataConversionWarning

import treewright as tw
from treewright.errors import TreewrightError, shown

V = [7, 0, 11, 4, 2, 9, 5, 1, 8, 3, 10, 6, 3, 8, 0, 6, 11, 1, 5, 10, 2, 7, 4, 9] * 2
B = [0, 1, 2, 2, 0, 1] * 8
N = len(V)
LABELS = [["low", "middle", "high"][v // 4] for v in V]
NUMBERS = [[10.0, 30.0, 20.0][v // 4] for v in V]

CLASSIFIERS: dict[str, Callable[..., Any]] = {
    "DecisionTreeClassifier": tw.DecisionTreeClassifier,
    "CARTClassifier": tw.CARTClassifier,
    "C45Classifier": tw.C45Classifier,
    # Without intervals ID3 refuses every fraction, and a trial would end there.
    "ID3Classifier": lambda **given: tw.ID3Classifier(**{"bins": 64, "missing": "spread"} | given),
}
REGRESSORS: dict[str, Callable[..., Any]] = {
    "DecisionTreeRegressor": tw.DecisionTreeRegressor,
    "CARTRegressor": tw.CARTRegressor,
}
ESTIMATORS = CLASSIFIERS | REGRESSORS

# What a warning may be: of the library, or of scikit-learn's contract. None of NumPy's reaches the caller.
WARNINGS = (
    tw.CloseValuesWarning,
    tw.DeepTreeWarning,
    tw.IdentifierWarning,
    tw.UnseenCategoryWarning,
    tw.WeightWarning,
    DataConversionWarning,
    FutureWarning,
)

# How the answers for the training rows are judged.
EXACT = "every row gets its target"
KNOWN = "every row with a value gets its target"
ONE = "one leaf, with the most frequent class or the mean"
SOUND = "answers lie among the targets"


@dataclass(frozen=True)
class Case:
    """Hostile data and what must come out.

    Parameters
    ----------
    name : str
        What is hostile.
    X, y, weight : callable or None
        Make the table, the target and the weights; by default those of the module.
    parameters : dict
        Of the estimator.
    new : callable, optional
        Makes rows to predict for, after a fit of the table.
    answers : str or list
        `EXACT`, `KNOWN`, `ONE`, `SOUND`, or the answer for each new row, as a number of `V`.
    says : tuple of str
        Words of the refusal; empty where there must be answers.
    but : dict
        What says of some estimators instead, by the start of their name.
    only : tuple of str
        Starts of the names of estimators that the case is for; by default all.
    """

    name: str
    X: Callable[[], Any] = field(default=lambda: {"a": list(V), "b": list(B)}, repr=False)
    y: Callable[[], Any] | None = None
    weight: Callable[[], Any] | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    new: Callable[[], Any] | None = None
    answers: Any = EXACT
    says: tuple[str, ...] = ()
    but: dict[str, Any] = field(default_factory=dict)
    only: tuple[str, ...] = ("",)

    def expected(self, estimator: str) -> tuple[Any, tuple[str, ...]]:
        """Give how answers are judged, and the words of a refusal."""
        for start, other in self.but.items():
            if estimator.startswith(start):
                return (self.answers, other) if isinstance(other, tuple) else (other, ())
        # CART sends rows with a gap after the others, and they shift the mean of the leaf.
        is_shifted = self.answers == KNOWN and estimator == "CARTRegressor"
        return SOUND if is_shifted else self.answers, self.says


@contextlib.contextmanager
def nothing_changes(*given: Any) -> Iterator[None]:
    """Check that what the caller handed over is the same afterwards, whatever happened."""
    before = [frozen(each) for each in given]
    yield
    assert [frozen(each) for each in given] == before, "the caller's data have changed"


def frozen(data: Any) -> Any:  # noqa: PLR0911 - one for each kind of container
    """Give plain values to compare data by later; of a generator, only its type."""
    if sp.issparse(data):
        return data.toarray().tolist()
    if isinstance(data, Mapping):
        return [(name, frozen(column)) for name, column in data.items()]
    if isinstance(data, np.ma.MaskedArray):
        return "masked", frozen(data.data), frozen(np.ma.getmaskarray(data))
    if isinstance(data, np.ndarray):
        values = repr(data.tolist()) if data.dtype.hasobject else data.tobytes()
        return data.dtype.str, data.shape, data.strides, data.flags.writeable, values
    if isinstance(data, pd.DataFrame):
        return [(repr(name), frozen(column)) for name, column in data.items()], repr(data.index)
    if isinstance(data, pl.DataFrame | pa.Table | pa.RecordBatch):
        return repr(data.schema), repr(data.to_pydict() if hasattr(data, "to_pydict") else data.to_dict())
    if hasattr(data, "dtype") or isinstance(data, pa.ChunkedArray | pa.Array):
        return repr(getattr(data, "dtype", None)), repr(list(data))
    return [*map(shown, data)] if isinstance(data, list | tuple | set) else type(data).__name__


def attempt(case: Case, estimator: str, folder: Path) -> None:
    """Run a case with an estimator."""
    is_classifier = estimator in CLASSIFIERS
    X = case.X()
    y = (LABELS if is_classifier else NUMBERS) if case.y is None else case.y()
    weight = None if case.weight is None else case.weight()
    how, words = case.expected(estimator)
    with warnings.catch_warnings(record=True) as told, nothing_changes(X, y, weight):
        warnings.simplefilter("always")
        try:
            tree = ESTIMATORS[estimator](**case.parameters).fit(X, y, weight)
            rows = X if case.new is None else case.new()
            with nothing_changes(rows):
                found = use(tree, rows, folder)
        except TreewrightError as error:
            refusal: Exception | None = error
        else:
            refusal = None
    check_warnings(told)
    if refusal is not None:
        check_words(refusal, words)
    else:
        assert not words, f"answered, and should refuse with {words}"
        if case.new is None:
            check_answers(found, tree, X, y, weight, how)
        elif how != SOUND:
            target = LABELS if is_classifier else NUMBERS
            assert found.tolist() == [target[V.index(v)] for v in how]


def check_words(error: Exception, words: tuple[str, ...]) -> None:
    """Check that a refusal says what, where, with which value and what to do."""
    text = str(error)
    assert words, f"refused, and should answer: {text}"
    assert len(text) < 800, f"{len(text)} characters"
    missing = [word for word in words if word not in text]
    assert not missing, f"{missing} not in: {text}"


def check_warnings(told: list[warnings.WarningMessage]) -> None:
    """Check that no warning of another package slips through, and that each names the caller's line."""
    strange = [str(each.message) for each in told if not issubclass(each.category, WARNINGS)]
    assert not strange, strange


def use(tree: Any, X: Any, folder: Path) -> np.ndarray:
    """Use a fitted tree in every way, and check that all ways agree."""
    found = tree.predict(X)
    n_rows = len(found)
    one = first_row(X)
    if hasattr(tree, "predict_proba"):
        shares = tree.predict_proba(X)
        assert shares.shape == (n_rows, len(tree.classes_))
        np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-9)
    text = tree.to_text()
    assert isinstance(text, str)
    assert text
    if n_rows:
        explanation = tree.explain(one)
        assert explanation.answer == found[0], "explain and predict differ"
        assert str(explanation)
    path = folder / "model.tw.json"
    tree.save(path)
    again = tw.load(path)
    assert same(again.predict(X), found), "the loaded tree answers otherwise"
    assert again.to_text() == text, "the loaded tree reads otherwise"
    return found


def same(a: Any, b: Any) -> bool:
    return np.asarray(a).tolist() == np.asarray(b).tolist()


def check_answers(answers: np.ndarray, tree: Any, X: Any, y: Any, weight: Any, how: str) -> None:
    """Compare the answers for the training rows with the target."""
    found, target = answers.tolist(), values_of(y)
    assert len(found) == len(target)
    if how == EXACT:
        assert found == target
    elif how == KNOWN:
        gaps = missing_of(X)
        assert 0 < sum(gaps) < len(gaps)
        assert [a for a, gap in zip(found, gaps, strict=True) if not gap] == [
            b for b, gap in zip(target, gaps, strict=True) if not gap
        ]
    elif how == ONE:
        assert tree.get_n_leaves() == 1
        weights = np.ones(len(target)) if weight is None else np.asarray(weight, dtype=float)
        if hasattr(tree, "classes_"):
            of_class = {label: weights[[t == label for t in target]].sum() for label in sorted(set(target))}
            assert set(found) == {max(of_class, key=of_class.__getitem__)}
        else:
            np.testing.assert_allclose(found, np.average(np.array(target, dtype=float), weights=weights))
    else:
        assert how == SOUND
        if hasattr(tree, "classes_"):
            assert set(found) <= set(target)
        else:
            slack = (float(max(target)) - float(min(target))) * 2.0**-50
            assert min(target) <= min(found) + slack
            assert max(found) <= max(target) + slack


def values_of(y: Any) -> list[Any]:
    """Give a target as plain values."""
    if isinstance(y, pa.ChunkedArray | pa.Array):
        return y.to_pylist()
    if isinstance(y, list):
        return [each[0] if isinstance(each, list | tuple) else each for each in y]
    return np.asarray(y).ravel().tolist()


def missing_of(X: Any) -> list[bool]:
    """Tell the rows whose column `a` has no value."""
    column = X["a"] if not isinstance(X, np.ndarray | list) else [row[0] for row in X]
    if isinstance(column, np.ma.MaskedArray):
        return np.ma.getmaskarray(column).tolist()
    if isinstance(column, pa.ChunkedArray):
        column = column.to_pylist()
    return [value is None or bool(pd.isna(value)) for value in column]


def first_row(X: Any) -> Any:
    """Give the first row of a table in the container that the table came in."""
    if isinstance(X, pa.Table | pa.RecordBatch):
        return X.slice(0, 1)
    if isinstance(X, Mapping):
        return {name: column[:1] for name, column in X.items()}
    if isinstance(X, pl.LazyFrame):
        return X.head(1)
    return X[:1]
