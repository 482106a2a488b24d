"""What all drawings have in common: which nodes of a tree are drawn, and the texts for each node.

Names of columns, categories and classes are data and may contain anything. So `plain` turns each into one
line of ordinary characters before it is written; quoting is left to the format.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from heapq import nlargest
from typing import NamedTuple

import numpy as np

from treewright.errors import ParameterError, ParameterTypeError
from treewright.export.look import PLAIN, Look
from treewright.formatting import format_number, format_percent, significant
from treewright.model.model import Model
from treewright.model.questions import NO_BRANCH, ROOM, Branches, Question, Threshold
from treewright.model.tree import Tree
from treewright.wording import Language, counted, said

MOST_NODES = 63  # in a picture to grasp at a glance: six levels with two branches each
MOST_BRANCHES = 24  # of one node, in a picture that may leave some out
MOST_CLASSES = 20  # of one node, with their weights
FEW_CLASSES = 4  # of one node, in a line of its box
LONG = 4_000  # characters for a list that should be complete in all but absurd cases

_CONTROLS = (*range(0x7F, 0xA0), *range(0xD800, 0xE000))  # includes lone surrogates
_DIRECTION_MARKS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))  # change the direction of text
_FORBIDDEN = (plane + last for plane in range(0, 0x11_0000, 0x1_0000) for last in (0xFFFE, 0xFFFF))  # in XML
_VISIBLE = {
    **dict.fromkeys((*_CONTROLS, *_DIRECTION_MARKS, *_FORBIDDEN), "\N{REPLACEMENT CHARACTER}"),
    **{code: chr(0x2400 + code) for code in range(0x20)},
    **dict.fromkeys(map(ord, "\n\r\v\f\x85\u2028\u2029"), "↵"),
    ord("\t"): "⇥",
}


class Item(NamedTuple):
    """A node in a drawing, or a note that some nodes are left out.

    Parameters
    ----------
    node : int
        Number of the node; for a note, that of the node above.
    above : int
        Position of the item above it in the drawing, −1 at the root.
    branch : int
        Branch of the node above that leads here; −1 at the root and for a note.
    depth : int
        Edges from the root.
    n_left_out : int
        For a note, the number of nodes that are not drawn; 0 for a node.
    """

    node: int
    above: int
    branch: int
    depth: int
    n_left_out: int = 0

    @property
    def key(self) -> str:
        """A name that is unique in the drawing."""
        return f"more{self.node}" if self.n_left_out else f"n{self.node}"


def drawn(tree: Tree, max_depth: int | None = None, max_nodes: int | None = None) -> list[Item]:
    """Choose the nodes to draw: whole levels from the root on, then the heaviest nodes of the next level.

    Parameters
    ----------
    tree : Tree
        The tree.
    max_depth : int, optional
        Deepest level to draw.
    max_nodes : int, optional
        Most nodes to draw; with this limit, only the heaviest of very many branches are drawn.

    Returns
    -------
    list of Item
        In pre-order. If nodes are left out, a note after the children that are drawn counts them.
    """
    check_limit("max_depth", max_depth, 0)
    check_limit("max_nodes", max_nodes, 1)
    opened = _opened(tree, max_depth, max_nodes)
    sizes = tree.end - np.arange(tree.n_nodes)
    items: list[Item] = []
    waiting = [Item(0, -1, -1, 0)]
    while waiting:
        item = waiting.pop()
        items.append(item)
        if item.n_left_out or tree.column[item.node] < 0:
            continue
        node, above, depth, shown = item.node, len(items) - 1, item.depth + 1, opened.get(item.node, [])
        n_left_out = int(sizes[node] - 1 - sum(sizes[child] for _, child in shown))
        if n_left_out:
            waiting.append(Item(node, above, -1, depth, n_left_out))
        waiting += [Item(child, above, branch, depth) for branch, child in reversed(shown)]
    return items


def _opened(tree: Tree, max_depth: int | None, max_nodes: int | None) -> dict[int, list[tuple[int, int]]]:
    """Return the branches and children to draw, for every node that is drawn with children."""
    opened: dict[int, list[tuple[int, int]]] = {}
    reached, room = {0}, np.inf if max_nodes is None else max_nodes - 1
    for level in tree.levels[:max_depth]:
        # The heaviest nodes first, so that the nodes left out matter least.
        for node in sorted(reached.intersection(level.tolist()), key=lambda node: (-tree.weight[node], node)):
            branches = list(enumerate(tree.children(node)))
            if max_nodes is not None:
                branches = sorted(nlargest(MOST_BRANCHES, branches, key=lambda each: tree.weight[each[1]]))
            if branches and len(branches) <= room:
                room -= len(branches)
                opened[node] = branches
                reached.update(child for _, child in branches)
    return opened


def check_limit(name: str, value: object, least: int) -> None:
    """Reject a limit that is neither None nor a whole number of at least `least`."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ParameterTypeError(f"{name}={value!r} is not a whole number; give one, or None for no limit.")
    if value < least:
        raise ParameterError(f"{name}={value} is too small; give at least {least}, or None for no limit.")


