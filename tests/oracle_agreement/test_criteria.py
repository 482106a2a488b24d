"""The library grows the oracle's tree: criteria, weights, gaps. A thousand random small tables a part."""

import numpy as np
import pytest

from oracle.agreement import CRITERIA, TIMES, check_agreement, fit, table_for
from oracle.exact_scores import OF_CLASSES
from oracle.naive_tree import Rules
from tables import random_table

# Four hundred tables of each kind below: sixteen hundred for a criterion, more for weights and for gaps.
BLOCKS = range(4)  # so that the work can be shared out


def tables(block: int, criterion: str, **options):
    """Draw 100 tables; every table has a seed of its own."""
    n = 100 * TIMES
    for seed in range(n * block, n * (block + 1)):
        rng = np.random.default_rng([seed, CRITERIA.index(criterion)])
        yield table_for(criterion, rng, **options)


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_tree_is_the_oracles_on_complete_tables(criterion, block):
    for table in tables(block, criterion):
        check_agreement(table, Rules(criterion))


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_tree_is_the_oracles_with_weights(criterion, block):
    for table in tables(block, criterion, weighted=True):
        check_agreement(table, Rules(criterion))


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_tree_is_the_oracles_with_gaps(criterion, block):
    for table in tables(block, criterion, gaps=True):
        check_agreement(table, Rules(criterion))


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_tree_is_the_oracles_with_gaps_and_weights(criterion, block):
    for table in tables(block, criterion, gaps=True, weighted=True):
        check_agreement(table, Rules(criterion))


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_tree_is_the_oracles_on_tables_of_a_few_hundred_rows(criterion):
    """Row lists narrow at 256 rows: the trees on both sides of that must come from the same rules."""
    for seed in range(25):
        rng = np.random.default_rng([seed, 7])
        gaps, weighted = seed % 2 == 0, seed % 3 == 0
        table = table_for(criterion, rng, gaps=gaps, weighted=weighted, rows=(200, 400))
        check_agreement(table, Rules(criterion))


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize(
    ("criterion", "leaf_value"), [("squared_error", "median"), ("absolute_error", "mean")]
)
def test_a_forced_leaf_value_changes_the_answers_of_all_nodes_and_nothing_else(criterion, leaf_value, block):
    for number, table in enumerate(tables(block, criterion, gaps=True, weighted=block % 2 == 0)):
        limits = {"max_leaf_nodes": 5} if number % 4 == 0 else {}
        check_agreement(table, Rules(criterion, leaf_value=leaf_value, **limits))


def test_log_loss_is_another_name_of_entropy():
    for seed in range(100):
        table = random_table(np.random.default_rng(seed), gaps=True)
        entropy = fit(table, Rules("entropy"))
        log_loss = fit(table, Rules("log_loss"))
        for name in ("feature", "threshold", "impurity", "value"):
            assert np.array_equal(
                getattr(entropy.tree_, name), getattr(log_loss.tree_, name), equal_nan=True
            ), str(table)


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("criterion", OF_CLASSES)
def test_class_weights_multiply_the_weights_of_rows(criterion, block):
    """Whole factors keep the oracle's sums exact; a factor of 0 leaves the class out."""
    for number, table in enumerate(tables(block, criterion, gaps=True, weighted=block % 2 == 0)):
        rng = np.random.default_rng(number)
        factors = rng.integers(0, 4, int(table.y.max()) + 1)
        factors[table.y[table.weights.argmax() if table.weights is not None else 0]] = 2
        base = np.ones(table.n_rows) if table.weights is None else table.weights
        plain = type(table)(table.X, table.y, base * factors[table.y])
        expected = fit(plain, Rules(criterion))
        weighted = fit(table, Rules(criterion), class_weight=dict(enumerate(factors.tolist())))
        for name in ("feature", "threshold", "children_left", "value", "weighted_n_node_samples"):
            assert np.array_equal(
                getattr(expected.tree_, name), getattr(weighted.tree_, name), equal_nan=True
            ), f"{table}\nfactors {factors}"
        check_agreement(plain, Rules(criterion))


def test_balanced_class_weights_are_rows_over_classes_times_rows_of_the_class():
    for seed in range(200):
        table = random_table(np.random.default_rng(seed), gaps=seed % 2 == 0)
        count = np.bincount(table.y)
        factor = table.n_rows / (len(count) * count)
        weighted = fit(type(table)(table.X, table.y, factor[table.y]), Rules())
        balanced = fit(table, Rules(), class_weight="balanced")
        for name in ("feature", "threshold", "children_left", "value", "impurity"):
            assert np.array_equal(
                getattr(weighted.tree_, name), getattr(balanced.tree_, name), equal_nan=True
            ), str(table)
