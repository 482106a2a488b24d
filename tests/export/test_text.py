"""Trees as text."""

import re

import numpy as np
import pytest

import drawn_trees
import treewright as tw
from drawn_trees import KINDS, tree_of
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.errors import ParameterError, ParameterTypeError
from treewright.grid import text_width

# A leaf's line: the share of its answer, or the error of its number, and how many rows it has.
TOLD = re.compile(
    r"→ .* \((?:"
    r"(?P<share>100|[<>]?\d\d?)%(?: of (?:weight [\d.e+-]+ in )?|, )[\d,]+ rows?\b.*"
    r"|[\d,]+ rows?, (?:sd|MAE|deviance) [\d.e+-]+"
    r"|0 rows)\)$"
)


def test_branches_are_indented_under_their_parent():
    X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    assert DecisionTreeClassifier().fit(X, ["a", "b", "b", "c"]).to_text() == (
        "4 rows: b 2, a 1, c 1\n"
        "├── x0 <= 0.5: 2 rows: a 1, b 1\n"
        "│   ├── x1 <= 0.5 → a (100% of 1 row)\n"
        "│   └── x1 > 0.5 → b (100% of 1 row)\n"
        "└── x0 > 0.5: 2 rows: b 1, c 1\n"
        "    ├── x1 <= 0.5 → b (100% of 1 row)\n"
        "    └── x1 > 0.5 → c (100% of 1 row)"
    )


def test_a_single_leaf_is_one_line():
    assert DecisionTreeRegressor().fit([[1.0]], [2.5]).to_text() == "→ 2.5 (1 row, sd 0)"


def test_what_lies_below_the_last_level_written_is_counted():
    X = np.arange(8.0)[:, None]
    text = DecisionTreeRegressor().fit(X, X[:, 0]).to_text(max_depth=1)
    assert text.splitlines()[1] == "├── x0 <= 3.5: 4 rows: value 1.5, sd 1.12 ... 4 leaves below"


def test_lines_fit_a_terminal_when_there_are_many_classes():
    y = [f"a rather long label {i}" for i in range(30)]
    text = DecisionTreeClassifier(max_depth=2).fit(np.arange(30.0)[:, None], y).to_text()
    assert max(map(len, text.splitlines())) <= 80


def test_what_is_missing_is_not_said_to_take_one_branch_where_surrogates_place_it():
    age = [20.0, 21.0, 22.0, 30.0, 31.0, 32.0, None, None]
    X = {"age": age, "visits": [1, 2, 8, 3, 8, 9, 2, 8]}
    y = ["no", "no", "no", "yes", "yes", "yes", "no", "yes"]
    for policy, text in (("majority", "age > 26 or missing"), ("surrogate", "age > 26 →")):
        tree = DecisionTreeClassifier(missing=policy, max_depth=1).fit(X, y)
        assert text in tree.to_text()
    assert "missing" not in tree.to_text()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("max_depth", [None, 0, 1])
def test_no_line_is_wider_than_a_terminal(kind, max_depth):
    lines = tree_of(kind).to_text(max_depth).splitlines()
    assert max(map(text_width, lines)) <= 80
    if max_depth is None:
        assert len(lines) == tree_of(kind).tree_.n_nodes


def test_chinese_counts_double():
    X = {"这一列的名字非常非常非常非常非常非常非常长": ["甲" * 30, "乙" * 30] * 3, "密度": [1, 2, 3, 4, 5, 6]}
    y = ["好瓜" * 9, "坏瓜" * 9, "好瓜" * 9, "坏瓜" * 9, "不知道" * 9, "不知道"]
    for line in DecisionTreeClassifier().fit(X, y).to_text().splitlines():
        assert text_width(line) <= 80
        assert " row" in line or "…" in line


