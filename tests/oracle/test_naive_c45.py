"""The oracle of C4.5 itself: figures the programs print, and behaviours seen (definitions 2 and 3)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from oracle import naive_c45_grouping, naive_c45_pruning
from oracle.naive_c45 import Candidate, Growth, grow
from oracle.naive_c45_reduced import folds
from oracle.naive_c45_rules import J48, RELEASE8
from oracle.quinlan_tree import Column, Table, total

SUNNY, OVERCAST, RAIN = range(3)
PLAY, DONT = range(2)
GOLF = [  # outlook, temperature, humidity, windy, class: Quinlan 1993
    (SUNNY, 75, 70, 0, PLAY),
    (SUNNY, 80, 90, 0, DONT),
    (SUNNY, 85, 85, 1, DONT),
    (SUNNY, 72, 95, 1, DONT),
    (SUNNY, 69, 70, 1, PLAY),
    (OVERCAST, 72, 90, 0, PLAY),
    (OVERCAST, 83, 78, 1, PLAY),
    (OVERCAST, 64, 65, 0, PLAY),
    (OVERCAST, 81, 75, 1, PLAY),
    (RAIN, 71, 80, 0, DONT),
    (RAIN, 65, 70, 0, DONT),
    (RAIN, 75, 80, 1, PLAY),
    (RAIN, 68, 80, 1, PLAY),
    (RAIN, 70, 96, 1, PLAY),
]
COLUMNS = (
    Column("outlook", ("sunny", "overcast", "rain")),
    Column("temperature"),
    Column("humidity"),
    Column("windy", ("true", "false")),
)


def golf(*, unknown: int | None = None) -> Table:
    """Give the golf table, the outlook of one row unknown if wanted."""
    rows = [(None, *row[1:]) if i == unknown else row for i, row in enumerate(GOLF)]
    *values, target = zip(*rows, strict=True)
    return Table(COLUMNS, tuple(values), ("Play", "Don't Play"), target)


def xor() -> Table:
    values = ((0, 0, 1, 1) * 4, (0, 1, 0, 1) * 4)
    columns = (Column("a", ("0", "1")), Column("b", ("0", "1")))
    return Table(columns, values, ("no", "yes"), tuple(a ^ b for a, b in zip(*values, strict=True)))


def offers(table: Table, rules=RELEASE8, rows=None) -> dict[str, Candidate]:
    cases = table.cases() if rows is None else [(row, 1.0) for row in rows]
    found = Growth(table, rules).offers(cases, frozenset())
    return {table.columns[one.question.column].name: one for one in found if isinstance(one, Candidate)}


def test_the_root_of_golf_scores_as_release_8_prints():
    found = offers(golf())
    assert set(found) == {"outlook", "windy"}  # numbers: no gain
    assert found["outlook"].gain == pytest.approx(0.247, abs=5e-4)
    assert found["outlook"].split_info == pytest.approx(1.577, abs=5e-4)
    assert found["windy"].gain == pytest.approx(0.048, abs=5e-4)
    assert found["windy"].split_info == pytest.approx(0.985, abs=5e-4)
    assert Growth(golf(), RELEASE8).average(list(found.values())) == pytest.approx(0.147, abs=5e-4)


def test_an_unknown_outlook_is_a_branch_of_its_own_in_split_info():
    found = offers(golf(unknown=8))["outlook"]
    assert found.gain == pytest.approx(0.199, abs=5e-4)
    assert found.split_info == pytest.approx(1.809, abs=5e-4)


def test_a_cut_pays_for_having_been_one_of_two():
    """Sunny days: 0.971 bits, less log2(2) / 5."""
    assert offers(golf(), rows=range(5))["humidity"].gain == pytest.approx(0.771, abs=5e-4)


def test_release_8_solves_xor_and_j48_does_not():
    """A gain of nothing may win in Release 8; J48 wants a ratio above zero."""
    assert len(list(grow(xor(), RELEASE8).leaves())) == 4
    assert grow(xor(), J48).is_leaf


@pytest.mark.parametrize(
    ("n", "e", "release8", "j48"),
    [
        (6, 0, 1.237797, 1.237797),
        (9, 0, 1.284804, 1.284804),
        (1, 0, 0.75, 0.75),
        (16, 1, 1.506894, 1.475715),
        (168, 1, 1.610055, 1.573759),
        (14, 5, 1.794993, 1.76112),
        (5, 2, 1.239583, 1.221972),
        (10, 0.5, 1.367556, 1.353528),
        (2, 1.6, 0.268, 0.4),
    ],
)
def test_extra_errors_are_the_programs(n, e, release8, j48):
    assert naive_c45_pruning.extra_errors(n, e, RELEASE8) == pytest.approx(release8, abs=5e-6)
    assert naive_c45_pruning.extra_errors(n, e, J48) == pytest.approx(j48, abs=5e-6)


def test_the_union_of_two_groups_keeps_the_first_place_and_the_last_group_moves():
    assert naive_c45_grouping.merge([(0,), (1,), (2,), (3,)], 0, 2) == [(0, 2), (1,), (3,)]


def test_golf_groups_sunny_and_rain_and_may_ask_again():
    """As `-s` prints it: 8 nodes, 7 once pruned, for overcast is excluded above the second question."""
    rules = replace(RELEASE8, group_categories=True)
    grown = grow(golf(), rules)
    assert grown.question.groups == ((SUNNY, RAIN), (OVERCAST,))
    assert len(list(grown.walk())) == 8
    assert len(list(naive_c45_pruning.prune(grown, golf(), rules).walk())) == 7


def test_fractions_of_unknown_cases_add_up_to_the_whole():
    table = golf(unknown=8)
    grown = grow(table, replace(RELEASE8, min_cases=1), table.cases(Fraction(1)))
    assert sum(leaf.weight for leaf in grown.leaves()) == total(table.cases(Fraction(1)))


def test_a_third_of_each_class_is_held_out():
    growing, out = folds(golf().target, 3)
    assert sorted(growing + out) == list(range(14))
    assert [golf().target[row] for row in out].count(DONT) in (1, 2)
    assert len(out) == 4
