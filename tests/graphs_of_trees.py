"""Small readers of the languages that trees are written in: enough to find the nodes and edges again."""

import re
from dataclasses import dataclass, field


@dataclass
class Graph:
    """Nodes and edges with what is said of them; lines of a label are a tuple."""

    nodes: dict[str, dict] = field(default_factory=dict)
    edges: dict[tuple[str, str], dict] = field(default_factory=dict)


_DOT_TOKEN = re.compile(r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<word>[\w.]+)|(?P<mark>->|[\[\]{}=,;]))', re.S)


def read_dot(text):
    """Read a digraph as Graphviz's grammar has it: statements of nodes and edges with lists of attributes."""
    tokens, at = [], 0
    while at < len(text.rstrip()):
        found = _DOT_TOKEN.match(text, at)
        assert found, f"no token at {text[at : at + 30]!r}"
        tokens.append(found[found.lastgroup])
        at = found.end()
    assert tokens[:3] == ["digraph", "tree", "{"]
    assert tokens[-1] == "}"
    graph, tokens = Graph(), tokens[3:-1]
    while tokens:
        end = tokens.index(";")
        _dot_statement(graph, tokens[:end])
        tokens = tokens[end + 1 :]
    return graph


def _dot_statement(graph, tokens):
    begin = tokens.index("[")
    assert tokens[-1] == "]"
    inside = tokens[begin + 1 : -1]
    said = {}
    while inside:
        key, equals, value, *inside = inside
        assert equals == "="
        said[key] = _dot_text(value) if value.startswith('"') else value
        if inside:
            assert inside.pop(0) == ","
    match tokens[:begin]:
        case [("node" | "edge")]:
            pass
        case [key]:
            graph.nodes[key] = said
        case [above, "->", below]:
            assert above in graph.nodes
            assert below in graph.nodes
            graph.edges[above, below] = said
        case other:
            raise AssertionError(other)


def _dot_text(quoted):
    """Undo what Graphviz undoes: escapes, of which only these three may occur, then entities."""
    lines = [""]
    for piece in re.findall(r"\\.|[^\\]", quoted[1:-1], re.S):
        if piece == r"\n":
            lines.append("")
        else:
            assert piece in (r"\\", r"\"") or not piece.startswith("\\"), piece
            lines[-1] += piece[-1]
    assert not any(re.search(r"&(?!amp;)", line) for line in lines)
    return tuple(line.replace("&amp;", "&") for line in lines)


_MERMAID_TEXT = r'"(?P<{}>[^"]*)"'
_MERMAID_NODE = re.compile(
    rf"  (?P<key>\w+)(?:\(\[{_MERMAID_TEXT.format('round')}\]\)|\[{_MERMAID_TEXT.format('box')}\])"
)
_MERMAID_EDGE = re.compile(
    rf"  (?P<above>\w+) (?P<arrow>-->|-\.->|-\.-)(?:\|{_MERMAID_TEXT.format('text')}\|)? (?P<below>\w+)"
)


def read_mermaid(text):
    """Read a flowchart of one statement a line."""
    first, *lines = text.splitlines()
    assert first in ("flowchart TD", "flowchart LR")
    graph = Graph()
    for line in lines:
        if found := _MERMAID_NODE.fullmatch(line):
            shape = "round" if found["round"] is not None else "box"
            graph.nodes[found["key"]] = {"shape": shape, "label": _mermaid_text(found[shape])}
        elif found := _MERMAID_EDGE.fullmatch(line):
            assert {found["above"], found["below"]} <= graph.nodes.keys()
            label = None if found["text"] is None else _mermaid_text(found["text"])
            graph.edges[found["above"], found["below"]] = {"arrow": found["arrow"], "label": label}
        else:
            raise AssertionError(line)
    return graph


def _mermaid_text(text):
    lines = text.split("<br>")
    for line in lines:
        # What Markdown, HTML or Mermaid could take for a mark must be written by its number.
        assert not re.search(r"[<>\"'`*_&|\[\]{}()\\~$@^]|%(?! )|#(?!\d+;)|(?<!\d);", line), line
        assert not re.match(r"\d+\. |[-+] ", line), line
        assert not re.search(r"#92;n", line), line
    return tuple(
        re.sub(r"#(\d+);", lambda found: chr(int(found[1])), line.replace("#8203;", "")) for line in lines
    )
