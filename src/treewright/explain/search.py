"""Find the smallest change of a row that leads to a prediction: an exact search over the leaves of a tree.

A state is an unfinished walk: for every column the cells that its value may still be in, the nodes where
fractions of the row are, and the leaves that other fractions have reached. At a node, a state is divided by
the branch taken; each new state keeps the cells that take it. If rows with a missing value take every branch,
one more state keeps the value missing, and the row goes to every child. The cost of a state is the sum of the
least costs of its columns, and can only grow. The cheapest state is expanded first, so the first one that
ends with the wanted prediction is the smallest change.
"""

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.errors import UnreachableError
from treewright.explain.cells import Axis
from treewright.model.model import Model
from treewright.model.questions import Threshold
from treewright.model.routing import branch_shares
from treewright.model.rows import Row

Part = tuple[int, float]  # a node, and the fraction of the row there

ROUNDING = 2.0**-40
# Only rows that are in many leaves at once need more states. The number of mixtures then grows with every
# column that changes, so the search ends with an error instead of running forever.
_MOST_STATES = 50_000


class Cost(NamedTuple):
    """Cost of a change: the number of columns counts first, then the distance.

    Parameters
    ----------
    columns : int
        Number of columns that change.
    distance : Fraction or float
        Sum of the distances by which they change, see `treewright.explain.cells.Axis.distance`.
    """

    columns: int
    distance: Fraction | float


@dataclass(frozen=True)
class Goal:
    """The prediction to reach.

    Parameters
    ----------
    model : Model
        The model.
    gaps : array of shape (n_nodes, n)
        How far each node is from meeting each of n conditions, which are met at 0 or less. Gaps are linear in
        the outcomes of nodes, so that the gap of a row in several leaves is the weighted mean of theirs.
    of_all : bool
        Whether all conditions must be met, or only one of them.
    is_met : callable
        Returns whether a row in some leaves gets the wanted prediction.
    """

    model: Model
    gaps: NDArray[np.float64]
    of_all: bool
    is_met: Callable[[Sequence[Part]], bool]

    def may_be_met(self, least: NDArray[np.float64]) -> bool:
        """Return whether the conditions are met by the least gaps with which a walk can still end."""
        met = least <= self._slack
        return bool(met.all() if self.of_all else met.any())

    @cached_property
    def least_below(self) -> NDArray[np.float64]:
        """For each node, the least gap of each condition among the leaves below it."""
        tree = self.model.tree
        least = np.where((tree.column < 0)[:, None], self._gaps, np.inf)
        for level in reversed(tree.levels[1:]):
            np.minimum.at(least, tree.parent[level], least[level])
        return least

    @cached_property
    def _gaps(self) -> NDArray[np.float64]:
        """The gaps; if rows are never divided, 1 for leaves that do not meet the goal and 0 for others."""
        if self.model.spreads:
            return self.gaps
        wrong = np.ones((self.model.tree.n_nodes, 1))
        for leaf in np.flatnonzero(self.model.tree.column < 0).tolist():
            wrong[leaf] = not self.is_met([(leaf, 1.0)])
        return wrong

    @cached_property
    def _slack(self) -> float:
        """Tolerance for rounding: it is better to search in vain than to miss a solution."""
        return 16 * ROUNDING * float(np.abs(self._gaps).max(initial=0.0))


class Found(NamedTuple):
    """The result of a search: the cells of the columns that change, their cost, and the leaves reached."""

    cells: dict[int, int]
    cost: Cost
    leaves: tuple[Part, ...]


class _State(NamedTuple):
    """States are compared by their first three fields; no two have the same number."""

    cost: Cost
    node: int  # the next node: among equal costs the first leaf of the tree wins
    number: int  # makes the order of states the same in every run
    cells: dict[int, int]
    open: tuple[Part, ...]
    leaves: tuple[Part, ...]
    least: NDArray[np.float64]  # the least gaps with which it can still end


