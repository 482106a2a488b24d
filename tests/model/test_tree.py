"""The tree: read-only arrays, walked in pre-order."""

import copy
import itertools
import pickle
from dataclasses import replace

import numpy as np
import pytest
import sklearn.tree
from scipy.sparse import csr_matrix

import treewright as tw
from labelled import fit
from random_trees import random_children, shape
from treewright.errors import DeepTreeWarning, NoCounterpartError, TableError
from treewright.model.questions import Branches
from treewright.model.tree import Tree
from treewright.parts.criteria import GainRatio
from treewright.parts.missing import Surrogates
from treewright.recipes import CART_CLASSES, CART_NUMBERS
from treewright.table.read import Raw
from treewright.table.target import read_classes

X = np.array([[1, 7], [2, 5], [3, 8], [4, 1], [5, 9], [6, 2], [7, 3]], dtype=np.float64)
Y = np.array([0, 0, 1, 0, 2, 2, 2])


@pytest.fixture(name="tree")
def grown_tree():
    return fit(X, read_classes(Raw(Y)), recipe=CART_CLASSES).tree


def three_way():
    """Build a root with three leaves by hand: what has no scikit-learn counterpart."""
    return Tree(
        column=np.array([0, -1, -1, -1], np.int32),
        cut=np.array([1.0, np.nan, np.nan, np.nan]),
        cut_integer=np.zeros(4, np.int64),
        child_begin=np.array([0, 3, 3, 3, 3], np.int32),
        child=np.array([1, 2, 3], np.int32),
        missing_branch=np.array([0, -1, -1, -1], np.int32),
        set_begin=np.array([0, 3, 3, 3, 3], np.int32),
        set_code=np.array([0, 1, 3], np.int32),
        set_branch=np.array([2, 0, 1], np.int32),
        search=np.array([2, 0, 0, 0], np.int8),
        n_rows=np.array([6, 2, 2, 2]),
        weight=np.array([6.0, 2.0, 2.0, 2.0]),
        outcome=np.array([[2.0], [1.0], [2.0], [3.0]]),
        impurity=np.zeros(4),
        gain=np.zeros(4),
        n_columns=1,
        is_classifier=False,
    )


def test_the_arrays_are_read_only(tree):
    for name in Tree.arrays():
        assert getattr(tree, name) is None or not getattr(tree, name).flags.writeable, name
    with pytest.raises(ValueError, match="read-only"):
        tree.cut[0] = 1.0


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda tree: pickle.loads(pickle.dumps(tree))])
def test_a_copy_is_the_same_tree_and_read_only(tree, again):
    twin = again(tree)
    assert twin == tree
    assert not twin.cut.flags.writeable


def test_what_was_worked_out_is_not_pickled(tree):
    before = pickle.dumps(tree)
    assert tree.max_depth > 0
    assert pickle.dumps(tree) == before


def test_trees_that_differ_are_not_equal(tree):
    assert tree != fit(X, Y.astype(float), recipe=CART_NUMBERS).tree
    assert tree != "a tree"


def test_nodes_are_walked_in_pre_order(tree):
    nodes = list(tree.walk())
    assert [node.id for node in nodes] == list(range(tree.n_nodes))
    for node in nodes:
        if node.children:
            assert node.children[0] == node.id + 1
            assert all(nodes[child].parent == node.id for child in node.children)
            assert all(nodes[child].depth == node.depth + 1 for child in node.children)


def test_a_node_tells_all_about_itself(tree):
    root = tree.node(0)
    assert (root.parent, root.depth, root.n_rows, root.weight) == (None, 0, 7, 7.0)
    assert root.outcome == (3.0, 1.0, 3.0)
    assert not root.is_leaf
    leaf = tree.node(tree.n_nodes - 1)
    assert leaf.is_leaf
    assert leaf.question is None
    assert leaf.gain == 0.0


def test_a_node_that_does_not_exist_is_an_index_error(tree):
    with pytest.raises(IndexError, match=r"node 99 does not exist; the tree has nodes 0 to"):
        tree.node(99)
    with pytest.raises(IndexError):
        tree.node(-1)


def test_the_rows_of_children_add_up_to_those_of_their_parent(tree):
    for node in tree.walk():
        if node.children:
            assert sum(tree.n_rows[child] for child in node.children) == node.n_rows


def test_the_names_of_scikit_learn_mean_what_they_mean_there(tree):
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0).fit(X, Y).tree_
    for name in ("children_left", "children_right", "feature", "threshold", "impurity", "n_node_samples"):
        np.testing.assert_allclose(getattr(tree, name), getattr(theirs, name), err_msg=name)
    for name in ("weighted_n_node_samples", "value", "missing_go_to_left", "n_classes"):
        np.testing.assert_allclose(getattr(tree, name), getattr(theirs, name), err_msg=name)
        assert getattr(tree, name).shape == getattr(theirs, name).shape
    for name in ("node_count", "max_depth", "n_leaves", "n_features", "n_outputs", "max_n_classes"):
        assert getattr(tree, name) == getattr(theirs, name), name
    np.testing.assert_allclose(tree.compute_feature_importances(), theirs.compute_feature_importances())
    np.testing.assert_allclose(
        tree.compute_feature_importances(normalize=False), theirs.compute_feature_importances(normalize=False)
    )


