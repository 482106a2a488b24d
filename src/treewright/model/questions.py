"""Questions: how an inner node splits rows, and how the split is written."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeAlias

import numpy as np

from treewright import _core
from treewright.formatting import format_threshold
from treewright.grid import shortened, text_width
from treewright.missing_values import is_missing_value
from treewright.model.records import Array, ArrayRecord, Float64, Int32, Int64
from treewright.schema import Label, Schema
from treewright.table.spelling import spell
from treewright.wording import Language, said

# In place of a branch: a missing value goes down all branches with fractional weights, or stops at the node.
EVERY_BRANCH, NO_BRANCH = -1, -2
ROOM = 40  # characters for a list of categories on a screen, so that a line fits in a terminal


@dataclass(frozen=True, slots=True)
class Threshold:
    """Ask whether a value is at most a threshold.

    Parameters
    ----------
    column : int
        Position of the column in the schema.
    cut : float or int
        The threshold: values up to and including it take branch 0. An int if the column is compared as int64.
        Infinity asks whether the value is known: known values take branch 0, missing ones branch 1.
    missing_branch : int
        Branch of a missing value: 2 if missing values have a branch of their own, −1 if they go down every
        branch with fractional weights, −2 if they stop at the node.

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
        """Return the branch of a value; None and NaN are missing."""
        if value is None or is_missing_value(value):
            return self.missing_branch
        return 0 if self.cut == math.inf or value <= self.cut else 1

    def describe(self, schema: Schema, branch: int = 0) -> str:
        """Write the condition under which a row takes a branch, with the name of the column."""
        return f"{schema.columns[self.column].name} {self.condition(schema, branch)}"

    def condition(self, schema: Schema, branch: int = 0, *, lang: Language = "en") -> str:
        """Write the condition without the name of the column, such as "<= 35.5"."""
        column = schema.columns[self.column]
        if self.cut == math.inf or branch > 1:
            return said(lang, "is missing" if branch else "is known")
        cut = spell(self.cut, column.kind, column.unit, column.zone)
        text = f"{'>' if branch else '<='} {cut}"
        return text + said(lang, " or missing") if self.shares_missing(schema, branch) else text

    def is_for_missing(self, branch: int) -> bool:
        """Return whether a branch is only for missing values."""
        return branch > 1 or (branch == 1 and self.cut == math.inf)

    def shares_missing(self, schema: Schema, branch: int) -> bool:
        """Return whether a branch is for missing values too, and the training table had any in the column."""
        has_missing = schema.columns[self.column].has_missing
        return has_missing and branch == self.missing_branch and not self.is_for_missing(branch)


@dataclass(frozen=True, slots=True)
class Branches:
    """Ask which category a row has.

    Parameters
    ----------
    column : int
        Position of the column in the schema.
    codes : tuple of tuples of int
        The categories of each branch, as positions among the column's categories. A category without a
        branch, which no training row of the node had, counts as missing.
    missing_branch : int
        Branch of a missing value: −1 if missing values go down every branch with fractional weights, −2 if
        they stop at the node.
    is_exact : bool
        Whether this is the best of all splits of the categories, rather than the best of those tried. Not all
        are tried with many categories and classes, or if limits on leaves exclude the best one.

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

    def branch_of(self, code: float | None) -> int:
        """Return the branch of the code of a category; None and codes without a branch are missing."""
        found = (branch for branch, codes in enumerate(self.codes) if code in codes)
        return next(found, self.missing_branch)

    def branch_of_label(self, schema: Schema, label: Label | None) -> int:
        """Return the branch of a category; labels that the column does not have are missing."""
        categories = schema.columns[self.column].categories
        return self.branch_of(categories.index(label) if label in categories else None)

    def describe(self, schema: Schema, branch: int = 0) -> str:
        """Write the condition under which a row takes a branch, with the name of the column."""
        return f"{schema.columns[self.column].name} {self.condition(schema, branch)}"

    def condition(
        self,
        schema: Schema,
        branch: int = 0,
        room: int | None = None,
        each: int | None = None,
        *,
        lang: Language = "en",
    ) -> str:
        """Write the condition without the name of the column, such as "= sunny".

        A list gets `room` characters and each category at most `each`; by default there is no limit.
        Intervals are not shortened.
        """
        if self.is_for_missing(branch):
            return said(lang, "is missing")
        if self.is_for_known(branch):
            return said(lang, "is known")
        texts = self.texts(schema, branch)
        is_interval = schema.columns[self.column].bins is not None and len(texts) == 1
        if each is not None and not is_interval:
            texts = [shortened(text, each) for text in texts]
        text = text_of_set(texts, room, lang)
        if is_interval:  # an open one, such as "<= 2.5", already is a condition
            text = f"in {texts[0]}" if texts[0].startswith("(") else texts[0]
        return text + said(lang, " or missing") if self.shares_missing(schema, branch) else text

    def texts(self, schema: Schema, branch: int) -> list[str]:
        """Write each category of a branch."""
        column = schema.columns[self.column]
        write = str if column.bins is not None and len(self.codes[branch]) == 1 else text_of_label
        return [write(column.categories[code]) for code in self.codes[branch]]

    def is_for_missing(self, branch: int) -> bool:
        """Return whether a branch is only for missing values."""
        return branch == self.missing_branch and not self.codes[branch]

    def is_for_known(self, branch: int) -> bool:
        """Return whether a branch is for all known values."""
        others = (codes for at, codes in enumerate(self.codes) if at != branch)
        return branch != self.missing_branch and not any(others)

    def shares_missing(self, schema: Schema, branch: int) -> bool:
        """Return whether a branch is for missing values too, and the training table had any in the column."""
        has_missing = schema.columns[self.column].has_missing
        return has_missing and branch == self.missing_branch and not self.is_for_missing(branch)


Question: TypeAlias = Threshold | Branches


@dataclass(frozen=True, slots=True)
class Surrogate:
    """A question about another column, for rows whose value in the node's own column is missing.

    Parameters
    ----------
    question : Threshold or Branches
        The question asked instead.
    is_reversed : bool
        Whether values up to a `Threshold` take branch 1 of the node, and those above it branch 0.
    agree : float
        Fraction of the weight that it sends to the same branch as the node's own question.
    adjusted : float
        The same, rescaled: 0 is as good as sending all rows to the heavier branch, 1 is full agreement.
    n_placed : int
        Number of training rows of the node whose branch it decided.

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
        """Return the branch of a value or of the code of a category; None if it is missing."""
        branch = replace(self.question, missing_branch=-1).branch_of(value)
        return None if branch < 0 else branch ^ self.is_reversed

    def describe(self, schema: Schema, branch: int = 0, *, lang: Language = "en") -> str:
        """Write the condition under which a row takes a branch of the node."""
        question = replace(self.question, missing_branch=-1)
        condition = question.condition(schema, branch ^ self.is_reversed, lang=lang)
        return f"{schema.columns[question.column].name} {condition}"


