"""The ledger as people meet it: prints, frames, reasons, formulas, pruned trees, any order of rows."""

import copy
import math
import pickle
import re

import numpy as np
import pandas as pd
import pytest

import treewright as tw
import watermelon_figures
from mixed_tables import Way, mixed_table
from treewright.errors import ModelFileError, ParameterError
from treewright.grid import text_width
from treewright.model.fields import Field
from treewright.model.ledger_arrays import STOPS, VERDICTS, LedgerArrays
from treewright.model.sections import model_from_plain, model_to_plain


@pytest.fixture(scope="module")
def melons():
    columns, target = tw.datasets.load("watermelon_20a_density")
    return columns, columns.pop(target)


@pytest.fixture(scope="module")
def textbook(melons):
    return tw.C45Classifier(variant="textbook", min_cases=1, keep_ledger=True).fit(*melons)


# -- the worked example


def test_the_root_has_the_figures_of_the_worked_example(textbook):
    for name, (gain, split, ratio, _, _) in watermelon_figures.COLUMNS.items():
        row = textbook.ledger_[0].row(name)
        assert (row.gain, row.split_information, row.ratio) == pytest.approx((gain, split, ratio), abs=5e-5)


def test_release_8_counts_what_is_missing_as_a_branch(melons):
    ledger = tw.C45Classifier(keep_ledger=True).fit(*melons).ledger_[0]
    for name, (gain, _, _, split, ratio) in watermelon_figures.COLUMNS.items():
        row = ledger.row(name)
        assert (row.gain, row.split_information, row.ratio) == pytest.approx((gain, split, ratio), abs=5e-5)


def test_an_audit_lists_all_sixteen_cuts_of_density(textbook, melons):
    rows = [row for row in tw.audit(textbook, *melons, every_cut=True) if row.column == "密度"]
    assert [round(row.question.cut, 4) for row in rows] == list(watermelon_figures.CUTS)
    for row, (gain, ratio) in zip(rows, watermelon_figures.CUTS.values(), strict=True):
        assert (row.gain, row.ratio) == pytest.approx((gain, ratio), abs=5e-5)
    assert [row.verdict for row in rows].count("won") == 1


def test_cuts_that_a_limit_forbids_are_listed_with_the_reason(melons):
    tree = tw.C45Classifier(variant="textbook", min_cases=3).fit(*melons)
    rows = [row for row in tw.audit(tree, *melons, every_cut=True) if row.column == "密度"]
    assert len(rows) == len(watermelon_figures.CUTS)
    forbidden = [row for row in rows if row.reason == "fewer than 3 rows on one side"]
    assert [round(row.question.cut, 4) for row in forbidden] == [0.244, 0.294, 0.708, 0.7465]
    assert all(row.rank is None and row.gain is not None for row in forbidden)


def test_it_prints_as_a_table_that_lines_up(textbook):
    lines = str(textbook.ledger_[0]).splitlines()
    assert lines[0] == "node 0, weight 17: asks 密度 <= 0.3815"
    assert lines[1].split() == [
        "rank", "column", "question", "branches", "known", "gain", "split", "ratio", "reason",
    ]  # fmt: skip
    ends = {
        text_width(line[: line.index(reason)]) for line, reason in zip(lines[2:], reasons(lines), strict=True)
    }
    assert len(ends) == 1
    assert lines[2].endswith("ratio 0.162 below 0.333 of `密度`")


def reasons(lines):
    starts = ("ratio 0", "gain 0", "wins")
    return [next(line[line.rindex(start) :] for start in starts if start in line) for line in lines[2:]]


def test_html_has_the_same_and_escapes_it():
    tree = tw.DecisionTreeClassifier(keep_ledger=True).fit({"<b>": [1, 2, 3, 4]}, [0, 0, 1, 1])
    page = tree.ledger_._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert page.count("<h4>") == 3


