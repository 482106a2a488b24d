"""Why a row got its answer: the way down, what each step changed, the leaf, and how it reads."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treewright as tw
from oracle.naive_c45_pruning import extra_errors
from oracle.naive_c45_rules import RELEASE8
from small_trees import KINDS, cases
from treewright.errors import ColumnError, ParameterError, TableError, TreewrightError, UnseenCategoryWarning
from treewright.explain.error_bound import CONFIDENCE, error_bound
from treewright.explain.explanation import explain
from treewright.grid import text_width

SUNNY = {"outlook": "sunny", "temperature": 80, "humidity": 90, "windy": "true"}


def golf(kind=tw.C45Classifier, **options):
    columns, target = tw.datasets.load("golf")
    return kind(**options).fit(columns, target)


def test_the_answer_and_the_probabilities_are_those_of_predicting():
    for case in cases(3 * len(KINDS), seed=5):
        for row in case.rows:
            table = {name: [value] for name, value in row.items()}
            explanation = case.tree.explain(row)
            assert explanation.answer == case.tree.predict(table)[0], f"{case}\n{row}"
            if explanation.labels:
                assert explanation.prediction.tolist() == case.tree.predict_proba(table)[0].tolist()
            leaves = [leaf.node for leaf in explanation.leaves]
            assert max(explanation.leaves, key=lambda leaf: leaf.share).node == case.tree.apply(table)[0]
            begin, nodes, shares = case.tree.model_.path(table)
            passed = {0: 1.0, **{t.node: t.share for step in explanation.steps for t in step.taken}}
            assert sorted(passed) == nodes.tolist(), f"{case}\n{row}"
            np.testing.assert_allclose([passed[node] for node in nodes.tolist()], shares, rtol=1e-14)
            assert set(leaves) == {node for node in nodes.tolist() if case.tree.tree_.column[node] < 0}
            assert begin.tolist() == [0, len(nodes)]


def test_contributions_add_up_to_the_prediction_less_what_the_root_says():
    for case in cases(3 * len(KINDS), seed=6):
        for row in case.rows:
            explanation = case.tree.explain(row)
            total = explanation.root + explanation.contributions.sum(axis=0)
            np.testing.assert_allclose(total, explanation.prediction, atol=1e-12, err_msg=f"{case}\n{row}")
            by_step = np.sum([step.change for step in explanation.steps], axis=0)
            by_step = by_step if explanation.labels else float(np.sum(by_step))
            np.testing.assert_allclose(explanation.root + by_step, explanation.prediction, atol=1e-12)


def test_every_step_says_why_the_row_went_there():
    known, missing = {"age": 50.0, "visits": 2}, {"age": None, "visits": 2}
    X = {"age": [20.0, 21.0, 22.0, 23.0, 29.0, 31.0, 32.0, 33.0, None], "visits": [1, 2, 3, 9, 8, 7, 6, 5, 2]}
    y = ["no"] * 4 + ["yes"] * 5

    def first_step(row, **options):
        return tw.DecisionTreeClassifier(max_depth=1, **options).fit(X, y).explain(row).steps[0]

    step = first_step(known)
    assert (step.why, step.reason, str(step)) == ("known", "", "age is 50 → age > 26")
    step = first_step(missing)
    assert step.why == "missing branch"
    assert str(step) == "age is missing: such rows take the heavier branch → age > 26 or missing"
    step = first_step(missing, missing="branch")
    assert str(step) == "age is missing: such rows have a branch of their own → age is missing"
    assert step.why == "own branch"
    step = first_step(missing, missing="surrogate")
    assert (step.why, step.column, step.decided_by) == ("surrogate", "age", "visits")
    assert step.reason == "age is missing: visits 2 decides instead (visits <= 4, 88% agreement)"
    step = first_step({"age": None, "visits": None}, missing="surrogate")
    assert step.reason == "age is missing, and no surrogate decides: it takes the heavier branch"
    step = first_step(missing, missing="spread")
    assert step.why == "spread"
    assert str(step) == "age is missing: every branch gets a share → age <= 26; age > 26"
    assert [round(taken.share, 3) for taken in step.taken] == [0.5, 0.5]


def test_rows_without_a_value_may_take_the_lighter_branch_that_was_learned():
    X = {"age": [1.0, 2.0, 3.0, 4.0, 9.0, None]}
    step = tw.DecisionTreeClassifier().fit(X, [0, 0, 0, 0, 1, 1]).explain({"age": None}).steps[0]
    assert step.reason == "age is missing: such rows take the branch they took in training"


def test_the_question_whether_there_is_a_value_has_a_branch_for_rows_without():
    tree = tw.DecisionTreeClassifier().fit({"x": [1.0, 2.0, None, None]}, [0, 0, 1, 1])
    assert str(tree.explain({"x": 1.0}).steps[0]) == "x is 1 → x is known"
    step = tree.explain({"x": None}).steps[0]
    assert str(step) == "x is missing: such rows have a branch of their own → x is missing"


def test_categories_without_a_branch_are_told_from_those_not_there_in_training():
    X = {"a": [0, 0, 0, 1, 1, 1], "b": ["p", "q", "p", "p", "q", "r"]}
    tree = tw.DecisionTreeClassifier().fit(X, [0, 1, 0, 2, 2, 2])
    assert [str(step) for step in tree.explain({"a": 0, "b": "r"}).steps] == [
        "a is 0 → a <= 0.5",
        "no training row here had b r: such rows take the heavier branch → b = p",
    ]
    with pytest.warns(UnseenCategoryWarning) as caught:
        explanation = tree.explain({"a": 0, "b": "z"})
    assert len(caught) == 1
    assert explanation.steps[1].reason == "b z did not occur in training: such rows take the heavier branch"
    assert explanation.steps[1].value == "z"


def test_golf_reads_as_a_page():
    assert str(golf().explain(SUNNY)) == (
        "class: Don't Play (probability 1.000)\n\n"
        "rows where       this row has   P(Don't Play)  change\n"
        "all 14 rows                             0.357\n"
        "outlook = sunny  outlook sunny          0.600  +0.243\n"
        "humidity > 75    humidity 90            1.000  +0.400\n\n"
        "Leaf 7 with 3 rows: Don't Play 3\n"
        "Wrong for up to 37.0% of such rows (C4.5's upper limit, CF 25%).\n\n"
        "column    value  on the path  Shapley\n"
        "start                  0.357    0.357\n"
        "humidity  90          +0.400   +0.271\n"
        "outlook   sunny       +0.243   +0.264\n"
        "windy     true         0.000   +0.107\n"
        "answer                 1.000    1.000"
    )


def test_a_row_that_is_spread_shows_every_way_with_its_share():
    text = str(golf().explain({**SUNNY, "outlook": None}))
    assert "outlook = rain      outlook missing   0.36          0.400  +0.015\n" in text
    assert "  windy = true      windy true        0.36          1.000  +0.214\n" in text
    assert "\noutlook is missing: every branch gets a share.\n" in text
    assert "\n36% in leaf 4 with 2 rows: Don't Play 2\n" in text


def test_chinese_columns_line_up():
    columns, target = tw.datasets.load("watermelon_20a")
    melon = {name: values[0] for name, values in columns.items()}  # the target comes along
    text = str(tw.CARTClassifier(pruning=None).fit(columns, target).explain(melon))
    first, path, leaf, by_column = text.split("\n\n")
    assert first == "好瓜: 是 (probability 1.000)"
    for table in (path, by_column):
        ends = {text_width(line) for line in table.splitlines()[2:]}
        assert len(ends) == 1, table
    assert leaf.startswith("Leaf 10 with 5 rows: 是 5")


def test_lines_fit_a_terminal():
    columns, target = tw.datasets.load("watermelon_30")
    melon = {name: values[3] for name, values in columns.items() if name != target}
    for missing in ("learned", "spread", "surrogate"):
        tree = tw.DecisionTreeClassifier(missing=missing).fit(columns, target)
        for row in (melon, dict.fromkeys(melon)):
            assert max(map(text_width, str(tree.explain(row)).splitlines())) <= 80


def test_many_columns_and_leaves_and_classes_are_cut_short_but_add_up():
    rng = np.random.default_rng(0)
    X = rng.random((300, 20))
    tree = tw.DecisionTreeClassifier(missing="spread").fit(X, rng.integers(0, 9, 300))
    text = str(tree.explain([None] * 20))
    assert "more leaves" in text
    table = tree.explain(X[0]).column_table(max_columns=5)
    assert len(table) == 8
    assert table.columns["column"][-2].endswith(" more")
    for name in ("on the path", "Shapley"):
        *parts, answer = table.columns[name]
        assert sum(parts) == pytest.approx(answer)
    tree = tw.DecisionTreeClassifier(max_depth=1).fit(X, rng.integers(0, 9, 300))
    assert "... 3 more" in str(tree.explain(X[0]))


def test_a_long_path_is_cut_in_the_middle_and_it_is_said_where_all_of_it_is():
    number = np.arange(1501)
    with pytest.warns(tw.DeepTreeWarning):
        tree = tw.DecisionTreeClassifier().fit({"x": number}, number % 2)
    explanation = tree.explain({"x": 1500})
    table, text = explanation.path_table(), str(explanation)
    assert len(table) == len(explanation.steps) + 1 == 1501
    assert table.to_text().splitlines()[-1] in text
    assert "\n… 1,461 more\n" in text
    assert "\n\npath_table() has all 1,501 nodes.\n\n" in text
    assert len(text.splitlines()) < 60
    html = explanation._repr_html_()
    assert "… 1,461 more" in html
    assert "path_table() has all" in html
    assert html.count("<tr>") == 40 + 2 + 4  # the head and what is left out; the table of columns
    short = str(tree.explain({"x": 0}))
    assert "more" not in short
    assert "path_table" not in short


def test_the_reasons_of_many_missing_values_are_cut_short():
    rng = np.random.default_rng(0)
    X = rng.random((300, 20))
    tree = tw.DecisionTreeClassifier(missing="majority").fit(X, rng.integers(0, 9, 300))
    explanation = tree.explain([None] * 20)
    reasons = [step.reason for step in explanation.steps]
    assert len(reasons) > 9
    text = str(explanation)
    assert f"{reasons[7]}.\n... {len(reasons) - 8} more reasons, in steps\n" in text
    assert text.count("the heavier branch") == 8


def test_another_class_can_be_asked_about():
    explanation = golf().explain(SUNNY)
    assert explanation.path_table(of="Play").columns["P(Play)"][0] == pytest.approx(9 / 14)
    table = explanation.column_table(of="Play")
    assert table.columns["Shapley"][-1] == 0.0
    with pytest.raises(ParameterError, match="Did you mean 'Play'"):
        explanation.column_table(of="Playing")


def test_a_number_is_explained_in_its_own_digits():
    tree = tw.DecisionTreeRegressor().fit({"x": [0.0, 1.0, 2.0]}, [100.0, 200.0, 600.0])
    text = str(tree.explain({"x": 2}))
    assert "all 3 rows                300.000\n" in text
    assert "x > 1.5     x 2           600.000  +300.000\n" in text
    assert "Leaf 4 with 1 row: 600, impurity 0" in text
    explanation = tree.explain({"x": 2})
    assert (explanation.answer, explanation.prediction, explanation.root) == (600.0, 600.0, 300.0)
    assert explanation.shapley == pytest.approx([300.0])
    assert explanation.error_bound is None
    assert explanation.leaves[0].counts == {}


@pytest.mark.parametrize(
    ("scale", "text"), [(1e140, "3e+140"), (1e-40, "3e-40"), (1e7, "30000000"), (1e-3, "0.00300000")]
)
def test_numbers_of_any_size_stay_readable(scale, text):
    tree = tw.DecisionTreeRegressor().fit({"x": [0.0, 1.0]}, [scale, 5 * scale])
    line = str(tree.explain({"x": 0})).splitlines()[3]
    assert line.split()[-1] == text


def test_what_rounding_leaves_of_a_change_is_printed_as_none():
    X = {"x": [0.0, 1.0, 0.0, 1.0], "z": [0.0, 0.0, 1.0, 1.0]}
    for scale in (1e-40, 1.0, 1e140):
        explanation = (
            tw.DecisionTreeRegressor().fit(X, [scale, 2 * scale, 3 * scale, 5 * scale]).explain([0, 0])
        )
        # As sums that cancel out leave it, whatever computes them.
        vars(explanation)["_shapley"] = np.array([[-1.91e-17 * scale], [2.0 * scale]])
        line = next(line for line in str(explanation).splitlines() if line.startswith("x  "))
        assert float(line.split()[-1]) == 0
        assert line.split()[-1].strip("0.") == ""


def test_a_tree_of_one_leaf_has_a_page_too():
    explanation = tw.DecisionTreeClassifier().fit({"x": [1.0, 2.0]}, ["a", "a"]).explain({"x": 1.0})
    assert explanation.steps == ()
    assert str(explanation).startswith("a (probability 1.000)\n\nrows where")
    zeros = tw.DecisionTreeRegressor().fit({"x": [1.0, 2.0]}, [0.0, 0.0]).explain({"x": 1.0})
    assert str(zeros).startswith("0\n\n")


def test_the_page_of_a_notebook_escapes_what_it_shows():
    tree = tw.DecisionTreeClassifier().fit({"<b>": ["<i>", "x"]}, ["<u>", "v"])
    html = tree.explain({"<b>": "<i>"})._repr_html_()
    for mark in ("<b>=", "<i>", "<u>"):
        assert mark not in html
    assert "&lt;u&gt;" in html


def test_everything_is_there_as_json():
    for case in cases(len(KINDS), seed=7, n_rows=1):
        explanation = case.tree.explain(case.rows[0])
        found = json.loads(json.dumps(explanation.to_dict()))
        assert list(found["shapley"]) == list(explanation.columns)
        assert len(found["steps"]) == len(explanation.steps)
        assert [leaf["node"] for leaf in found["leaves"]] == [leaf.node for leaf in explanation.leaves]


def test_arrays_given_out_are_copies():
    explanation = golf().explain(SUNNY)
    explanation.shapley[:] = 7
    explanation.root[:] = 7
    explanation.prediction[:] = 7
    assert explanation.shapley.max() < 1
    assert golf().explain(SUNNY).root.tolist() == explanation.root.tolist() == [5 / 14, 9 / 14]
    assert explanation.prediction.tolist() == [1.0, 0.0]


def test_a_model_alone_explains_as_the_estimator_does():
    tree = golf()
    copy = pickle.loads(pickle.dumps(tree.model_))
    assert str(explain(copy, SUNNY)) == str(tree.explain(SUNNY))
    assert str(pickle.loads(pickle.dumps(tree.explain(SUNNY)))) == str(tree.explain(SUNNY))


def test_the_bound_of_the_error_is_that_of_c45():
    rules = replace(RELEASE8, confidence=CONFIDENCE)
    for weight in (0.5, 1, 2, 3.5, 16, 200):
        for wrong in (0.0, 0.3, 1.0, 1.5, 7.0, weight - 0.25, weight):
            if wrong <= weight:
                expected = (wrong + extra_errors(weight, wrong, rules)) / weight
                assert error_bound(weight, wrong) == pytest.approx(min(1.0, expected), rel=1e-12)


def test_the_bound_of_a_row_in_several_leaves_is_their_mean():
    explanation = golf().explain({**SUNNY, "outlook": None})
    bounds = [1.0, error_bound(2, 0), error_bound(3, 0)]  # the first leaf says Play, of 4 rows
    shares = [4 / 14, 5 / 14, 5 / 14]
    assert [leaf.n_rows for leaf in explanation.leaves] == [4, 2, 3]
    assert explanation.error_bound == pytest.approx(np.dot(shares, bounds))
    assert explanation.leaves[0].error_bound == pytest.approx(error_bound(4, 0))


def test_a_leaf_that_no_training_row_came_to_has_no_bound():
    columns, target = tw.datasets.load("watermelon_20")
    declared = {
        name: pd.Categorical(values, tw.datasets.schema("watermelon_20")[name]["categories"])
        for name, values in columns.items()
        if name != target
    }
    tree = tw.ID3Classifier().fit(declared, columns[target])
    empty = [node.id for node in tree.tree_.walk() if node.is_leaf and not node.n_rows]
    assert empty
    found = []
    for colour in tw.datasets.schema("watermelon_20")["色泽"]["categories"]:
        melon = {
            "色泽": colour,
            "根蒂": "稍蜷",
            "敲声": "浊响",
            "纹理": "清晰",
            "脐部": "稍凹",
            "触感": "硬滑",
        }
        explanation = tree.explain(melon)
        found += [explanation for leaf in explanation.leaves if leaf.node in empty]
    assert found
    for explanation in found:
        assert explanation.error_bound is None
        assert "with 0 rows" in str(explanation)


ROWS = [
    pytest.param(lambda row: row, id="dict"),
    pytest.param(lambda row: {**row, "class": "Play"}, id="dict with the target"),
    pytest.param(lambda row: dict(reversed(row.items())), id="dict in another order"),
    pytest.param(lambda row: {name: [value] for name, value in row.items()}, id="dict of columns"),
    pytest.param(lambda row: list(row.values()), id="list"),
    pytest.param(lambda row: tuple(row.values()), id="tuple"),
    pytest.param(lambda row: np.array(list(row.values()), dtype=object), id="array"),
    pytest.param(lambda row: [list(row.values())], id="list of one list"),
    pytest.param(lambda row: np.array([list(row.values())], dtype=object), id="array of one row"),
    pytest.param(pd.Series, id="pandas series"),
    pytest.param(lambda row: pd.Series(list(row.values())), id="pandas series without names"),
    pytest.param(lambda row: pd.DataFrame([row]), id="pandas"),
    pytest.param(lambda row: pd.DataFrame([row]).iloc[0], id="row of pandas"),
    pytest.param(lambda row: pl.DataFrame([row]), id="polars"),
    pytest.param(lambda row: pa.Table.from_pylist([row]), id="arrow"),
]


@pytest.mark.parametrize("form", ROWS)
@pytest.mark.parametrize("windy", ["true", None], ids=["known", "missing"])
def test_a_row_may_come_in_any_form(form, windy):
    row = {**SUNNY, "windy": windy}
    if windy is None and form in (pl.DataFrame, pa.Table.from_pylist):
        pytest.skip("a column of nothing has no type")
    tree = golf()
    assert str(tree.explain(form(row))) == str(tree.explain(row))


def test_a_row_of_numbers_may_be_an_array_or_a_series():
    tree = tw.DecisionTreeRegressor().fit([[0.0, 1.0], [1.0, 1.0]], [1.0, 2.0])
    expected = str(tree.explain([1.0, 1.0]))
    for row in (
        np.array([1.0, 1.0]),
        np.array([1, 1], dtype=np.int8),
        np.ma.array([1.0, 1.0]),
        pl.Series([1.0, 1.0]),
        pa.array([1.0, 1.0]),
        pa.chunked_array([[1.0, 1.0]]),
        {"x0": 1, "x1": 1},
        np.array([[1.0, 1.0]]),
    ):
        assert str(tree.explain(row)) == expected, type(row)
    masked = np.ma.array([1.0, 1.0], mask=[True, False])
    assert tree.explain(masked).steps[0].value == "missing"


REFUSED = [
    ({"outlook": "sunny"}, "the row has no column 'temperature', 'humidity', 'windy'"),
    ({**SUNNY, "wind": 1}, "absent in training: column 'wind'. Did you mean 'windy'?"),
    ({**{k: v for k, v in SUNNY.items() if k != "windy"}, "wind": 1}, "Is it what the row calls 'wind'?"),
    ({**SUNNY, "humidity": "wet"}, "column 'humidity'"),
    ({**SUNNY, "humidity": np.inf}, "column 'humidity' holds infinity"),
    ({**SUNNY, "outlook": 3}, "column 'outlook' held texts in training and holds numbers now"),
    ({**SUNNY, "outlook": ["sunny", "rain"]}, "one row is needed"),
    ({name: [value] * 2 for name, value in SUNNY.items()}, "the table has 2"),
    ({**SUNNY, "humidity": [[1.0, 2.0]]}, "give one value"),
    ({0: 1, 1: 2, 2: 3, 3: 4}, "a row has values by the names of columns, not by 0, 1, 2, 3"),
    (["sunny", 80, 90], "the row has 3 values and the training table had 4 columns"),
    (np.zeros(3), "the row has 3 values"),
    ("sunny", "'sunny' is not a row; give a dict"),
    (None, "None is not a row"),
    (7, "7 is not a row"),
    ({}, "the row has no column"),
    ([], "the row has 0 values"),
    (pd.DataFrame([SUNNY, SUNNY]), "one row is needed, and the table has 2"),
    (pd.DataFrame([SUNNY])[:0], "one row is needed, and the table has 0"),
    (pd.Series(["sunny", "rain"], index=["outlook", "outlook"]), "more than one column named 'outlook'"),
]


@pytest.mark.parametrize(("row", "words"), REFUSED, ids=[words[:40] for _, words in REFUSED])
def test_what_is_no_row_of_the_table_is_refused_in_words(row, words):
    with pytest.raises(TreewrightError) as caught:
        golf().explain(row)
    assert words in str(caught.value)


def test_missing_values_are_refused_where_the_tree_takes_none():
    tree = tw.ID3Classifier().fit({"a": ["p", "q"]}, [0, 1])
    with pytest.raises(ColumnError, match="missing values are refused"):
        tree.explain({"a": None})


def test_explaining_needs_a_fitted_tree():
    for ask in (tw.C45Classifier().explain, tw.C45Classifier().counterfactual):
        with pytest.raises(ValueError, match="not fitted"):
            ask(SUNNY)


def test_a_table_of_the_wrong_width_has_no_shapley_values():
    with pytest.raises(TableError):
        tw.DecisionTreeClassifier().fit([[0.0, 1.0]], ["a"]).shapley_values([[1.0]])


def test_a_target_may_have_the_name_of_a_column_of_the_table_printed():
    table = {"x": [1.0, 2.0, 3.0, 4.0], "share": [0.1, 0.2, 0.8, 0.9]}
    tree = tw.DecisionTreeRegressor(max_depth=1).fit(table, "share")
    printed = tree.explain({"x": 1.0}).path_table().columns
    assert list(printed) == ["rows where", "this row has", "share", "change"]
    assert list(printed["share"]) == pytest.approx([0.5, 0.15])
