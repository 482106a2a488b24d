"""Weights count cases; those that add up to 1 are shares for C4.5 and for the rule of one standard error."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import AdaBoostClassifier

import treewright as tw
from noisy_tables import noisy
from treewright.errors import WeightWarning
from treewright.table.weights import as_cases, cases_per_weight

X, Y = make_classification(
    700, 8, n_informative=5, n_classes=7, n_clusters_per_class=1, class_sep=0.8, random_state=0
)
EVEN = np.full(len(Y), 1 / len(Y))
RNG = np.random.default_rng(1)
COUNTS = RNG.integers(0, 4, len(Y)).astype(float)
UNEVEN = COUNTS / COUNTS.sum()


def same_choice(one, other):
    np.testing.assert_allclose(one.pruning_table_.cv_std, other.pruning_table_.cv_std, rtol=1e-9)
    np.testing.assert_array_equal(one.tree_.column, other.tree_.column)
    np.testing.assert_array_equal(one.tree_.cut, other.tree_.cut)


# -- the rule --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weights", "cases"),
    [
        ([0.5, 0.5], 2),
        ([0.5, 0.5, 0.0, 0.0], 2),
        ([0.25, 0.75 + 9e-7], 2),
        ([0.25, 0.75 - 9e-7], 2),
        ([0.25, 0.75 + 3e-6], 1),
        ([0.25, 0.75 - 3e-6], 1),
        ([1.0, 0.0], 1),
        ([1.0, 1.0], 1),
        ([2.0, 3.0], 1),
        ([1e-12, 1 - 1e-12], 2),
    ],
)
def test_only_a_total_of_one_makes_shares(weights, cases):
    assert cases_per_weight(np.array(weights)) == cases


def test_the_order_of_rows_does_not_decide():
    """Where the total is right at the tolerance, plain sums would depend on the order."""
    weights = RNG.random(10_001)
    weights *= (1 + 1e-6) / math.fsum(weights)
    found = {cases_per_weight(RNG.permutation(weights)) for _ in range(50)}
    assert len(found) == 1


@pytest.mark.parametrize("n_rows", [3, 49, 93, 107, 700])
def test_even_shares_are_whole_cases(n_rows):
    """49 times 1/49 is less than 1 in floats."""
    assert as_cases(np.full(n_rows, 1 / n_rows)) is None
    padded = as_cases(np.append(np.full(n_rows, 1 / n_rows), 0.0))
    assert padded.tolist() == [1.0] * n_rows + [0.0]


# -- C4.5 ------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["release8", "j48", "textbook"])
def test_c45_grows_on_even_shares_as_without_weights(variant):
    tree = tw.C45Classifier(variant=variant).fit(X, Y)
    assert tree.get_n_leaves() > 10
    assert tw.C45Classifier(variant=variant).fit(X, Y, EVEN).tree_ == tree.tree_


def test_c45_multiplies_shares_by_the_rows_that_have_some():
    n_rows = np.count_nonzero(UNEVEN)
    by_hand = tw.C45Classifier().fit(X, Y, UNEVEN * n_rows)
    tree = tw.C45Classifier().fit(X, Y, UNEVEN)
    assert tree.get_n_leaves() == by_hand.get_n_leaves() > 10
    np.testing.assert_allclose(tree.tree_.weight, by_hand.tree_.weight)
    assert tree.tree_.weight[0] == pytest.approx(n_rows)


def test_shares_are_the_same_in_any_container_and_order():
    tree = tw.C45Classifier().fit(X, Y, UNEVEN)
    order = RNG.permutation(len(Y))
    for weights in (UNEVEN.tolist(), pd.Series(UNEVEN), pl.Series(UNEVEN)):
        assert tw.C45Classifier().fit(X, Y, weights).tree_ == tree.tree_
    assert tw.C45Classifier().fit(X[order], Y[order], UNEVEN[order]).tree_ == tree.tree_


def test_class_weights_come_in_after_shares_are_told():
    """The total is that of the weights handed over: classes do not turn shares into cases, nor back."""
    of_class = {0: 2.0, 3: 0.5}
    tree = tw.C45Classifier(class_weight=of_class).fit(X, Y, EVEN)
    assert tree.tree_ == tw.C45Classifier(class_weight=of_class).fit(X, Y).tree_
    shares = dict.fromkeys(range(7), 1 / len(Y))  # of weight 1 each, 1 in all, and no shares
    with pytest.warns(WeightWarning):
        assert tw.C45Classifier(class_weight=shares).fit(X, Y).get_n_leaves() == 1


def test_what_is_asked_of_the_training_rows_counts_them_alike():
    tree = tw.C45Classifier(keep_ledger=True).fit(X, Y, UNEVEN)
    again = tree.prune("error-based", X, Y, UNEVEN)
    np.testing.assert_array_equal(again.tree_.column, tree.tree_.column)
    assert str(tw.audit(tree, X, Y, node=0, sample_weight=UNEVEN))
    assert len(tree.rules(kind="c45rules", X=X, y=Y, sample_weight=UNEVEN)) > 1


def test_boosting_learns_with_c45():
    train, test = slice(0, None, 2), slice(1, None, 2)
    boosted = AdaBoostClassifier(tw.C45Classifier(), n_estimators=5).fit(X[train], Y[train])
    assert all(tree.get_n_leaves() > 1 for tree in boosted.estimators_)
    assert len(boosted.estimators_) == 5
    single_leaf = np.bincount(Y[test]).max() / len(Y[test])
    assert boosted.score(X[test], Y[test]) > 2 * single_leaf
    assert boosted.score(X[test], Y[test]) > tw.C45Classifier().fit(X[train], Y[train]).score(
        X[test], Y[test]
    )


@pytest.mark.parametrize("total", [0.25, 0.999, 1.001, 3.9])
def test_weights_too_small_for_any_split_are_warned_of(total):
    with pytest.warns(
        WeightWarning, match=rf"add up to {total}, and min_cases=2 requires .* 4 in all"
    ) as caught:
        tree = tw.C45Classifier().fit(X, Y, EVEN * total)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert tree.get_n_leaves() == 1


def test_weights_are_not_blamed_where_they_are_not_at_fault():
    tw.C45Classifier().fit(X, Y, EVEN * 4)  # enough, if only just
    tw.C45Classifier(min_cases=0.1).fit(X, Y, EVEN * 0.9)
    tw.C45Classifier().fit(X, np.zeros(len(Y)), EVEN * 0.5)  # nothing to part
    few = np.zeros(len(Y))
    few[:3] = 1.0  # the same as three rows, which are too few whatever they weigh
    tw.C45Classifier().fit(X, Y, few)


# -- the rule of one standard error ----------------------------------------------


@pytest.mark.parametrize("kind", [tw.CARTClassifier, tw.CARTRegressor])
def test_one_standard_error_is_that_of_the_cases(kind):
    table, y = noisy(400)
    target = y if kind is tw.CARTClassifier else table["c"] + (y == "yes")
    plain = kind().fit(table, target)
    same_choice(kind().fit(table, target, np.full(400, 1 / 400)), plain)
    weights = np.random.default_rng(5).integers(1, 4, 400).astype(float)
    shares, n_rows = weights / weights.sum(), 400
    same_choice(kind().fit(table, target, shares), kind().fit(table, target, shares * n_rows))
    zeros = np.where(weights == 1, 0.0, weights)
    shares, n_rows = zeros / zeros.sum(), np.count_nonzero(zeros)
    same_choice(kind().fit(table, target, shares), kind().fit(table, target, shares * n_rows))


@pytest.mark.parametrize("prune", ["min", None])
def test_other_ways_to_prune_leave_weights_alone(prune):
    table, y = noisy(400)
    for kind, target in ((tw.CARTClassifier, y), (tw.CARTRegressor, table["c"])):
        assert kind(pruning=prune).fit(table, target, EVEN[:400] * 1.75).tree_.weight[0] == pytest.approx(1)
    assert tw.DecisionTreeClassifier().fit(X, Y, EVEN).tree_.weight[0] == pytest.approx(1)


@pytest.mark.parametrize("kind", [tw.CARTClassifier, tw.CARTRegressor, tw.DecisionTreeClassifier])
def test_rows_held_out_are_counted_alike(kind):
    table, y = noisy(600)
    target = table["c"] + (y == "yes") if kind is tw.CARTRegressor else y
    train, held = ({name: table[name][at] for name in table} for at in (slice(0, 400), slice(400, None)))
    tree = kind().fit(train, target[:400])
    plain = tree.prune("cost-complexity", held, target[400:], rule="1-se")
    shares = tree.prune("cost-complexity", held, target[400:], np.full(200, 1 / 200), rule="1-se")
    same_choice(shares, plain)


def test_comparisons_count_cases_too():
    table, y = noisy(200)
    plain = tw.compare_pruning(tw.C45Classifier(), table, y, cv=4)
    shares = tw.compare_pruning(tw.C45Classifier(), table, y, cv=4, sample_weight=np.full(200, 1 / 200))
    assert shares.leaves == plain.leaves
    np.testing.assert_allclose(shares.cv_std, plain.cv_std)


# -- what is said ----------------------------------------------------------------


@pytest.mark.parametrize("kind", [tw.C45Classifier, tw.CARTClassifier])
def test_verbose_says_that_weights_are_shares(kind, capsys):
    said = "treewright: the weights add up to 1, so each is multiplied by 700"
    kind(verbose=1).fit(X, Y, EVEN)
    assert said in capsys.readouterr().err
    kind(verbose=0).fit(X, Y, EVEN)
    kind(verbose=1).fit(X, Y, EVEN * 700)
    assert said not in capsys.readouterr().err
    tree = kind(verbose=1).fit(X, Y)
    capsys.readouterr()
    tree.prune("cost-complexity", X, Y, EVEN, rule="1-se")
    assert said in capsys.readouterr().err
    tree.prune("cost-complexity", X, Y, EVEN)
    assert said not in capsys.readouterr().err
