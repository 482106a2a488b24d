"""Live against scikit-learn on 300 random tables: the same tree where no splits tie, the same loss anyway.

What can be promised. Both growers take a best split of every node, so they can differ only where two splits
are equally good; `compare` fails at any other difference. While the rows are parted alike the training loss
is the same at every depth; at the first node that is parted otherwise (a tie) both children still lose as
much as the others, so the loss is the same down to one level below it. With no such node it is the same at
every depth limit.
"""

import numpy as np
import pytest
from sklearn import tree as sklearn_tree

import treewright
from oracle.naive_tree import Rules
from oracle.plain_tree import of_estimator
from oracle.replay import compare, replay_best_first
from oracle.scorer import Scorer
from sklearn_versions import GROWS_THE_SAME_TREES

N_TABLES, N_BLOCKS = 300, 14


def random_columns(rng: np.random.Generator, n: int, m: int) -> np.ndarray:
    """Draw reals, ties, constants, copies: exact in float32, further apart than scikit-learn's 1e-7."""
    columns = []
    for _ in range(m):
        match rng.integers(6):
            case 0:
                column = rng.integers(0, rng.integers(2, 20), n).astype(float)
            case 1:
                column = np.full(n, 3.0)
            case 2:
                column = columns[-1] * 2 if columns else rng.permutation(n).astype(float)
            case _:
                column = np.round(rng.normal(0, 10, n) * 4096) / 4096
        columns.append(column)
    return np.column_stack(columns)


def random_case(seed: int):
    """Draw a table of 1 to 2,000 rows, small ones more often, and what it is to be fitted by."""
    rng = np.random.default_rng([seed, 2])
    n = int(rng.choice([rng.integers(1, 20), rng.integers(20, 200), rng.integers(200, 2001)]))
    X = random_columns(rng, n, int(rng.integers(1, 8)))
    signal = X[:, 0] + 5 * np.sin(X[:, -1]) + rng.normal(0, 5, n)
    criterion = ("gini", "entropy", "squared_error")[seed % 3]
    if criterion == "squared_error":
        y = signal if seed % 2 else np.round(signal)
    else:
        y = np.digitize(signal, np.quantile(signal, [0.3, 0.6, 0.8][: 1 + seed % 4]))
        y = np.unique(y, return_inverse=True)[1]
    if seed % 5 in (1, 3):
        X[rng.random(X.shape) < rng.choice([0.02, 0.2, 0.5])] = np.nan
    weights = None
    if seed % 4 == 1:
        weights = rng.integers(0, 4, n).astype(float) + (np.arange(n) == 0)
    elif seed % 4 == 3:
        weights = rng.random(n) + 0.1
    return X, y, weights, criterion


def kinds(criterion: str):
    name = "DecisionTreeRegressor" if criterion == "squared_error" else "DecisionTreeClassifier"
    return getattr(treewright, name), getattr(sklearn_tree, name)


def training_loss(estimator, scorer: Scorer) -> float:
    """Give the weighted impurity left in the leaves, from the rows and not from what the tree says."""
    leaves = estimator.apply(scorer.X)
    return sum(
        scorer.loss(scorer.rows[leaves[scorer.rows] == leaf]) for leaf in np.unique(leaves[scorer.rows])
    )


def check_depth(seed: int, depth: int | None) -> int:
    """Fit both to a depth; fail at a difference that no tie explains. Gives the depth that was reached."""
    X, y, weights, criterion = random_case(seed)
    scorer = Scorer(X, y, weights, criterion=criterion)
    grown, expected = (
        kind(criterion=criterion, max_depth=depth, random_state=0).fit(X, y, sample_weight=weights)
        for kind in kinds(criterion)
    )
    rules = Rules(criterion, max_depth=depth)
    trees = of_estimator(expected), of_estimator(grown)
    found = compare(*trees, scorer, rules, cut_tolerance=1e-6, below=depth is None)
    if found.same:
        assert grown.tree_.node_count == expected.tree_.node_count
        assert np.allclose(grown.predict(X), expected.predict(X), rtol=1e-9, atol=1e-9)
    if found.parted is None or (depth is not None and depth <= found.parted + 1):
        losses = training_loss(grown, scorer), training_loss(expected, scorer)
        assert abs(losses[0] - losses[1]) <= 1e-9 * max(scorer.loss(scorer.rows), 1), losses
    return expected.get_depth()


