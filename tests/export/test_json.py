"""Trees as nested JSON."""

import json
import sys

import numpy as np
import pytest

import drawn_trees
import treewright as tw
from drawn_trees import KINDS, tree_of


def nodes_of(tree):
    """Walk nested nodes in pre-order."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [branch["child"] for branch in reversed(node.get("branches", []))]


@pytest.mark.parametrize("kind", KINDS)
def test_every_node_says_what_the_tree_says(kind):
    estimator = tree_of(kind)
    schema, tree = estimator.model_.schema, estimator.tree_
    read = json.loads(estimator.to_json())
    assert [column["name"] for column in read["columns"]] == list(schema.names)
    found = list(nodes_of(read["tree"]))
    assert [node["node"] for node in found] == list(range(tree.n_nodes))
    for node in found:
        real = tree.node(node["node"])
        assert (node["rows"], node["weight"], node["impurity"]) == (real.n_rows, real.weight, real.impurity)
        if tree.is_classifier:
            assert node["weights"] == list(real.outcome)
            assert node["answer"] == schema.target.labels[tree.answer[real.id]]
        else:
            assert node["answer"] == real.outcome[0]
        assert ("branches" in node) == (real.question is not None)
        assert tuple(branch["child"]["node"] for branch in node.get("branches", [])) == real.children


def test_an_answer_can_be_worked_out_from_the_json_alone():
    estimator = tree_of("golf")
    read = json.loads(estimator.to_json())
    columns, target = tw.datasets.load("golf")
    for row in range(len(columns[target])):
        node = read["tree"]
        while "branches" in node:
            value = columns[node["column"]][row]
            if "cut" in node:
                node = node["branches"][0 if value <= node["cut"] else 1]["child"]
            else:
                node = next(b["child"] for b in node["branches"] if value in b["categories"])
        assert node["answer"] == columns[target][row]


def test_where_missing_values_go_is_told():
    roots = {
        kind: json.loads(tree_of(f"gaps {kind}").to_json())["tree"]
        for kind in ("have a branch", "go everywhere", "have surrogates", "are learned")
    }
    assert roots["have a branch"]["missing"] == {"branch": 2}
    assert roots["have a branch"]["branches"][2]["condition"] == "age is missing"
    assert roots["go everywhere"]["missing"] == "every branch"
    assert roots["have surrogates"]["missing"] == "surrogates"
    assert roots["have surrogates"]["surrogates"][0].keys() == {"column", "condition", "agree"}
    assert roots["are learned"]["missing"] == {"branch": 1}


def test_known_values_parted_from_missing_ones_have_no_cut():
    tree = tw.DecisionTreeClassifier().fit({"x": [1.0, 1.0, None]}, ["a", "a", "b"])
    read = json.loads(tree.to_json())["tree"]
    assert read["cut"] is None
    assert [branch["condition"] for branch in read["branches"]] == ["x is known", "x is missing"]


def test_large_whole_numbers_and_dates_keep_every_digit():
    X = {"id": [2**53, 2**53 + 1], "day": np.array(["2024-02-28", "2024-02-29"], "datetime64[s]")}
    for name, values in X.items():
        read = json.loads(tw.DecisionTreeClassifier().fit({name: values}, ["a", "b"]).to_json())
        assert isinstance(read["tree"]["cut"], int)
    assert read["columns"][0]["unit"] == "ns"
    assert read["tree"]["branches"][0]["condition"].startswith("day <= 2024-02-28")


def test_a_file_can_hold_what_is_written_of_hostile_names():
    for name, tree in drawn_trees.hostile_names():
        assert name in json.loads(tree.to_json().encode("utf-8"))["target"]["classes"]


def test_a_tree_deeper_than_python_nests_is_written():
    depth = sys.getrecursionlimit() + 20
    text = drawn_trees.deep(depth).to_json()
    assert text.count('"branches"') == depth
    assert text.endswith("}]}}")
