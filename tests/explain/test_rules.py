"""Rules of the leaves: they answer as the tree does, and say what they mean."""

import json
import pickle

import numpy as np
import pytest

import treewright as tw
from mixed_tables import WAYS, Way, mixed_table
from treewright.errors import ParameterError, TargetError

SPREAD = [
    Way(criterion, split, missing)
    for criterion in ("gini", "squared_error")
    for split in ("subset", "multiway", "one-vs-rest")
    for missing in ("spread", "surrogate")
    if (split, missing) != ("multiway", "surrogate")
]
QUINLANS = {
    "release8": {"min_cases": 1},
    "groups": {"min_cases": 1, "group_categories": True},
    "j48": {"variant": "j48", "min_cases": 1, "laplace": True},
    "textbook": {"variant": "textbook", "min_cases": 1},
    "unpruned": {"min_cases": 1, "pruning": False, "binary_splits": True},
}
new_categories = pytest.mark.filterwarnings("ignore::treewright.errors.UnseenCategoryWarning")


def questions_about(table, rng, n):
    """Draw rows of known values, gaps, categories that are new and numbers beyond all others."""
    columns = {}
    for name, values in table.columns.items():
        known = sorted({value for value in values if value is not None and value == value})  # noqa: PLR0124
        pool = known + (["new", None] if table.is_category[name] else [float("nan"), -3.25, 99.0])
        columns[name] = [pool[at] for at in rng.integers(0, len(pool), n)]
    return columns


def assert_rules_answer_as(estimator, rows):
    rules = estimator.rules()
    assert len(rules) == estimator.get_n_leaves()
    assert rules.predict(rows).tolist() == estimator.predict(rows).tolist()
    met = rules.shares(rows)
    np.testing.assert_allclose(met.sum(axis=1), 1.0, rtol=1e-12)
    if not rules.has_shares:  # every row meets one rule, the one of its leaf
        leaves = np.array([rule.path.leaf for rule in rules])
        assert leaves[met.argmax(axis=1)].tolist() == estimator.apply(rows).tolist()
    for rule in rules:
        columns = [each.column for each in rule.conditions]
        assert len(columns) == len(set(columns)), "conditions on one column are merged"


@new_categories
@pytest.mark.parametrize("way", [*WAYS, *SPREAD], ids=lambda way: "-".join(vars(way).values()))
def test_rules_answer_as_their_tree_for_every_row(way):
    rng = np.random.default_rng(len(str(way)))
    for _ in range(2):
        table = mixed_table(rng, way)
        assert_rules_answer_as(table.fit(way), questions_about(table, rng, 60))


@new_categories
@pytest.mark.parametrize("options", QUINLANS.values(), ids=QUINLANS.keys())
def test_rules_of_c45_answer_as_their_tree_for_every_row(options):
    rng = np.random.default_rng(8)
    n_in_shares = 0
    for _ in range(12):
        table = mixed_table(rng, Way("gini"))
        estimator = tw.C45Classifier(**options).fit(table.columns, table.y, table.weights)
        assert_rules_answer_as(estimator, questions_about(table, rng, 60))
        n_in_shares += estimator.rules().has_shares
    assert n_in_shares > 0


@new_categories
def test_rules_answer_as_a_tree_that_weighs_losses():
    rng = np.random.default_rng(5)
    for missing in ("learned", "surrogate", "spread"):
        for _ in range(5):
            table = mixed_table(rng, Way("gini"))
            n_classes = len(set(table.y.tolist()))
            loss = rng.integers(1, 9, (n_classes, n_classes)) * (1 - np.eye(n_classes))
            if n_classes > 1:
                tree = tw.DecisionTreeClassifier(loss=loss, missing=missing).fit(table.columns, table.y)
                assert_rules_answer_as(tree, questions_about(table, rng, 60))


