"""`C45Classifier` and `ID3Classifier`: their parameters, tables that are hard to swallow, worked numbers."""

import datetime as dt
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

import treewright as tw
from treewright.errors import (
    ColumnError,
    ConversionError,
    ParameterError,
    UnseenCategoryWarning,
    WeightWarning,
)
from treewright.model.labelled_rows import LabelledRows
from treewright.model.model import Model
from treewright.parts.pruners import NoPruning
from treewright.schema import Column
from treewright.table.bins import Binning, learn_bins
from treewright.table.read import Raw, read
from treewright.table.target import read_classes

VARIANTS = ("release8", "j48", "textbook")
Y = ["a", "b"] * 3
X = {"x": [1, 2] * 3}


def golf():
    columns, target = tw.datasets.load("golf")
    table = {name: list(values) for name, values in columns.items()}
    return table, table.pop(target)


def bare(**options):
    """C4.5 without anything that takes branches away."""
    return tw.C45Classifier(**{"min_cases": 1, "pruning": False, "collapse": False, **options})


# -- Parameters ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("variant", "release9", "Did you mean 'release8'"),
        ("variant", None, "variant=None"),
        ("min_cases", 0, "min_cases=0"),
        ("min_cases", "two", "min_cases='two'"),
        ("confidence", 0.0, "confidence=0.0"),
        ("confidence", 1.5, "confidence=1.5"),
        ("pruning", "yes", "pruning='yes' is neither True nor False"),
        ("subtree_raising", 1, "subtree_raising=1 is neither"),
        ("collapse", None, "collapse=None is neither"),
        ("group_categories", 1, "group_categories=1 is neither"),
        ("criterion", "gini", "criterion='gini' is unknown; available: 'gain_ratio', 'gain'"),
        ("binary_splits", "no", "binary_splits='no' is neither"),
        ("laplace", 0.5, "laplace=0.5 is neither"),
        ("numeric_cost", 0, "numeric_cost=0 is neither"),
        ("cut_at", "end", "cut_at='end' is unknown; available: 'observed', 'middle'"),
        ("reduced_error_folds", 1, "reduced_error_folds=1"),
        ("reduced_error_folds", 2.5, "reduced_error_folds=2.5"),
        ("reduced_error_folds", 99, "99 folds need at least as many rows"),
        ("max_depth", 0, "max_depth=0"),
        ("class_weight", "even", "class_weight"),
        ("random_state", "seed", "seed"),
        ("keep_ledger", "yes", "keep_ledger='yes' is neither True nor False"),
        ("n_jobs", 0, "n_jobs"),
        ("engine", "dusk", "engine='dusk'"),
        ("verbose", "loud", "verbose"),
    ],
)
def test_c45_refuses_a_wrong_parameter_when_it_is_fitted(name, value, words):
    estimator = tw.C45Classifier(**{name: value})
    with pytest.raises(ValueError, match=words):
        estimator.fit(X, Y)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("min_gain", -0.1, "min_gain=-0.1"),
        ("max_depth", 0, "max_depth=0"),
        ("missing", "surrogate", "missing='surrogate'"),
        ("missing", "learned", "missing='learned'"),
        ("bins", 1, "bins=1"),
        ("bins", 2.5, "bins=2.5"),
        ("class_weight", {"c": 1}, "class_weight"),
        ("keep_ledger", "yes", "keep_ledger='yes' is neither True nor False"),
        ("n_jobs", 0, "n_jobs"),
        ("engine", "spark", "engine='spark'"),
        ("verbose", "loud", "verbose"),
    ],
)
def test_id3_refuses_a_wrong_parameter_when_it_is_fitted(name, value, words):
    estimator = tw.ID3Classifier(**{name: value})
    with pytest.raises(ValueError, match=words):
        estimator.fit(X, Y)


@pytest.mark.parametrize("kind", [tw.C45Classifier, tw.ID3Classifier])
def test_every_parameter_is_kept_as_it_came(kind):
    estimator = kind()
    odd = {name: object() for name in estimator.get_params()}
    estimator.set_params(**odd)
    assert estimator.get_params() == odd
    assert clone(estimator).get_params().keys() == odd.keys()
    assert clone(kind()).get_params() == kind().get_params()


