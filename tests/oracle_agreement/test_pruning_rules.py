"""Every rule of pruning leaves what its formula, or a look at all pruned trees, says."""

import warnings
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from oracle import naive_pruning_rules as naive
from oracle.agreement import TIMES
from random_trees import WAYS_OF_CLASSES, WAYS_OF_NUMBERS, random_tree_of_classes, small_model
from treewright import information
from treewright.errors import UnseenCategoryWarning
from treewright.fitting.error_based import prune_by_errors
from treewright.fitting.prune import prune
from treewright.fitting.sequence import pruning_path
from treewright.model.labelled_rows import EncodedRows
from treewright.parts.criteria import (
    Entropy,
    GainRatio,
    Gini,
    Misclassification,
    TaylorEntropy,
    Twoing,
    Variance,
)
from treewright.parts.leaf_values import Mean, Median
from treewright.parts.pruners import ErrorBased, MinimumError, Pessimistic, PrePruning, ReducedError
from treewright.recipes import Recipe
from treewright.table.read import read
from treewright.table.target import CodedClasses

N = 500 * TIMES
CRITERIA = {
    "gini": Gini(),
    "entropy": Entropy(),
    "misclassification": Misclassification(),
    "taylor_entropy": TaylorEntropy(),
    "twoing": Twoing(),
    "gain_ratio": GainRatio(),
}
IMPURITIES = {
    "gini": information.gini,
    "entropy": information.entropy,
    "misclassification": information.misclassification,
    "taylor_entropy": information.taylor_entropy,
    "twoing": information.gini,
    "gain_ratio": information.entropy,
}
IDS = {"ids": lambda way: "-".join(vars(way).values())}


def leaves_of(pruned):
    """Give the leaves as nodes of the grown tree, whose `n_rows` were made their numbers."""
    return frozenset(pruned.n_rows[pruned.column < 0].tolist())


