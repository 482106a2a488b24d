"""A tree as a picture: boxes, bars, branches and texts with their places, whoever draws them in the end.

Places are in pixels, from the left and from the top. A condition stands in a label on top of the box that it
leads to and shares its place in the layout, so that no label can meet another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from treewright.export import metrics
from treewright.export.drawn import LONG, MOST_NODES, Item, Words, drawn, plain
from treewright.export.layout import centres, wrapped
from treewright.formatting import format_number
from treewright.model.model import Model
from treewright.model.questions import Branches

N_COLOURS = 9

# Size in pixels and whether it is bold, by the style of a text.
FONTS = {
    "title": (13.0, True),
    "foot": (11.0, False),
    "label": (12.0, False),
    "note": (11.0, False),
    "name": (12.0, True),
}

MARGIN = 16.0
GAP = 18.0  # between boxes of a level
PADDING = 10.0
BAR = 8.0
TITLE_LINE, FOOT_LINE, LABEL_LINE = 18.0, 15.0, 16.0
LEAST_BAR = 76.0
TITLE_ROOM = 220.0
LABEL_ROOM = 150.0
LABEL_LINES = 3
THICKEST, THINNEST = 18.0, 1.5  # branches: with all rows on it, with hardly any
LABEL_GAP = 5.0
SWATCH = 11.0


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle with round corners."""

    x: float
    y: float
    width: float
    height: float
    style: str
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Curve:
    """A branch: straight down to `bend`, over to its end's place until `land`, and straight down again."""

    x: float
    y: float
    bend: float
    to_x: float
    land: float
    to_y: float
    thickness: float
    style: str


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; `y` is its baseline, `x` its middle or its start."""

    x: float
    y: float
    text: str
    style: str
    anchor: Literal["middle", "start"] = "middle"


Part: TypeAlias = Rect | Curve | Text


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that belong together.

    Parameters
    ----------
    kind : {"branch", "label", "node", "more", "legend"}
        What it is. The first part of a label, a node or a note of more is the box around its texts.
    parts : tuple
        In the order of drawing.
    story : tuple of str
        All about it, in lines.
    """

    kind: Literal["branch", "label", "node", "more", "legend"]
    parts: tuple[Part, ...]
    story: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """What is to be drawn, from back to front, and how large it is."""

    width: float
    height: float
    groups: tuple[Group, ...]
    summary: str


def picture(model: Model, max_depth: int | None = None, max_nodes: int | None = MOST_NODES) -> Picture:
    """Lay a tree out.

    Parameters
    ----------
    model : Model
        What to draw.
    max_depth, max_nodes : int, optional
        What to leave out, see `treewright.export.drawn.drawn`.

    Returns
    -------
    Picture
    """
    return _Scene(model, drawn(model.tree, max_depth, max_nodes)).picture()


@dataclass(frozen=True, slots=True)
class _Box:
    """An item, measured."""

    item: Item
    title: str
    feet: tuple[str, ...]
    label: tuple[str, ...]
    shares_missing: bool
    width: float
    height: float
    label_width: float
    label_height: float

    @property
    def place_width(self) -> float:
        return max(self.width, self.label_width)


