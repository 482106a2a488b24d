"""Write a tree as a Mermaid flowchart, for Markdown pages that draw these."""

from collections.abc import Iterator

from treewright.export.drawn import MOST_NODES, Item, Words, drawn
from treewright.model.model import Model

# Mermaid finds Markdown, HTML and marks of its own in texts; what could be such is written by its number.
_ORDINARY = frozenset(" ,:/=…")
_POINTS = frozenset(".-+")
_WRITINGS = 0x2E7F  # beyond it are Chinese, Japanese, Korean, pictures: nothing that marks anything


def write(model: Model, max_depth: int | None = None, max_nodes: int | None = MOST_NODES) -> str:
    """Write a tree as a flowchart.

    Parameters
    ----------
    model : Model
        What to write.
    max_depth : int, optional
        Deepest level to write.
    max_nodes : int, optional
        Nodes to write at most; Mermaid refuses charts of more than 500 branches. What is left out is counted
        in its place.

    Returns
    -------
    str
        A flowchart; node i of the tree is ``n<i>``.
    """
    return "\n".join(_lines(Words(model), drawn(model.tree, max_depth, max_nodes))) + "\n"


def _lines(words: Words, items: list[Item]) -> Iterator[str]:
    yield "flowchart TD"
    for item in items:
        key = f"more{item.node}" if item.n_left_out else f"n{item.node}"
        yield f"  {key}{_node(words, item)}"
        if item.above >= 0:
            above = items[item.above].node
            yield f"  n{above} {_edge(words, item, above)} {key}"


def _node(words: Words, item: Item) -> str:
    if item.n_left_out:
        return f"([{_quoted(f'… {item.n_left_out:,} more')}])"
    node = item.node
    lines = [words.column(node) or words.answer(node), words.rows(node)]
    if words.missing_note(node):
        lines.append(words.missing_note(node))
    if words.tree.column[node] < 0:
        return f"([{_quoted(*lines)}])"
    lines[1] += f": {words.answer(node)}"
    return f"[{_quoted(*lines)}]"


def _edge(words: Words, item: Item, above: int) -> str:
    if item.n_left_out:
        return "-.-"
    is_faint = words.question(above).is_for_missing(item.branch) or not words.tree.n_rows[item.node]
    return f"{'-.->' if is_faint else '-->'}|{_quoted(words.condition(above, item.branch))}|"


def _quoted(*lines: str) -> str:
    return f'"{"<br>".join(map(_escaped, lines))}"'


def _escaped(line: str) -> str:
    # However it is written, a backslash before an n breaks the line; not with a blank of no width between.
    line = line.replace("\\n", "\\\N{ZERO WIDTH SPACE}n")
    pairs = zip(line, f"{line[1:]} ", strict=True)
    return "".join(
        character if _is_ordinary(character, after) else f"#{ord(character)};" for character, after in pairs
    )


def _is_ordinary(character: str, after: str) -> bool:
    if character in _POINTS:
        return after.isalnum()  # "1. " and "- " would begin lists
    return character.isalnum() or character in _ORDINARY or ord(character) > _WRITINGS