def test_a_long_ledger_prints_its_beginning():
    rng = np.random.default_rng(0)
    tree = tw.DecisionTreeClassifier(keep_ledger=True).fit(rng.normal(size=(200, 3)), rng.integers(0, 2, 200))
    text = str(tree.ledger_)
    shown = text.count("\nnode ") + 1
    assert f"… {tree.tree_.n_nodes - shown:,} more nodes" in text
    assert len(text.splitlines()) < 120


def test_a_frame_has_every_row(textbook):
    frame = textbook.ledger_.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == len(textbook.ledger_)
    root = frame[frame.node == 0].set_index("column")
    assert root.loc["色泽", "gain"] == pytest.approx(0.2520, abs=5e-5)
    assert root.loc["密度", "reason"] == "wins"
    assert root.loc["密度", "kind"] == "cut"
    assert root.loc["色泽", "kind"] == "categories"
    assert root.loc["色泽", "branches"] == "乌黑: 2/4, 浅白: 4/0, 青绿: 2/2"


def test_labels_that_read_like_its_own_words_are_left_alone():
    table = {"or missing": ["is good", "is good", "x or missing", "x or missing", None]}
    for missing in ("majority", "learned"):
        tree = tw.DecisionTreeClassifier(keep_ledger=True, missing=missing).fit(table, [0, 0, 1, 1, 1])
        row = tree.ledger_[0].winner
        joined = " or missing" if missing == "learned" else ""
        assert [branch.condition for branch in row.branches] == ["is good", f"x or missing{joined}"]
        assert tree.ledger_.why(0) == "asks or missing = is good"
        assert tree.ledger_.to_frame().question[0] == "or missing = is good"


# -- reasons


def test_every_loser_has_a_reason():
    columns = {
        "same": [1.0] * 8,
        "blank": [math.nan] * 8,
        "good": [1.0, 2, 3, 4, 5, 6, 7, 8],
        "copy": [1.0, 2, 3, 4, 5, 6, 7, 8],
        "noise": [1.0, 1, 2, 2, 1, 1, 2, 2],
        "one": [1.0, 9, 9, 9, 9, 9, 9, 9],
    }
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    tree = tw.DecisionTreeClassifier(min_samples_leaf=2, missing="majority", keep_ledger=True).fit(columns, y)
    assert {row.column: row.reason for row in tree.ledger_[0]} == {
        "same": "constant",
        "blank": "all missing",
        "good": "wins",
        "copy": "tied with `good`, later column",
        "noise": "gain 0.000 below 0.500 of `good`",
        "one": "fewer than 2 rows on one side",
    }


def test_a_category_used_above_is_told_from_one_that_is_constant():
    columns = {"a": list("xxxyyy"), "b": list("uuvuuu"), "c": list("kkkkkk")}
    tree = tw.ID3Classifier(keep_ledger=True).fit(columns, [0, 0, 1, 1, 1, 1])
    reasons = {row.column: row.reason for row in tree.ledger_[tree.tree_.children(0)[0]]}
    asked = tree.ledger_.winner if len(tree.ledger_.nodes) == 1 else tree.ledger_[0].winner.column
    assert reasons[asked] == "used above"
    assert reasons["c"] == "constant"


def test_a_gain_that_does_not_pay_for_the_cuts_tried_says_so():
    columns, target = tw.datasets.load("golf")
    ledger = tw.C45Classifier(keep_ledger=True).fit(columns, target).ledger_[0]
    assert ledger.row("humidity").reason == "gain 0.102 does not pay 0.185 for 6 cuts tried"
    assert ledger.row("windy").reason == "gain 0.048 below the average 0.147"
    assert ledger.row("humidity").rank is None


def test_columns_not_drawn_say_so():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(30, 5)), rng.integers(0, 2, 30)
    tree = tw.DecisionTreeClassifier(max_features=2, random_state=0, max_depth=1, keep_ledger=True).fit(X, y)
    assert [row.reason for row in tree.ledger_[0]].count("not drawn") == 3


