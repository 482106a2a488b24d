"""Conditions: what the values of one column must be for a row to reach a leaf.

A question divides rows among branches; a condition keeps the rows of one branch. Conditions on one column
merge into one. A row whose value is missing, or a category without a branch, may take a detour: a surrogate
decides, or the row goes on with a fractional weight.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise

import numpy as np

from treewright.missing_values import is_missing_code
from treewright.model.questions import Question, Threshold, text_of_label, text_of_set
from treewright.model.records import Array, Bool, Float64
from treewright.model.routing import branch_shares
from treewright.model.tree import Tree
from treewright.schema import Bins, Column, Schema
from treewright.table.spelling import spell


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the values of one column.

    Parameters
    ----------
    column : int
        Position of the column in the schema.
    low, high : float, int or None
        Numbers above `low`, up to and including `high`; None means no bound.
    codes : frozenset of int or None
        Categories that meet it; None if the column is numeric.
    named : frozenset of int
        Categories that questions name. All others count as missing.
    known : bool
        Whether any number meets it.
    missing : bool
        Whether a missing value meets it.

    Examples
    --------
    >>> from treewright.schema import Numbers
    >>> schema = Schema((Column("density"),), Numbers())
    >>> both = Condition(0, low=0.38, missing=False) & Condition(0, high=0.64)
    >>> both.describe(schema), both.meets(np.array([0.38, 0.5, np.nan]))
    ('0.38 < density ≤ 0.64', array([False,  True, False]))
    """

    column: int
    low: float | int | None = None
    high: float | int | None = None
    codes: frozenset[int] | None = None
    named: frozenset[int] = frozenset()
    known: bool = True
    missing: bool = True

    def __and__(self, other: "Condition") -> "Condition":
        """Merge two conditions on one column."""
        assert self.column == other.column, "conditions on one column merge"
        missing = self.missing and other.missing
        if self.codes is not None and other.codes is not None:
            named = self.named | other.named
            codes = frozenset(code for code in named if self.takes(code) and other.takes(code))
            return replace(self, codes=codes, named=named, missing=missing)
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        low, high = max(lows, default=None), min(highs, default=None)
        known = self.known and other.known and (low is None or high is None or low < high)
        return Condition(self.column, low, high, known=known, missing=missing)

    @property
    def is_met_by_all(self) -> bool:
        """Whether every row meets it."""
        if self.codes is not None:
            return self.missing and self.codes == self.named
        return self.missing and self.known and self.low is None and self.high is None

    def takes(self, code: int) -> bool:
        """Return whether a category meets it; −1 is missing."""
        assert self.codes is not None, "for categories only"
        return code in self.codes if code in self.named else self.missing

    def meets(self, values: Array) -> Bool:
        """Return which rows of an encoded column meet it."""
        if self.codes is not None:
            return _of_codes(values, self.named, self.codes, otherwise=self.missing)
        # A float32 is compared as a float64; the cut is not rounded to float32.
        numbers = values.astype(np.float64, copy=False) if values.dtype.kind == "f" else values
        met = np.full(len(values), self.known)
        if self.low is not None:
            met &= numbers > self.low
        if self.high is not None:
            met &= numbers <= self.high
        met[is_missing_code(values)] = self.missing
        return met

    def describe(
        self, schema: Schema, says_missing: bool = True, is_joined: bool = False, room: int | None = None
    ) -> str:
        """Write the condition as text for people.

        Parameters
        ----------
        schema : Schema
            The columns.
        says_missing : bool
            Whether to mention that missing values meet it, if the training table had any.
        is_joined : bool
            Whether "and" joins it to other conditions: "or missing" then needs parentheses.
        room : int, optional
            Characters available for a list of categories; by default all categories are written.
        """
        column = schema.columns[self.column]
        text = self._text(column, room)
        if not (says_missing and self.missing and column.has_missing and self._takes_known):
            return text
        return f"({text} or missing)" if is_joined else f"{text} or missing"

    @property
    def _takes_known(self) -> bool:
        """Whether any known value meets it."""
        return self.known if self.codes is None else bool(self.codes)

    def _text(self, column: Column, room: int | None) -> str:
        if not self._takes_known:
            return f"{column.name} is missing"
        if self.codes is None:
            return _text_of_span(column.name, column, self.low, self.high)
        if self.codes == self.named and not self.missing:
            return f"{column.name} is known"
        spans = spans_of_bins(column, self.codes)
        if column.bins is not None and len(spans) == 1:
            return _text_of_span(column.name, column.bins, *spans[0])
        texts = [text_of_label(column.categories[code]) for code in sorted(self.codes)]
        return f"{column.name} {text_of_set(texts, room)}"


