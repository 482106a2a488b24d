"""What rules of pruning refuse, and figures worked out by hand; the oracles have the rest."""

from dataclasses import replace

import numpy as np
import pytest

import treewright as tw
from random_trees import shape
from treewright.errors import ParameterError, ParameterTypeError, TableError, WeightError
from treewright.fitting.prune import prune
from treewright.model.labelled_rows import EncodedRows
from treewright.model.tree import Tree
from treewright.parts.monotone import Monotone
from treewright.parts.pruners import ErrorBased, MinimumError, Pessimistic, ReducedError
from treewright.recipes import CART_CLASSES
from treewright.table.target import CodedClasses

X = {"x": [0.0, 1.0, 2.0, 3.0], "z": [1.0, 0.0, 1.0, 0.0]}
Y = np.array([0, 1, 1, 0])
ROWS = EncodedRows([np.array(X["x"]), np.array(X["z"])], CodedClasses(Y.astype(np.int32), np.arange(2)), None)


def two_leaves(left, right) -> Tree:
    outcome = np.array([np.add(left, right), left, right], dtype=float)
    return Tree(
        **shape([[1, 2], [], []]),
        weight=outcome.sum(axis=1),
        outcome=outcome,
        impurity=np.zeros(3),
        is_classifier=True,
    )


def test_pessimistic_pruning_by_hand():
    """E' = 5 + 1 = 6 of N = 40, its standard error √(6 · 34 / 40) = 2.258."""
    assert prune(two_leaves([25, 3], [2, 10]), Pessimistic()).n_nodes == 3  # 13.5 > 8.258
    tree = two_leaves([30, 2], [3, 5])
    assert prune(tree, Pessimistic()).n_nodes == 1  # 7.5 <= 8.258
    assert prune(tree, Pessimistic(standard_errors=0.6)).n_nodes == 3  # 7.5 > 7.355


def test_minimum_error_pruning_by_hand():
    """(6 + 1) / 16 = 0.4375 as a leaf; below 8 / 14 · 3 / 10 + 6 / 14 · 3 / 8 = 0.332."""
    tree = two_leaves([6, 2], [2, 4])
    assert prune(tree, MinimumError()).n_nodes == 3
    # 40 rows of 8 to 6: 6/14 as a leaf; below 8/14 · (2 + 17.14) / 48 + 6/14 · (2 + 22.86) / 46 = 0.459.
    assert prune(tree, MinimumError(m=40.0)).n_nodes == 1


@pytest.mark.parametrize("pruner", [Pessimistic(), MinimumError(), ErrorBased()])
def test_rules_that_count_errors_refuse_losses_and_numbers(pruner):
    by_loss = tw.DecisionTreeClassifier(loss=[[0, 2], [1, 0]]).fit(X, Y).tree_
    with pytest.raises(ParameterError, match="loss matrix; prune it by 'reduced-error', or by 'cost-comp"):
        prune(by_loss, pruner, ROWS, CART_CLASSES)
    of_numbers = tw.DecisionTreeRegressor().fit(X, Y.astype(float)).tree_
    with pytest.raises(ParameterError, match="predicts numbers; prune it by 'cost-complexity' or"):
        prune(of_numbers, pruner, ROWS, CART_CLASSES)


def test_error_based_pruning_refuses_other_rows_than_those_grown_on():
    tree = tw.DecisionTreeClassifier().fit(X, Y).tree_
    with pytest.raises(TableError, match=r"grown on 4 rows of weight 4 in all; these are 4 of weight 8\."):
        prune(tree, ErrorBased(), replace(ROWS, weights=np.full(4, 2.0)), CART_CLASSES)
    with pytest.raises(TableError, match=r"these are 3 of weight 4\."):
        prune(tree, ErrorBased(), replace(ROWS, weights=np.array([0.0, 1, 1, 2])), CART_CLASSES)


def test_monotone_trees_are_pruned_without_raising():
    x = np.arange(40.0)
    y = ((x > 12) ^ (x % 7 == 0)).astype(int)
    tree = tw.DecisionTreeClassifier(monotonic_cst=[1]).fit(x[:, None], y).tree_
    rows = EncodedRows([x], CodedClasses(y.astype(np.int32), np.arange(2)), None)
    recipe = replace(CART_CLASSES, monotone=Monotone((1,)))
    with pytest.raises(ParameterError, match="prune with raising=False"):
        prune(tree, ErrorBased(), rows, recipe)
    pruned = prune(tree, ErrorBased(raising=False), rows, recipe)
    assert pruned.n_leaves < tree.n_leaves
    leaves = pruned.column < 0
    assert (np.diff(pruned.shares[leaves, 1]) >= 0).all()
    assert (np.diff(pruned.answer[leaves]) >= 0).all()


def test_reduced_error_pruning_needs_a_row():
    tree = tw.DecisionTreeClassifier().fit(X, Y).tree_
    with pytest.raises(WeightError, match="all rows to prune by have weight 0"):
        prune(tree, ReducedError(), replace(ROWS, weights=np.zeros(4)))
    none = EncodedRows([np.zeros(0)] * 2, CodedClasses(np.zeros(0, np.int32), np.arange(2)), None)
    with pytest.raises(TableError, match="no rows to prune by"):
        prune(tree, ReducedError(), none)


def test_what_was_expected_of_a_tree_is_not_said_of_a_smaller_one():
    tree = replace(two_leaves([30, 2], [3, 5]), errors=np.array([9.0, 4.0, 5.0]))
    assert prune(tree, Pessimistic(standard_errors=0.6)).errors is not None
    assert prune(tree, Pessimistic()).errors is None


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (Pessimistic, -1.0),
        (Pessimistic, float("nan")),
        (MinimumError, -0.5),
        (MinimumError, float("inf")),
        (ReducedError, -1e-9),
    ],
)
def test_options_out_of_range_are_refused(make, wrong):
    with pytest.raises(ParameterError, match="out of range"):
        make(wrong)
    with pytest.raises(ParameterTypeError, match="is not a number"):
        make("2")
