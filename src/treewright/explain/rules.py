"""Rules: a tree as sentences of the form "if ... then ...", each with measures of its reliability."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from typing import Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from treewright.explain import rules_as_json, rules_as_sql
from treewright.explain.error_bound import CONFIDENCE, bound_at
from treewright.explain.rules_as_sql import ROUNDING
from treewright.formatting import format_count, format_value
from treewright.grid import Grid, in_markdown, text_width
from treewright.model.conditions import Condition, Detour, Path, paths
from treewright.model.model import Model
from treewright.model.questions import ROOM
from treewright.schema import Label, Schema

Kind: TypeAlias = Literal["leaves", "c45rules"]

SHOWN = 60  # most rules to print
_ALIKE = 1e-6  # relative difference between the weight of rows and their number that rounding may cause


@dataclass(frozen=True)
class Rule:
    """One rule.

    Parameters
    ----------
    schema : Schema
        The columns of the conditions.
    path : Path
        What a row must meet. `conditions` has one condition for each column; `detours` say what happens to
        rows with a missing value if surrogates decide, or if a fraction of the row takes every branch.
    answer : str, bool, int or float
        The class or the number that it predicts.
    outcome : tuple of float
        Share of each class among the rows that meet it, or the number.
    n_rows : int
        Training rows that meet it.
    weight : float
        Their weight.
    support : float
        Their share of the weight of all rows.
    confidence : float or None
        Share of `answer` in their weight; None if no row meets it, or `answer` is a number.
    lift : float or None
        `confidence` as a multiple of the share of `answer` in the whole table.
    error_bound : float or None
        Upper limit of the share of other classes among new rows.
    spread : float or None
        If `answer` is a number: how far the rows are from it.
    """

    schema: Schema = field(repr=False)
    path: Path
    answer: Label
    outcome: tuple[float, ...]
    n_rows: int
    weight: float
    support: float
    confidence: float | None = None
    lift: float | None = None
    error_bound: float | None = None
    spread: float | None = None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions that a row must meet, one for each column."""
        return self.path.conditions

    @property
    def detours(self) -> tuple[Detour, ...]:
        """What happens to rows with a missing value."""
        return self.path.detours

    @property
    def texts(self) -> tuple[str, ...]:
        """The conditions as text."""
        return _texts(self)

    @property
    def premise(self) -> str:
        """The conditions as text, joined by "and"; empty if every row meets the rule."""
        return _premise(self)

    def __str__(self) -> str:
        return f"if {self.premise or 'anything'} then {format_value(self.answer)}"


def _texts(rule: Rule, is_joined: bool = False, room: int | None = None) -> tuple[str, ...]:
    on_detour = {each.column for each in rule.detours}
    return tuple(
        each.describe(rule.schema, each.column not in on_detour, is_joined, room) for each in rule.conditions
    )


def _premise(rule: Rule, room: int | None = None) -> str:
    return " and ".join(_texts(rule, len(rule.conditions) > 1, room))


