"""What must not change a tree does not, and what must change it changes it as it must."""

import numpy as np
import pytest

from oracle.agreement import CRITERIA, check, fit, table_for
from oracle.exact_scores import OF_CLASSES, OF_NUMBERS, score
from oracle.naive_tree import NaiveTree, Rules
from oracle.plain_tree import PlainTree, Test, of_estimator
from tables import NASTY, ORDINARY, Table

N = 300


def tables(part: int, criterion: str, n: int = N, **options):
    for seed in range(n):
        rng = np.random.default_rng([seed, part, CRITERIA.index(criterion)])
        options = {"gaps": seed % 2 == 0, "weighted": seed % 3 == 0, **options}
        yield rng, table_for(criterion, rng, **options)


def unlike(one: PlainTree, other: PlainTree, *, weight: float = 1.0, rows: bool = True) -> str | None:
    """Say how two trees differ; weights of the second are `weight` times those of the first."""
    same = one.tests == other.tests and one.left == other.left and one.right == other.right
    same = same and (one.n_rows == other.n_rows or not rows)
    same = same and np.allclose(np.array(one.weight) * weight, other.weight, rtol=1e-12, atol=0)
    same = same and np.allclose(one.impurity, other.impurity, rtol=1e-9, atol=1e-9)
    same = same and np.allclose(one.value, other.value, rtol=1e-12, atol=1e-12)
    return None if same else f"one\n{one.shown()}\nother\n{other.shown()}"


