"""Judge a tree with surrogates: grow it again the slow way and say where it differs.

Questions are scored on the rows that have a value, all of them tried (`naive_questions`); of equals the
first column wins and on a column of numbers the lowest cut, while any of equally good sets of categories
will do. Surrogates are those of `naive_surrogates`, and rows go where these send them: that, not the
library, says which rows a child has.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from oracle import naive_surrogates
from oracle.naive_questions import Rows, best_by_column, decrease, known_parts
from oracle.naive_surrogates import Surrogate, heavier, midpoint, placed_rows, weight_of_branches
from treewright.model.model import Model
from treewright.model.questions import Question, Threshold

CLOSE = 1e-12
STOP = -2  # what the library has in place of a branch


@dataclass(frozen=True)
class Rules:
    """What decides the tree."""

    criterion: str
    max_surrogates: int = 5
    style: str = "all"
    otherwise: str = "majority"  # or "stop"
    min_rows_leaf: int = 1
    max_depth: int | None = None


@dataclass(frozen=True)
class Asked:
    """The question of a node as the library has it, and what the oracle asks where it cannot say."""

    column: int
    cut: float | None
    side_of: dict[Any, int]
    usual: int | None = 1  # None: a row that nothing places stops
    surrogates: Sequence[Surrogate] = ()

    def branch(self, value: Any) -> int | None:
        if value is None:
            return None
        return self.side_of.get(value) if self.cut is None else int(value > self.cut)


def asked_of(model: Model, question: Question) -> Asked:
    """Read a question of the library."""
    if isinstance(question, Threshold):
        return Asked(question.column, float(question.cut), {})
    labels = model.schema.columns[question.column].categories
    sides = {labels[code]: branch for branch, codes in enumerate(question.codes) for code in codes}
    return Asked(question.column, None, sides)


@dataclass
class Judge:
    """A fitted tree, the table it was fitted on, and what is wrong with it.

    `table` has the weights that count in scores, `weights` those the rows were given; both are exact.
    """

    model: Model
    table: Rows
    weights: Sequence[Fraction | int]
    rules: Rules
    asked: dict[int, Asked] = field(default_factory=dict)  # by node, filled by `problems`
    rows: dict[int, list[int]] = field(default_factory=dict)  # ... and so are its rows

    def value(self, column: int, row: int) -> Any:
        return None if self.table.is_missing(column, row) else self.table.columns[column][row]

    def problems(self) -> Iterator[str]:
        """Say at which nodes the tree is not what trying everything would give."""
        stack = [(0, [row for row, weight in enumerate(self.weights) if weight > 0])]
        while stack:
            number, rows = stack.pop()
            self.rows[number] = rows
            node = self.model.tree.node(number)
            if node.n_rows != len(rows):
                yield f"node {number} has {node.n_rows} rows, expected {len(rows)}"
                return
            found = list(self.question_problems(number, rows))
            if not found and not node.is_leaf:
                taken, found = self.route(number, rows)
                for at, child in enumerate(node.children):
                    stack.append(
                        (child, [row for row, branch in zip(rows, taken, strict=True) if branch == at])
                    )
            yield from found
            if found:
                return

    def question_problems(self, number: int, rows: list[int]) -> Iterator[str]:
        """Judge the question of a node, or that it has none."""
        table, rules, node = self.table, self.rules, self.model.tree.node(number)
        is_final = (
            len({table.y[row] for row in rows}) <= 1
            or len(rows) < 2 * rules.min_rows_leaf
            or (rules.max_depth is not None and node.depth >= rules.max_depth)
        )
        best = []
        if not is_final:
            best = best_by_column(table, rows, rules.criterion, "subset", "majority", rules.min_rows_leaf)
        usable = [score for score in best if score is not None]
        if node.is_leaf or not usable:
            if node.is_leaf and usable:
                yield f"node {number} is a leaf though columns could part it: {best}"
            elif not node.is_leaf:
                yield f"node {number} should be a leaf"
            return
        slack = 1e-9 if rules.criterion == "entropy" else 0
        asked = self.asked[number] = asked_of(self.model, node.question)
        likely = [at for at, score in enumerate(best) if score is not None and score >= max(usable) - slack]
        if asked.column != likely[0] and not (slack and asked.column in likely):
            yield f"node {number} asks about column {asked.column}, best are {best}"
            return
        sides: list[list[int]] = [[], []]
        for row in rows:
            branch = asked.branch(self.value(asked.column, row))
            if branch is not None:
                sides[branch].append(row)
        if abs(decrease(table, sides, rules.criterion) - max(usable)) > slack:
            yield f"node {number} parts {sides}, which is worth less than {max(usable)}"
        elif (
            asked.cut is not None
            and not slack
            and asked.cut != self.lowest_cut(asked.column, rows, max(usable))
        ):
            yield f"node {number} cuts at {asked.cut}, not at the lowest of equal cuts"

    def lowest_cut(self, column: int, rows: list[int], worth: Any) -> float:
        """Give the lowest of the cuts that are worth as much."""
        known = [row for row in rows if not self.table.is_missing(column, row)]
        values = self.table.columns[column]
        for low, high in known_parts(self.table, column, known, "subset"):
            if min(len(low), len(high)) < self.rules.min_rows_leaf:
                continue
            if decrease(self.table, [low, high], self.rules.criterion) == worth:
                return midpoint(max(values[row] for row in low), min(values[row] for row in high))
        raise AssertionError("a cut of that worth was found before")

    def route(self, number: int, rows: list[int]) -> tuple[list[int | None], list[str]]:
        """Send rows to their branches, and judge the surrogates on the way."""
        asked, node = self.asked[number], self.model.tree.node(number)
        here = naive_surrogates.Rows(
            columns=[[self.value(column, row) for row in rows] for column in range(len(self.table.columns))],
            is_category=self.table.is_category,
            weights=[self.weights[row] for row in rows],
            branches=[asked.branch(self.value(asked.column, row)) for row in rows],
        )
        expected = naive_surrogates.find(
            here, asked.column, max_surrogates=self.rules.max_surrogates, style=self.rules.style
        )
        taken, expected = naive_surrogates.route(here, expected, self.rules.otherwise)
        stops = self.rules.otherwise == "stop"
        usual = None if stops else heavier(weight_of_branches(here, placed_rows(here)))
        self.asked[number] = Asked(asked.column, asked.cut, asked.side_of, usual, expected)
        wrong = []
        if node.question.missing_branch != (STOP if stops else usual):
            wrong.append(f"node {number} sends most to branch {usual}, not {node.question.missing_branch}")
        if len(node.surrogates) != len(expected):
            wrong.append(f"node {number} has surrogates {node.surrogates}, expected {expected}")
        for ours, theirs in zip(node.surrogates, expected, strict=False):
            read = asked_of(self.model, ours.question)
            if theirs.side_of is not None:
                same = read.column == theirs.column and read.side_of == dict(theirs.side_of)
            else:
                same = (read.column, read.cut, ours.is_reversed) == (
                    theirs.column,
                    theirs.cut,
                    theirs.is_reversed,
                )
            same = (
                same
                and math.isclose(ours.agree, theirs.agree, rel_tol=CLOSE)
                and math.isclose(ours.adjusted, theirs.adjusted, rel_tol=CLOSE)
                and ours.n_placed == theirs.n_placed
            )
            if not same:
                wrong.append(f"node {number} has the surrogate {ours}, expected {theirs}")
        return taken, wrong

    def answer_of(self, number: int) -> list[Fraction]:
        """Give the share of each class among the rows of a node, or the mean of their numbers."""
        rows = self.rows[number]
        weights = [Fraction(self.table.weights[row]) for row in rows]
        values = [self.table.y[row] for row in rows]
        if self.rules.criterion == "squared_error":
            amounts = [[Fraction(value) for value in values]]
        else:
            amounts = [[value == label for value in values] for label in sorted(set(self.table.y))]
        return [sum(w * a for w, a in zip(weights, each, strict=True)) / sum(weights) for each in amounts]

    def leaf_of(self, values: Sequence[Any]) -> int:
        """Send a row down the tree by the surrogates of the oracle to where it ends; None is missing."""
        number = 0
        while number in self.asked:
            asked = self.asked[number]
            branch = asked.branch(values[asked.column])
            for surrogate in asked.surrogates:
                if branch is None:
                    branch = surrogate.branch(values[surrogate.column])
            branch = asked.usual if branch is None else branch
            if branch is None:
                break
            number = self.model.tree.node(number).children[branch]
        return number