@pytest.mark.parametrize(
    "estimator",
    [*(tw.C45Classifier(variant=v) for v in VARIANTS), tw.ID3Classifier(missing="spread", bins=3)],
    ids=[*VARIANTS, "id3"],
)
def test_a_fitted_tree_survives_pickling(estimator):
    table, target = golf()
    table["humidity"] = [None if at == 4 else value + 0.5 for at, value in enumerate(table["humidity"])]
    tree = estimator.fit(table, target)
    again = pickle.loads(pickle.dumps(tree))
    assert again.tree_ == tree.tree_
    assert again.model_.schema == tree.model_.schema
    assert again.predict_proba(table).tobytes() == tree.predict_proba(table).tobytes()


def test_nothing_is_taken_away_where_nothing_is_to_be():
    tree = bare().fit(X, Y)
    assert tree.model_.grown is None
    assert tree._recipe(LabelledRows(read(X), read_classes(Raw(np.array(Y))))).pruner == NoPruning()


def test_max_depth_limits_the_tree():
    table, target = golf()
    assert bare(max_depth=1).fit(table, target).get_depth() == 1
    assert (
        tw.ID3Classifier(max_depth=1).fit({"o": table["outlook"], "w": table["windy"]}, target).get_depth()
        == 1
    )


def test_the_target_may_be_a_column():
    columns, name = tw.datasets.load("golf")
    table, target = golf()
    by_name = tw.C45Classifier().fit(columns, name)
    assert by_name.tree_ == tw.C45Classifier().fit(table, target).tree_
    assert by_name.score(columns, name) == 1.0
    with pytest.raises(ColumnError, match=r"'clas' is not in the table\. Did you mean 'class'"):
        tw.C45Classifier().fit(columns, "clas")


# -- Tables that are hard to swallow ------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_column_with_one_value_is_never_asked_about(variant):
    tree = bare(variant=variant).fit({"one": ["k"] * 6, **X}, Y)
    assert tree.tree_.column.tolist() == [1, -1, -1]
    alone = bare(variant=variant).fit({"one": ["k"] * 6}, Y)
    assert alone.tree_.n_nodes == 1
    assert alone.predict_proba({"one": ["k"]}).tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_column_without_any_value_is_never_asked_about(variant):
    tree = bare(variant=variant).fit({"c": [None] * 6, "n": [np.nan] * 6, **X}, Y)
    assert tree.tree_.column.tolist() == [2, -1, -1]
    assert bare(variant=variant).fit({"c": [None] * 6}, Y).tree_.n_nodes == 1


def test_a_declared_class_that_never_occurs_counts_in_the_least_size_of_a_side():
    """A side of a cut weighs at least a tenth of a class's even share: 10 of 200 rows, 5 with 4 classes."""
    x = np.arange(200.0)
    y = np.where(x < 7, "a", "b")
    two = bare(min_cases=2).fit({"x": x}, y)
    four = bare(min_cases=2).fit({"x": x}, pd.Series(pd.Categorical(y, categories=["a", "b", "c", "d"])))
    assert four.tree_.question(0).cut == 6
    assert two.tree_.question(0).cut >= 9
    assert four.classes_.tolist() == ["a", "b"]
    assert four.predict_proba({"x": [1]}).tolist() == [[1.0, 0.0]]


def test_minus_999_is_a_number():
    """Release 8 reads it as "unknown"."""
    tree = bare().fit({"x": [-999, 2] * 3}, Y)
    assert tree.tree_.question(0).cut == -999
    assert tree.tree_.weight.tolist() == [6, 3, 3]
    assert tree.predict({"x": [-999, 2]}).tolist() == ["a", "b"]


def test_fifty_thousand_texts_are_left_out_of_the_average():
    rng = np.random.default_rng(0)
    z = rng.normal(size=60_000)
    texts = [f"s{code}" for code in rng.permutation(60_000) % 50_000]
    tree = tw.C45Classifier().fit({"s": texts, "z": z}, (z > 0).astype(int))
    assert tree.tree_.column.tolist() == [1, -1, -1]
    alone = tw.C45Classifier(pruning=False, collapse=False).fit({"s": texts}, (z > 0).astype(int))
    assert alone.tree_.n_nodes in (1, 50_001)
    assert np.allclose(alone.predict_proba({"s": texts[:10]}).sum(axis=1), 1)


