"""Rows without a value spread over all branches, against the definition."""

import itertools
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from mixed_tables import MixedTable, Way, mixed_table
from oracle.agreement import TIMES
from oracle.exact_scores import OF_CLASSES, OF_NUMBERS
from oracle.naive_questions import Rows
from oracle.naive_spread import problems, problems_of_answers
from treewright import DecisionTreeClassifier, DecisionTreeRegressor

CRITERIA = (*OF_CLASSES, *OF_NUMBERS)
KINDS = ("subset", "multiway", "one-vs-rest")
PENALTIES = ("linear", "quadratic", None)
COMBINATIONS = [
    (criterion, kind)
    for criterion, kind in itertools.product(CRITERIA, KINDS)
    if (criterion, kind) != ("twoing", "multiway")
]


def random_columns(rng, n, is_category, share):
    """Columns of halves or of letters; a value in the first row, gaps for a share of the others."""
    columns = []
    for category in is_category:
        if category:
            values = [f"c{code}" for code in rng.integers(0, rng.integers(1, 6), n)]
        else:
            values = (rng.integers(0, 5, n) / 2).tolist()
        gap = None if category else float("nan")
        columns.append([gap if at and rng.random() < share else value for at, value in enumerate(values)])
    return columns


def random_rows(rng, criterion, with_weights, share):
    n = int(rng.integers(2, 16))
    is_category = [bool(rng.random() < 0.6) for _ in range(int(rng.integers(1, 4)))]
    columns = random_columns(rng, n, is_category, share)
    y = rng.integers(0, 8, n) / 4 if criterion in OF_NUMBERS else rng.integers(0, 4, n)
    if criterion == "poisson":
        y[rng.random(n) < rng.choice([0.0, 0.3, 0.6])] = 0.0  # many zeros, which no branch may have alone
        y[0] = 1.5
    if criterion in OF_CLASSES:
        y = np.unique(y, return_inverse=True)[1]
    weights = rng.integers(1, 4, n) if with_weights else np.ones(n, dtype=int)
    return Rows(tuple(columns), tuple(is_category), tuple(y.tolist()), tuple(weights.tolist()))


def named(columns):
    return {f"x{at}": list(values) for at, values in enumerate(columns)}


def fit(table, criterion, **options):
    kind_of = DecisionTreeRegressor if criterion in OF_NUMBERS else DecisionTreeClassifier
    tree = kind_of(criterion=criterion, missing="spread", **options)
    weights = np.array(table.weights, dtype=float)
    return tree.fit(named(table.columns), np.array(table.y), sample_weight=weights)


@pytest.mark.parametrize("with_weights", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize(("criterion", "kind"), COMBINATIONS)
def test_every_node_and_every_answer_is_as_defined(criterion, kind, with_weights):
    """Over 1,000 tables; new rows have gaps also in columns that had none."""
    rng = np.random.default_rng([CRITERIA.index(criterion), KINDS.index(kind), with_weights])
    for round_ in range(24 * TIMES):
        penalty = PENALTIES[round_ % 3]
        table = random_rows(rng, criterion, with_weights, share=rng.choice([0.0, 0.15, 0.35]))
        tree = fit(table, criterion, categorical_split=kind, missing_penalty=penalty)
        found = list(problems(tree, table, kind, criterion, penalty))
        assert not found, f"{penalty} {table}\n{tree.to_text()}\n{found}"
        new = random_columns(rng, 12, table.is_category, share=0.3)
        for at, category in enumerate(table.is_category):
            if category:  # others would be unseen, which the library warns of
                seen = {value for value in table.columns[at] if value is not None}
                new[at] = [value if value in seen else None for value in new[at]]
        for columns in (table.columns, new):
            found = list(problems_of_answers(tree, named(columns), len(columns[0])))
            assert not found, f"{table}\n{columns}\n{tree.to_text()}\n{found}"


WAYS = [
    Way(criterion, split, "spread", splitter)
    for criterion, split, splitter in itertools.product(CRITERIA, KINDS, ("best", "random"))
    if (criterion, split) != ("twoing", "multiway")
]
ALL_WAYS = pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(vars(way).values()))


