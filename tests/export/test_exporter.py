"""Formats by name."""

from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

from drawn_trees import tree_of
from treewright.errors import ParameterError
from treewright.export import exporter as registry


@pytest.mark.parametrize("name", registry.names())
def test_every_format_has_its_name_a_suffix_and_writes_a_model(name):
    found = registry.exporter(name)
    assert found.name == name
    assert found.suffix.startswith(".")
    assert found.write(tree_of("golf").model_)


def test_an_unknown_format_is_refused_with_those_there_are():
    with pytest.raises(ParameterError, match=r"'svgg' is not known; there are 'text'.*Did you mean 'svg'"):
        registry.exporter("svgg")


@pytest.fixture
def outsiders(monkeypatch):
    """Pretend that a package with two formats is installed, one of which has a name of ours."""
    rust = SimpleNamespace(name="rust", suffix=".rs", write=lambda model: f"// {model.tree.n_nodes} nodes")
    points = {
        "rust": EntryPoint("rust", "tests_of_treewright:rust", registry.GROUP),
        "svg": EntryPoint("svg", "tests_of_treewright:rust", registry.GROUP),
        "broken": EntryPoint("broken", "types:SimpleNamespace", registry.GROUP),
    }
    monkeypatch.setattr(registry, "entry_points", lambda group: tuple(points.values()))
    monkeypatch.setitem(__import__("sys").modules, "tests_of_treewright", SimpleNamespace(rust=rust))


@pytest.mark.usefixtures("outsiders")
def test_other_packages_add_formats_but_do_not_replace_ours():
    assert registry.names() == ("text", "dot", "mermaid", "json", "svg", "html", "broken", "rust")
    assert registry.exporter("rust").write(tree_of("golf").model_) == "// 8 nodes"
    assert registry.exporter("svg").suffix == ".svg"


@pytest.mark.usefixtures("outsiders")
def test_a_format_that_cannot_write_is_refused():
    with pytest.raises(
        ParameterError, match="'types:SimpleNamespace', which has no name and no suffix and no wr"
    ):
        registry.exporter("broken")