@GROWS_THE_SAME_TREES
@pytest.mark.parametrize("block", range(N_BLOCKS))
def test_same_training_loss_at_every_depth_and_same_tree_where_no_splits_tie(block):
    """Each depth is a fit and a walk of its own: scikit-learn draws its ties anew for every depth."""
    for seed in range(block, N_TABLES, N_BLOCKS):
        deepest = check_depth(seed, None)
        for depth in range(1, max(1, min(deepest, 12)) + 1):
            check_depth(seed, depth)


@GROWS_THE_SAME_TREES
def test_most_random_tables_of_some_size_have_no_ties_so_the_comparison_means_something():
    """Half of the tables of 100 rows or more, of two columns or more, must end in the very same tree."""
    n_same = n_all = 0
    for seed in range(0, N_TABLES, 3):
        X, y, weights, criterion = random_case(seed)
        if len(X) < 100:
            continue
        ours, theirs = kinds(criterion)
        limits = {"criterion": criterion, "min_samples_leaf": 5, "random_state": 0}
        grown = of_estimator(ours(**limits).fit(X, y, sample_weight=weights))
        expected = of_estimator(theirs(**limits).fit(X, y, sample_weight=weights))
        scorer = Scorer(X, y, weights, criterion=criterion, min_rows_leaf=5)
        found = compare(expected, grown, scorer, Rules(criterion, min_samples_leaf=5), cut_tolerance=1e-6)
        n_same += found.parted is None
        n_all += 1
    assert n_all > 30
    assert n_same > n_all / 2


@GROWS_THE_SAME_TREES
@pytest.mark.parametrize(
    "limits",
    [
        {"min_samples_leaf": 4},
        {"min_samples_split": 15},
        {"min_samples_leaf": 0.05, "min_samples_split": 0.2},
        {"min_impurity_decrease": 0.0173},
        {"max_depth": 4, "min_samples_leaf": 3},
    ],
    ids=str,
)
def test_limits_end_the_growth_where_scikit_learn_ends_it(limits):
    for seed in range(40):
        X, y, weights, criterion = random_case(seed)
        ours, theirs = kinds(criterion)
        grown = ours(criterion=criterion, **limits).fit(X, y, sample_weight=weights)
        expected = theirs(criterion=criterion, random_state=0, **limits).fit(X, y, sample_weight=weights)
        counts = {
            name: int(np.ceil(share * len(X)))
            if isinstance(share, float) and name.startswith("min_samples")
            else share
            for name, share in limits.items()
        }
        counts["min_samples_split"] = max(2, counts.get("min_samples_split", 2))
        rules = Rules(criterion, **counts)
        scorer = Scorer(X, y, weights, criterion=criterion, min_rows_leaf=rules.min_samples_leaf)
        compare(of_estimator(expected), of_estimator(grown), scorer, rules, cut_tolerance=1e-6)


@GROWS_THE_SAME_TREES
@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_large_tables_with_gaps_and_weights_give_scikit_learns_tree(criterion):
    """40,000 rows: lists of 32 bits, then of 16, columns shared out among threads."""
    rng = np.random.default_rng(40)
    n = 40_000
    X = np.round(rng.normal(0, 10, (n, 5)) * 4096) / 4096
    X[:, 2] = np.round(X[:, 2])
    signal = X[:, 0] + 5 * np.sin(X[:, 1]) + X[:, 2] + rng.normal(0, 5, n)
    y = signal if criterion == "squared_error" else np.digitize(signal, [-10, 0, 10])
    X[rng.random(X.shape) < 0.1] = np.nan
    weights = rng.integers(0, 4, n).astype(float)
    limits = {"criterion": criterion, "min_samples_leaf": 40, "random_state": 0}
    grown, expected = (kind(**limits).fit(X, y, sample_weight=weights) for kind in kinds(criterion))
    scorer = Scorer(X, y, weights, criterion=criterion, min_rows_leaf=40)
    rules = Rules(criterion, min_samples_leaf=40)
    compare(of_estimator(expected), of_estimator(grown), scorer, rules, cut_tolerance=1e-6)