@pytest.mark.parametrize(
    ("options", "stop"),
    [
        ({"max_depth": 1}, "the tree has reached its maximum depth"),
        ({"min_samples_split": 7}, "too few rows to be split"),
        ({"min_samples_leaf": 3, "min_samples_split": 2}, "too few rows to be split"),
        ({"min_weight_fraction_leaf": 0.3}, "too little weight to be split"),
        ({"min_impurity": 0.55}, "its impurity is low enough"),
        ({"min_impurity_decrease": 0.2}, "it gains too little"),
        ({"max_leaf_nodes": 2}, "the limit on leaves is reached"),
        ({"ccp_alpha": 0.2}, "pruned"),
        ({}, "all rows have one answer"),
    ],
)
def test_a_leaf_says_why_it_is_one(options, stop):
    tree = tw.DecisionTreeClassifier(keep_ledger=True, **options).fit(
        {"x": [1, 2, 3, 4, 5, 6, 7, 8]}, list("aaabacbb")
    )
    leaves = [node.id for node in tree.tree_.walk() if node.is_leaf]
    assert any(stop in tree.ledger_.why(leaf) for leaf in leaves), [tree.ledger_.why(leaf) for leaf in leaves]


def test_no_column_has_a_question_is_a_reason_too():
    tree = tw.DecisionTreeClassifier(keep_ledger=True).fit({"x": [1, 1]}, [0, 1])
    assert tree.ledger_.why(0) == "a leaf: no column can be split"
    assert tree.ledger_[0].winner is None


def test_a_branch_without_rows_says_so():
    column = pd.Series(pd.Categorical(["a", "a", "b", "b"], categories=["a", "b", "c"]))
    tree = tw.ID3Classifier(keep_ledger=True).fit(pd.DataFrame({"x": column}), [0, 0, 1, 1])
    assert tree.ledger_.why(3) == "a leaf: no row reaches it"


def test_answers_out_of_order_are_a_reason():
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    tree = tw.DecisionTreeRegressor(monotonic_cst=[1], keep_ledger=True).fit(X, [4.0, 3.0, 2.0, 1.0])
    assert tree.ledger_[0].row("x0").reason == "answers would be out of order"


# -- pruning


def test_pruned_nodes_lose_their_rows_and_new_leaves_keep_theirs():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 6, (120, 4)).astype(float), rng.integers(0, 2, 120)
    whole = tw.DecisionTreeClassifier(keep_ledger=True).fit(X, y)
    short = tw.DecisionTreeClassifier(ccp_alpha=0.004, keep_ledger=True).fit(X, y)
    assert 1 < short.tree_.n_nodes < whole.tree_.n_nodes
    assert short.ledger_.nodes == tuple(range(short.tree_.n_nodes))
    pruned = [number for number in short.ledger_.nodes if "pruned" in short.ledger_.why(number)]
    assert pruned
    for number in pruned:
        assert short.tree_.node(number).is_leaf
        assert short.ledger_[number].winner.reason == "best, but pruned"
        assert "it would have asked" in short.ledger_.why(number)
    assert [str(row) for row in short.ledger_[0]] == [str(row) for row in whole.ledger_[0]]


def test_est_prune_carries_the_ledger_along():
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 6, (80, 3)).astype(float), rng.integers(0, 2, 80)
    tree = tw.DecisionTreeClassifier(keep_ledger=True).fit(X, y).prune("cost-complexity", leaves=4)
    assert tree.ledger_.nodes == tuple(range(tree.tree_.n_nodes))
    assert any("pruned" in tree.ledger_.why(number) for number in tree.ledger_.nodes)


def test_c45_keeps_a_ledger_of_the_tree_before_pruning_too(melons):
    model = tw.C45Classifier(keep_ledger=True).fit(*melons).model_
    assert model.grown.ledger.n_nodes == model.grown.n_nodes > model.tree.n_nodes
    assert model.tree.ledger.n_nodes == model.tree.n_nodes


# -- formulas


def value_of(text: str, gain: float) -> float:
    """Work a formula out; where it names the gain, that is `gain`."""
    for mark, python in (("×", "*"), ("−", "-"), ("²", "**2")):
        text = text.replace(mark, python)
    return eval(re.sub(r"^Gain\(.*\) - log2", f"{gain} - log2", text), {"log2": math.log2, "ln": math.log})


