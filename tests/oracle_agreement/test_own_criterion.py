"""A function of the user's grows the tree it describes: a criterion's that it computes, or the oracle's."""

from fractions import Fraction
from itertools import accumulate, product

import numpy as np
import pytest

from oracle.naive_questions import Rows, candidates, rows_of_nodes
from tables import random_table
from treewright import DecisionTreeClassifier, DecisionTreeRegressor

MISSING = ("learned", "majority", "branch", "surrogate")
ARRAYS = (
    *("column", "cut", "child", "missing_branch", "set_begin", "set_code", "set_branch"),
    *("n_rows", "outcome"),
)

# A split that gains nothing is taken by a criterion of the library and never by a function.
SOMETHING = 1e-14


def gini(y, weight, cuts):
    """Weight times Gini before less that after, rounded once: true ties are ties."""
    sums = np.zeros((len(y), 1 + y.max()))
    sums[np.arange(len(y)), y] = weight
    return [between(sums[:cut], sums[cut:]) for cut in cuts]


def variance(y, weight, cuts):
    sums = (weight * y)[:, None]
    return [between(sums[:cut], sums[cut:], weight[:cut], weight[cut:]) for cut in cuts]


def between(left, right, *weights):
    """Sum of squares of sums over weight: what two sides have more of than both together."""

    def part(rows, weight):
        total = Fraction(sum(weight.tolist() if weight is not None else rows.ravel().tolist()))
        return sum(Fraction(sum(column)) ** 2 for column in rows.T.tolist()) / total

    left_weight, right_weight = weights or (None, None)
    both = None if left_weight is None else np.concatenate([left_weight, right_weight])
    parted = part(left, left_weight) + part(right, right_weight)
    return float(parted - part(np.concatenate([left, right]), both))


def entropy(y, weight, cuts):
    """In bits, rounded so that ties are ties; vectorised as a user would write it."""
    sums = np.zeros((len(y), 1 + y.max()))
    sums[np.arange(len(y)), y] = weight
    left = np.cumsum(sums, axis=0)[cuts - 1]
    total = sums.sum(0)

    def bits(sides):
        n = sides.sum(-1, keepdims=True)
        return -np.sum(sides * np.log2(np.divide(sides, n, out=np.ones_like(sides), where=sides > 0)), -1)

    return np.round(bits(total) - bits(left) - bits(total - left), 9)


TWINS = {"gini": gini, "entropy": entropy, "squared_error": variance}


def estimator(criterion, **options):
    numbers = criterion in ("squared_error", variance)
    return (DecisionTreeRegressor if numbers else DecisionTreeClassifier)(criterion=criterion, **options)


def check_same_tree(X, y, weights, criterion, **options):
    least = SOMETHING if criterion != "entropy" else 1e-7
    trees = [
        estimator(each, min_impurity_decrease=least, random_state=0, **options)
        .fit(X, y, sample_weight=weights)
        .tree_
        for each in (criterion, TWINS[criterion])
    ]
    for name in ARRAYS:
        of_name = [getattr(tree, name) for tree in trees]
        assert np.array_equal(*of_name, equal_nan=True), f"{name} {of_name}\n{X}\n{y}\n{weights}\n{options}"
    assert np.allclose(trees[0].gain, trees[1].gain, rtol=1e-8, atol=1e-8)
    if criterion != "entropy":
        assert np.array_equal(trees[0].impurity, trees[1].impurity)


def limits_drawn(rng):
    return {
        "max_depth": [None, 3][rng.integers(2)],
        "min_samples_leaf": int(rng.integers(1, 4)),
        "min_samples_split": int(rng.integers(2, 6)),
        "min_weight_fraction_leaf": float(rng.choice([0.0, 0.1, 0.2])),
        "growth": str(rng.choice(["depth", "breadth"])),
    }


@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize(("criterion", "missing"), [*product(TWINS, MISSING)])
def test_a_function_that_computes_a_criterion_grows_its_tree(criterion, missing, weighted):
    for seed in range(60):
        rng = np.random.default_rng([seed, MISSING.index(missing)])
        table = random_table(
            rng, regression=criterion == "squared_error", gaps=seed % 3 > 0, weighted=weighted
        )
        options = limits_drawn(rng) if seed % 2 else {}
        check_same_tree(table.X, table.y, table.weights, criterion, missing=missing, **options)