class RuleSet:
    """Rules that predict together.

    It prints as a table, predicts, and writes itself as text, Markdown, JSON and SQL.

    Parameters
    ----------
    model : Model
        The model that they come from.
    rules : sequence of Rule
        In order.
    kind : {"leaves", "c45rules"}
        With ``"leaves"`` every row meets one rule, or several in fractions that add up to 1. With
        ``"c45rules"`` the first rule that a row meets predicts.
    default : int, optional
        Position of the class that is predicted for rows that meet no rule.
    labels : array, optional
        The classes in the type in which to return them.

    See Also
    --------
    treewright.C45Classifier.rules : Make the rules; every estimator has it.

    Examples
    --------
    >>> import treewright as tw
    >>> columns, target = tw.datasets.load("golf")
    >>> rules = tw.C45Classifier().fit(columns, target).rules()
    >>> print(rules)
    then        rows  confidence   lift  error ≤  if
    Play           4       1.000  1.556    0.293  outlook = overcast
    Play           3       1.000  1.556    0.370  outlook = rain and windy = false
    Don't Play     2       1.000  2.800    0.500  outlook = rain and windy = true
    Play           2       1.000  1.556    0.500  outlook = sunny and humidity ≤ 75
    Don't Play     3       1.000  2.800    0.370  outlook = sunny and humidity > 75
    >>> len(rules), str(rules[0]), rules[0].support
    (5, 'if outlook = overcast then Play', 0.2857142857142857)
    """

    def __init__(
        self,
        model: Model,
        rules: Sequence[Rule],
        kind: Kind = "leaves",
        default: int | None = None,
        labels: NDArray[Any] | None = None,
    ) -> None:
        self.model = model
        self.rules = tuple(rules)
        self.kind = kind
        self._default = default
        self._labels = np.array(self.classes) if labels is None and self.classes else labels

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    @overload
    def __getitem__(self, at: int) -> Rule: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Rule, ...]: ...
    def __getitem__(self, at: int | slice) -> Rule | tuple[Rule, ...]:
        return self.rules[at]

    def __repr__(self) -> str:
        return f"<RuleSet: {format_count(len(self), 'rule')}, kind={self.kind!r}>"

    def __str__(self) -> str:
        return self.to_text(max_rules=SHOWN)

    def _repr_html_(self) -> str:
        return self._grid().to_html(SHOWN) + "".join(f"<p>{escape(note)}</p>" for note in self._notes())

    @property
    def default(self) -> Label | None:
        """The class predicted for rows that meet no rule; None if every row meets one."""
        return None if self._default is None else self.classes[self._default]

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes, sorted; empty if the target is numeric."""
        return self.model.schema.labels

    @cached_property
    def has_shares(self) -> bool:
        """Whether fractions of a row may meet several rules."""
        return any(0 < each.otherwise < 1 for rule in self.rules for each in rule.detours)

    def shares(self, X: object) -> NDArray[np.float64]:
        """Return the fraction of every row that meets each rule.

        Parameters
        ----------
        X : table
            As for the estimator's `predict`.

        Returns
        -------
        array of shape (n_rows, n_rules)
            1 or 0; in between if a row with a missing value meets several rules.
        """
        columns = self.model.codes(X)
        shares = np.empty((len(columns[0]), len(self.rules)))
        for at, rule in enumerate(self.rules):
            shares[:, at] = rule.path.shares(columns)
        return shares

    def predict(self, X: object) -> NDArray[Any]:
        """Predict for every row.

        Rules of kind ``"leaves"`` predict what their tree predicts, including missing values and new
        categories.

        Parameters
        ----------
        X : table
            As for the estimator's `predict`.

        Returns
        -------
        array of shape (n_rows,)
            Labels of classes, or numbers.
        """
        columns = self.model.codes(X)
        if self.has_shares:
            outcomes = self._added_up(columns)
            if self._labels is None:
                return outcomes[:, 0]
            return np.asarray(self._labels[self.model.tree.answers_to(outcomes, ROUNDING)])
        first = self._first(columns)
        if self._labels is None:
            return np.array([float(rule.answer) for rule in self.rules])[first]
        answers = [self.classes.index(rule.answer) for rule in self.rules]
        if self._default is not None:
            answers.append(self._default)  # index -1 selects it
        return np.asarray(self._labels[np.array(answers)[first]])

    def to_text(self, max_rules: int | None = None, width: int | None = None) -> str:
        """Write the rules as aligned lines.

        Parameters
        ----------
        max_rules : int, optional
            Most rules to write; those in the middle are left out and counted.
        width : int, optional
            Width of the screen in columns. If a line is wider, long lists of categories are shortened, with
            the number left out. By default all categories are written.

        Returns
        -------
        str
            One line for each rule, below a line of titles.
        """
        text = self._grid().to_text(max_rules)
        if width is not None and max(map(text_width, text.splitlines())) > width:
            text = self._grid(ROOM).to_text(max_rules)
        return "\n".join([text, *self._notes()])

    def to_markdown(self) -> str:
        """Write the rules as a table in Markdown.

        Returns
        -------
        str
            One row for each rule.
        """
        return "\n\n".join([self._grid().to_markdown(), *map(in_markdown, self._notes())])

    def to_json(self) -> str:
        """Write the rules as JSON, every condition in full, for other programs.

        Returns
        -------
        str
            An object with ``kind``, ``classes``, ``rules`` and ``default``.
        """
        return rules_as_json.write(self.model.schema, self.rules, self.kind, self.default)

    def to_sql(self, table: str | None = None, column: str = "prediction") -> str:
        """Write the rules as one SQL expression, a CASE, in DuckDB's dialect.

        It predicts what `predict` does, including NULL, NaN and new categories. Column names are quoted.
        Columns must have the type they had in training; a boolean that was read as a number must be cast to
        one.

        Parameters
        ----------
        table : str, optional
            Name of a table. If it is given, the result is a query that adds the predictions to the table.
        column : str
            Name of the prediction column in that query.

        Returns
        -------
        str
            The expression, or the query.

        Raises
        ------
        ConversionError
            If SQL cannot tell the names of two columns apart.

        Examples
        --------
        >>> import treewright as tw
        >>> X = {"age": [22, 35, 47, 58], "visits": [1, 4, 4, 9]}
        >>> tree = tw.DecisionTreeClassifier().fit(X, ["no", "no", "yes", "yes"])
        >>> print(tree.rules().to_sql("people"))
        SELECT *, CASE
          WHEN "age" <= 41.0e0 THEN 'no'
          ELSE 'yes'
        END AS "prediction"
        FROM "people"
        """
        case = rules_as_sql.write(self.model, self.rules, self.default, self.has_shares)
        return case if table is None else rules_as_sql.query(case, table, column)

    def to_frame(self) -> Any:
        """Return the rules as a data frame of pandas, polars or Arrow, whichever is installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            A row for each rule.
        """
        conditions = {"if": [rule.premise for rule in self.rules]}
        figures = ("confidence", "lift", "error_bound") if self.classes else ("spread",)
        names = ("answer", "n_rows", "weight", "support", *figures)
        return Grid(conditions | self._columns(dict(zip(names, names, strict=True)))).to_frame()

    def _grid(self, room: int | None = None) -> Grid:
        conditions = {"if": [_premise(rule, room) or "(anything)" for rule in self.rules]}
        rows = {"rows": "n_rows"}
        # With fractional or weighted rows show the weight too, since confidence is a share of it.
        if any(abs(rule.weight - rule.n_rows) > _ALIKE * rule.n_rows for rule in self.rules):
            rows["weight"] = "weight"
        formats = {"weight": ",.1f" if all(rule.weight >= 1 for rule in self.rules) else ",.4g"}
        if not self.classes:
            columns = self._columns({"value": "answer", **rows, "spread": "spread"}) | conditions
            return Grid(columns, formats)
        figures = {"confidence": "confidence", "lift": "lift", "error ≤": "error_bound"}
        columns = self._columns({"then": "answer", **rows, **figures}) | conditions
        columns["then"] = list(map(format_value, columns["then"]))
        return Grid(columns, formats | dict.fromkeys(figures, ".3f"))

    def _columns(self, names: Mapping[str, str]) -> dict[str, list[Any]]:
        """Return some attributes of the rules, by the titles of columns."""
        return {title: [getattr(rule, name) for rule in self.rules] for title, name in names.items()}

    def _notes(self) -> list[str]:
        notes = [] if self.default is None else [f"otherwise {format_value(self.default)}"]
        columns = self.model.schema.columns
        # Like conditions, notes mention missing values only if the training table had some.
        if any(columns[each.column].has_missing for rule in self.rules for each in rule.detours):
            added = "With a missing value, a row meets several rules in part; what they predict is added up."
            decided = "If a value is missing, surrogates decide; they are in the rules as JSON and SQL."
            notes.append(added if self.has_shares else decided)
        return notes

    def _first(self, columns: Sequence[NDArray[Any]]) -> NDArray[np.intp]:
        """Find the first rule that every row meets; −1 if it meets none."""
        first = np.full(len(columns[0]), -1, dtype=np.intp)
        for at, rule in enumerate(self.rules):
            is_open = first < 0
            first[is_open & (rule.path.shares(columns) > 0)] = at
        return first

    def _added_up(self, columns: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
        """Add up the predictions of rules, in order, so that the sums equal the model's bit for bit."""
        outcomes = np.zeros((len(columns[0]), len(self.rules[0].outcome)))
        for rule in self.rules:
            outcomes += rule.path.shares(columns)[:, None] * np.array(rule.outcome)
        return outcomes


