"""Write a tree in Graphviz's language, for `dot` and other programs that read it."""

from treewright.export.drawn import Item, Words, drawn
from treewright.export.palette import LIGHT
from treewright.model.model import Model

_HEAD = f"""\
digraph tree {{
  node [shape=box, style="rounded,filled", fillcolor="{LIGHT.box}", color="{LIGHT.line}"];
  node [fontname="Helvetica,Arial,sans-serif"];
  edge [color="{LIGHT.line}", fontname="Helvetica,Arial,sans-serif"];
"""


def write(model: Model, max_depth: int | None = None, max_nodes: int | None = None) -> str:
    """Write a tree as a directed graph.

    Parameters
    ----------
    model : Model
        The model.
    max_depth : int, optional
        Deepest level to write.
    max_nodes : int, optional
        Most nodes to write. Those left out are counted where they would be.

    Returns
    -------
    str
        A graph; node i of the tree is ``n<i>``.
    """
    words, items = Words(model), drawn(model.tree, max_depth, max_nodes)
    lines = []
    for item in items:
        lines.append(f"  {item.key} [{_node(words, item)}];\n")
        if item.above >= 0:
            above = items[item.above]
            lines.append(f"  {above.key} -> {item.key} [{_edge(words, item, above.node)}];\n")
    return f"{_HEAD}{''.join(lines)}}}\n"


def _node(words: Words, item: Item) -> str:
    text = f"label={_quoted(*words.lines(item))}"
    if item.n_left_out:
        return f"{text}, shape=plaintext, style=solid"
    if words.is_leaf(item.node):
        text += f', style="{"rounded" if words.tree.n_rows[item.node] else "rounded,dashed"}"'
    return text


def _edge(words: Words, item: Item, above: int) -> str:
    if item.n_left_out:
        return "style=dotted, arrowhead=none"
    width = 1 + 7 * words.share_of_all(item.node)
    text = f"label={_quoted(words.condition(above, item.branch))}, penwidth={width:.2f}"
    if not words.tree.n_rows[item.node]:
        return f"{text}, style=dotted"
    return f"{text}, style=dashed" if words.question(above).is_for_missing(item.branch) else text


def _quoted(*lines: str) -> str:
    """Quote lines of text; a backslash must not begin one of Graphviz's escapes, nor "&" an entity."""
    escaped = [line.replace("&", "&amp;").replace("\\", r"\\").replace('"', r"\"") for line in lines]
    return '"' + r"\n".join(escaped) + '"'
