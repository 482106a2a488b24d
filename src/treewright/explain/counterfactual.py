"""What would have to be different: the least change of a row that changes the answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from math import inf, isnan
from numbers import Real
from typing import Any

import numpy as np

from treewright.errors import (
    ColumnError,
    ParameterError,
    ParameterTypeError,
    UnreachableError,
    did_you_mean,
    listed,
)
from treewright.explain.search import Cost, Found, Goal, Search
from treewright.formatting import format_count, format_decimals, format_number
from treewright.grid import Grid, shortened
from treewright.model.model import Model
from treewright.model.routing import decide
from treewright.model.rows import Row
from treewright.schema import Classes, Label


@dataclass(frozen=True)
class Change:
    """A value that would have to be different.

    Parameters
    ----------
    column : str
        Where.
    before, after : object
        What the row has, and a value that will do: the nearest one, written in as many digits as the cut.
    was, condition : str
        The first in words, and every value that will do: "90", "≤ 75". With several changes, any values
        that meet all conditions lead to the same leaves.
    """

    column: str
    before: Any
    after: Any
    was: str
    condition: str

    def __str__(self) -> str:
        return f"{self.column} {self.was} → {self.condition}"


@dataclass(frozen=True, eq=False, repr=False)
class Counterfactual:
    """The least change of a row that changes the answer.

    Parameters
    ----------
    row : dict of str to object
        The row after the change, a value for each column.
    changes : tuple of Change
        What was changed; nothing where the row got the answer asked for already.
    cost : Cost
        Columns changed, and the distance: for numbers the share of the cuts which the tree asks about in that
        column that lie between the two values; 1 for a category, and for a value that was missing.
    before, answer : label or float
        What the model says of the row as it was, and as it is after the change.
    prediction : dict of label to float, or float
        The probabilities after the change, or the number.
    """

    row: dict[str, Any]
    changes: tuple[Change, ...]
    cost: Cost
    before: Any
    answer: Any
    prediction: Any

    def table(self) -> Grid:
        """Give the changes, a line for each."""
        return Grid(
            {
                "column": [shortened(change.column, 24) for change in self.changes],
                "this row has": [shortened(change.was, 24) for change in self.changes],
                "change to": [change.condition for change in self.changes],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain values."""
        prediction = self.prediction
        if isinstance(prediction, dict):
            prediction = {str(label): share for label, share in prediction.items()}
        return {
            "row": dict(self.row),
            "changes": [vars(change).copy() for change in self.changes],
            "cost": {"columns": self.cost.columns, "distance": float(self.cost.distance)},
            "before": self.before,
            "answer": self.answer,
            "prediction": prediction,
        }

    def __str__(self) -> str:
        return f"{self._headline}\n\n{self.table()}\n\n{self._last_line}" if self.changes else self._headline

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = f"<p><b>{escape(self._headline)}</b></p>"
        return f"{head}{self.table().to_html()}<p>{escape(self._last_line)}</p>" if self.changes else head

    @property
    def _headline(self) -> str:
        answer = self.answer
        if isinstance(self.prediction, dict):
            text = f"{answer} (probability {format_decimals(self.prediction[answer])})"
        else:
            text = format_number(answer)
        if not self.changes:
            return f"{text}: nothing has to change"
        before = self.before if isinstance(self.prediction, dict) else format_number(self.before)
        return f"{text} instead of {before}, if"

    @property
    def _last_line(self) -> str:
        n = len(self.changes)
        return (
            f"No smaller change does: {format_count(n, 'column')} of {len(self.row)}, "
            f"distance {format_decimals(float(self.cost.distance), 2)}."
        )


def counterfactual(model: Model, data: object, target: Any = None, keep: Any = ()) -> Counterfactual:
    """Find the least change of a row that changes the answer.

    Parameters
    ----------
    model : Model
        The model.
    data : dict, series, 1-D array, list or table
        The row, see `treewright.model.rows.read_row`.
    target : label or (low, high), optional
        The class to reach, or the range of the number, ends included and None for an open one. By default
        any other answer.
    keep : str or iterable of str
        Columns that may not change.

    Returns
    -------
    Counterfactual

    Raises
    ------
    UnreachableError
        If no allowed change leads there.
    """
    row = model.row(data)
    kept = _kept(model, keep)
    before = _leaves(model, row)
    goal = _goal(model, target, before)
    search = Search(model, row, kept)
    found = search.run(goal)
    if found is None:
        raise UnreachableError(_why_not(model, row, goal, target, kept, before))
    return _result(model, row, search, found, before)


def _leaves(model: Model, row: Row) -> list[tuple[int, float]]:
    reach = decide(model.tree, row.codes).reach
    nodes = np.flatnonzero((reach > 0) & (model.tree.column < 0))
    return list(zip(nodes.tolist(), reach[nodes].tolist(), strict=True))


def _answer(model: Model, leaves: Iterable[tuple[int, float]]) -> tuple[Any, Any]:
    """Give what is said of a row in these leaves, and the probabilities or the number behind it."""
    nodes, shares = zip(*leaves, strict=True)
    prediction = model.mixed(nodes, shares, model.tree.probabilities)
    target = model.schema.target
    if not isinstance(target, Classes):
        return float(prediction[0]), float(prediction[0])
    probabilities = dict(zip(target.labels, prediction.tolist(), strict=True))
    return target.labels[model.answer_in(nodes, shares)], probabilities


