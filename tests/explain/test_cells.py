"""Columns as cells: which is nearest, how sets of them read, and which value stands for one."""

from fractions import Fraction
from math import inf, nextafter

import numpy as np
import pytest

from treewright.explain.cells import Axis, count_above, number_above
from treewright.model.questions import Branches, Threshold
from treewright.schema import Bins, Column

LENGTH = Axis(Column("length"), cuts=(1.5, 2.5, 4.0), n_cells=4, here=1)
COLOUR = Axis(Column("colour", "category", categories=("blue", "green", "red")), (), 3, here=2)


def test_the_nearest_cell_is_the_one_across_the_fewest_cuts_and_of_equals_the_lower():
    axis = Axis(Column("x"), (1.0, 2.0, 3.0, 4.0, 5.0), n_cells=6, here=3)
    assert axis.nearest(0b111111) == 3
    assert axis.nearest(0b100011) == 1  # both two away
    assert axis.nearest(0b100001) == 5
    assert axis.nearest(0b000011) == 1
    assert axis.nearest(0b110000) == 4


def test_the_distance_is_the_share_of_cuts_between():
    assert [LENGTH.distance(cell) for cell in range(4)] == [Fraction(1, 3), 0, Fraction(1, 3), Fraction(2, 3)]
    assert [COLOUR.distance(cell) for cell in range(3)] == [1, 1, 0]
    assert COLOUR.nearest(0b011) == 0
    gap = Axis(Column("length"), (1.5, 2.5), n_cells=3, here=3)
    assert (gap.nearest(0b1000), gap.nearest(0b110), gap.distance(2)) == (3, 1, 1)


def test_questions_part_the_cells():
    assert LENGTH.branches(Threshold(0, 2.5, 0), 2) == [0b0011, 0b1100]
    assert LENGTH.branches(Threshold(0, 2.5, 2), 3) == [0b0011, 0b1100, 0]
    assert LENGTH.branches(Threshold(0, inf, 1), 2) == [0b1111, 0]
    assert COLOUR.branches(Branches(0, ((0, 2), (1,)), -1), 2) == [0b101, 0b010]


def test_sets_of_cells_read_as_conditions():
    texts = [LENGTH.describe(cells) for cells in (0b0001, 0b0011, 0b1100, 0b0100, 0b1111)]
    assert texts == ["≤ 1.5", "≤ 2.5", "> 2.5", "in (2.5, 4]", "any value"]
    assert (COLOUR.describe(0b010), COLOUR.describe(0b011)) == ("green", "one of {blue, green}")


def test_of_cells_apart_from_each_other_the_nearest_piece_is_told():
    binned = Column(
        "x", "category", categories=("<= 1", "(1, 2]", "(2, 3]", "> 3"), bins=Bins((1.0, 2.0, 3.0))
    )
    axis = Axis(binned, (1.0, 2.0, 3.0), n_cells=4, here=3)
    assert axis.describe(0b0101) == "in (2, 3]"
    assert axis.describe(0b0011) == "≤ 2"


def test_the_value_is_the_one_next_to_the_cut():
    assert LENGTH.value(0b0001, 2.0) == 1.5
    assert LENGTH.value(0b1100, 2.0) == 2.6
    assert LENGTH.value(0b1000, 2) == 5
    assert isinstance(LENGTH.value(0b1000, 2), int)
    assert isinstance(LENGTH.value(0b1000, 2.0), float)
    assert COLOUR.value(0b011, "red") == "blue"


@pytest.mark.parametrize("seed", range(3))
def test_a_number_above_lies_in_its_interval_however_narrow(seed):
    rng = np.random.default_rng(seed)
    for _ in range(300):
        low = float(rng.normal() * 10.0 ** rng.integers(-300, 300))
        high = rng.choice([inf, low + abs(low) * 10.0 ** -rng.integers(0, 20), nextafter(low, inf)])
        high = max(float(high), nextafter(low, inf))
        assert low < number_above(low, high) <= high


def test_a_count_above_lies_in_its_interval_however_narrow():
    rng = np.random.default_rng(0)
    for unit in ("", "s", "ms", "us", "ns"):
        for _ in range(200):
            low = int(rng.integers(-(2**60), 2**60) // 10 ** rng.integers(0, 18))
            high = low + int(10 ** rng.integers(0, 18))
            assert low < count_above(low, high, unit) <= high
