"""What must not change a tree does not, whatever the criterion, the questions, the gaps and the choice.

`test_invariances` holds more of them for thresholds with learned branches; here every combination of
criterion, questions about categories, way with gaps and splitter has its turn on tables of both kinds.
"""

import numpy as np
import pytest

from mixed_tables import WAYS, MixedTable, Way, mixed_table
from oracle.agreement import TIMES

ALL_WAYS = pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(vars(way).values()))
N = 12 * TIMES


def tables(part: int, way: Way, n: int = N, **options):
    for seed in range(n):
        rng = np.random.default_rng([seed, part, WAYS.index(way)])
        yield rng, mixed_table(rng, way, **options)


def shape(estimator) -> dict[str, list]:
    """Give what a tree asks and how it branches."""
    tree = estimator.tree_
    questions = [None if tree.node(i).is_leaf else tree.question(i) for i in range(tree.n_nodes)]
    return {"questions": questions, "children": tree.child.tolist()}


def parted(estimator, table: MixedTable) -> list[int]:
    """Give the leaf of every row, leaves numbered in order of their first row."""
    leaves = estimator.apply(table.columns)
    names = {leaf: number for number, leaf in enumerate(dict.fromkeys(leaves.tolist()))}
    return [names[leaf] for leaf in leaves.tolist()]


@ALL_WAYS
def test_the_order_of_rows_changes_nothing(way):
    for rng, table in tables(1, way):
        one, other = table.fit(way), table.take(rng.permutation(table.n_rows)).fit(way)
        assert one.tree_ == other.tree_, str(table)


@ALL_WAYS
def test_three_times_the_weights_change_only_the_weights(way):
    for _, table in tables(2, way):
        three = MixedTable(table.columns, table.y, table.weights * 3, table.is_category)
        one, other = table.fit(way), three.fit(way)
        assert shape(one) == shape(other), str(table)
        assert np.array_equal(one.tree_.weight * 3, other.tree_.weight), str(table)
        for name in ("n_rows", "impurity", "gain", "value"):
            np.testing.assert_allclose(
                getattr(one.tree_, name), getattr(other.tree_, name), rtol=1e-12, atol=1e-12
            )


@ALL_WAYS
def test_a_weight_of_k_is_k_copies_of_the_row(way):
    """Rows are parted alike.

    Counts of rows differ, and with them the branch for values that were never missing where they are asked
    for: no row of the table takes it.
    """
    for _, table in tables(3, way):
        copies = table.take(np.repeat(np.arange(table.n_rows), table.weights.astype(int)))
        weighted, copied = table.fit(way), copies.fit(way, weighted=False)
        assert np.array_equal(weighted.apply(copies.columns), copied.apply(copies.columns)), str(table)
        for name in ("weight", "column", "cut", "impurity", "gain"):
            np.testing.assert_allclose(
                getattr(weighted.tree_, name), getattr(copied.tree_, name), rtol=1e-12, atol=1e-12
            )


@ALL_WAYS
def test_a_row_of_weight_zero_is_absent(way):
    """Ghosts have values that others have too: what categories and classes there are is read off all rows."""
    for rng, table in tables(4, way):
        rows = np.concatenate([np.arange(table.n_rows), rng.integers(0, table.n_rows, 4)])
        haunted = table.take(rows)
        haunted.weights[table.n_rows :] = 0
        haunted.y[table.n_rows :] = rng.permutation(haunted.y[table.n_rows :])
        assert haunted.fit(way).tree_ == table.fit(way).tree_, str(haunted)


@pytest.mark.parametrize(
    "way",
    [way for way in WAYS if way.splitter == "best"],
    ids=lambda way: "-".join(vars(way).values()),
)
def test_other_names_for_the_categories_part_the_rows_alike(way):
    """The first split gains as much, to the bit, whatever the order of the categories.

    Ties inside a column go to the set found first, and in another order another one is. So which rows go
    where, and all below the root, is promised to be the same only where nothing ties. With weights up to
    10,000 hardly anything does but for the misclassification, where most questions are worth nothing, the
    absolute error, which does not tell apart sets whose sides have the same medians, and gaps, which any pure
    branch may suit. Nothing is promised where sets are drawn, where only some of many
    sets are tried, and where a limit on leaves forbids the best.
    """
    for rng, table in tables(5, way, most_weight=10_000):
        renamed = table.renamed(rng)
        one, other = table.fit(way), renamed.fit(way)
        assert one.tree_.gain[0] == other.tree_.gain[0], str(table)
        if way.criterion not in ("misclassification", "absolute_error") and not table.has_gaps:
            assert parted(one, table) == parted(other, renamed), f"{table}\n{renamed}"