def graph(
    node: Callable[..., str], edge: Callable[..., str], model: Model, look: Look, *limits: int | None
) -> str:
    """Write a tree item by item, each followed by the edge from the item above."""
    words, items = Words(model, look), drawn(model.tree, *limits)
    edges = (edge(words, item, items[item.above]) if item.above >= 0 else "" for item in items)
    return "".join(node(words, item) + to_it for item, to_it in zip(items, edges, strict=True))


class Words:
    """The texts for the nodes of a model.

    Parameters
    ----------
    model : Model
        The tree and the schema of its table.
    look : Look
        Additional content of boxes, the number of digits, and the language.
    """

    def __init__(self, model: Model, look: Look = PLAIN) -> None:
        self.model = model
        self.look = look
        self.lang: Language = look.lang
        self.tree = model.tree
        self.is_classifier = model.tree.is_classifier
        self.labels = tuple(_named(str(label)) for label in getattr(model.schema.target, "labels", ()))
        self.target_name = plain(model.schema.target_name or "")
        self.question = cache(self._question)

    def said(self, text: str, **figures: object) -> str:
        """Write a text in the language of the drawing."""
        return said(self.lang, text, **figures)

    def is_leaf(self, node: int) -> bool:
        """Return whether a node is a leaf."""
        return bool(self.tree.column[node] < 0)

    def column(self, node: int) -> str:
        """Name the column that a node splits on; empty for a leaf."""
        return "" if self.is_leaf(node) else _named(self.model.schema.columns[self.tree.column[node]].name)

    def _question(self, node: int) -> Question:
        """Return the question of an inner node."""
        question = self.tree.inner_question(node)
        # With surrogates, no single branch takes all rows whose value is missing.
        return replace(question, missing_branch=-1) if self._n_surrogates(node) else question

    def condition(self, node: int, branch: int, room: int | None = ROOM, each: int | None = None) -> str:
        """Write the condition of a branch of a node, without the name of the column.

        A list of categories gets `room` characters (None: no limit), each category at most `each`.
        """
        question, schema = self.question(node), self.model.schema
        if isinstance(question, Branches):
            return plain(question.condition(schema, branch, room, each, lang=self.lang))
        return plain(self._rounded(question).condition(schema, branch, lang=self.lang))

    def _rounded(self, question: Threshold) -> Threshold:
        """Round the threshold of a question to the requested digits; dates and durations are kept."""
        digits, is_number = self.look.precision, self.model.schema.columns[question.column].kind == "number"
        if digits is None or not is_number or not np.isfinite(question.cut):
            return question
        return replace(question, cut=significant(question.cut, digits))

    def _digits(self, usual: int) -> int:
        return usual if self.look.precision is None else self.look.precision

    def answer(self, node: int, digits: int = 6) -> str:
        """Write what a node predicts: a class, or a number."""
        if self.is_classifier:
            return self.labels[int(self.tree.answer[node])]
        return format_number(float(self.tree.outcome[node, 0]), self._digits(digits))

    def rows(self, node: int) -> str:
        """Count the rows of a node."""
        return counted(self.lang, int(self.tree.n_rows[node]), "row")

    def share(self, node: int) -> str:
        """Write the share of a node's class in the weight of its rows, in percent."""
        answer = int(self.tree.answer[node])
        is_pure = not np.delete(self.tree.outcome[node], answer).any()
        return format_percent(1.0 if is_pure else float(self.tree.shares[node, answer]))

    def agreement(self, node: int, is_brief: bool = False) -> str:
        """Write how far the training rows of a node agree with its prediction: their share or spread."""
        tree, rows = self.tree, self.rows(node)
        if not tree.n_rows[node]:
            return rows
        if not self.is_classifier:
            return f"{rows}, {self.spread(node)}"
        share, weight = self.share(node), format_number(float(tree.outcome[node].sum()))
        if weight == str(tree.n_rows[node]):
            return self.said("{share} of {rows}", share=share, rows=rows)
        text = "{share}, {rows}" if is_brief else "{share} of weight {weight} in {rows}"
        return self.said(text, share=share, rows=rows, weight=weight)

    def spread(self, node: int) -> str:
        """Write the spread of the numbers of a node, in the measure that the tree was grown by."""
        measure, value = spread_of(self.model, node)
        return self.said(measure + " {figure}", figure=format_number(value, self._digits(3)))

    def share_of_all(self, node: int) -> float:
        """Return the share of a node's rows in the weight of all rows."""
        whole = float(self.tree.weight[0])
        return float(self.tree.weight[node]) / whole if whole > 0 else 0.0

    def weights(self, node: int, mark: str = "") -> list[str]:
        """List the classes of a node, each with `mark` and its weight, the heaviest first."""
        weights = self.tree.outcome[node]
        order = [code for code in np.argsort(-weights, kind="stable").tolist() if weights[code] > 0]
        return [f"{self.labels[code]}{mark} {format_number(float(weights[code]))}" for code in order]

    def _has_missing(self, node: int) -> bool:
        return not self.is_leaf(node) and self.model.schema.columns[self.tree.column[node]].has_missing

    def _n_surrogates(self, node: int) -> int:
        return int(self.tree.surrogates.begin[node + 1] - self.tree.surrogates.begin[node])

    def rows_that_stop(self, node: int) -> str:
        """Say which rows stop at an inner node; empty unless training rows had missing values there."""
        if self.tree.missing_branch[node] != NO_BRANCH or not self._has_missing(node):
            return ""
        return self.said("and its surrogates are missing" if self._n_surrogates(node) else "is missing")

    def missing_note(self, node: int) -> str:
        """Say what happens to rows with a missing value, if no single branch takes them."""
        if not self._has_missing(node):
            return ""
        stops, n_surrogates = bool(self.rows_that_stop(node)), self._n_surrogates(node)
        if n_surrogates:
            found = counted(self.lang, n_surrogates, "surrogate")
            return self.said(
                "missing: {surrogates}, or stays here" if stops else "missing: {surrogates}", surrogates=found
            )
        if stops:
            return self.said("missing: stays here")
        return self.said("missing: every branch") if self.tree.missing_branch[node] < 0 else ""

    def lines(self, item: Item) -> list[str]:
        """Describe an item in a few lines for its box."""
        if item.n_left_out:
            return [self.said("… {n} more", n=f"{item.n_left_out:,}")]
        node = item.node
        if self.is_leaf(node):
            return [self.answer(node), self.agreement(node, is_brief=True), *self.extras(node)]
        answer, rows = self.answer(node), self.rows(node)
        about = f"{self.share(node)} {answer}" if self.is_classifier else f"{answer}, {self.spread(node)}"
        lines = [self.column(node), f"{rows}: {about}", *self.extras(node), self.missing_note(node)]
        return [line for line in lines if line]

    def extras(self, node: int) -> Iterator[str]:
        """Yield the lines that a box shows only on request."""
        if self.look.counts and self.is_classifier and self.tree.n_rows[node]:
            texts = self.weights(node)
            yield ", ".join(texts[:FEW_CLASSES]) + ", ..." * (len(texts) > FEW_CLASSES)
        if self.look.impurity:
            impurity = format_number(float(self.tree.impurity[node]), self._digits(3))
            yield self.said("impurity {figure}", figure=impurity)
        if self.look.node_ids:
            yield self.said("node {node}", node=node)

    def story(self, node: int, above: int, branch: int) -> Iterator[str]:
        """Describe a node in full, line by line."""
        yield self.said("node {node}", node=node)
        if above >= 0:
            yield f"{self.column(above)} {self.condition(above, branch, LONG)}"
        yield self.rows(node)
        weight = format_number(float(self.tree.weight[node]))
        if weight != str(self.tree.n_rows[node]):
            yield self.said("weight {figure}", figure=weight)
        if self.is_classifier:
            weights = self.weights(node, ":")
            yield from weights[:MOST_CLASSES]
            if len(weights) > MOST_CLASSES:
                yield self.said("… {n} more", n=f"{len(weights) - MOST_CLASSES:,}")
        text = "answer: {answer}" if self.is_classifier else "value: {answer}"
        yield self.said(text, answer=self.answer(node))
        if not self.is_classifier and self.tree.n_rows[node]:
            yield self.spread(node)
        if self.missing_note(node):
            yield self.missing_note(node)
        for surrogate in self.tree.surrogates.of(node, self.tree.integer_columns):
            condition = plain(surrogate.describe(self.model.schema, lang=self.lang))
            yield self.said("surrogate: {condition}", condition=condition)

    @property
    def title(self) -> str:
        """The title of the drawing."""
        target = self.target_name
        return (
            self.said("Decision tree for {target}", target=target) if target else self.said("Decision tree")
        )

    @property
    def size(self) -> tuple[str, str]:
        """The numbers of nodes and leaves of the tree."""
        nodes, leaves = self.tree.n_nodes, self.tree.n_leaves
        return (
            self.said("{n} node" if nodes == 1 else "{n} nodes", n=f"{nodes:,}"),
            self.said("{n} leaf" if leaves == 1 else "{n} leaves", n=f"{leaves:,}"),
        )


def spread_of(model: Model, node: int) -> tuple[str, float]:
    """Return the measure of spread by which the tree was grown, and its value for the numbers of a node."""
    impurity, provenance = float(model.tree.impurity[node]), model.provenance
    criterion = provenance.parts.get("criterion", {}).get("part") if provenance else None
    if criterion in ("Variance", "FunctionCriterion"):
        return "sd", impurity**0.5
    if criterion == "Poisson":
        return "deviance", 2 * impurity  # the impurity is half of it
    return "MAE" if criterion == "AbsoluteError" else "impurity", impurity


def plain(text: str) -> str:
    """Convert a text to one line of printable characters.

    Line breaks and other control characters become visible symbols; characters that would change the
    direction of the text around them, and lone surrogates, become the replacement character.

    Examples
    --------
    >>> plain("two" + chr(10) + "lines"), plain("bell" + chr(7))
    ('two↵lines', 'bell␇')
    """
    return text if text.isprintable() else text.replace("\r\n", "\n").translate(_VISIBLE)


def _named(text: str) -> str:
    return plain(text) if text.strip() else repr(text)  # quotes make a blank name visible
