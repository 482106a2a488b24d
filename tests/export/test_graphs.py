"""Trees in the languages of Graphviz and Mermaid, read back."""

import re
import shutil
import subprocess

import pytest

import drawn_trees
from drawn_trees import KINDS, tree_of
from graphs_of_trees import read_dot, read_mermaid
from treewright import DecisionTreeClassifier
from treewright.export.drawn import Words


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("read", "write"), [(read_dot, "to_dot"), (read_mermaid, "to_mermaid")])
def test_every_node_and_condition_is_found_again(read, write, kind):
    tree = tree_of(kind)
    graph = read(getattr(tree, write)())
    words, nodes = Words(tree.model_), tree.tree_
    assert list(graph.nodes) == [f"n{node}" for node in range(nodes.n_nodes)]
    for node in range(nodes.n_nodes):
        title, rows, *_ = graph.nodes[f"n{node}"]["label"]
        assert title == (words.column(node) or words.answer(node))
        assert words.rows(node) in rows
        for branch, child in enumerate(nodes.children(node)):
            assert graph.edges[f"n{node}", f"n{child}"]["label"] == (words.condition(node, branch),)
    assert len(graph.edges) == nodes.n_nodes - 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("read", "write"), [(read_dot, "to_dot"), (read_mermaid, "to_mermaid")])
def test_every_node_says_how_far_its_rows_agree(read, write, kind):
    tree = tree_of(kind)
    for key, said in read(getattr(tree, write)()).nodes.items():
        node = int(key[1:])
        (rows,) = (line for line in said["label"][1:2])
        if not tree.tree_.n_rows[node]:
            assert rows == "0 rows"
        elif tree.tree_.is_classifier:
            share = tree.tree_.shares[node, tree.tree_.answer[node]]
            (told,) = re.findall(r"(\d+)%", rows)
            assert float(told) == pytest.approx(100 * share, abs=1)
            assert (told == "100") == (share == 1.0)
        else:
            assert f"sd {tree.tree_.impurity[node] ** 0.5:.3g}" in rows


@pytest.mark.parametrize(("read", "write"), [(read_dot, "to_dot"), (read_mermaid, "to_mermaid")])
def test_hostile_names_are_found_again(read, write):
    for _, tree in drawn_trees.hostile_names():
        graph, words = read(getattr(tree, write)()), Words(tree.model_)
        titles = [graph.nodes[f"n{node}"]["label"][0] for node in range(3)]
        assert titles == [words.column(0), words.answer(1), words.answer(2)]


@pytest.mark.parametrize(("read", "write"), [(read_dot, "to_dot"), (read_mermaid, "to_mermaid")])
def test_what_is_left_out_is_counted(read, write):
    graph = read(getattr(tree_of("golf"), write)(max_depth=1))
    assert graph.nodes["more2"]["label"] == ("… 2 more",)
    assert ("n2", "more2") in graph.edges
    graph = read(getattr(drawn_trees.many_nodes(), write)(max_nodes=20))
    left_out = [
        int(said["label"][0].split()[1].replace(",", ""))
        for key, said in graph.nodes.items()
        if key.startswith("more")
    ]
    assert sum(left_out) + len(graph.nodes) - len(left_out) == 5067


def test_branches_of_missing_values_are_dashed_and_those_of_no_rows_dotted():
    dot = read_dot(tree_of("gaps have a branch").to_dot())
    assert [edge.get("style") for edge in dot.edges.values()].count("dashed") == 1
    mermaid = read_mermaid(tree_of("gaps have a branch").to_mermaid())
    assert [edge["arrow"] for edge in mermaid.edges.values()].count("-.->") == 1
    dot = read_dot(tree_of("empty branches").to_dot())
    assert [edge.get("style") for edge in dot.edges.values()].count("dotted") == 2
    assert [node.get("style") for node in dot.nodes.values()].count(("rounded,dashed",)) == 2


def test_a_list_that_graphviz_shows_shortened_is_whole_where_the_mouse_rests():
    towns = [f"town {at:02}" for at in range(30)]
    tree = DecisionTreeClassifier(on_identifier="ignore").fit({"town": towns}, [at % 2 for at in range(30)])
    for branch, edge in enumerate(read_dot(tree.to_dot()).edges.values()):
        whole = f"in {{{', '.join(towns[branch::2])}}}"
        assert edge["label"][0].endswith(" more}")
        assert edge["tooltip"] == edge["labeltooltip"] == (whole,)
    assert "tooltip" not in tree_of("golf").to_dot()


def test_a_mermaid_chart_stays_below_what_mermaid_draws():
    assert len(read_mermaid(drawn_trees.many_nodes().to_mermaid()).edges) < 500


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("kind", KINDS)
def test_graphviz_reads_what_is_written(kind):
    ran = subprocess.run(
        ["dot", "-Tcanon"],
        input=tree_of(kind).to_dot(),
        text=True,
        encoding="utf-8",
        capture_output=True,
        check=True,
    )
    assert ran.stderr == ""
