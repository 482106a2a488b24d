"""C4.5's own engine, which sums rows up by code and judges only who may win, against the general one.

Where every cut is to be listed, the general engine grows the tree: so both can be had from the same table.
"""

from dataclasses import fields, replace

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from oracle import naive_walk
from samples import sample
from treewright.fitting.prune import prune, prune_in_turn
from treewright.model.labelled_rows import EncodedRows
from treewright.parts.limits import Limits
from treewright.recipes import C45_J48, C45_RELEASE8
from treewright.table.target import CodedClasses

RECIPES = {"release8": C45_RELEASE8, "j48": C45_J48}
# Distinct values of a column of numbers: on either side of what is still coded, and so many that none is.
N_VALUES = (2, 5, 40, 255, 256, 4000)


def numbers(rng, n):
    kind = rng.integers(0, 4)
    if kind == 0:
        values = rng.integers(0, rng.choice(N_VALUES), n) / 4
    elif kind == 1:
        values = rng.integers(0, 9, n) * 6e-6  # closer than values that count as one
    elif kind == 2:
        values = rng.standard_normal(n)
    else:
        return rng.integers(-20, 20, n)
    values[rng.random(n) < rng.choice([0.0, 0.05, 0.4])] = np.nan
    return values


def categories(rng, n):
    n_codes = int(rng.choice([2, 3, 9, 300]))
    codes = rng.integers(0, n_codes, n).astype(np.int32)
    codes[rng.random(n) < rng.choice([0.0, 0.05, 0.4])] = -1
    return codes, n_codes


def random_sample(seed, n, n_threads):
    columns, n_categories, target, weights = random_table(seed, n)
    return sample(columns, target, weights, n_threads, n_categories)


def random_table(seed, n):
    rng = np.random.default_rng(seed)
    columns, n_categories = [np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 30, n))], [0]
    for _ in range(int(rng.integers(1, 6))):
        column, n_codes = categories(rng, n) if rng.random() < 0.5 else (numbers(rng, n), 0)
        columns.append(column)
        n_categories.append(n_codes)
    if rng.random() < 0.3:  # a column twice: true ties, which doubles cannot tell
        columns.append(columns[-1].copy())
        n_categories.append(n_categories[-1])
    n_classes = int(rng.choice([2, 2, 3, 7]))
    told = sum(np.nan_to_num(column.astype(float)) % 3 for column in columns) + rng.random(n) * 4
    classes = np.argsort(np.argsort(told)) * n_classes // n
    # Fractions whose sums are exact: where rows are in shares, a side is let off what rounding may take.
    fractions = rng.integers(7, 71, n) / 64
    weights = [None, rng.integers(1, 4, n).astype(float), fractions][int(rng.integers(0, 3))]
    return columns, n_categories, CodedClasses(classes.astype(np.int32), np.arange(n_classes)), weights


def assert_same_tree(quick, general):
    for field in fields(general):
        if field.name == "ledger":
            continue
        a, b = getattr(quick, field.name), getattr(general, field.name)
        if isinstance(b, np.ndarray):
            np.testing.assert_array_equal(a, b, err_msg=field.name)


@pytest.mark.parametrize("name", RECIPES)
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from([6, 25, 90, 400]),
    least=st.sampled_from([1.0, 2.0, 7.5]),
    by=st.sampled_from(["ratio", "ratio", "gain"]),
    charges=st.booleans(),
)
def test_both_engines_grow_the_same_tree(name, seed, n, least, by, charges):
    recipe = RECIPES[name]
    recipe = replace(
        recipe,
        limits=Limits(min_weight_leaf=least, min_weight_split=2 * least),
        ranking=replace(recipe.ranking, by=by),
        numeric=replace(recipe.numeric, charges_tries=charges),
    )
    general = random_sample(seed, n, 1).grow(recipe, keep_ledger=True, lists_every_cut=True).tree
    assert_same_tree(random_sample(seed, n, 1).grow(recipe).tree, general)
    noted = random_sample(seed, n, 1).grow(recipe, keep_ledger=True).tree
    assert_same_tree(noted, general)


