"""Write a tree in Graphviz's language, for `dot` and whatever else reads it."""

from collections.abc import Iterator

from treewright.export.drawn import Item, Words, drawn
from treewright.export.palette import LIGHT
from treewright.model.model import Model


def write(model: Model, max_depth: int | None = None, max_nodes: int | None = None) -> str:
    """Write a tree as a directed graph.

    Parameters
    ----------
    model : Model
        What to write.
    max_depth : int, optional
        Deepest level to write.
    max_nodes : int, optional
        Nodes to write at most. What is left out is counted in its place.

    Returns
    -------
    str
        A graph; node i of the tree is ``n<i>``.
    """
    return "\n".join(_lines(Words(model), drawn(model.tree, max_depth, max_nodes))) + "\n"


def _lines(words: Words, items: list[Item]) -> Iterator[str]:
    yield "digraph tree {"
    yield f'  node [shape=box, style="rounded,filled", fillcolor="{LIGHT.box}", color="{LIGHT.line}"];'
    yield '  node [fontname="Helvetica,Arial,sans-serif"];'
    yield f'  edge [color="{LIGHT.line}", fontname="Helvetica,Arial,sans-serif"];'
    for item in items:
        key = f"more{item.node}" if item.n_left_out else f"n{item.node}"
        yield f"  {key} [{_node(words, item)}];"
        if item.above >= 0:
            above = items[item.above].node
            yield f"  n{above} -> {key} [{_edge(words, item, above)}];"
    yield "}"


def _node(words: Words, item: Item) -> str:
    if item.n_left_out:
        return f"label={_quoted(f'… {item.n_left_out:,} more')}, shape=plaintext, style=solid"
    node = item.node
    lines = [words.column(node) or words.answer(node), words.rows(node)]
    if words.tree.column[node] >= 0:
        lines[1] += f": {words.answer(node)}"
    if words.missing_note(node):
        lines.append(words.missing_note(node))
    text = f"label={_quoted(*lines)}"
    if words.tree.column[node] < 0:
        outline = "rounded" if words.tree.n_rows[node] else "rounded,dashed"
        text += f', style="{outline}"'
    return text


def _edge(words: Words, item: Item, above: int) -> str:
    if item.n_left_out:
        return "style=dotted, arrowhead=none"
    tree = words.tree
    share = float(tree.weight[item.node]) / float(tree.weight[0]) if tree.weight[0] > 0 else 0.0
    text = f"label={_quoted(words.condition(above, item.branch))}, penwidth={1 + 7 * share:.2f}"
    if not tree.n_rows[item.node]:
        return f"{text}, style=dotted"
    if words.question(above).is_for_missing(item.branch):
        return f"{text}, style=dashed"
    return text


def _quoted(*lines: str) -> str:
    """Quote lines of text; a backslash must not begin one of Graphviz's escapes, nor "&" an entity."""
    escaped = [line.replace("&", "&amp;").replace("\\", r"\\").replace('"', r"\"") for line in lines]
    return '"' + r"\n".join(escaped) + '"'