@dataclass(frozen=True, slots=True)
class Detour:
    """Where rows go for which a question on the way to a leaf has no branch.

    Parameters
    ----------
    column : int
        The column of the question.
    named : frozenset of int or None
        Categories that have a branch; None if the column is numeric.
    instead : tuple of Condition
        Conditions on other columns. The first one whose column has a value decides.
    otherwise : float
        Fractional weight of the row that goes on if no condition decides, from 0 to 1.

    Examples
    --------
    >>> detour = Detour(0, None, instead=(Condition(1, high=5.0),), otherwise=0.0)
    >>> detour.shares([np.array([1.0, np.nan, np.nan]), np.array([9.0, 4.0, np.nan])])
    array([1., 1., 0.])
    """

    column: int
    named: frozenset[int] | None
    instead: tuple[Condition, ...]
    otherwise: float

    def is_taken_under(self, condition: Condition) -> bool:
        """Return whether a row that meets a condition on the column may take the detour."""
        named, codes = self.named, condition.codes
        return condition.missing or (named is not None and codes is not None and not codes <= named)

    def shares(self, columns: Sequence[Array]) -> Float64:
        """Return the fractional weight with which every row goes on; 1 for rows that have a branch."""
        open_ = ~_has_branch(columns[self.column], self.named)
        shares = np.ones(len(open_))
        for condition in self.instead:
            values = columns[condition.column]
            decides = _has_branch(values, None if condition.codes is None else condition.named)
            shares[open_ & decides & ~condition.meets(values)] = 0.0
            open_ &= ~decides
        shares[open_] = self.otherwise
        return shares


@dataclass(frozen=True, slots=True)
class Path:
    """The path from the root to a leaf.

    Parameters
    ----------
    leaf : int
        Number of the leaf.
    conditions : tuple of Condition
        One for each column on the path, in the order of its first question.
    detours : tuple of Detour
        In the order of the questions. A row reaches the leaf with the product of their fractional weights.
    """

    leaf: int
    conditions: tuple[Condition, ...]
    detours: tuple[Detour, ...]

    def shares(self, columns: Sequence[Array]) -> Float64:
        """Return the fractional weight with which every row of some encoded columns reaches the leaf."""
        shares = np.ones(len(columns[0]))
        for condition in self.conditions:
            shares *= condition.meets(columns[condition.column])
        for detour in self.detours:
            shares *= detour.shares(columns)
        return shares


def condition_of(question: Question, branch: int) -> Condition:
    """Return the condition under which a row takes a branch.

    Examples
    --------
    >>> condition_of(Threshold(column=0, cut=35.5, missing_branch=1), 1)  # doctest: +ELLIPSIS
    Condition(column=0, low=35.5, high=None, codes=None, ..., known=True, missing=True)
    """
    missing = branch == question.missing_branch
    if isinstance(question, Threshold):
        if question.is_for_missing(branch):
            return Condition(question.column, known=False, missing=missing)
        cut = None if question.cut == np.inf else question.cut
        low, high = (cut, None) if branch else (None, cut)
        return Condition(question.column, low, high, missing=missing)
    named = frozenset().union(*question.codes)
    return Condition(question.column, codes=frozenset(question.codes[branch]), named=named, missing=missing)


def _step_to(tree: Tree, node: int, share: float) -> tuple[Condition, Detour | None]:
    """Return the condition for going from the parent to a node, and the detour that also leads there, if any.

    `share` is the fraction of a row that the node gets if the row goes down every branch.
    """
    parent = int(tree.parent[node])
    question = tree.inner_question(parent)
    branch = tree.children(parent).index(node)
    condition = condition_of(question, branch)
    surrogates = tree.surrogates.of(parent, tree.integer_columns)
    instead = tuple(condition_of(each.question, branch ^ each.is_reversed) for each in surrogates)
    otherwise = share if question.missing_branch < 0 else float(condition.missing)
    if not instead and otherwise in (0.0, 1.0):
        return replace(condition, missing=bool(otherwise)), None
    named = None if condition.codes is None else condition.named
    return replace(condition, missing=True), Detour(condition.column, named, instead, otherwise)


