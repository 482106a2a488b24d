"""One table, one model, bit for bit: any threads, any order of rows, container, dtype and strides.

Targets and weights are arbitrary floats here, so that a sum added up in another order would show.
"""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

import treewright

ARRAYS = (
    *("column", "cut", "child_begin", "child", "missing_branch"),
    *("n_rows", "weight", "outcome", "impurity", "gain"),
    *("children_left", "children_right", "feature", "threshold", "missing_go_to_left", "value"),
)
N_SMALL, N_MEDIUM, N_LARGE = 140, 54, 6  # 200 tables
BLOCKS = 8


class Case:
    """A table and an estimator to fit it, all drawn from a seed."""

    def __init__(self, seed: int):
        rng = np.random.default_rng([seed, 9])
        self.rng, self.seed = rng, seed
        if seed < N_SMALL:
            n, m = int(rng.integers(1, 250)), int(rng.integers(1, 6))
        elif seed < N_SMALL + N_MEDIUM:
            n, m = int(rng.integers(250, 3000)), int(rng.integers(2, 8))
        else:  # large enough for threads over columns, and for lists of 32 and of 16 bits
            n, m = 40_000, 5
        self.X = np.round(rng.normal(0, 30, (n, m)) * 256) / 256  # exact in float32
        coarse = rng.random(m) < 0.4
        self.X[:, coarse] = np.round(self.X[:, coarse] / 16)
        signal = self.X[:, 0] + 10 * np.sin(self.X[:, -1] / 10) + rng.normal(0, 10, n)
        if seed % 3 == 1:
            self.X[rng.random((n, m)) < 0.15] = np.nan
        self.weights = rng.random(n) * rng.choice([1e-3, 1, 1e6]) if seed % 4 == 2 else None
        self.is_regression = seed % 2 == 0
        if self.is_regression:
            self.y = signal * rng.choice([1e-5, 1, 1e7]) + rng.choice([0, 0, 1e3])
        else:
            self.y = np.digitize(signal, np.quantile(signal, [0.25, 0.5, 0.8][: 1 + seed % 3]))
        self.options = [
            {},
            {"max_leaf_nodes": 20},
            {"splitter": "random"},
            {"growth": "breadth", "max_depth": 6},
            {"max_features": 0.6},
            {"min_samples_leaf": 5, "ccp_alpha": 1e-4},
            {"min_weight_fraction_leaf": 0.01},
        ][seed % 7] | {"random_state": seed}
        if not self.is_regression and seed % 5 == 0:
            self.options["criterion"] = "entropy"

    def fit(self, X=None, rows=None, n_jobs=1):
        """Fit the table in some other form, or its rows in another order."""
        kind = treewright.DecisionTreeRegressor if self.is_regression else treewright.DecisionTreeClassifier
        X = self.X if X is None else X
        y, weights = self.y, self.weights
        if rows is not None:
            X, y, weights = X[rows], y[rows], None if weights is None else weights[rows]
        return kind(n_jobs=n_jobs, **self.options).fit(X, y, sample_weight=weights)

    def names(self) -> list[str]:
        return [f"x{j}" for j in range(self.X.shape[1])]


def model_bytes(estimator) -> dict[str, bytes]:
    """Give the bytes of every array of the tree."""
    arrays = {name: np.asarray(getattr(estimator.tree_, name)) for name in ARRAYS}
    return {name: f"{array.dtype}{array.shape}".encode() + array.tobytes() for name, array in arrays.items()}


def check_same(estimator, expected: dict[str, bytes], what: str) -> None:
    found = model_bytes(estimator)
    assert [name for name in ARRAYS if found[name] != expected[name]] == [], what


def cases(block: int):
    for seed in range(block, N_SMALL + N_MEDIUM + N_LARGE, BLOCKS):
        yield Case(seed)


@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_model_is_the_same_for_any_number_of_threads(block, eight_threads):
    for case in cases(block):
        first = case.fit()
        for n_jobs in (1, 2, 4, 8):
            again = case.fit(n_jobs=n_jobs)
            check_same(again, model_bytes(first), f"seed {case.seed}, n_jobs {n_jobs}")
            assert pickle.dumps(again.model_) == pickle.dumps(first.model_), (
                f"seed {case.seed}, n_jobs {n_jobs}"
            )


@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_model_is_the_same_for_any_order_of_rows(block):
    for case in cases(block):
        expected = model_bytes(case.fit())
        n = len(case.y)
        for rows in (np.arange(n)[::-1], case.rng.permutation(n), np.argsort(case.y, kind="stable")):
            check_same(case.fit(rows=rows, n_jobs=2), expected, f"seed {case.seed}")


@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_model_is_the_same_in_any_container(block):
    for case in cases(block):
        if len(case.y) > 10_000 and case.seed % 2:
            continue
        expected = model_bytes(case.fit())
        names = case.names()
        columns = {name: np.ascontiguousarray(case.X[:, j]) for j, name in enumerate(names)}
        nulls = {
            name: [None if np.isnan(v) else v for v in values.tolist()] for name, values in columns.items()
        }
        containers = {
            "pandas": pd.DataFrame(columns),
            "polars": pl.DataFrame(columns),
            "polars with nulls": pl.DataFrame(nulls, schema=dict.fromkeys(names, pl.Float64)),
            "arrow": pa.table(columns),
            "arrow with nulls": pa.table({name: pa.array(v, pa.float64()) for name, v in nulls.items()}),
            "dict": columns,
        }
        if len(case.y) <= 3000:
            containers["list of lists"] = case.X.tolist()
        for name, container in containers.items():
            check_same(case.fit(container), expected, f"seed {case.seed}, {name}")


