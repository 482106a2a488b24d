"""Questions: what an inner node asks of a row, and how that reads."""

import math
from dataclasses import dataclass

from treewright.schema import Column, Schema
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
        Branch of a row without a value.

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
        return 0 if value <= self.cut else 1

    def describe(self, schema: Schema, branch: int = 0) -> str:
        """Write the condition under which a row takes `branch`, by default that of branch 0."""
        column = schema.columns[self.column]
        if self.cut == math.inf:
            return f"{column.name} is {'missing' if branch else 'known'}"
        text = f"{column.name} {'>' if branch else '<='} {_text_of(self.cut, column)}"
        if column.has_missing and branch == self.missing_branch:
            return f"{text} or missing"
        return text


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
