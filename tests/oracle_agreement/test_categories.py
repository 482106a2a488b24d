"""Questions about categories, and every way with gaps, against trying all of them."""

import itertools

import numpy as np
import pytest

from oracle.naive_questions import Rows, problems
from treewright import DecisionTreeClassifier, DecisionTreeRegressor

CRITERIA = ("gini", "entropy", "squared_error")
KINDS = ("subset", "multiway", "one-vs-rest")
MISSING = ("learned", "majority", "branch")


def random_table(rng, criterion, with_gaps, with_weights, only_categories=False):
    n = int(rng.integers(2, 18))
    columns, is_category = [], []
    for _ in range(int(rng.integers(1, 4))):
        category = only_categories or bool(rng.random() < 0.7)
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
    y = rng.integers(0, 4, n) if criterion != "squared_error" else rng.integers(0, 8, n) / 4
    weights = rng.integers(1, 4, n) if with_weights else np.ones(n, dtype=int)
    return Rows(tuple(columns), tuple(is_category), tuple(y.tolist()), tuple(weights.tolist()))


@pytest.mark.parametrize("with_weights", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize(("criterion", "kind", "missing"), [*itertools.product(CRITERIA, KINDS, MISSING)])
def test_no_better_question_could_be_asked(criterion, kind, missing, with_weights):
    """Each of the 54 combinations on 75 tables, a third of them without gaps: over 1,000 for every part."""
    rng = np.random.default_rng([CRITERIA.index(criterion), KINDS.index(kind), MISSING.index(missing)])
    for round_ in range(75):
        table = random_table(rng, criterion, with_gaps=round_ % 3 > 0, with_weights=with_weights)
        X = {f"x{at}": list(values) for at, values in enumerate(table.columns)}
        kind_of = DecisionTreeRegressor if criterion == "squared_error" else DecisionTreeClassifier
        tree = kind_of(criterion=criterion, categorical_split=kind, missing=missing)
        tree.fit(X, np.array(table.y), sample_weight=np.array(table.weights, dtype=float))
        found = list(problems(tree, X, table, criterion, kind, missing))
        assert not found, f"{table}\n{tree.to_text()}\n{found}"
