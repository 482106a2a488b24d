"""The values of a column as a tree can distinguish them: cells, and sets of cells as the bits of an integer.

A cell of numbers lies between two neighbouring thresholds of the tree, including its upper end; a cell of
categories is one category. Rows that differ only within cells take the same path. One more bit stands for a
missing value; only a row whose value is missing may stay there.
"""

from bisect import bisect_left
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf, nextafter
from typing import Any

import numpy as np

from treewright.model.questions import Branches, Question
from treewright.model.rows import Row, spelt, value_of
from treewright.model.tree import Tree
from treewright.schema import Column

_LARGEST = np.iinfo(np.int64).max
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


@dataclass(frozen=True)
class Axis:
    """The cells of a column, and the cell of a row.

    Parameters
    ----------
    about : Column
        The column.
    cuts : tuple of float or int
        The thresholds, in ascending order; none for categories.
    n_cells : int
        Number of cells, not counting that of a missing value.
    here : int
        The row's cell; `n_cells` if its value is missing.
    """

    about: Column
    cuts: tuple[float | int, ...]
    n_cells: int
    here: int

    @classmethod
    def of(cls, tree: Tree, row: Row, column: int) -> "Axis":
        """Cut a column at all thresholds of the tree, including those of surrogates."""
        about, code = row.schema.columns[column], row.code(column)
        if about.is_category:
            n_cells = len(about.categories)
            edges = about.bins.edges if about.bins else ()
            return cls(about, edges, n_cells, n_cells if code is None else int(code))
        cuts: set[float | int] = set()
        for of in (tree, tree.surrogates):
            here = (of.column == column) & np.isfinite(of.cut)
            cuts.update((of.cut_integer if about.is_integer else of.cut)[here].tolist())
        rising = tuple(sorted(cuts))
        n_cells = len(rising) + 1
        return cls(about, rising, n_cells, n_cells if code is None else bisect_left(rising, code))

    @property
    def known(self) -> int:
        """All cells except that of a missing value."""
        return (1 << self.n_cells) - 1

    def branches(self, question: Question, n_branches: int) -> list[int]:
        """Return, for each branch of a question, the cells that take it."""
        if isinstance(question, Branches):
            return [sum(1 << code for code in codes) for codes in question.codes]
        low = self.known if question.cut == inf else (2 << bisect_left(self.cuts, question.cut)) - 1
        return [low, self.known ^ low, *[0] * (n_branches - 2)]

    def nearest(self, cells: int) -> int:
        """Find the cell nearest to the row's; among equally near ones the first."""
        if cells >> self.here & 1:
            return self.here
        first = (cells & -cells).bit_length() - 1
        if not self._has_distance:
            return first
        above = cells >> self.here
        up = self.here + (above & -above).bit_length() - 1
        down = (cells & ((1 << self.here) - 1)).bit_length() - 1
        return up if above and (down < 0 or up - self.here < self.here - down) else down

    def distance(self, cell: int) -> Fraction:
        """Return the distance of a cell from the row's, from 0 to 1.

        For numbers it is the fraction of the column's thresholds in between; for categories, and if the row's
        value is missing, it is 1.
        """
        if cell == self.here:
            return Fraction(0)
        return Fraction(abs(cell - self.here), self.n_cells - 1) if self._has_distance else Fraction(1)

    def describe(self, cells: int) -> str:
        """Write a set of cells as a condition on the value; for numbers, only the nearest interval."""
        if not self._has_order:
            labels = [str(label) for at, label in enumerate(self.about.categories) if cells >> at & 1]
            return labels[0] if len(labels) == 1 else f"one of {{{', '.join(labels)}}}"
        ends = self._ends(self._piece(cells))
        low, high = (None if end is None else spelt(end, self.about) for end in ends)
        if low is None:
            return "any value" if high is None else f"≤ {high}"
        return f"> {low}" if high is None else f"in ({low}, {high}]"

    def value(self, cells: int, given: Any) -> Any:
        """Return a value in the nearest of some cells, close to the row's own and with few digits."""
        code = self.code(cells)
        if not self._has_order:
            return self.about.categories[int(code)]
        if isinstance(code, float) and code.is_integer() and isinstance(given, int):
            return int(code)
        return value_of(code, self.about)

    def code(self, cells: int) -> float | int:
        """Return the same value as splits compare it; for a binned column, before binning."""
        cell = self.nearest(cells)
        if not self._has_order:
            return cell
        low, high = self._ends(1 << cell)
        if low is None or (cell < self.here and high is not None):
            return 0 if high is None else high
        of = self.about.bins or self.about
        if of.kind == "number":
            return number_above(float(low), inf if high is None else float(high))
        return count_above(int(low), _LARGEST if high is None else int(high), of.unit)

    @property
    def _has_order(self) -> bool:
        return not self.about.is_category or self.about.bins is not None

    @property
    def _has_distance(self) -> bool:
        return self._has_order and self.here < self.n_cells

    def _piece(self, cells: int) -> int:
        """Return the nearest cell and the run of cells around it."""
        first = last = self.nearest(cells)
        while first and cells >> (first - 1) & 1:
            first -= 1
        while cells >> (last + 1) & 1 and last + 1 < self.n_cells:
            last += 1
        return (2 << last) - (1 << first)

    def _ends(self, cells: int) -> tuple[float | int | None, float | int | None]:
        ends = (None, *self.cuts, None)
        return ends[(cells & -cells).bit_length() - 1], ends[cells.bit_length()]


def number_above(low: float, high: float) -> float:
    """Return a number above `low`, at most `high`: the next one with the decimals of `low`, or with more.

    Examples
    --------
    >>> number_above(75.0, 90.0), number_above(0.3815, 1.0), number_above(2.5, 2.55), number_above(-1.5, 0.0)
    (76.0, 0.3816, 2.51, -1.4)
    """
    written = Decimal(spelt(low, Column("")))
    exponent = min(int(written.as_tuple().exponent), 0)
    for finer in range(18):
        step = Decimal(1).scaleb(exponent - finer)
        for value in (float(written + step), float(written + 2 * step)):  # `written` is rounded
            if low < value <= high:
                return value
    return nextafter(low, inf)


def count_above(low: int, high: int, unit: str) -> int:
    """Return a count above `low`, at most `high`: the next whole day, hour, minute or second.

    The unit is the largest of which `low` is a multiple, or a smaller one if that goes beyond `high`.

    Examples
    --------
    >>> count_above(172_800, 400_000, "s"), count_above(7_200, 90_000, "s"), count_above(1_500, 9_000, "ms")
    (259200, 10800, 2000)
    >>> count_above(172_800, 172_830, "s"), count_above(7, 100, "")
    (172801, 8)
    """
    second = _PER_SECOND.get(unit, 0)
    whole = [step * second for step in (86_400, 3_600, 60, 1)]
    coarsest = next((step for step in whole if step and low and low % step == 0), second)
    for step in (*whole, second // 10**3, second // 10**6):
        if 0 < step <= coarsest and (value := (low // step + 1) * step) <= high:
            return value
    return low + 1