def encoded(model, table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        return model._encode(read(table.columns))


def rows_for(estimator, table):
    """Give the rows of a table as pruners take them; a class that the tree does not know is another one."""
    codes = encoded(estimator.model_, table)
    if not estimator.tree_.is_classifier:
        return EncodedRows(codes, table.y, table.weights)
    known = {label: code for code, label in enumerate(estimator.classes_.tolist())}
    classes = np.array([known.get(label, 0) for label in table.y.tolist()], dtype=np.int32)
    return EncodedRows(codes, CodedClasses(classes, estimator.classes_), table.weights)


# -- By the training rows' classes -------------------------------------------------------------------------


@pytest.mark.parametrize("standard_errors", [0.0, 0.5, 1.0, 2.0])
def test_pessimistic_pruning_goes_by_its_formula(standard_errors):
    for seed in range(N // 4):
        tree = random_tree_of_classes(np.random.default_rng([seed, 51]))
        pruned = prune(tree, Pessimistic(standard_errors))
        assert leaves_of(pruned) == naive.pessimistic(naive.PlainTree.of(tree), Fraction(standard_errors))


@pytest.mark.parametrize("m", [None, 0.0, 0.5, 2.0, 30.0])
def test_minimum_error_pruning_goes_by_its_formula(m):
    for seed in range(N // 5):
        tree = random_tree_of_classes(np.random.default_rng([seed, 52]))
        expected, _ = naive.minimum_error(naive.PlainTree.of(tree), None if m is None else Fraction(m))
        assert leaves_of(prune(tree, MinimumError(m))) == expected


@pytest.mark.parametrize("way", WAYS_OF_CLASSES, **IDS)
def test_trees_of_any_recipe_are_pruned_by_these_formulas(way):
    for seed in range(15 * TIMES):
        _, _, estimator = small_model(np.random.default_rng([seed, 53]), way)
        tree = replace(estimator.tree_, n_rows=np.arange(estimator.tree_.n_nodes))
        plain = naive.PlainTree.of(tree)
        assert leaves_of(prune(tree, Pessimistic())) == naive.pessimistic(plain, Fraction(1))
        assert leaves_of(prune(tree, MinimumError())) == naive.minimum_error(plain, None)[0]


# -- By rows held out ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", [*WAYS_OF_CLASSES, *WAYS_OF_NUMBERS], **IDS)
def test_reduced_error_pruning_leaves_the_smallest_tree_of_least_cost(way):
    """All pruned trees are tried; half of those of classes have a loss matrix."""
    for seed in range(56 * TIMES):
        rng = np.random.default_rng([seed, 54])
        _, held_out, estimator = small_model(rng, way)
        if not held_out.n_rows:
            continue
        tree = replace(estimator.tree_, n_rows=np.arange(estimator.tree_.n_nodes))
        if tree.is_classifier and seed % 2:
            loss = rng.integers(1, 6, 2 * (tree.outcome.shape[1],)).astype(float)
            np.fill_diagonal(loss, 0.0)
            tree = replace(tree, loss=loss)
        is_median = way.criterion == "absolute_error"
        rows = rows_for(estimator, held_out)
        recipe = Recipe(criterion=Variance(), leaf_value=Median() if is_median else Mean())
        ours = leaves_of(prune(tree, ReducedError(), rows, recipe))
        target = rows.targets.tolist()
        cost = naive.cost_as_leaves(tree, rows.codes, target, held_out.weights, 1 if is_median else 2)
        costs = {
            leaves: sum(cost[leaf] for leaf in leaves)
            for leaves in naive.subtrees(naive.PlainTree.of(tree).children)
        }
        least = min(costs.values())
        fewest = min(len(leaves) for leaves, total in costs.items() if total == least)
        # Shares and distances are rounded, counts are not.
        is_exact = tree.is_classifier and way.missing != "spread"
        assert costs[ours] - least <= (0 if is_exact else least * 1e-11)
        assert len(ours) <= fewest
        if is_exact:
            strict = leaves_of(prune(tree, ReducedError(strict=True), rows, recipe))
            most = max(len(leaves) for leaves, total in costs.items() if total == least)
            assert (costs[strict], len(strict)) == (least, most)
            pre_pruned = naive.pre_pruned(naive.PlainTree.of(tree), cost)
            assert leaves_of(prune(tree, PrePruning(), rows, recipe)) == pre_pruned


def test_sums_in_another_order_do_not_keep_a_split_that_changes_nothing():
    """All nodes answer alike, so all pruned trees cost the same, whatever rounding makes of the weights."""
    for seed in range(40):
        rng = np.random.default_rng([seed, 57])
        _, held_out, estimator = small_model(rng, WAYS_OF_CLASSES[0])
        if held_out.n_rows:
            rows = replace(rows_for(estimator, held_out), weights=rng.random(held_out.n_rows))
            tree = replace(estimator.tree_, label=np.zeros(estimator.tree_.n_nodes, np.int32))
            assert prune(tree, ReducedError(), rows).n_nodes == 1


def test_rows_held_out_that_weigh_nothing_are_not_there():
    _, held_out, estimator = small_model(np.random.default_rng(3), WAYS_OF_CLASSES[0])
    rows = rows_for(estimator, held_out)
    some = held_out.weights * (np.arange(held_out.n_rows) % 2)
    fewer = replace(rows, weights=some).of_positive_weight()
    assert prune(estimator.tree_, ReducedError(), replace(rows, weights=some)) == prune(
        estimator.tree_, ReducedError(), fewer
    )


# -- By cost-complexity --------------------------------------------------------------------------------------


def test_cost_complexity_is_least_among_all_pruned_trees_and_these_are_nested():
    """In fractions: at every alpha, and half-way to the next one, where the smallest of equals is meant."""
    for seed in range(N):
        tree = random_tree_of_classes(np.random.default_rng([seed, 55]), most_leaves=9, empty=0.0)
        plain = naive.PlainTree.of(tree)
        risk = [(sum(w) - sum(each * each for each in w) / sum(w)) / plain.total[0] for w in plain.weights]
        risks = {leaves: sum(risk[leaf] for leaf in leaves) for leaves in naive.subtrees(plain.children)}
        path = pruning_path(tree)
        ours = [leaves_of(tree.collapsed(path.nodes[:step].tolist())) for step in range(len(path.alphas))]
        assert ours[0] == frozenset(plain.leaves(0))
        assert ours[-1] == frozenset([0])
        for larger, smaller in pairwise(ours):
            assert len(smaller) < len(larger)
            assert all(any(top <= leaf < tree.end[top] for top in smaller) for leaf in larger)
        assert (np.diff(path.alphas) >= 0).all()
        for step, (alpha, leaves) in enumerate(zip(path.alphas.tolist(), ours, strict=True)):
            assert float(risks[leaves]) == pytest.approx(path.risks[step], abs=1e-12)
            best = min(total + Fraction(alpha) * len(each) for each, total in risks.items())
            assert float(risks[leaves] + Fraction(alpha) * len(leaves) - best) <= 1e-12
            above = path.alphas[step + 1] if step + 1 < len(path.alphas) else alpha + 1.0
            if above - alpha > 1e-9:
                between = Fraction(alpha + above) / 2
                assert leaves == min(risks, key=lambda each: (risks[each] + between * len(each), len(each)))


# -- By the errors to be expected ----------------------------------------------------------------------------


def same(tree, number, expected, grown):
    """Compare what is left with the oracle's, node by node."""
    node = tree.node(number)
    assert tree.answer[number] == expected.label
    assert node.errors == pytest.approx(expected.errors, abs=1e-6)
    assert len(node.children) == len(expected.children)
    if node.children:
        was = grown.node(expected.node)
        assert (node.question, node.surrogates) == (was.question, was.surrogates)
        for child, below in zip(node.children, expected.children, strict=True):
            same(tree, child, below, grown)


@pytest.mark.parametrize("raising", [True, False])
@pytest.mark.parametrize("way", WAYS_OF_CLASSES, **IDS)
def test_error_based_pruning_serves_every_tree_of_classes(way, raising):
    for seed in range(25 * TIMES):
        table, _, estimator = small_model(np.random.default_rng([seed, 56]), way)
        tree = estimator.tree_
        rows = rows_for(estimator, table)
        recipe = Recipe(criterion=CRITERIA[way.criterion])
        pruned = prune_by_errors(tree, ErrorBased(raising=raising), rows, recipe)
        oracle = naive.ErrorBased(tree, rows.codes, rows.targets.tolist(), raising=raising)
        cases = {row: Fraction(weight) for row, weight in enumerate(table.weights.tolist())}
        same(pruned, 0, oracle.prune(oracle.grown(), cases), tree)
        tells_of_its_rows(pruned, rows, way)


def tells_of_its_rows(tree, rows, way):
    """Hold what every node tells to the rows that come to it now."""
    outcome, n_rows = np.zeros(tree.outcome.shape), np.zeros(tree.n_nodes)
    for row, (label, weight) in enumerate(zip(rows.targets, rows.weights, strict=True)):
        for node, share in naive.passed(tree, rows.codes, row).items():
            outcome[node, label] += weight * float(share)
            n_rows[node] += 1
    there = np.flatnonzero(tree.weight)
    np.testing.assert_allclose(tree.outcome[there], outcome[there], atol=1e-9)
    np.testing.assert_allclose(tree.weight, outcome.sum(axis=1), atol=1e-9)
    assert tree.n_rows.tolist() == n_rows.tolist()
    impurity = [IMPURITIES[way.criterion](counts=outcome[node]) for node in there]
    np.testing.assert_allclose(tree.impurity[there], impurity, atol=1e-9)
    assert (tree.gain >= 0).all()
    if way.criterion == "gini":  # others judge by the rows with a value, or by something else
        amount = tree.weight * tree.impurity / tree.weight[0]
        gain = [node.children and amount[node.id] - amount[list(node.children)].sum() for node in tree.walk()]
        np.testing.assert_allclose(tree.gain, [each or 0.0 for each in gain], atol=1e-9)


def test_raised_branches_are_among_those_tried():
    """Or nothing above shows that nodes tell of other rows than before."""
    n_raised = 0
    for seed in range(25 * TIMES):
        table, _, estimator = small_model(np.random.default_rng([seed, 56]), WAYS_OF_CLASSES[0])
        pruned = prune_by_errors(
            estimator.tree_, ErrorBased(), rows_for(estimator, table), Recipe(criterion=Gini())
        )
        n_raised += not np.isin(pruned.outcome, estimator.tree_.outcome).all()
    assert n_raised