def test_the_methods_of_scikit_learn_answer_as_there(tree):
    theirs = sklearn.tree.DecisionTreeClassifier(random_state=0).fit(X, Y).tree_
    rows = np.random.default_rng(0).normal(1.0, 2.0, (50, theirs.n_features)).astype(np.float32)
    for name in ("apply", "predict"):
        mine, other = getattr(tree, name)(rows), getattr(theirs, name)(rows)
        np.testing.assert_array_equal(mine, other, err_msg=name)
        assert (mine.dtype, mine.shape) == (other.dtype, other.shape)
    mine, other = tree.decision_path(rows), theirs.decision_path(rows)
    assert (mine != other).nnz == 0
    assert mine.shape == other.shape
    assert (tree.compute_node_depths() == theirs.compute_node_depths()).all()
    assert tree.compute_node_depths().dtype == theirs.compute_node_depths().dtype
    # Wider numbers, other memory layouts and sparse rows are taken as they are.
    for same in (rows.astype(float), np.asfortranarray(rows), rows.tolist(), csr_matrix(rows)):
        np.testing.assert_array_equal(tree.apply(same), theirs.apply(rows))


def test_rows_that_the_tree_cannot_take_are_refused(tree):
    with pytest.raises(TableError, match=r"X has the shape \(3,\), and the tree asks about \d+ columns"):
        tree.apply(np.zeros(3))
    with pytest.raises(TableError, match="X holds infinity; give finite numbers"):
        tree.predict(np.full((1, tree.n_features), np.inf))
    with pytest.raises(
        NoCounterpartError, match=r"tells categories apart.*the estimator's own predict, apply"
    ):
        three_way().apply(np.zeros((1, 1)))
    days = np.array(["2024-02-28", "2024-03-01"], dtype="M8[s]")
    dated = tw.DecisionTreeClassifier().fit({"when": days}, [0, 1])
    with pytest.raises(NoCounterpartError, match="column 'when', compares whole numbers, dates or durations"):
        dated.tree_.apply(np.zeros((1, 1)))


def test_missing_values_go_down_the_tree_as_in_the_estimator():
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(200, 3))
    rows[rng.random(rows.shape) < 0.2] = np.nan
    y = rng.integers(0, 3, 200)
    for missing in ("learned", "spread", "surrogate", "branch", "majority"):
        est = tw.DecisionTreeClassifier(missing=missing, max_depth=4).fit(rows, y)
        np.testing.assert_array_equal(est.tree_.apply(rows), est.apply(rows))
        np.testing.assert_allclose(est.tree_.predict(rows), est.predict_proba(rows))


def test_a_tree_with_three_branches_has_no_left_and_right():
    assert three_way().children(0) == (1, 2, 3)
    with pytest.raises(NoCounterpartError, match="more than two branches"):
        _ = three_way().children_left


def test_a_node_about_categories_asks_for_branches_and_has_no_cut():
    tree = three_way()
    assert tree.question(0) == Branches(0, ((1,), (3,), (0,)), missing_branch=0, is_exact=False)
    with pytest.raises(NoCounterpartError, match="node 0, which asks about column 0, tells categories apart"):
        _ = tree.threshold
    assert not hasattr(tree, "threshold")


def test_collapsing_drops_the_branches_of_what_is_gone():
    leaf = three_way().collapsed([0])
    assert leaf.set_begin.tolist() == [0, 0]
    assert (leaf.set_code.tolist(), leaf.set_branch.tolist(), leaf.search.tolist()) == ([], [], [0])
    X = {"a": list("uvwxyzuvwxyz"), "b": list("ppqqrrqqpprr")}
    tree = fit(X, np.arange(12.0), recipe=CART_NUMBERS).tree
    inner = [node.id for node in tree.walk() if node.children and node.id]
    smaller = tree.collapsed([inner[0]])
    for node in smaller.walk():
        if node.children:
            twin = next(
                each for each in tree.walk() if each.n_rows == node.n_rows and each.outcome == node.outcome
            )
            assert node.question == twin.question
    assert tree.collapsed([]) == tree