def paths(tree: Tree) -> tuple[Path, ...]:
    """List the paths to all leaves, in the order of their numbers."""
    shares = branch_shares(tree).tolist()
    conditions: list[dict[int, Condition]] = [{} for _ in range(tree.n_nodes)]
    detours: list[tuple[Detour, ...]] = [() for _ in range(tree.n_nodes)]
    found = []
    for node in range(tree.n_nodes):
        if node:
            parent = int(tree.parent[node])
            condition, detour = _step_to(tree, node, shares[node])
            above = conditions[parent].get(condition.column)
            both = condition if above is None else above & condition
            conditions[node] = {**conditions[parent], condition.column: both}
            detours[node] = detours[parent] if detour is None else (*detours[parent], detour)
        if tree.column[node] < 0:
            of = conditions[node]
            asked = tuple(each for each in of.values() if not each.is_met_by_all)
            taken = tuple(each for each in detours[node] if each.is_taken_under(of[each.column]))
            found.append(Path(node, asked, taken))
    return tuple(found)


def merged(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    """Merge conditions on the same column, in the order in which the columns first appear."""
    by_column: dict[int, list[Condition]] = {}
    for condition in conditions:
        by_column.setdefault(condition.column, []).append(condition)
    return tuple(reduce(Condition.__and__, each) for each in by_column.values())


Span = tuple[float | int | None, float | int | None]


def spans_of_bins(column: Column, codes: frozenset[int]) -> tuple[Span, ...]:
    """Return bins of a column as intervals (low, high]; adjacent bins become one interval.

    Examples
    --------
    >>> from treewright.schema import Bins
    >>> column = Column("x", "category", categories=("<= 1", "(1, 4]", "> 4"), bins=Bins((1.0, 4.0)))
    >>> spans_of_bins(column, frozenset({1, 2})), spans_of_bins(column, frozenset({0, 2}))
    (((1.0, None),), ((None, 1.0), (4.0, None)))
    """
    if column.bins is None or not codes:
        return ()
    edges: tuple[float | int | None, ...] = (None, *column.bins.edges, None)
    rising = sorted(codes)
    ends = [0, *(at + 1 for at, (a, b) in enumerate(pairwise(rising)) if b > a + 1), len(rising)]
    return tuple((edges[rising[a]], edges[rising[b - 1] + 1]) for a, b in pairwise(ends))


def text_of_end(column: Column, end: float | int) -> float | int | str:
    """Return a bound of an interval as JSON can hold it: a number, or a datetime as text."""
    of = column.bins or column
    return spell(end, of.kind, of.unit, of.zone) if of.kind in ("datetime", "duration") else end


def _of_codes(values: Array, named: frozenset[int], met: frozenset[int], otherwise: bool = False) -> Bool:
    """Return which values meet: codes in `named` if they are in `met`; others and −1 if `otherwise`."""
    met_by_code = np.full(max(named, default=-1) + 2, otherwise)
    met_by_code[list(named)] = False
    met_by_code[list(met & named)] = True
    return met_by_code[np.minimum(values, len(met_by_code) - 1)]  # −1 and all codes above are the last


def _has_branch(values: Array, named: frozenset[int] | None) -> Bool:
    """Return which rows of a column have a number or, if it is categorical, a category in `named`."""
    return ~is_missing_code(values) if named is None else _of_codes(values, named, named)


def _text_of_span(name: str, of: Column | Bins, low: float | int | None, high: float | int | None) -> str:
    if low is None and high is None:
        return f"{name} is known"
    texts = ["" if end is None else spell(end, of.kind, of.unit, of.zone) for end in (low, high)]
    if texts[0] == texts[1]:  # the bounds look equal when rounded to a few digits
        texts = [repr(low), repr(high)]
    if low is None:
        return f"{name} ≤ {texts[1]}"
    return f"{name} > {texts[0]}" if high is None else f"{texts[0]} < {name} ≤ {texts[1]}"
