"""Grow trees as C4.5 Release 8, J48 and the textbooks do: plain, slow, one function a rule.

Written from the formulas of shared/definitions.md, sections 1.1, 2.1 and 2.2. What the programs do
differently is a number or a switch of `Rules` (naive_c45_rules); no rule asks for a program by its name.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf, log2

from oracle import naive_c45_grouping as grouping
from oracle.naive_c45_rules import (
    EPSILON,
    Rules,
    enough_branches,
    exceeds,
    gain_of,
    reaches,
    split_info_of,
)
from oracle.quinlan_tree import (
    Case,
    Column,
    Grown,
    Question,
    Table,
    Weight,
    class_weights,
    heaviest_class,
    spread,
    total,
)


@dataclass(frozen=True)
class Candidate:
    """What a column offers at a node."""

    question: Question
    gain: float
    split_info: float
    is_counted: bool = True  # in the average
    worth: float | None = None
    middle: float | None = None  # of the two values a cut lies between
    tries: int = 0


@dataclass
class Refusal:
    """Why a column offers nothing."""

    column: int
    reason: str  # "known", "cut", "branches", "tested"
    split_info: float | None = None


# -- One column -------------------------------------------------------------------------------------------


@dataclass
class Growth:
    """A tree being grown; `min_cases` is remembered here because Release 8 can lose it (definitions 2.1)."""

    table: Table
    rules: Rules
    min_cases: float = field(init=False)
    observed: dict[int, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.min_cases = self.rules.min_cases

    def offers(self, cases: list[Case], tested: frozenset[int]) -> list[Candidate | Refusal]:
        """Give what every column offers, in their order; textbook cuts one by one."""
        found: list[Candidate | Refusal] = []
        for number, column in enumerate(self.table.columns):
            if number in tested:
                found.append(Refusal(number, "tested"))
            elif column.is_number:
                found += self.cuts(number, cases)
            elif self.rules.one_against_rest:
                found.append(self.one_value(number, column, cases))
            elif self.rules.group_categories and len(column.categories) > 2:
                found.append(self.groups(number, column, cases))
            else:
                found.append(self.values(number, column, cases))
        return found

    def by_category(
        self, number: int, column: Column, cases: list[Case]
    ) -> tuple[list[list[Weight]], Weight]:
        """Give the class weights of each declared category and the weight of the unknown."""
        inside = [[0] * len(self.table.classes) for _ in column.categories]
        unknown = 0
        values, target = self.table.values[number], self.table.target
        for row, weight in cases:
            value = values[row]
            if value is None:
                unknown += weight
            else:
                inside[value][target[row]] += weight
        return inside, unknown

    def is_counted(self, number: int) -> bool:
        """Many-valued columns are left out of the average, unless all are many-valued."""
        most = self.rules.many_values * len(self.table)
        few = [column.is_number or len(column.categories) < most for column in self.table.columns]
        return few[number] or not any(few)

    def judged(self, question: Question, branches: Sequence[Sequence[Weight]], unknown: Weight) -> Candidate:
        """Score a question by the class weights of its branches."""
        return Candidate(
            question,
            gain_of(branches, unknown, self.rules),
            split_info_of([sum(branch, start=0) for branch in branches], unknown, self.rules),
            self.is_counted(question.column),
        )

    def values(self, number: int, column: Column, cases: list[Case]) -> Candidate | Refusal:
        """A branch a category."""
        inside, unknown = self.by_category(number, column, cases)
        sizes = [sum(one, start=0) for one in inside]
        if not enough_branches(sizes, self.min_cases, self.rules):
            return Refusal(number, "branches", split_info_of(sizes, unknown, self.rules))
        groups = tuple((value,) for value in range(len(column.categories)))
        return self.judged(Question(number, "values", groups=groups), inside, unknown)

    def one_value(self, number: int, column: Column, cases: list[Case]) -> Candidate | Refusal:
        """One category against all others: the one of best ratio, the first on a tie."""
        inside, unknown = self.by_category(number, column, cases)
        best: Candidate | None = None
        for value, mine in enumerate(inside):
            others = [i for i in range(len(inside)) if i != value]
            rest = [sum((inside[i][k] for i in others), start=0) for k in range(len(mine))]
            if not enough_branches([sum(mine, start=0), sum(rest, start=0)], self.min_cases, self.rules):
                continue
            question = Question(number, "one value", groups=((value,), tuple(others)))
            one = self.judged(question, [mine, rest], unknown)
            if best is None or exceeds(
                self.ratio(one, cases), self.ratio(best, cases), self.rules.score_tolerance
            ):
                best = one
        return best or Refusal(number, "branches")

    def groups(self, number: int, column: Column, cases: list[Case]) -> Candidate | Refusal:
        """Categories merged while that raises the ratio (naive_c45_grouping)."""
        inside, unknown = self.by_category(number, column, cases)
        if self.rules.forget_min_cases and not any(map(sum, inside)):
            self.min_cases = 1
        sizes = [sum(one, start=0) for one in inside]
        if not enough_branches(sizes, 1, self.rules):
            return Refusal(number, "branches")
        found = grouping.merged(
            inside,
            score=lambda branches: (
                gain_of(branches, unknown, self.rules),
                split_info_of([sum(branch, start=0) for branch in branches], unknown, self.rules),
            ),
            is_valid=lambda sizes: enough_branches(sizes, self.min_cases, self.rules),
        )
        branches = [grouping.united(inside, group) for group in found]
        if not enough_branches([sum(branch, start=0) for branch in branches], self.min_cases, self.rules):
            return Refusal(number, "branches")
        return self.judged(Question(number, "groups", groups=found), branches, unknown)

    def least_side(self, known: Weight) -> Weight:
        """MinSplit: a side must weigh a tenth of a class's even share, if that is above min_cases."""
        share = self.rules.margin * known / len(self.table.classes)
        if not exceeds(share, self.min_cases, self.rules.weight_tolerance):
            return self.min_cases
        return 25 if exceeds(share, 25, self.rules.weight_tolerance) else share

    def cuts(self, number: int, cases: list[Case]) -> list[Candidate | Refusal]:
        """The best cut of a column by gain, the lowest on a tie, less the cost of having tried so many."""
        rules, values, target = self.rules, self.table.values[number], self.table.target
        order = sorted((values[row], row, weight) for row, weight in cases if values[row] is not None)
        everything = total(cases)
        known = sum((weight for _, _, weight in order), start=0)
        enough = len(order) if rules.known_are_counted else known
        needed = 2 * (self.least_side(known) if rules.known_are_counted else self.min_cases)
        if not reaches(enough, needed, rules):
            return [Refusal(number, "known")]
        unknown = sum((weight for row, weight in cases if values[row] is None), start=0)
        least = self.least_side(known)
        left = [0] * len(self.table.classes)
        right = [0] * len(self.table.classes)
        for _, row, weight in order:
            right[target[row]] += weight
        below, tries, found = 0, 0, []
        for (value, row, weight), (following, _, _) in pairwise(order):
            left[target[row]] += weight
            right[target[row]] -= weight
            below += weight
            if not value + rules.gap < following:
                continue
            if not (reaches(below, least, rules) and reaches(known - below, least, rules)):
                continue
            tries += 1
            if rules.min_cases_after_margin and not (
                reaches(below, self.min_cases, rules) and reaches(known - below, self.min_cases, rules)
            ):
                continue
            middle = (value + following) / 2
            sides = [[max(w, 0) for w in left], [max(w, 0) for w in right]]
            question = Question(number, "cut", cut=middle)
            found.append(replace(self.judged(question, sides, unknown), middle=middle))
        cost = log2(tries) / float(everything) if rules.cost_of_cuts and tries else 0.0
        found = [replace(one, gain=one.gain - cost, tries=tries) for one in found]
        if not rules.every_cut_competes:
            found = self.best_cut(found, cost)
        found = [one for one in found if exceeds(one.gain, 0, rules.score_tolerance)]
        return [self.snapped(one) for one in found] or [Refusal(number, "cut")]

    def best_cut(self, cuts: list[Candidate], cost: float) -> list[Candidate]:
        best: Candidate | None = None
        for one in cuts:
            least = 0.0 if best is None else best.gain + cost
            if exceeds(one.gain + cost, least, self.rules.score_tolerance):
                best = one
        return [] if best is None else [best]

    def snapped(self, candidate: Candidate) -> Candidate:
        """Move a cut down to the next value that the whole table holds."""
        if not self.rules.snap:
            return candidate
        number = candidate.question.column
        if number not in self.observed:
            self.observed[number] = sorted({v for v in self.table.values[number] if v is not None})
        cut = max(value for value in self.observed[number] if value <= candidate.middle)
        return replace(candidate, question=replace(candidate.question, cut=cut))

    # -- The choice ---------------------------------------------------------------------------------------

    def ratio(self, candidate: Candidate, cases: list[Case]) -> float:
        """Gain over split info; no worth at all where split info is as good as none."""
        info = candidate.split_info
        enough = (
            info > self.rules.least_split_info and info * float(total(cases)) > self.rules.least_split_bits
        )
        return candidate.gain / info if enough else self.rules.least_worth

    def average(self, candidates: Sequence[Candidate]) -> float:
        """The mean gain of those that count; without any, more than any gain."""
        counted = [one.gain for one in candidates if one.is_counted]
        return sum(counted) / len(counted) if counted else inf

    def weighed(self, offers: Sequence[Candidate | Refusal], cases: list[Case]) -> list[Candidate]:
        """Give the candidates with their worth; below the average gain there is none."""
        candidates = [one for one in offers if isinstance(one, Candidate)]
        if not self.rules.by_ratio:
            return [replace(one, worth=one.gain) for one in candidates]
        least = self.average(candidates) - self.rules.average_slack
        return [
            replace(one, worth=self.ratio(one, cases) if one.gain >= least else self.rules.least_worth)
            for one in candidates
        ]

    def choose(self, cases: list[Case], tested: frozenset[int]) -> Candidate | None:
        """Give the candidate of most worth, the first on a tie."""
        best: Candidate | None = None
        for one in self.weighed(self.offers(cases, tested), cases):
            least = self.rules.least_worth if best is None else best.worth
            if exceeds(one.worth, least, self.rules.score_tolerance):
                best = one
        return best

    # -- The tree -----------------------------------------------------------------------------------------

    def node(self, cases: list[Case], tested: frozenset[int] = frozenset()) -> Grown:
        """Grow a node and all below it."""
        leaf = leaf_of(self.table, cases)
        if self.must_be_leaf(leaf):
            return leaf
        best = self.choose(cases, tested)
        if best is None:
            return leaf
        question = best.question
        below = tested | {question.column} if question.kind == "values" else tested
        children = tuple(
            self.node(branch, below) if branch else self.empty_leaf(leaf)
            for branch in spread(self.table, question, cases)
        )
        grown = replace(
            leaf,
            question=question,
            children=children,
            errors=sum((child.errors for child in children), start=0),
            gain=best.gain,
            worth=best.worth,
        )
        if self.rules.collapse and self.rules.collapse_bottom_up and grown.errors >= leaf.errors - EPSILON:
            return leaf
        return grown

    def must_be_leaf(self, leaf: Grown) -> bool:
        """One class, or too little weight to part."""
        return not reaches(leaf.weight, 2 * self.min_cases, self.rules) or not exceeds(
            leaf.weight, leaf.class_weights[leaf.label], self.rules.weight_tolerance
        )

    def empty_leaf(self, parent: Grown) -> Grown:
        """A branch no known case takes."""
        if self.rules.empty_leaf_knows_parent:
            return Grown(0, parent.class_weights, parent.label)
        return Grown(0, (0,) * len(parent.class_weights), 0)


