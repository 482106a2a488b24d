"""The hand-written stub of the core names what the core has, no more and no less."""

import ast
from pathlib import Path

import treewright
from treewright import _core

STUB = Path(treewright.__file__).with_name("_core.pyi")


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_the_stub_names_what_the_core_has():
    body = ast.parse(STUB.read_text("utf-8")).body
    named = {node.name: node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    assert public(named) == public(vars(_core))
    for name, node in named.items():
        if isinstance(node, ast.ClassDef):
            members = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            assert public(members) == public(vars(getattr(_core, name))), name