def test_weights_may_be_fractions():
    weights = np.array([0.5, 0.25, 1.5, 2.2, 0.1, 0.3])
    tree = bare(min_cases=0.5).fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(tree.tree_.weight, [4.85, 2.1, 2.75], rtol=1e-12)
    with pytest.warns(WeightWarning, match=r"add up to 4\.85, and min_cases=3"):
        heavy = bare(min_cases=3).fit(X, Y, sample_weight=weights)
    assert heavy.tree_.n_nodes == 1  # no side weighs 3


@pytest.mark.parametrize("x", [[1.0, 2, 3, 4, 5, 6, 7, 8], [1.0, 2, 3, 4, None, 6, 7, 8]])
@pytest.mark.parametrize("min_cases", [10.0**power for power in (1, 4, 12, 18, 19, 300)])
def test_a_least_weight_beyond_that_of_the_table_makes_a_leaf(x, min_cases):
    assert bare(min_cases=min_cases).fit({"x": x}, list("aaaabbbb")).tree_.n_nodes == 1


@pytest.mark.parametrize(("min_cases", "is_parted"), [(1.4, True), (1.43, False), (2, False)])
def test_shares_of_rows_are_held_to_fractions_of_a_case(min_cases, is_parted):
    """3/7 of the last row go left at the root; there z parts it and the third, 1.4286, from two others."""
    table = {"x": [*"lllrrrr", None], "z": list("uuvuuvvv")}
    tree = bare(min_cases=min_cases, variant="textbook").fit(table, list("aacbbbbc")).tree_
    left = tree.children(0)[0]
    assert tree.weight[left] == pytest.approx(24 / 7)
    assert [tree.weight[child] for child in tree.children(left)] == pytest.approx([2, 10 / 7] * is_parted)


def test_a_row_without_any_value_counts_for_the_classes_only():
    table, target = golf()
    wider = {name: [*values, None] for name, values in table.items()}
    tree = tw.C45Classifier().fit(wider, [*target, "Play"])
    assert tree.tree_.weight[0] == 15
    leaves = tree.tree_.column < 0
    assert tree.tree_.weight[leaves].sum() == pytest.approx(15, abs=1e-9)
    unknown = {name: [None] for name in table}
    np.testing.assert_allclose(tree.predict_proba(unknown), [[5 / 15, 10 / 15]], atol=1e-9)
    np.testing.assert_allclose(
        tw.C45Classifier().fit(table, target).predict_proba(unknown), [[5 / 14, 9 / 14]], atol=1e-9
    )


def test_a_new_category_counts_as_unknown():
    """Release 8 stops at a value that nobody declared."""
    table, target = golf()
    tree = tw.C45Classifier().fit(table, target)
    new = {"outlook": ["fog"], "temperature": [70], "humidity": [70], "windy": ["false"]}
    with pytest.warns(UnseenCategoryWarning, match="'fog'"):
        found = tree.predict_proba(new)
    assert found.tobytes() == tree.predict_proba({**new, "outlook": [None]}).tobytes()