def _result(
    model: Model, row: Row, search: Search, found: Found, before: list[tuple[int, float]]
) -> Counterfactual:
    changed = dict(row.given)
    changes = []
    for column, cells in sorted(found.cells.items()):
        axis, name = search.axes[column], model.schema.names[column]
        changed[name] = axis.value(cells, row.given[name])
        about = row.text(column), axis.describe(cells)
        changes.append(Change(name, row.given[name], changed[name], *about))
    answer, prediction = _answer(model, found.leaves)
    cost = Cost(found.cost.columns, float(found.cost.distance))
    return Counterfactual(changed, tuple(changes), cost, _answer(model, before)[0], answer, prediction)


def _kept(model: Model, keep: Any) -> frozenset[int]:
    names = [keep] if isinstance(keep, str) else keep
    if not isinstance(names, Iterable):
        raise ParameterTypeError(f"keep={keep!r} is no list of columns; give their names.")
    known = model.schema.names
    kept = set()
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f" There are {listed(known)}."
            raise ColumnError(f"keep names {name!r}, which is no column of the training table.{hint}")
        kept.add(known.index(name))
    return frozenset(kept)


def _goal(model: Model, target: Any, before: list[tuple[int, float]]) -> Goal:
    if isinstance(model.schema.target, Classes):
        return _goal_of_class(model, model.schema.target.labels, target, before)
    return _goal_of_number(model, target, before)


def _goal_of_class(
    model: Model, labels: tuple[Label, ...], target: Any, before: list[tuple[int, float]]
) -> Goal:
    tree = model.tree
    losses = -tree.shares if tree.loss is None else tree.shares @ tree.loss
    every = range(len(labels))
    if target is None:
        nodes, shares = zip(*before, strict=True)
        now = model.answer_in(nodes, shares)
        others = [code for code in every if code != now]
        gaps = losses[:, others] - losses[:, [now]]
        return Goal(model, gaps, of_all=False, answers=frozenset(others))
    wanted = target.item() if isinstance(target, np.generic) else target
    if wanted not in labels:
        hint = did_you_mean(wanted, labels) or f" There are {listed(labels)}."
        raise ParameterError(f"target={target!r} is none of the classes.{hint}")
    code = labels.index(wanted)
    gaps = losses[:, [code]] - losses[:, [other for other in every if other != code]]
    return Goal(model, gaps, of_all=True, answers=frozenset({code}))


def _goal_of_number(model: Model, target: Any, before: list[tuple[int, float]]) -> Goal:
    value = model.tree.outcome[:, 0]
    if target is None:
        now = float(_answer(model, before)[0])
        gaps = np.stack([now - value, value - now], axis=1)
        return Goal(model, gaps, of_all=False, other_than=now)
    low, high = _range(target)
    demands = [low - value] * (low > -inf) + [value - high] * (high < inf)
    gaps = np.stack(demands, axis=1) if demands else np.zeros((len(value), 0))
    return Goal(model, gaps, of_all=True, values=(low, high))


def _range(target: Any) -> tuple[float, float]:
    how = "give the range wanted as (low, high), None for an open end"
    if not isinstance(target, tuple | list) or len(target) != 2:
        raise ParameterTypeError(f"target={target!r} is no range; {how}.")
    if not all(end is None or (isinstance(end, Real) and not isinstance(end, bool)) for end in target):
        raise ParameterTypeError(f"target={target!r} has an end that is no number; {how}.")
    low, high = (outer if end is None else float(end) for end, outer in zip(target, (-inf, inf), strict=True))
    if isnan(low) or isnan(high) or low > high:
        raise ParameterError(
            f"target={target!r} holds no number: the first end must not be above the second."
        )
    return low, high


def _why_not(
    model: Model,
    row: Row,
    goal: Goal,
    target: Any,
    kept: frozenset[int],
    before: list[tuple[int, float]],
) -> str:
    """Say why no change leads to the answer."""
    answer = _answer(model, before)[0]
    what = f"an answer other than {answer!r}" if target is None else f"target={target!r}"
    if not model.tree.max_depth:
        return f"{what} cannot be reached: the tree asks nothing and says {answer!r} of every row."
    if kept:
        needed = _needed(model, row, goal, kept)
        if needed:
            stay, it = ("stays", "it") if len(needed) == 1 else ("stay", "them")
            return f"{what} cannot be reached while {listed(needed)} {stay} the same. Take {it} out of keep."
    leaves = np.flatnonzero(model.tree.column < 0).tolist()
    if not any(goal.is_met([(leaf, 1.0)]) for leaf in leaves):
        return f"{what} cannot be reached: no leaf of the tree says so. {_said(model, leaves)}"
    return (
        f"{what} cannot be reached: the leaves that say so are for rows without a value, or no row can get "
        "there at all, and a change never takes a value away."
    )


def _needed(model: Model, row: Row, goal: Goal, kept: frozenset[int]) -> list[str]:
    """Name columns to be kept that stand in the way; none if no change of them would help."""
    try:
        free = Search(model, row).run(goal)
    except UnreachableError:  # too many ways to look through: any of them may stand in the way
        return [model.schema.names[column] for column in sorted(kept)]
    return [] if free is None else [model.schema.names[c] for c in sorted(free.cells) if c in kept]


def _said(model: Model, leaves: list[int]) -> str:
    target = model.schema.target
    if isinstance(target, Classes):
        answers = sorted({int(model.tree.answer[leaf]) for leaf in leaves})
        return f"They say {listed(target.labels[code] for code in answers)}."
    values = model.tree.outcome[leaves, 0]
    low, high = (format_number(float(end)) for end in (values.min(), values.max()))
    return f"They say numbers from {low} to {high}."
