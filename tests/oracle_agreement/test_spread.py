"""Rows without a value spread over all branches, against the definition."""

import itertools

import numpy as np
import pytest

from oracle.agreement import TIMES
from oracle.exact_scores import OF_CLASSES, OF_NUMBERS
from oracle.naive_questions import Rows
from oracle.naive_spread import problems, problems_of_answers
from treewright import DecisionTreeClassifier, DecisionTreeRegressor

CRITERIA = (*OF_CLASSES, *OF_NUMBERS)
KINDS = ("subset", "multiway", "one-vs-rest")
PENALTIES = ("linear", "quadratic", None)
OF_TWO_BRANCHES = ("twoing", "gain_ratio")
COMBINATIONS = [
    (criterion, kind)
    for criterion, kind in itertools.product(CRITERIA, KINDS)
    if criterion not in OF_TWO_BRANCHES or kind != "multiway"
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