@pytest.mark.parametrize("splitter", ["best", "random"])
@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])
@pytest.mark.parametrize(("criterion", "missing"), [*product(TWINS, MISSING)])
def test_a_function_keeps_answers_in_order_as_the_criterion_it_computes(
    criterion, missing, weighted, splitter
):
    n_bound = 0
    for seed in range(40):
        rng = np.random.default_rng([seed, 1, MISSING.index(missing)])
        table = random_table(
            rng, regression=criterion == "squared_error", gaps=seed % 3 > 0, weighted=weighted
        )
        y = table.y if criterion == "squared_error" else np.unique(table.y > 0, return_inverse=True)[1]
        options = limits_drawn(rng) if seed % 2 else {}
        options |= {"missing": missing, "splitter": splitter}
        directions = rng.choice([-1, 1], table.X.shape[1])
        check_same_tree(table.X, y, table.weights, criterion, monotonic_cst=directions, **options)
        free, bound = (
            estimator(TWINS[criterion], random_state=0, monotonic_cst=each, **options)
            .fit(table.X, y, sample_weight=table.weights)
            .tree_
            for each in (None, directions)
        )
        n_bound += free != bound
    assert n_bound > 10


@pytest.mark.parametrize("criterion", TWINS)
def test_a_drawn_cut_is_offered_to_the_function_too(criterion):
    for seed in range(60):
        rng = np.random.default_rng(seed)
        table = random_table(rng, regression=criterion == "squared_error", gaps=seed % 3 > 0)
        missing = MISSING[seed % 4]
        check_same_tree(table.X, table.y, table.weights, criterion, missing=missing, splitter="random")


def random_rows(rng, criterion, with_gaps, n_classes=2):
    n = int(rng.integers(2, 30))
    columns, is_category = [], []
    for _ in range(int(rng.integers(1, 4))):
        category = bool(rng.random() < 0.7)
        codes = rng.integers(0, rng.integers(2, 7), n)
        values = [f"c{code}" for code in codes] if category else (codes / 2).tolist()
        if with_gaps:
            gap = None if category else float("nan")
            values = [gap if rng.random() < 0.25 else value for value in values]
        if category and all(value is None for value in values):
            values[0] = "c0"
        columns.append(values)
        is_category.append(category)
    y = rng.integers(0, 8, n) / 4 if criterion == "squared_error" else rng.integers(0, n_classes, n)
    weights = rng.integers(1, 4, n)
    return Rows(tuple(columns), tuple(is_category), tuple(y.tolist()), tuple(weights.tolist()))


@pytest.mark.parametrize("splitter", ["best", "random"])
@pytest.mark.parametrize(
    ("criterion", "kind", "missing"),
    [*product(("gini", "squared_error"), ("subset", "one-vs-rest"), MISSING)],
)
def test_a_function_parts_categories_as_the_criterion_it_computes(criterion, kind, missing, splitter):
    """Of two classes or numbers the best set is a prefix of the order in which the function is asked."""
    for seed in range(30):
        rng = np.random.default_rng([seed, MISSING.index(missing)])
        table = random_rows(rng, criterion, with_gaps=seed % 3 > 0)
        X = {f"x{at}": list(values) for at, values in enumerate(table.columns)}
        options = limits_drawn(rng) if seed % 2 else {}
        options |= {"categorical_split": kind, "missing": missing, "splitter": splitter}
        check_same_tree(X, np.array(table.y), np.array(table.weights, dtype=float), criterion, **options)


def quantile_loss(y, weight):
    """Weighted loss about the upper quartile: exact on binary fractions and whole weights."""
    order = np.argsort(y, kind="stable")
    y, weight = y[order], weight[order]
    below = np.cumsum(weight)
    apart = y - y[np.searchsorted(below, 0.75 * below[-1])]
    return np.sum(weight * np.where(apart > 0, 0.75 * apart, -0.25 * apart))


def quartile(y, weight, cuts):
    whole = quantile_loss(y, weight)
    parts = [quantile_loss(y[:cut], weight[:cut]) + quantile_loss(y[cut:], weight[cut:]) for cut in cuts]
    return whole - np.array(parts)


def hellinger(y, weight, cuts):
    """Distance between the two classes' shares of the branches (Cieslak and Chawla 2008), times weight."""
    of_class = np.stack([np.cumsum(weight * (y == k)) for k in (0, 1)])
    with np.errstate(invalid="ignore"):  # one class only: NaN, no cut
        left = of_class[:, cuts - 1] / of_class[:, -1:]
    squared = (np.sqrt(left[0]) - np.sqrt(left[1])) ** 2 + (np.sqrt(1 - left[0]) - np.sqrt(1 - left[1])) ** 2
    return weight.sum() * np.sqrt(squared)


def naive_quartile(table, left, right):
    def loss(rows):
        ys = sorted((table.y[row], table.weights[row]) for row in rows)
        below = accumulate(weight for _, weight in ys)
        total = sum(weight for _, weight in ys)
        at = next(y for (y, _), weight in zip(ys, below, strict=True) if 4 * weight >= 3 * total)
        return sum(
            w * (Fraction(3, 4) if y > at else Fraction(1, 4)) * abs(Fraction(y) - Fraction(at))
            for y, w in ys
        )

    return loss([*left, *right]) - loss(left) - loss(right)


