"""What every drawing draws: which nodes of a tree, and the words for each of them.

Names of columns, categories and classes are data. They may hold anything, so `plain` makes one line of
ordinary characters of each before it is written anywhere; quoting is left to the format.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ParameterError, ParameterTypeError
from treewright.formatting import format_count, format_number
from treewright.model.model import Model
from treewright.model.questions import NO_BRANCH, ROOM, Branches, Question
from treewright.model.tree import Tree
from treewright.schema import Classes

MOST_NODES = 63  # of a picture to be taken in at a glance: six levels with two branches each
MOST_BRANCHES = 24  # of one node, in a picture that may leave something out
MOST_CLASSES = 20  # of one node, told with their weights
LONG = 4_000  # places for a list that is to be complete in all but absurd cases


@dataclass(frozen=True, slots=True)
class Item:
    """A node in a drawing, or a note that some are left out.

    Parameters
    ----------
    node : int
        Its number; of a note, the number of the node above.
    above : int
        Place of the item above it in the drawing, −1 at the root.
    branch : int
        Which branch of the node above leads here; −1 at the root and at a note.
    depth : int
        Edges from the root.
    n_left_out : int
        Of a note: how many nodes are not drawn. 0 at a node.
    """

    node: int
    above: int
    branch: int
    depth: int
    n_left_out: int = 0


def drawn(tree: Tree, max_depth: int | None = None, max_nodes: int | None = None) -> list[Item]:
    """Choose what to draw: whole levels from the root on, then the heaviest nodes of the next one.

    Parameters
    ----------
    tree : Tree
        The tree.
    max_depth : int, optional
        Deepest level to draw.
    max_nodes : int, optional
        Nodes to draw at most; of a node with very many branches only the heaviest are drawn then.

    Returns
    -------
    list of Item
        In pre-order. Where nodes are left out, a note after the children that are drawn counts them.
    """
    _check("max_depth", max_depth, 0)
    _check("max_nodes", max_nodes, 1)
    opened = _opened(tree, max_depth, max_nodes)
    sizes = _sizes(tree)
    items: list[Item] = []
    waiting = [Item(0, -1, -1, 0)]
    while waiting:
        item = waiting.pop()
        items.append(item)
        if item.n_left_out or tree.column[item.node] < 0:
            continue
        shown = opened.get(item.node, ())
        below = [Item(child, len(items) - 1, branch, item.depth + 1) for branch, child in shown]
        n_left_out = int(sizes[item.node]) - 1 - sum(int(sizes[child]) for _, child in shown)
        if n_left_out:
            below.append(Item(item.node, len(items) - 1, -1, item.depth + 1, n_left_out))
        waiting += reversed(below)
    return items


def _opened(
    tree: Tree, max_depth: int | None, max_nodes: int | None
) -> dict[int, tuple[tuple[int, int], ...]]:
    """Tell the branches and children to draw of every node that is drawn with any."""
    opened: dict[int, tuple[tuple[int, int], ...]] = {}
    room = np.inf if max_nodes is None else max_nodes - 1
    level = [0]
    for _ in range(len(tree.levels) if max_depth is None else min(max_depth, len(tree.levels))):
        below: list[int] = []
        # The heaviest first, so that what is left out matters least.
        for node in sorted(level, key=lambda node: (-tree.weight[node], node)):
            branches = list(enumerate(tree.children(node)))
            if max_nodes is not None and len(branches) > MOST_BRANCHES:
                heaviest = sorted(branches, key=lambda each: (-tree.weight[each[1]], each[0]))
                branches = sorted(heaviest[:MOST_BRANCHES])
            if branches and len(branches) <= room:
                room -= len(branches)
                opened[node] = tuple(branches)
                below += [child for _, child in branches]
        level = below
    return opened


def _sizes(tree: Tree) -> NDArray[np.int64]:
    """Count the nodes of the subtree under each node, itself included."""
    sizes = np.ones(tree.n_nodes, dtype=np.int64)
    for level in tree.levels[:0:-1]:
        np.add.at(sizes, tree.parent[level], sizes[level])
    return sizes


def _check(name: str, value: object, at_least: int) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ParameterTypeError(f"{name}={value!r} is not a whole number; give one, or None for all.")
    if value < at_least:
        raise ParameterError(f"{name}={value} is too small; give at least {at_least}, or None for all.")


class Words:
    """The words for the nodes of a model.

    Parameters
    ----------
    model : Model
        The tree and what it knows of its table.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.tree = model.tree
        target = model.schema.target
        self.labels = tuple(_named(str(label)) for label in getattr(target, "labels", ()))
        self.is_classifier = isinstance(target, Classes)
        self._questions: dict[int, Question] = {}
        self.target_name = plain(model.schema.target_name or "")

    def column(self, node: int) -> str:
        """Name the column that a node asks about; a leaf asks about none."""
        column = int(self.tree.column[node])
        return _named(self.model.schema.columns[column].name) if column >= 0 else ""

    def question(self, node: int) -> Question:
        """Give what an inner node asks."""
        if node not in self._questions:
            self._questions[node] = self._read_question(node)
        return self._questions[node]

    def _read_question(self, node: int) -> Question:
        question = self.tree.question(node)
        assert question is not None, "a node with children asks something"
        if self.has_surrogates(node):
            return replace(question, missing_branch=-1)  # no one branch takes what is missing
        return question

    def condition(self, node: int, branch: int, room: int = ROOM, each: int | None = None) -> str:
        """Write what leads down a branch of a node, without the name of the column.

        A list of categories gets `room` places, and each of them at most `each`.
        """
        question = self.question(node)
        if isinstance(question, Branches):
            return plain(question.condition(self.model.schema, branch, room, each))
        return plain(question.condition(self.model.schema, branch))

    def answer(self, node: int) -> str:
        """Write what a node answers: a class, or a number."""
        if self.is_classifier:
            return self.labels[int(self.tree.answer[node])]
        return format_number(float(self.tree.outcome[node, 0]))

    def rows(self, node: int) -> str:
        """Count the rows of a node."""
        return format_count(int(self.tree.n_rows[node]), "row")

    def weights(self, node: int) -> list[tuple[str, float]]:
        """List the classes of a node with their weights, the heaviest first."""
        weights = self.tree.outcome[node]
        order = [int(code) for code in np.argsort(-weights, kind="stable") if weights[code] > 0]
        return [(self.labels[code], float(weights[code])) for code in order]

    def has_surrogates(self, node: int) -> bool:
        """Tell whether a node asks about other columns where its own has no value."""
        return bool(self.tree.surrogates.begin[node] < self.tree.surrogates.begin[node + 1])

    def may_keep_rows(self, node: int) -> bool:
        """Tell whether rows without a value stop at a node, of which training had some."""
        column = int(self.tree.column[node])
        stops = bool(self.tree.missing_branch[node] == NO_BRANCH)
        return stops and self.model.schema.columns[column].has_missing

    def missing_note(self, node: int) -> str:
        """Say what becomes of rows without a value where no single branch takes them."""
        column = int(self.tree.column[node])
        if column < 0 or not self.model.schema.columns[column].has_missing:
            return ""
        if self.has_surrogates(node):
            n_surrogates = int(self.tree.surrogates.begin[node + 1] - self.tree.surrogates.begin[node])
            then = ", or stays here" if self.may_keep_rows(node) else ""
            return f"missing: {format_count(n_surrogates, 'surrogate')}{then}"
        if self.may_keep_rows(node):
            return "missing: stays here"
        return "missing: every branch" if self.tree.missing_branch[node] < 0 else ""

    def story(self, node: int, above: int, branch: int) -> Iterator[str]:
        """Tell all about a node, line by line."""
        yield f"node {node}"
        if above >= 0:
            yield f"{self.column(above)} {self.condition(above, branch, LONG)}"
        yield self.rows(node)
        if self.tree.weight[node] != self.tree.n_rows[node]:
            yield f"weight {format_number(float(self.tree.weight[node]))}"
        if self.is_classifier:
            weights = self.weights(node)
            yield from (f"{label}: {format_number(weight)}" for label, weight in weights[:MOST_CLASSES])
            if len(weights) > MOST_CLASSES:
                yield f"… {format_count(len(weights) - MOST_CLASSES, 'more class', 'more classes')}"
            yield f"answer: {self.answer(node)}"
        else:
            yield f"value: {self.answer(node)}"
        if self.missing_note(node):
            yield self.missing_note(node)
        for surrogate in self.tree.surrogates.of(node, self.tree.integer_columns):
            yield f"surrogate: {plain(surrogate.describe(self.model.schema))}"


def plain(text: str) -> str:
    """Make one line of characters that show as they are.

    Line breaks and other controls become visible signs; what would turn the direction of the text around it,
    and halves of characters, become the replacement sign.

    Examples
    --------
    >>> plain("two" + chr(10) + "lines"), plain("bell" + chr(7))
    ('two↵lines', 'bell␇')
    """
    if text.isprintable():
        return text
    return "".join(map(_plain_character, text.replace("\r\n", "\n")))


def _named(text: str) -> str:
    return plain(text) if text.strip() else repr(text)  # what is blank shows nothing unless it is quoted


def _plain_character(character: str) -> str:
    code = ord(character)
    if character in "\n\r\v\f\x85\u2028\u2029":
        return "↵"
    if character == "\t":
        return "⇥"
    if code < 0x20:
        return chr(0x2400 + code)
    turns = 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069
    is_none = code & 0xFFFE == 0xFFFE  # no character at all, and refused by XML
    if turns or is_none or unicodedata.category(character) in ("Cc", "Cs"):
        return "\N{REPLACEMENT CHARACTER}"
    return character
