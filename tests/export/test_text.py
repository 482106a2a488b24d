"""Trees as text."""

import numpy as np

from treewright import DecisionTreeClassifier, DecisionTreeRegressor


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
