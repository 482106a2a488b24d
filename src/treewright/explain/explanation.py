"""Explain the prediction for one row."""

from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.explain.error_bound import CONFIDENCE, bound_at
from treewright.explain.path import Leaf, Step, leaves_of, steps_of
from treewright.explain.shapley import expected_value, values_of
from treewright.formatting import format_count, format_decimals, format_number, format_percent, format_value
from treewright.grid import Grid, shortened
from treewright.model.model import Model
from treewright.model.routing import Decisions, decide
from treewright.model.rows import Row
from treewright.schema import Label

_ROUNDING = 1e-12  # relative to the largest prediction
_MOST_NODES = 40  # in the printed path
_MOST_NOTES = 8
_MOST_COLUMNS = 12  # in the printed table of columns
_MOST_LEAVES = 6
_MOST_CLASSES = 6


class _Level(float):
    """A prediction in a column of changes, written without a sign."""


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why a model predicts as it does for one row.

    It prints as a page: the path of the row, the leaf it reaches, and what each column contributes. If the
    path is long, only its first and last nodes are printed; `path_table` and `column_table` have all.

    Parameters
    ----------
    model : Model
        The model.
    row : Row
        The row.

    See Also
    --------
    treewright.DecisionTreeClassifier.explain : Explain a row; every estimator has it.

    Notes
    -----
    Arrays by class are in the order of `labels`. If the target is numeric, they have no axis for classes.

    `contributions` follow the path: the column that decides a step is credited with the prediction of the
    node below minus that of the node above. They add up to `prediction` − `root`. `shapley` divides
    `prediction` − `expected` among the columns by the game described in `treewright.explain.shapley`, in
    which the order of splits does not matter.

    Examples
    --------
    >>> import treewright as tw
    >>> tree = tw.DecisionTreeClassifier().fit({"age": [22, 35, 47, 58]}, ["no", "no", "yes", "yes"])
    >>> why = tree.explain({"age": 50})
    >>> why.answer, why.contributions.tolist()
    ('yes', [[-0.5, 0.5]])
    """

    model: Model
    row: Row

    @property
    def labels(self) -> tuple[Label, ...]:
        """The classes; empty if the target is numeric."""
        return self.model.schema.labels

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in the order of `contributions` and `shapley`."""
        return self.model.schema.names

    @cached_property
    def answer(self) -> Any:
        """The predicted class or number."""
        return self.labels[self._answer] if self.labels else float(self._prediction[0])

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The splits that the row passed, in the order of the nodes."""
        return tuple(steps_of(self.model, self.row, self._decisions))

    @cached_property
    def leaves(self) -> tuple[Leaf, ...]:
        """The leaf that the row reached; several if a value is missing and all branches were taken."""
        return tuple(leaves_of(self.model, self._decisions))

    @property
    def prediction(self) -> Any:
        """The probability of each class, or the number predicted."""
        return self._by_class(self._prediction)

    @property
    def root(self) -> Any:
        """The prediction of the root, which does not depend on the row."""
        return self._by_class(self._outcomes[0])

    @property
    def expected(self) -> Any:
        """The mean prediction of the leaves by training weight, from which Shapley values start."""
        return self._by_class(self._expected)

    @property
    def contributions(self) -> Any:
        """The sum of the changes that each column decided: an array with a row for each column."""
        return self._by_class(self._contributions)

    @property
    def shapley(self) -> Any:
        """The Shapley value of each column: an array with a row for each column."""
        return self._by_class(self._shapley)

    @cached_property
    def error_bound(self) -> float | None:
        """Upper limit of the error rate of the prediction in such leaves.

        It is the limit that C4.5 prunes by, see `treewright.explain.error_bound`; for several leaves, the
        mean weighted by their shares. None if the target is numeric or a leaf has no training rows.
        """
        if not self.labels:
            return None
        bounds = [bound_at(self.model.tree, leaf.node, self._answer) for leaf in self.leaves]
        terms = [leaf.share * b for leaf, b in zip(self.leaves, bounds, strict=True) if b is not None]
        return sum(terms) if len(terms) == len(bounds) else None

    def path_table(self, of: Label | None = None) -> Grid:
        """Return the path, a line for each node that the row passed.

        Parameters
        ----------
        of : label, optional
            The class whose probability is shown; by default the predicted class.

        Returns
        -------
        Grid
            One line for each node.
        """
        at = self._position(of)
        indent = "  " if len(self.leaves) > 1 else ""
        whole = f"all {format_count(int(self.model.tree.n_rows[0]), 'row')}"
        lines: list[tuple[Any, ...]] = [(whole, "", 1.0, float(self._outcomes[0, at]), None)]
        passed = ((taken, step) for step in self.steps for taken in step.taken)
        for taken, step in sorted(passed, key=lambda pair: pair[0].node):
            condition = shortened(indent * step.depth + taken.condition, 44)
            value = shortened(f"{step.column} {step.value}", 24)
            lines.append((condition, value, taken.share, float(taken.outcome[at]), float(taken.change[at])))
        conditions, values, shares, outcomes, changes = zip(*lines, strict=True)
        head = f"P({self.labels[at]})" if self.labels else self.model.schema.target_name or "value"
        columns = {"rows where": conditions, "this row has": values, **({"share": shares} if indent else {})}
        columns |= {head: outcomes, "change": changes}
        return Grid(columns, {"share": ".2f", head: self._style, "change": self._signed})

    def column_table(self, of: Label | None = None, max_columns: int | None = None) -> Grid:
        """Return the changes due to each column, the largest Shapley value first.

        The changes lead from a start to the prediction: on the path from the prediction of the root, for
        Shapley values from `expected`.

        Parameters
        ----------
        of : label, optional
            The class whose probability is shown; by default the predicted class.
        max_columns : int, optional
            Most columns to list; by default all that the tree splits on.

        Returns
        -------
        Grid
            One line for each column.
        """
        at = self._position(of)
        tree = self.model.tree
        used = {*tree.column.tolist(), *tree.surrogates.column.tolist()}
        # Rounded, so that rounding errors do not rank a column without any effect before another.
        size = np.round(np.abs(self._shapley[:, at]), 12)
        order = [column for column in np.argsort(-size, kind="stable").tolist() if column in used]
        on_path, shapley = self._contributions[:, at], self._shapley[:, at]
        start, end = _Level(self._expected[at]), _Level(self._prediction[at])
        lines: list[tuple[str, str, float, float]] = [("start", "", _Level(self._outcomes[0, at]), start)]
        for column in order[:max_columns]:
            name, value = shortened(self.columns[column], 24), shortened(self.row.text(column), 24)
            lines.append((name, value, float(on_path[column]), float(shapley[column])))
        if rest := order[len(lines) - 1 :]:
            lines.append((f"{len(rest):,} more", "", float(on_path[rest].sum()), float(shapley[rest].sum())))
        titles = ("column", "value", "on the path", "Shapley")
        columns = zip(*lines, ("answer", "", end, end), strict=True)
        return Grid(dict(zip(titles, columns, strict=True)), dict.fromkeys(titles[2:], self._signed))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values that JSON can hold.

        Returns
        -------
        dict
            Arrays by class are dicts by label; those by column are dicts by name.
        """
        return {
            "answer": self.answer,
            "prediction": self._plain(self._prediction),
            "root": self._plain(self._outcomes[0]),
            "expected": self._plain(self._expected),
            "error_bound": self.error_bound,
            "steps": [
                _without("depth", step)
                | {"taken": [_without("outcome", t) | {"change": self._plain(t.change)} for t in step.taken]}
                for step in self.steps
            ],
            "leaves": [
                vars(leaf) | {"counts": {str(label): count for label, count in leaf.counts.items()}}
                for leaf in self.leaves
            ],
            "contributions": self._named(self._contributions),
            "shapley": self._named(self._shapley),
        }

    def __str__(self) -> str:
        lines = ("\n".join(self._notes), "\n".join(self._leaf_lines))
        columns = self.column_table(max_columns=_MOST_COLUMNS).to_text() if self.steps else ""
        parts = (self._headline, self._path.to_text(max_rows=_MOST_NODES), *lines, columns)
        return "\n\n".join(part for part in parts if part)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{escape(line)}</p>" for line in (*self._notes, *self._leaf_lines))
        columns = self.column_table(max_columns=_MOST_COLUMNS).to_html() if self.steps else ""
        return f"<p><b>{escape(self._headline)}</b></p>{self._path.to_html(_MOST_NODES)}{lines}{columns}"

    @cached_property
    def _decisions(self) -> Decisions:
        return decide(self.model.tree, self.row.codes)

    @property
    def _outcomes(self) -> NDArray[np.float64]:
        return self.model.tree.probabilities

    @cached_property
    def _answer(self) -> int:
        return self.model.answer_in(*self._where)

    @cached_property
    def _where(self) -> tuple[list[int], list[float]]:
        return [leaf.node for leaf in self.leaves], [leaf.share for leaf in self.leaves]

    @cached_property
    def _prediction(self) -> NDArray[np.float64]:
        return self.model.mixed(*self._where, self._outcomes)

    @cached_property
    def _expected(self) -> NDArray[np.float64]:
        return expected_value(self.model.tree, self._outcomes)

    @cached_property
    def _contributions(self) -> NDArray[np.float64]:
        contributions = np.zeros((len(self.columns), self._outcomes.shape[1]))
        for step in self.steps:
            contributions[self._decisions.column[step.node]] += step.change
        return contributions

    @cached_property
    def _shapley(self) -> NDArray[np.float64]:
        return np.asarray(values_of(self.model.tree, self.row.codes)[0])

    @property
    def _headline(self) -> str:
        name = self.model.schema.target_name
        text = format_value(self.answer)
        if self.labels:
            text = f"{self.answer} (probability {format_decimals(self._prediction[self._answer])})"
        return f"{name}: {text}" if name else text

    @cached_property
    def _path(self) -> Grid:
        return self.path_table()

    @property
    def _notes(self) -> list[str]:
        """Say why the row went where it did, unless its value decided, and where the full path is listed."""
        reasons = [f"{step.reason}." for step in self.steps if step.reason]
        if len(reasons) > _MOST_NOTES:
            reasons[_MOST_NOTES:] = [f"... {len(reasons) - _MOST_NOTES:,} more reasons, in steps"]
        is_long = len(self._path) > _MOST_NODES
        return [*reasons, *([f"path_table() has all {len(self._path):,} nodes."] if is_long else [])]

    @property
    def _leaf_lines(self) -> list[str]:
        heaviest = sorted(self.leaves, key=lambda leaf: -leaf.share)[:_MOST_LEAVES]
        lines = [self._leaf_line(leaf) for leaf in heaviest]
        if len(self.leaves) > len(heaviest):
            lines.append(f"... {len(self.leaves) - len(heaviest):,} more leaves")
        if self.error_bound is not None:
            bound, level = format_percent(self.error_bound, decimals=1), format_percent(CONFIDENCE)
            lines.append(f"Wrong for up to {bound} of such rows (C4.5's upper limit, CF {level}).")
        return lines

    def _leaf_line(self, leaf: Leaf) -> str:
        begin = f"{format_percent(leaf.share)} in leaf" if len(self.leaves) > 1 else "Leaf"
        if self.labels:
            counts = sorted(leaf.counts.items(), key=lambda each: -each[1])
            texts = [f"{label} {format_number(count)}" for label, count in counts if count > 0]
        else:
            texts = [format_number(leaf.answer), f"impurity {format_number(leaf.impurity)}"]
        if len(texts) > _MOST_CLASSES:
            texts[_MOST_CLASSES:] = [f"... {len(texts) - _MOST_CLASSES} more"]
        about = f": {', '.join(texts)}" if texts else ""
        return f"{begin} {leaf.node} with {format_count(leaf.n_rows, 'row')}{about}"

    @cached_property
    def _style(self) -> str:
        """Three decimals for probabilities; otherwise enough to show six digits of the largest number."""
        if self.labels:
            return ".3f"
        largest = float(np.abs(self._outcomes).max())
        digits = 5 - int(np.floor(np.log10(largest))) if largest else 1
        return f".{max(digits, 0)}f" if -10 <= digits <= 10 else ".6g"

    def _signed(self, value: float) -> str:
        if abs(value) <= _ROUNDING * np.abs(self._outcomes).max():
            return format(0.0, self._style)  # only rounding errors of a sum that cancels out
        text = format(value, f"+{self._style}")
        if not float(text):
            return text[1:]  # neither +0 nor -0
        return text.removeprefix("+") if isinstance(value, _Level) else text

    def _position(self, of: Label | None) -> int:
        if of is None or not self.labels:
            return self._answer if self.labels else 0
        return self.model.schema.code_of_class(of, "of")

    def _by_class(self, values: NDArray[np.float64]) -> Any:
        if self.labels:
            return values.copy()
        return float(values[0]) if values.ndim == 1 else values[:, 0].copy()

    def _plain(self, values: NDArray[np.float64]) -> Any:
        if not self.labels:
            return float(values[0])
        return {str(label): float(value) for label, value in zip(self.labels, values, strict=True)}

    def _named(self, values: NDArray[np.float64]) -> dict[str, Any]:
        return {name: self._plain(each) for name, each in zip(self.columns, values, strict=True)}


def explain(model: Model, data: object) -> Explanation:
    """Explain the prediction of a model for one row.

    Parameters
    ----------
    model : Model
        The model.
    data : dict, series, 1-D array, list or table
        The row, see `treewright.model.rows.read_row`.

    Returns
    -------
    Explanation
    """
    return Explanation(model, model.row(data))


def _without(name: str, of: object) -> dict[str, Any]:
    return {key: value for key, value in vars(of).items() if key != name}