def test_a_branch_that_no_row_took_knows_what_the_node_above_it_knows():
    weights = np.array([[4.0, 2.0], [4.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    tree = replace(three_way(), outcome=weights, weight=weights.sum(axis=1), is_classifier=True)
    np.testing.assert_allclose(tree.shares[3], [2 / 3, 1 / 3])
    assert tree.answer.tolist() == [0, 0, 1, 0]


def test_a_loss_decides_the_answer_and_of_equals_the_first_is_taken():
    weights = np.array([[4.0, 2.0], [4.0, 0.0], [0.0, 2.0], [4.0, 2.0]])
    costly = replace(
        three_way(),
        outcome=weights,
        weight=weights.sum(axis=1),
        is_classifier=True,
        loss=np.array([[0, 1], [5.0, 0]]),
    )
    assert costly.answer.tolist() == [1, 0, 1, 1]
    assert replace(costly, loss=np.array([[0, 1], [2.0, 0]])).answer.tolist() == [0, 0, 1, 0]
    assert costly != replace(costly, loss=None)


def test_collapsing_a_node_drops_what_was_below(tree):
    inner = next(node.id for node in tree.walk() if node.children and node.id)
    smaller = tree.collapsed([inner])
    assert smaller.node(inner).is_leaf
    assert smaller.node(inner).outcome == tree.node(inner).outcome
    assert [node.id for node in smaller.walk()] == list(range(smaller.n_nodes))
    assert smaller.n_leaves < tree.n_leaves
    for node in smaller.walk():
        if node.children:
            assert sum(smaller.n_rows[child] for child in node.children) == node.n_rows


def test_collapsing_the_root_leaves_a_single_leaf(tree):
    leaf = tree.collapsed([0])
    assert leaf.n_nodes == 1
    assert leaf.question(0) is None
    assert leaf.max_depth == 0


def test_collapsing_nothing_gives_an_equal_tree(tree):
    assert tree.collapsed([]) == tree


def test_a_path_leads_from_the_root_to_the_leaf(tree):
    leaves = np.flatnonzero(tree.column < 0)
    begin, nodes = tree.path_of(leaves)
    for row, leaf in enumerate(leaves):
        path = nodes[begin[row] : begin[row + 1]].tolist()
        assert path[0] == 0
        assert path[-1] == leaf
        assert all(tree.parent[below] == above for above, below in itertools.pairwise(path))


def test_a_tree_says_its_size(tree):
    assert repr(tree) == f"<Tree: {tree.n_nodes} nodes, {tree.n_leaves} leaves, depth {tree.max_depth}>"


def test_a_deep_tree_is_walked_without_recursion():
    n = 5000
    target = read_classes(Raw(np.arange(n) % 2))  # by gain ratio every best cut takes off a row at the rim
    recipe = replace(CART_CLASSES, criterion=GainRatio())
    with pytest.warns(DeepTreeWarning):
        tree = fit(np.arange(n, dtype=np.float64)[:, None], target, recipe=recipe).tree
    assert tree.n_leaves == n
    assert tree.max_depth > n // 4
    assert sum(1 for _ in tree.walk()) == tree.n_nodes
    assert int(tree.depth.max()) == tree.max_depth


def test_levels_depths_ends_and_what_lies_above_are_those_of_a_walk():
    rng = np.random.default_rng(8)
    for _ in range(60):
        children = random_children(rng, 30)
        n = len(children)
        tree = Tree(
            **shape(children),
            weight=np.ones(n),
            outcome=np.zeros((n, 1)),
            impurity=np.zeros(n),
            is_classifier=False,
        )
        paths: dict[int, list[int]] = {0: []}
        for node in range(n):
            for child in children[node]:
                paths[child] = [*paths[node], node]
        depth = [len(paths[node]) for node in range(n)]
        assert tree.depth.tolist() == depth
        assert tree.max_depth == max(depth)
        assert [level.tolist() for level in tree.levels] == [
            [node for node in range(n) if depth[node] == at] for at in range(max(depth) + 1)
        ]
        assert tree.end.tolist() == [
            1 + max(below for below in range(n) if below == node or node in paths[below]) for node in range(n)
        ]
        values = rng.integers(1, 99, n)
        assert tree.over_ancestors(np.add, values, 0).tolist() == [
            sum(values[above] for above in paths[node]) for node in range(n)
        ]
        assert tree.over_ancestors(np.minimum, values, 100).tolist() == [
            min((values[above] for above in paths[node]), default=100) for node in range(n)
        ]


def test_nodes_that_are_taken_keep_their_surrogates():
    random = np.random.default_rng(5)
    table = random.normal(size=(300, 3)) * 0.2 + random.normal(size=(300, 1))
    y = np.digitize(table[:, 0] + random.normal(scale=0.2, size=300), [-1, 0, 1])
    table[random.random((300, 3)) < 0.1] = np.nan
    recipe = replace(CART_CLASSES, missing=Surrogates())
    grown = fit(table, read_classes(Raw(y)), recipe=recipe).tree
    assert len(grown.surrogates) > 3
    assert grown.taken(np.arange(grown.n_nodes, dtype=np.int32), grown.child_begin, grown.child) == grown
    child = int(grown.child[0])
    kept = np.arange(child, grown.end[child], dtype=np.int32)
    begin = grown.child_begin[child : grown.end[child] + 1] - grown.child_begin[child]
    below = grown.child[grown.child_begin[child] : grown.child_begin[grown.end[child]]] - child
    subtree = grown.taken(kept, begin.astype(np.int32), below.astype(np.int32))
    assert [node.surrogates for node in subtree.walk()] == [
        grown.node(child + number).surrogates for number in range(subtree.n_nodes)
    ]
