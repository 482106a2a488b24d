"""Weakest-link pruning does as the oracle does, in exact arithmetic where the criterion allows."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from oracle import naive_pruning
from oracle.agreement import CRITERIA, TIMES, WITH_BLOCKS, check, fit, plain, table_for
from oracle.naive_tree import Rules, grow, keep
from oracle.plain_tree import difference, of_estimator
from tables import Table

BLOCKS = range(4)


def tables(criterion: str, block: int, n: int = 84):
    n *= TIMES
    for seed in range(n * block, n * (block + 1)):
        rng = np.random.default_rng([seed, 21, CRITERIA.index(criterion)])
        gaps, weighted = seed % 2 == 0, seed % 3 == 0
        yield table_for(criterion, rng, gaps=gaps, weighted=weighted)


@pytest.mark.parametrize(("criterion", "block"), WITH_BLOCKS)
def test_ccp_alpha_leaves_the_oracles_branches(criterion, block):
    """Alphas are tried half way between those of the links, where rounding cannot decide."""

    def wrong(table: Table) -> str | None:
        rules = Rules(criterion)
        nodes = grow(table.X, table.y, rules, table.weights)
        links = naive_pruning.links(nodes)
        alphas = sorted({Fraction(0), *(alpha for alpha, _ in naive_pruning.path(links))})
        between = [float((low + high) / 2) for low, high in pairwise(alphas)]
        for alpha in [*between, float(alphas[-1]) + 1]:
            expected = plain(keep(nodes, naive_pruning.pruned(links, alpha)), rules)
            ours = of_estimator(fit(table, rules, ccp_alpha=alpha))
            found = difference(ours, expected, value_tolerance=1e-12, other_tolerance=1e-9)
            if found:
                return f"ccp_alpha {alpha}: {found}\nours\n{ours.shown()}\nexpected\n{expected.shown()}"
        return None

    for table in tables(criterion, block):
        check(table, wrong)


@pytest.mark.parametrize(("criterion", "block"), WITH_BLOCKS)
def test_the_path_of_pruning_is_the_oracles(criterion, block):
    """Nested links of one alpha give one row or two by rounding, so rows of equal alpha are merged first."""

    def wrong(table: Table) -> str | None:
        rules = Rules(criterion)
        nodes = grow(table.X, table.y, rules, table.weights)
        links = naive_pruning.links(nodes)
        alphas, risks = (np.array(column, float) for column in zip(*naive_pruning.path(links), strict=True))
        path = fit(table, rules).cost_complexity_pruning_path(table.X, table.y, sample_weight=table.weights)
        our_alphas, our_risks = naive_pruning.merged(path.ccp_alphas, path.impurities)
        if len(path.ccp_alphas) > 1 + sum(not node.is_leaf for node in nodes):
            return f"{len(path.ccp_alphas)} rows for {sum(not node.is_leaf for node in nodes)} links"
        if len(our_alphas) == len(alphas) and np.allclose(
            [our_alphas, our_risks], [alphas, risks], rtol=1e-9, atol=1e-9
        ):
            return None
        return f"{our_alphas} {our_risks}\nexpected {alphas} {risks}"

    for table in tables(criterion, block):
        check(table, wrong)


def test_pruning_at_zero_keeps_splits_of_no_gain():
    """As in scikit-learn: ccp_alpha = 0 prunes nothing, any positive alpha what gains nothing."""
    table = Table(np.array([[0.0], [1.0], [0.0], [1.0]]), np.array([0, 1, 1, 0]))
    assert fit(table, Rules()).tree_.node_count == 3
    assert fit(table, Rules(), ccp_alpha=1e-9).tree_.node_count == 1
