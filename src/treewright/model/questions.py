"""Questions: what an inner node asks of a row, and how that reads."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from treewright.schema import Column, Label, Schema
from treewright.table.moments import describe_datetime, describe_duration


@dataclass(frozen=True, slots=True)
class Threshold:
    """Ask whether a value lies at or below a cut.

    Parameters
    ----------
    column : int
        Position of the column in the schema.
    cut : float or int
        Values up to and including it take branch 0. An int where the column is compared as int64. Infinity
        asks whether there is a value at all: known values take branch 0, missing ones branch 1.
    missing_branch : int
        Branch of a row without a value; 2 where these have one of their own.

    Examples
    --------
    >>> from treewright.schema import Numbers
    >>> question = Threshold(column=0, cut=35.5, missing_branch=1)
    >>> question.describe(Schema((Column("age"),), Numbers()))
    'age <= 35.5'
    >>> question.branch_of(22), question.branch_of(None)
    (0, 1)
    """

    column: int
    cut: float | int
    missing_branch: int

    def branch_of(self, value: float | None) -> int:
        """Tell which branch a value takes; None and NaN are missing."""
        if value is None or value != value:  # noqa: PLR0124 - only NaN differs from itself
            return self.missing_branch
        return 0 if self.cut == math.inf or value <= self.cut else 1

    def describe(self, schema: Schema, branch: int = 0) -> str:
        """Write the condition under which a row takes `branch`, by default that of branch 0."""
        column = schema.columns[self.column]
        if self.cut == math.inf or branch > 1:
            return f"{column.name} is {'missing' if branch else 'known'}"
        text = f"{column.name} {'>' if branch else '<='} {_text_of(self.cut, column)}"
        if column.has_missing and branch == self.missing_branch:
            return f"{text} or missing"
        return text


@dataclass(frozen=True, slots=True)
class Branches:
    """Ask which category a row has.

    Parameters
    ----------
    column : int
        Position of the column in the schema.
    branch_of_code : tuple of int
        The branch of each category, in the order of the column's categories; −1 where a category has none,
        because no row of the node had it. It then counts as missing.
    missing_branch : int
        Branch of a row without a value.
    n_branches : int
        Number of branches.
    is_exact : bool
        Whether this is the best of all ways to part the categories, or the best of those tried: with many
        categories and classes, or where a limit on leaves forbids what would be best.

    Examples
    --------
    >>> from treewright.schema import Numbers
    >>> outlook = Column("outlook", "category", categories=("overcast", "rain", "sunny"))
    >>> schema = Schema((outlook,), Numbers())
    >>> question = Branches(column=0, branch_of_code=(0, 0, 1), missing_branch=1, n_branches=2)
    >>> question.describe(schema), question.describe(schema, 1)
    ('outlook in {overcast, rain}', 'outlook = sunny')
    >>> question.branch_of(2), question.branch_of(None), question.branch_of_label(schema, "rain")
    (1, 1, 0)
    """

    column: int
    branch_of_code: tuple[int, ...]
    missing_branch: int
    n_branches: int
    is_exact: bool = True

    def branch_of(self, code: int | None) -> int:
        """Tell which branch the code of a category takes; None and codes of no category are missing."""
        if code is None or not 0 <= code < len(self.branch_of_code):
            return self.missing_branch
        branch = self.branch_of_code[code]
        return branch if branch >= 0 else self.missing_branch

    def branch_of_label(self, schema: Schema, label: Label | None) -> int:
        """Tell which branch a category takes; what is none of the column's categories is missing."""
        categories = schema.columns[self.column].categories
        return self.branch_of(categories.index(label) if label in categories else None)

    def describe(self, schema: Schema, branch: int = 0) -> str:
        """Write the condition under which a row takes `branch`, by default that of branch 0."""
        column = schema.columns[self.column]
        labels = [
            label
            for label, taken in zip(column.categories, self.branch_of_code, strict=True)
            if taken == branch
        ]
        if not labels and branch == self.missing_branch:
            return f"{column.name} is missing"
        if branch != self.missing_branch and set(self.branch_of_code) <= {branch, -1}:
            return f"{column.name} is known"
        text = f"{column.name} {_text_of_labels(labels)}"
        return f"{text} or missing" if column.has_missing and branch == self.missing_branch else text


Question: TypeAlias = Threshold | Branches

_ROOM = 40  # characters for a list of categories, so that a line fits a terminal


def _text_of_labels(labels: Sequence[Label]) -> str:
    """Write a set of categories; a long one is shortened and tells how many more there are."""
    if len(labels) == 1:
        return f"= {_text_of_label(labels[0])}"
    shown: list[str] = []
    room = _ROOM
    for label in labels:
        text = _text_of_label(label)
        room -= len(text) + 2
        if room < 0 and shown:
            break
        shown.append(text)
    more = len(labels) - len(shown)
    return f"in {{{', '.join(shown)}{f', ... {more:,} more' if more else ''}}}"


def _text_of_label(label: Label) -> str:
    if isinstance(label, float):
        return short_number(label)
    text = str(label)
    is_plain = text and text == text.strip() and not any(mark in text for mark in ",{}\n")
    return text if is_plain else repr(text)


def _text_of(cut: float | int, column: Column) -> str:
    if column.kind == "datetime":
        return describe_datetime(int(cut), column.unit, column.zone)
    if column.kind == "duration":
        return describe_duration(int(cut), column.unit)
    if column.kind == "integer":
        return str(int(cut))
    return short_number(float(cut))


def short_number(value: float) -> str:
    """Write a number with as few digits as tell it from its neighbours in ordinary data.

    Midpoints carry the noise of binary fractions. Digits are kept until the error is below what float32
    resolves, and never so few that a whole number could end up on the other side.

    Examples
    --------
    >>> short_number((0.360 + 0.403) / 2), short_number(1234567.5), short_number(2.0)
    ('0.3815', '1234567.5', '2')
    """
    tolerance = min(1e-7 * abs(value), 0.05)
    for digits in range(6, 17):
        text = f"{value:.{digits}g}"
        if abs(float(text) - value) <= tolerance:
            break
    else:
        text = repr(value)
    # 1.2e+06 is harder to read than 1200000
    return f"{float(text):.0f}" if "e+" in text and abs(value) < 1e16 else text