@pytest.mark.parametrize("name", RECIPES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.sampled_from([6, 25, 90, 400]))
def test_a_table_without_gaps_grows_the_same_tree_where_a_constant_column_has_one(name, seed, n):
    columns, n_categories, target, weights = random_table(seed, n)
    columns = [
        np.maximum(column, 0) if column.dtype == np.int32 else np.nan_to_num(column) for column in columns
    ]
    whole = sample(columns, target, weights, 1, n_categories).grow(RECIPES[name]).tree
    constant = np.where(np.arange(n) == n // 2, np.nan, 1.0)
    shared = sample([*columns, constant], target, weights, 1, [*n_categories, 0]).grow(RECIPES[name]).tree
    for field in fields(whole):
        a, b = getattr(shared, field.name), getattr(whole, field.name)
        if isinstance(b, np.ndarray):  # units of weight are other ones, and so is the rounding of gains
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-15, err_msg=field.name)


@pytest.mark.parametrize("name", RECIPES)
def test_a_large_table_grows_the_same_tree_on_either_engine_and_any_number_of_threads(name):
    general = random_sample(5, 6000, 1).grow(RECIPES[name], keep_ledger=True, lists_every_cut=True).tree
    assert general.n_leaves > 25
    for n_threads in (1, 2):
        assert_same_tree(random_sample(5, 6000, n_threads).grow(RECIPES[name]).tree, general)


def end_of(tree, row):
    """Ask one question after the other, as far as the row has values."""
    node = 0
    while tree.column[node] >= 0:
        branch = naive_walk.branch_of(tree, node, row)
        if branch < 0:
            return node
        node = tree.children(node)[branch]
    return node


def sample_ends(tree, columns, weights):
    """Where every row of positive weight ends, one walk each."""
    rows = range(len(columns[0])) if weights is None else np.flatnonzero(weights > 0)
    return [
        end_of(tree, [("code", c[row]) if c.dtype == np.int32 else c[row].item() for c in columns])
        for row in rows
    ]


@pytest.mark.parametrize("name", RECIPES)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n=st.sampled_from([6, 25, 90, 400]), some=st.booleans())
def test_rows_end_where_their_values_lead(name, seed, n, some):
    columns, n_categories, target, weights = random_table(seed, n)
    if some:
        weights = np.where(np.arange(n) % 5 == 2, 0.0, 1.0 if weights is None else weights)
    grown = sample(columns, target, weights, 1, n_categories).grow(RECIPES[name])
    assert grown.ends.tolist() == sample_ends(grown.tree, columns, weights)


@pytest.mark.parametrize("name", RECIPES)
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from([6, 25, 90, 400]),
    confidence=st.sampled_from([0.01, 0.25, 0.5]),
)
def test_pruning_is_the_same_where_it_is_known_where_rows_end(name, seed, n, confidence):
    columns, n_categories, target, weights = random_table(seed, n)
    recipe = RECIPES[name]
    grown = sample(columns, target, weights, 1, n_categories).grow(recipe)
    tree = grown.tree
    rows = EncodedRows(columns, target, weights)
    collapse, by_errors = recipe.pruner.pruners
    by_errors = replace(by_errors, confidence=confidence)
    assert_same_tree(prune(tree, by_errors, rows, recipe, grown.ends), prune(tree, by_errors, rows, recipe))
    collapsed = prune_in_turn(grown, [collapse], rows, recipe)
    assert_same_tree(collapsed.tree, prune(tree, collapse, rows, recipe))
    walked = sample_ends(collapsed.tree, columns, weights)
    np.testing.assert_array_equal(collapsed.ends, walked)
    assert_same_tree(
        prune(collapsed.tree, by_errors, rows, recipe, collapsed.ends),
        prune(collapsed.tree, by_errors, rows, recipe),
    )


def test_where_rows_end_is_not_known_once_branches_were_raised():
    columns, n_categories, target, weights = random_table(1, 90)
    grown = sample(columns, target, weights, 1, n_categories).grow(C45_J48)
    rows = EncodedRows(columns, target, weights)
    assert prune_in_turn(grown, C45_J48.pruner.pruners, rows, C45_J48).ends is None
