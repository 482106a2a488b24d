"""C4.5rules from the definitions (1.1), one row and one rule at a time.

The tree is the library's; it is read node by node, and every test on the way to a leaf is asked of every row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import factorial, log2

import numpy as np

from oracle.naive_c45_pruning import extra_errors
from oracle.naive_c45_rules import RELEASE8
from treewright.model.questions import Question, Threshold
from treewright.model.tree import Tree

EQUAL = 1e-9  # bits; what is nearer is equal

Value = float | int | None
Row = tuple[Value, ...]


@dataclass(frozen=True)
class Test:
    """A branch of a question. A value without a branch fails it, unless the tree sends it down this one."""

    question: Question
    branch: int

    def passes(self, row: Row) -> bool:
        return self.question.branch_of(row[self.question.column]) == self.branch


@dataclass(frozen=True)
class Rule:
    tests: tuple[Test, ...]
    answer: int
    error: float

    def covers(self, row: Row) -> bool:
        return all(test.passes(row) for test in self.tests)


@dataclass(frozen=True)
class Cases:
    """The training rows: values, or None; classes; weights; of each column the number of categories, or 0."""

    rows: Sequence[Row]
    classes: Sequence[int]
    weights: Sequence[int]
    n_classes: int
    n_categories: Sequence[int]

    def weigh(self, kept) -> int:
        return sum(
            w for row, of, w in zip(self.rows, self.classes, self.weights, strict=True) if kept(row, of)
        )


def rules_of(
    tree: Tree, cases: Cases, confidence: float = 0.25, most_tried_all: int = 10
) -> tuple[list[Rule], int]:
    """The rules in order, and the default class."""
    kept = {}
    drafts = generalised(tree, cases, confidence)
    for answer in range(cases.n_classes):
        mine = [rule for rule in drafts if rule.answer == answer]
        kept[answer] = sorted(best_subset(mine, answer, cases, most_tried_all), key=lambda rule: rule.error)
    ordered, default = in_order(kept, cases)
    return without_harm([rule for rule in ordered if rule.error <= 0.7], default, cases), default


def answer_of(rules: Sequence[Rule], default: int, row: Row) -> int:
    """First matching rule fires."""
    return next((rule.answer for rule in rules if rule.covers(row)), default)


# -- 1. A rule per leaf, conditions dropped ---------------------------------------------------------------


def generalised(tree: Tree, cases: Cases, confidence: float) -> list[Rule]:
    total = sum(cases.weights)
    found: dict = {}
    for node in tree.walk():
        if not node.is_leaf or node.weight < 1:
            continue
        answer = int(tree.answer[node.id])
        of_class = cases.weigh(lambda _, of, answer=answer: of == answer)
        default_error = 1 - (of_class + 1) / (total + 2)
        tests = path(tree, node.id)
        error = rates(tests, answer, cases, confidence, default_error)
        while tests:
            without = [tests[:at] + tests[at + 1 :] for at in range(len(tests))]
            errors = [rates(each, answer, cases, confidence, default_error) for each in without]
            if not any(pess <= error[0] or raw <= error[1] for pess, raw in errors):
                break
            at = min(range(len(tests)), key=lambda at: errors[at][0])
            tests, error = without[at], errors[at]
        if tests and error[0] < default_error:
            found.setdefault((answer, meaning(tests, cases)), Rule(tests, answer, error[0]))
    return list(found.values())


def path(tree: Tree, leaf: int) -> tuple[Test, ...]:
    tests: list[Test] = []
    node = tree.node(leaf)
    while node.parent is not None:
        parent = tree.node(node.parent)
        question = parent.question
        if parent.surrogates:
            question = replace(question, missing_branch=-1)
        tests.insert(0, Test(question, parent.children.index(node.id)))
        node = parent
    return tuple(tests)


def rates(tests, answer, cases, confidence, default_error) -> tuple[float, float]:
    """Pessimistic and raw error of a rule with these conditions."""
    covered = cases.weigh(lambda row, _: all(test.passes(row) for test in tests))
    errors = cases.weigh(lambda row, of: of != answer and all(test.passes(row) for test in tests))
    if not covered:
        return default_error, 0.0
    extra = extra_errors(covered, errors, replace(RELEASE8, confidence=confidence))
    return (errors + extra) / covered, errors / covered


def meaning(tests: Sequence[Test], cases: Cases) -> frozenset:
    """What a rule asks of each column: the values that pass, so that rules that say the same are the same."""
    columns = {test.question.column for test in tests}
    return frozenset((column, passing(column, tests, cases)) for column in columns)


def passing(column: int, tests: Sequence[Test], cases: Cases) -> tuple:
    """The values of a column that pass: of numbers, one for every side of every cut."""
    mine = [test for test in tests if test.question.column == column]
    values: list[Value] = list(range(cases.n_categories[column]))
    if not cases.n_categories[column]:
        cuts = sorted({test.question.cut for test in mine} - {np.inf})
        values = [*cuts, np.inf]
    passes = {
        value: all(test.question.branch_of(value) == test.branch for test in mine)
        for value in [None, *values]
    }
    return tuple(value for value in passes if passes[value]), tuple(passes)


# -- 2. The subset of least description length ------------------------------------------------------------


def best_subset(rules: Sequence[Rule], answer: int, cases: Cases, most_tried_all: int) -> list[Rule]:
    n = len(rules)
    of_rule = [{at for at, row in enumerate(cases.rows) if rule.covers(row)} for rule in rules]

    def length(included: tuple[bool, ...]) -> float:
        chosen = [rule for rule, taken in zip(rules, included, strict=True) if taken]
        covered = set().union(*(rows for rows, taken in zip(of_rule, included, strict=True) if taken))
        fires = sum(cases.weights[at] for at in covered)
        wrong = sum(cases.weights[at] for at in covered if cases.classes[at] != answer)
        missed = sum(
            weight
            for at, weight in enumerate(cases.weights)
            if at not in covered and cases.classes[at] == answer
        )
        theory = sum(rule_bits(rule, cases) for rule in chosen) - log2(factorial(len(chosen)))
        return 0.5 * theory + exception_bits(sum(cases.weights), fires, wrong, missed)

    if n <= most_tried_all:
        ends = [tuple(reversed(each)) for each in product((False, True), repeat=n)]
    else:
        draws = np.random.default_rng(0)
        starts = [tuple((draws.random(n) < chance / 10).tolist()) for chance in range(11)]
        ends = [climb(length, start) for start in starts]
    best = first_least(ends, length)
    return [rule for rule, taken in zip(rules, best, strict=True) if taken]


def climb(length, at: tuple[bool, ...]) -> tuple[bool, ...]:
    while True:
        others = [(*at[:i], not at[i], *at[i + 1 :]) for i in range(len(at))]
        best = first_least(others, length)
        if length(best) >= length(at) - EQUAL:
            return at
        at = best


def first_least(subsets, length) -> tuple[bool, ...]:
    lengths = [length(each) for each in subsets]
    return next(each for each, bits in zip(subsets, lengths, strict=True) if bits <= min(lengths) + EQUAL)


def rule_bits(rule: Rule, cases: Cases) -> float:
    n = len(rule.tests)
    return sum(test_bits(test, cases) for test in rule.tests) + log2(n) - log2(factorial(n))


def test_bits(test: Test, cases: Cases) -> float:
    """Which column, and which condition on it."""
    column = test.question.column
    which = log2(len(cases.n_categories))
    if isinstance(test.question, Threshold):
        if test.question.cut == np.inf or test.branch == 2:
            return which + 1
        values = {row[column] for row in cases.rows} - {None}
        return which + 1 + log2(max(1, len(values) - 1))
    n, named = cases.n_categories[column], len(test.question.codes[test.branch])
    return which + (log2(n) if named == 1 else n)


test_bits.__test__ = False  # no test of pytest's


def exception_bits(n: int, fires: int, wrong: int, missed: int) -> float:
    half = (wrong + missed) / 2
    if fires > n / 2:
        return log2(n) + biased(fires, wrong, half) + biased(n - fires, missed, missed)
    return log2(n) + biased(fires, wrong, wrong) + biased(n - fires, missed, half)


def biased(n: int, errors: int, expected: float) -> float:
    bits = 0.0
    if errors:
        bits -= errors * log2(expected / n)
    if n > errors:
        bits -= (n - errors) * log2(1 - expected / n)
    return bits


# -- 3. and 4. Order, default class, harm -----------------------------------------------------------------


def in_order(kept: dict[int, list[Rule]], cases: Cases) -> tuple[list[Rule], int]:
    ordered: list[Rule] = []
    waiting = [answer for answer, rules in kept.items() if rules]

    def is_open(row: Row) -> bool:
        return not any(rule.covers(row) for rule in ordered)

    while waiting:
        wrong = [
            cases.weigh(
                lambda row, of, answer=answer: (
                    of != answer and is_open(row) and any(rule.covers(row) for rule in kept[answer])
                )
            )
            for answer in waiting
        ]
        ordered = ordered + kept[waiting.pop(wrong.index(min(wrong)))]
    left = [cases.weigh(lambda row, of, k=k: of == k and is_open(row)) for k in range(cases.n_classes)]
    whole = [cases.weigh(lambda _, of, k=k: of == k) for k in range(cases.n_classes)]
    default = max(range(cases.n_classes), key=lambda k: (left[k], whole[k], -k))
    return ordered, default


def without_harm(rules: list[Rule], default: int, cases: Cases) -> list[Rule]:
    """Drop the rule without which the most errors are saved, while one saves any."""

    def errors(of_rules: list[Rule]) -> int:
        return cases.weigh(lambda row, of: answer_of(of_rules, default, row) != of)

    while rules:
        saved = [errors(rules) - errors(rules[:at] + rules[at + 1 :]) for at in range(len(rules))]
        if max(saved) <= 0:
            break
        at = saved.index(max(saved))
        rules = rules[:at] + rules[at + 1 :]
    return rules
