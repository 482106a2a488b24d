"""Surrogates, slow and obvious: which other question comes closest to the one a node asks?

From the definition (Breiman et al. 1984, 5.3.1, in the form rpart gives it), for two branches and nothing
else:

* the *placed* rows of a node are those that its own question, the primary one, can place;
* every other column offers its best question. Its agreement is the weight of the rows that both questions
  send the same way; it must exceed the heavier branch among the rows that both can place, that is, what
  sending all of these one way would get right;
* a column of numbers is cut midway between neighbouring values of *all* rows of the node, also of those
  that are not placed; at or below the cut is branch 0, or branch 1 (`is_reversed`); at least two placed
  rows lie on each side. Of equals the lowest cut wins;
* in a column of categories each goes where most of its placed weight goes, a tied one to the heavier branch
  of all placed rows (branch 1 if these are even, too); one without placed rows has no side. At least two
  rows must agree **and at least two must not**: that is rpart's test, word for word;
* `agree` is the agreement over the weight of all placed rows (style ``"all"``, rpart's surrogatestyle 0) or
  of those known in the column as well (``"known"``, surrogatestyle 1, the book). With m the share of the
  heavier branch of the same rows, ``adjusted = (agree - m) / (1 - m)`` must exceed 1e-10;
* the list goes by `agree`, an earlier column first among equals, and is cut off at `max_surrogates`.

A row that the primary question cannot place follows the first surrogate that can, else the heavier branch
of the placed rows. Where that is exactly even rpart leaves the row in the node; here it goes to the last of
the equals, branch 1, so that every row ends in a leaf.

Rows of weight 0 are absent. Weights are whole numbers or fractions, so that every sum is exact.
"""

import itertools
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

LEAST_ADJUSTED = Fraction(1, 10**10)
LEAST_ROWS = 2  # on each side of a cut; agreeing, and not agreeing, by categories

Value = Hashable | None  # a number or a category; None is missing


@dataclass(frozen=True)
class Surrogate:
    """A question that stands in for another one."""

    column: int
    agree: Fraction
    adjusted: Fraction
    cut: float | None = None  # of a column of numbers
    is_reversed: bool = False  # whether numbers up to the cut take branch 1
    side_of: tuple[tuple[Value, int], ...] | None = None  # of a column of categories
    n_placed: int = 0  # rows that went this way for want of a value for all questions before

    def branch(self, value: Value) -> int | None:
        """Give the branch of a value, None where it has none."""
        if value is None:
            return None
        if self.side_of is not None:
            return dict(self.side_of).get(value)
        return int((value > self.cut) != self.is_reversed)


@dataclass(frozen=True)
class Rows:
    """The rows of a node: columns of numbers or categories (None: missing), positive weights.

    `branches` says where the primary question sends each row, None where it cannot say.
    """

    columns: Sequence[Sequence[Value]]
    is_category: Sequence[bool]
    weights: Sequence[Fraction | int]
    branches: Sequence[int | None]


def heavier(weight: Sequence[Fraction | int]) -> int:
    """Give the heavier of two branches, the last where they are equal."""
    return 0 if weight[0] > weight[1] else 1


def weight_of_branches(rows: Rows, among: Iterable[int]) -> list[Fraction | int]:
    """Add up what goes down each branch."""
    weight: list[Fraction | int] = [0, 0]
    for row in among:
        weight[rows.branches[row]] += rows.weights[row]
    return weight


def placed_rows(rows: Rows) -> list[int]:
    """List the rows that the primary question can place."""
    return [row for row, branch in enumerate(rows.branches) if branch is not None]


def midpoint(low: float, high: float) -> float:
    """Give the cut between two neighbouring values."""
    cut = low / 2 + high / 2
    return low if cut == high else cut


def of_numbers(rows: Rows, column: int, both: list[int]) -> tuple[Fraction | int, dict] | None:
    """Find the cut of the highest agreement, and that agreement."""
    values = rows.columns[column]
    in_order = sorted({value for value in values if value is not None})
    at: dict = defaultdict(list)
    for row in both:
        at[values[row]].append(row)
    total = weight_of_branches(rows, both)
    below, n_below, best = [0, 0], 0, None
    for low, high in itertools.pairwise(in_order):
        for row in at[low]:
            below[rows.branches[row]] += rows.weights[row]
            n_below += 1
        if min(n_below, len(both) - n_below) < LEAST_ROWS:
            continue
        straight = below[0] + total[1] - below[1]
        for agreement, is_reversed in ((straight, False), (sum(total) - straight, True)):
            if best is None or agreement > best[0]:
                best = agreement, {"cut": midpoint(low, high), "is_reversed": is_reversed}
    return best


def of_categories(rows: Rows, column: int, both: list[int]) -> tuple[Fraction | int, dict] | None:
    """Send every category where most of it goes, and give the agreement of that."""
    of_category: dict = defaultdict(lambda: [0, 0])
    for row in both:
        of_category[rows.columns[column][row]][rows.branches[row]] += rows.weights[row]
    usual = heavier(weight_of_branches(rows, placed_rows(rows)))
    side_of = {
        category: usual if weight[0] == weight[1] else heavier(weight)
        for category, weight in of_category.items()
    }
    n_agreeing = sum(side_of[rows.columns[column][row]] == rows.branches[row] for row in both)
    if min(n_agreeing, len(both) - n_agreeing) < LEAST_ROWS:
        return None
    return sum(max(weight) for weight in of_category.values()), {"side_of": tuple(sorted(side_of.items()))}


def of_column(rows: Rows, column: int, style: str) -> Surrogate | None:
    """Give the best surrogate on a column, None where there is none worth having."""
    placed = placed_rows(rows)
    both = [row for row in placed if rows.columns[column][row] is not None]
    found = (of_categories if rows.is_category[column] else of_numbers)(rows, column, both)
    if found is None or found[0] <= max(weight_of_branches(rows, both)):
        return None
    weight = weight_of_branches(rows, both if style == "known" else placed)
    agree, majority = Fraction(found[0]) / sum(weight), Fraction(max(weight)) / sum(weight)
    adjusted = (agree - majority) / (1 - majority)
    return Surrogate(column, agree, adjusted, **found[1]) if adjusted > LEAST_ADJUSTED else None


def find(rows: Rows, primary: int, *, max_surrogates: int = 5, style: str = "all") -> list[Surrogate]:
    """List the surrogates of a node that asks about column `primary`, the best first."""
    others = [column for column in range(len(rows.columns)) if column != primary]
    found = [of_column(rows, column, style) for column in others]
    ranked = sorted((one for one in found if one is not None), key=lambda one: (-one.agree, one.column))
    return ranked[:max_surrogates]


def route(
    rows: Rows, surrogates: Sequence[Surrogate], otherwise: str = "majority"
) -> tuple[list[int | None], list[Surrogate]]:
    """Send every row of a node to a branch, and count whom each surrogate placed; None: it stops here."""
    usual = heavier(weight_of_branches(rows, placed_rows(rows))) if otherwise == "majority" else None
    taken, n_placed = [], [0] * len(surrogates)
    for row, placed in enumerate(rows.branches):
        branch = placed
        for at, surrogate in enumerate(surrogates):
            if branch is None:
                branch = surrogate.branch(rows.columns[surrogate.column][row])
                n_placed[at] += branch is not None
        taken.append(usual if branch is None else branch)
    return taken, [replace(one, n_placed=n) for one, n in zip(surrogates, n_placed, strict=True)]