def test_conditions_on_one_column_are_merged():
    columns, target = tw.datasets.load("watermelon_30")
    density = {"密度": columns["密度"], target: columns[target]}
    rules = tw.DecisionTreeClassifier(max_leaf_nodes=5).fit(density, target).rules()
    assert any(str(rule).startswith("if 0.") and " < 密度 ≤ 0." in str(rule) for rule in rules)
    X = {"outlook": ["sunny", "rain", "overcast"] * 4}
    tree = tw.DecisionTreeClassifier().fit(X, ["no", "yes", "yes"] * 4)
    assert [str(rule) for rule in tree.rules()] == [
        "if outlook in {overcast, rain} then yes",
        "if outlook = sunny then no",
    ]


def test_missing_is_said_where_it_belongs():
    X = {"size": [1.0, 2.0, 3.0, 4.0, None, None], "hue": ["a", "b", "a", "b", "a", "b"]}
    y = ["s", "s", "l", "l", "l", "l"]
    rules = tw.DecisionTreeClassifier().fit(X, y).rules()
    assert [rule.texts for rule in rules] == [("size ≤ 2.5",), ("size > 2.5 or missing",)]
    y = ["s", "s", "l", "l", "m", "m"]
    rules = tw.DecisionTreeClassifier(missing="branch").fit(X, y).rules()
    assert [rule.texts for rule in rules] == [("size ≤ 2.5",), ("size > 2.5",), ("size is missing",)]


def test_a_rule_names_every_category_wherever_it_is_written():
    towns = [f"town {at:02}" for at in range(30)]
    X, y = {"town": towns * 2}, ["a" if at % 3 else "b" for at in range(30)] * 2
    rules = tw.DecisionTreeClassifier().fit(X, y).rules()
    (rule,) = [rule for rule in rules if rule.answer == "a"]
    condition = (
        f"town in {{{', '.join(town for town, label in zip(towns, y, strict=False) if label == 'a')}}}"
    )
    assert rule.texts == (condition,)
    assert str(rule) == f"if {condition} then a"
    assert condition in str(rules)
    assert condition in rules.to_markdown()
    assert condition in rules._repr_html_()
    assert condition in list(rules.to_frame()["if"])
    assert [condition] in [each["if"] for each in json.loads(rules.to_json())["rules"]]
    assert rules.to_sql().count("'town ") >= 10
    assert max(map(len, rules.to_text(width=120).splitlines())) <= 120
    assert "town 10, ... 16 more}" not in str(rules)
    assert " more}" in rules.to_text(width=120)
    assert rules.to_text(width=1000) == rules.to_text()


def test_or_missing_stands_in_parentheses_among_other_conditions():
    X = {"age": [1.0, 2.0, None, 4.0, 5.0, 6.0, 1.0, 2.0], "tsh": [1, 1, 1, 1, 1, 1, 2, 2]}
    y = ["s", "s", "s", "l", "l", "l", "m", "m"]
    rules = tw.DecisionTreeClassifier().fit(X, y).rules()
    texts = {rule.answer: rule.premise for rule in rules}
    assert texts["s"] == "(age ≤ 3 or missing) and tsh ≤ 1.5"
    assert texts["l"] == "age > 3"
    assert "if (age ≤ 3 or missing) and tsh ≤ 1.5 then s" in map(str, rules)
    assert "(age ≤ 3 or missing) and tsh ≤ 1.5" in rules.to_markdown()
    assert "(age ≤ 3 or missing) and tsh ≤ 1.5" in str(rules)
    # Alone it needs none, and in a list each condition is by itself.
    assert ("age ≤ 3 or missing", "tsh ≤ 1.5") in [rule.texts for rule in rules]


def test_figures_are_those_of_the_training_rows():
    X, y = {"x": [1, 2, 3, 4, 5, 6, 7, 8]}, ["a", "a", "a", "b", "b", "b", "b", "b"]
    y[0] = "b"
    rules = tw.DecisionTreeClassifier(max_leaf_nodes=2, min_samples_leaf=3).fit(X, y).rules()
    low, high = rules
    assert (low.answer, low.n_rows, low.weight, low.support) == ("a", 3, 3.0, 3 / 8)
    assert low.confidence == pytest.approx(2 / 3)
    assert low.lift == pytest.approx((2 / 3) / (2 / 8))
    assert (high.confidence, high.lift) == (1.0, pytest.approx(8 / 6))
    assert high.error_bound == pytest.approx(1 - 0.25 ** (1 / 5))  # no error among 5 rows
    assert rules.model.tree.n_leaves == 2
    stricter = (
        tw.DecisionTreeClassifier(max_leaf_nodes=2, min_samples_leaf=3).fit(X, y).rules(confidence=0.05)
    )
    assert stricter[1].error_bound == pytest.approx(1 - 0.05 ** (1 / 5))


