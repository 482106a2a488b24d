"""Weakest-link pruning: the path down to the root, and the tree for a price."""

import numpy as np
import pytest
import sklearn.tree

from treewright.fitting.fit import fit
from treewright.fitting.prune import prune
from treewright.fitting.sequence import pruning_path
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
