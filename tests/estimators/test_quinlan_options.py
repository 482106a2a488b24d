"""What C4.5 makes of groups of categories and of rows held out, seen from outside."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from labelled import fit
from treewright.errors import ColumnError, ParameterError
from treewright.fitting.groups import without_excluded
from treewright.fitting.held_out import last_fold
from treewright.model.labelled_rows import LabelledRows
from treewright.model.model import Model
from treewright.model.questions import Branches
from treewright.parts.criteria import Gini
from treewright.parts.orders import BestFirst
from treewright.parts.pruners import HeldOutFold
from treewright.parts.splitters import GroupingSplitter
from treewright.recipes import C45_RELEASE8, Recipe
from treewright.table.read import Raw, read
from treewright.table.target import read_classes


def letters(rng, n_rows: int, labels: str = "abcdefg") -> pd.Series:
    return pd.Series(pd.Categorical(rng.choice(list(labels), size=n_rows), categories=list(labels)))


def noisy_table(seed: int, n_rows: int = 300) -> tuple[pd.DataFrame, pd.Series]:
    """Draw categories and numbers, some missing, of which three letters tell the class in most rows."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "letter": letters(rng, n_rows),
            "other": letters(rng, n_rows, "xyz"),
            "size": rng.normal(size=n_rows),
        }
    )
    y = X["letter"].isin(["b", "d", "e"]) ^ (rng.random(n_rows) < 0.2)
    X.loc[rng.random(n_rows) < 0.1, "letter"] = None
    return X, y.map({True: "yes", False: "no"})


# -- Groups of categories -------------------------------------------------------------------------------


def test_golf_groups_rain_and_sunny():
    columns, target = tw.datasets.load("golf")
    tree = tw.C45Classifier(group_categories=True).fit(columns, target)
    assert tree.model_.grown.n_nodes == 8
    assert tree.tree_.n_nodes == 7
    root = tree.tree_.node(0).question
    labels = tree.model_.schema.columns[root.column].categories
    assert [{labels[code] for code in codes} for codes in root.codes] == [{"overcast"}, {"rain", "sunny"}]


def test_letters_that_tell_the_same_share_a_branch():
    X, y = noisy_table(0)
    root = tw.C45Classifier(group_categories=True).fit(X, y).tree_.node(0).question
    groups = [{"abcdefg"[code] for code in codes} for codes in root.codes]
    assert groups == [{"a", "c", "f", "g"}, {"b", "d", "e"}]
    assert not root.is_exact


def test_a_column_of_two_categories_is_asked_as_it_is():
    X, y = noisy_table(1)
    X = X.assign(letter=X["letter"].isin(["b", "d", "e"]).map({True: "t", False: "f"}))
    plain, grouped = (tw.C45Classifier(group_categories=each).fit(X[["letter"]], y) for each in (False, True))
    assert plain.tree_ == grouped.tree_


def test_a_category_no_row_has_goes_to_the_rest():
    X, y = noisy_table(2)
    X["letter"] = X["letter"].cat.add_categories(["h"])
    tree = tw.C45Classifier(group_categories=True).fit(X, y)
    codes = tree.tree_.node(0).question.codes
    assert codes[-1] == (7,)
    assert tree.tree_.weight[tree.tree_.children(0)[-1]] == 0.0
    unseen = pd.DataFrame({"letter": pd.Categorical(["h"], list("abcdefgh")), "other": ["x"], "size": [0.0]})
    assert tree.predict(unseen)[0] == tree.classes_[tree.tree_.answer[0]]


@pytest.mark.parametrize("seed", range(5))
def test_groups_without_what_tests_above_exclude_answer_as_before(seed):
    X, y = noisy_table(seed, 500)
    model = tw.C45Classifier(group_categories=True, min_cases=1, pruning=False).fit(X, y).model_
    smaller = without_excluded(model.tree)
    groups = [node.question.codes for node in smaller.walk() if isinstance(node.question, Branches)]
    assert all(codes for each in groups for codes in each)
    assert min(len(each) for each in groups) >= 2
    assert smaller.n_nodes < model.tree.n_nodes
    np.testing.assert_array_equal(Model(model.schema, smaller).shares(X), model.shares(X))


