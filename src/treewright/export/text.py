"""Write a model as indented text that fits a terminal of 80 columns.

Every line says what leads there and what is found there; a leaf gives its answer after an arrow.
"""

from collections.abc import Iterator

import numpy as np

from treewright.export.drawn import Item, Words, drawn, number, rows_text
from treewright.grid import shortened, text_width
from treewright.model.model import Model
from treewright.model.questions import ROOM
from treewright.model.tree import Tree

WIDTH = 80
MOST_INDENT = 40  # of the 80, however deep the tree is
LEAST_NAME = 12  # places for the name of a column before anything else is cut

name = "text"
suffix = ".txt"


def write(model: Model, max_depth: int | None = None) -> str:
    """Write a tree as text.

    Parameters
    ----------
    model : Model
        What to write.
    max_depth : int, optional
        Deepest level to write; what lies below is counted.

    Returns
    -------
    str
        One line per node, and one more where rows without a value stop at an inner node.
    """
    return "\n".join(_lines(model, drawn(model.tree, max_depth)))


def _lines(model: Model, items: list[Item]) -> Iterator[str]:
    words = Words(model)
    is_cut = {item.node for item in items if item.n_left_out}
    nodes = [item for item in items if not item.n_left_out]
    n_levels = max(item.depth for item in nodes)
    step = min(max(MOST_INDENT // max(n_levels, 1), 2), 4)
    turn, end, bar, blank = (mark[: step - 1] + " " for mark in ("├──", "└──", "│  ", "   "))
    # What to draw left of the children of the node last seen at each depth.
    bars = [""] * (n_levels + 2)
    for item in nodes:
        lead, column, conditions = "", "", [""]
        if item.above >= 0:
            above = items[item.above].node
            is_last = item.node == model.tree.child[model.tree.child_begin[above + 1] - 1]
            lead = _kept_short(bars[item.depth] + (end if is_last else turn), item.depth)
            column = words.column(above)
            conditions = [f" {words.condition(above, item.branch, room)}" for room in (ROOM, 20, 1)]
            bars[item.depth + 1] = bars[item.depth] + (blank if is_last else bar)
        leaves = f" ... {_leaves_below(model.tree, item.node):,} leaves below" if item.node in is_cut else ""
        yield _line(words, item.node, lead, column, conditions, leaves)
        if words.may_keep_rows(item.node) and item.node not in is_cut:
            yield _stop_line(words, item.node, _kept_short(bars[item.depth + 1] + turn, item.depth + 1))


def _stop_line(words: Words, node: int, lead: str) -> str:
    """Say what a node answers rows that go no further."""
    tree, column = words.tree, words.column(node)
    condition = " and its surrogates are missing" if words.has_surrogates(node) else " is missing"
    n_rows = int(tree.n_rows[node] - tree.n_rows[list(tree.children(node))].sum())
    rest = f"{condition}: stays here → {words.answer(node)} ({rows_text(n_rows)})"
    left = max(WIDTH - len(lead) - text_width(rest), LEAST_NAME)
    return lead + shortened(shortened(column, left) + rest, WIDTH - len(lead))


def _kept_short(lead: str, depth: int) -> str:
    """Cut the bars of a very deep node, and say how deep it is instead."""
    if len(lead) <= MOST_INDENT:
        return lead
    begin = f"{depth} … "
    return begin + lead[len(lead) - (MOST_INDENT - len(begin)) :]


def _line(words: Words, node: int, lead: str, column: str, conditions: list[str], below: str) -> str:
    """Write one line with as much about its rows as fits."""
    room = WIDTH - len(lead)
    for condition in conditions:
        for detail in _details(words, node):
            rest = _rest(words, node, detail, below, bool(column))
            line = f"{column}{condition}{rest}"
            if text_width(line) <= room:
                return lead + line
    # Names are long: first the column's is cut, then everything, so that half is left for what is found.
    left = room - text_width(condition + rest)
    if left >= LEAST_NAME:
        return lead + shortened(column, left) + condition + rest
    rest = shortened(rest, max(room - text_width(column + condition), room // 2))
    return lead + shortened(column + condition, room - text_width(rest)) + rest


def _rest(words: Words, node: int, detail: str, below: str, has_condition: bool) -> str:
    about = f"{words.rows(node)}: {detail}" if detail else words.rows(node)
    if words.tree.column[node] < 0:
        return f"{' ' if has_condition else ''}→ {words.answer(node)} ({about})"
    return f"{': ' if has_condition else ''}{about}{below}"


def _details(words: Words, node: int) -> Iterator[str]:
    """Say what is in a node, in fewer and fewer words."""
    tree = words.tree
    is_leaf = tree.column[node] < 0
    if tree.n_rows[node] and words.is_classifier:
        weights = words.weights(node)[
            : WIDTH // 4
        ]  # more have no room: a label, a weight, a comma and blanks
        if len(weights) > 1 or not is_leaf or tree.n_rows[node] != tree.weight[node]:
            texts = [f"{label} {number(weight)}" for label, weight in weights]
            yield ", ".join(texts)
            for most in (4, 2, 1):
                if most < len(texts):
                    yield f"{', '.join(texts[:most])}, ..."
    elif tree.n_rows[node] and not is_leaf:
        yield f"value {words.answer(node)}"
    yield ""


def _leaves_below(tree: Tree, node: int) -> int:
    later = np.flatnonzero(tree.depth[node + 1 :] <= tree.depth[node])  # a subtree lies in one piece
    end = node + 1 + int(later[0]) if len(later) else tree.n_nodes
    return int((tree.column[node:end] < 0).sum())