def tables(part, way, n=8 * TIMES):
    for seed in range(n):
        rng = np.random.default_rng([seed, part, WAYS.index(way)])
        yield rng, mixed_table(rng, way, rows=(2, 30))


def check_same_within_rounding(one, other, what, times=1.0):
    """Compare two trees whose shares may be rounded to units of another size.

    Where exactly half of the weight lies on either side rounding may move the median; its loss stays.
    """
    for name in ("column", "cut", "child_begin", "child", "set_begin", "set_code", "set_branch"):
        assert getattr(one.tree_, name).tobytes() == getattr(other.tree_, name).tobytes(), f"{name}\n{what}"
    np.testing.assert_allclose(one.tree_.weight * times, other.tree_.weight, rtol=1e-9, atol=1e-9)
    for name in ("impurity", "gain") if one.criterion == "absolute_error" else ("impurity", "gain", "value"):
        np.testing.assert_allclose(
            getattr(one.tree_, name), getattr(other.tree_, name), rtol=1e-9, atol=1e-9, err_msg=name
        )


@ALL_WAYS
def test_the_order_of_rows_changes_no_bit(way):
    for rng, table in tables(1, way):
        one, other = table.fit(way), table.take(rng.permutation(table.n_rows)).fit(way)
        assert one.tree_ == other.tree_, str(table)


@ALL_WAYS
def test_three_times_the_weights_change_only_the_weights(way):
    for _, table in tables(2, way):
        three = MixedTable(table.columns, table.y, table.weights * 3, table.is_category)
        check_same_within_rounding(table.fit(way), three.fit(way), table, times=3.0)


@ALL_WAYS
def test_a_weight_of_k_is_k_copies_of_the_row(way):
    """But for the rounding of shares: that of a heavy row is rounded once, those of its copies each."""
    for _, table in tables(3, way):
        copies = table.take(np.repeat(np.arange(table.n_rows), table.weights.astype(int)))
        check_same_within_rounding(table.fit(way), copies.fit(way, weighted=False), table)


@ALL_WAYS
def test_a_row_of_weight_zero_is_absent(way):
    for rng, table in tables(4, way):
        haunted = table.take(np.concatenate([np.arange(table.n_rows), rng.integers(0, table.n_rows, 4)]))
        haunted.weights[table.n_rows :] = 0
        haunted.y[table.n_rows :] = rng.permutation(haunted.y[table.n_rows :])
        assert haunted.fit(way).tree_ == table.fit(way).tree_, str(haunted)


@ALL_WAYS
def test_without_gaps_the_tree_is_that_of_the_majority(way):
    """Bit for bit, but for what becomes of values that are missing later."""
    n_tables = 0
    for _, table in tables(5, way, n=12 * TIMES):
        if table.has_gaps:
            continue
        n_tables += 1
        spread, majority = table.fit(way).tree_, table.fit(replace(way, missing="majority")).tree_
        assert replace(spread, missing_branch=majority.missing_branch.copy()) == majority, str(table)
    assert n_tables > 1


