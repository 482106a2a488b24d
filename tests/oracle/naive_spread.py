"""Rows in shares, slow and obvious: whoever has no value for a question goes down every branch of it.

A cut is scored by the rows with a value, and the score multiplied by what the penalty makes of the share of
the weight that has none. A row without a value goes down each branch with as much of its weight as the branch
has of the weight with a value; a new row as the weights of the children are. Like `naive_questions` this
judges a tree that is there, node by node. Weights are fractions, exact; the core rounds shares to about 1e-13
of the total, so what it says is compared within 1e-9.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from oracle.exact_scores import OF_CLASSES, PREFER_EVEN_SIDES
from oracle.naive_questions import (
    Rows,
    classes,
    decrease,
    deviations,
    is_allowed,
    known_parts,
    unevenness,
    weighted_impurity,
    worth,
)

TOLERANCE = 1e-9


def factor(penalty, unknown):
    """What a score is multiplied by where this share of the weight has no value."""
    return {"linear": 1 - unknown, "quadratic": 1 - unknown**2, None: Fraction(1)}[penalty]


def is_close(one, other, scale):
    return abs(float(one) - float(other)) <= TOLERANCE * max(float(scale), 1e-9)


class Node:
    """Rows that are at a node in shares: a weight for each, 0 for those that are not there."""

    def __init__(self, table: Rows, criterion: str, penalty: str | None):
        self.table, self.criterion, self.penalty = table, criterion, penalty
        self.rows = [row for row, weight in enumerate(table.weights) if weight]
        self.weight = sum(table.weights)

    def known(self, column):
        return [row for row in self.rows if not self.table.is_missing(column, row)]

    def weight_of(self, rows):
        return sum((self.table.weights[row] for row in rows), start=Fraction(0))

    def scored(self, column, parts):
        """Worth of a question and what it takes off weight times impurity."""
        share = self.weight_of(self.known(column)) / self.weight
        times = factor(self.penalty, 1 - share)
        fall = decrease(self.table, parts, self.criterion)
        # Decreases are sums over rows; a score is one for each unit of weight.
        falls = fall / float(share) * float(times) if isinstance(fall, float) else fall / share * times
        if self.criterion != "gain_ratio":
            return falls, falls
        return worth(self.table, parts, self.criterion) * float(times), falls

    def best(self, column, kind):
        """Worth of the best question on a column, None where it has none."""
        scores = [
            self.scored(column, parts)[0]
            for parts in known_parts(self.table, column, self.known(column), kind)
            if is_allowed(self.table, parts, self.criterion)
        ]
        return max(scores, default=None)

    def most_even(self, column):
        """Unevenness of the most even one of the best cuts of a column of numbers."""
        parted = [*known_parts(self.table, column, self.known(column), "subset")]
        return min((-self.scored(column, parts)[0], unevenness(self.table, parts)) for parts in parted)[1]

    def parted(self, column, parts):
        """The rows of every branch, those without a value in shares."""
        sizes = [self.weight_of(part) for part in parts]
        missing = [row for row in self.rows if self.table.is_missing(column, row)]
        children = []
        for part, size in zip(parts, sizes, strict=True):
            weights = [Fraction(0)] * len(self.table.weights)
            for row in part:
                weights[row] = self.table.weights[row]
            for row in missing:
                weights[row] = self.table.weights[row] * size / sum(sizes)
            children.append(Node(replace(self.table, weights=tuple(weights)), self.criterion, self.penalty))
        return children


def branch_of(tree, schema, node, value):
    """The branch that a value takes, None for every branch."""
    question = tree.question(node)
    if value is None or value != value:  # noqa: PLR0124 - NaN
        return None
    column = schema.columns[question.column]
    if not column.is_category:
        return 0 if value <= question.cut else 1
    branch = question.branch_of_label(schema, value)
    return None if branch < 0 else branch


def problems(estimator, table: Rows, kind: str, criterion: str, penalty: str | None) -> Iterator[str]:
    """Say at which nodes a fitted tree is not what the definition says."""
    tree, schema = estimator.tree_, estimator.model_.schema
    exact = replace(table, y=tuple(map(Fraction, table.y)), weights=tuple(map(Fraction, table.weights)))
    total = sum(exact.weights)
    gains = np.zeros(len(table.columns))
    stack = [(0, Node(exact, criterion, penalty))]
    while stack:
        i, here = stack.pop()
        node = tree.node(i)
        yield from problems_of_content(tree, i, here, total)
        if not here.rows:
            if not node.is_leaf:
                yield f"node {i} is parted though no row is there"
            continue
        is_pure = len({table.y[row] for row in here.rows}) == 1
        best = [None if is_pure else here.best(column, kind) for column in range(len(table.columns))]
        usable = [score for score in best if score is not None]
        if node.is_leaf:
            if usable:
                yield f"node {i} is a leaf though columns could part it: {best}"
            continue
        if not usable:
            yield f"node {i} was parted though it is pure or no column can part it"
            continue
        column = int(tree.column[i])
        groups = [[] for _ in node.children]
        for row in here.known(column):
            groups[branch_of(tree, schema, i, table.columns[column][row])].append(row)
        value, fall = here.scored(column, [group for group in groups if group])
        gains[column] += float(fall / total)
        # Logarithms leave some noise where nothing is to be had.
        impurity = weighted_impurity(here.table, here.rows, criterion)
        scale = max(*usable, (1 if criterion == "gain_ratio" else impurity) * 1e-4)
        if value < max(usable) and not is_close(value, max(usable), scale):
            yield f"node {i} is worth {float(value)}, {float(max(usable))} could be had: {best}"
        # Ties go to the lowest column.
        if any(score is not None and is_close(score, value, scale * 1e-3) for score in best[:column]):
            yield f"node {i} asks about column {column}, though a lower one is as good: {best}"
        # Where shares are rounded, what ties here need not tie there.
        is_exact = all(weight.denominator == 1 for weight in here.table.weights)
        if criterion in PREFER_EVEN_SIDES and is_exact and not table.is_category[column]:
            apart = unevenness(here.table, groups)
            if apart != here.most_even(column):
                yield f"node {i} has sides {apart} apart, {here.most_even(column)} is as good"
        if not is_close(node.gain, fall / total, max(here.weight / total, node.gain)):
            yield f"node {i} says its gain is {node.gain}, it is {float(fall / total)}"
        if node.question.missing_branch != -1:
            yield f"node {i} sends missing values to branch {node.question.missing_branch}"
        stack += zip(node.children, here.parted(column, groups), strict=True)
    importances = gains / gains.sum() if gains.sum() > 0 else gains
    if not np.allclose(estimator.feature_importances_, importances, rtol=1e-9, atol=1e-9):
        yield f"importances are {estimator.feature_importances_}, expected {importances}"


def problems_of_content(tree, i: int, here: Node, total) -> Iterator[str]:
    """Compare what a node says of its rows; one that no row reaches says what its parent does."""
    node = tree.node(i)
    if node.n_rows != len(here.rows):
        yield f"node {i} says {node.n_rows} rows, it has {len(here.rows)}"
    if not is_close(node.weight, here.weight, total):
        yield f"node {i} weighs {node.weight}, expected {float(here.weight)}"
    if not here.rows:
        return
    impurity = weighted_impurity(here.table, here.rows, here.criterion) / here.weight
    if not is_close(node.impurity, impurity, max(1, impurity)):
        yield f"node {i} says impurity {node.impurity}, it is {float(impurity)}"
    if here.criterion in OF_CLASSES:
        expected = classes(here.table, here.rows)
        for label, got in enumerate(node.outcome):
            if not is_close(got, expected.get(label, 0), total):
                yield f"node {i} says class {label} weighs {got}, it is {float(expected.get(label, 0))}"
        return
    (got,) = node.outcome
    if here.criterion == "absolute_error":
        # Where half the weight lies on either side any number between is a median; shares are rounded.
        distances = [here.table.weights[row] * abs(here.table.y[row] - Fraction(got)) for row in here.rows]
        least = deviations(here.table, here.rows, here.weight, here.criterion)
        if not is_close(sum(distances), least, here.weight):
            yield f"node {i} answers {got}, no median"
        return
    mean = sum(here.table.weights[row] * here.table.y[row] for row in here.rows) / here.weight
    if not is_close(got, mean, 1):
        yield f"node {i} answers {got}, the mean is {float(mean)}"


def shares_of_row(estimator, row) -> dict[int, float]:
    """How much of a new row passes each node; `row` gives a value for every column."""
    tree, schema = estimator.tree_, estimator.model_.schema
    passed = {}
    stack = [(0, 1.0)]
    while stack:
        i, share = stack.pop()
        passed[i] = share
        node = tree.node(i)
        if node.is_leaf:
            continue
        branch = branch_of(tree, schema, i, row[node.question.column])
        if branch is not None:
            stack.append((node.children[branch], share))
            continue
        weights = [tree.node(child).weight for child in node.children]
        for child, weight in zip(node.children, weights, strict=True):
            if weight > 0:
                stack.append((child, share * weight / sum(weights)))
    return passed


def problems_of_answers(estimator, X: dict, n_rows: int) -> Iterator[str]:
    """Say which answers to the rows of a table are not what the definition says."""
    tree = estimator.tree_
    path = estimator.decision_path(X).toarray()
    applied = estimator.apply(X)
    answers = estimator.predict(X)
    shares = estimator.predict_proba(X) if tree.is_classifier else None
    for row in range(n_rows):
        passed = shares_of_row(estimator, [values[row] for values in X.values()])
        expected = np.zeros(tree.n_nodes)
        expected[list(passed)] = list(passed.values())
        if not np.allclose(path[row], expected, rtol=0, atol=1e-12):
            yield f"row {row} passes {path[row]}, expected {expected}"
        leaves = {i: share for i, share in passed.items() if tree.column[i] < 0}
        if leaves.get(int(applied[row]), 0) < max(leaves.values()) - 1e-12:
            yield f"row {row} is said to be in leaf {applied[row]} of {leaves}"
        outcome = sum(share * tree.shares[i] for i, share in leaves.items())
        if shares is None:
            if not np.isclose(answers[row], outcome[0], rtol=1e-9, atol=1e-9):
                yield f"row {row} is answered {answers[row]}, expected {outcome}"
            continue
        if not np.allclose(shares[row], outcome, rtol=0, atol=1e-9):
            yield f"row {row} has the shares {shares[row]}, expected {outcome}"
        at = int(np.flatnonzero(estimator.classes_ == answers[row])[0])
        if outcome[at] < outcome.max() - 1e-12:
            yield f"row {row} is answered {answers[row]} of {outcome}"
