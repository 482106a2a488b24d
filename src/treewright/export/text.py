"""Write a model as indented text that fits a terminal.

Every line says what leads there and what is found there; a leaf gives its answer after an arrow, and how far
its training rows agree with it. That is never left out: where a line is too narrow names, lists of categories
and counts of classes are shortened first.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from treewright.errors import ParameterError, ParameterTypeError
from treewright.export.drawn import Item, Words, drawn
from treewright.formatting import format_count, format_number, format_percent
from treewright.grid import shortened, text_width
from treewright.model.model import Model
from treewright.model.questions import ROOM
from treewright.model.tree import Tree

WIDTH = 80
LEAST_WIDTH = 40
NO_LIMIT = 10**9  # places that nothing needs
LEAST_WORDS = 30  # places to the right of the bars, however deep the tree is
LEAST_NAME = 12  # places for the name of a column before anything else is cut
LEAST_CUT = 8  # places of a name that is cut, as long as a second line can be had instead
CAPS = (NO_LIMIT, 32, 24, 16, 12, 8, 5, 3)  # places for each name where all of them are cut

name = "text"
suffix = ".txt"


def write(model: Model, max_depth: int | None = None, width: int | None = WIDTH) -> str:
    """Write a tree as text.

    Parameters
    ----------
    model : Model
        What to write.
    max_depth : int, optional
        Deepest level to write; what lies below is counted.
    width : int, optional
        Places in a line, at least 40; Chinese characters take two. None cuts nothing.

    Returns
    -------
    str
        One line per node, and one more where rows without a value stop at an inner node. Where `width` is too
        narrow for a question and what is found, that stands below it; a line is wider than `width` only where
        what is found would not fit otherwise.
    """
    return "\n".join(_lines(model, drawn(model.tree, max_depth), _checked(width)))


def _checked(width: object) -> int:
    if width is None:
        return NO_LIMIT
    if isinstance(width, bool) or not isinstance(width, int | np.integer):
        raise ParameterTypeError(f"width={width!r} is not a whole number; give one, or None for no limit.")
    if width < LEAST_WIDTH:
        raise ParameterError(
            f"width={width} is too small; give at least {LEAST_WIDTH}, or None for no limit."
        )
    return int(width)


@dataclass(frozen=True)
class _Entry:
    """What to say of a node, at whatever length there is room for.

    Parameters
    ----------
    column : str
        Name of the column that was asked about above it.
    condition : callable
        Writes what leads to it, with places for each name, and for a list of categories.
    joint : str
        What stands between the question and what is found.
    found : callable
        Writes what is found, with places for each name, and some words about the rows: as few as there can
        be unless it is given others.
    abouts : callable
        Lists words about the rows, fewer and fewer.
    """

    column: str
    condition: Callable[[int, int], str]
    joint: str
    found: Callable[[int, str | None], str]
    abouts: Callable[[], Iterable[str | None]]

    def written(self, room: int, room_below: int) -> tuple[str, ...]:
        """Write one line; or two, where names would have to be cut beyond recognition."""
        line = self._fitted(room, LEAST_CUT)
        if line is not None or not self.column:
            return (line or self._fitted(room) or "",)
        asks = replace(self, found=lambda *_: "", joint=self.joint.rstrip(), abouts=lambda: (None,))
        tells = replace(self, column="", condition=lambda *_: "", joint="")
        return asks._fitted(room) or "", tells._fitted(room_below) or ""

    def _fitted(self, room: int, least: int = 0) -> str | None:
        """Make a line fit; None where names would have to be cut to less than `least` places.

        Counts of classes go first, then categories of a list, then ends of names: first the column's.
        """
        for list_room in (max(room // 2, ROOM), ROOM // 2, 1):
            asked = self.column + self.condition(NO_LIMIT, list_room) + self.joint
            left = room - text_width(asked)
            for about in self.abouts():
                if text_width(told := self.found(NO_LIMIT, about)) <= left:
                    return asked + told
        for cap in CAPS:
            if cap < least:
                return None
            rest = self.condition(cap, 1) + self.joint + self.found(cap, None)
            left = room - text_width(rest)
            if left >= min(text_width(self.column), cap, LEAST_NAME):
                break
        return shortened(self.column, max(left, min(cap, LEAST_NAME))) + rest


def _lines(model: Model, items: list[Item], width: int) -> Iterator[str]:
    words = Words(model)
    is_cut = {item.node for item in items if item.n_left_out}
    nodes = [item for item in items if not item.n_left_out]
    n_levels = max(item.depth for item in nodes)
    most = min(width // 2, width - LEAST_WORDS)  # places for bars
    step = min(max(min(most, WIDTH // 2) // max(n_levels, 1), 2), 4)
    turn, end, bar, blank = (mark[: step - 1] + " " for mark in ("├──", "└──", "│  ", "   "))
    # What to draw left of the children of the node last seen at each depth.
    bars = [""] * (n_levels + 2)

    def entry(said: _Entry, depth: int, is_last: bool, is_leaf: bool) -> Iterator[str]:
        lead = _kept_short(bars[depth] + (end if is_last else turn), depth, most) if depth else ""
        below = (lead[:-step] + (blank if is_last else bar) if depth else "") + ("  " if is_leaf else "│ ")
        lines = said.written(width - len(lead), width - len(below))
        return (first + line for first, line in zip((lead, below), lines, strict=False))

    for item in nodes:
        above, is_last = -1, False
        if item.above >= 0:
            above = items[item.above].node
            is_last = bool(item.node == model.tree.child[model.tree.child_begin[above + 1] - 1])
            bars[item.depth + 1] = bars[item.depth] + (blank if is_last else bar)
        is_leaf = bool(model.tree.column[item.node] < 0 or item.node in is_cut)
        yield from entry(_of_node(words, item, above, item.node in is_cut), item.depth, is_last, is_leaf)
        if not is_leaf and words.may_keep_rows(item.node):
            yield from entry(_of_rows_that_stop(words, item.node), item.depth + 1, False, True)


def _kept_short(lead: str, depth: int, most: int) -> str:
    """Cut the bars of a very deep node, and say how deep it is instead."""
    if len(lead) <= most:
        return lead
    begin = f"{depth} … "
    return begin + lead[len(lead) - (most - len(begin)) :]


def _of_node(words: Words, item: Item, above: int, is_cut: bool) -> _Entry:
    node = item.node
    is_leaf = words.tree.column[node] < 0

    def condition(cap: int, list_room: int) -> str:
        return f" {words.condition(above, item.branch, list_room, cap)}" if above >= 0 else ""

    def found(cap: int, about: str | None) -> str:
        told = _least_about(words, node, is_cut, cap) if about is None else about
        if is_leaf:
            return f"→ {_answer(words, node, cap)} ({told})"
        below = f" ... {_leaves_below(words.tree, node):,} leaves" if is_cut else ""
        return told + below + (" below" if is_cut and cap == NO_LIMIT else "")

    def abouts() -> Iterator[str | None]:
        yield from _abouts(words, node)
        yield None

    joint = "" if above < 0 else " " if is_leaf else ": "
    return _Entry("" if above < 0 else words.column(above), condition, joint, found, abouts)


def _of_rows_that_stop(words: Words, node: int) -> _Entry:
    """Say what a node answers rows that go no further."""
    tree = words.tree
    n_stay = int(tree.n_rows[node] - tree.n_rows[list(tree.children(node))].sum())
    lacks = "and its surrogates are missing" if words.has_surrogates(node) else "is missing"

    def found(cap: int, _: str | None) -> str:
        about = _agreement(words, node, is_brief=cap < NO_LIMIT)
        return f"→ {_answer(words, node, cap)} ({about}; {format_count(n_stay, 'stays', 'stay')})"

    return _Entry(words.column(node), lambda *_: f" {lacks}: stays here", " ", found, lambda: (None,))


def _answer(words: Words, node: int, cap: int) -> str:
    """Write an answer: the name of a class may be cut, a number not."""
    return shortened(words.answer(node), cap) if words.is_classifier else words.answer(node)


def _abouts(words: Words, node: int) -> Iterator[str]:
    """Say more than the least about the rows of a node, in fewer and fewer words."""
    tree = words.tree
    is_leaf = tree.column[node] < 0
    if not tree.n_rows[node]:
        return
    if not words.is_classifier:
        if not is_leaf:
            yield f"{words.rows(node)}: value {words.answer(node)}, {_spread(words, node)}"
        return
    texts = [f"{label} {format_number(weight)}" for label, weight in words.weights(node)]
    if is_leaf and len(texts) == 1:
        return  # it is pure, which its share says
    head = _agreement(words, node) if is_leaf else words.rows(node)
    yield f"{head}: {', '.join(texts)}"
    if is_leaf:
        head = _agreement(words, node, is_brief=True)
        yield f"{head}: {', '.join(texts)}"
    for most in (4, 2) if is_leaf else (4, 2, 1):
        if most < len(texts):
            yield f"{head}: {', '.join(texts[:most])}, ..."


def _least_about(words: Words, node: int, is_cut: bool, cap: int) -> str:
    """Say what no line leaves out: how mixed the rows are where the text ends, else how many there are."""
    if words.tree.column[node] < 0:
        return _agreement(words, node, is_brief=cap < NO_LIMIT)
    if not is_cut:
        return words.rows(node)
    if not words.is_classifier:
        return f"{words.rows(node)}: value {words.answer(node)}, {_spread(words, node)}"
    return f"{words.rows(node)}: {_share(words, node)} {_answer(words, node, cap)}"


def _agreement(words: Words, node: int, is_brief: bool = False) -> str:
    """Say how far the training rows of a node agree with its answer."""
    tree, rows = words.tree, words.rows(node)
    if not tree.n_rows[node]:
        return rows
    if not words.is_classifier:
        return f"{rows}, {_spread(words, node)}"
    share, weights = _share(words, node), tree.outcome[node]
    total = float(weights.sum())
    if total == tree.n_rows[node] and (weights == np.rint(weights)).all():
        return f"{share} of {rows}"
    return f"{share}, {rows}" if is_brief else f"{share} of weight {format_number(total)} in {rows}"


def _share(words: Words, node: int) -> str:
    """Write the share of a node's answer in the weight of its rows; only a whole is 100 %."""
    weights, answer = words.tree.outcome[node], int(words.tree.answer[node])
    is_whole = not np.delete(weights, answer).any()
    return format_percent(1.0 if is_whole else float(words.tree.shares[node, answer]))


def _spread(words: Words, node: int) -> str:
    """Write how far the numbers of a node lie apart, in the measure that the tree was grown by."""
    impurity = float(words.tree.impurity[node])
    provenance = words.model.provenance
    parts = {} if provenance is None else provenance.parts
    criterion = parts.get("criterion", {}).get("part")
    if criterion in ("Variance", "FunctionCriterion"):
        return f"sd {format_number(impurity**0.5, 3)}"
    if criterion == "Poisson":
        return f"deviance {format_number(2 * impurity, 3)}"  # the impurity is half of it
    return f"{'MAE' if criterion == 'AbsoluteError' else 'impurity'} {format_number(impurity, 3)}"


def _leaves_below(tree: Tree, node: int) -> int:
    later = np.flatnonzero(tree.depth[node + 1 :] <= tree.depth[node])  # a subtree lies in one piece
    end = node + 1 + int(later[0]) if len(later) else tree.n_nodes
    return int((tree.column[node:end] < 0).sum())