def naive_hellinger(table, left, right):
    def weight(rows, k):
        return sum(table.weights[row] for row in rows if table.y[row] == k)

    both = [*left, *right]
    if not weight(both, 0) or not weight(both, 1):
        return -np.inf
    distance = sum(
        ((weight(side, 0) / weight(both, 0)) ** 0.5 - (weight(side, 1) / weight(both, 1)) ** 0.5) ** 2
        for side in (left, right)
    )
    return sum(table.weights[row] for row in both) * distance**0.5


NEW = {"quartile": (quartile, naive_quartile, 0), "hellinger": (hellinger, naive_hellinger, 1e-9)}


def naive_problems(tree, X, table, score, missing, tolerance, min_rows):
    """Say at which nodes the tree is not what scoring every question would give."""
    rows_of = rows_of_nodes(tree, X, len(table.y))
    total = sum(table.weights)

    def score_of(groups, column):
        if len(groups) == 2:
            return score(table, *groups)
        *parts, gaps = groups
        return score(table, *parts) + score(table, [row for part in parts for row in part], gaps)

    for i, node in enumerate(tree.tree_.node(i) for i in range(tree.tree_.node_count)):
        best = []
        for column in range(len(table.columns)):
            groups = [scored for _, scored in candidates(table, column, rows_of[i], "one-vs-rest", missing)]
            own = missing == "branch"
            allowed = [each for each in groups if min(map(len, each[:2] if own else each)) >= min_rows]
            best.append(max((score_of(each, column) for each in allowed), default=-np.inf))
        most = max(best)
        is_leaf = len({table.y[row] for row in rows_of[i]}) < 2 or len(rows_of[i]) < 2 * min_rows or most <= 0
        if node.is_leaf != is_leaf:
            yield f"node {i}: a leaf? {node.is_leaf}, scores {best}"
        elif not is_leaf:
            column = int(tree.tree_.column[i])
            if best[column] < most - tolerance or any(each > most + tolerance for each in best[:column]):
                yield f"node {i} asks column {column}, scores {best}"
            if tolerance == 0 and best.index(most) != column:
                yield f"node {i} asks column {column}, not the first of the best {best}"
            if not np.isclose(node.gain, float(most) / total, rtol=1e-9):
                yield f"node {i} gains {node.gain}, not {float(most) / total}"


@pytest.mark.parametrize(("name", "missing"), [*product(NEW, MISSING)])
def test_a_new_criterion_grows_the_oracles_tree(name, missing):
    function, naive, tolerance = NEW[name]
    kind = DecisionTreeRegressor if name == "quartile" else DecisionTreeClassifier
    for seed in range(60):
        rng = np.random.default_rng([seed, MISSING.index(missing)])
        table = random_rows(rng, "squared_error" if name == "quartile" else name, with_gaps=seed % 3 > 0)
        X = {f"x{at}": list(values) for at, values in enumerate(table.columns)}
        min_rows = 1 + seed % 3
        tree = kind(
            criterion=function, categorical_split="one-vs-rest", missing=missing, min_samples_leaf=min_rows
        )
        tree.fit(X, np.array(table.y), sample_weight=np.array(table.weights, dtype=float))
        found = list(naive_problems(tree, X, table, naive, missing, tolerance, min_rows))
        assert not found, f"{table}\n{tree.to_text()}\n{found}"


def clumsy(y, weight, cuts):
    """Sums whose last bits hang on the order of the rows."""
    amount, size = np.cumsum(weight * y), np.cumsum(weight)
    left, n_left = amount[cuts - 1], size[cuts - 1]
    return left**2 / n_left + (amount[-1] - left) ** 2 / (size[-1] - n_left) - amount[-1] ** 2 / size[-1]


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("splitter", ["best", "random"])
def test_the_tree_is_the_same_for_any_order_of_rows_and_number_of_threads(splitter, missing):
    rng = np.random.default_rng(5)
    n = 700
    columns = {
        "ties": rng.integers(0, 12, n) / 3,
        "gaps": np.where(rng.random(n) < 0.2, np.nan, rng.integers(0, 40, n) / 7),
        "town": rng.choice([*"abcdefghijklmnop"], n),
        "copy": np.zeros(n),
    }
    columns["copy"] = columns["ties"]
    y = np.round(rng.normal(size=n), 1) + 0.1 * columns["ties"]
    weights = rng.integers(1, 5, n) / 10
    trees = []
    for order, n_jobs in [(np.arange(n), 1), (np.arange(n)[::-1], 2), (rng.permutation(n), 2)]:
        X = {name: values[order] for name, values in columns.items()}
        tree = DecisionTreeRegressor(
            criterion=clumsy, missing=missing, splitter=splitter, n_jobs=n_jobs, random_state=3
        )
        trees.append(tree.fit(X, y[order], sample_weight=weights[order]).tree_)
    assert trees[0].node_count > 100
    for other in trees[1:]:
        for name in (*ARRAYS, "gain", "impurity", "search"):
            assert np.array_equal(getattr(trees[0], name), getattr(other, name), equal_nan=True), name