def leaf_of(table: Table, cases: list[Case]) -> Grown:
    """Make a leaf of some cases."""
    weights = class_weights(table, cases)
    label = heaviest_class(weights)
    whole = total(cases)
    return Grown(whole, weights, label, errors=whole - weights[label])


def collapsed(node: Grown) -> Grown:
    """Top-down, make a leaf of a subtree that makes no fewer errors than one."""
    if node.is_leaf:
        return node
    alone = node.weight - node.class_weights[node.label]
    if sum((leaf.errors for leaf in node.leaves()), start=0) >= alone - EPSILON:
        return Grown(node.weight, node.class_weights, node.label, errors=alone)
    return replace(node, children=tuple(collapsed(child) for child in node.children))


def grow_below(growth: Growth, cases: list[Case], tested: frozenset[int] = frozenset()) -> Grown:
    """Grow the tree of some cases, collapsed if the rules say so."""
    grown = growth.node(cases, tested)
    rules = growth.rules
    return collapsed(grown) if rules.collapse and not rules.collapse_bottom_up else grown


def grow(table: Table, rules: Rules, cases: list[Case] | None = None) -> Grown:
    """Grow the tree of a table: the one Release 8 prints as unpruned."""
    return grow_below(Growth(table, rules), table.cases() if cases is None else cases)
