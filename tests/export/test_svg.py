"""Trees as SVG."""

import re
import xml.etree.ElementTree as ET

import pytest

import drawn_trees
from drawn_trees import KINDS, tree_of
from treewright.export.drawn import plain

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text):
    return ET.fromstring(text.encode("utf-8"))


@pytest.mark.parametrize("name", KINDS)
def test_a_drawing_is_well_formed_and_holds_only_shapes_and_texts(name):
    tags = {element.tag.removeprefix(SVG) for element in parsed(tree_of(name).to_svg()).iter()}
    assert tags <= {"svg", "title", "style", "rect", "path", "text", "g"}


def test_a_hostile_name_arrives_as_text():
    for name, tree in drawn_trees.hostile_names():
        root = parsed(tree.to_svg())
        titles = "\n".join(element.text or "" for element in root.iter(f"{SVG}title"))
        shown = plain(name) if name.strip() else repr(name)
        assert f"answer: {shown}" in titles
        assert f"{shown if name else 'x'} = a" in titles


def test_the_same_tree_gives_the_same_drawing():
    assert drawn_trees.hostile().to_svg() == drawn_trees.hostile().to_svg()


def test_nothing_is_fetched_and_nothing_can_meet_another_drawing_on_the_page():
    text = tree_of("golf").to_svg()
    assert "href" not in text
    assert "url(" not in text
    assert ' id="' not in text
    rules = re.search(r"<style>(.*)</style>", text, re.S)[1]
    selectors = re.findall(r"^ *([.@][^{]+?) *{", rules, re.M)
    parts = [each for selector in selectors if selector[0] != "@" for each in selector.split(",")]
    assert all(each.strip().startswith(".treewright ") for each in parts)


def test_every_style_that_is_used_is_described():
    for kind in KINDS:
        text = tree_of(kind).to_svg(max_nodes=20)
        for style in {word for words in re.findall(r'class="([^"]+)"', text) for word in words.split()}:
            assert (
                style in ("treewright", "legend", "node", "more") or f".{style}" in text.split("</style>")[0]
            )


def test_the_drawing_says_how_much_of_the_tree_it_shows():
    root = parsed(drawn_trees.many_nodes().to_svg())
    assert root.find(f"{SVG}title").text == "Decision tree: 5,067 nodes, 63 of them drawn, 2,534 leaves"
    assert parsed(tree_of("golf").to_svg()).find(f"{SVG}title").text == (
        "Decision tree for class: 8 nodes, 5 leaves"
    )
