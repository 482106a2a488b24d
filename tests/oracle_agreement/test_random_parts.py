"""Random cuts and drawn columns. The oracle cannot know the draw, but what every draw must satisfy."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest
from scipy import stats

from oracle.agreement import CRITERIA, check, fit, table_for
from oracle.exact_scores import OF_CLASSES
from oracle.naive_tree import NaiveTree, Rules
from oracle.plain_tree import PlainTree, Test, of_estimator
from tables import NASTY, Table, random_table

FINITE = [kind for kind in NASTY if kind != "ends"]  # max - min overflows there, and no draw is uniform


def tables(part: int, criterion: str, n: int, **options):
    for seed in range(n):
        rng = np.random.default_rng([seed, part, CRITERIA.index(criterion)])
        gaps, weighted = seed % 2 == 0, seed % 3 == 0
        options = {"gaps": gaps, "weighted": weighted, **options}
        yield seed, table_for(criterion, rng, **options)


def problems(tree: PlainTree, table: Table, criterion: str) -> Iterator[str]:
    """Check a tree with random cuts against its rows: the cut's range, the counts, the leaves, the values."""
    naive = NaiveTree(table.X, table.y, Rules(criterion), table.weights)
    for i, _, here in tree.rows_of(table.X, np.array(naive.rows)):
        node = naive.node(here.tolist(), 0)
        shares = [float(v / node.weight) if criterion in OF_CLASSES else float(v) for v in node.value]
        if tree.n_rows[i] != len(here) or not np.isclose(tree.weight[i], float(node.weight), rtol=1e-12):
            yield f"node {i} says {tree.n_rows[i]} rows, weight {tree.weight[i]}; it has {len(here)}"
        if not np.allclose(tree.value[i], shares, rtol=1e-12, atol=1e-12):
            yield f"node {i}: value {tree.value[i]}, expected {shares}"
        if not np.isclose(tree.impurity[i], float(node.impurity), rtol=1e-9, atol=1e-9):
            yield f"node {i}: impurity {tree.impurity[i]}, expected {float(node.impurity)}"
        test = tree.tests[i]
        may_split = not naive.is_final(node) and any(True for _ in naive.candidates(here.tolist()))
        may_stay = criterion == "poisson" and test is None and every_draw_may_fail(naive, here.tolist())
        if may_split != (test is not None) and not may_stay:
            yield f"node {i} of {len(here)} rows should {'' if may_split else 'not '}be split"
        if test is None:
            continue
        values = table.X[here, test.column]
        known = values[~np.isnan(values)]
        alone = test.cut == np.inf and len(known) < len(values) and not test.missing_left
        if not alone and not known.min() <= test.cut < known.max():
            yield f"node {i}: cut {test.cut} is outside [{known.min()}, {known.max()})"
        n_left = int(test.left(values).sum())
        if not 0 < n_left < len(here):
            yield f"node {i}: a side is empty"
        if len(known) < len(values) and not alone and test != better_with_gaps(naive, here, test):
            yield f"node {i}: gaps are on the worse side of {test}"
        if len(known) == len(values) and test.missing_left != (2 * n_left > len(here)):
            yield f"node {i}: a missing value goes {'left' if test.missing_left else 'right'}"


def better_with_gaps(naive: NaiveTree, here: np.ndarray, test: Test) -> Test:
    """Give the better one of a cut with the rows without a value right and left."""
    ways = []
    for missing_left in (False, True):
        is_left = replace(test, missing_left=missing_left).left(np.array(naive.columns[test.column])[here])
        left, right = naive.side(here[is_left].tolist()), naive.side(here[~is_left].tolist())
        if naive.may_be(left) and naive.may_be(right):
            ways.append((test.column, test.cut, missing_left, left, right))
    _, _, _, missing_left, *_ = naive.best_of(ways)
    return replace(test, missing_left=missing_left)


