"""Shapley values from the formula: every coalition, every node, one question at a time.

v(S) walks the tree. At a node the column that decides for the row is the one asked about or, where the row
has no value there, that of the first surrogate that can tell. If it is in S the row goes where it goes in
predicting; if not, down every branch by training weight.
"""

import itertools
import math

from treewright.model.questions import Branches


def is_gap(value):
    return value is None or value != value  # noqa: PLR0124 - NaN


def compared(question, value, schema):
    """Give the value as the question compares it, None for a gap and for an unknown category."""
    if is_gap(value):
        return None
    if isinstance(question, Branches):
        categories = schema.columns[question.column].categories
        return categories.index(value) if value in categories else None
    return value


def own_branch(question, value):
    """Give the branch of a value, None where it has none."""
    if value is None:
        return None
    if isinstance(question, Branches):
        return next((at for at, codes in enumerate(question.codes) if value in codes), None)
    return 0 if value <= question.cut else 1


def decision(node, row, schema):
    """Say which column decides at a node, and which branch the row takes; None for every branch."""
    question = node.question
    branch = own_branch(question, compared(question, row[question.column], schema))
    if branch is not None:
        return question.column, branch
    for surrogate in node.surrogates:
        asked = surrogate.question
        branch = own_branch(asked, compared(asked, row[asked.column], schema))
        if branch is not None:
            is_other_way = surrogate.is_reversed and not isinstance(asked, Branches)
            return asked.column, 1 - branch if is_other_way else branch
    return question.column, None if question.missing_branch < 0 else question.missing_branch


def value(tree, outcomes, schema, row, coalition, at=0):
    """Give v(S) below a node, a list with a number for each outcome."""
    node = tree.node(at)
    if node.is_leaf:
        return list(outcomes[at])
    column, branch = decision(node, row, schema)
    if column in coalition and branch is not None:
        return value(tree, outcomes, schema, row, coalition, node.children[branch])
    weights = [tree.node(child).weight for child in node.children]
    if sum(weights) == 0:
        weights = [1.0] * len(weights)
    below = [value(tree, outcomes, schema, row, coalition, child) for child in node.children]
    return [
        sum(weight * each[k] for weight, each in zip(weights, below, strict=True)) / sum(weights)
        for k in range(len(outcomes[0]))
    ]


def shapley_values(tree, outcomes, schema, row):
    """List the values of every column: a list with a number for each outcome."""
    n, n_outcomes = tree.n_columns, len(outcomes[0])
    v = {
        frozenset(coalition): value(tree, outcomes, schema, row, frozenset(coalition))
        for size in range(n + 1)
        for coalition in itertools.combinations(range(n), size)
    }
    found = [[0.0] * n_outcomes for _ in range(n)]
    for column in range(n):
        for coalition, without in v.items():
            if column in coalition:
                continue
            s = len(coalition)
            weight = math.factorial(s) * math.factorial(n - s - 1) / math.factorial(n)
            for k in range(n_outcomes):
                found[column][k] += weight * (v[coalition | {column}][k] - without[k])
    return found