def classes(**options):
    return lambda: tw.DecisionTreeClassifier(keep_ledger=True, **options)


def numbers(**options):
    return lambda: tw.DecisionTreeRegressor(keep_ledger=True, **options)


RECIPES = {
    "gini": classes(),
    "entropy": classes(criterion="entropy"),
    "misclassification": classes(criterion="misclassification"),
    "taylor entropy": classes(criterion="taylor_entropy"),
    "twoing": classes(criterion="twoing"),
    "gain ratio": classes(criterion="gain_ratio"),
    "gain ratio, majority": classes(criterion="gain_ratio", missing="majority"),
    "gain ratio, spread": classes(criterion="gain_ratio", missing="spread"),
    "gini, spread": classes(missing="spread", missing_penalty="quadratic"),
    "squared error": numbers(),
    "poisson": numbers(criterion="poisson"),
    "absolute error": numbers(criterion="absolute_error"),
    "absolute error, majority": numbers(criterion="absolute_error", missing="majority"),
    "squared error, own branch": numbers(missing="branch", categorical_split="multiway"),
    "release 8": lambda: tw.C45Classifier(keep_ledger=True),
    "textbook": lambda: tw.C45Classifier(variant="textbook", min_cases=1, keep_ledger=True),
}


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_formula_comes_to_what_it_says(recipe):
    rng = np.random.default_rng(5)
    make = RECIPES[recipe]
    of = "squared_error" if isinstance(make(), tw.DecisionTreeRegressor) else "gini"
    n_formulas = 0
    for _ in range(12):
        table = mixed_table(rng, Way(of))
        tree = make().fit(table.columns, table.y)
        for number in tree.ledger_.nodes:
            ledger = tree.ledger_[number]
            for at, row in enumerate(ledger):
                if row.gain is None:
                    continue
                for line in ledger.formula(at).splitlines():
                    is_charge = ") − log2(" in line
                    told = line if is_charge else line.split(") = ", 1)[1]
                    values = [value_of(side, row.gain) for side in re.split(r" = (?!.*\) − log2)", told)]
                    assert len(values) >= 2, line
                    assert values == pytest.approx([values[-1]] * len(values), abs=3e-3, rel=3e-3), line
                    n_formulas += 1
    assert n_formulas > 40


def test_the_formula_of_a_cut_charges_for_the_cuts_tried(melons):
    ledger = tw.C45Classifier(keep_ledger=True).fit(*melons).ledger_[0]
    assert ledger.formula("密度").splitlines() == [
        "Gain(密度 <= 0.36) = 0.9975 − 4/17 × 0 − 13/17 × 0.9612 = 0.2624",
        "Gain(密度 <= 0.36) − log2(14) / 17 = 0.2624 − 0.2240 = 0.0385",
        "SplitInfo(密度 <= 0.36) = −4/17 × log2(4/17) − 13/17 × log2(13/17) = 0.7871",
        "GainRatio(密度 <= 0.36) = 0.0385 / 0.7871 = 0.0489",
    ]


def test_a_row_of_the_ledger_is_written_out_whichever_way_it_is_named(textbook, melons):
    for ledger in (textbook.ledger_, textbook.ledger_[0], tw.audit(textbook, *melons, every_cut=True)):
        for at, row in enumerate(ledger):
            if row.gain is not None:
                assert ledger.formula(row) == ledger.formula(at)
    row = textbook.ledger_[0].row("色泽")
    assert textbook.ledger_.formula(row) == textbook.ledger_[0].formula("色泽")
    with pytest.raises(ParameterError, match="column '色泽' at node 0 is not in this ledger"):
        textbook.ledger_[2].formula(row)
    other = tw.DecisionTreeClassifier(keep_ledger=True).fit({"x": [1, 2]}, [0, 1]).ledger_
    with pytest.raises(ParameterError, match="not in this ledger"):
        other.formula(row)


