"""The least change of a row by trying all: one value in each interval between cuts, each category.

A number moves by the share of the column's cuts that lie between, a category or a value that was missing
by 1. Nothing is taken away. What the library predicts for every row so made decides.
"""

import itertools
import math
from fractions import Fraction

import numpy as np


def is_gap(value):
    return value is None or value != value  # noqa: PLR0124 - NaN


def cuts_of(tree, schema, column):
    """List the cuts of a column that the tree asks about, surrogates included; edges where it was binned."""
    if schema.columns[column].bins:
        return list(schema.columns[column].bins.edges)
    questions = [node.question for node in tree.walk() if node.question is not None]
    questions += [surrogate.question for node in tree.walk() for surrogate in node.surrogates]
    cuts = {question.cut for question in questions if question.column == column and hasattr(question, "cut")}
    return sorted(cut for cut in cuts if math.isfinite(cut))


def has_order(about):
    return not about.is_category or about.bins is not None


def values_of(tree, schema, column, value):
    """List the value itself and one for every place it could move to."""
    about = schema.columns[column]
    if not has_order(about):
        others = list(about.categories)
    else:
        cuts = cuts_of(tree, schema, column)
        if not cuts:
            others = [0.0]
        else:
            between = [(low + high) / 2 for low, high in itertools.pairwise(cuts)]
            others = [cuts[0] - 1, *between, cuts[-1] + 1]
    return [value, *(other for other in others if moves(tree, schema, column, value, other))]


def moves(tree, schema, column, before, after):
    """Tell how far a value moved; 0 where the tree cannot tell the two apart."""
    if is_gap(before) or is_gap(after):
        return Fraction(int(not (is_gap(before) and is_gap(after))))
    about = schema.columns[column]
    if not has_order(about):
        return Fraction(int(before != after))
    cuts = cuts_of(tree, schema, column)
    crossed = sum((before <= cut) != (after <= cut) for cut in cuts)
    return Fraction(crossed, len(cuts)) if crossed else Fraction(0)


def cost_of(tree, schema, row, changed):
    """Give columns changed and distance."""
    distances = [
        moves(tree, schema, at, row[name], changed[name])
        for at, name in enumerate(schema.names)
        if not (is_gap(row[name]) and is_gap(changed[name])) and row[name] != changed[name]
    ]
    return len(distances), sum(distances, start=Fraction(0))


def every_row(estimator, row):
    """Make all rows that could matter: as a table, their costs, what changed, and what is said of them."""
    model = estimator.model_
    tree, schema = model.tree, model.schema
    choices = [values_of(tree, schema, at, row[name]) for at, name in enumerate(schema.names)]
    distances = [
        [moves(tree, schema, at, row[name], value) if i else Fraction(0) for i, value in enumerate(values)]
        for at, (name, values) in enumerate(zip(schema.names, choices, strict=True))
    ]
    picks = list(itertools.product(*(range(len(values)) for values in choices)))
    table = {name: [choices[at][pick[at]] for pick in picks] for at, name in enumerate(schema.names)}
    costs = [
        (
            sum(1 for i in pick if i),
            sum((distances[at][i] for at, i in enumerate(pick)), start=Fraction(0)),
        )
        for pick in picks
    ]
    changed = np.array([[i > 0 for i in pick] for pick in picks])
    return table, costs, changed, estimator.predict(table)


def least_cost(costs, changed, answers, is_wanted, kept):
    """Give the least cost of a row that gets an answer wanted, None where there is none."""
    allowed = ~changed[:, kept].any(axis=1)
    return min(
        (cost for cost, answer, ok in zip(costs, answers, allowed, strict=True) if ok and is_wanted(answer)),
        default=None,
    )
