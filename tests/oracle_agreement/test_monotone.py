"""Monotone columns: the oracle's trees, and answers that are in order whatever the tree."""

import itertools

import numpy as np
import pytest

from oracle.agreement import CRITERIA, TIMES, check_agreement, close_calls, fit, table_for
from oracle.exact_scores import OF_CLASSES, OF_NUMBERS
from oracle.naive_questions import Rows, problems
from oracle.naive_tree import Rules
from tables import Table
from treewright import DecisionTreeClassifier, DecisionTreeRegressor

MISSING = ("learned", "majority", "branch", "surrogate")


def of_two_classes(table: Table) -> Table:
    """Make one class of all but the first."""
    return Table(table.X, np.unique(np.minimum(table.y, 1), return_inverse=True)[1], table.weights)


def cases(purpose: int, criterion: str, n: int, **options):
    """Draw tables with a direction for every column, at least one of them asked for."""
    for seed in range(n * TIMES):
        rng = np.random.default_rng([seed, purpose, CRITERIA.index(criterion)])
        table = table_for(criterion, rng, **options)
        if criterion in OF_CLASSES:
            table = of_two_classes(table)
        directions = rng.integers(-1, 2, table.X.shape[1])
        directions[rng.integers(len(directions))] = rng.choice([-1, 1])
        yield rng, table, tuple(directions.tolist())


@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize("gaps", [False, True], ids=["complete", "gaps"])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_tree_is_the_oracles(criterion, gaps, weighted):
    for _, table, directions in cases(2 * gaps + weighted, criterion, 100, gaps=gaps, weighted=weighted):
        check_agreement(table, Rules(criterion, monotonic_cst=directions))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_tree_is_the_oracles_with_limits_and_in_any_order_of_growth(criterion):
    for rng, table, directions in cases(4, criterion, 150, gaps=True, weighted=True):
        rules = Rules(
            criterion,
            max_depth=rng.choice([None, 2, 4]),
            min_samples_leaf=int(rng.integers(1, 4)),
            max_leaf_nodes=rng.choice([None, 3, 6]),
            min_impurity_decrease=float(rng.choice([0.0, 0.013])),
            growth=str(rng.choice(["depth", "best", "breadth"])),
            monotonic_cst=directions,
        )
        if not close_calls(table, rules):
            check_agreement(table, rules)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_tree_is_the_oracles_on_tables_of_a_few_hundred_rows(criterion):
    """Nodes of more and of fewer than 256 rows live in different blocks; bounds go along."""
    for _, table, directions in cases(5, criterion, 10, gaps=True, weighted=True, rows=(260, 400)):
        check_agreement(table, Rules(criterion, monotonic_cst=directions))


