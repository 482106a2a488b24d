"""Trees as SVG."""

import re
import xml.etree.ElementTree as ET

import pytest

import drawn_trees
from drawn_trees import KINDS, tree_of
from treewright.export.drawn import plain
from treewright.export.palette import LIGHT

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
    selectors = re.findall(r"^ *([^@{}]+?) *{", rules, re.M)
    assert len(selectors) > 10
    assert all(selector.startswith(".treewright .tw-") for selector in selectors)
    names = {name for names in re.findall(r'class="([^"]+)"', text) for name in names.split()}
    assert all(name == "treewright" or name.startswith("tw-") for name in names)


def test_light_colours_need_no_style_sheet_and_dark_ones_replace_each_of_them():
    for kind in KINDS:
        text = tree_of(kind).to_svg(max_nodes=20)
        for element in parsed(text).iter():
            if element.tag.removeprefix(SVG) not in ("rect", "text", "path"):
                continue
            styles = element.get("class").split()
            assert {name: element.get(name) for name in ("fill", "stroke") if element.get(name)} == (
                LIGHT.paint(" ".join(style.removeprefix("tw-") for style in styles))
            )
            assert element.get("fill")
            rules = [re.search(rf"\.{style} {{(.*)}}", text) for style in styles]
            said = " ".join(rule[1] for rule in rules if rule)
            assert all(f"{name}:" in said for name in ("fill", "stroke") if element.get(name))


def test_the_drawing_says_how_much_of_the_tree_it_shows():
    root = parsed(drawn_trees.many_nodes().to_svg())
    assert root.find(f"{SVG}title").text == "Decision tree: 5,067 nodes, 63 of them drawn, 2,534 leaves"
    assert parsed(tree_of("golf").to_svg()).find(f"{SVG}title").text == (
        "Decision tree for class: 8 nodes, 5 leaves"
    )
