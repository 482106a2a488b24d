"""Small charts of the rows of inner nodes, by the column that each splits on.

For classification, bars show the weights of the classes by value or category; rows with a missing value, or
with a category without a branch, form a last bar. For regression, each point is a row, and lines show the
means of the two sides of the cut; or boxes show the quartiles by category, and whiskers the full range.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from treewright.export import metrics
from treewright.export.drawn import Words, plain
from treewright.export.parts import FONTS, Part, Rect, Text
from treewright.model.labelled_rows import EncodedRows
from treewright.model.questions import Branches, Threshold
from treewright.model.records import Array, Bool, Float64, Intp
from treewright.model.rows import spelt
from treewright.model.rows_at_nodes import RowsAtNodes, is_known

WIDTH, HEIGHT = 168.0, 64.0  # including the line of text below
_TOP, _GROUND = 2.0, 50.0  # of bars
_MARGIN = 3.0  # beside the points with the smallest and the largest value
_BINS = 20
_GAP, _LAST = 6.0, 9.0  # gap between branches and before the last bar; width of the last bar
_MOST_POINTS = 200
_MOST_CATEGORIES = 12
_WIDEST_BAR = 26.0


class Charts:
    """The charts of a drawing.

    Parameters
    ----------
    words : Words
        The texts for the nodes of the model.
    rows : EncodedRows
        Rows to send down the tree, usually those that it was grown on.
    colour_of : callable
        Returns the colour of a class in the picture.
    """

    def __init__(self, words: Words, rows: EncodedRows, colour_of: Callable[[int], str]) -> None:
        self._words, self._rows, self._colour_of = words, rows, colour_of
        self._at = RowsAtNodes(words.tree, rows).at
        counted = rows.targets[rows.weight_of_each > 0]
        self.range = (0.0, 1.0) if words.is_classifier else (float(counted.min()), float(counted.max()))

    def of(self, node: int) -> list[Part]:
        """Draw the chart of a node, in positions from its left and top; empty if it has none."""
        row, weight = self._at(node)
        row, weight = row[weight > 0], weight[weight > 0]
        if self._words.is_leaf(node) or not len(row):
            return []
        question = self._words.question(node)
        values = self._rows.codes[question.column][row]
        rows = _Rows(values, self._rows.targets[row], weight)
        of_column = self._of_numbers if isinstance(question, Threshold) else self._of_categories
        return [*of_column(question, rows), Rect(0.0, _GROUND, WIDTH, 1.0, "axis")]  # type: ignore[arg-type]

    def _of_numbers(self, question: Threshold, rows: "_Rows") -> Iterator[Part]:
        """Draw the rows by value: as bars, or as a point for each row."""
        known = is_known(rows.values)
        most = float(rows.weight[~known].sum())
        width = WIDTH if known.all() else WIDTH - _GAP - _LAST
        if known.any():
            values = rows.values[known]
            low = values.min()
            above = _above(values, low)
            scale = (width - 2 * _MARGIN) / (float(above.max()) or 1.0)
            places, cut = _MARGIN + above * scale, _MARGIN + (question.cut - low.item()) * scale
            if self._words.is_classifier:
                cell = _cells(places, width, cut)
                most = max(most, float(np.bincount(cell - cell.min(), rows.weight[known]).max()))
                yield from self._bars_by_value(cell, rows.some(known), width, most)
            else:
                yield from self._points(places, rows.some(known), width, cut)
            column = self._words.model.schema.columns[question.column]
            yield from _ends([plain(spelt(end, column)) for end in (values.min(), values.max())], width)
        yield from self._last(rows.some(~known), most)

    def _bars_by_value(self, cell: Intp, rows: "_Rows", width: float, most: float) -> Iterator[Part]:
        """Draw bars of equal width; the cut is between the bars numbered 0 and 1."""
        first, last = int(cell.min()), int(cell.max())
        step = width / (last - first + 1)
        for at in np.unique(cell).tolist():
            yield from self._bar(rows.some(cell == at), (at - first) * step + 0.5, step - 1.0, most)
        if first <= 0 < last:
            yield _line_at((1 - first) * step)

    def _points(self, places: Float64, rows: "_Rows", width: float, cut: float) -> Iterator[Part]:
        """Draw points; if there are many rows, only some at equal distances in the order of values."""
        order = np.lexsort((rows.targets, places))
        some = order[np.unique(np.linspace(0, len(order) - 1, min(len(order), _MOST_POINTS)).astype(np.intp))]
        for x, target in zip(places[some].tolist(), rows.targets[some].tolist(), strict=True):
            yield Rect(x - 1.0, self._height_of(target) - 1.0, 2.0, 2.0, "dot", 1.0)
        for begin, end, side in ((0.0, cut, places <= cut), (cut, width, places > cut)):
            if side.any() and begin < end <= width:
                mean = self._height_of(float(np.average(rows.targets[side], weights=rows.weight[side])))
                yield Rect(begin, mean - 0.9, end - begin, 1.8, "mean")
        if _MARGIN <= cut <= width - _MARGIN:
            yield _line_at(cut)

    def _of_categories(self, question: Branches, rows: "_Rows") -> Iterator[Part]:
        """Draw the rows by category, branch by branch."""
        branch_of = {code: branch for branch, codes in enumerate(question.codes) for code in codes}
        codes, cell = np.unique(rows.values, return_inverse=True)
        weights = np.bincount(cell, rows.weight).tolist()
        known = [code for code in codes.tolist() if code in branch_of]
        weight_of = dict(zip(codes.tolist(), weights, strict=True))
        heaviest = sorted(known, key=lambda code: (-weight_of[code], code))[:_MOST_CATEGORIES]
        shown = sorted(heaviest, key=lambda code: (branch_of[code], code))
        others = rows.some(~np.isin(rows.values, known))
        width = WIDTH - _GAP - _LAST if others.weight.any() else WIDTH
        slots = _slots([branch_of[code] for code in shown], width)
        most = max(*(weight_of[code] for code in shown), float(others.weight.sum()), 0.0)
        for code, (x, size) in zip(shown, slots, strict=True):
            here = rows.some(rows.values == code)
            yield from (
                self._bar(here, x, size, most) if self._words.is_classifier else self._box(here, x, size)
            )
        categories = self._words.model.schema.columns[question.column].categories
        names = [plain(str(categories[code])) for code in shown]
        yield from _names(names, slots, len(known) - len(shown), self._words)
        yield from self._last(others, most)

    def _last(self, rows: "_Rows", most: float) -> Iterator[Part]:
        """Draw the rows with a missing value beside all others."""
        if not len(rows.weight):
            return
        x = WIDTH - _LAST
        draw = self._bar(rows, x, _LAST, most) if self._words.is_classifier else self._box(rows, x, _LAST)
        yield from draw
        yield Text(x + _LAST / 2, HEIGHT - 3, "?", "tick")

    def _bar(self, rows: "_Rows", x: float, width: float, most: float) -> Iterator[Part]:
        """Draw the weights of the classes on top of each other, the first one at the bottom."""
        by_colour: defaultdict[str, float] = defaultdict(float)
        for code, weight in enumerate(np.bincount(rows.targets, rows.weight).tolist()):
            by_colour[self._colour_of(code)] += weight
        y = _GROUND
        for colour, weight in sorted(by_colour.items()):
            height = (_GROUND - _TOP) * weight / most
            y -= height
            if height:
                yield Rect(x, y, width, height, f"fill-{colour}")

    def _box(self, rows: "_Rows", x: float, width: float) -> Iterator[Part]:
        """Draw the quartiles of targets, and a line from the smallest to the largest."""
        order = np.argsort(rows.targets, kind="stable")
        upto = np.cumsum(rows.weight[order])
        at = np.minimum(np.searchsorted(upto, upto[-1] * np.array((0.25, 0.5, 0.75))), len(order) - 1)
        places = [0, *at.tolist(), len(order) - 1]
        least, low, middle, high, most = (self._height_of(rows.targets[order[at]]) for at in places)
        yield Rect(x + width / 2 - 0.5, most, 1.0, least - most, "dot")
        yield Rect(x, high, width, max(low - high, 1.0), "value")
        yield Rect(x, middle - 0.75, width, 1.5, "cut")

    def _height_of(self, target: float) -> float:
        low, high = self.range
        share = (float(target) - low) / (high - low) if high > low else 0.5
        return _GROUND - 1.0 - share * (_GROUND - 1.0 - _TOP)


class _Rows:
    """Rows of one node: their values in a column, their targets, their weights."""

    def __init__(self, values: Array, targets: Array, weight: Float64) -> None:
        self.values, self.targets, self.weight = values, targets, weight

    def some(self, kept: Bool) -> "_Rows":
        """Select some of the rows."""
        return _Rows(self.values[kept], self.targets[kept], self.weight[kept])


def _slots(branches: Sequence[int], width: float) -> list[tuple[float, float]]:
    """Return the left end and the width of a bar for each category, with gaps between branches.

    Examples
    --------
    >>> _slots([0, 1, 1], 96.0)
    [(5.0, 26.0), (37.0, 26.0), (65.0, 26.0)]
    """
    gaps = [
        0.0,
        *(_GAP if before != after else 2.0 for before, after in pairwise(branches)),
    ]
    gaps = gaps[: len(branches)]
    each = min((width - sum(gaps)) / max(len(branches), 1), _WIDEST_BAR)
    x = (width - sum(gaps) - each * len(branches)) / 2
    slots = []
    for gap in gaps:
        slots.append((x + gap, each))
        x += gap + each
    return slots


def _cells(places: Float64, width: float, cut: float) -> Intp:
    """Return the number of the bar of each value: 1 or more above the cut, if the cut is in the chart."""
    is_inside = _MARGIN <= cut < width - _MARGIN
    cell: Intp = np.ceil((places - (cut if is_inside else 0.0)) / (width / _BINS)).astype(np.intp)
    return cell


def _above(values: Array, low: Array) -> Float64:
    """Return how far values are above the smallest one; exact even for very large whole numbers."""
    if values.dtype.kind == "i":
        return (values.astype(np.int64).view(np.uint64) - low.astype(np.int64).view(np.uint64)).astype(
            np.float64
        )
    return (values - low).astype(np.float64)


def _line_at(cut: float) -> Rect:
    return Rect(cut - 0.6, _TOP - 2, 1.2, _GROUND - _TOP + 2, "cut")


def _ends(texts: list[str], width: float) -> Iterator[Part]:
    """Write the smallest value on the left and the largest on the right."""
    low, high = (metrics.shortened(text, width / 2 - 4, *FONTS["tick"]) for text in texts)
    yield Text(0.0, HEIGHT - 3, low, "tick", "start")
    if low != high:
        yield Text(width - metrics.width(high, *FONTS["tick"]), HEIGHT - 3, high, "tick", "start")


def _names(
    names: list[str], slots: Sequence[tuple[float, float]], n_more: int, words: Words
) -> Iterator[Part]:
    """Write the names of categories below their bars, if all fit; say how many categories are left out."""
    if n_more:
        more = words.said("… {n} more", n=f"{n_more:,}")
        yield Text(0.0, HEIGHT - 3, more, "tick", "start")
        return
    places = [x + size / 2 for x, size in slots]
    widths = [metrics.width(name, *FONTS["tick"]) for name in names]
    begins = [place - width / 2 for place, width in zip(places, widths, strict=True)]
    ends = [0.0, *(begin + width + 3 for begin, width in zip(begins, widths, strict=True))]
    last = max((x + size for x, size in slots), default=0.0)
    limit = WIDTH if last > WIDTH - _LAST - _GAP else WIDTH - _LAST - 3
    if all(begin >= end for begin, end in zip(begins, ends, strict=False)) and ends[-1] - 3 <= limit:
        for place, name in zip(places, names, strict=True):
            yield Text(place, HEIGHT - 3, name, "tick")