def test_a_column_without_a_question_has_no_formula():
    tree = tw.DecisionTreeClassifier(keep_ledger=True).fit({"x": [1, 1, 1], "y": [1, 2, 3]}, [0, 0, 1])
    with pytest.raises(ParameterError, match=r"'x' has no split at node 0 \(constant\)"):
        tree.ledger_[0].formula("x")


# -- the same for everybody


def test_threads_and_the_order_of_rows_do_not_show():
    rng = np.random.default_rng(6)
    n = 4000
    X = {
        "a": rng.normal(size=n),
        "b": np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 50, n)),
        "c": rng.choice(list("uvwxyz"), n).tolist(),
        "d": rng.normal(size=n).round(1),
        "e": rng.integers(0, 9, n),
        "f": rng.normal(size=n),
    }
    order = rng.permutation(n)
    shuffled = {name: [values[i] for i in order] for name, values in X.items()}
    y = ((np.nan_to_num(X["b"]) > 20) ^ (X["a"] > 0)).astype(int)
    y[rng.random(n) < 0.2] ^= 1
    for make in (
        lambda jobs: tw.DecisionTreeClassifier(keep_ledger=True, n_jobs=jobs),
        lambda jobs: tw.C45Classifier(keep_ledger=True, n_jobs=jobs, pruning=False),
        lambda jobs: tw.DecisionTreeRegressor(keep_ledger=True, n_jobs=jobs, max_depth=6),
        lambda jobs: tw.DecisionTreeRegressor(
            keep_ledger=True, n_jobs=jobs, max_depth=4, criterion="absolute_error"
        ),
    ):
        one = make(1).fit(X, y).tree_
        many = make(3).fit(X, y).tree_
        other = make(2).fit(shuffled, y[order]).tree_
        assert one.ledger == many.ledger == other.ledger
        assert one == many == other
        assert len(one.ledger) > 50


def test_the_tree_is_the_same_with_and_without_a_ledger():
    rng = np.random.default_rng(7)
    for seed in range(20):
        table = mixed_table(np.random.default_rng(seed), Way("gini"))
        with_it, without = (
            tw.DecisionTreeClassifier(keep_ledger=keep).fit(table.columns, table.y).tree_
            for keep in (True, False)
        )
        assert without.ledger is None
        for name in ("column", "cut", "gain", "outcome", "missing_branch", "set_code", "set_branch"):
            assert getattr(with_it, name).tobytes() == getattr(without, name).tobytes()
    X = rng.normal(size=(3000, 8))
    y = (X[:, 3] > 0).astype(int)  # parted by one column, after which nobody else is looked into
    with_it = tw.DecisionTreeClassifier(keep_ledger=True).fit(X, y)
    assert with_it.tree_.n_nodes == 3
    assert all(row.gain is not None for row in with_it.ledger_[0])


def test_it_survives_pickling_and_copying(textbook):
    for again in (pickle.loads(pickle.dumps(textbook)), copy.deepcopy(textbook)):
        assert again.ledger_ == textbook.ledger_
        assert again.model_.tree.ledger == textbook.model_.tree.ledger


def test_its_arrays_are_read_only(textbook):
    for name in LedgerArrays.arrays():
        with pytest.raises(ValueError, match="read-only"):
            getattr(textbook.tree_.ledger, name)[:1] = 0


def test_priors_count_in_the_weights_of_the_ledger():
    X, y = {"x": [1, 2, 3, 4]}, ["a", "a", "a", "b"]
    ledger = tw.DecisionTreeClassifier(prior={"a": 0.5, "b": 0.5}, keep_ledger=True).fit(X, y).ledger_[0]
    assert [branch.weight for branch in ledger.row("x").branches] == pytest.approx([2.0, 2.0])
    assert ledger.row("x").gain == pytest.approx(0.5)


# -- what is asked for wrongly


def test_a_tree_without_a_ledger_says_how_to_get_one():
    tree = tw.DecisionTreeClassifier().fit({"x": [1, 2]}, [0, 1])
    assert not hasattr(tree, "ledger_")
    with pytest.raises(AttributeError, match="keep_ledger=True"):
        _ = tree.ledger_
    assert tree.model_.ledger is None


