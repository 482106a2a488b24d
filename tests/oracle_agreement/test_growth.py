"""The order of growth decides only which nodes a budget of leaves is spent on, and as the oracle says."""

import numpy as np
import pytest

from oracle.agreement import CRITERIA, TIMES, WITH_BLOCKS, check, check_agreement, fit, table_for
from oracle.exact_scores import OF_CLASSES
from oracle.naive_tree import Rules
from oracle.plain_tree import of_estimator
from tables import Table


def tables(part: int, criterion: str, block: int, n: int = 84):
    n *= TIMES
    for seed in range(n * block, n * (block + 1)):
        rng = np.random.default_rng([seed, part, CRITERIA.index(criterion)])
        gaps, weighted = seed % 2 == 0, seed % 3 == 0
        yield rng, table_for(criterion, rng, gaps=gaps, weighted=weighted)


@pytest.mark.parametrize(("criterion", "block"), WITH_BLOCKS)
@pytest.mark.parametrize("growth", ["depth", "best", "breadth"])
def test_a_budget_of_leaves_is_spent_as_the_oracle_spends_it(growth, criterion, block):
    """Depth with a budget means best first. Of nodes worth exactly the same, any may come first."""
    for rng, table in tables(1, criterion, block):
        check_agreement(table, Rules(criterion, max_leaf_nodes=int(rng.integers(2, 12)), growth=growth))


@pytest.mark.parametrize(("criterion", "block"), WITH_BLOCKS)
@pytest.mark.parametrize("growth", ["best", "breadth"])
def test_without_a_budget_the_order_changes_nothing(growth, criterion, block):
    def wrong(table: Table) -> str | None:
        depth, other = (of_estimator(fit(table, Rules(criterion, growth=g))) for g in ("depth", growth))
        return None if depth == other else f"depth first\n{depth.shown()}\n{growth} first\n{other.shown()}"

    for _, table in tables(2, criterion, block, 125):
        check(table, wrong)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_budget_that_does_not_bind_changes_nothing(criterion):
    for _, table in tables(3, criterion, 0, 200):
        free = fit(table, Rules(criterion))
        n_leaves = max(2, free.get_n_leaves())
        for growth in ("best", "breadth"):
            bound = fit(table, Rules(criterion, growth=growth, max_leaf_nodes=n_leaves))
            assert of_estimator(bound) == of_estimator(free), str(table)


@pytest.mark.parametrize("growth", ["depth", "best"])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_of_two_nodes_alike_in_everything_the_first_in_pre_order_is_opened(criterion, growth):
    """Column 0 parts the table into two copies of one table, so each node has a twin worth the same."""
    for seed in range(100):
        rng = np.random.default_rng([seed, 4])
        half = table_for(criterion, rng, rows=(3, 12))
        side = np.repeat([0.0, 1.0], half.n_rows)
        y = np.concatenate([half.y, half.y + (half.y.max() + 1 if criterion in OF_CLASSES else 4096.0)])
        table = Table(np.column_stack([side, np.tile(half.X, (2, 1))]), y)
        grown = fit(table, Rules(criterion, max_leaf_nodes=3, growth=growth))
        full = fit(table, Rules(criterion))
        left, right = full.tree_.children_left, full.tree_.children_right
        if full.tree_.feature[0] == 0 and left[left[0]] >= 0 and left[right[0]] >= 0:
            assert grown.tree_.children_left.tolist() == [1, 2, -1, -1, -1], str(table)


@pytest.mark.parametrize("weighted", [False, True])
def test_runs_of_cuts_are_passed_over_only_where_none_of_them_wins(weighted):
    """Of many classes, in lists of several runs of 64 cuts: by what the ends of a run weigh."""
    for seed in range(30 * TIMES):
        rng = np.random.default_rng([seed, 5])
        n, n_classes = int(rng.integers(129, 700)), int(rng.integers(3, 12))
        x = rng.normal(size=n)
        # The best cut is in the last column, and the first has one that is nearly as good.
        X = np.column_stack([x + rng.normal(0, 0.02, n), rng.integers(0, 40, n), x]).astype(float)
        y = np.round(x + rng.normal(0, rng.choice([0.0, 0.05, 0.5]), n)) % n_classes
        y = np.unique(y, return_inverse=True)[1]
        weights = rng.integers(1, 4, n).astype(float) if weighted else None
        rules = Rules("gini", max_depth=2, min_samples_leaf=int(rng.integers(1, 70)))
        check_agreement(Table(X, y.astype(float), weights), rules)