class QuestionArrays(ArrayRecord):
    """Questions as arrays, as `treewright.model.tree.Tree` describes them."""

    column: Int32
    cut: Float64
    cut_integer: Int64
    set_begin: Array
    set_code: Int32
    set_branch: Int32

    def with_cuts(self, moved: Callable[[int, Array], Array], integers: Sequence[int]) -> Self:
        """Move the cuts of numeric columns.

        Parameters
        ----------
        moved : callable
            Called with a column and its cuts; returns the new cuts.
        integers : sequence of int
            The columns of whole numbers.

        Returns
        -------
        Self
            The same splits with other cuts.
        """
        cut, cut_integer = self.cut.copy(), self.cut_integer.copy()
        for column in np.unique(self.column[np.isfinite(cut)]).tolist():
            rows = np.flatnonzero((self.column == column) & np.isfinite(self.cut))
            cut[rows] = new = moved(column, (cut_integer if column in integers else cut)[rows])
            if column in integers:
                cut_integer[rows] = new
        return type(self)(**{**self._fields(), "cut": cut, "cut_integer": cut_integer})

    def question_at(
        self, at: int, n_branches: int, missing_branch: int, integers: Sequence[int], is_exact: bool = True
    ) -> Question:
        """Return the question at a position of the arrays.

        Parameters
        ----------
        at : int
            The position.
        n_branches, missing_branch : int
            Number of branches of the question, and the branch that missing values take.
        integers : sequence of int
            Columns compared as int64.
        is_exact : bool
            See `Branches`.

        Returns
        -------
        Threshold or Branches
            The question, in the values of its column.
        """
        column, cut = int(self.column[at]), float(self.cut[at])
        begin, end = self.set_begin[at], self.set_begin[at + 1]
        if begin < end:
            codes = branches_of(self.set_code[begin:end], self.set_branch[begin:end], n_branches)
            return Branches(column, codes, missing_branch, is_exact)
        is_integer = column in integers and math.isfinite(cut)
        return Threshold(column, int(self.cut_integer[at]) if is_integer else cut, missing_branch)

    def for_core(self) -> _core.Questions:
        """Convert the questions to the form that the core uses.

        Returns
        -------
        _core.Questions
            Views of the arrays.
        """
        sets = self.set_begin, self.set_code, self.set_branch
        return _core.Questions(self.column, self.cut, self.cut_integer, *sets)


def branches_of(codes: Int32, branches: Int32, n_branches: int) -> tuple[tuple[int, ...], ...]:
    """List the codes of each branch, in ascending order.

    Examples
    --------
    >>> branches_of(np.array([0, 3, 7], dtype=np.int32), np.array([1, 0, 1], dtype=np.int32), 3)
    ((3,), (0, 7), ())
    """
    by_branch: list[list[int]] = [[] for _ in range(n_branches)]
    for code, branch in zip(codes.tolist(), branches.tolist(), strict=True):
        by_branch[branch].append(code)
    return tuple(map(tuple, by_branch))


def text_of_set(texts: Sequence[str], room: int | None = None, lang: Language = "en") -> str:
    """Write a set of categories, such as "= sunny".

    A list gets `room` characters; a longer one says how many more categories there are. None writes all.

    Examples
    --------
    >>> text_of_set(["rain", "snow", "sun"]), text_of_set(["rain", "snow", "sun"], room=12)
    ('in {rain, snow, sun}', 'in {rain, snow, ... 1 more}')
    """
    if len(texts) == 1:
        return f"= {texts[0]}"
    if room is None:
        return f"in {{{', '.join(texts)}}}"
    shown: list[str] = []
    for text in texts:
        room -= text_width(text) + 2
        if room < 0 and shown:
            break
        shown.append(text)
    if more := len(texts) - len(shown):
        shown.append(said(lang, "... {n} more", n=f"{more:,}"))
    return f"in {{{', '.join(shown)}}}"


def text_of_label(label: Label) -> str:
    """Write a category, in quotes if it could be mistaken for several."""
    if isinstance(label, float):
        return format_threshold(label)
    text = str(label)
    is_plain = text and text == text.strip() and not any(mark in text for mark in ",{}\n")
    return text if is_plain else repr(text)