def test_rules_tell_the_weight_of_rows_that_they_share():
    """Confidence is a share of the weight; 2 rows of which a tenth each are here are not two witnesses."""
    x = [*range(20), None, None]
    rules = tw.C45Classifier(pruning=False).fit({"x": x}, [*"n" * 18, *"yy", *"yn"]).rules()
    header, *lines = str(rules).splitlines()
    assert header.split()[:3] == ["then", "rows", "weight"]
    assert [line.split()[1:3] for line in lines[:2]] == [["20", "19.8"], ["4", "2.2"]]
    assert "| weight |" in rules.to_markdown()
    whole = tw.C45Classifier(pruning=False).fit({"x": x[:20]}, [*"n" * 18, *"yy"]).rules()
    assert "weight" not in str(whole)
    heavy = tw.DecisionTreeRegressor().fit({"x": x[:20]}, [0.0] * 18 + [1.0, 1.0], np.full(20, 0.25)).rules()
    assert [line.split()[1:3] for line in str(heavy).splitlines()] == [
        ["rows", "weight"],
        ["18", "4.5"],
        ["2", "0.5"],
    ]


def test_rules_of_numbers_have_a_value_and_a_spread():
    X, y = {"x": [1, 2, 3, 4]}, [1.0, 3.0, 10.0, 10.0]
    rules = tw.DecisionTreeRegressor(max_leaf_nodes=2).fit(X, y).rules()
    assert [(rule.answer, rule.spread, rule.n_rows) for rule in rules] == [(2.0, 1.0, 2), (10.0, 0.0, 2)]
    assert rules[0].confidence is None
    assert str(rules).splitlines()[0].split() == ["value", "rows", "spread", "if"]


def test_a_leaf_without_rows_knows_no_figures():
    import pandas as pd

    X = pd.DataFrame({"c": pd.Categorical(["a", "b"] * 4, categories=["a", "b", "never"])})
    rules = tw.C45Classifier().fit(X, ["x", "y"] * 4).rules()
    empty = rules[2]
    assert (empty.n_rows, empty.confidence, empty.lift, empty.error_bound) == (0, None, None, None)
    assert str(rules).splitlines()[3].split() == ["x", "0", "c", "=", "never"]
    assert "confidence" not in json.loads(rules.to_json())["rules"][2]


def test_a_rule_set_is_a_sequence_that_prints():
    columns, target = tw.datasets.load("watermelon_30")
    rules = tw.C45Classifier().fit(columns, target).rules()
    assert len(rules) == 4 == len(list(rules))
    assert rules[-1] is rules.rules[3]
    assert rules[1:3] == rules.rules[1:3]
    assert repr(rules) == "<RuleSet: 4 rules, kind='leaves'>"
    assert (
        str(rules)
        == rules.to_text()
        == (
            "then  rows  confidence   lift  error ≤  if\n"
            "否       3       1.000  1.889    0.370  纹理 = 模糊\n"
            "否       2       1.000  1.889    0.500  纹理 = 清晰 and 密度 ≤ 0.36\n"
            "是       7       1.000  2.125    0.180  纹理 = 清晰 and 密度 > 0.36\n"
            "否       5       0.800  1.511    0.454  纹理 = 稍糊"
        )
    )
    assert rules._repr_html_().startswith("<table>")
    assert rules.to_markdown().splitlines()[:2] == [
        "| then | rows | confidence | lift | error ≤ | if |",
        "|---|---:|---:|---:|---:|---|",
    ]
    frame = rules.to_frame()
    assert next(iter(frame["if"])) == "纹理 = 模糊"
    assert list(frame["n_rows"]) == [3, 2, 7, 5]
    copy = pickle.loads(pickle.dumps(rules))
    assert str(copy) == str(rules)


