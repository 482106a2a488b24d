"""Which nodes are drawn, and their words."""

import numpy as np
import pytest

import drawn_trees
from treewright.errors import ParameterError, ParameterTypeError
from treewright.export.drawn import MOST_BRANCHES, Words, drawn, plain


@pytest.fixture(scope="module")
def many():
    return drawn_trees.many_nodes().tree_


def counted(items):
    return sum(not item.n_left_out for item in items), sum(item.n_left_out for item in items)


@pytest.mark.parametrize("max_depth", [None, 0, 1, 3, 100])
@pytest.mark.parametrize("max_nodes", [None, 1, 2, 17, 63, 1000])
def test_every_node_is_drawn_or_counted(many, max_depth, max_nodes):
    n_drawn, n_left_out = counted(drawn(many, max_depth, max_nodes))
    assert n_drawn + n_left_out == many.n_nodes
    assert n_drawn <= (max_nodes or many.n_nodes)


def test_whole_levels_are_drawn_and_of_the_next_one_the_heaviest_nodes(many):
    items = drawn(many, max_nodes=63)
    shown = {item.node for item in items if not item.n_left_out}
    full = 0
    while set(many.levels[full].tolist()) <= shown:
        full += 1
    assert full >= 4
    opened = {item.node for item in items if not item.n_left_out and many.children(item.node)[:1]}
    opened &= {items[item.above].node for item in items if not item.n_left_out and item.above >= 0}
    last = [node for node in many.levels[full - 1].tolist() if many.children(node)]
    least = min(many.weight[node] for node in last if node in opened)
    assert all(many.weight[node] <= least for node in last if node not in opened)


def test_items_are_in_pre_order_with_notes_after_the_children_drawn(many):
    items = drawn(many, max_nodes=40)
    nodes = [item.node for item in items if not item.n_left_out]
    assert nodes == sorted(nodes)
    for at, item in enumerate(items):
        assert item.above < at
        if item.n_left_out:
            assert item.node == items[item.above].node
        elif item.above >= 0:
            assert many.children(items[item.above].node)[item.branch] == item.node


def test_without_limits_everything_is_drawn():
    for kind in drawn_trees.KINDS:
        tree = drawn_trees.tree_of(kind).tree_
        assert counted(drawn(tree)) == (tree.n_nodes, 0)


def test_of_very_many_branches_the_heaviest_are_drawn():
    tree = drawn_trees.wide().tree_
    items = drawn(tree, max_nodes=63)
    shown = [item.node for item in items[1:] if not item.n_left_out]
    assert len(shown) == MOST_BRANCHES
    assert items[-1].n_left_out == 300 - MOST_BRANCHES
    assert tree.weight[shown].min() >= np.sort(tree.weight[1:])[-MOST_BRANCHES]
    assert counted(drawn(tree)) == (301, 0)


@pytest.mark.parametrize("name", ["max_depth", "max_nodes"])
@pytest.mark.parametrize(
    ("value", "error"), [(-1, ParameterError), (2.5, ParameterTypeError), (True, ParameterTypeError)]
)
def test_a_limit_that_is_none_is_refused(name, value, error):
    tree = drawn_trees.golf()
    with pytest.raises(error, match=f"{name}={value}"):
        tree.to_svg(**{name: value})


def test_any_text_becomes_one_line_that_can_be_written_down():
    for text in drawn_trees.HOSTILE:
        made = plain(text)
        assert len(made.splitlines()) <= 1
        made.encode("utf-8")
        assert not any(ord(character) < 32 or character in "\u202e\x7f\x85\ufffe" for character in made)


@pytest.mark.parametrize("text", ["色泽", "Don't Play", "é", "שלום", "🍉", "a\u200db"])
def test_ordinary_text_stays_as_it_is(text):
    assert plain(text) == text


def test_the_words_tell_where_missing_values_go():
    for missing, note in (
        ("spread", "missing: every branch"),
        ("surrogate", "missing: 1 surrogate"),
        ("branch", ""),
    ):
        words = Words(drawn_trees.gaps(missing).model_)
        assert words.missing_note(0) == note


def test_the_story_of_a_node_names_its_surrogates():
    tree = drawn_trees.gaps("surrogate")
    lines = list(Words(tree.model_).story(0, -1, -1))
    assert lines[:2] == ["node 0", "10 rows"]
    assert any(line.startswith("surrogate: ") for line in lines)


def test_a_blank_name_is_quoted():
    blank = [tree for name, tree in drawn_trees.hostile_names() if not name.strip()]
    assert all("' '" in tree.to_text() or "''" in tree.to_text() for tree in blank)