@pytest.mark.parametrize("with_weights", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize(
    ("criterion", "missing"),
    [*itertools.product(("gini", "entropy", "squared_error", "absolute_error"), MISSING)],
)
def test_no_better_question_in_order_could_be_asked_with_any_way_of_treating_gaps(
    criterion, missing, with_weights
):
    """Columns of categories stand beside the monotone ones and hand bounds on."""
    for seed in range(100 * TIMES):
        rng = np.random.default_rng([seed, 6, MISSING.index(missing)])
        check_questions(rng, int(rng.integers(2, 20)), criterion, missing, with_weights)


@pytest.mark.parametrize("with_weights", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize(
    ("criterion", "missing"), [*itertools.product(("squared_error", "absolute_error"), MISSING)]
)
def test_no_better_question_in_order_could_be_asked_of_a_few_hundred_rows(criterion, missing, with_weights):
    for seed in range(3 * TIMES):
        rng = np.random.default_rng([seed, 12, MISSING.index(missing)])
        check_questions(rng, int(rng.integers(260, 320)), criterion, missing, with_weights, max_depth=3)


def check_questions(rng, n: int, criterion: str, missing: str, with_weights: bool, **limits):
    """Fit two columns of numbers and one of categories, and try all questions at every node."""
    town = [f"c{code}" for code in rng.integers(0, 3, n)]
    numbers = [
        [float("nan") if rng.random() < 0.25 else value for value in (rng.integers(0, 6, n) / 2).tolist()]
        for _ in range(2)
    ]
    y = (rng.integers(0, 8, n) / 4 if criterion in OF_NUMBERS else rng.integers(0, 2, n)).tolist()
    weights = rng.integers(1, 4, n).tolist() if with_weights else [1] * n
    table = Rows((town, *map(tuple, numbers)), (True, False, False), tuple(y), tuple(weights))
    directions = (0, *rng.integers(-1, 2, 2).tolist())
    X = {"town": town, "x1": numbers[0], "x2": numbers[1]}
    kind = DecisionTreeRegressor if criterion in OF_NUMBERS else DecisionTreeClassifier
    tree = kind(criterion=criterion, missing=missing, monotonic_cst=directions, **limits)
    tree.fit(X, np.array(y), sample_weight=np.array(weights, dtype=float))
    found = problems(tree, X, table, criterion, "subset", missing, directions)
    # Limits make leaves of what could be parted.
    found = [each for each in found if not limits or "is a leaf though" not in each]
    assert not found, f"{table} {directions}\n{tree.to_text()}\n{found}"


def answers(estimator, X: np.ndarray) -> np.ndarray:
    """Give the share of the second class, or the number."""
    if not estimator.tree_.is_classifier:
        return estimator.predict(X)
    return estimator.predict_proba(X)[:, -1]


@pytest.mark.parametrize("splitter", ["best", "random"])
@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_answers_are_in_order_along_every_monotone_column(criterion, missing, splitter):
    """Along a line through the table, whatever else it holds, to the last bit."""
    if missing == "branch" and criterion in ("twoing", "gain_ratio"):
        return  # three branches are refused
    for rng, table, directions in cases(7, criterion, 60, gaps=True, weighted=True, rows=(5, 60)):
        options = {} if rng.random() < 0.5 else {"max_leaf_nodes": 6, "max_features": 1}
        tree = fit(
            table,
            Rules(criterion, monotonic_cst=directions),
            missing=missing,
            splitter=splitter,
            random_state=0,
            ccp_alpha=float(rng.choice([0.0, 0.01])),
            **options,
        )
        for column, direction in enumerate(directions):
            if direction == 0:
                continue
            line = np.unique(table.X[~np.isnan(table.X[:, column]), column])
            for row in table.X[rng.integers(table.n_rows, size=5)]:
                asked = np.repeat(row[None], len(line), axis=0)
                asked[:, column] = line
                steps = np.diff(answers(tree, asked))
                assert (steps * direction >= 0).all(), f"{criterion} {directions} {column}\n{table}"


@pytest.mark.parametrize("criterion", OF_NUMBERS)
def test_targets_far_from_zero_and_of_many_bits_are_in_order_to_the_last_bit(criterion):
    for seed in range(60 * TIMES):
        rng = np.random.default_rng([seed, 8])
        X = rng.normal(size=(80, 2))
        y = np.abs(rng.normal(size=80) + X[:, 0]) + rng.choice([0.0, 1e3, 1e9])
        tree = DecisionTreeRegressor(criterion=criterion, monotonic_cst=[1, -1])
        tree.fit(X, y, sample_weight=None if seed % 2 else rng.random(80) + 0.1)
        line = np.linspace(-3, 3, 200)
        for other in (-1.0, 0.0, 1.0):
            assert (np.diff(tree.predict(np.column_stack([line, np.full(200, other)]))) >= 0).all()
            assert (np.diff(tree.predict(np.column_stack([np.full(200, other), line]))) <= 0).all()


def test_a_direction_nobody_asks_for_changes_nothing():
    for criterion in CRITERIA:
        for _, table, directions in cases(9, criterion, 20, gaps=True, weighted=True):
            free = fit(table, Rules(criterion))
            asked = fit(table, Rules(criterion, monotonic_cst=tuple(0 for _ in directions)))
            assert asked.tree_ == free.tree_


def test_the_mirrored_column_with_the_mirrored_direction_gives_the_mirrored_tree():
    """Ties aside: the sizes of the trees and what they say of the rows are the same."""
    for seed in range(100):
        rng = np.random.default_rng([seed, 10])
        X, y = rng.normal(size=(60, 2)), rng.normal(size=60)
        up = DecisionTreeRegressor(monotonic_cst=[1, 0], max_depth=5).fit(X, y)
        down = DecisionTreeRegressor(monotonic_cst=[-1, 0], max_depth=5).fit(X * [-1, 1], y)
        assert np.array_equal(up.predict(X), down.predict(X * [-1, 1]))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_threads_and_the_order_of_rows_do_not_show(criterion):
    rng = np.random.default_rng([11, CRITERIA.index(criterion)])
    X = np.round(rng.normal(size=(6000, 4)), 2)
    signal = X[:, 0] - X[:, 1] + rng.normal(size=6000)
    y = (signal > 0).astype(int) if criterion in OF_CLASSES else np.exp(signal)
    table = Table(np.where(rng.random(X.shape) < 0.1, np.nan, X), y, rng.integers(1, 4, 6000) / 3)
    rules = Rules(criterion, monotonic_cst=(1, -1, 0, 1), min_samples_leaf=5)
    one = fit(table, rules, n_jobs=1)
    assert fit(table, rules, n_jobs=2).tree_ == one.tree_
    assert fit(table.take(rng.permutation(6000)), rules).tree_ == one.tree_
