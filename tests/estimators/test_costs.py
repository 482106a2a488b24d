"""Priors and losses: altered priors in growing, the class of least expected loss in answers."""

import numpy as np
import pytest

from treewright import DecisionTreeClassifier
from treewright.errors import ConversionError

X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]])
Y = np.array(["no", "no", "no", "no", "yes", "yes"])
LEAF = np.zeros((6, 1))


def fitted(X, y, weights=None, **parameters):
    return DecisionTreeClassifier(**parameters).fit(X, y, sample_weight=weights)


def test_priors_are_the_shares_of_the_root():
    tree = fitted(LEAF, Y, prior={"yes": 0.75, "no": 0.25})
    np.testing.assert_allclose(tree.predict_proba(LEAF)[0], [0.25, 0.75], rtol=1e-15)
    assert tree.predict(LEAF)[0] == "yes"
    assert tree.tree_.weight[0] == pytest.approx(6.0, rel=1e-15)


def test_priors_may_come_in_the_order_of_classes():
    by_class = fitted(X, Y, prior={"yes": 0.75, "no": 0.25})
    assert fitted(X, Y, prior=[0.25, 0.75]).tree_ == by_class.tree_
    assert fitted(X, Y, prior=np.array([0.25, 0.75])).tree_ == by_class.tree_


def test_priors_weigh_as_class_weights_do():
    generator = np.random.default_rng(0)
    X, y = generator.normal(size=(200, 3)), generator.integers(0, 3, 200)
    shares = np.bincount(y) / len(y)
    prior = np.array([0.5, 0.25, 0.25])
    tree = fitted(X, y, prior=prior, max_depth=5)
    twin = fitted(X, y, class_weight=dict(enumerate(prior / shares)), max_depth=5)
    np.testing.assert_array_equal(tree.apply(X), twin.apply(X))
    np.testing.assert_allclose(tree.predict_proba(X), twin.predict_proba(X), rtol=1e-12)


def test_the_answer_is_the_class_of_least_expected_loss():
    loss = {"no": {"yes": 1}, "yes": {"no": 3}}
    tree = fitted(LEAF, Y, loss=loss)
    np.testing.assert_allclose(tree.predict_proba(LEAF)[0], [4 / 6, 2 / 6], rtol=1e-15)
    assert tree.predict(LEAF)[0] == "yes"  # 4 × 1 against 2 × 3
    assert tree.to_text() == "→ yes (33% of 6 rows: no 4, yes 2)"


def test_of_equal_losses_the_first_class_is_taken():
    assert fitted(LEAF, Y, loss=[[0, 1], [2, 0]]).predict(LEAF)[0] == "no"  # 4 × 1 against 2 × 2
    third = np.full(6, 1 / 3)
    assert fitted(LEAF, Y, third, loss=[[0, 1], [2, 0]]).predict(LEAF)[0] == "no"


def test_a_loss_alters_the_priors_of_growing_and_not_the_shares():
    generator = np.random.default_rng(1)
    X, y = generator.normal(size=(200, 3)), generator.integers(0, 3, 200)
    loss = np.array([[0, 1, 2], [4, 0, 4], [1, 1, 0]])
    tree = fitted(X, y, loss=loss, max_depth=4)
    twin = fitted(X, y, class_weight=dict(enumerate(loss.sum(axis=1))), max_depth=4)
    leaves = tree.apply(X)
    np.testing.assert_array_equal(leaves, twin.apply(X))
    for leaf in np.unique(leaves):
        counts = np.bincount(y[leaves == leaf], minlength=3)
        np.testing.assert_array_equal(tree.tree_.outcome[leaf], counts)
        assert tree.tree_.answer[leaf] == (counts @ loss).argmin()
    np.testing.assert_allclose(tree.tree_.impurity, twin.tree_.impurity, rtol=1e-12)
    np.testing.assert_allclose(tree.tree_.gain, twin.tree_.gain, rtol=1e-9, atol=1e-15)


