"""Write a tree as a Mermaid flowchart, for Markdown pages."""

from treewright.export.drawn import MOST_NODES, Item, Words, graph
from treewright.export.look import PLAIN, Look
from treewright.model.model import Model

# Mermaid interprets Markdown, HTML and its own syntax in text. Every character that could be part of them is
# written as its number. Characters beyond _LETTERS are Chinese, Japanese, Korean and emoji, which are safe.
_ORDINARY = frozenset(" ,:/=…")
_POINTS = frozenset(".-+")
_LETTERS = 0x2E7F


def write(
    model: Model, max_depth: int | None = None, max_nodes: int | None = MOST_NODES, look: Look = PLAIN
) -> str:
    """Write a tree as a flowchart.

    Parameters
    ----------
    model : Model
        The model.
    max_depth : int, optional
        Deepest level to write.
    max_nodes : int, optional
        Most nodes to write; Mermaid rejects charts of more than 500 branches. Nodes left out are counted in
        their place.
    look : Look
        Additional content of boxes, and the direction of branches.

    Returns
    -------
    str
        A flowchart; node i of the tree is ``n<i>``.
    """
    direction = "LR" if look.orientation == "right" else "TD"
    return f"flowchart {direction}\n{graph(_node, _edge, model, look, max_depth, max_nodes)}"


def _node(words: Words, item: Item) -> str:
    text = f"[{_quoted(*words.lines(item))}]"
    return f"  {item.key}{f'({text})' if item.n_left_out or words.is_leaf(item.node) else text}\n"


def _edge(words: Words, item: Item, above: Item) -> str:
    arrow = "-.-"
    if not item.n_left_out:
        is_faint = words.question(above.node).is_for_missing(item.branch) or not words.tree.n_rows[item.node]
        arrow = f"{'-.->' if is_faint else '-->'}|{_quoted(words.condition(above.node, item.branch))}|"
    return f"  {above.key} {arrow} {item.key}\n"


def _quoted(*lines: str) -> str:
    return f'"{"<br>".join(map(_escaped, lines))}"'


def _escaped(line: str) -> str:
    # A backslash before an n breaks the line even if escaped, unless a zero-width space is between them.
    line = line.replace("\\n", "\\\N{ZERO WIDTH SPACE}n")
    pairs = zip(line, f"{line[1:]}\n", strict=True)
    return "".join(each if _is_ordinary(each, after) else f"#{ord(each)};" for each, after in pairs)


def _is_ordinary(character: str, after: str) -> bool:
    if character in _POINTS:
        return after.isalnum()  # "1. " and "- " would begin lists
    if character == "%":
        return after == " "  # "%%" would begin a comment
    return character.isalnum() or character in _ORDINARY or ord(character) > _LETTERS
