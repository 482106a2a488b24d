"""Who may import whom, what may stand where, and how long a file may grow: rules kept by a plain test.

Standard library, pytest and lizard, which measures C++. `ARCHITECTURE.md` tells people the same; the last
tests hold it to the tree.
"""

import ast
import graphlib
import io
import re
import tokenize
from pathlib import Path

import pytest
from lizard import analyze_file

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src" / "treewright"
CORE = ROOT / "cpp" / "treewright"
LONG = 400  # lines of code; beyond it a decision note says why

# Read from top to bottom: a room knows only rooms above it.
MAY_IMPORT = {
    "formatting": set(),
    "errors": set(),
    "wording": {"errors"},  # and `formatting`, as all rooms
    "writing": set(),
    "grid": {"errors"},
    "_core": set(),
    "missing_values": set(),
    "information": {"missing_values", "errors"},
    "schema": {"errors"},
    "datasets": {"errors"},
    "parts": {"errors"},
    "recipes": {"parts", "errors"},
    "table": {"missing_values", "schema", "errors", "_core"},
    "files": {"missing_values", "table", "schema", "errors"},
    "model": {"missing_values", "writing", "grid", "table", "parts", "schema", "errors", "_core"},
    "engines": {"missing_values", "table", "model", "recipes", "parts", "schema", "errors", "_core"},
    "fitting": {
        "missing_values",
        "grid",
        "engines",
        "table",
        "model",
        "recipes",
        "parts",
        "schema",
        "errors",
        "_core",
    },
    "explain": {"grid", "model", "schema", "errors", "_core"},
    "export": {"grid", "model", "schema", "errors"},
    "report": {"missing_values", "grid", "explain", "export", "model", "schema", "errors"},
    "estimators": {
        "missing_values",
        "fitting",
        "engines",
        "recipes",
        "parts",
        "table",
        "model",
        "explain",
        "export",
        "report",
        "schema",
        "grid",
        "writing",
        "errors",
    },
    "cli": {
        "estimators",
        "report",
        "export",
        "explain",
        "model",
        "table",
        "files",
        "recipes",
        "schema",
        "grid",
        "writing",
        "errors",
    },
    "studio": {
        "estimators",
        "report",
        "export",
        "explain",
        "model",
        "files",
        "table",
        "recipes",
        "grid",
        "errors",
    },
    "__main__": {"cli"},
}

# How numbers and words are written is the same everywhere.
FOR_ALL = {"formatting", "wording"}

# numpy is free everywhere; other packages have one home, or two.
ONLY_IN = {
    "narwhals": "table",
    "pyarrow": "files",
    "sklearn": "estimators",
    "scipy": "estimators, explain, model",
    "joblib": "estimators",
    "anywidget": "report",
    "traitlets": "report",
    "starlette": "studio",
    "dask": "engines",
    "distributed": "engines",
    "pyspark": "engines",
    "onnx": "export",
    "rich": "cli",
}

MODULES = sorted(SRC.rglob("*.py"))
CORE_FILES = sorted(CORE.rglob("*.[hc]pp"))
CODE_FILES = sorted(
    file
    for folder in ("src", "cpp", "tests", "benchmarks", "examples")
    for file in (ROOT / folder).rglob("*")
    if file.suffix in {".py", ".hpp", ".cpp"}
)


def named(file):
    return file.relative_to(ROOT).as_posix()


def room_of(file):
    return file.relative_to(SRC).parts[0].removesuffix(".py")


def imports_of(file):
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{named(file)}:{node.lineno}: write imports in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("file", MODULES, ids=named)
def test_a_room_imports_only_rooms_it_may(file):
    room = room_of(file)
    for name in imports_of(file):
        package, *rest = name.split(".")
        # __init__.py holds the public names, and those come from anywhere in the house.
        if package == "treewright" and rest and room != "__init__" and rest[0] != room:
            assert rest[0] in MAY_IMPORT[room] | FOR_ALL, f"{room} may not import {name}"
        homes = ONLY_IN.get(package, room)
        assert room in homes.split(", "), f"{package} belongs in {homes}, not in {room}"


def test_every_room_has_its_rule():
    rooms = {room_of(file) for file in MODULES} - {"__init__"}
    assert rooms <= MAY_IMPORT.keys(), "a room without a line in MAY_IMPORT"


def test_the_rooms_have_an_order():
    above = set()
    for room, may in MAY_IMPORT.items():
        assert may <= above, f"{room} may import {may - above}, which stand below it"
        above.add(room)
    tuple(graphlib.TopologicalSorter(MAY_IMPORT).static_order())  # raises on a ring


@pytest.mark.parametrize("file", CORE_FILES, ids=named)
def test_the_core_knows_no_python(file):
    text = file.read_text("utf-8")
    for word in ("nanobind", "Python.h", "pybind", "PyObject", "bindings/"):
        assert word not in text, f"{word} belongs in cpp/bindings"


