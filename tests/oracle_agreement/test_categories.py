"""Questions about categories, and every way with gaps, against trying all of them."""

import itertools

import numpy as np
import pytest

from oracle.agreement import TIMES
from oracle.exact_scores import OF_CLASSES, OF_NUMBERS
from oracle.naive_questions import Rows, problems
from treewright import DecisionTreeClassifier, DecisionTreeRegressor

CRITERIA = (*OF_CLASSES, "squared_error", "poisson")
KINDS = ("subset", "multiway", "one-vs-rest")
MISSING = ("learned", "majority", "branch")
OF_TWO_BRANCHES = ("twoing", "gain_ratio")  # refuse what may make more of them
COMBINATIONS = [
    (criterion, kind, missing)
    for criterion, kind, missing in itertools.product(CRITERIA, KINDS, MISSING)
    if criterion not in OF_TWO_BRANCHES or (kind != "multiway" and missing != "branch")
]


def random_table(rng, criterion, with_gaps, with_weights):
    n = int(rng.integers(2, 18))
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
    rng = np.random.default_rng([seed, CRITERIA.index(criterion), KINDS.index(kind), MISSING.index(missing)])
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
    n_tables = 126 if criterion in OF_TWO_BRANCHES else 60
    check(1, criterion, kind, missing, with_weights, n_tables)


@pytest.mark.parametrize(("criterion", "kind", "missing"), COMBINATIONS)
def test_a_drawn_question_is_what_it_says_it_is(criterion, kind, missing):
    """Over 1,000 tables for every way with gaps. Drawn sets are two, whatever `categorical_split` says."""
    check(2, criterion, kind, missing, with_weights=True, n_tables=50, splitter="random")