def test_the_losses_of_rpart_alter_the_priors_given():
    # definitions 1.2: a row of class i counts w · π̃ · W / Wᵢ in growing, w · π · W / Wᵢ in what nodes tell.
    tree = fitted(X, Y, prior=[0.4, 0.6], loss=[[0, 1], [5, 0]], max_depth=1)
    altered = np.array([0.4 * 1, 0.6 * 5]) / 3.4
    np.testing.assert_allclose(tree.tree_.weight[1:], 6 * altered, rtol=1e-14)
    np.testing.assert_allclose(tree.tree_.outcome, [[2.4, 3.6], [2.4, 0.0], [0.0, 3.6]], rtol=1e-14)
    assert tree.tree_.impurity[0] == pytest.approx(1 - (altered**2).sum(), rel=1e-13)


def test_errors_that_all_cost_the_same_change_nothing():
    plain = fitted(X, Y)
    tree = fitted(X, Y, loss=[[0, 7], [7, 0]])
    for name in ("column", "cut", "outcome", "weight", "impurity", "gain"):
        assert getattr(tree.tree_, name).tobytes() == getattr(plain.tree_, name).tobytes(), name
    assert tree.predict(X).tolist() == plain.predict(X).tolist()


@pytest.mark.parametrize("costs", [{"prior": [0.3, 0.3, 0.4]}, {"loss": [[0, 1, 1], [5, 0, 2], [1, 3, 0]]}])
def test_weights_rows_and_their_order_keep_their_meaning(costs):
    generator = np.random.default_rng(2)
    X, y = generator.integers(0, 5, (80, 3)).astype(float), generator.integers(0, 3, 80)
    weights = generator.integers(0, 4, 80)
    weights[:3] = 1
    tree = fitted(X, y, weights, **costs)
    order = generator.permutation(80)
    assert fitted(X[order], y[order], weights[order], **costs).tree_ == tree.tree_
    copies = np.repeat(np.arange(80), weights)
    again = fitted(X[copies], y[copies], **costs).tree_
    for name in ("column", "cut", "outcome", "weight", "impurity"):
        assert getattr(again, name).tobytes() == getattr(tree.tree_, name).tobytes(), name
    tripled = fitted(X, y, 3.0 * weights, **costs)
    assert tripled.tree_.column.tolist() == tree.tree_.column.tolist()
    assert tripled.predict(X).tolist() == tree.predict(X).tolist()


def test_pruning_prices_leaves_as_they_were_grown():
    generator = np.random.default_rng(3)
    X, y = generator.normal(size=(100, 3)), generator.integers(0, 2, 100)
    costly = DecisionTreeClassifier(loss=[[0, 1], [4, 0]])
    path = costly.cost_complexity_pruning_path(X, y)
    middle = path.ccp_alphas[len(path.ccp_alphas) // 2]
    pruned = costly.set_params(ccp_alpha=middle * (1 + 1e-9)).fit(X, y)
    assert 1 < pruned.get_n_leaves() < DecisionTreeClassifier(loss=[[0, 1], [4, 0]]).fit(X, y).get_n_leaves()
    np.testing.assert_array_equal(pruned.tree_.outcome[0], np.bincount(y))


def test_an_empty_branch_answers_as_the_node_above_it():
    import pandas as pd

    town = pd.Categorical(["Ulm", "Ulm", "Bonn", "Bonn"], categories=["Ulm", "Kiel", "Bonn"])
    table = pd.DataFrame({"town": town})
    for costs in ({"prior": [0.2, 0.8]}, {"loss": [[0, 1], [3, 0]]}):
        tree = fitted(table, [0, 0, 1, 1], categorical_split="multiway", **costs)
        kiel = {"town": ["Kiel"]}
        assert tree.predict(kiel).tolist() == [1]
        np.testing.assert_allclose(tree.predict_proba(kiel)[0], costs.get("prior", [0.5, 0.5]), rtol=1e-14)
        assert tree.tree_.weight[2] == 0


def test_a_loss_that_changes_answers_has_no_counterpart_in_scikit_learn():
    with pytest.raises(ConversionError, match="the loss changes some predictions"):
        fitted(LEAF, Y, loss=[[0, 1], [9, 0]]).to_sklearn()
    assert fitted(X, Y, loss=[[0, 1], [9, 0]]).to_sklearn().predict(X).tolist() == Y.tolist()