class Search:
    """A search for changes of a row.

    Parameters
    ----------
    model : Model
        The model.
    row : Row
        The row.
    keep : set of int
        Columns that may not change.
    """

    def __init__(self, model: Model, row: Row, keep: frozenset[int] = frozenset()) -> None:
        self._tree = model.tree
        asked = {*model.tree.column.tolist(), *model.tree.surrogates.column.tolist()} - {-1}
        self.axes = {column: Axis.of(model.tree, row, column) for column in sorted(asked)}
        known = {column: 0 if column in keep else axis.known for column, axis in self.axes.items()}
        self._start = {column: known[column] | 1 << axis.here for column, axis in self.axes.items()}
        self._share = branch_shares(model.tree).tolist()
        self._look = cache(self._read)
        self._numbers = count(1)

    def run(self, goal: Goal) -> Found | None:
        """Find the smallest change; None if there is none."""
        below = goal.least_below
        states = [_State(Cost(0, Fraction(0)), 0, 0, self._start, ((0, 1.0),), (), below[0])]
        for _ in range(_MOST_STATES + 2 * self._tree.n_nodes):
            if not states:
                return None
            state = heapq.heappop(states)
            if not goal.may_be_met(state.least):
                continue
            if state.open:
                for following in self._next(state, below):
                    heapq.heappush(states, following)
            elif goal.is_met(state.leaves):
                changed = {c: cells for c, cells in state.cells.items() if self._cost(c, cells).columns}
                return Found(changed, state.cost, state.leaves)
        raise UnreachableError(
            f"no change was found among the {_MOST_STATES:,} cheapest: the row has missing values and "
            "reaches too many leaves at once. Fill some of them in, widen the target, or name columns "
            "in keep."
        )

    def _next(self, state: _State, below: NDArray[np.float64]) -> Iterator[_State]:
        """Yield the states that follow a state at its first open node with a choice of branches."""
        cells, least = state.cells, state.least
        stack, leaves = list(reversed(state.open)), list(state.leaves)
        while stack:
            node, share = stack.pop()
            if self._tree.column[node] < 0:
                leaves.append((node, share))
                continue
            ways = list(self._ways(node, cells))
            after = [self._opened(node, share, branch) for branch, _ in ways]
            if len(ways) == 1:
                stack += reversed(after[0])
                least = least + self._gain(below, node, share, after[0])
                cells = {**cells, **ways[0][1]}
                continue
            for (_, narrowed), opened in zip(ways, after, strict=True):
                cost, open_ = self._narrowed_cost(state.cost, cells, narrowed), (*opened, *reversed(stack))
                gaps = least + self._gain(below, node, share, opened)
                begun = {**cells, **narrowed}
                yield _State(cost, opened[0][0], next(self._numbers), begun, open_, tuple(leaves), gaps)
            return
        yield _State(state.cost, leaves[-1][0], next(self._numbers), cells, (), tuple(leaves), least)

    def _opened(self, node: int, share: float, branch: int) -> list[Part]:
        children = self._look(node).children
        if branch >= 0:
            return [(children[branch], share)]
        parts = ((child, share * self._share[child]) for child in children)
        return [part for part in parts if part[1] > 0]

    @staticmethod
    def _gain(below: NDArray[np.float64], node: int, share: float, opened: list[Part]) -> Any:
        """Return by how much the least gaps grow if the row goes on from a node."""
        return sum(part * below[child] for child, part in opened) - share * below[node]

    def _narrowed_cost(self, cost: Cost, cells: Mapping[int, int], narrowed: Mapping[int, int]) -> Cost:
        """Add the cost of having fewer cells in some columns."""
        for column, kept in narrowed.items():
            if kept != cells[column]:
                before, after = self._cost(column, cells[column]), self._cost(column, kept)
                more = after.distance - before.distance
                cost = Cost(cost.columns + after.columns - before.columns, cost.distance + more)
        return cost

    def _cost(self, column: int, cells: int) -> Cost:
        axis = self.axes[column]
        cell = axis.nearest(cells)
        return Cost(int(cell != axis.here), axis.distance(cell))

    def _ways(self, node: int, cells: Mapping[int, int]) -> Iterator[tuple[int, dict[int, int]]]:
        """List the branches that a row may take (−1 means all), each with the cells that this requires."""
        column, takes, missing_branch, surrogates, _ = self._look(node)
        here = cells[column]
        left = here & ~sum(takes)
        # Whether rows with a missing value share a branch with other rows.
        is_shared = missing_branch >= 0 and not surrogates
        for branch, mask in enumerate(takes):
            kept = here & mask | (left if is_shared and branch == missing_branch else 0)
            if kept:
                yield branch, {column: kept}
        if is_shared or not left:
            return
        asked = {column: left}
        for other, masks in surrogates:
            here = asked.get(other, cells[other])
            for branch, mask in enumerate(masks):
                if here & mask:
                    yield branch, {**asked, other: here & mask}
            asked[other] = here & ~sum(masks)
            if not asked[other]:
                return
        yield missing_branch, asked

    def _read(self, node: int) -> "_Split":
        tree = self._tree
        question, children = tree.inner_question(node), tree.children(node)
        surrogates = []
        for surrogate in tree.surrogates.of(node, tree.integer_columns):
            other = surrogate.question
            masks = self.axes[other.column].branches(other, 2)
            is_reversed = surrogate.is_reversed and isinstance(other, Threshold)
            surrogates.append((other.column, masks[::-1] if is_reversed else masks))
        takes = self.axes[question.column].branches(question, len(children))
        return _Split(question.column, takes, question.missing_branch, surrogates, children)


class _Split(NamedTuple):
    """A question in terms of cells: the cells of each branch, for the column and for its surrogates."""

    column: int
    takes: list[int]
    missing_branch: int
    surrogates: list[tuple[int, list[int]]]
    children: tuple[int, ...]