def test_release_8_solves_xor_of_categories_and_j48_does_not():
    """No column gains anything alone: Release 8 takes a gain of nothing, J48 asks for more."""
    a, b = (np.array(["0", "1"])[codes] for codes in (np.arange(40) % 2, np.arange(40) // 2 % 2))
    table, target = {"a": a, "b": b}, (a == b).astype(int)
    assert tw.C45Classifier().fit(table, target).score(table, target) == 1.0
    assert tw.C45Classifier(variant="j48").fit(table, target).tree_.n_nodes == 1
    assert tw.ID3Classifier().fit(table, target).tree_.n_nodes == 1


def test_class_weights_multiply_the_weights_of_rows():
    """Weights 20, 30, 10 of classes 0, 0, 1 with 40 and 60: 800 + 1200 and 600."""
    tree = tw.C45Classifier(class_weight={0: 40, 1: 60}).fit([[1]] * 3, [0, 0, 1], sample_weight=[20, 30, 10])
    assert tree.tree_.weight.tolist() == [2600]
    assert tree.tree_.outcome.tolist() == [[2000, 600]]
    id3 = tw.ID3Classifier(class_weight={0: 40, 1: 60}).fit(
        [[1], [2], [3]], [0, 0, 1], sample_weight=[20, 30, 10]
    )
    assert id3.tree_.weight.tolist() == [2600, 800, 1200, 600]
    balanced = bare(class_weight="balanced").fit({"x": [1, 1, 1, 2]}, ["a", "a", "a", "b"])
    assert balanced.tree_.outcome[0].tolist() == pytest.approx([2, 2])


CONTAINERS = {
    "pandas": pd.DataFrame,
    "pandas categories": lambda table: pd.DataFrame(table).astype(
        {"outlook": "category", "windy": "category"}
    ),
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "dict of arrays": lambda table: {name: np.array(values) for name, values in table.items()},
    "list of lists": lambda table: [list(row) for row in zip(*table.values(), strict=True)],
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
def test_the_tree_is_the_same_from_any_container(container, variant):
    table, target = golf()
    if container is not CONTAINERS["list of lists"] and container is not CONTAINERS["dict of arrays"]:
        table["outlook"][11] = None
    expected = tw.C45Classifier(variant=variant).fit(table, target)
    found = tw.C45Classifier(variant=variant).fit(container(table), target)
    assert found.tree_ == expected.tree_
    assert found.predict_proba(container(table)).tobytes() == expected.predict_proba(table).tobytes()


def test_scikit_learns_trees_cannot_spread_rows():
    tree = tw.C45Classifier().fit({"x": np.arange(10.0)}, [0] * 5 + [1] * 5)
    with pytest.raises(ConversionError, match="go down every branch"):
        tree.to_sklearn()


# -- Worked numbers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["release8", "j48"])
def test_golf_with_one_unknown_outlook_gives_quinlans_figures(variant):
    """Quinlan (1993), chapter 3: gain 0.199 bits, split information 1.809 bits."""
    table, target = golf()
    table["outlook"][11] = None
    tree = bare(variant=variant, min_cases=2).fit(table, target).tree_
    assert tree.column[0] == 0
    assert tree.net_gain[0] == pytest.approx(0.199, abs=5e-4)
    assert tree.net_gain[0] / tree.ratio[0] == pytest.approx(1.809, abs=5e-4)
    np.testing.assert_allclose(tree.weight[[1, 2, 5]], [3 + 3 / 13, 5 + 5 / 13, 5 + 5 / 13], rtol=1e-9)


def test_the_textbook_leaves_the_unknown_out_of_the_split_information():
    table, target = golf()
    table["outlook"][11] = None
    tree = bare(variant="textbook", min_cases=2).fit(table, target).tree_
    shares = np.array([3, 5, 5]) / 13
    assert tree.net_gain[0] / tree.ratio[0] == pytest.approx(-(shares * np.log2(shares)).sum(), rel=1e-9)


# -- Intervals ----------------------------------------------------------------------------------------------


def test_fractions_without_bins_are_refused_by_name_and_value():
    with pytest.raises(ColumnError, match=r"column 'size' holds 2\.5 in row 1.*C45Classifier.*bins="):
        tw.ID3Classifier().fit({"kind": ["a", "b"], "size": [1.0, 2.5]}, [0, 1])
    with pytest.raises(ColumnError, match=r"column 'day' holds 2024-01-02.* in row 0, a datetime"):
        tw.ID3Classifier().fit({"day": [dt.date(2024, 1, 2), dt.date(2024, 1, 3)]}, [0, 1])
    with pytest.raises(ColumnError, match=r"column 'wait' holds .* in row 0, a duration"):
        tw.ID3Classifier().fit({"wait": [dt.timedelta(1), dt.timedelta(2)]}, [0, 1])


def test_whole_numbers_and_texts_are_categories_as_they_are():
    tree = tw.ID3Classifier(bins=2).fit({"n": [1.0, 2.0, 7.0], "t": ["1.5", "2.5", "3.5"]}, [0, 1, 2])
    assert tree.bin_edges_ == {}
    assert [column.categories for column in tree.model_.schema.columns] == [(1, 2, 7), ("1.5", "2.5", "3.5")]


def test_intervals_hold_about_as_many_rows_and_read_as_conditions():
    values = np.arange(12) + 0.5
    tree = tw.ID3Classifier(bins=3).fit({"x": values}, np.repeat(["a", "b", "c"], 4))
    assert tree.model_.schema.columns[0].categories == ("<= 4", "(4, 8]", "> 8")
    assert tree.bin_edges_[0].tolist() == [4, 8]
    assert tree.to_text().splitlines()[1:] == [
        "├── x <= 4 → a (100% of 4 rows)",
        "├── x in (4, 8] → b (100% of 4 rows)",
        "└── x > 8 → c (100% of 4 rows)",
    ]
    # A value on an edge lies below it, and the outer intervals have no end.
    assert tree.predict({"x": [-1e9, 4.0, 4.1, 8.0, 1e9]}).tolist() == ["a", "a", "b", "b", "c"]
    assert tree.score({"x": values}, np.repeat(["a", "b", "c"], 4)) == 1.0


def naive_edges(values, n_bins):
    """For each edge the gap that leaves most nearly its share below, of equals the lower."""
    distinct = sorted(set(values))
    below = [sum(value <= cut for value in values) for cut in distinct[:-1]]
    chosen = []
    for j in range(1, n_bins):
        far = [abs(n * n_bins - len(values) * j) for n in below]
        if far:
            chosen.append(far.index(min(far)))
    return [(distinct[at] + distinct[at + 1]) / 2 for at in sorted(set(chosen))]


def test_edges_are_those_of_the_definition():
    rng = np.random.default_rng(4)
    for _ in range(500):
        values = rng.integers(0, rng.integers(1, 30), rng.integers(1, 40)) / 2 + 0.25
        n_bins = int(rng.integers(2, 8))
        codes, column = learn_bins(values, Column("x"), Binning(n_bins))
        edges = naive_edges(values.tolist(), n_bins)
        assert list(column.bins.edges) == edges
        assert codes.tolist() == [sum(edge < value for edge in edges) for value in values]
        assert len(set(column.categories)) == len(column.categories) == len(edges) + 1


def test_a_row_of_weight_k_is_cut_as_k_rows_and_the_order_of_rows_does_not_show():
    rng = np.random.default_rng(5)
    for _ in range(50):
        n = int(rng.integers(4, 40))
        values, weights = rng.integers(0, 20, n) + 0.5, rng.integers(0, 4, n)
        weights[0] = 1
        _, weighted = learn_bins(values, Column("x"), Binning(4, weights.astype(float)))
        _, copied = learn_bins(np.repeat(values, weights), Column("x"), Binning(4))
        assert weighted == copied
        order, fractions = rng.permutation(n), rng.random(n)
        one = learn_bins(values, Column("x"), Binning(4, fractions))[1]
        assert one == learn_bins(values[order], Column("x"), Binning(4, fractions[order]))[1]


def test_few_values_make_few_intervals():
    same = tw.ID3Classifier(bins=4).fit({"x": [0.5] * 4}, [0, 1, 0, 1])
    assert same.tree_.n_nodes == 1
    assert same.model_.schema.columns[0].categories == ("any value",)
    two = tw.ID3Classifier(bins=4).fit({"x": [0.5, 1.5] * 3}, [0, 1] * 3)
    assert two.bin_edges_[0].tolist() == [1.0]


def test_edges_too_near_for_few_digits_still_have_names_of_their_own():
    x = 1 + np.arange(6) * 1e-12
    tree = tw.ID3Classifier(bins=6).fit({"x": x}, list("abcdef"))
    assert len(set(tree.model_.schema.columns[0].categories)) == 6
    assert tree.predict({"x": x}).tolist() == list("abcdef")


MOMENTS = {
    "pandas": lambda days: pd.DataFrame({"day": pd.to_datetime(days)}),
    "polars": lambda days: pl.DataFrame({"day": days}),
    "arrow": lambda days: pa.table({"day": days}),
    "list": lambda days: {"day": days},
    "seconds": lambda days: {"day": np.array(days, dtype="M8[s]")},
}


@pytest.mark.parametrize("make", MOMENTS.values(), ids=MOMENTS)
def test_moments_are_cut_the_same_in_any_container(make):
    days = [dt.datetime(2024, 1, day) for day in (1, 2, 5, 6)]
    tree = tw.ID3Classifier(bins=2, missing="branch").fit(make(days), [0, 0, 1, 1])
    assert tree.model_.schema.columns[0].categories == ("<= 2024-01-03 12:00:00", "> 2024-01-03 12:00:00")
    assert tree.bin_edges_[0].tolist() == np.array(["2024-01-03T12"], dtype="M8[ns]").tolist()
    assert tree.predict({"day": [dt.datetime(1990, 1, 1), dt.datetime(2030, 1, 1)]}).tolist() == [0, 1]
    assert tree.predict({"day": [None]}).tolist() == [1]  # the heaviest branch, the last of equals


def test_durations_are_cut_too():
    waits = [dt.timedelta(hours=hours) for hours in (1, 2, 8, 9)]
    tree = tw.ID3Classifier(bins=2).fit({"wait": waits}, [0, 0, 1, 1])
    assert tree.to_text().splitlines()[1] == "├── wait <= 05:00:00 → 0 (100% of 2 rows)"
    with pytest.raises(ColumnError, match="held durations in training and holds numbers now"):
        tree.predict({"wait": [3.5]})


def test_what_is_missing_stays_missing_and_infinity_is_refused():
    x = [0.5, 1.5, 2.5, np.nan]
    tree = tw.ID3Classifier(bins=3, missing="spread").fit({"x": x}, ["a", "b", "c", "c"])
    np.testing.assert_allclose(tree.predict_proba({"x": [np.nan]}), [[0.25, 0.25, 0.5]], atol=1e-9)
    for values in ([np.inf], [-np.inf]):
        with pytest.raises(ColumnError, match="infinity in row 0"):
            tree.predict({"x": values})
    with pytest.raises(ColumnError, match="infinity in row 1"):
        tw.ID3Classifier(bins=3).fit({"x": [0.5, np.inf]}, [0, 1])
    with pytest.raises(ColumnError, match="contains NaN"):
        tw.ID3Classifier(bins=3).fit({"x": x}, [0, 1, 0, 1])
    complete = tw.ID3Classifier(bins=3).fit({"x": x[:3]}, [0, 1, 0])
    with pytest.raises(ColumnError, match="contains NaN"):
        complete.predict({"x": [np.nan]})


def test_the_model_alone_cuts_new_rows():
    rng = np.random.default_rng(6)
    table = {"a": rng.normal(size=80), "b": rng.integers(0, 3, 80)}
    target = ((table["a"] > 0) ^ (table["b"] == 1)).astype(int)
    tree = tw.ID3Classifier(bins=4).fit(table, target)
    model = tree.model_
    alone = Model(model.schema, model.tree)
    assert alone.predict(table).tolist() == tree.predict(table).tolist()
    assert alone.apply(table).tolist() == tree.apply(table).tolist()
    assert tree.decision_path(table).shape == (80, model.tree.n_nodes)


def test_bins_do_not_depend_on_the_width_of_floats():
    x = np.round(np.random.default_rng(7).normal(size=50) * 64) / 64
    y = (x > 0).astype(int)
    one, other = (tw.ID3Classifier(bins=4).fit({"x": x.astype(kind)}, y) for kind in (np.float64, np.float32))
    assert one.model_.schema == other.model_.schema
    assert one.tree_ == other.tree_


def test_bins_that_nobody_needs_are_still_checked():
    with pytest.raises(ParameterError, match="bins=0"):
        tw.ID3Classifier(bins=0).fit(X, Y)


@pytest.mark.parametrize("variant", VARIANTS)
def test_which_of_the_two_zeros_a_cut_lies_at_does_not_depend_on_the_order_of_rows(variant):
    x = np.array([-0.0, 0.0, 0.0, -0.0, 1.0, 2.0, 3.0, 4.0])
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    trees = [
        bare(variant=variant).fit({"x": x[rows]}, y[rows]).tree_
        for rows in (np.arange(8), np.arange(8)[::-1])
    ]
    assert trees[0] == trees[1]
    assert not np.signbit(trees[0].cut[0])
