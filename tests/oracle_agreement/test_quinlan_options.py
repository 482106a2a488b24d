"""Two options of C4.5, `group_categories` and `reduced_error_folds`, beside the oracle on random tables."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from golden.library_learner import Library, frame_of, grown_of, target_of, variant_of
from oracle import naive_c45, naive_c45_pruning, naive_c45_reduced
from oracle.agreement import TIMES
from oracle.naive_c45_reduced import folds
from oracle.naive_c45_rules import J48, RELEASE8, TEXTBOOK
from oracle.quinlan_tree import Column, Table
from oracle.replay_c45 import Judge, compare
from treewright import C45Classifier
from treewright.fitting.held_out import last_fold

RULES = {"release8": RELEASE8, "j48": J48, "textbook": TEXTBOOK}


def random_table(rng, n_rows: int, *, gaps: float) -> Table:
    """Draw columns of categories, of which some are rare, and of numbers that tell something of the class."""
    n_classes = int(rng.integers(2, 4))
    target = rng.integers(n_classes, size=n_rows)
    target[:n_classes] = range(n_classes)
    columns, values = [], []
    for number in range(int(rng.integers(2, 5))):
        n_categories = int(rng.integers(0, 8))
        if n_categories < 2:
            columns.append(Column(f"c{number}"))
            drawn = (target + rng.integers(0, 4, size=n_rows)).astype(float)
        else:
            columns.append(Column(f"c{number}", tuple(map(str, range(n_categories)))))
            favoured = rng.integers(n_categories, size=(n_classes, n_categories))[target]
            drawn = favoured[np.arange(n_rows), rng.integers(n_categories, size=n_rows)]
        is_gap = rng.random(n_rows) < gaps
        values.append(
            tuple(None if gap else value for gap, value in zip(is_gap, drawn.tolist(), strict=True))
        )
    return Table(tuple(columns), tuple(values), tuple(map(str, range(n_classes))), tuple(target.tolist()))


@pytest.mark.parametrize("gaps", [0.0, 0.15])
@pytest.mark.parametrize("variant", RULES)
def test_categories_are_merged_as_by_the_oracle(variant, gaps):
    """Where the two part, both tests must be worth as much to the oracle: its sums are not exact."""
    rng = np.random.default_rng(20)
    same = 0
    n_tables = 40 * TIMES
    for _ in range(n_tables):
        table = random_table(rng, int(rng.integers(8, 90)), gaps=gaps)
        rules = replace(RULES[variant], group_categories=True, min_cases=float(rng.integers(1, 4)))
        fitted = Library().c45(table, rules)
        expected = naive_c45.grow(table, rules)
        found = compare(expected, fitted.unpruned, Judge(table, rules))
        assert not found.problems, (table, found.problems)
        same += found.same
        again = naive_c45_pruning.prune(fitted.unpruned, table, rules)
        assert compare(again, fitted.pruned, None).same, table
    assert same >= 0.8 * n_tables


def table_of_parts(rng, n_rows: int) -> Table:
    """Draw a table of which whole parts lack a value: what one column says leaves others without meaning."""
    plain = random_table(rng, n_rows, gaps=0.1)
    part = rng.integers(3, size=n_rows)
    target = np.where(rng.random(n_rows) < 0.5, part % len(plain.classes), plain.target)
    values = [(Column("part", ("0", "1", "2")), tuple(part.tolist()))]
    for column, known in zip(plain.columns, plain.values, strict=True):
        has_none = rng.choice(3, size=int(rng.integers(0, 3)), replace=False)
        is_gap = np.isin(part, has_none) & (rng.random(n_rows) < 0.98)
        values.append(
            (column, tuple(None if gap else value for gap, value in zip(is_gap, known, strict=True)))
        )
    columns, cells = zip(*(values[i] for i in rng.permutation(len(values))), strict=True)
    return Table(columns, cells, plain.classes, tuple(target.tolist()))


def test_the_least_weight_is_lost_as_by_the_oracle():
    """Release 8 goes on with 1 once a column has no known value in a node (definitions 2.1).

    The oracle counts in fractions here, so no tie excuses another tree. The least weights asked for lie above
    1 and below it; what was lost shows in the columns after the one that lost it, and in later nodes.
    """
    rng = np.random.default_rng(22)
    n_tables, shown = 60 * TIMES, 0
    for _ in range(n_tables):
        table = table_of_parts(rng, int(rng.integers(20, 90)))
        cases = table.cases(Fraction(1))
        rules = replace(
            RELEASE8,
            group_categories=True,
            min_cases=float(rng.choice([0.25, 2, 2.5, 4])),
            collapse=bool(rng.integers(2)),
        )
        fitted = Library().c45(table, rules)
        found = compare(naive_c45.grow(table, rules, cases), fitted.unpruned, None)
        assert found.same, (table, rules, found.parted)
        again = naive_c45_pruning.prune(fitted.unpruned, table, rules, cases)
        assert compare(again, fitted.pruned, None).same, (table, rules)
        kept = naive_c45.grow(table, replace(rules, forget_min_cases=False), cases)
        shown += not compare(kept, fitted.unpruned, None).same
    assert shown >= 0.3 * n_tables


@pytest.mark.parametrize("seed", range(20 * TIMES))
def test_the_rows_held_out_are_the_oracles(seed):
    rng = np.random.default_rng(seed)
    n_folds = int(rng.integers(2, 6))
    target = rng.integers(rng.integers(1, 5), size=int(rng.integers(n_folds, 60)))
    is_last = last_fold(target, np.ones(len(target), dtype=bool), n_folds)
    assert np.flatnonzero(is_last).tolist() == sorted(folds(target.tolist(), n_folds)[1])


@pytest.mark.parametrize("gaps", [0.0, 0.15])
@pytest.mark.parametrize("variant", RULES)
def test_held_out_rows_prune_as_by_the_oracle(variant, gaps):
    rng = np.random.default_rng(21)
    same = 0
    n_tables = 30 * TIMES
    for _ in range(n_tables):
        table = random_table(rng, int(rng.integers(12, 120)), gaps=gaps)
        rules = replace(RULES[variant], reduced_error_folds=int(rng.integers(2, 5)), collapse=False)
        estimator = C45Classifier(variant=variant_of(rules), reduced_error_folds=rules.reduced_error_folds)
        estimator.fit(frame_of(table), target_of(table))
        grown = grown_of(estimator, estimator.model_.grown, table)
        pruned = grown_of(estimator, estimator.tree_, table)
        cases = [(row, 1.0) for row in folds(table.target, rules.reduced_error_folds)[1]]
        again, _ = naive_c45_reduced.pruned(grown, table, cases, rules)
        assert compare(again, pruned, None).same, table
        same += compare(naive_c45_reduced.grow(table, rules)[0], grown, None).same
    assert same >= 0.8 * n_tables


@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("rules", [RELEASE8, J48], ids=["release8", "j48"])
def test_sides_lighter_than_a_branch_are_offered_by_j48_alone(rules, gaps):
    """A side of a cut need weigh no more than 25; Release 8 then holds it to min_cases too, J48 does not.

    Up to version 0.1 which of the two was done hung on whether the table had missing values.
    """
    rng = np.random.default_rng(23)
    for _ in range(2 * TIMES):
        numbers = rng.permutation(1000)
        target = (numbers < 30) | (rng.random(1000) < 0.1)
        is_gap = rng.random(1000) < gaps
        values = tuple(
            None if gap else float(number) for gap, number in zip(is_gap, numbers.tolist(), strict=True)
        )
        table = Table((Column("number"),), (values,), ("0", "1"), tuple(target.astype(int).tolist()))
        asked = replace(rules, min_cases=40.0, collapse=False)
        grown = Library().c45(table, asked).unpruned
        assert compare(naive_c45.grow(table, asked), grown, None).same
        other = replace(asked, min_cases_after_margin=not rules.min_cases_after_margin)
        assert not compare(naive_c45.grow(table, other), grown, None).same