def leaf_rules(
    model: Model, confidence: float = CONFIDENCE, is_variance: bool = True, labels: NDArray[Any] | None = None
) -> RuleSet:
    """Make a rule from every leaf.

    Parameters
    ----------
    model : Model
        The model.
    confidence : float
        Confidence of the upper limit of the error; the smaller it is, the higher the limit.
    is_variance : bool
        Whether impurities are variances; the spread is then their square root.
    labels : array, optional
        The classes in the type in which to return them.

    Returns
    -------
    RuleSet
    """
    rules = [_rule(model, path, confidence, is_variance) for path in paths(model.tree)]
    return RuleSet(model, rules, labels=labels)


def _rule(model: Model, path: Path, confidence: float, is_variance: bool) -> Rule:
    tree, leaf = model.tree, path.leaf
    outcome = tuple(tree.shares[leaf].tolist())
    weight, whole = float(tree.weight[leaf]), float(tree.weight[0])
    answer: Label = outcome[0]
    figures: dict[str, float | None] = {}
    if model.schema.labels:
        code = model.answer_in([leaf], [1.0])
        answer, usual = model.schema.labels[code], float(tree.shares[0, code])
        if weight:
            # The class of least expected loss may have no training row at all.
            figures = {"confidence": outcome[code], "lift": outcome[code] / usual if usual else None}
            figures["error_bound"] = bound_at(tree, leaf, code, confidence)
    elif weight:
        impurity = max(0.0, float(tree.impurity[leaf]))
        figures = {"spread": math.sqrt(impurity) if is_variance else impurity}
    n_rows = int(tree.n_rows[leaf])
    return Rule(model.schema, path, answer, outcome, n_rows, weight, weight / whole, **figures)
