"""Formats by name."""

import importlib
import re
import sys
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

from drawn_trees import tree_of
from treewright.cli import parser
from treewright.cli.main import main
from treewright.errors import ParameterError
from treewright.export import exporter as registry
from treewright.export.formats import OURS, Exporter


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
    assert registry.names() == (
        "text",
        "dot",
        "mermaid",
        "json",
        "svg",
        "html",
        "png",
        "pdf",
        "broken",
        "rust",
    )
    assert registry.exporter("rust").write(tree_of("golf").model_) == "// 8 nodes"
    assert registry.exporter("svg").suffix == ".svg"


@pytest.fixture
def _help_as_it_was():
    yield  # after monkeypatch, which a test asks for behind this
    importlib.reload(parser)


def write_note(model):
    return f"{model.tree.n_nodes} nodes"


def write_bytes(model, max_depth=None):
    return bytes([model.tree.n_nodes, max_depth or 0])


@pytest.mark.usefixtures("_help_as_it_was")
@pytest.mark.parametrize(
    ("function", "suffix", "options", "content"),
    [(write_note, ".note", (), b"8 nodes\n"), (write_bytes, ".bin", ("--max-depth", 2), b"\x08\x02")],
)
def test_a_new_format_is_a_function_and_a_line_in_the_table(
    monkeypatch, tmp_path, capsys, function, suffix, options, content
):
    """Nothing outside this room has to change: `treewright show` writes it, names it, goes by its suffix."""
    is_text = function is write_note
    monkeypatch.setitem(sys.modules, "treewright.export.new", SimpleNamespace(write=function))
    new = Exporter("new", "new.write", (suffix,), is_text)
    monkeypatch.setitem(OURS, "new", new)
    importlib.reload(parser)  # the help is written from the table when it is imported
    tree_of("golf").save(tmp_path / "golf.tw.json")
    for out, format in (("a" + suffix, ()), ("b", ("--format", "new"))):
        words = ("show", tmp_path / "golf.tw.json", "-o", tmp_path / out, *format, *options)
        assert main(list(map(str, words))) == 0
        assert (tmp_path / out).read_bytes() == content
    main(["show", "--help"])
    assert {"new", suffix} <= set(re.findall(r"[\w.]+", capsys.readouterr().out))
    other = ["show", str(tmp_path / "golf.tw.json"), "--format", "dot", "-o", str(tmp_path / f"c{suffix}")]
    assert main(other) == (0 if is_text else 2), "text may have any name, but bytes are not to be mistaken"


@pytest.mark.usefixtures("outsiders")
def test_a_format_that_cannot_write_is_refused():
    with pytest.raises(
        ParameterError, match="'types:SimpleNamespace', which has no name and no suffix and no wr"
    ):
        registry.exporter("broken")