def test_wrong_rows_and_nodes_are_refused(textbook):
    ledger = textbook.ledger_
    with pytest.raises(IndexError, match="node 99 is not in this ledger"):
        ledger.node(99)
    with pytest.raises(ParameterError, match="Did you mean '密度'"):
        ledger[0].row("密 度")
    with pytest.raises(ParameterError, match="pick a node first"):
        ledger.row("密度")
    leaf = next(node.id for node in textbook.tree_.walk() if node.is_leaf and not len(ledger[node.id]))
    with pytest.raises(ParameterError, match="became a leaf before its columns were searched"):
        ledger[leaf].row("密度")


def test_verdicts_and_stops_are_named():
    assert len(set(VERDICTS)) == len(VERDICTS)
    assert len(set(STOPS)) == len(STOPS)


# -- the model file


@pytest.mark.parametrize("recipe", ["gini", "squared error, own branch", "release 8", "textbook"])
def test_a_model_file_keeps_the_ledger(recipe, tmp_path):
    make = RECIPES[recipe]
    of = "squared_error" if isinstance(make(), tw.DecisionTreeRegressor) else "gini"
    table = mixed_table(np.random.default_rng(8), Way(of), rows=(20, 40))
    tree = make().fit(table.columns, table.y)
    tree.save(tmp_path / "tree.tw.json")
    again = tw.load(tmp_path / "tree.tw.json")
    assert again.ledger_ == tree.ledger_
    assert str(again.ledger_) == str(tree.ledger_)


@pytest.mark.parametrize(
    ("name", "at", "value", "words"),
    [
        ("column", 0, 99, "tree.ledger.column"),
        ("verdict", 0, 77, "tree.ledger.verdict"),
        ("stop", 0, -1, "tree.ledger.stop"),
        ("branch_begin", 1, 10**6, "tree.ledger.branch_begin"),
        ("row_begin", 1, -5, "tree.ledger.row_begin"),
        ("set_code", 0, 50, "tree.ledger.set_code"),
        ("set_branch", 0, 9, "tree.ledger.set_branch"),
        ("missing_branch", 0, 12, "tree.ledger.missing_branch"),
    ],
)
def test_a_model_file_with_an_unsound_ledger_is_refused(name, at, value, words):
    tree = tw.DecisionTreeClassifier(keep_ledger=True).fit(
        {"x": list("aabb"), "y": [1, 2, 3, 4]}, [0, 0, 1, 1]
    )
    plain = model_to_plain(tree.model_)
    plain["tree"]["ledger"][name][at] = value
    with pytest.raises(ModelFileError, match=re.escape(words)):
        model_from_plain({section: Field(each, section) for section, each in plain.items()})


def test_a_formula_is_written_where_rounding_leaves_nothing_of_the_known_weight():
    columns = {"a": [np.nan, np.nan, 1.0, 2.0], "b": [1.0, 2.0, 3.0, 4.0]}
    tree = tw.CARTClassifier(pruning=None, keep_ledger=True)
    ledger = tree.fit(columns, [0, 1, 0, 1], sample_weight=[1, 1, 1e-17, 1e-17]).ledger_[0]
    assert ledger.row("a").known == 0.0
    assert ledger.formula("a").startswith("Gain(a <= 1.5) = 0/2 × (")


def test_a_long_list_of_categories_is_folded_once_with_its_number_and_rows_are_told_all_the_same():
    names = [f"a town called {at}" for at in range(12)]
    X = {"town": names * 5, "x": np.arange(60.0) % 7}
    y = [["no", "yes"][at % 12 > 6] for at in range(60)]
    ledger = tw.DecisionTreeClassifier(keep_ledger=True, max_depth=1).fit(X, y).ledger_
    (line,) = [line for line in str(ledger[0]).splitlines() if "in {" in line and "asks" not in line]
    assert re.search(r"  in \{a town called 0, ... 6 more\}  35/0, 0/25  ", line), line
    assert "…" not in line
    assert all(name in ledger.to_frame()["question"][0] for name in ("a town called 0", "a town called 6"))