def test_a_list_of_categories_gets_less_room_where_names_are_long_and_keeps_its_count():
    towns = [f"town {at:02}" for at in range(30)]
    X = {"a column with a name of more than forty letters": towns}
    tree = DecisionTreeClassifier(on_identifier="ignore").fit(X, [at % 2 for at in range(30)])
    text = tree.to_text()
    for line in text.splitlines()[1:]:
        assert text_width(line) <= 80
        assert " more}" in line


def test_a_very_deep_tree_keeps_half_of_each_line_for_words():
    lines = drawn_trees.deep(100).to_text().splitlines()
    assert max(map(text_width, lines)) <= 80
    assert lines[-1] == "100 … " + " " * 32 + "└ x0 > 99.5 → 100 (100% of 1 row)"
    assert "… " not in lines[30]


def test_levels_are_indented_less_where_there_are_many():
    assert drawn_trees.deep(10).to_text().splitlines()[3].startswith("    ├── ")
    assert drawn_trees.deep(13).to_text().splitlines()[3].startswith("   ├─ ")
    assert drawn_trees.deep(20).to_text().splitlines()[3].startswith("  ├ ")


def test_a_column_name_of_two_lines_takes_one():
    text = DecisionTreeClassifier().fit({"two\nlines": [1.0, 2.0]}, ["a", "b\r\nc"]).to_text()
    assert text.splitlines()[2] == "└── two↵lines > 1.5 → b↵c (100% of 1 row)"


def long_names(seed=0):
    """Columns, categories and classes that no line of 80 columns has room for, and leaves that are mixed."""
    rng = np.random.default_rng(seed)
    purpose = [f"用途{at:02}：购买大型家用电器或者家具" for at in range(20)]
    X = {
        "客户过去五年的信用历史与还款行为综合评价": rng.choice(
            ["逾期记录已经全部结清", "按时还款三年以上"], 400
        ),
        "purpose of the loan that the customer asks for": rng.choice(purpose, 400),
        "yearly income before tax in thousands": rng.normal(20, 8, 400).round(2),
    }
    y = rng.choice(["正常贷款，建议批准", "a loan that is likely to be paid back late"], 400, p=[0.4, 0.6])
    return X, y


def trees_to_read():
    X, y = long_names()
    yield from (tree_of(kind) for kind in KINDS)
    yield DecisionTreeClassifier(max_depth=3, min_samples_leaf=15).fit(X, y)
    yield DecisionTreeClassifier(max_depth=3, class_weight="balanced").fit(X, y)
    yield tw.C45Classifier(min_cases=20, pruning=False).fit({**X, "x": [None, *range(399)]}, y)
    for criterion in ("squared_error", "absolute_error", "poisson"):
        yield DecisionTreeRegressor(max_depth=3, criterion=criterion).fit(X, np.arange(400.0) % 37)
    yield drawn_trees.deep(40)


@pytest.mark.parametrize("width", [40, 60, 80, 120, None])
def test_every_leaf_says_how_far_its_rows_agree_whatever_the_width(width):
    for tree in trees_to_read():
        lines = [line for line in tree.to_text(width=width).splitlines() if "→ " in line]
        model, leaves = tree.model_.tree, []
        for node, line in zip(np.flatnonzero(model.column < 0), lines, strict=True):
            told = TOLD.search(line)
            assert told, line
            if told["share"] is not None:
                share = model.shares[node, model.answer[node]]
                assert (told["share"] == "100") == (share == 1.0), line
                assert float(told["share"].strip("<>")) == pytest.approx(100 * share, abs=1)
            leaves.append(line)
        assert len(leaves) == model.n_leaves


@pytest.mark.parametrize("width", [60, 80, 120])
def test_names_are_cut_to_a_width_and_thresholds_are_not(width):
    for tree in trees_to_read():
        text = tree.to_text(width=width)
        assert max(map(text_width, text.splitlines())) <= width
        assert not re.search(r"<= [\d.]*…", text)


