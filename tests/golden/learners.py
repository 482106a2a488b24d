"""What the stored results of Quinlan's programs are compared with, behind one small door.

A learner is given a table and rules and hands back its trees in one form. To put another implementation
behind the same tests, add it to `LEARNERS`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from golden.library_learner import Library
from oracle import naive_c45, naive_c45_pruning, naive_c45_reduced, naive_id3
from oracle.naive_c45_rules import Rules
from oracle.quinlan_tree import Grown, Table, heaviest_class

Row = Sequence[float | int | None]


class Fitted(Protocol):
    """A fitted tree, before and after pruning (J48 -U: the same)."""

    unpruned: Grown
    pruned: Grown

    def shares(self, rows: Sequence[Row], *, pruned: bool) -> list[list[float]]:
        """Give the class shares of rows."""

    def answers(self, rows: Sequence[Row], *, pruned: bool) -> list[int]:
        """Give the classes of rows."""


class Learner(Protocol):
    """An implementation of C4.5, J48 and ID3."""

    max_rows: int  # larger tables are not given to it

    def c45(self, table: Table, rules: Rules) -> Fitted:
        """Fit C4.5 or a variant of it."""

    def id3(self, table: Table) -> Grown:
        """Grow ID3's tree."""


@dataclass(frozen=True)
class PlainFit:
    """The oracle's trees."""

    unpruned: Grown
    pruned: Grown
    rules: Rules

    def shares(self, rows: Sequence[Row], *, pruned: bool) -> list[list[float]]:
        tree = self.pruned if pruned else self.unpruned
        smoothed = self.rules.laplace
        return [naive_c45_pruning.shares(tree, row, self.rules, smoothed=smoothed) for row in rows]

    def answers(self, rows: Sequence[Row], *, pruned: bool) -> list[int]:
        tree = self.pruned if pruned else self.unpruned
        return [heaviest_class(naive_c45_pruning.shares(tree, row, self.rules)) for row in rows]


class Plain:
    """The oracle, in pure Python: letter's 20 000 rows and adult's 48 842 would take it minutes."""

    max_rows = 10_000

    def c45(self, table: Table, rules: Rules) -> PlainFit:
        return plain_c45(table, rules)

    def id3(self, table: Table) -> Grown:
        return naive_id3.grow(table)


@lru_cache(maxsize=4)
def plain_c45(table: Table, rules: Rules) -> PlainFit:
    """Grow and prune; kept for the next test of the same result."""
    if rules.reduced_error_folds is not None:
        return PlainFit(*naive_c45_reduced.grow(table, rules), rules)
    unpruned = naive_c45.grow(table, rules)
    pruned = naive_c45_pruning.prune(unpruned, table, rules) if rules.prune else unpruned
    return PlainFit(unpruned, pruned, rules)


LEARNERS: dict[str, Learner] = {"oracle": Plain(), "library": Library()}
