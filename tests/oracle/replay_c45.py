"""Walk two C4.5 trees together, and where they part judge both tests by the oracle.

Release 8 counts in float32, so two tests of equal worth are told apart by noise, and a branch that weighs
exactly what it must is counted or not. The judge therefore scores every column with weights taken generously
and grudgingly. A test is as good as the best if its generous worth comes within `WORTH` of the
best grudging one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf

from oracle.naive_c45 import Candidate, Growth, grow_below, leaf_of
from oracle.naive_c45_rules import EPSILON, Rules
from oracle.quinlan_tree import Case, Grown, Question, Table, spread

WORTH = 2e-3
WEIGHT = 1e-3  # of branches
ROUNDING = 1e-4  # weights closer to a limit may fall on either side of it
CUT = 1e-5


def same_question(a: Question, b: Question) -> bool:
    """Say whether two nodes ask the same."""
    if (a.column, a.kind, len(a.groups)) != (b.column, b.kind, len(b.groups)):
        return False
    if a.kind == "cut":
        return abs(a.cut - b.cut) <= CUT * max(1.0, abs(a.cut))
    return all(set(one) == set(other) for one, other in zip(a.groups, b.groups, strict=True))


def among(question: Question, present: set[float | int | None]) -> Question:
    """Give a question about groups with only the categories that occur here: stored sets lack some others."""
    if question.kind != "groups":
        return question
    groups = [tuple(value for value in group if value in present) for group in question.groups]
    return replace(question, groups=tuple(group for group in groups if group))


@dataclass
class Judge:
    """Says what a test is worth to the oracle."""

    table: Table
    rules: Rules

    def __post_init__(self) -> None:
        self.treatments = [
            Growth(self.table, replace(rules, weight_tolerance=tolerance, gap=gap))
            for rules in self.minima()
            for tolerance in (ROUNDING, -ROUNDING)
            for gap in (self.rules.gap * 0.999, self.rules.gap * 1.001)
        ]

    def minima(self) -> list[Rules]:
        """With -s Release 8 may have lost its minimum anywhere before (definitions 2.1)."""
        may_be_lost = self.rules.group_categories and self.rules.forget_min_cases
        return [self.rules, replace(self.rules, min_cases=1)] if may_be_lost else [self.rules]

    def offers(self, cases: list[Case], tested: frozenset[int]) -> list[list[Candidate]]:
        """Give the candidates of all columns, a list a treatment of the weights."""
        return [
            [one for one in growth.offers(cases, tested) if isinstance(one, Candidate)]
            for growth in self.treatments
        ]

    def verdict(self, cases: list[Case], tested: frozenset[int], question: Question) -> str | None:
        """Say what is wrong with a question here; None if it ties with the best."""
        offers = self.offers(cases, tested)
        averages = [growth.average(one) for growth, one in zip(self.treatments, offers, strict=True)]
        present = {self.table.values[question.column][row] for row, _ in cases}
        mine = [
            one
            for candidates in offers
            for one in candidates
            if same_question(among(one.question, present), among(question, present))
        ]
        if not mine:
            return f"{question} is no candidate"
        if self.rules.by_ratio and max(one.gain for one in mine) < min(averages) - EPSILON - WORTH:
            return f"{question} gains {max(one.gain for one in mine)}, the average is {min(averages)}"
        worth = max(self.worth(one) for one in mine)
        best = self.firm_best(offers, averages)
        if worth < best - WORTH:
            return f"{question} is worth {worth}, the best {best}"
        return None

    def worth(self, candidate: Candidate) -> float:
        return candidate.gain / max(candidate.split_info, EPSILON) if self.rules.by_ratio else candidate.gain

    def firm_best(self, offers: Sequence[Sequence[Candidate]], averages: Sequence[float]) -> float:
        """Give the worth that some column reaches under every treatment."""
        by_column: dict[int, list[float]] = {}
        for candidates in offers:
            for one in candidates:
                is_out = self.rules.by_ratio and one.gain < max(averages) - EPSILON + WORTH
                worth = -inf if is_out else self.worth(one)
                by_column.setdefault(one.question.column, []).append(worth)
        firm = [min(worths) for worths in by_column.values() if len(worths) == len(offers)]
        return max(firm, default=-inf)

    def leaf_verdict(self, cases: list[Case], tested: frozenset[int]) -> str | None:
        """Say why these cases should not have been a leaf; None if some treatment makes one of them."""
        if any(grow_below(growth, cases, tested).is_leaf for growth in self.treatments):
            return None
        return f"a leaf of {leaf_of(self.table, cases).class_weights} that every treatment parts"


@dataclass
class Comparison:
    """What came of it: nodes that are the same, and what was judged where they are not."""

    pairs: list[tuple[Grown, Grown]] = field(default_factory=list)
    parted: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def same(self) -> bool:
        return not self.parted and not self.problems


def compare(theirs: Grown, ours: Grown, judge: Judge | None, *, share: float = 0.0) -> Comparison:
    """Compare node by node; at a difference replay the rest of both trees, if there is a judge.

    Weights may differ by `WEIGHT` and this share of them.
    """
    found = Comparison()

    def walk(a: Grown, b: Grown, cases: list[Case], tested: frozenset[int], path: str) -> None:
        if abs(a.weight - float(b.weight)) > WEIGHT + share * a.weight:
            found.problems.append(f"{path}: weighs {a.weight}, ours {b.weight}")
            return
        if a.is_leaf and b.is_leaf:
            found.pairs.append((a, b))
            return
        if a.is_leaf or b.is_leaf or not same_question(a.question, b.question):
            found.parted.append(f"{path} (n = {a.weight}): {a.question}, ours {b.question}")
            if judge is None:
                return
            found.problems.extend(replay(a, judge, cases, tested, f"their {path}"))
            found.problems.extend(replay(b, judge, cases, tested, f"our {path}"))
            return
        found.pairs.append((a, b))
        question = b.question
        branches = spread(judge.table, question, cases) if judge else [[] for _ in b.children]
        below = tested | {question.column} if question.kind == "values" else tested
        for i, (one, other) in enumerate(zip(a.children, b.children, strict=True)):
            walk(one, other, branches[i], below, f"{path}/{question.column}:{i}")

    walk(theirs, ours, judge.table.cases() if judge else [], frozenset(), "")
    return found


def replay(node: Grown, judge: Judge, cases: list[Case], tested: frozenset[int], path: str) -> list[str]:
    """List the nodes at which a tree took a test the judge finds worse than another."""
    if not cases:
        return [] if node.is_leaf else [f"{path}: a test without cases"]
    if node.is_leaf:
        wrong = judge.leaf_verdict(cases, tested)
        return [f"{path} (n = {node.weight}): {wrong}"] if wrong else []
    wrong = judge.verdict(cases, tested, node.question)
    found = [f"{path} (n = {node.weight}): {wrong}"] if wrong else []
    below = tested | {node.question.column} if node.question.kind == "values" else tested
    for i, (child, branch) in enumerate(
        zip(node.children, spread(judge.table, node.question, cases), strict=True)
    ):
        found += replay(child, judge, branch, below, f"{path}/{node.question.column}:{i}")
    return found
