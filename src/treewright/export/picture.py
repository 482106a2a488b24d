"""A tree as a picture: boxes, bars, branches and texts with their positions, for any program that draws.

Positions are in pixels, from the left and from the top. A condition is shown in a label on top of the box
that it leads to, and is laid out together with it, so that labels never overlap.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from treewright.export import charts, metrics
from treewright.export.drawn import LONG, MOST_NODES, Item, Words, drawn, plain
from treewright.export.layout import centres, wrapped
from treewright.export.look import PLAIN, Look
from treewright.export.parts import FONTS, Curve, Part, Rect, Text
from treewright.formatting import format_number
from treewright.model.labelled_rows import EncodedRows
from treewright.model.model import Model
from treewright.model.questions import Branches

N_COLOURS = 9
MARGIN, PADDING = 16.0, 10.0
GAP, LABEL_GAP = 18.0, 5.0  # between boxes of a level, between a box and its label
BAR, LEAST_BAR, SWATCH = 8.0, 76.0, 11.0  # height of bars, their least width, size of squares in the legend
TITLE_LINE, FOOT_LINE, LABEL_LINE = 18.0, 15.0, 16.0
TITLE_ROOM, LABEL_ROOM, LABEL_LINES = 220.0, 150.0, 3
THICKEST, THINNEST = 18.0, 1.5  # branches: with all rows, with hardly any


class Group(NamedTuple):
    """Parts that belong together.

    Parameters
    ----------
    kind : {"branch", "label", "node", "more", "legend"}
        The first part of a label, a node or a note on nodes left out is the box around its texts.
    parts : tuple
        In the order of drawing.
    story : tuple of str
        Its description, line by line.
    """

    kind: Literal["branch", "label", "node", "more", "legend"]
    parts: tuple[Part, ...]
    story: tuple[str, ...] = ()


class Picture(NamedTuple):
    """Everything to draw, from back to front, and its size."""

    width: float
    height: float
    groups: tuple[Group, ...]
    summary: str
    root: float  # the middle of the root's box, from the left


def picture(
    model: Model,
    max_depth: int | None = None,
    max_nodes: int | None = MOST_NODES,
    look: Look = PLAIN,
    rows: EncodedRows | None = None,
) -> Picture:
    """Lay out a tree.

    Parameters
    ----------
    model : Model
        The model.
    max_depth, max_nodes : int, optional
        Limits on what is drawn, see `treewright.export.drawn.drawn`.
    look : Look
        Additional content of boxes, and the direction of branches.
    rows : EncodedRows, optional
        Rows to chart at inner nodes, see `treewright.export.charts`.

    Returns
    -------
    Picture
    """
    return _Scene(model, drawn(model.tree, max_depth, max_nodes), look, rows).picture()


@dataclass(slots=True)
class _Box:
    """An item, measured and then placed. The lines of the label have styles.

    `middle` is measured across the direction of the branches, all other positions along it.
    """

    item: Item
    title: str
    feet: list[str]
    label: list[tuple[str, str]]
    chart: list[Part]
    width: float
    height: float
    middle: float = 0.0
    level_begin: float = 0.0
    begin: float = 0.0
    level_end: float = 0.0

    @property
    def label_width(self) -> float:
        return max(_text_width(line, "label") for line, _ in self.label) + 12 if self.label else 0.0

    @property
    def label_height(self) -> float:
        return len(self.label) * LABEL_LINE + 4 if self.label else 0.0


class _Scene:
    def __init__(self, model: Model, items: list[Item], look: Look, rows: EncodedRows | None) -> None:
        self.tree, self.schema, self.words, self.items = model.tree, model.schema, Words(model, look), items
        self.is_across = look.orientation == "right"
        self.origin = (0.0, 0.0)  # start of the tree: across the direction of branches, and along it
        # Charts refer to rows and to this scene. The scene must not keep them, or a cycle keeps rows alive.
        drawing = None if rows is None else charts.Charts(self.words, rows, self._colour_of)
        self.range_of_rows = None if drawing is None else drawing.range
        self.boxes = [self._measured(item, drawing) for item in items]

    def picture(self) -> Picture:
        sizes = [max(self._across(box), self._across_label(box)) for box in self.boxes]
        middles = centres([item.above for item in self.items], sizes, GAP)
        across = max(middle + size / 2 for middle, size in zip(middles, sizes, strict=True))
        for box, middle in zip(self.boxes, middles, strict=True):
            box.middle = middle
        along = self._stack()
        width, height = (along, across) if self.is_across else (across, along)
        legend, legend_width, legend_height = self._legend(max(width, 360.0))
        left, top = MARGIN + max(legend_width - width, 0.0) / 2, MARGIN + legend_height
        self.origin = (top, left) if self.is_across else (left, top)
        labels = [self._label(box) for box in self.boxes if box.label]
        nodes = [self._more(box) if box.item.n_left_out else self._node(box) for box in self.boxes]
        groups = (*self._branches(), *labels, *nodes, legend)
        n_drawn = sum(not item.n_left_out for item in self.items)
        n_nodes, n_leaves = self.words.size
        if n_drawn < self.tree.n_nodes:
            n_nodes = self.words.said("{nodes}, {n} of them drawn", nodes=n_nodes, n=f"{n_drawn:,}")
        summary = f"{self.words.title}: {n_nodes}, {n_leaves}"
        root = self.boxes[0]
        root_left, _ = self._corner(root, root.width, root.height, root.begin)
        size = max(width, legend_width) + 2 * MARGIN, top + height + MARGIN
        return Picture(*size, groups, summary, root_left + root.width / 2)

    # -- measuring ------------------------------------------------------------------------------------------

    def _measured(self, item: Item, drawing: charts.Charts | None) -> _Box:
        if item.n_left_out:
            (title,) = self.words.lines(item)
            return _Box(item, title, [], [], [], _text_width(title, "note") + 2 * PADDING, FOOT_LINE + 8)
        title = self.words.column(item.node) or self.words.answer(item.node, digits=4)
        title = metrics.shortened(title, TITLE_ROOM, *FONTS["title"])
        feet = self._feet(item.node)
        widest = max(_text_width(title, "title"), LEAST_BAR, *(_text_width(foot, "foot") for foot in feet))
        height = 8 + TITLE_LINE + BAR + 2 + FOOT_LINE * len(feet) + 6
        chart = [] if drawing is None else drawing.of(item.node)
        if chart:
            widest, height = max(widest, charts.WIDTH), height + charts.HEIGHT
        return _Box(item, title, feet, list(self._condition(item)), chart, widest + 2 * PADDING, height)

    def _feet(self, node: int) -> list[str]:
        """Write the lines below the bar; for a leaf they say how far its rows agree, not only by colour."""
        words, is_leaf = self.words, self.words.is_leaf(node)
        foot = words.agreement(node, is_brief=True) if is_leaf else words.rows(node)
        if not words.is_classifier and not is_leaf:
            foot += f" · {words.answer(node, digits=4)}"
        return [line for line in (foot, *words.extras(node), words.missing_note(node)) if line]

    def _condition(self, item: Item) -> Iterator[tuple[str, str]]:
        """Write the lines of the label of the branch to an item."""
        if item.above < 0:
            return
        above = self.items[item.above].node
        question = self.words.question(above)
        shares_missing = question.shares_missing(self.schema, item.branch)
        said, text = self.words.said, self.words.condition(above, item.branch)
        text = text.removesuffix(said(" or missing") if shares_missing else "")
        is_of_missing = text in (said("is missing"), said("is known"))
        lines = [text.removeprefix("is ") if is_of_missing else text.replace("<=", "≤")]
        if isinstance(question, Branches) and not is_of_missing:
            has_bins = self.schema.columns[question.column].bins is not None
            texts = [plain(each) for each in question.texts(self.schema, item.branch)]
            texts = [each.replace("<=", "≤") for each in texts] if has_bins else texts
            lines = _listed(texts, lambda n: said("… {n} more", n=f"{n:,}"))
        style = "note" if question.is_for_missing(item.branch) else "label"
        yield from ((line, style) for line in lines)
        if shares_missing:
            yield said(" or missing").strip(), "note"

    def _across(self, box: _Box) -> float:
        return box.height if self.is_across else box.width

    def _along(self, box: _Box) -> float:
        return box.width if self.is_across else box.height

    def _across_label(self, box: _Box) -> float:
        return box.label_height if self.is_across else box.label_width

    def _along_label(self, box: _Box) -> float:
        return box.label_width if self.is_across else box.label_height

    def _stack(self) -> float:
        """Place the levels one after the other, each with labels before its boxes; return the end."""
        levels: defaultdict[int, list[_Box]] = defaultdict(list)
        for box in self.boxes:
            levels[box.item.depth].append(box)
        begin = end = 0.0
        for depth, boxes in levels.items():
            if depth:  # long branches get more room to bend
                across = max(abs(box.middle - self.boxes[box.item.above].middle) for box in boxes)
                begin = end + min(36.0 + across / 16, 84.0)
            labels = max(map(self._along_label, boxes))
            box_begin = begin + labels + (LABEL_GAP if labels else 0.0)
            end = box_begin + max(map(self._along, boxes))
            for box in boxes:
                box.level_begin, box.level_end = begin, end
                box.begin = begin if box.item.n_left_out else box_begin
        return end

    def _corner(self, box: _Box, width: float, height: float, begin: float) -> tuple[float, float]:
        """Return the left and top of something of a given size, centred on a box and starting at `begin`."""
        across, along = self.origin
        if self.is_across:
            return begin + along, box.middle + across - height / 2
        return box.middle + across - width / 2, begin + along

    # -- drawing --------------------------------------------------------------------------------------------

    def _node(self, box: _Box) -> Group:
        node = box.item.node
        left, top = self._corner(box, box.width, box.height, box.begin)
        middle, chart_top = left + box.width / 2, top + 8 + TITLE_LINE
        bar_top = chart_top + (charts.HEIGHT if box.chart else 0.0)
        style = "leaf" if self.words.is_leaf(node) else "box"
        if style == "leaf" and self.words.is_classifier:
            style += f" line-{self._colour_of(int(self.tree.answer[node]))}"
        if not self.tree.n_rows[node]:
            style += " empty"
        y = bar_top + BAR + 14
        parts: tuple[Part, ...] = (
            Rect(left, top, box.width, box.height, style, 7.0),
            Text(middle, top + 20, box.title, "title"),
            *(
                part._replace(x=part.x + middle - charts.WIDTH / 2, y=part.y + chart_top)
                for part in box.chart
            ),
            *self._bar(node, left + PADDING, bar_top, box.width - 2 * PADDING),
            *(Text(middle, y + i * FOOT_LINE, foot, "foot") for i, foot in enumerate(box.feet)),
        )
        above = self.items[box.item.above].node if box.item.above >= 0 else -1
        return Group("node", parts, tuple(self.words.story(node, above, box.item.branch)))

    def _bar(self, node: int, x: float, y: float, width: float) -> Iterator[Part]:
        yield Rect(x, y, width, BAR, "track", 2.0)
        if not self.words.is_classifier:
            low, high = self._range
            share = (float(self.tree.outcome[node, 0]) - low) / (high - low) if high > low else 0.0
            yield Rect(x, y, max(width * share, 2.0), BAR, "value", 2.0)
            return
        by_colour: defaultdict[str, float] = defaultdict(float)
        for code in np.flatnonzero(self.tree.shares[node] > 0).tolist():
            by_colour[self._colour_of(code)] += float(self.tree.shares[node, code])
        for colour, share in sorted(by_colour.items()):
            yield Rect(x, y, width * share, BAR, f"fill-{colour}")
            x += width * share

    def _label(self, box: _Box) -> Group:
        width, height = box.label_width, box.label_height
        above, begin = self.items[box.item.above].node, box.begin - LABEL_GAP - self._along_label(box)
        left, top = self._corner(box, width, height, begin)
        frame = Rect(left, top, width, height, "label-box", 5.0)
        lines = [Text(left + width / 2, top + 14 + i * LABEL_LINE, *line) for i, line in enumerate(box.label)]
        condition = self.words.condition(above, box.item.branch, LONG)
        return Group("label", (frame, *lines), (f"{self.words.column(above)} {condition}",))

    def _more(self, box: _Box) -> Group:
        left, top = self._corner(box, box.width, box.height, box.begin)
        frame = Rect(left, top, box.width, box.height, "more-box", box.height / 2)
        n = f"{box.item.n_left_out:,}"
        story = self.words.said("{n} more nodes below node {node}", n=n, node=box.item.node)
        return Group("more", (frame, Text(left + box.width / 2, top + 15.5, box.title, "note")), (story,))

    def _branches(self) -> Iterator[Group]:
        """Draw the branches of a node, side by side where they leave it, with thickness by weight."""
        below: defaultdict[int, list[_Box]] = defaultdict(list)
        for box in self.boxes[1:]:
            below[box.item.above].append(box)
        for parent, boxes in below.items():
            above = self.boxes[parent]
            shares = (0 if box.item.n_left_out else self.words.share_of_all(box.item.node) for box in boxes)
            widths = [max(THICKEST * share, THINNEST) for share in shares]
            across, along = self.origin
            squeeze = min(1.0, (self._across(above) - 2 * PADDING) / sum(widths))
            x = above.middle + across - squeeze * sum(widths) / 2
            for box, thickness in zip(boxes, widths, strict=True):
                style = "branch"
                if box.item.n_left_out:
                    style += " left-out"
                elif not self.tree.n_rows[box.item.node]:
                    style += " empty"
                elif self.words.question(above.item.node).is_for_missing(box.item.branch):
                    style += " missing"
                x += squeeze * thickness
                places = (above.begin + self._along(above), above.level_end, box.level_begin, box.begin)
                y, bend, land, to_y = (along + place for place in places)
                begin, end = (x - squeeze * thickness / 2, y, bend), (box.middle + across, land, to_y)
                yield Group("branch", (Curve(*begin, *end, thickness, style, self.is_across),))

    # -- colours --------------------------------------------------------------------------------------------

    def _legend(self, room: float) -> tuple[Group, float, float]:
        """Draw the legend of the colours of bars; also return its width and height."""
        entries = [("", self.words.target_name)] if self.words.target_name else []
        if self.words.is_classifier:
            entries += [(f"fill-{of}", self.words.labels[code]) for code, of in self._coloured.items()]
            if n_others := len(self.words.labels) - len(self._coloured):
                entries.append(("fill-rest", self.words.said("{n} others", n=f"{n_others:,}")))
        else:
            low, high = (format_number(end, digits=4) for end in self._range)
            entries.append(("value", self.words.said("{low} to {high}", low=low, high=high)))
            if self.range_of_rows is not None:
                low, high = (format_number(end, digits=4) for end in self.range_of_rows)
                entries.append(("dot", self.words.said("rows: {low} to {high}", low=low, high=high)))
            if any(part.style == "mean" for box in self.boxes for part in box.chart):
                entries.append(("mean", self.words.said("mean")))
        items: list[tuple[str, str, float, str, float]] = []
        for style, text in entries:
            font, indent = ("label", SWATCH + 5) if style else ("name", 0.0)
            short = metrics.shortened(text, TITLE_ROOM, *FONTS[font])
            items.append((style, font, indent, short, indent + _text_width(short, font)))
        places = wrapped([width for *_, width in items], room, gap=14.0)
        parts: list[Part] = []
        right = 0.0
        for (x, line), (style, font, indent, text, width) in zip(places, items, strict=True):
            y, right = MARGIN + line * 20.0, max(right, x + width)
            if style:
                parts.append(Rect(MARGIN + x, y, SWATCH, SWATCH, style, 2.0))
            parts.append(Text(MARGIN + x + indent, y + 10, text, font, "start"))
        story = tuple(text for _, text in entries)
        return Group("legend", tuple(parts), story), right, places[-1][1] * 20.0 + 28.0

    def _colour_of(self, code: int) -> str:
        return self._coloured.get(code, "rest")

    @cached_property
    def _coloured(self) -> dict[int, str]:
        """The colours of classes; if there are many, the heaviest have their own and the others share one."""
        codes = list(range(len(self.words.labels)))
        if len(codes) > N_COLOURS:
            codes = sorted(np.argsort(-self.tree.outcome[0], kind="stable")[: N_COLOURS - 1].tolist())
        return {code: f"c{at}" for at, code in enumerate(codes)}

    @cached_property
    def _range(self) -> tuple[float, float]:
        values = self.tree.outcome[:, 0]
        return float(values.min()), float(values.max())


def _text_width(text: str, style: str) -> float:
    return metrics.width(text, *FONTS[style])


def _listed(texts: Sequence[str], more: Callable[[int], str]) -> list[str]:
    """Write categories in a few lines; count those that do not fit."""
    texts = [metrics.shortened(text, LABEL_ROOM, *FONTS["label"]) for text in texts]
    for n_shown in range(min(len(texts), 40), 0, -1):
        n_more = len(texts) - n_shown
        shown = [f"{text}," for text in texts[:n_shown]]
        shown = [*shown, more(n_more)] if n_more else [*shown[:-1], texts[n_shown - 1]]
        places = wrapped([_text_width(f"{text} ", "label") for text in shown], LABEL_ROOM + 12, 0.0)
        if places[-1][1] < LABEL_LINES:
            break
    lines = [""] * (places[-1][1] + 1)
    for text, (_, line) in zip(shown, places, strict=True):
        lines[line] += f" {text}" if lines[line] else text
    return lines
