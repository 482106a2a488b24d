"""Trees of more than a thousand levels are told of, and still are trees."""

import warnings

import numpy as np
import pytest

import drawn_trees
import treewright as tw
from treewright.errors import DeepTreeWarning

N = 1_500


def alternating(n=N):
    """One column, and classes that change from row to row: by gain ratio a row is taken off at a time."""
    return np.arange(float(n))[:, None], np.arange(n) % 2


@pytest.fixture(scope="module")
def chain():
    with pytest.warns(DeepTreeWarning):
        return tw.DecisionTreeClassifier(criterion="gain_ratio").fit(*alternating())


def test_a_chain_is_told_of_once_with_its_cause_and_what_to_do():
    with pytest.warns(DeepTreeWarning) as caught:
        tree = tw.DecisionTreeClassifier(criterion="gain_ratio").fit(*alternating())
    assert len(caught) == 1
    assert caught[0].filename == __file__
    text = str(caught[0].message)
    assert text.startswith(
        f"the tree has {tree.get_depth():,} levels on 1,500 rows, by the criterion gain_ratio:"
    )
    assert "cuts near the ends" in text
    for remedy in ("max_depth", "min_samples_leaf", "C45Classifier"):
        assert remedy in text


def test_what_it_names_is_a_remedy():
    X, y = alternating()
    tw.DecisionTreeClassifier(criterion="gain_ratio", max_depth=1_000).fit(X, y)
    tw.DecisionTreeClassifier(criterion="gain_ratio", min_samples_leaf=2).fit(X, y)
    tw.C45Classifier().fit(X, y)


def test_the_tree_counts_as_it_was_grown():
    with pytest.warns(DeepTreeWarning):
        tree = tw.DecisionTreeClassifier(criterion="gain_ratio", ccp_alpha=1.0).fit(*alternating())
    assert tree.get_depth() == 0


def test_a_thousand_levels_are_not_too_many():
    X = np.arange(1_002.0)[:, None]
    tree = tw.DecisionTreeClassifier().fit(X[:1001], np.arange(1_001))
    assert tree.get_depth() == 1_000
    with pytest.warns(
        DeepTreeWarning, match=r"1,001 levels on 1,002 rows, by the criterion gini: each split"
    ):
        tw.DecisionTreeClassifier().fit(X, np.arange(1_002))


def test_others_are_called_by_their_names(monkeypatch):
    monkeypatch.setattr("treewright.fitting.depth.MOST_LEVELS", 20)
    X = np.arange(60.0)[:, None]
    with pytest.warns(DeepTreeWarning, match="squared_error: .*; set max_depth or min_samples_leaf"):
        tw.DecisionTreeRegressor().fit(X, 2.0 ** X[:, 0])
    with pytest.warns(DeepTreeWarning, match="criterion of your own: each split"):
        tw.DecisionTreeRegressor(criterion=lambda y, weight, cuts: 1.0 / cuts).fit(X, X[:, 0])
    with pytest.warns(DeepTreeWarning, match="gain_ratio: each split .*; set max_depth or raise min_cases"):
        tw.C45Classifier(min_cases=1, pruning=False, numeric_cost=False).fit(X, 30 * [0, 1])


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "taylor_entropy", "twoing"])
def test_noise_grows_no_chain(criterion):
    random = np.random.default_rng(0)
    X, y = random.standard_normal((5_000, 3)), random.random(5_000) < 0.3
    tree = tw.DecisionTreeClassifier(criterion=criterion).fit(X, y)
    assert tree.get_depth() < 150


def test_a_chain_answers_and_is_pruned_and_told(chain, tmp_path):
    X, y = alternating()
    assert chain.score(X, y) == 1
    assert chain.to_text(max_depth=3).count("\n") < 12
    chain.save(tmp_path / "chain.tw.json")
    assert np.array_equal(tw.load(tmp_path / "chain.tw.json").predict(X), y)
    assert chain.prune("cost-complexity", alpha=1.0).get_n_leaves() == 1
    assert chain.prune("reduced-error", X, y).get_n_leaves() == chain.get_n_leaves()
    assert chain.prune("error-based", X, y).get_n_leaves() < chain.get_n_leaves()


def test_trees_that_are_read_or_drawn_are_not_told_of_again(chain, tmp_path):
    chain.save(tmp_path / "chain.tw.json")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tw.load(tmp_path / "chain.tw.json").get_depth()
        drawn_trees.deep(1_100).to_text(max_depth=2)


def with_gaps(n=1_500):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, rng.normal(size=n)


def test_a_tree_of_fractions_far_larger_than_its_table_is_told_of():
    X, y = with_gaps()
    words = r"nodes on 1,500 rows: missing='spread'.*Set min_weight_fraction_leaf to 1 / 1500, or max_depth"
    with pytest.warns(DeepTreeWarning, match=words):
        large = tw.DecisionTreeRegressor(missing="spread").fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        small = tw.DecisionTreeRegressor(missing="spread", min_weight_fraction_leaf=1 / 1500).fit(X, y)
        tw.DecisionTreeRegressor().fit(X, y)
    assert large.tree_.n_nodes > 20 * 1_500 > 10 * small.tree_.n_nodes
