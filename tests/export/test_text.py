"""Trees as text."""

import numpy as np
import pytest

import drawn_trees
from drawn_trees import KINDS, tree_of
from treewright import DecisionTreeClassifier, DecisionTreeRegressor
from treewright.grid import text_width


def test_branches_are_indented_under_their_parent():
    X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    assert DecisionTreeClassifier().fit(X, ["a", "b", "b", "c"]).to_text() == (
        "4 rows: b 2, a 1, c 1\n"
        "├── x0 <= 0.5: 2 rows: a 1, b 1\n"
        "│   ├── x1 <= 0.5 → a (1 row)\n"
        "│   └── x1 > 0.5 → b (1 row)\n"
        "└── x0 > 0.5: 2 rows: b 1, c 1\n"
        "    ├── x1 <= 0.5 → b (1 row)\n"
        "    └── x1 > 0.5 → c (1 row)"
    )


def test_a_single_leaf_is_one_line():
    assert DecisionTreeRegressor().fit([[1.0]], [2.5]).to_text() == "→ 2.5 (1 row)"


def test_what_lies_below_the_last_level_written_is_counted():
    X = np.arange(8.0)[:, None]
    text = DecisionTreeRegressor().fit(X, X[:, 0]).to_text(max_depth=1)
    assert text.splitlines()[1] == "├── x0 <= 3.5: 4 rows: value 1.5 ... 4 leaves below"


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
    text = DecisionTreeClassifier().fit(X, [at % 2 for at in range(30)]).to_text()
    for line in text.splitlines()[1:]:
        assert text_width(line) <= 80
        assert " more}" in line


def test_a_very_deep_tree_keeps_half_of_each_line_for_words():
    lines = drawn_trees.deep(100).to_text().splitlines()
    assert max(map(text_width, lines)) <= 80
    assert lines[-1] == "100 … " + " " * 32 + "└ x0 > 99.5 → 100 (1 row)"
    assert "… " not in lines[30]


def test_levels_are_indented_less_where_there_are_many():
    assert drawn_trees.deep(10).to_text().splitlines()[3].startswith("    ├── ")
    assert drawn_trees.deep(13).to_text().splitlines()[3].startswith("   ├─ ")
    assert drawn_trees.deep(20).to_text().splitlines()[3].startswith("  ├ ")


def test_a_column_name_of_two_lines_takes_one():
    text = DecisionTreeClassifier().fit({"two\nlines": [1.0, 2.0]}, ["a", "b\r\nc"]).to_text()
    assert text.splitlines()[2] == "└── two↵lines > 1.5 → b↵c (1 row)"