def test_without_a_width_nothing_is_cut():
    X, y = long_names()
    tree = DecisionTreeClassifier(max_depth=3, min_samples_leaf=15).fit(X, y)
    text = tree.to_text(width=None)
    assert "…" not in text
    assert "..." not in text
    assert len(text.splitlines()) == tree.tree_.n_nodes
    assert all(purpose in text for purpose in set(X["purpose of the loan that the customer asks for"]))


def test_a_question_and_what_is_found_take_a_line_each_where_one_is_too_narrow():
    X = {"model_year": [70.0, 71.0, 80.0, 81.0]}
    tree = DecisionTreeRegressor(max_depth=1).fit(X, [30.25, 30.5, 35.25, 36.75])
    assert tree.to_text(width=40).splitlines() == [
        "4 rows: value 33.1875, sd 2.86",
        "├── model_year <= 75.5",
        "│     → 30.375 (2 rows, sd 0.125)",
        "└── model_year > 75.5",
        "      → 36 (2 rows, sd 0.75)",
    ]


def test_a_leaf_with_one_row_of_another_class_in_a_thousand_is_not_called_pure():
    y = ["bad"] + ["good"] * 999
    tree = DecisionTreeClassifier(max_depth=1, min_samples_leaf=1001)
    assert tree.fit(np.zeros((1000, 1)), y).to_text() == "→ good (>99% of 1,000 rows: good 999, bad 1)"
    loss = {"good": {"bad": 1}, "bad": {"good": 10_000}}
    tree.set_params(loss=loss)
    assert tree.fit(np.zeros((1000, 1)), y).to_text() == "→ bad (<1% of 1,000 rows: good 999, bad 1)"


def test_rows_in_shares_are_told_by_their_weight():
    X = {"outlook": ["sun", "sun", "rain", "rain", None]}
    text = DecisionTreeClassifier(missing="spread").fit(X, ["a", "a", "b", "b", "a"]).to_text()
    assert "outlook = sun → a (100% of weight 2.5 in 3 rows)" in text
    assert "outlook = rain → b (80% of weight 2.5 in 3 rows: b 2, a 0.5)" in text


def test_a_weight_is_told_only_where_it_differs_from_the_number_of_rows():
    """Weights need not be whole to add up to it, and rounding makes no weight of its own."""
    tree = DecisionTreeClassifier(max_depth=1)
    X, y = np.repeat([0.0, 1.0], 4)[:, None], ["a", "a", "b", "b", "b", "b", "b", "a"]
    weights = np.array([0.5, 0.5, 1.5, 1.5, 0.9, 1.1, 1 + 1e-9, 1.0])
    text = tree.fit(X, y, sample_weight=weights).to_text()
    assert "x0 <= 0.5 → b (75% of 4 rows: b 3, a 1)" in text
    assert "weight" not in text
    assert "<title>" in (picture := tree.to_svg())
    assert "\nweight" not in picture
    text = tree.fit(X, y, sample_weight=weights * [1, 1, 1, 1, 2, 2, 2, 2]).to_text()
    assert "x0 <= 0.5 → b (75% of 4 rows: b 3, a 1)" in text
    assert "x0 > 0.5 → b (75% of weight 8 in 4 rows: b 6, a 2)" in text
    assert "\nweight 8" in tree.to_svg()


def test_where_the_text_ends_above_a_leaf_the_share_is_told_too():
    X, y = long_names()
    tree = DecisionTreeClassifier(max_depth=4).fit(X, y)
    for line in tree.to_text(max_depth=1).splitlines()[1:]:
        assert re.search(r"\d rows: .*(\d%|\d\b).* \.\.\. \d+ leaves", line), line


@pytest.mark.parametrize(
    ("width", "error"),
    [(39, ParameterError), (0, ParameterError), (True, ParameterTypeError), ("80", ParameterTypeError)],
)
def test_a_width_that_is_none_is_refused(width, error):
    with pytest.raises(error, match=r"width=.*(at least 40|a whole number).*None for no limit"):
        tree_of("golf").to_text(width=width)