@pytest.mark.parametrize("variant", ["release8", "j48", "textbook"])
def test_groups_are_the_same_for_any_order_of_rows_and_number_of_threads(variant):
    X, y = noisy_table(9, 6000)
    order = np.random.default_rng(0).permutation(len(y))
    one = tw.C45Classifier(variant=variant, group_categories=True, n_jobs=1).fit(X, y)
    other = tw.C45Classifier(variant=variant, group_categories=True, n_jobs=2)
    other.fit(X.iloc[order].reset_index(drop=True), y.iloc[order].reset_index(drop=True))
    assert one.model_.grown == other.model_.grown
    assert one.tree_ == other.tree_


def parts_of_a_table(order: str) -> tuple[pd.DataFrame, list[str]]:
    """Give a table of which part a has no known kind; `order` is that of the parts' branches."""
    X = pd.DataFrame(
        {
            "part": pd.Categorical(list("aaaaaabbbcccccc"), list(order)),
            "kind": pd.Categorical([None] * 6 + list("xyzxyzxyz"), list("xyz")),
            "size": [1.0, 2, 3, 4, 5, 6, 1, 1, 3, 1, 2, 3, 4, 5, 6],
        }
    )
    return X, list("ppqqqq" + "rrs" + "tttttt")


@pytest.mark.parametrize(
    ("variant", "order", "n_nodes"),
    [
        ("release8", "abc", 8),  # part b, three rows, is grown after part a: x and y part from z
        ("release8", "bca", 6),  # part b is grown before
        ("j48", "abc", 6),
        ("textbook", "abc", 6),
    ],
)
def test_release_8_forgets_the_least_weight_once_a_column_has_no_value(variant, order, n_nodes):
    X, y = parts_of_a_table(order)
    tree = tw.C45Classifier(variant=variant, group_categories=True, pruning=False, collapse=False).fit(X, y)
    assert tree.tree_.n_nodes == n_nodes
    plain = tw.C45Classifier(variant=variant, pruning=False, collapse=False).fit(X, y)
    assert plain.tree_.n_nodes == 6


def test_what_is_forgotten_depends_on_no_order_of_rows_and_no_thread():
    X, y = noisy_table(10, 6000)
    X["part"] = letters(np.random.default_rng(1), len(y), "pqr")
    X.loc[X["part"] == "p", "other"] = None
    y += X["part"].astype(str) + (X["size"] * 3 % 2 < 1).astype(str)
    rows = np.random.default_rng(0).permutation(len(y))
    one, other = (
        tw.C45Classifier(group_categories=True, min_cases=100, pruning=False, n_jobs=n) for n in (1, 2)
    )
    assert one.fit(X, y).tree_ == other.fit(X.iloc[rows], y.iloc[rows]).tree_
    target = read_classes(Raw(y.to_numpy()))
    kept = replace(one._recipe(LabelledRows(read(X), target)), categorical=GroupingSplitter())
    assert one.tree_.n_nodes > fit(X, target, recipe=kept).tree.n_nodes


def test_what_nodes_forget_needs_an_order_of_nodes():
    X, y = parts_of_a_table("abc")
    recipe = replace(
        C45_RELEASE8, categorical=GroupingSplitter(min_weight_once_unknown=1.0), order=BestFirst()
    )
    with pytest.raises(ParameterError, match=r"use order=DepthFirst\(\)"):
        fit(X, read_classes(Raw(np.array(y))), recipe=recipe)


def test_groups_and_one_against_the_rest_are_refused_together():
    X, y = noisy_table(0)
    with pytest.raises(ParameterError, match="choose one"):
        tw.C45Classifier(group_categories=True, binary_splits=True).fit(X, y)


def test_groups_need_a_ranking_by_gain_ratio():
    X, y = noisy_table(0)
    recipe = Recipe(criterion=Gini(), categorical=GroupingSplitter())
    with pytest.raises(ParameterError, match=r"use categorical=SubsetSplitter\(\)"):
        fit(X, read_classes(Raw(y.to_numpy())), recipe=recipe)