@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_model_is_the_same_in_any_memory_order_and_in_float32(block):
    for case in cases(block):
        expected = model_bytes(case.fit())
        n, m = case.X.shape
        wide = np.full((2 * n, 3 * m), 1e9)
        wide[::2, ::3] = case.X
        read_only = case.X.copy()
        read_only.flags.writeable = False
        forms = {
            "Fortran order": np.asfortranarray(case.X),
            "every second row and third column": wide[::2, ::3],
            "rows stored backwards": case.X[::-1].copy()[::-1],
            "columns stored backwards": case.X[:, ::-1].copy()[:, ::-1],
            "float32": case.X.astype(np.float32),
            "float32, Fortran order": np.asfortranarray(case.X.astype(np.float32)),
            "the other byte order": case.X.astype(case.X.dtype.newbyteorder()),
            "read only": read_only,
        }
        for name, X in forms.items():
            check_same(case.fit(X), expected, f"seed {case.seed}, {name}")
        assert (wide[1::2] == 1e9).all()


LEARNERS = {
    "release 8": treewright.C45Classifier(),
    "J48": treewright.C45Classifier(variant="j48", binary_splits=True),
    "textbook": treewright.C45Classifier(variant="textbook", laplace=True),
    "ID3": treewright.ID3Classifier(bins=6, missing="spread", max_depth=3),
    "classes in shares": treewright.DecisionTreeClassifier(missing="spread", max_depth=6),
    "numbers in shares": treewright.DecisionTreeRegressor(missing="spread", max_depth=6),
}


@pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS)
def test_the_model_of_rows_in_shares_is_the_same_everywhere(learner, eight_threads):
    """The last table is large enough for threads over columns; most have gaps."""
    seeds = [*range(1, 40, 3), 2, 6, 160, 196]
    if learner is LEARNERS["textbook"]:
        seeds.pop()  # every cut competes there, so that a large table takes minutes
    for seed in seeds:
        case = Case(seed)
        y = case.y
        if case.is_regression and learner.__class__ is not treewright.DecisionTreeRegressor:
            y = np.digitize(y, np.quantile(y, [0.3, 0.6]))
        weights = case.rng.random(len(y)) if seed % 2 else None

        def fit(X, rows=slice(None), n_jobs=1, y=y, weights=weights):
            given = None if weights is None else weights[rows]
            return clone(learner).set_params(n_jobs=n_jobs).fit(X, y[rows], sample_weight=given)

        first = fit(case.X)
        expected = pickle.dumps(first.tree_)
        rows = case.rng.permutation(len(y))
        frame = pd.DataFrame(case.X, columns=case.names())
        others = {
            "threads": fit(case.X, n_jobs=8),
            "rows": fit(case.X[rows], rows, n_jobs=2),
            "pandas": fit(frame),
            "polars": fit(pl.from_pandas(frame, nan_to_null=True)),
            "arrow": fit(pa.Table.from_pandas(frame)),
            "float32": fit(np.asfortranarray(case.X.astype(np.float32))),
        }
        for name, other in others.items():
            assert pickle.dumps(other.tree_) == expected, f"seed {seed}, {name}"
            assert other.model_.schema.columns == first.model_.schema.columns, f"seed {seed}, {name}"
        assert others["pandas"].predict(frame).tobytes() == first.predict(case.X).tobytes()


def test_whole_numbers_part_the_rows_as_floats_do():
    """Cuts are kept in the column's type: a whole number for whole numbers, the midpoint for floats."""
    for seed in range(60):
        rng = np.random.default_rng([seed, 10])
        n = int(rng.integers(2, 400))
        X = rng.integers(-50, 50, (n, 3))
        y = (X[:, 0] * X[:, 1] > rng.integers(-200, 200, n)).astype(int)
        whole = treewright.DecisionTreeClassifier().fit(X, y)
        floats = treewright.DecisionTreeClassifier().fit(X.astype(float), y)
        for name in ("children_left", "children_right", "feature", "n_node_samples", "impurity", "value"):
            assert np.array_equal(getattr(whole.tree_, name), getattr(floats.tree_, name)), (
                f"seed {seed}, {name}"
            )
        inner = whole.tree_.children_left >= 0
        assert (np.floor(whole.tree_.threshold[inner]) == np.floor(floats.tree_.threshold[inner])).all()
        assert np.array_equal(whole.apply(X), floats.apply(X.astype(float)))


def test_whole_numbers_beyond_the_reach_of_floats_are_told_apart():
    """2^53 and 2^53 + 1 are one float64; int64 columns compare as integers."""
    X = np.array([[2**53], [2**53 + 1], [2**53 + 2], [2**53 + 3]], dtype=np.int64)
    y = np.array([0, 1, 0, 1])
    grown = treewright.DecisionTreeClassifier().fit(X, y)
    assert grown.get_n_leaves() == 4
    assert grown.predict(X).tolist() == [0, 1, 0, 1]
