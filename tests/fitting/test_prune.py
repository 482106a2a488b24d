"""Weakest-link pruning: the path down to the root, and the tree for a price."""

from dataclasses import replace

import numpy as np
import pytest
import sklearn.tree

from labelled import fit
from random_trees import random_children, shape
from treewright.fitting.prune import prune
from treewright.fitting.sequence import pruning_path
from treewright.model.tree import Tree
from treewright.parts.pruners import CostComplexity, NoPruning
from treewright.recipes import CART_CLASSES, CART_NUMBERS
from treewright.table.read import Raw
from treewright.table.target import read_classes


def grown(seed, of_classes=False):
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(80, 3)), random.normal(size=80)
    if of_classes:
        y = (y > 0).astype(int) + (X[:, 0] > 1)
        return X, y, fit(X, read_classes(Raw(y)), recipe=CART_CLASSES).tree
    return X, y, fit(X, y, recipe=CART_NUMBERS).tree


def test_the_path_starts_with_the_tree_itself_and_ends_with_its_root():
    _, _, tree = grown(0)
    path = pruning_path(tree)
    assert path.alphas[0] == 0.0
    assert path.risks[0] == pytest.approx(0.0, abs=1e-12)
    assert path.risks[-1] == tree.impurity[0]
    assert path.nodes[-1] == 0


@pytest.mark.parametrize("seed", range(5))
def test_alphas_and_risks_rise(seed):
    path = pruning_path(grown(seed)[2])
    assert (np.diff(path.alphas) >= 0).all()
    assert (np.diff(path.risks) >= -1e-12).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_path_is_that_of_scikit_learn(seed):
    X, y, tree = grown(seed)
    path = pruning_path(tree)
    theirs = sklearn.tree.DecisionTreeRegressor(random_state=0).cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(path.alphas, theirs.ccp_alphas, atol=1e-10)
    np.testing.assert_allclose(path.risks, theirs.impurities, atol=1e-10)


@pytest.mark.parametrize("of_classes", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_every_alpha_of_the_path_gives_the_tree_of_its_step(seed, of_classes):
    _, _, tree = grown(seed, of_classes)
    path = pruning_path(tree)
    for alpha in np.unique(path.alphas)[1:]:
        step = int(np.flatnonzero(path.alphas == alpha)[-1])
        pruned = prune(tree, CostComplexity(float(alpha)))
        leaves = pruned.column < 0
        risk = (pruned.weight * pruned.impurity)[leaves].sum() / pruned.weight[0]
        assert risk == pytest.approx(path.risks[step], abs=1e-12)


def test_pruning_leaves_the_grown_tree_as_it_is():
    _, _, tree = grown(1)
    before = {name: getattr(tree, name).copy() for name in ("column", "child", "cut")}
    prune(tree, CostComplexity(10.0))
    assert all(np.array_equal(getattr(tree, name), values, equal_nan=True) for name, values in before.items())


def test_no_pruning_gives_the_tree_itself():
    _, _, tree = grown(1)
    assert prune(tree, NoPruning()) is tree


def test_a_single_leaf_has_a_path_of_one_step():
    tree = fit(np.ones((3, 1)), np.array([1.0, 2.0, 3.0]), recipe=CART_NUMBERS).tree
    path = pruning_path(tree)
    assert path.alphas.tolist() == [0.0]
    assert path.risks.tolist() == [tree.impurity[0]]
    assert prune(tree, CostComplexity(1.0)).n_nodes == 1


def with_risks(children, risk):
    n = len(children)
    return Tree(
        **shape(children), weight=np.ones(n), outcome=np.zeros((n, 1)), impurity=risk, is_classifier=False
    )


def comb(n_levels, leaf_first):
    """A tree of one leaf and one inner node a level, down to two leaves."""
    n_nodes = 2 * n_levels + 1
    if leaf_first:
        return [[at + 1, at + 2] if at % 2 == 0 and at + 1 < n_nodes else [] for at in range(n_nodes)]
    return [[at + 1, n_nodes - 1 - at] if at < n_levels else [] for at in range(n_nodes)]


@pytest.mark.parametrize("leaf_first", [True, False])
def test_a_very_deep_tree_is_pruned_from_below(leaf_first):
    """Each level saves more than the one below it, in whole units, so it goes level by level."""
    n_levels = 50_000
    tree = with_risks(comb(n_levels, leaf_first), np.zeros(2 * n_levels + 1))
    assert tree.max_depth == n_levels
    height = np.where(tree.column < 0, 0, n_levels - tree.depth).astype(np.float64)
    risk = height * (height + 1) / 2
    path = pruning_path(replace(tree, impurity=risk))
    inner = np.flatnonzero(tree.column >= 0)
    assert path.nodes.tolist() == inner[::-1].tolist()
    np.testing.assert_array_equal(path.alphas, np.arange(n_levels + 1))
    np.testing.assert_array_equal(path.risks, np.cumsum(np.arange(n_levels + 1)))
    assert tree.collapsed([0]).n_nodes == 1
    assert tree.collapsed(inner[-1:].tolist()).max_depth == n_levels - 1


def test_of_nested_nodes_with_one_alpha_the_topmost_goes():
    path = pruning_path(with_risks(comb(3, True), np.array([3.0, 0, 2.0, 0, 1.0, 0, 0])))
    assert path.nodes.tolist() == [0]
    assert path.alphas.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("scale", [2.0**-1000, 2.0**-30, 2.0**900])
def test_the_scale_of_risks_does_not_matter(scale):
    rng = np.random.default_rng(4)
    children = random_children(rng, 40)
    risk = np.zeros(len(children))
    for node in reversed(range(len(children))):
        risk[node] = rng.integers(1, 9) + sum(risk[child] for child in children[node])
    one, other = pruning_path(with_risks(children, risk)), pruning_path(with_risks(children, risk * scale))
    assert one.nodes.tolist() == other.nodes.tolist()
    np.testing.assert_array_equal(one.alphas * scale, other.alphas)


def test_risks_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="risks must be finite"):
        pruning_path(with_risks([[1, 2], [], []], np.array([np.nan, 0.0, 0.0])))
