"""Write a tree in Graphviz's language, for `dot` and other programs that read it."""

from treewright.export.drawn import LONG, Item, Words, graph
from treewright.export.look import PLAIN, Look
from treewright.export.palette import LIGHT
from treewright.model.model import Model
from treewright.model.questions import ROOM

_HEAD = f"""\
digraph tree {{
  node [shape=box, style="rounded,filled", fillcolor="{LIGHT.box}", color="{LIGHT.line}"];
  node [fontname="Helvetica,Arial,sans-serif"];
  edge [color="{LIGHT.line}", fontname="Helvetica,Arial,sans-serif"];
"""


def write(
    model: Model, max_depth: int | None = None, max_nodes: int | None = None, look: Look = PLAIN
) -> str:
    """Write a tree as a directed graph.

    Parameters
    ----------
    model : Model
        The model.
    max_depth : int, optional
        Deepest level to write.
    max_nodes : int, optional
        Most nodes to write. Nodes left out are counted in their place.
    look : Look
        Additional content of boxes, and the direction of branches.

    Returns
    -------
    str
        A graph; node i of the tree is ``n<i>``.
    """
    direction = "  rankdir=LR;\n" if look.orientation == "right" else ""
    return f"{_HEAD}{direction}{graph(_node, _edge, model, look, max_depth, max_nodes)}}}\n"


def _node(words: Words, item: Item) -> str:
    text = f"label={_quoted(*words.lines(item))}"
    if item.n_left_out:
        text += ", shape=plaintext, style=solid"
    elif words.is_leaf(item.node):
        text += f', style="{"rounded" if words.tree.n_rows[item.node] else "rounded,dashed"}"'
    return f"  {item.key} [{text}];\n"


def _edge(words: Words, item: Item, above: Item) -> str:
    text = "style=dotted, arrowhead=none"
    if not item.n_left_out:
        width = 1 + 7 * words.share_of_all(item.node)
        label, whole = (words.condition(above.node, item.branch, room) for room in (ROOM, LONG))
        text = f"label={_quoted(label)}, penwidth={width:.2f}"
        if label != whole:  # the full text appears on hover, in SVG made by Graphviz
            text += f", tooltip={_quoted(whole)}, labeltooltip={_quoted(whole)}"
        if not words.tree.n_rows[item.node]:
            text += ", style=dotted"
        elif words.question(above.node).is_for_missing(item.branch):
            text += ", style=dashed"
    return f"  {above.key} -> {item.key} [{text}];\n"


def _quoted(*lines: str) -> str:
    """Quote lines of text, so that a backslash does not begin an escape of Graphviz, nor "&" an entity."""
    escaped = [line.replace("&", "&amp;").replace("\\", r"\\").replace('"', r"\"") for line in lines]
    return '"' + r"\n".join(escaped) + '"'