@pytest.mark.parametrize("criterion", CRITERIA)
def test_three_times_the_weights_give_the_same_tree(criterion):
    def wrong(table: Table) -> str | None:
        rules = Rules(criterion)
        weights = np.ones(table.n_rows) if table.weights is None else table.weights
        one, three = fit(table, rules), fit(Table(table.X, table.y, weights * 3), rules)
        return unlike(of_estimator(one), of_estimator(three), weight=3)

    for _, table in tables(1, criterion):
        check(table, wrong)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_weight_of_k_is_k_copies_of_the_row(criterion):
    """Counts of rows differ, and with them only where a value never missing in the node would go."""

    def wrong(table: Table) -> str | None:
        weights = (
            np.ones(table.n_rows, int) if table.weights is None else np.round(table.weights * 4).astype(int)
        )
        weighted = of_estimator(fit(Table(table.X, table.y, weights.astype(float)), Rules(criterion)))
        rows = np.repeat(np.arange(table.n_rows), weights)
        classes_missing = criterion in OF_CLASSES and len(set(table.y[rows])) < len(set(table.y))
        if classes_missing:
            return None  # a class of weight 0 alone is a class of the weighted table, not of the copied one
        copied = of_estimator(fit(Table(table.X[rows], table.y[rows]), Rules(criterion)))
        for tree in (weighted, copied):
            tree.tests = [test and Test(test.column, test.cut, False) for test in tree.tests]
        return unlike(weighted, copied, rows=False)

    for _, table in tables(2, criterion, weighted=True):
        check(table, wrong)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_with_gaps_everywhere_a_weight_of_k_sends_missing_values_as_k_copies_do(criterion):
    """Where the node has missing rows the branch is learned, from weights and not from counts."""

    def wrong(table: Table) -> str | None:
        rows = np.repeat(np.arange(table.n_rows), table.weights.astype(int))
        weighted = of_estimator(fit(table, Rules(criterion)))
        copied = of_estimator(fit(Table(table.X[rows], table.y[rows]), Rules(criterion)))
        for i, _, here in copied.rows_of(table.X[rows], np.arange(len(rows))):
            test = copied.tests[i]
            if test and np.isnan(table.X[rows][here, test.column]).any() and weighted.tests[i] != test:
                return f"node {i}: {weighted.tests[i]} with weights, {test} with copies"
        return None

    for _, table in tables(3, criterion, gaps=True):
        check(Table(table.X, table.y, np.arange(table.n_rows) % 3 + 1.0), wrong)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_row_of_weight_zero_is_absent(criterion):
    """Values of its own in every column, and a target far away: nothing of it may show."""
    for rng, table in tables(4, criterion, kinds=ORDINARY):
        weights = np.ones(table.n_rows) if table.weights is None else table.weights
        ghosts = rng.normal(0, 3, (4, table.X.shape[1]))
        where = rng.integers(0, table.n_rows + 1, 4)
        far = rng.choice([-1e9, 1e9], 4) if criterion in OF_NUMBERS else rng.choice(table.y, 4)
        with_ghosts = Table(
            np.insert(table.X, where, ghosts, axis=0),
            np.insert(table.y, where, far),
            np.insert(weights, where, 0),
        )
        present, absent = fit(with_ghosts, Rules(criterion)), fit(table, Rules(criterion))
        assert unlike(of_estimator(absent), of_estimator(present)) is None, f"{with_ghosts}"


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_monotone_change_of_a_column_leaves_the_partition(criterion):
    """Doubling, ranks, the cube: the same rows in every node, only the cuts are others."""
    changes = {
        "double": lambda column: column * 2,
        "rank": lambda column: np.where(
            np.isnan(column), np.nan, np.searchsorted(np.unique(column[~np.isnan(column)]), column)
        ),
        "shift": lambda column: column + 4096,
        "exponential": np.exp,
    }
    for rng, table in tables(5, criterion, kinds=[*ORDINARY, "zeros"]):
        name, change = list(changes.items())[rng.integers(len(changes))]
        changed = Table(np.column_stack([change(column) for column in table.X.T]), table.y, table.weights)
        one, other = fit(table, Rules(criterion)), fit(changed, Rules(criterion))
        present = slice(None) if table.weights is None else table.weights > 0  # the others were never seen
        assert np.array_equal(one.apply(table.X[present]), other.apply(changed.X[present])), (
            f"{name}\n{table}"
        )
        before, after = of_estimator(one), of_estimator(other)
        for tree in (before, after):
            tree.tests = [test and Test(test.column, 0.0, test.missing_left) for test in tree.tests]
        assert unlike(before, after) is None, f"{name}\n{table}"


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_tree_without_limits_makes_no_error_where_no_equal_rows_differ_in_target(criterion):
    """By Poisson deviance no leaf may hold zeros only; but no two other targets share a leaf."""
    for rng, table in tables(6, criterion):
        keys = np.unique(np.nan_to_num(table.X, nan=-7.5), axis=0, return_inverse=True)[1].ravel()
        y = table.y[np.unique(keys, return_index=True)[1]][keys]  # equal rows, equal targets
        y = y if criterion in OF_NUMBERS else np.unique(y, return_inverse=True)[1]
        if rng.random() < 0.2:  # what no single column knows anything of
            y = (np.nan_to_num(table.X).astype(bool).sum(1) % 2).astype(y.dtype)
            y = y if criterion in OF_NUMBERS else np.unique(y, return_inverse=True)[1]
        if criterion == "poisson" and y.any():
            leaves, positive = fit(Table(table.X, y), Rules(criterion)).apply(table.X)[y > 0], y[y > 0]
            assert len(set(zip(leaves, positive, strict=True))) == len(set(leaves)), str(Table(table.X, y))
        y = y + 1 if criterion == "poisson" else y
        predicted = fit(Table(table.X, y), Rules(criterion)).predict(table.X)
        assert np.array_equal(predicted, y), str(Table(table.X, y))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_breadth_first_is_depth_first_when_no_leaf_limit_binds(criterion):
    for _, table in tables(7, criterion):
        depth, breadth = (fit(table, Rules(criterion, growth=growth)) for growth in ("depth", "breadth"))
        assert of_estimator(depth) == of_estimator(breadth), str(table)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_negated_columns_give_the_mirrored_tree_where_no_splits_tie(criterion):
    """Left and right change places; a tie would go to the lowest cut, which negation makes the highest."""

    def mirrored(tree: PlainTree, mirror: PlainTree, naive: NaiveTree) -> None:
        stack = [(0, 0, naive.rows)]
        while stack:
            a, b, rows = stack.pop()
            assert tree.n_rows[a] == mirror.n_rows[b]
            test, negated = tree.tests[a], mirror.tests[b]
            assert (test is None) == (negated is None)
            if test is None:
                continue
            scores = [score(criterion, tried[-2:]) for tried in naive.candidates(rows)]
            if scores.count(max(scores)) > 1:
                return
            values = naive.columns[test.column]
            left = [row for row in rows if test.left(np.array([values[row]]))[0]]
            right = [row for row in rows if row not in set(left)]
            if test.cut == np.inf:  # known left, missing right: the same either way
                assert negated == test
                stack += [(tree.left[a], mirror.left[b], left), (tree.right[a], mirror.right[b], right)]
                continue
            assert negated.column == test.column
            assert negated.cut == -test.cut
            stack += [(tree.left[a], mirror.right[b], left), (tree.right[a], mirror.left[b], right)]

    for _, table in tables(8, criterion, n=200, kinds=["few", "eighths", "distinct"], rows=(5, 30)):
        negated = Table(-table.X, table.y, table.weights)
        one, other = (of_estimator(fit(each, Rules(criterion))) for each in (table, negated))
        mirrored(one, other, NaiveTree(table.X, table.y, Rules(criterion), table.weights))


