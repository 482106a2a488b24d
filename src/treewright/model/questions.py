"""Questions: what an inner node asks of a row, and how that reads."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from treewright.schema import Label, Schema
from treewright.table.spelling import short_number, spell

# Branches that are none: rows without a value go down every one in shares, or stop at the node.
EVERY_BRANCH = -1
NO_BRANCH = -2


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
        Branch of a row without a value; 2 where these have one of their own, −1 where they go down every
        branch in shares, −2 where they stop at the node.

    Examples
    --------
    >>> from treewright.schema import Column, Numbers
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
        cut = spell(self.cut, column.kind, column.unit, column.zone)
        text = f"{column.name} {'>' if branch else '<='} {cut}"
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
    codes : tuple of tuples of int
        The categories of each branch, as positions among the column's categories. One that is in no branch,
        because no row of the node had it, counts as missing.
    missing_branch : int
        Branch of a row without a value; −1 where these go down every branch in shares, −2 where they stop at
        the node.
    is_exact : bool
        Whether this is the best of all ways to part the categories, or the best of those tried: with many
        categories and classes, or where a limit on leaves forbids what would be best.

    Examples
    --------
    >>> from treewright.schema import Column, Numbers
    >>> outlook = Column("outlook", "category", categories=("overcast", "rain", "sunny"))
    >>> schema = Schema((outlook,), Numbers())
    >>> question = Branches(column=0, codes=((0, 1), (2,)), missing_branch=1)
    >>> question.describe(schema), question.describe(schema, 1)
    ('outlook in {overcast, rain}', 'outlook = sunny')
    >>> question.branch_of(2), question.branch_of(None), question.branch_of_label(schema, "rain")
    (1, 1, 0)
    """

    column: int
    codes: tuple[tuple[int, ...], ...]
    missing_branch: int
    is_exact: bool = True

    @property
    def n_branches(self) -> int:
        """Number of branches."""
        return len(self.codes)

    def branch_of(self, code: int | None) -> int:
        """Tell which branch the code of a category takes; None and codes of no branch are missing."""
        found = (branch for branch, codes in enumerate(self.codes) if code in codes)
        return next(found, self.missing_branch)

    def branch_of_label(self, schema: Schema, label: Label | None) -> int:
        """Tell which branch a category takes; what is none of the column's categories is missing."""
        categories = schema.columns[self.column].categories
        return self.branch_of(categories.index(label) if label in categories else None)

    def describe(self, schema: Schema, branch: int = 0) -> str:
        """Write the condition under which a row takes `branch`, by default that of branch 0."""
        column = schema.columns[self.column]
        labels = [column.categories[code] for code in self.codes[branch]]
        if not labels and branch == self.missing_branch:
            return f"{column.name} is missing"
        if branch != self.missing_branch and not any(
            codes for at, codes in enumerate(self.codes) if at != branch
        ):
            return f"{column.name} is known"
        is_interval = column.bins is not None and len(labels) == 1
        text = f"{column.name} {_text_of_interval(labels) if is_interval else _text_of_labels(labels)}"
        return f"{text} or missing" if column.has_missing and branch == self.missing_branch else text


Question: TypeAlias = Threshold | Branches


@dataclass(frozen=True, slots=True)
class Surrogate:
    """A question about another column, for rows that have no value for the node's own.

    Parameters
    ----------
    question : Threshold or Branches
        What is asked instead.
    is_reversed : bool
        Whether values up to the cut of a `Threshold` take branch 1 of the node, and those above it branch 0.
    agree : float
        Share of the weight that it sends the way the node's own question does.
    adjusted : float
        The same, measured from what sending every row to the heavier branch would reach (0) to all (1).
    n_placed : int
        Training rows of the node that it sent on their way.

    Examples
    --------
    >>> from treewright.schema import Column, Numbers
    >>> schema = Schema((Column("age"), Column("income")), Numbers())
    >>> surrogate = Surrogate(Threshold(1, 20.5, 0), is_reversed=True, agree=0.9, adjusted=0.7, n_placed=3)
    >>> surrogate.describe(schema), surrogate.branch_of(18.0), surrogate.branch_of(None)
    ('income > 20.5', 1, None)

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), section 5.3.
    """

    question: Question
    is_reversed: bool
    agree: float
    adjusted: float
    n_placed: int

    def branch_of(self, value: float | None) -> int | None:
        """Tell which branch a value (or the code of a category) takes; None where this cannot tell."""
        if isinstance(self.question, Branches):
            branch = replace(self.question, missing_branch=-1).branch_of(
                None if value is None else int(value)
            )
            return None if branch < 0 else branch
        if value is None or value != value:  # noqa: PLR0124 - only NaN differs from itself
            return None
        return self.question.branch_of(value) ^ self.is_reversed

    def describe(self, schema: Schema, branch: int = 0) -> str:
        """Write the condition under which a row takes `branch` of the node."""
        asked = replace(self.question, missing_branch=-1)
        return asked.describe(schema, branch ^ self.is_reversed)


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


def _text_of_interval(labels: Sequence[Label]) -> str:
    """Write an interval as a condition; an open one, such as "<= 2.5", is one already."""
    text = str(labels[0])
    return f"in {text}" if text.startswith("(") else text


def _text_of_label(label: Label) -> str:
    if isinstance(label, float):
        return short_number(label)
    text = str(label)
    is_plain = text and text == text.strip() and not any(mark in text for mark in ",{}\n")
    return text if is_plain else repr(text)
