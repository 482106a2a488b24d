"""The library keeps each limit as the oracle does: a thousand random small tables a limit."""

import numpy as np
import pytest

from oracle.agreement import CRITERIA, TIMES, WITH_BLOCKS, check_agreement, close_calls, table_for
from oracle.naive_tree import Rules

# Shares of the weight are exact in binary, so that the least weight of a leaf is exact too. Impurities and
# gains are compared with limits that they hardly ever meet; where they do, only exact arithmetic can tell,
# and the table is passed over (few are, see below). Limits met exactly are written out at the end.
LIMITS = {
    "max_depth": [1, 2, 3, 5],
    "min_samples_split": [2, 3, 4, 7, 12, 40],
    "min_samples_leaf": [2, 3, 5, 9, 16],
    "min_weight_fraction_leaf": [0.015625, 0.0625, 0.125, 0.25, 0.375, 0.5],
    "max_leaf_nodes": [2, 3, 4, 6, 11],
    "min_impurity_decrease": [0.0137, 0.06, 0.1, 0.25, 0.7, 3.1],
    "min_impurity": [0.01, 0.21, 0.35, 0.47, 0.9, 2.3, 7.7],
}


def rules_for(limit: str, criterion: str, rng: np.random.Generator) -> Rules:
    value = rng.choice(LIMITS[limit]).item()
    return Rules(criterion, **{limit: value})


@pytest.mark.parametrize(("criterion", "block"), WITH_BLOCKS)
@pytest.mark.parametrize("limit", LIMITS)
def test_the_tree_is_the_oracles_under_a_limit(limit, criterion, block):
    n_close, n_tables = 0, 84  # times four blocks and three criteria: a thousand a limit
    n_tables *= TIMES
    for seed in range(n_tables * block, n_tables * (block + 1)):
        rng = np.random.default_rng([seed, CRITERIA.index(criterion), list(LIMITS).index(limit)])
        gaps, weighted = seed % 2 == 0, seed % 3 == 0
        table = table_for(criterion, rng, gaps=gaps, weighted=weighted)
        rules = rules_for(limit, criterion, rng)
        if close_calls(table, rules):
            n_close += 1
            continue
        check_agreement(table, rules)
    assert n_close <= n_tables // 20


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_tree_is_the_oracles_under_several_limits_at_once(criterion):
    for seed in range(334):
        rng = np.random.default_rng([seed, 11, CRITERIA.index(criterion)])
        gaps, weighted = rng.random(2) < 0.5
        table = table_for(criterion, rng, gaps=gaps, weighted=weighted)
        chosen = rng.choice(list(LIMITS), 3, replace=False)
        limits = {limit: getattr(rules_for(limit, criterion, rng), limit) for limit in chosen}
        rules = Rules(criterion, **limits)
        if not close_calls(table, rules):
            check_agreement(table, rules)


def test_an_impurity_equal_to_the_limit_makes_a_leaf():
    """Two of each class: 1 - 1/4 - 1/4 is 0.5 in floats, and one bit of entropy is 1."""
    from treewright import DecisionTreeClassifier

    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    below = np.nextafter(0.5, 0)
    assert DecisionTreeClassifier(min_impurity=0.5).fit(X, y).tree_.node_count == 1
    assert DecisionTreeClassifier(min_impurity=below).fit(X, y).tree_.node_count > 1
    assert DecisionTreeClassifier(criterion="entropy", min_impurity=1.0).fit(X, y).tree_.node_count == 1


def test_a_gain_equal_to_the_limit_is_enough():
    from treewright import DecisionTreeClassifier, DecisionTreeRegressor

    X, y = [[0.0], [0.0], [1.0], [1.0]], [0, 0, 1, 1]
    for kind, least in ((DecisionTreeClassifier, 0.5), (DecisionTreeRegressor, 0.25)):
        assert kind(min_impurity_decrease=least).fit(X, y).tree_.node_count == 3
        assert kind(min_impurity_decrease=least + 1e-9).fit(X, y).tree_.node_count == 1


def test_a_side_that_weighs_exactly_the_minimum_is_enough():
    from treewright import DecisionTreeClassifier

    X, y, w = [[0.0], [1.0]], [0, 1], [1.0, 3.0]
    for share, n_nodes in ((0.25, 3), (0.2500001, 1)):
        grown = DecisionTreeClassifier(min_weight_fraction_leaf=share).fit(X, y, sample_weight=w)
        assert grown.tree_.node_count == n_nodes


@pytest.mark.parametrize("criterion", CRITERIA)
def test_shares_of_rows_are_rounded_up(criterion):
    """min_samples_* may be shares: ceil(share * rows), at least 2 for a split, as in scikit-learn."""
    from math import ceil

    from oracle.agreement import fit
    from oracle.plain_tree import of_estimator

    for seed in range(100):
        rng = np.random.default_rng([seed, 5])
        table = table_for(criterion, rng, gaps=True)
        split, leaf = rng.choice([0.1, 0.25, 0.3]), rng.choice([0.05, 0.125, 0.2])
        shares = fit(table, Rules(criterion), min_samples_split=float(split), min_samples_leaf=float(leaf))
        rows = Rules(
            criterion,
            min_samples_split=max(2, ceil(split * table.n_rows)),
            min_samples_leaf=ceil(leaf * table.n_rows),
        )
        assert of_estimator(shares) == of_estimator(fit(table, rows)), str(table)
