"""Counterfactuals: the smallest change of a row that changes the prediction."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from math import inf, isnan
from numbers import Real
from typing import Any

import numpy as np

from treewright import errors
from treewright.explain.search import ROUNDING, Cost, Goal, Part, Search
from treewright.formatting import format_count, format_decimals, format_number, format_value
from treewright.grid import Grid, shortened
from treewright.model.model import Model
from treewright.model.routing import decide
from treewright.model.rows import Row


@dataclass(frozen=True)
class Change:
    """A value to change.

    Parameters
    ----------
    column : str
        The column.
    before, after : object
        The row's value, and the nearest one that suffices, with as many digits as the threshold.
    was, condition : str
        The value before as text, and a condition for all values that suffice: "90", "≤ 75". With several
        changes, any values that meet all conditions lead to the same leaves.
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
    """The smallest change of a row that changes the prediction.

    It prints as a table of the values to change.

    Parameters
    ----------
    row : dict of str to object
        The row after the change, a value for each column.
    changes : tuple of Change
        The values that changed; empty if the row already had the requested prediction.
    cost : Cost
        Number of columns changed, and the distance: for numbers the fraction of the column's thresholds that
        lie between the two values; 1 for a category, and for a value that was missing.
    before, answer : label or float
        The predictions for the row before and after the change.
    prediction : dict of label to float, or float
        The probabilities after the change, or the number.

    See Also
    --------
    treewright.DecisionTreeClassifier.counterfactual : Find the change; every estimator has it.

    Examples
    --------
    >>> import treewright as tw
    >>> tree = tw.DecisionTreeClassifier().fit({"age": [22, 35, 47, 58]}, ["no", "no", "yes", "yes"])
    >>> found = tree.counterfactual({"age": 50})
    >>> found.before, found.answer, found.cost.columns
    ('yes', 'no', 1)
    """

    row: dict[str, Any]
    changes: tuple[Change, ...]
    cost: Cost
    before: Any
    answer: Any
    prediction: Any

    def table(self) -> Grid:
        """Return the changes, one line for each.

        Returns
        -------
        Grid
            The column, its value and the condition to meet.
        """
        return Grid(
            {
                "column": [shortened(change.column, 24) for change in self.changes],
                "this row has": [shortened(change.was, 24) for change in self.changes],
                "change to": [change.condition for change in self.changes],
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values.

        Returns
        -------
        dict
            With the keys ``row``, ``changes``, ``cost``, ``before``, ``answer`` and ``prediction``.
        """
        about = {**vars(self), "row": dict(self.row), "changes": [asdict(change) for change in self.changes]}
        if isinstance(self.prediction, dict):
            about["prediction"] = {str(label): share for label, share in self.prediction.items()}
        return {**about, "cost": self.cost._asdict()}

    def __str__(self) -> str:
        return f"{self._headline}\n\n{self.table()}\n\n{self._last_line}" if self.changes else self._headline

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = f"<p><b>{escape(self._headline)}</b></p>"
        return f"{head}{self.table().to_html()}<p>{escape(self._last_line)}</p>" if self.changes else head

    @property
    def _headline(self) -> str:
        text, before = format_value(self.answer), format_value(self.before)
        if isinstance(self.prediction, dict):
            before = self.before
            text = f"{self.answer} (probability {format_decimals(self.prediction[self.answer])})"
        return f"{text} instead of {before}, if" if self.changes else f"{text}: nothing has to change"

    @property
    def _last_line(self) -> str:
        columns = f"{format_count(len(self.changes), 'column')} of {len(self.row)}"
        return f"No smaller change does: {columns}, distance {format_decimals(float(self.cost.distance), 2)}."


def counterfactual(model: Model, data: object, target: Any = None, keep: Any = ()) -> Counterfactual:
    """Find the smallest change of a row that changes the prediction.

    Parameters
    ----------
    model : Model
        The model.
    data : dict, series, 1-D array, list or table
        The row, see `treewright.model.rows.read_row`.
    target : label or (low, high), optional
        The class to reach, or a range for the number, including its ends, with None for an open end. By
        default any other prediction.
    keep : str or iterable of str
        Columns that may not change.

    Returns
    -------
    Counterfactual

    Raises
    ------
    UnreachableError
        If no allowed change leads to the target.
    """
    return _Task(model, model.row(data), target, _kept(model, keep)).run()


def _kept(model: Model, keep: Any) -> frozenset[int]:
    names = [keep] if isinstance(keep, str) else keep
    if not isinstance(names, Iterable):
        raise errors.ParameterTypeError(f"keep={keep!r} is not a list of columns; give their names.")
    names, known = tuple(names), model.schema.names
    for name in names:
        if name not in known:
            what = f"keep names {name!r}, which is not a column of the training table."
            raise errors.ColumnError(what + errors.suggestion(name, known))
    return frozenset(map(known.index, names))


@dataclass(frozen=True)
class _Task:
    """A row, the prediction to reach, and the columns to keep."""

    model: Model
    row: Row
    target: Any
    kept: frozenset[int]

    def run(self) -> Counterfactual:
        search = Search(self.model, self.row, self.kept)
        found = search.run(self._goal)
        if found is None:
            raise errors.UnreachableError(self._why_not())
        changed, changes = dict(self.row.given), []
        for column, cells in sorted(found.cells.items()):
            axis, name, was = search.axes[column], self.model.schema.names[column], self.row.text(column)
            before, changed[name] = changed[name], axis.value(cells, changed[name])
            changes.append(Change(name, before, changed[name], was, axis.describe(cells)))
        cost = Cost(found.cost.columns, float(found.cost.distance))
        answer, prediction = self._predicted(found.leaves)
        return Counterfactual(changed, tuple(changes), cost, self._now, answer, prediction)

    def _predicted(self, leaves: Iterable[Part]) -> tuple[Any, Any]:
        """Return the prediction for a row in these leaves, and its probabilities or number."""
        nodes, shares = zip(*leaves, strict=True)
        outcome = self.model.mixed(nodes, shares, self.model.tree.probabilities).tolist()
        labels = self.model.schema.labels
        if not labels:
            return outcome[0], outcome[0]
        return labels[self.model.answer_in(nodes, shares)], dict(zip(labels, outcome, strict=True))

    @cached_property
    def _now(self) -> Any:
        """The prediction for the row as it is."""
        tree = self.model.tree
        reach = decide(tree, self.row.codes).reach
        nodes = np.flatnonzero((reach > 0) & (tree.column < 0))
        return self._predicted(zip(nodes.tolist(), reach[nodes].tolist(), strict=True))[0]

    @cached_property
    def _goal(self) -> Goal:
        model, tree, labels, target = self.model, self.model.tree, self.model.schema.labels, self.target
        if labels:
            losses = -tree.shares if tree.loss is None else tree.shares @ tree.loss
            now = self._now if target is None else target
            code = model.schema.code_of_class(now, "target")
            gaps = losses[:, [code]] - np.delete(losses, code, axis=1)
            if target is None:
                return Goal(model, -gaps, False, lambda leaves: self._code(leaves) != code)
            return Goal(model, gaps, True, lambda leaves: self._code(leaves) == code)
        low, high = (self._now, self._now) if target is None else _range(target)
        value = tree.outcome[:, 0]
        gaps = np.stack([low - value, value - high], axis=1)[:, np.isfinite([low, high])]
        if target is None:
            return Goal(model, gaps, False, self._is_other_number)
        return Goal(model, gaps, True, lambda leaves: low <= self._number(leaves) <= high)

    def _code(self, leaves: Sequence[Part]) -> int:
        return self.model.answer_in(*zip(*leaves, strict=True))

    def _number(self, leaves: Sequence[Part]) -> float:
        at, shares = zip(*leaves, strict=True)
        return float(self.model.mixed(at, shares, self.model.tree.outcome)[0])

    def _is_other_number(self, leaves: Sequence[Part]) -> bool:
        if len(leaves) == 1:
            return bool(self._number(leaves) != self._now)
        largest = max(abs(self._now), *(abs(self.model.tree.outcome[node, 0]) for node, _ in leaves))
        return bool(abs(self._number(leaves) - self._now) > ROUNDING * largest)

    def _why_not(self) -> str:
        """Say why no change leads to the prediction."""
        tree, now, labels = self.model.tree, self._now, self.model.schema.labels
        what = f"an answer other than {now!r}" if self.target is None else f"target={self.target!r}"
        what += " cannot be reached"
        if not tree.max_depth:
            return f"{what}: the tree is a single leaf and predicts {now!r} for every row."
        if needed := self._needed():
            stay, it = ("stays", "it") if len(needed) == 1 else ("stay", "them")
            return f"{what} while {errors.listed(needed)} {stay} the same. Take {it} out of keep."
        leaves = np.flatnonzero(tree.column < 0).tolist()
        if any(self._goal.is_met([(leaf, 1.0)]) for leaf in leaves):
            return (
                f"{what}: the leaves that predict it are for rows with a missing value, or no row reaches "
                "them, and a change never makes a value missing."
            )
        if labels:
            said = errors.listed(labels[code] for code in sorted(set(tree.answer[leaves].tolist())))
        else:
            values = tree.outcome[leaves, 0]
            low, high = (format_number(float(end)) for end in (values.min(), values.max()))
            said = f"numbers from {low} to {high}"
        return f"{what}: no leaf of the tree predicts it. They predict {said}."

    def _needed(self) -> list[str]:
        """Name the kept columns that prevent the change; none if changing them would not help."""
        try:
            free = Search(self.model, self.row).run(self._goal) if self.kept else None
            needed = self.kept.intersection(free.cells if free else ())
        except errors.UnreachableError:  # too many paths to search: any of the columns may prevent it
            needed = self.kept
        return [self.model.schema.names[column] for column in sorted(needed)]


def _range(target: Any) -> tuple[float, float]:
    how = "give the range wanted as (low, high), None for an open end"
    if not isinstance(target, tuple | list) or len(target) != 2:
        raise errors.ParameterTypeError(f"target={target!r} is not a range; {how}.")
    if not all(end is None or (isinstance(end, Real) and not isinstance(end, bool)) for end in target):
        raise errors.ParameterTypeError(f"target={target!r} has an end that is not a number; {how}.")
    low, high = (outer if end is None else float(end) for end, outer in zip(target, (-inf, inf), strict=True))
    if isnan(low) or isnan(high) or low > high:
        raise errors.ParameterError(
            f"target={target!r} holds no number: the first end must not be above the second."
        )
    return low, high