def test_the_core_includes_itself_without_a_ring():
    knows = {
        file.relative_to(CORE.parent).as_posix(): set(
            re.findall(r'^\s*#include "([^"]+)"', file.read_text("utf-8"), re.M)
        )
        for file in CORE_FILES
    }
    tuple(graphlib.TopologicalSorter(knows).static_order())
    assert set().union(*knows.values()) <= knows.keys(), "an include that is not in the core"


def lines_of_code(file):
    """Count lines that are neither blank, nor comment, nor docstring."""
    text = file.read_text("utf-8")
    return len(lines_of_python(text) if file.suffix == ".py" else lines_of_cpp(text))


def lines_of_python(text):
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.string.strip() and token.type not in {tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            # A bare constant: a docstring.
            lines.difference_update(range(node.lineno, node.end_lineno + 1))
    return lines


def lines_of_cpp(text):
    without_blocks = re.sub(r"/\*.*?\*/", lambda block: "\n" * block.group().count("\n"), text, flags=re.S)
    stripped = (line.split("//")[0].strip() for line in without_blocks.splitlines())
    return {number for number, line in enumerate(stripped, start=1) if line}


def test_lines_of_code_are_counted_without_prose():
    python = '"""Two\nlines."""\n\nx = 1  # one\n# none\ndef f():\n    """Doc."""\n    return (1 +\n  2)\n'
    assert lines_of_python(python) == {4, 6, 8, 9}
    assert lines_of_cpp("// none\n/* no\n   ne */\nint x;  // one\n\nint y; /* two */\n") == {4, 6}


def test_a_long_file_has_a_reason():
    notes = "".join(note.read_text("utf-8") for note in (ROOT / "docs" / "decisions").glob("*.md"))
    lengths = {named(file): lines_of_code(file) for file in CODE_FILES}
    assert len(lengths) > 500
    unexplained = {name: n for name, n in lengths.items() if n > LONG and name not in notes}
    assert unexplained == {}, "say why in docs/decisions, or part them"


def words_of_the_map():
    """Collect what ARCHITECTURE.md writes in backticks."""
    return set(re.findall(r"`([^`\n]+)`", (ROOT / "ARCHITECTURE.md").read_text("utf-8")))


def test_the_map_names_every_room_and_every_folder_of_the_core():
    words = {word.strip("/").rsplit("/", 1)[-1].split(".")[0] for word in words_of_the_map()}
    rooms = {room_of(file) for file in MODULES} - {"__init__"}
    assert rooms - words == set(), "rooms of src/treewright that ARCHITECTURE.md does not name"
    folders = {file.parent.name for file in CORE_FILES} - {CORE.name}
    assert folders - words == set(), "folders of cpp/treewright that ARCHITECTURE.md does not name"


@pytest.mark.parametrize(
    "folder", sorted({file.parent for file in CORE_FILES} - {CORE}), ids=lambda p: p.name
)
def test_each_folder_of_the_core_names_its_files(folder):
    words = set(re.findall(r"`([a-z_0-9]+)`", (folder / "README.md").read_text("utf-8")))
    stems = {file.stem for file in CORE_FILES if file.parent == folder}
    assert stems - words == set(), "files that the README of their folder does not name"


def test_no_file_of_the_core_is_longer_than_450_lines_and_no_function_longer_than_90():
    """Lines as an editor counts them, comments and blanks included."""
    lengths = {named(file): len(file.read_text("utf-8").splitlines()) for file in CORE_FILES}
    assert {name: n for name, n in lengths.items() if n > 450} == {}
    measured = [analyze_file(str(file)) for file in CORE_FILES]
    long = {
        f"{Path(each.filename).name}: {function.name}": function.length
        for each in measured
        for function in each.function_list
        if function.length > 90
    }
    assert sum(len(each.function_list) for each in measured) > 500
    assert long == {}


def test_the_map_names_nothing_that_is_absent():
    folders = ("src", "cpp", "tests", "docs", "benchmarks", "examples", "changes", "frontend/src")
    # With a slash before and after, so that `tree.py` is found anywhere but does not match `first_tree.py`.
    there = [
        f"/{named(path)}/" for folder in folders for path in [ROOT / folder, *(ROOT / folder).rglob("*")]
    ]
    paths = [word for word in words_of_the_map() if re.fullmatch(r"[\w./-]+(/|\.py|\.hpp|\.cpp)", word)]
    absent = [word for word in paths if not any(path.endswith(f"/{word.strip('/')}/") for path in there)]
    assert absent == [], "ARCHITECTURE.md names files that are not there"


def test_every_file_that_contributing_sends_people_to_is_there():
    tables = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## How to add")[1].split("## Commits")[0]
    rows = [line.split("|")[1] for line in tables.splitlines() if line.startswith("| ") and "`" in line]
    places = [place for row in rows for place in re.findall(r"`([\w./<>-]+/[\w./<>-]*)`", row)]
    assert len(places) > 30
    # A name in angle brackets is for the new file to have; its folder is there.
    absent = [place for place in places if not (ROOT / re.sub(r"[^/]*<.*", "", place)).exists()]
    assert absent == []