@pytest.mark.parametrize("criterion", OF_CLASSES)
def test_other_names_for_the_classes_permute_the_values(criterion):
    for rng, table in tables(9, criterion):
        order = rng.permutation(int(table.y.max()) + 1)
        renamed = Table(table.X, order[table.y], table.weights)
        one, other = of_estimator(fit(table, Rules(criterion))), of_estimator(fit(renamed, Rules(criterion)))
        other.value = np.array(other.value)[:, order].tolist()
        assert unlike(one, other) is None, f"{table}\nnew names {order}"


def test_classes_may_be_called_anything():
    for _, table in tables(10, "gini", n=100):
        names = np.array(["no", "perhaps", "yes", "zwölf"])
        numbers = np.array([-7, 0, 3, 10**12])
        plain = fit(table, Rules())
        for labels in (names, numbers, names.astype(object), np.array([False, True, True, True])):
            if labels.dtype == bool and table.y.max() > 1:
                continue
            called = fit(Table(table.X, labels[table.y], table.weights), Rules())
            assert of_estimator(called) == of_estimator(plain)
            assert called.classes_.tolist() == labels[: table.y.max() + 1].tolist()
            assert np.array_equal(called.predict(table.X), labels[plain.predict(table.X)])


@pytest.mark.parametrize("criterion", OF_NUMBERS)
def test_a_target_scaled_by_a_power_of_two_scales_the_values_and_keeps_the_splits(criterion):
    for rng, table in tables(11, criterion, kinds=NASTY):
        factor = 2.0 ** rng.integers(-40, 41)
        one = of_estimator(fit(table, Rules(criterion)))
        other = of_estimator(fit(Table(table.X, table.y * factor, table.weights), Rules(criterion)))
        assert one.tests == other.tests, f"factor {factor}\n{table}"
        assert np.array_equal(np.array(one.value) * factor, other.value), f"factor {factor}\n{table}"
        of_impurity = factor**2 if criterion == "squared_error" else factor
        assert np.allclose(np.array(one.impurity) * of_impurity, other.impurity, rtol=1e-9, atol=0)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_a_target_shifted_far_away_keeps_the_splits(criterion):
    """Multiples of 1/8 shifted by 2^30 stay exact; squares of them in float64 do not.

    Poisson deviance is about ratios, which a shift changes.
    """
    for _, table in tables(12, criterion):
        one = of_estimator(fit(table, Rules(criterion)))
        shifted = Table(table.X, table.y + 2.0**30, table.weights)
        other = of_estimator(fit(shifted, Rules(criterion)))
        assert one.tests == other.tests, str(shifted)
        assert np.allclose(one.impurity, other.impurity, rtol=1e-9, atol=1e-9), str(shifted)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_useless_column_changes_nothing_but_the_numbers_of_columns(criterion):
    """A constant, a column of gaps only, and a copy of the last column behind it are never chosen."""
    for _, table in tables(13, criterion):
        n = table.n_rows
        more = np.column_stack([np.full(n, 2.0), np.full(n, np.nan), table.X, table.X[:, -1]])
        one = of_estimator(fit(table, Rules(criterion)))
        other = of_estimator(fit(Table(more, table.y, table.weights), Rules(criterion)))
        other.tests = [test and Test(test.column - 2, test.cut, test.missing_left) for test in other.tests]
        assert one == other, str(table)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_copies_of_columns_are_never_chosen_in_large_tables_either(criterion):
    """Every node of the tree has ties between a column and its copy: the lowest column takes them all."""
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(0, 30, (40_000, 3)) * 256) / 256
    X[rng.random(X.shape) < 0.05] = np.nan
    signal = np.nan_to_num(X).sum(1) + rng.normal(0, 20, len(X))
    y = signal if criterion in OF_NUMBERS else np.digitize(signal, [-20, 0, 30])
    y = np.abs(y) if criterion == "poisson" else y
    one = fit(Table(X, y), Rules(criterion, min_samples_leaf=3))
    other = fit(Table(np.column_stack([X, X]), y), Rules(criterion, min_samples_leaf=3), n_jobs=2)
    assert of_estimator(one) == of_estimator(other)