def every_draw_may_fail(naive: NaiveTree, rows: list[int]) -> bool:
    """Say whether each column has a cut that leaves a side without a positive target: none is drawn twice."""
    for column in range(len(naive.columns)):
        allowed: dict[float, bool] = {}
        for cut, _, left, right in naive.arrangements(column, rows):
            allowed[cut] = allowed.get(cut, False) or (naive.may_be(left) and naive.may_be(right))
        if len(allowed) > 1:
            allowed.pop(np.inf, None)  # drawn only where there is a single value
        if allowed and all(allowed.values()):
            return False
    return True


@pytest.mark.parametrize("block", range(2))
@pytest.mark.parametrize("criterion", CRITERIA)
def test_random_cuts_lie_between_the_least_and_the_greatest_value_and_part_the_rows(criterion, block):
    for seed, table in tables(1 + block, criterion, 200):

        def wrong(t: Table, seed=seed) -> str | None:
            grown = fit(t, Rules(criterion), splitter="random", random_state=seed)
            return next(problems(of_estimator(grown), t, criterion), None)

        check(table, wrong, f"random_state={seed} {criterion}")


@pytest.mark.parametrize("criterion", CRITERIA)
def test_limits_hold_for_random_cuts_too(criterion):
    for seed, table in tables(3, criterion, 150):
        limited = fit(
            table,
            Rules(criterion, max_depth=3, min_samples_leaf=3, min_weight_fraction_leaf=0.125),
            splitter="random",
            random_state=seed,
        )
        tree = of_estimator(limited)
        total = table.n_rows if table.weights is None else table.weights.sum()
        assert tree.depth() <= 3
        if len(tree) > 1:
            assert min(tree.n_rows) >= 3
            assert min(tree.weight) >= 0.125 * total


def draws(table: Table, seeds: range, **options) -> list[PlainTree]:
    return [of_estimator(fit(table, Rules(), random_state=seed, **options)) for seed in seeds]


def test_random_cuts_are_the_same_for_a_seed_whatever_the_order_of_rows_and_the_threads():
    for seed, table in tables(4, "gini", 100, rows=(5, 30)):
        (first,) = draws(table, range(seed, seed + 1), splitter="random")
        shuffled = table.take(np.random.default_rng(seed).permutation(table.n_rows))
        assert of_estimator(fit(shuffled, Rules(), splitter="random", random_state=seed)) == first, str(table)
        for n_jobs in (1, 2):
            again = fit(table, Rules(), splitter="random", random_state=seed, n_jobs=n_jobs)
            assert of_estimator(again) == first, str(table)


def test_other_seeds_give_other_random_cuts():
    X = np.arange(50.0)[:, None]
    table = Table(X, (X[:, 0] > 25).astype(int))
    cuts = {tree.tests[0].cut for tree in draws(table, range(30), splitter="random")}
    assert len(cuts) == 30


def test_random_cuts_are_uniform_between_the_least_and_the_greatest_value():
    """One column, one cut, 2,000 seeds: Kolmogorov and Smirnov find nothing wrong at the level 0.001."""
    values = np.array([0.0, 1.0, 10.0])
    for column in (values, -values, values * 1e-3 + 7):
        table = Table(column[:, None], np.array([0, 1, 2]))
        cuts = np.array([t.tests[0].cut for t in draws(table, range(2000), splitter="random", max_depth=1)])
        low, high = column.min(), column.max()
        assert low <= cuts.min()
        assert cuts.max() < high
        assert stats.kstest((cuts - low) / (high - low), "uniform").pvalue > 0.001


def test_the_draw_for_one_column_does_not_lean_on_the_draw_for_another():
    """Two equal columns of a node draw their own cuts; the better one wins, whichever column it is in."""
    values = np.arange(20.0)
    table = Table(np.column_stack([values, values]), (values > 9).astype(int))
    chosen = [tree.tests[0].column for tree in draws(table, range(400), splitter="random", max_depth=1)]
    assert 120 < sum(chosen) < 280


