"""Pages."""

from html.parser import HTMLParser

import pytest

import drawn_trees
from drawn_trees import KINDS, tree_of


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.text = [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "pre" in self.open:
            self.text += data


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_stands_alone_and_runs_nothing(kind, tmp_path):
    page = tree_of(kind).to_html(tmp_path / "tree.html")
    assert page == tree_of(kind).to_html() == (tmp_path / "tree.html").read_text("utf-8")
    page = Page((tmp_path / "tree.html").read_text("utf-8"))
    assert page.open == []
    assert not {"script", "link", "iframe", "img", "object"} & set(page.tags)
    names = {name for name, _ in page.attributes}
    assert not {"href", "src", "style"} & names
    assert not any(name.startswith("on") for name in names)
    assert page.tags.count("svg") == 1
    assert page.text == tree_of(kind).to_text()


def test_the_page_of_a_large_tree_stays_small(tmp_path):
    drawn_trees.many_nodes().to_html(str(tmp_path / "tree.html"))
    assert (tmp_path / "tree.html").stat().st_size < 1_000_000


def test_a_folder_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="absent"):
        tree_of("golf").to_html(tmp_path / "absent" / "tree.html")
