"""What growing takes, in operations: n log n to put columns in order, n a level to grow."""

import itertools
import math

import numpy as np
import pytest

from samples import sample
from treewright.parts.limits import Limits
from treewright.recipes import CART_CLASSES, CART_NUMBERS, Recipe
from treewright.table.target import CodedClasses

N_COLUMNS = 3
SIZES = (1_000, 10_000, 100_000, 1_000_000)


def grown(n, of_classes, max_depth, n_threads=1):
    """Grow on values of which no two are equal; give the tree and what it took."""
    rng = np.random.default_rng(n)
    codes = [rng.normal(size=n) for _ in range(N_COLUMNS)]
    numbers = codes[0] + np.sin(3 * codes[1]) + rng.normal(size=n)
    recipe: Recipe = CART_NUMBERS
    target = numbers
    if of_classes:
        recipe = CART_CLASSES
        target = CodedClasses((numbers > 0.5).astype(np.int32) + (numbers > 1), np.arange(3))
    limits = Limits(max_depth=max_depth)
    found = sample(codes, target, None, n_threads).grow(Recipe(criterion=recipe.criterion, limits=limits))
    return found.tree, found.work


def check(n, tree, work):
    """Hold the counters to the bounds that the tree itself gives."""
    assert n * N_COLUMNS < work.n_sorted <= 6 * n * N_COLUMNS  # passes of a radix sort, ties of cut-off keys
    assert work.n_sorted <= N_COLUMNS * n * math.log2(n)
    inner = tree.column >= 0
    # Rows of the nodes on a level are at most n. Leaves may have been looked into in vain, if their classes
    # are mixed; these are few where all values differ.
    in_inner = int(tree.n_rows[inner].sum())
    assert in_inner <= n * tree.max_depth
    assert sum(work.n_nodes) == inner.sum()
    assert work.n_scanned <= N_COLUMNS * in_inner
    # Every row of an inner node goes to a child in every list and in the list of members; on its way down
    # it is copied to a narrower block twice at most.
    assert work.n_moved <= (N_COLUMNS + 1) * (in_inner + 2 * n)


@pytest.mark.parametrize("of_classes", [True, False], ids=["classes", "numbers"])
def test_work_a_level_grows_as_the_rows_do(of_classes):
    depth = 6
    taken = []
    for n in SIZES[:3]:  # large nodes of larger tables are counted by bins
        tree, work = grown(n, of_classes, depth)
        check(n, tree, work)
        assert work.n_scanned <= N_COLUMNS * n * depth
        taken.append((work.n_sorted, work.n_scanned, work.n_moved))
    for fewer, more in itertools.pairwise(taken):
        assert all(after <= 11 * before for before, after in zip(fewer, more, strict=True))


@pytest.mark.parametrize("of_classes", [True, False], ids=["classes", "numbers"])
@pytest.mark.parametrize("n", SIZES[:3])
def test_a_tree_grown_to_the_end_goes_through_no_row_twice_on_a_level(n, of_classes):
    """Were lists of siblings gone through together, a level would take more than its rows."""
    tree, work = grown(n, of_classes, None)
    check(n, tree, work)
    assert work.n_scanned >= 0.5 * N_COLUMNS * int(tree.n_rows[tree.column >= 0].sum())


def test_a_million_rows_grown_to_the_end_keep_to_the_bounds():
    tree, work = grown(SIZES[-1], of_classes=True, max_depth=None)
    check(SIZES[-1], tree, work)
    assert work.n_nodes[0] < work.n_nodes[1] < work.n_nodes[2]  # nearly all in the narrowest lists


def test_threads_add_no_work():
    _, alone = grown(50_000, of_classes=False, max_depth=None)
    _, together = grown(50_000, of_classes=False, max_depth=None, n_threads=2)
    assert (alone.n_threads, together.n_threads) == (1, 2)
    assert together.n_sorted == alone.n_sorted
    assert together.n_scanned == alone.n_scanned
    assert sum(together.n_nodes) == sum(alone.n_nodes)


def test_columns_of_few_values_and_gaps_take_fewer_passes():
    rng = np.random.default_rng(0)
    n = 20_000
    few = rng.integers(0, 5, n).astype(np.float64)
    for column in (few, np.where(rng.random(n) < 0.5, np.nan, few)):
        work = sample([column], rng.normal(size=n)).grow(CART_NUMBERS).work
        assert 0 < work.n_sorted <= 2 * n


def test_columns_not_drawn_are_not_scanned():
    rng = np.random.default_rng(1)
    codes = [rng.normal(size=5_000) for _ in range(8)]
    recipe = Recipe(criterion=CART_NUMBERS.criterion, limits=Limits(max_depth=4, max_columns=2))
    found = sample(codes, rng.normal(size=5_000)).grow(recipe)
    assert found.work.n_scanned == 2 * int(found.tree.n_rows[found.tree.column >= 0].sum())


def test_threads_rarely_wait_for_each_other_where_nodes_are_counted():
    """Rounds go by nodes that threads share, not by rows; next to nothing is done by one of them alone."""
    rng = np.random.default_rng(2)
    rounds = []
    for n in (300_000, 1_200_000):
        codes = [rng.normal(size=n) for _ in range(4)]
        target = CodedClasses((codes[0] + rng.normal(size=n) > 0).astype(np.int32), np.arange(2))
        recipe = Recipe(criterion=CART_CLASSES.criterion, limits=Limits(max_depth=6))
        work = sample(codes, target, None, 2).grow(recipe).work
        assert "counted by bins" in work.path
        assert f"threads: 2 in {work.n_rounds} rounds" in str(work)
        assert 0 < work.n_alone < 0.06 * work.n_scanned
        rounds.append(work.n_rounds)
    assert 0 < rounds[0] <= rounds[1] <= 6 * 32
    alone = sample(codes, target, None, 1).grow(recipe).work
    assert alone.n_rounds == 0
    assert "rounds" not in str(alone)
