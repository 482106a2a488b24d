"""The pruning ledger has the figures of the slow twins, and decides as pruning does."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from oracle import naive_pruning_rules as naive
from oracle.agreement import TIMES
from oracle_agreement.test_pruning_rules import CRITERIA, IDS, leaves_of, rows_for
from random_trees import WAYS_OF_CLASSES, WAYS_OF_NUMBERS, random_tree_of_classes, small_model
from treewright.fitting.error_based import prune_by_errors
from treewright.fitting.prune import prune
from treewright.fitting.pruning_audit import comparisons, links
from treewright.parts.criteria import Variance
from treewright.parts.leaf_values import Mean, Median
from treewright.parts.pruners import ErrorBased, MinimumError, Pessimistic, PrePruning, ReducedError
from treewright.recipes import CART_CLASSES, Recipe


def decided(tree, found):
    """Give the leaves that are left where nodes became leaves as the ledger says."""
    cut = [row.node for row in found if row.verdict == "leaf"]
    return leaves_of(replace(tree, n_rows=np.arange(tree.n_nodes)).collapsed(cut))


@pytest.mark.parametrize("pruner", [Pessimistic(), Pessimistic(0.5), MinimumError(), MinimumError(3.0)])
def test_rules_by_the_training_rows_decide_as_they_say(pruner):
    n_cut = 0
    for seed in range(60 * TIMES):
        tree = random_tree_of_classes(np.random.default_rng([seed, 61]))
        plain = naive.PlainTree.of(tree)
        found, total = comparisons(tree, pruner, None, CART_CLASSES)
        assert total == plain.total[0]
        assert decided(tree, found) == leaves_of(prune(tree, pruner))
        for row in found:
            assert row.errors == plain.wrong(row.node)
            assert (row.as_leaf <= row.as_subtree + 1e-9) == (row.verdict == "leaf")
            assert row.as_subtree == pytest.approx(sum(row.terms))
            if isinstance(pruner, MinimumError) and row.weight:
                m = None if pruner.m is None else Fraction(pruner.m)
                _, rate = naive.minimum_error(leaf_of(plain, row.node), m, row.node)
                assert row.as_leaf == pytest.approx(float(rate * plain.total[row.node]))
            n_cut += row.verdict == "leaf"
    assert n_cut


def leaf_of(tree, node):
    """Give a tree in which a node is a leaf."""
    return replace(tree, children=[[] if at == node else each for at, each in enumerate(tree.children)])


@pytest.mark.parametrize("way", [*WAYS_OF_CLASSES, *WAYS_OF_NUMBERS], **IDS)
@pytest.mark.parametrize("pruner", [ReducedError(), ReducedError(strict=True), PrePruning()])
def test_rules_by_held_out_rows_compare_the_cost_of_the_whole_tree(way, pruner):
    for seed in range(12 * TIMES):
        _, held_out, estimator = small_model(np.random.default_rng([seed, 62]), way)
        if not held_out.n_rows:
            continue
        tree, rows = estimator.tree_, rows_for(estimator, held_out)
        is_median = way.criterion == "absolute_error"
        recipe = Recipe(criterion=Variance(), leaf_value=Median() if is_median else Mean())
        found, total = comparisons(tree, pruner, rows, recipe)
        assert total == pytest.approx(held_out.weights.sum())
        numbered = replace(tree, n_rows=np.arange(tree.n_nodes))
        assert decided(tree, found) == leaves_of(prune(numbered, pruner, rows, recipe))
        power = 1 if is_median else 2
        cost = naive.cost_as_leaves(tree, rows.codes, rows.targets.tolist(), held_out.weights, power)
        is_pre = isinstance(pruner, PrePruning)
        leaves = {0} if is_pre else set(naive.PlainTree.of(tree).leaves(0))
        for row in found:
            kept = {leaf for leaf in leaves if not row.node <= leaf < tree.end[row.node]}
            below = set(tree.children(row.node)) if is_pre else leaves - kept
            assert row.as_leaf == pytest.approx(float(sum(cost[leaf] for leaf in kept | {row.node})))
            assert row.as_subtree == pytest.approx(float(sum(cost[leaf] for leaf in kept | below)))
            assert row.n_leaves == len(below)
            leaves = kept | ({row.node} if row.verdict == "leaf" else below)
        assert leaves == decided(tree, found)


@pytest.mark.parametrize("raising", [True, False])
@pytest.mark.parametrize("way", WAYS_OF_CLASSES, **IDS)
def test_error_based_pruning_compares_what_the_twin_compares(way, raising):
    for seed in range(15 * TIMES):
        table, _, estimator = small_model(np.random.default_rng([seed, 56]), way)
        tree, rows = estimator.tree_, rows_for(estimator, table)
        pruner = ErrorBased(raising=raising)
        found, _ = comparisons(tree, pruner, rows, CART_CLASSES)
        oracle = naive.ErrorBased(tree, rows.codes, rows.targets.tolist(), raising=raising)
        cases = {row: Fraction(weight) for row, weight in enumerate(table.weights.tolist())}
        oracle.prune(oracle.grown(), cases)
        assert [row.node for row in found] == [node for node, *_ in oracle.compared]
        for row, (_, leaf, subtree, branch) in zip(found, oracle.compared, strict=True):
            assert (row.as_leaf, row.as_subtree) == pytest.approx((leaf, subtree), abs=1e-6)
            assert row.as_branch == (pytest.approx(branch, abs=1e-6) if raising else None)
            assert sum(row.branch_terms) == pytest.approx(row.as_branch or 0.0)
            assert all(term >= 0 for term in row.branch_terms)
            assert row.as_subtree == pytest.approx(sum(row.terms))
        if found:
            pruned = prune_by_errors(tree, pruner, rows, Recipe(criterion=CRITERIA[way.criterion]))
            last = found[-1]
            expected = {"leaf": last.as_leaf, "stays": last.as_subtree}[last.verdict]
            assert pruned.errors[0] == pytest.approx(expected, abs=1e-6)


def test_branches_are_raised_among_these():
    """Or nothing above compares nodes again with the rows of a parent."""
    n_raised = 0
    for seed in range(15 * TIMES):
        table, _, estimator = small_model(np.random.default_rng([seed, 56]), WAYS_OF_CLASSES[0])
        found, _ = comparisons(estimator.tree_, ErrorBased(), rows_for(estimator, table), CART_CLASSES)
        n_raised += sum(row.verdict == "branch" for row in found)
    assert n_raised


def test_the_price_of_a_leaf_is_what_its_formula_says_after_any_number_of_cuts():
    for seed in range(80 * TIMES):
        tree = random_tree_of_classes(np.random.default_rng([seed, 63]), most_leaves=9, empty=0.0)
        plain = naive.PlainTree.of(tree)
        first, total = links(tree, "error")
        order = sorted((row for row in first if row.step), key=lambda row: row.step)
        assert [row.step for row in order] == list(range(1, len(order) + 1))
        for after, nextly in enumerate([*order, None]):
            found, _ = links(tree, "error", after)
            assert nextly is not None or not found
            for row in found:
                below = plain.leaves(row.node)
                risk = plain.wrong(row.node) - sum(map(plain.wrong, below))
                assert row.price == pytest.approx(float(risk / (len(below) - 1) / plain.total[0]))
                assert (row.n_leaves, row.as_leaf * total) == (len(below), pytest.approx(float(row.errors)))
            if nextly is not None:
                assert nextly.cut_at == pytest.approx(min(row.price for row in found))
                plain = leaf_of(plain, nextly.node)
