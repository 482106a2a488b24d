"""Questions about categories, and every way with gaps, against trying all of them."""

import itertools

import numpy as np
import pytest

from oracle.agreement import TIMES
from oracle.exact_scores import OF_CLASSES, OF_NUMBERS
from oracle.naive_questions import Rows, decrease, problems
from treewright import DecisionTreeClassifier, DecisionTreeRegressor

CRITERIA = (*OF_CLASSES, "squared_error", "absolute_error", "poisson")
KINDS = ("subset", "multiway", "one-vs-rest")
MISSING = ("learned", "majority", "branch")
WITH_SURROGATES = (*MISSING, "surrogate")
REFUSED = [("twoing", "multiway"), ("twoing", "branch"), ("gain_ratio", "branch"), ("multiway", "surrogate")]
COMBINATIONS = [
    (criterion, kind, missing)
    for criterion, kind, missing in itertools.product(CRITERIA, KINDS, WITH_SURROGATES)
    if not {(criterion, kind), (criterion, missing), (kind, missing)} & {*REFUSED}
]


def random_table(rng, criterion, with_gaps, with_weights, rows=(2, 18)):
    n = int(rng.integers(*rows))
    columns, is_category = [], []
    for _ in range(int(rng.integers(1, 4))):
        category = bool(rng.random() < 0.7)
        if category:
            values = [f"c{code}" for code in rng.integers(0, rng.integers(1, 6), n)]
        else:
            values = (rng.integers(0, 5, n) / 2).tolist()
        if with_gaps:
            gap = None if category else float("nan")
            values = [gap if rng.random() < 0.25 else value for value in values]
        if category and all(value is None for value in values):
            values[0] = "c0"
        columns.append(values)
        is_category.append(category)
    y = rng.integers(0, 8, n) / 4 if criterion in OF_NUMBERS else rng.integers(0, 4, n)
    if criterion == "poisson":
        y[rng.random(n) < rng.choice([0.0, 0.3, 0.6])] = 0.0  # many zeros, which no branch may have alone
        y[0] = 1.5
    weights = rng.integers(1, 4, n) if with_weights else np.ones(n, dtype=int)
    return Rows(tuple(columns), tuple(is_category), tuple(y.tolist()), tuple(weights.tolist()))


def check(seed, criterion, kind, missing, with_weights, n_tables, **options):
    """Grow a tree on each of many tables, a third of them without gaps, and look at each of its nodes."""
    numbers = CRITERIA.index(criterion), KINDS.index(kind), WITH_SURROGATES.index(missing)
    rng = np.random.default_rng([seed, *numbers])
    kind_of = DecisionTreeRegressor if criterion in OF_NUMBERS else DecisionTreeClassifier
    is_drawn = options.get("splitter") == "random"
    for round_ in range(n_tables * TIMES):
        table = random_table(rng, criterion, with_gaps=round_ % 3 > 0, with_weights=with_weights)
        X = {f"x{at}": list(values) for at, values in enumerate(table.columns)}
        tree = kind_of(
            criterion=criterion, categorical_split=kind, missing=missing, random_state=round_, **options
        )
        tree.fit(X, np.array(table.y), sample_weight=np.array(table.weights, dtype=float))
        found = list(problems(tree, X, table, criterion, kind, missing, is_drawn=is_drawn))
        assert not found, f"{table}\n{tree.to_text()}\n{found}"


@pytest.mark.parametrize("with_weights", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize(("criterion", "kind", "missing"), COMBINATIONS)
def test_no_better_question_could_be_asked(criterion, kind, missing, with_weights):
    """Over 1,000 tables for every criterion, every question and every way with gaps."""
    n_tables = 126 if criterion in ("twoing", "gain_ratio") else 60
    check(1, criterion, kind, missing, with_weights, n_tables)


@pytest.mark.parametrize(("criterion", "kind", "missing"), COMBINATIONS)
def test_a_drawn_question_is_what_it_says_it_is(criterion, kind, missing):
    """Over 1,000 tables for every way with gaps. Drawn sets are two, whatever `categorical_split` says."""
    check(2, criterion, kind, missing, with_weights=True, n_tables=50, splitter="random")


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("kind", KINDS)
def test_the_medians_of_sets_are_right_where_the_targets_fill_many_stretches(kind, missing):
    rng = np.random.default_rng([KINDS.index(kind), MISSING.index(missing)])
    for round_ in range(4):
        table = random_table(rng, "absolute_error", round_ > 0, round_ % 2 == 0, rows=(150, 300))
        y = tuple((rng.integers(0, 64, len(table.y)) / 16).tolist())
        table = Rows(table.columns, table.is_category, y, table.weights)
        X = {f"x{at}": list(values) for at, values in enumerate(table.columns)}
        tree = DecisionTreeRegressor(
            criterion="absolute_error", categorical_split=kind, missing=missing, max_depth=2
        )
        tree.fit(X, np.array(y), sample_weight=np.array(table.weights, dtype=float))
        found = list(problems(tree, X, table, "absolute_error", kind, missing))
        assert not [each for each in found if "is a leaf" not in each], f"{table}\n{tree.to_text()}\n{found}"


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("with_weights", [False, True], ids=["equal", "weighted"])
def test_moving_one_of_many_categories_lowers_no_absolute_error(with_weights, missing):
    """Above 12 categories not every set is tried; the one chosen is the best among its neighbours."""
    rng = np.random.default_rng([MISSING.index(missing), with_weights])
    for _ in range(20):
        n = 60
        codes = rng.integers(0, 20, n)
        values = [None if missing != "learned" and rng.random() < 0.2 else f"c{code}" for code in codes]
        y = rng.integers(0, 5, 20)[codes] + rng.integers(0, 16, n) / 4
        weights = rng.integers(1, 4, n) if with_weights else np.ones(n, dtype=int)
        table = Rows((tuple(values),), (True,), tuple(y.tolist()), tuple(weights.tolist()))
        tree = DecisionTreeRegressor(criterion="absolute_error", missing=missing, max_depth=1)
        tree.fit({"x": values}, y, sample_weight=weights.astype(float))
        assert tree.tree_.node(0).question.is_exact is False
        leaf = tree.apply({"x": values})
        known = [row for row in range(n) if values[row] is not None]
        left = {values[row] for row in known if leaf[row] == leaf[known[0]]}
        labels = {values[row] for row in known}

        def gain(left, known=known, values=values, table=table):
            sides = [row for row in known if values[row] in left], [r for r in known if values[r] not in left]
            return decrease(table, sides, "absolute_error")

        best = gain(left)
        assert all(gain(left ^ {label}) <= best for label in labels if left ^ {label} not in (set(), labels))
