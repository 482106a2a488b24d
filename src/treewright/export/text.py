"""Write a model as indented text that fits a terminal.

Every line gives the condition for reaching a node and the rows found there; for a leaf, it gives the
prediction after an arrow, and the share of its training rows that agree. These are never left out: if a line
is too narrow, weights of classes, lists of categories and names are shortened.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from treewright.export.drawn import Item, Words, check_limit, drawn
from treewright.export.look import Look
from treewright.grid import shortened, text_width
from treewright.model.model import Model
from treewright.model.questions import ROOM
from treewright.wording import Language, as_language, said

WIDTH = 80
LEAST_WIDTH = 40
NO_LIMIT = 10**9  # characters; longer than any line
LEAST_WORDS = 30  # characters to the right of the bars, however deep the tree
LEAST_NAME = 12  # characters that a column name keeps until everything else has been shortened
LEAST_CUT = 8  # least characters of a shortened name; to avoid fewer, a second line is begun
CAPS = (NO_LIMIT, 32, 24, 16, 12, 8, 5, 3)  # limits to try for the length of each name


def write(
    model: Model, max_depth: int | None = None, width: int | None = WIDTH, lang: Language = "en"
) -> str:
    """Write a tree as text.

    Parameters
    ----------
    model : Model
        The model.
    max_depth : int, optional
        Deepest level to write; the leaves below are counted.
    width : int, optional
        Width of the terminal in columns, at least 40; Chinese characters take two. None for no limit.
    lang : {"en", "zh"}
        Language; names, categories and classes stay as they are.

    Returns
    -------
    str
        One line for each node, and one more if rows with a missing value stop at an inner node. If `width` is
        too narrow for the condition and the rows, the rows are on a separate line, which is wider than
        `width` only if they cannot be made to fit.
    """
    check_limit("width", width, LEAST_WIDTH)
    words, items = Words(model, Look(lang=as_language(lang))), drawn(model.tree, max_depth)
    return "\n".join(_lines(words, items, NO_LIMIT if width is None else int(width)))


@dataclass(frozen=True)
class _Entry:
    """The line of a node, at any length.

    Parameters
    ----------
    column : str
        The column of the condition.
    condition : callable
        Writes the condition, given a limit for each name and one for a list of categories.
    joint : str
        The text between the condition and the rows.
    found : callable
        Writes the rows, given a limit for each name and a description of the rows; None for the shortest one.
    descriptions : tuple of str
        Descriptions of the rows, from long to short.
    """

    column: str
    condition: Callable[[int, int], str]
    joint: str
    found: Callable[[int, str | None], str]
    descriptions: tuple[str, ...] = ()

    def written(self, room: int, room_below: int) -> tuple[str, ...]:
        """Write one line, or two if names would be shortened beyond recognition."""
        line = self._fitted(room, LEAST_CUT)
        if line is not None or not self.column:
            return (line or self._fitted(room) or "",)
        first = replace(self, found=lambda *_: "", joint=self.joint.rstrip(), descriptions=())
        second = replace(self, column="", condition=lambda *_: "", joint="")
        return first._fitted(room) or "", second._fitted(room_below) or ""

    def _fitted(self, room: int, least: int = 0) -> str | None:
        """Make a line fit; None if names would be shortened to fewer than `least` characters.

        Weights of classes are dropped first, then categories of a list, then the ends of names, first that of
        the column.
        """
        for list_room in (max(room // 2, ROOM), ROOM // 2, 1):
            begin = self.column + self.condition(NO_LIMIT, list_room) + self.joint
            left = room - text_width(begin)
            for about in (*self.descriptions, None):
                if text_width(found := self.found(NO_LIMIT, about)) <= left:
                    return begin + found
        for cap in CAPS:
            if cap < least:
                return None
            rest = self.condition(cap, 1) + self.joint + self.found(cap, None)
            left = room - text_width(rest)
            if left >= min(text_width(self.column), cap, LEAST_NAME):
                break
        return shortened(self.column, max(left, min(cap, LEAST_NAME))) + rest


def _lines(words: Words, items: list[Item], width: int) -> Iterator[str]:
    is_cut = {item.node for item in items if item.n_left_out}
    n_levels = max(item.depth for item in items if not item.n_left_out)
    most = min(width // 2, width - LEAST_WORDS)  # characters for bars
    step = min(max(min(most, WIDTH // 2) // max(n_levels, 1), 2), 4)
    turn, end, bar, blank = (mark[: step - 1] + " " for mark in ("├──", "└──", "│  ", "   "))
    # For each depth, the text to the left of the children of the node last seen there.
    bars = [""] * (n_levels + 2)

    def entry(said: _Entry, depth: int, is_last: bool, is_leaf: bool) -> Iterator[str]:
        lead = _shortened_lead(bars[depth] + (end if is_last else turn), depth, most) if depth else ""
        below = (lead[:-step] + (blank if is_last else bar) if depth else "") + ("  " if is_leaf else "│ ")
        lines = said.written(width - len(lead), width - len(below))
        return (first + line for first, line in zip((lead, below), lines, strict=False))

    for item in items:
        if item.n_left_out:
            continue
        above = items[item.above].node if item.above >= 0 else -1
        is_last = above >= 0 and item.node == words.tree.children(above)[-1]
        bars[item.depth + 1] = bars[item.depth] + (blank if is_last else bar) if item.depth else ""
        is_leaf = words.is_leaf(item.node) or item.node in is_cut
        yield from entry(_of_node(words, item, above, item.node in is_cut), item.depth, is_last, is_leaf)
        if not is_leaf and words.rows_that_stop(item.node):
            yield from entry(_of_rows_that_stop(words, item.node), item.depth + 1, False, True)


def _shortened_lead(lead: str, depth: int, most: int) -> str:
    """Replace the first bars before a very deep node by its depth."""
    begin = f"{depth} … "
    return lead if len(lead) <= most else begin + lead[len(lead) - (most - len(begin)) :]


def _of_node(words: Words, item: Item, above: int, is_cut: bool) -> _Entry:
    node, is_leaf = item.node, words.is_leaf(item.node)

    def condition(cap: int, list_room: int) -> str:
        return f" {words.condition(above, item.branch, list_room, cap)}" if above >= 0 else ""

    def found(cap: int, about: str | None) -> str:
        text = _shortest_description(words, node, is_cut, cap) if about is None else about
        if is_leaf:
            return f"→ {_answer(words, node, cap)} ({text})"
        if not is_cut:
            return text
        n_leaves = int((words.tree.column[node : words.tree.end[node]] < 0).sum())
        more = "... {n} leaves below" if cap == NO_LIMIT else "... {n} leaves"
        return f"{text} {said(words.lang, more, n=f'{n_leaves:,}')}"

    column, joint = (words.column(above), " " if is_leaf else ": ") if above >= 0 else ("", "")
    return _Entry(column, condition, joint, found, tuple(_descriptions(words, node)))


def _of_rows_that_stop(words: Words, node: int) -> _Entry:
    """Describe what a node predicts for the rows that stop there."""
    n_stay = int(words.tree.n_rows[node] - words.tree.n_rows[list(words.tree.children(node))].sum())
    stay = said(words.lang, "{n} stays" if n_stay == 1 else "{n} stay", n=f"{n_stay:,}")

    def found(cap: int, _: str | None) -> str:
        about = words.agreement(node, is_brief=cap < NO_LIMIT)
        return f"→ {_answer(words, node, cap)} ({about}; {stay})"

    condition = f" {words.rows_that_stop(node)}: {said(words.lang, 'stays here')}"
    return _Entry(words.column(node), lambda *_: condition, " ", found)


def _answer(words: Words, node: int, cap: int) -> str:
    """Write a prediction: the name of a class may be shortened, a number may not."""
    return shortened(words.answer(node), cap) if words.is_classifier else words.answer(node)


def _descriptions(words: Words, node: int) -> Iterator[str]:
    """Yield ever shorter descriptions of the rows of a node; `_shortest_description` is shorter still."""
    is_leaf, texts = words.is_leaf(node), words.weights(node) if words.is_classifier else []
    if not words.tree.n_rows[node] or (is_leaf and len(texts) <= 1):
        return  # a leaf of one class is pure, which its share already shows
    if not words.is_classifier:
        yield _value(words, node)
        return
    if is_leaf:
        yield f"{words.agreement(node)}: {', '.join(texts)}"
    head = words.agreement(node, is_brief=True) if is_leaf else words.rows(node)
    yield f"{head}: {', '.join(texts)}"
    for most in (4, 2) if is_leaf else (4, 2, 1):
        if most < len(texts):
            yield f"{head}: {', '.join(texts[:most])}, ..."


def _shortest_description(words: Words, node: int, is_cut: bool, cap: int) -> str:
    """Return what no line leaves out: the agreement for a leaf, else the number of rows."""
    if words.is_leaf(node):
        return words.agreement(node, is_brief=cap < NO_LIMIT)
    if not is_cut:
        return words.rows(node)
    if not words.is_classifier:
        return _value(words, node)
    return f"{words.rows(node)}: {words.share(node)} {_answer(words, node, cap)}"


def _value(words: Words, node: int) -> str:
    about = {"rows": words.rows(node), "value": words.answer(node), "spread": words.spread(node)}
    return said(words.lang, "{rows}: value {value}, {spread}", **about)
