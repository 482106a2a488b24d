"""Fit the library by the oracle's rules and say where the two differ."""

import os
from collections.abc import Callable
from dataclasses import fields

import numpy as np
import pytest

import treewright
from oracle.exact_scores import OF_CLASSES, OF_NUMBERS
from oracle.naive_tree import NaiveTree, Node, Rules, acceptable_trees
from oracle.plain_tree import PlainTree, difference, of_estimator, of_nodes
from tables import Table, random_table, smallest_failing

CRITERIA = (*OF_CLASSES, *OF_NUMBERS)

# `make torture` draws this many times the tables.
TIMES = 10 if os.environ.get("TREEWRIGHT_TORTURE") else 1

# What a limit, an order or a pruner does does not depend on the criterion: all blocks of tables for the three
# most used ones, one block for each of the others.
WITH_BLOCKS = [
    (criterion, block)
    for criterion in CRITERIA
    for block in range(4 if criterion in ("gini", "entropy", "squared_error") else 1)
]


def table_for(criterion: str, rng: np.random.Generator, **options) -> Table:
    """Draw a random table whose target suits the criterion."""
    table = random_table(rng, regression=criterion in OF_NUMBERS, **options)
    if criterion != "poisson":
        return table
    y = np.abs(table.y)
    if not (y if table.weights is None else y * table.weights).any():
        y[0 if table.weights is None else table.weights.argmax()] = 1.0
    return Table(table.X, y, table.weights)


def fit(table: Table, rules: Rules, **options):
    """Fit our estimator by these rules; a rule at its default is not passed."""
    options |= {f.name: getattr(rules, f.name) for f in fields(Rules) if getattr(rules, f.name) != f.default}
    kind = (
        treewright.DecisionTreeRegressor
        if rules.criterion in OF_NUMBERS
        else treewright.DecisionTreeClassifier
    )
    return kind(**options).fit(table.X, table.y, sample_weight=table.weights)


def plain(nodes: list[Node], rules: Rules) -> PlainTree:
    """Read a naive tree with values as the estimators give them."""
    return of_nodes(nodes, shares=rules.criterion in OF_CLASSES)


def disagreement(table: Table, rules: Rules, **options) -> str | None:
    """Say where the library's tree differs from every tree the rules allow; None where it is one of them."""
    estimator = fit(table, rules, **options)
    ours = of_estimator(estimator)
    gain = np.asarray(estimator.tree_.gain)
    differences = []
    for nodes in acceptable_trees(table.X, table.y, rules, table.weights):
        expected = plain(nodes, rules)
        found = difference(ours, expected, value_tolerance=1e-12, other_tolerance=1e-9)
        if found is None:
            wanted = [float(node.gain) for node in nodes]
            if np.allclose(gain, wanted, rtol=1e-9, atol=1e-9):
                return None
            found = f"gain is {gain.tolist()}, expected {wanted}"
        differences.append(f"{found}\nours\n{ours.shown()}\nexpected\n{expected.shown()}")
    return differences[0]


def close_calls(table: Table, rules: Rules) -> int:
    """Count comparisons with a limit so close that only exact arithmetic can decide them."""
    return NaiveTree(table.X, table.y, rules, table.weights).grow().close_calls


def check(table: Table, find: Callable[[Table], str | None], what: object = "") -> None:
    """Fail with the smallest table on which `find` still finds something wrong."""
    if find(table) is None:
        return

    def fails(smaller: Table) -> bool:
        try:
            return find(smaller) is not None
        except (ValueError, IndexError):  # the smaller table cannot be fitted at all
            return False

    smallest = smallest_failing(table, fails)
    pytest.fail(f"{what}\n{smallest}\n{find(smallest)}", pytrace=False)


def check_agreement(table: Table, rules: Rules, **options) -> None:
    """Fail, with a small table, where the library and the rules disagree."""
    check(table, lambda t: disagreement(t, rules, **options), f"{rules} {options or ''}")