@pytest.mark.parametrize(
    "criterion",
    [
        "gini",
        "entropy",
        "squared_error",
        "poisson",
        pytest.param("absolute_error", marks=GROWS_THE_SAME_TREES),
    ],
)
def test_monotone_columns_give_scikit_learns_tree_or_one_that_differs_at_a_proven_tie(criterion):
    """Depth first and best first, with and without weights; scikit-learn takes no gaps then.

    Values of nodes are compared as well: they are clipped, their impurities are not.
    """
    is_regression = criterion not in ("gini", "entropy")
    name = "DecisionTreeRegressor" if is_regression else "DecisionTreeClassifier"
    n_same = 0
    for seed in range(60):
        rng = np.random.default_rng([seed, 5])
        n, m = int(rng.integers(20, 250)), int(rng.integers(1, 5))
        X = random_columns(rng, n, m)
        signal = X @ rng.normal(size=m) / 10 + rng.normal(size=n) * rng.choice([0.3, 3.0])
        y = np.abs(signal) if is_regression else (signal > np.median(signal)).astype(int)
        weights = None if seed % 2 else rng.integers(1, 4, n).astype(float)
        directions = rng.integers(-1, 2, m)
        limits = {"min_samples_leaf": int(rng.integers(1, 4)), "max_depth": 6}
        if seed % 3 == 0:
            limits = {"max_leaf_nodes": int(rng.integers(2, 20))}
        grown, expected = (
            getattr(package, name)(criterion=criterion, monotonic_cst=directions, random_state=0, **limits)
            for package in (treewright, sklearn_tree)
        )
        ours, theirs = (of_estimator(each.fit(X, y, sample_weight=weights)) for each in (grown, expected))
        rules = Rules(criterion, monotonic_cst=tuple(directions.tolist()), **limits)
        scorer = Scorer(
            X,
            y,
            weights,
            criterion=criterion,
            min_rows_leaf=rules.min_samples_leaf,
            directions=directions.tolist(),
        )
        if rules.max_leaf_nodes is None:
            found = compare(theirs, ours, scorer, rules, cut_tolerance=1e-6)
            for a, b in found.pairs:
                assert np.allclose(ours.value[b], theirs.value[a], rtol=1e-9, atol=1e-9)
                assert abs(ours.impurity[b] - theirs.impurity[a]) <= 1e-9 * max(1.0, theirs.impurity[0])
        else:
            replay_best_first(theirs, scorer, rules, whose="their")
            replay_best_first(ours, scorer, rules, whose="our")
        if ours.tests == theirs.tests:
            n_same += 1
            assert np.allclose(grown.predict(X), expected.predict(X), rtol=1e-9, atol=1e-9)
            if not is_regression:
                assert np.allclose(grown.predict_proba(X), expected.predict_proba(X), rtol=0, atol=1e-9)
    assert n_same >= 20


@pytest.mark.parametrize("criterion", ["gini", "squared_error"])
def test_large_tables_with_monotone_columns_give_scikit_learns_tree(criterion):
    """40,000 rows: bounds go along from lists of 32 bits to those of 16 and 8."""
    rng = np.random.default_rng(41)
    X = np.round(rng.normal(0, 10, (40_000, 5)) * 4096) / 4096
    signal = X[:, 0] - X[:, 1] + 5 * np.sin(X[:, 2]) + rng.normal(0, 15, 40_000)
    y = signal if criterion == "squared_error" else (signal > 0).astype(int)
    directions = [1, -1, 0, 1, 0]
    limits = {"criterion": criterion, "min_samples_leaf": 20, "random_state": 0, "monotonic_cst": directions}
    grown, expected = (kind(**limits).fit(X, y) for kind in kinds(criterion))
    scorer = Scorer(X, y, criterion=criterion, min_rows_leaf=20, directions=directions)
    rules = Rules(criterion, min_samples_leaf=20, monotonic_cst=tuple(directions))
    found = compare(of_estimator(expected), of_estimator(grown), scorer, rules, cut_tolerance=1e-6)
    assert len(found.pairs) > 1000
    for a, b in found.pairs:
        assert np.allclose(grown.tree_.value[b], expected.tree_.value[a], rtol=1e-9, atol=1e-9)
