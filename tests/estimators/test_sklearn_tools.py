"""Tools written for scikit-learn's trees: what they read of a converted tree, and what is refused."""

import numpy as np
import pytest
import sklearn.tree
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from sklearn.inspection import partial_dependence
from sklearn.tree import export_graphviz, export_text

import treewright as tw
from treewright.errors import ConversionError

CLASSIFIERS = [tw.DecisionTreeClassifier, tw.CARTClassifier]
REGRESSORS = [tw.DecisionTreeRegressor, tw.CARTRegressor]


def table(seed=0):
    """Rows that float32 holds exactly, so that both packages compare the same numbers."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-50, 50, (300, 4)) / 4
    return (
        X,
        np.where(X[:, 0] + X[:, 1] > 0, "up", np.where(X[:, 2] > 0, "down", "left")),
        X[:, 0] * 2 - X[:, 3],
    )


def fitted(make):
    X, labels, numbers = table()
    options = {"max_depth": 4} | ({"missing": "learned", "cv": 3} if make.__name__.startswith("CART") else {})
    return make(**options).fit(X, labels if make in CLASSIFIERS else numbers), X


@pytest.mark.parametrize("make", CLASSIFIERS + REGRESSORS)
def test_scikit_learns_own_tools_read_a_converted_tree(make):
    tree, X = fitted(make)
    theirs = tree.to_sklearn()
    n_leaves, n_nodes = tree.get_n_leaves(), tree.tree_.n_nodes
    assert export_text(theirs).count("class:" if make in CLASSIFIERS else "value:") == n_leaves
    assert export_graphviz(theirs, filled=True, node_ids=True).count("label=") >= n_nodes
    figure = Figure()
    FigureCanvasAgg(figure)
    boxes = sklearn.tree.plot_tree(theirs, filled=True, ax=figure.add_subplot())
    assert len([box for box in boxes if "samples" in box.get_text()]) == n_nodes
    if make in REGRESSORS:
        by_tree = partial_dependence(theirs, X, [0], method="recursion")
        expected = [averaged(tree.tree_, at) for at in by_tree["grid_values"][0]]
        np.testing.assert_allclose(by_tree["average"][0], expected)


def averaged(tree, value, node=0):
    """Partial dependence on column 0 by its definition: other splits send a row down both branches."""
    if tree.feature[node] < 0:
        return tree.value[node, 0, 0]
    below = tree.children(node)
    if tree.feature[node] == 0:
        return averaged(tree, value, below[int(value > tree.threshold[node])])
    return sum(tree.weight[child] * averaged(tree, value, child) for child in below) / tree.weight[node]


@pytest.mark.parametrize("make", CLASSIFIERS + REGRESSORS)
def test_partial_dependence_works_on_our_own_estimators(make):
    tree, X = fitted(make)
    mine = partial_dependence(tree, X, [0])["average"]
    np.testing.assert_allclose(mine, partial_dependence(tree.to_sklearn(), X, [0], method="brute")["average"])


@pytest.mark.parametrize("make", CLASSIFIERS + REGRESSORS)
def test_what_explainers_read_of_a_converted_tree_is_sound(make):
    """Shap walks the arrays by the weights of nodes; dtreeviz reads rows by node, too."""
    tree, X = fitted(make)
    theirs = tree.to_sklearn()
    arrays = theirs.tree_
    assert type(arrays) is sklearn.tree._tree.Tree
    left, right, inner = arrays.children_left, arrays.children_right, arrays.children_left >= 0
    weight = arrays.weighted_n_node_samples
    np.testing.assert_allclose(weight[inner], weight[left[inner]] + weight[right[inner]])
    assert ((arrays.feature >= 0) == inner).all()
    assert np.isfinite(arrays.threshold[inner]).all()
    # The value of a node is the weighted mean of those below it: what shap's path-dependent game needs.
    mean = (
        weight[left[inner]] * arrays.value[left[inner], 0].T
        + weight[right[inner]] * arrays.value[right[inner], 0].T
    ) / weight[inner]
    np.testing.assert_allclose(arrays.value[inner, 0].T, mean, atol=1e-12)
    np.testing.assert_array_equal(theirs.apply(X), tree.apply(X))
    assert (theirs.decision_path(X) != tree.decision_path(X)).nnz == 0
    np.testing.assert_array_equal(
        np.asarray(theirs.decision_path(X).sum(axis=0)).ravel(), arrays.n_node_samples
    )
    assert isinstance(theirs.criterion, str)
    assert (theirs.min_samples_leaf, theirs.class_weight if make in CLASSIFIERS else None) == (1, None)
    if make in CLASSIFIERS:
        assert theirs.classes_.tolist() == ["down", "left", "up"]
        assert arrays.n_classes[0] == 3
        np.testing.assert_array_equal(theirs.predict_proba(X), tree.predict_proba(X))


def test_what_cannot_be_converted_names_what_we_have_instead():
    X, labels, _ = table()
    towns = {"town": np.where(X[:, 0] > 3, "Ulm", np.where(X[:, 1] > 0, "Bonn", "Kiel"))}
    gaps = np.where(X > 9, np.nan, X)
    for tree, reason in (
        (tw.DecisionTreeClassifier().fit(towns, labels), "column 'town' holds categories"),
        (tw.DecisionTreeClassifier(missing="branch").fit(gaps, labels), "more than two branches"),
        (tw.CARTClassifier(pruning=None).fit(gaps, labels), "follow surrogates"),
        (tw.C45Classifier().fit(gaps, labels), "go down every branch"),
        (tw.DecisionTreeClassifier().fit({"n": [2**60, 2**60 + 1]}, [0, 1]), "compared as int64"),
    ):
        with pytest.raises(ConversionError, match=rf"{reason}.*plot\(\) and to_dot\(\).*shapley_values\(\)"):
            tree.to_sklearn()