def test_many_rules_are_printed_with_the_middle_left_out():
    X = {"x": list(range(200))}
    rules = tw.DecisionTreeClassifier().fit(X, [0, 1] * 100).rules()
    assert "… 140 more" in str(rules)
    assert len(rules.to_text().splitlines()) == 201


def test_the_json_spells_every_condition_out():
    when = np.array(["2024-02-28", "2024-03-01"] * 3, dtype="M8[s]")
    rules = tw.DecisionTreeClassifier().fit({"when": when}, [0, 1] * 3).rules()
    written = json.loads(rules.to_json())
    assert (written["kind"], written["classes"], written["default"]) == ("leaves", [0, 1], None)
    (condition,) = written["rules"][0]["conditions"]
    assert condition == {"column": "when", "spans": [[None, "2024-02-29"]], "missing": False}
    tree = tw.DecisionTreeClassifier(missing="surrogate").fit({"when": when, "x": [1, 2] * 3}, [0, 1] * 3)
    (detour,) = json.loads(tree.rules().to_json())["rules"][1]["detours"]
    assert (detour["column"], detour["placed"], detour["otherwise"]) == ("when", None, 1.0)
    assert detour["instead"] == [{"column": "x", "spans": [[1.5, None]], "missing": False}]


def test_categories_are_written_with_those_that_are_refused():
    X = {"c": ['a"b', "c|d", "e"] * 3}
    rules = tw.DecisionTreeClassifier().fit(X, ["x", "x", "y"] * 3).rules()
    (condition,) = json.loads(rules.to_json())["rules"][0]["conditions"]
    assert (condition["in"], condition["not_in"]) == (['a"b', "c|d"], ["e"])
    assert 'c in {a"b, c\\|d}' in rules.to_markdown()
    assert "a&quot;b" in rules._repr_html_()


def test_intervals_are_read_as_intervals():
    rules = tw.ID3Classifier(bins=2).fit({"size": [0.5, 1.5, 2.5, 3.5]}, ["S", "S", "L", "L"]).rules()
    assert [rule.texts for rule in rules] == [("size ≤ 2",), ("size > 2",)]
    assert json.loads(rules.to_json())["rules"][0]["conditions"][0]["spans"] == [[None, 2.0]]


def test_a_single_leaf_is_a_rule_about_anything():
    tree = tw.DecisionTreeClassifier().fit({"x": [1, 2]}, ["a", "a"])
    rules = tree.rules()
    assert [str(rule) for rule in rules] == ["if anything then a"]
    assert rules.predict({"x": [5]}).tolist() == ["a"]
    assert rules.to_sql() == "'a'"


def test_what_makes_no_sense_is_refused():
    X, y = {"x": [1, 2, 3, 4]}, ["a", "a", "b", "b"]
    tree = tw.C45Classifier().fit(X, y)
    with pytest.raises(ParameterError, match=r"kind='c45rule' is unknown.*Did you mean 'c45rules'"):
        tree.rules("c45rule")
    with pytest.raises(ParameterError, match="leave X out"):
        tree.rules(X=X)
    with pytest.raises(ParameterError, match="needs the training rows, and X is None"):
        tree.rules("c45rules")
    with pytest.raises(ParameterError, match="y is None"):
        tree.rules("c45rules", X)
    with pytest.raises(TargetError, match="the target holds 'z', which the tree was not grown on"):
        tree.rules("c45rules", X, ["a", "a", "b", "z"])
    with pytest.raises(ParameterError, match="confidence=2"):
        tree.rules(confidence=2)
    with pytest.raises(ParameterError, match="predicts numbers"):
        tw.DecisionTreeRegressor().fit(X, [1.0, 2, 3, 4]).rules("c45rules", X, [1.0, 2, 3, 4])
