"""Grow ID3 trees: categories only, a branch each, the column of most gain."""

from oracle.naive_c45 import leaf_of
from oracle.naive_c45_rules import RELEASE8, gain_of
from oracle.quinlan_tree import Case, Grown, Question, Table, spread

NO_GAIN = 1e-6


def gains(table: Table, cases: list[Case], tested: frozenset[int] = frozenset()) -> dict[int, float]:
    """Give the gain of every column not yet tested."""
    found = {}
    for number, column in enumerate(table.columns):
        if number not in tested:
            inside = [[0] * len(table.classes) for _ in column.categories]
            for row, weight in cases:
                inside[table.values[number][row]][table.target[row]] += weight
            found[number] = gain_of(inside, 0, RELEASE8)
    return found


def grow(table: Table, cases: list[Case] | None = None, tested: frozenset[int] = frozenset()) -> Grown:
    """Grow until no column gains anything; a branch without cases is a leaf of no weight."""
    cases = table.cases() if cases is None else cases
    leaf = leaf_of(table, cases)
    found = gains(table, cases, tested)
    if not found or max(found.values()) <= NO_GAIN:
        return leaf
    best = max(found.values())
    column = next(number for number, gain in found.items() if gain >= best - RELEASE8.score_tolerance)
    groups = tuple((value,) for value in range(len(table.columns[column].categories)))
    question = Question(column, "values", groups=groups)
    children = tuple(
        grow(table, branch, tested | {column}) if branch else Grown(0, (0,) * len(table.classes), leaf.label)
        for branch in spread(table, question, cases)
    )
    return Grown(
        leaf.weight, leaf.class_weights, leaf.label, question, children, leaf.errors, gain=found[column]
    )