@pytest.mark.parametrize("columns", [[0, 1], [1, 0]])
@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_splits_of_unlike_sides_tie_too_however_heavy_the_rows(criterion, columns):
    """Column A parts the weight 13 : 27, column B 1 : 39, and both remove exactly as much impurity.

    D = (ones left) W - (weight left) (ones) is three times as large for A as for B, and 13 * 27 = 9 * 39.
    With weights like these D squared has more than 53 bits, so rounded scores would differ.
    """
    m, ones = 2507, 20059
    rows = [
        *((0, 1, 1, ones), (0, 0, 0, m), (0, 1, 0, 12 * m - ones)),
        *((1, 1, 1, 3 * ones), (1, 1, 0, 27 * m - 3 * ones)),
    ]
    a, b, y, weights = np.array(rows, dtype=float).T
    y = y if criterion == "squared_error" else y.astype(int)
    table = Table(np.column_stack([a, b])[:, columns], y, weights)
    assert len(set(exact_scores(table, criterion))) == 1
    assert fit(table, Rules(criterion, max_depth=1)).tree_.feature[0] == 0


def exact_scores(table: Table, criterion: str) -> list:
    """Score the cuts of a table exactly."""
    naive = NaiveTree(table.X, table.y, Rules(criterion), table.weights)
    return [score(criterion, (left, right)) for *_, left, right in naive.candidates(naive.rows)]


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_ledger_changes_no_tree(criterion):
    """Without one, columns that cannot win are passed over; with one, every column is judged to the end."""

    def wrong(table: Table) -> str | None:
        rules = Rules(criterion)
        one, other = fit(table, rules), fit(table, rules, keep_ledger=True)
        return unlike(of_estimator(one), of_estimator(other))

    for _, table in tables(20, criterion, n=100):
        check(table, wrong)


@pytest.mark.parametrize("n_rows", [60, 600, 3000])
def test_a_ledger_changes_no_large_tree_of_numbers(n_rows):
    """Here lists are long enough for stretches to be passed over, and leaves few enough for quick ends."""
    for seed in range(6):
        rng = np.random.default_rng([seed, n_rows])
        X = np.column_stack([rng.normal(size=(n_rows, 5)), rng.integers(0, 40, (n_rows, 5))])
        y = np.round(X[:, 0] * X[:, 1] + np.sin(X[:, 5]) + rng.normal(size=n_rows), seed % 3)
        for criterion in ("squared_error", "poisson", "gini"):
            table = Table(
                X, np.abs(y) if criterion == "poisson" else y if criterion == "squared_error" else y > 0
            )
            one = fit(table, Rules(criterion))
            other = fit(table, Rules(criterion), keep_ledger=True, n_jobs=2)
            assert unlike(of_estimator(one), of_estimator(other)) is None, f"seed {seed}, {criterion}"


def test_the_callers_data_are_left_alone():
    for _, table in tables(14, "gini", n=50):
        weights = np.ones(table.n_rows) if table.weights is None else table.weights
        kept = Table(table.X.copy(), table.y.copy(), weights.copy())
        grown = fit(Table(table.X, table.y, weights), Rules(), class_weight="balanced")
        grown.predict(table.X)
        assert np.array_equal(table.X, kept.X, equal_nan=True)
        assert np.array_equal(table.y, kept.y)
        assert np.array_equal(weights, kept.weights)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_fit_and_a_fit_again_give_the_same(criterion):
    for _, table in tables(15, criterion, n=50):
        estimator = fit(table, Rules(criterion))
        first = of_estimator(estimator)
        estimator.fit(table.X, table.y, sample_weight=table.weights)
        assert of_estimator(estimator) == first