@pytest.mark.parametrize("criterion", CRITERIA)
def test_threads_and_containers_change_no_bit(criterion, eight_threads):
    """Weights are arbitrary floats here, and the table is large enough for threads over columns."""
    rng = np.random.default_rng(CRITERIA.index(criterion))
    n = 4000 if criterion != "absolute_error" else 1500
    X = np.round(rng.normal(size=(n, 16)) * 8) / 8
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n)
    X[rng.random(X.shape) < 0.02] = np.nan
    y = np.digitize(y, [-1, 0, 1]) if criterion in OF_CLASSES else np.abs(y)
    weights = rng.random(n)
    kind_of = DecisionTreeClassifier if criterion in OF_CLASSES else DecisionTreeRegressor
    options = {"criterion": criterion, "missing": "spread", "max_depth": 4, "min_samples_leaf": 20}
    first = kind_of(n_jobs=1, **options).fit(X, y, sample_weight=weights)
    names = [f"x{j}" for j in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names)
    nulls = {name: [None if np.isnan(v) else v for v in X[:, j].tolist()] for j, name in enumerate(names)}
    forms = [X, np.asfortranarray(X), frame, pl.DataFrame(nulls), pa.table(nulls)]
    for n_jobs, form in zip((2, 8, 1, 4, 3), forms, strict=True):
        again = kind_of(n_jobs=n_jobs, **options).fit(form, y, sample_weight=weights)
        assert pickle.dumps(again.tree_) == pickle.dumps(first.tree_)
        assert again.predict(form).tobytes() == first.predict(X).tobytes()
    rows = rng.permutation(n)
    assert first.predict(X[rows]).tobytes() == first.predict(X)[rows].tobytes()
    shuffled = kind_of(n_jobs=2, **options).fit(X[rows], y[rows], sample_weight=weights[rows])
    assert shuffled.tree_ == first.tree_


def table_of_halves(seed, n=60):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, (n, 3)) / 2
    y = X[:, 0] + rng.normal(size=n)
    X[rng.random(X.shape) < 0.15] = np.nan
    return rng, X, y


@pytest.mark.parametrize(
    "costs", [{"prior": {0: 0.5, 1: 0.5}}, {"loss": [[0, 3], [1, 0]]}], ids=["prior", "loss"]
)
def test_priors_and_losses_leave_rows_in_shares(costs):
    """What is spread in training is spread alike when the same rows are asked about."""
    for seed in range(30):
        _, X, y = table_of_halves(seed)
        y = (y > 2).astype(int)
        tree = DecisionTreeClassifier(missing="spread", **costs).fit(X, y)
        of_class = np.eye(2)[y]
        if "prior" in costs:
            of_class = of_class * (0.5 * len(y) / of_class.sum(axis=0))
        expected = tree.decision_path(X).T @ of_class
        np.testing.assert_allclose(tree.tree_.outcome, expected, rtol=0, atol=1e-9)
        np.testing.assert_allclose(tree.predict_proba(X).sum(axis=1), 1, rtol=1e-12)


def test_limits_and_orders_hold_for_rows_in_shares():
    for seed in range(30):
        _, X, y = table_of_halves(seed)
        y = (y > 2).astype(int)

        def fit(X=X, y=y, **options):
            return DecisionTreeClassifier(missing="spread", **options).fit(X, y)

        assert fit(growth="breadth").tree_ == fit().tree_ == fit(growth="best").tree_
        assert fit(max_leaf_nodes=5).get_n_leaves() <= 5
        assert fit(max_depth=3).get_depth() <= 3
        assert fit(min_weight_fraction_leaf=0.1).tree_.weight.min() >= 6 - 1e-6
        path = fit().cost_complexity_pruning_path(X, y)
        assert (np.diff(path.ccp_alphas) >= 0).all()
        assert (np.diff(path.impurities) >= -1e-9).all()
        assert fit(ccp_alpha=path.ccp_alphas[-1] + 1e-9).tree_.n_nodes == 1


def test_answers_rise_with_a_monotone_column_whatever_else_is_unknown():
    for seed in range(30):
        rng, X, y = table_of_halves(seed)
        tree = DecisionTreeRegressor(missing="spread", monotonic_cst=[1, 0, 0]).fit(X, y)
        for _ in range(20):
            row = rng.integers(0, 8, 3) / 2
            row[1:][rng.random(2) < 0.3] = np.nan
            rows = np.tile(row, (9, 1))
            rows[:, 0] = np.arange(9) / 2
            assert (np.diff(tree.predict(rows)) >= -1e-9).all()