def test_all_columns_drawn_is_no_draw():
    for seed, table in tables(5, "gini", 200):
        plain = of_estimator(fit(table, Rules()))
        for everything in (table.X.shape[1], 1.0):
            drawn = fit(table, Rules(), max_features=everything, random_state=seed)
            assert of_estimator(drawn) == plain, str(table)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_with_drawn_columns_a_test_is_the_best_of_its_column_and_beats_enough_others(criterion):
    """With m of M columns drawn, at most M - m columns can be better than the one chosen.

    Columns that no cut can part count among those drawn, as in scikit-learn, but do not end the search.
    """
    for seed, table in tables(6, criterion, 200, columns=(3, 5)):
        for m in (1, 2):

            def wrong(t: Table, m=m, seed=seed) -> str | None:
                rules = Rules(criterion)
                tree = of_estimator(fit(t, rules, max_features=min(m, t.X.shape[1]), random_state=seed))
                naive = NaiveTree(t.X, t.y, rules, t.weights)
                for i, _, rows in tree.rows_of(t.X, np.array(naive.rows)):
                    node = naive.node(rows.tolist(), 0)
                    if tree.is_leaf(i):
                        if not naive.is_final(node) and any(True for _ in naive.candidates(rows.tolist())):
                            return f"node {i} is a leaf though some column could split it"
                        continue
                    best: dict[int, tuple] = {}
                    for column, cuts in groupby(naive.candidates(rows.tolist()), key=lambda each: each[0]):
                        goodness, _, cut, missing_left, *_ = naive.best_of(cuts)
                        best[column] = goodness, cut, missing_left
                    chosen = tree.tests[i]
                    if best[chosen.column][1:] != (chosen.cut, chosen.missing_left):
                        return f"node {i}: {chosen} is not the best of its column, {best[chosen.column]}"
                    better = sum(goodness > best[chosen.column][0] for goodness, *_ in best.values())
                    if better > t.X.shape[1] - min(m, t.X.shape[1]):
                        return f"node {i}: {better} columns beat {chosen} though {m} were drawn"
                return None

            check(table, wrong, f"max_features={m} random_state={seed} {criterion}")


def test_constant_columns_count_among_those_drawn_as_in_scikit_learn():
    """One telling column, one of noise, eight constant ones, two drawn: about half the roots are telling.

    Were constant columns passed over without being counted, all of them would be.
    """
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    X = np.zeros((200, 10))
    X[:, 3] = y
    X[:, 7] = rng.normal(size=200)
    roots = [tree.tests[0].column for tree in draws(Table(X, y), range(200), max_features=2, max_depth=1)]
    assert set(roots) == {3, 7}
    assert 60 < roots.count(3) < 140


def test_every_column_is_drawn_about_as_often_as_the_others():
    """Four copies of one column: with one drawn per node, each is chosen in about a quarter of 800 seeds."""
    column = np.array([0.0, 1.0, 2.0, 3.0])
    table = Table(np.column_stack([column] * 4), np.array([0, 0, 1, 1]))
    chosen = [tree.tests[0].column for tree in draws(table, range(800), max_features=1)]
    assert stats.chisquare(np.bincount(chosen, minlength=4)).pvalue > 0.001


def test_drawn_columns_are_the_same_for_a_seed_whatever_the_order_of_rows_and_the_threads():
    for seed, table in tables(7, "entropy", 100, columns=(2, 4)):
        first = of_estimator(fit(table, Rules("entropy"), max_features=1, random_state=seed))
        shuffled = table.take(np.random.default_rng(seed).permutation(table.n_rows))
        assert of_estimator(fit(shuffled, Rules("entropy"), max_features=1, random_state=seed)) == first
        for n_jobs in (1, 2):
            again = fit(table, Rules("entropy"), max_features=1, random_state=seed, n_jobs=n_jobs)
            assert of_estimator(again) == first


def test_words_and_shares_for_max_features_mean_what_they_mean_in_scikit_learn():
    """sqrt and log2 of the columns, or a share of them, rounded down, at least one."""
    rng = np.random.default_rng(0)
    table = random_table(rng, rows=(30, 30), columns=(9, 9), kinds=FINITE)
    for value, m in (("sqrt", 3), ("log2", 3), (0.5, 4), (0.01, 1), (None, 9)):
        words = [of_estimator(fit(table, Rules(), max_features=value, random_state=s)) for s in range(10)]
        numbers = [of_estimator(fit(table, Rules(), max_features=m, random_state=s)) for s in range(10)]
        assert words == numbers