@dataclass
class _Scene:
    model: Model
    items: list[Item]
    words: Words = field(init=False)

    def __post_init__(self) -> None:
        self.words = Words(self.model)

    def picture(self) -> Picture:
        boxes = [self._measured(item) for item in self.items]
        middles = centres([item.above for item in self.items], [box.place_width for box in boxes], GAP)
        right = max(middle + box.place_width / 2 for middle, box in zip(middles, boxes, strict=True))
        legend, legend_width, legend_height = self._legend(max(right, 360.0))
        width = max(right, legend_width)
        shift = MARGIN + (width - right) / 2
        middles = [middle + shift for middle in middles]
        label_tops, tops, bottoms = self._levels(boxes, middles, MARGIN + legend_height)
        branches = self._branches(boxes, middles, label_tops, tops, bottoms)
        labels, nodes = [], []
        for box, middle in zip(boxes, middles, strict=True):
            top = tops[box.item.depth]
            if box.item.n_left_out:
                nodes.append(self._more(box, middle, label_tops[box.item.depth]))
                continue
            nodes.append(self._node(box, middle, top))
            if box.label:
                labels.append(self._label(box, middle, top - LABEL_GAP))
        return Picture(
            width=width + 2 * MARGIN,
            height=bottoms[-1] + MARGIN,
            groups=(*branches, *labels, *nodes, *legend),
            summary=self._summary(),
        )

    # -- measuring ------------------------------------------------------------------------------------------

    def _measured(self, item: Item) -> _Box:
        if item.n_left_out:
            title = f"… {item.n_left_out:,} more"
            width = _text_width(title, "note") + 2 * PADDING
            return _Box(item, title, (), (), False, width, FOOT_LINE + 8, 0.0, 0.0)
        title = metrics.shortened(
            self.words.column(item.node) or self._answer(item.node), TITLE_ROOM, *FONTS["title"]
        )
        feet = tuple(self._feet(item.node))
        label, shares_missing = self._condition(item)
        lines = [*label, "or missing"] if shares_missing else label
        widest = max(_text_width(title, "title"), LEAST_BAR, *(_text_width(foot, "foot") for foot in feet))
        return _Box(
            item,
            title,
            feet,
            tuple(label),
            shares_missing,
            width=widest + 2 * PADDING,
            height=8 + TITLE_LINE + BAR + 2 + FOOT_LINE * len(feet) + 6,
            label_width=max((_text_width(line, "label") for line in lines), default=-12.0) + 12,
            label_height=len(lines) * LABEL_LINE + 4 if lines else 0.0,
        )

    def _feet(self, node: int) -> Iterable[str]:
        tree, words = self.model.tree, self.words
        is_leaf = tree.column[node] < 0
        about = words.rows(node)
        if not words.is_classifier and not is_leaf:
            about += f" · {self._answer(node)}"
        elif words.is_classifier and is_leaf and tree.n_rows[node]:
            share = float(tree.shares[node, tree.answer[node]])
            if share < 1:
                about += f" · {min(max(round(share * 100), 1), 99)} %"
        yield about
        if words.missing_note(node):
            yield words.missing_note(node)

    def _answer(self, node: int) -> str:
        if self.words.is_classifier:
            return self.words.answer(node)
        return format_number(float(self.model.tree.outcome[node, 0]), digits=4)

    def _condition(self, item: Item) -> tuple[list[str], bool]:
        """Write the label of the branch to an item, and tell whether missing values take it too."""
        if item.above < 0:
            return [], False
        schema = self.model.schema
        above = self.items[item.above].node
        question = self.words.question(above)
        shares_missing = question.shares_missing(schema, item.branch)
        text = self.words.condition(above, item.branch).removesuffix(" or missing" if shares_missing else "")
        if text in ("is missing", "is known"):
            return [text.removeprefix("is ")], shares_missing
        if isinstance(question, Branches):
            texts = [plain(text) for text in question.texts(schema, item.branch)]
            if schema.columns[question.column].bins is not None:
                texts = [text.replace("<=", "≤") for text in texts]
            return _listed(texts), shares_missing
        return [text.replace("<=", "≤")], shares_missing

    def _levels(
        self, boxes: Sequence[_Box], middles: Sequence[float], top: float
    ) -> tuple[list[float], list[float], list[float]]:
        """Give the tops of labels, and the tops and bottoms of boxes, for every level."""
        n_levels = max(item.depth for item in self.items) + 1
        label_heights, heights, spans = (np.zeros(n_levels) for _ in range(3))
        for box, middle in zip(boxes, middles, strict=True):
            depth = box.item.depth
            label_heights[depth] = max(label_heights[depth], box.label_height)
            heights[depth] = max(heights[depth], box.height)
            if depth:
                spans[depth] = max(spans[depth], abs(middle - middles[box.item.above]))
        label_tops: list[float] = []
        tops: list[float] = []
        bottoms: list[float] = []
        for label_height, height, span in zip(label_heights, heights, spans, strict=True):
            if bottoms:
                top = bottoms[-1] + min(36.0 + span / 16, 84.0)  # far branches get more room to bend
            label_tops.append(float(top))
            tops.append(float(top + label_height + (LABEL_GAP if label_height else 0.0)))
            bottoms.append(float(tops[-1] + height))
        return label_tops, tops, bottoms

    # -- drawing --------------------------------------------------------------------------------------------

    def _node(self, box: _Box, middle: float, top: float) -> Group:
        node, tree = box.item.node, self.model.tree
        left = middle - box.width / 2
        is_leaf = tree.column[node] < 0
        style = "leaf" if is_leaf else "box"
        if is_leaf and self.words.is_classifier:
            style += f" line-{self._colour_of(int(tree.answer[node]))}"
        if not tree.n_rows[node]:
            style += " empty"
        y = top + 8
        parts: list[Part] = [
            Rect(left, top, box.width, box.height, style, 7.0),
            Text(middle, y + 12, box.title, "title"),
        ]
        y += TITLE_LINE
        parts += self._bar(node, left + PADDING, y, box.width - 2 * PADDING)
        y += BAR + 2
        parts += [Text(middle, y + 12 + i * FOOT_LINE, foot, "foot") for i, foot in enumerate(box.feet)]
        above = self.items[box.item.above].node if box.item.above >= 0 else -1
        return Group("node", tuple(parts), tuple(self.words.story(node, above, box.item.branch)))

    def _bar(self, node: int, x: float, y: float, width: float) -> Iterable[Part]:
        yield Rect(x, y, width, BAR, "track", 2.0)
        if not self.words.is_classifier:
            low, high = self._range
            share = (float(self.model.tree.outcome[node, 0]) - low) / (high - low) if high > low else 0.0
            yield Rect(x, y, max(width * share, 2.0), BAR, "value", 2.0)
            return
        at = x
        shares = self.model.tree.shares[node]
        by_colour: dict[str, float] = {}
        for code in np.flatnonzero(shares > 0):
            colour = self._colour_of(int(code))
            by_colour[colour] = by_colour.get(colour, 0.0) + float(shares[code])
        for colour, share in sorted(by_colour.items()):
            yield Rect(at, y, width * share, BAR, f"fill-{colour}")
            at += width * share

    def _label(self, box: _Box, middle: float, bottom: float) -> Group:
        top = bottom - box.label_height
        above = self.items[box.item.above].node
        parts: list[Part] = [
            Rect(middle - box.label_width / 2, top, box.label_width, box.label_height, "label-box", 5.0)
        ]
        lines = [(line, "label") for line in box.label]
        if box.shares_missing:
            lines.append(("or missing", "note"))
        elif self.words.question(above).is_for_missing(box.item.branch):
            lines = [(line, "note") for line in box.label]
        parts += [
            Text(middle, top + 14 + i * LABEL_LINE, line, style) for i, (line, style) in enumerate(lines)
        ]
        condition = self.words.condition(above, box.item.branch, LONG)
        return Group("label", tuple(parts), (f"{self.words.column(above)} {condition}",))

    def _more(self, box: _Box, middle: float, top: float) -> Group:
        parts = (
            Rect(middle - box.width / 2, top, box.width, box.height, "more-box", box.height / 2),
            Text(middle, top + 15.5, box.title, "note"),
        )
        return Group("more", parts, (f"{box.item.n_left_out:,} more nodes below node {box.item.node}",))

    def _branches(
        self,
        boxes: Sequence[_Box],
        middles: Sequence[float],
        label_tops: Sequence[float],
        tops: Sequence[float],
        bottoms: Sequence[float],
    ) -> Iterable[Group]:
        """Draw the branches of a node side by side where they leave it, each as thick as it is heavy."""
        tree = self.model.tree
        below: dict[int, list[int]] = {}
        for at, item in enumerate(self.items):
            below.setdefault(item.above, []).append(at)
        below.pop(-1)
        for parent, children in below.items():
            above = boxes[parent]
            depth = above.item.depth
            widths = [self._thickness(self.items[child]) for child in children]
            squeeze = min(1.0, (above.width - 2 * PADDING) / sum(widths))
            x = middles[parent] - squeeze * sum(widths) / 2
            for child, thickness in zip(children, widths, strict=True):
                item = self.items[child]
                x += squeeze * thickness
                if item.n_left_out:
                    style, end = "branch left-out", label_tops[depth + 1]
                else:
                    style, end = "branch", tops[depth + 1]
                    if not tree.n_rows[item.node]:
                        style = "branch empty"
                    elif self.words.question(above.item.node).is_for_missing(item.branch):
                        style = "branch missing"
                curve = Curve(
                    x - squeeze * thickness / 2,
                    tops[depth] + above.height,
                    bottoms[depth],
                    middles[child],
                    label_tops[depth + 1],
                    end,
                    thickness,
                    style,
                )
                yield Group("branch", (curve,))

    def _thickness(self, item: Item) -> float:
        if item.n_left_out:
            return THINNEST
        tree = self.model.tree
        whole = float(tree.weight[0])
        return max(THICKEST * float(tree.weight[item.node]) / whole if whole > 0 else 0.0, THINNEST)

    # -- colours --------------------------------------------------------------------------------------------

    def _legend(self, room: float) -> tuple[list[Group], float, float]:
        """Draw what the colours of bars mean, with the width and the height it takes."""
        entries: list[tuple[str, str]] = []
        if self.words.is_classifier:
            entries = [(f"fill-{colour}", self.words.labels[code]) for code, colour in self._coloured.items()]
            n_others = len(self.words.labels) - len(entries)
            if n_others:
                entries.append(("fill-rest", f"{n_others:,} others"))
        else:
            low, high = self._range
            entries = [("value", f"{format_number(low, digits=4)} to {format_number(high, digits=4)}")]
        if self.words.target_name:
            entries.insert(0, ("", self.words.target_name))
        fonts = ["label" if style else "name" for style, _ in entries]
        texts = [
            metrics.shortened(text, TITLE_ROOM, *FONTS[font])
            for (_, text), font in zip(entries, fonts, strict=True)
        ]
        indents = [SWATCH + 5 if style else 0.0 for style, _ in entries]
        widths = [
            indent + _text_width(text, font) for indent, text, font in zip(indents, texts, fonts, strict=True)
        ]
        places = wrapped(widths, room, gap=14.0)
        parts: list[Part] = []
        for at, (x, line) in enumerate(places):
            y = MARGIN + line * 20.0
            if indents[at]:
                parts.append(Rect(MARGIN + x, y, SWATCH, SWATCH, entries[at][0], 2.0))
            parts.append(Text(MARGIN + x + indents[at], y + 10, texts[at], fonts[at], "start"))
        right = max(x + width for (x, _), width in zip(places, widths, strict=True))
        story = tuple(text for _, text in entries)
        return [Group("legend", tuple(parts), story)], right, places[-1][1] * 20.0 + 28.0

    def _colour_of(self, code: int) -> str:
        return self._coloured.get(code, "rest")

    @cached_property
    def _coloured(self) -> dict[int, str]:
        """The colours of classes; where there are many, the heaviest have one and the others share theirs."""
        codes = list(range(len(self.words.labels)))
        if len(codes) > N_COLOURS:
            weights = self.model.tree.outcome[0]
            codes = sorted(np.argsort(-weights, kind="stable")[: N_COLOURS - 1].tolist())
        return {code: f"c{at}" for at, code in enumerate(codes)}

    @cached_property
    def _range(self) -> tuple[float, float]:
        values = self.model.tree.outcome[:, 0]
        return float(values.min()), float(values.max())

    def _summary(self) -> str:
        tree = self.model.tree
        n_drawn = sum(not item.n_left_out for item in self.items)
        about = f", {n_drawn:,} of them drawn" if n_drawn < tree.n_nodes else ""
        of = f" for {self.words.target_name}" if self.words.target_name else ""
        return f"Decision tree{of}: {tree.n_nodes:,} nodes{about}, {tree.n_leaves:,} leaves"


def _text_width(text: str, style: str) -> float:
    return metrics.width(text, *FONTS[style])


def _listed(texts: Sequence[str]) -> list[str]:
    """Write categories in a few lines; of more than fit, their number."""
    texts = [metrics.shortened(text, LABEL_ROOM, *FONTS["label"]) for text in texts]
    for n_shown in range(min(len(texts), 40), 0, -1):
        n_more = len(texts) - n_shown
        shown = [f"{text}," for text in texts[:n_shown]]
        shown = [*shown, f"… {n_more:,} more"] if n_more else [*shown[:-1], texts[n_shown - 1]]
        places = wrapped([_text_width(f"{text} ", "label") for text in shown], LABEL_ROOM + 12, 0.0)
        if places[-1][1] < LABEL_LINES:
            break
    lines: list[list[str]] = [[] for _ in range(places[-1][1] + 1)]
    for text, (_, line) in zip(shown, places, strict=True):
        lines[line].append(text)
    return [" ".join(line) for line in lines]
