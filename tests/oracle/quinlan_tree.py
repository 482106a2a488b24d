"""A tree as Quinlan's programs print it, the table it is grown on, and how cases walk through it.

A case is a row and the share of it that is here: a row whose value is unknown walks down several branches.
Weights may be floats or fractions; nothing here divides but for shares.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Weight = Any  # float, or Fraction where rounding must not decide
Case = tuple[int, Weight]


@dataclass(frozen=True)
class Column:
    """A column: its name and, unless it holds numbers, the categories it declares."""

    name: str
    categories: tuple[str, ...] | None = None

    @property
    def is_number(self) -> bool:
        return self.categories is None


@dataclass(frozen=True)
class Table:
    """Columns of values; None is unknown, a category is its place in the declared order."""

    columns: tuple[Column, ...]
    values: tuple[tuple[float | int | None, ...], ...]  # by column
    classes: tuple[str, ...]
    target: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.target)

    @cached_property
    def sorted_values(self) -> tuple[tuple[float | int, ...], ...]:
        """The different known values of each column, in order."""
        return tuple(tuple(sorted({each for each in column if each is not None})) for column in self.values)

    def cases(self, one: Weight = 1.0) -> list[Case]:
        """Give every row whole."""
        return [(row, one) for row in range(len(self))]


@dataclass(frozen=True)
class Question:
    """What a node asks: `value <= cut`, or in which group a category is.

    The kinds: "cut", "values" (a branch a category), "groups", "one value" (it against the others).
    """

    column: int
    kind: str
    cut: float | None = None
    groups: tuple[tuple[int, ...], ...] = ()

    @property
    def n_branches(self) -> int:
        return 2 if self.kind == "cut" else len(self.groups)

    def branch(self, value: float | int | None) -> int | None:
        """Give the branch of a value; None if it is unknown or has none."""
        if value is None:
            return None
        if self.kind == "cut":
            return 0 if value <= self.cut else 1
        if self.kind == "values":
            return int(value)
        return next((i for i, group in enumerate(self.groups) if value in group), None)


@dataclass(frozen=True)
class Grown:
    """A node; a leaf has no question."""

    weight: Weight
    class_weights: tuple[Weight, ...]
    label: int
    question: Question | None = None
    children: tuple["Grown", ...] = ()
    errors: Weight = 0.0
    gain: float | None = None
    worth: float | None = None

    @property
    def is_leaf(self) -> bool:
        return self.question is None

    def walk(self) -> Iterator["Grown"]:
        """Yield this node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def leaves(self) -> Iterator["Grown"]:
        return (node for node in self.walk() if node.is_leaf)

    def depth(self) -> int:
        return 1 + max(child.depth() for child in self.children) if self.children else 0


def class_weights(table: Table, cases: Sequence[Case]) -> tuple[Weight, ...]:
    """Sum the weight of each declared class."""
    found = [0] * len(table.classes)
    for row, weight in cases:
        found[table.target[row]] += weight
    return tuple(found)


def heaviest_class(weights: Sequence[Weight]) -> int:
    """Give the class of most weight, the first declared on a tie."""
    return weights.index(max(weights))


def total(cases: Sequence[Case]) -> Weight:
    """Sum the weight of cases."""
    return sum((weight for _, weight in cases), start=0)


def known_weights(table: Table, question: Question, cases: Sequence[Case]) -> list[Weight]:
    """Sum, per branch, the weight of the cases whose value is known."""
    found = [0] * question.n_branches
    for row, weight in cases:
        branch = question.branch(table.values[question.column][row])
        if branch is not None:
            found[branch] += weight
    return found


def spread(table: Table, question: Question, cases: Sequence[Case]) -> list[list[Case]]:
    """Send cases down the branches, an unknown one down all of them by their share of the known weight.

    A branch without a known case gets none.
    """
    shares = known_weights(table, question, cases)
    whole = sum(shares, start=0)
    branches: list[list[Case]] = [[] for _ in range(question.n_branches)]
    for row, weight in cases:
        branch = question.branch(table.values[question.column][row])
        if branch is not None:
            branches[branch].append((row, weight))
        else:
            for i, share in enumerate(shares):
                if share > 0:
                    branches[i].append((row, weight * share / whole))
    return branches