# -- Rows held out --------------------------------------------------------------------------------------


def test_one_row_in_so_many_is_held_out():
    X, y = noisy_table(0)
    tree = tw.C45Classifier(reduced_error_folds=4).fit(X, y)
    assert tree.tree_.n_rows[0] == 225
    assert tree.model_.grown.n_nodes > tree.tree_.n_nodes
    counts = y.value_counts()
    np.testing.assert_allclose(tree.tree_.outcome[0], [counts["no"] * 0.75, counts["yes"] * 0.75], atol=1)


def test_without_pruning_no_row_is_held_out():
    X, y = noisy_table(0)
    kept = tw.C45Classifier(pruning=False, reduced_error_folds=3).fit(X, y)
    assert kept.tree_ == tw.C45Classifier(pruning=False).fit(X, y).tree_


@pytest.mark.parametrize("seed", range(5))
def test_the_pruned_tree_makes_no_more_errors_among_the_rows_held_out(seed):
    X, y = noisy_table(seed)
    X = X.drop(columns="letter").assign(more=X["size"] ** 2)  # no gaps: a row is in one leaf
    tree = tw.C45Classifier(reduced_error_folds=2).fit(X, y)
    truth = (y == "yes").to_numpy()
    held = last_fold(truth.astype(np.int32), np.ones(len(y), dtype=bool), 2)
    grown = Model(tree.model_.schema, tree.model_.grown)
    wrong, wrong_before = ((each.answers(X) != truth)[held].sum() for each in (tree.model_, grown))
    assert wrong <= wrong_before
    assert tree.tree_.n_leaves <= grown.tree.n_leaves


def test_rows_of_no_weight_are_not_dealt():
    X, y = noisy_table(4)
    weights = np.ones(len(y))
    weights[::3] = 0.0
    there = np.flatnonzero(weights)
    some = tw.C45Classifier(reduced_error_folds=3).fit(X.iloc[there], y.iloc[there])
    assert tw.C45Classifier(reduced_error_folds=3).fit(X, y, sample_weight=weights).tree_ == some.tree_


@pytest.mark.parametrize("dtype", [np.float64, np.float32, "datetime64[ns]"])
def test_cuts_lie_at_values_of_the_table_held_out_or_not(dtype):
    """The middle of 0 and 1000 is 500; the next value below it is 400, which only rows held out have."""
    numbers = np.array([0] * 20 + [1000] * 20)
    y = numbers > 500
    is_held = last_fold(y.astype(np.int32), np.ones(40, dtype=bool), 4)
    numbers[np.flatnonzero(is_held)[:5]] = 400
    X = pd.DataFrame({"x": numbers.astype(np.int64).astype(dtype)})
    tree = tw.C45Classifier(reduced_error_folds=4).fit(X, y)
    assert tree.tree_.node(0).question.cut == 400
    assert (tree.predict(X) == y).all()


def test_an_infinite_value_that_is_held_out_is_refused():
    X, y = noisy_table(6)
    messages = set()
    for row in range(12):
        spoilt = X.assign(size=X["size"].where(X.index != row, np.inf))
        with pytest.raises(ColumnError, match=f"infinity in row {row}") as caught:
            tw.C45Classifier(reduced_error_folds=3).fit(spoilt, y)
        messages.add(str(caught.value))
    assert len(messages) == 12


def test_missing_values_of_rows_held_out_are_remembered():
    X, y = noisy_table(7)
    X = X.assign(size=X["size"].where(np.arange(len(X)) % 50 > 0))
    columns = tw.C45Classifier(reduced_error_folds=2).fit(X, y).model_.schema.columns
    assert [column.has_missing for column in columns] == [True, False, True]


def test_the_number_of_folds_is_checked_where_the_part_is_made():
    with pytest.raises(ParameterError, match="n_folds=1"):
        HeldOutFold(n_folds=1)
