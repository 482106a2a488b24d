"""Conditions merge, and mean what they say."""

import numpy as np
import pytest

from treewright.model.conditions import Condition, Detour, condition_of, merged, spans_of_bins
from treewright.model.questions import Branches, Threshold
from treewright.schema import Bins, Column, Numbers, Schema

HUE = Column("hue", "category", categories=("red", "green", "blue", "grey"), has_missing=True)
SIZE = Column("size", has_missing=True)
SCHEMA = Schema((SIZE, HUE), Numbers())


def test_a_merged_condition_is_met_by_what_meets_both():
    rng = np.random.default_rng(0)
    codes = np.array([-1, 0, 1, 2, 3], dtype=np.int32)
    numbers = np.array([np.nan, 0.0, 1.0, 2.0, 3.0, 4.0])
    for _ in range(300):
        pair = []
        for _ in range(2):
            branches = rng.integers(-1, 3, 4)
            sets = tuple(tuple(np.flatnonzero(branches == at).tolist()) for at in range(3))
            question = Branches(1, sets, int(rng.integers(-1, 3)))
            pair.append(condition_of(question, int(rng.integers(3))))
        both = pair[0].meets(codes) & pair[1].meets(codes)
        assert (pair[0] & pair[1]).meets(codes).tolist() == both.tolist()
        cuts = [
            Threshold(0, float(rng.choice([0.5, 1.0, 3.5, np.inf])), int(rng.integers(-1, 3)))
            for _ in range(2)
        ]
        pair = [condition_of(cut, int(rng.integers(3))) for cut in cuts]
        both = pair[0].meets(numbers) & pair[1].meets(numbers)
        assert (pair[0] & pair[1]).meets(numbers).tolist() == both.tolist()


def test_a_condition_agrees_with_its_question():
    for missing in (-1, 0, 1):
        question = Branches(1, ((0, 2), (3,)), missing)
        for branch in (0, 1):
            met = condition_of(question, branch).meets(np.array([-1, 0, 1, 2, 3, 7], dtype=np.int32))
            assert met.tolist() == [question.branch_of(code) == branch for code in (None, 0, 1, 2, 3, 7)]
        cut = Threshold(0, 2.5, missing)
        for branch in (0, 1):
            met = condition_of(cut, branch).meets(np.array([np.nan, 2.5, 2.6]))
            assert met.tolist() == [cut.branch_of(value) == branch for value in (None, 2.5, 2.6)]


def test_a_float32_is_compared_as_the_number_it_is():
    condition = Condition(0, high=0.1, missing=False)
    assert condition.meets(np.array([0.1], dtype=np.float32)).tolist() == [False]  # a little more than 0.1


def test_whole_numbers_are_compared_exactly():
    values = np.array([2**60, 2**60 + 1, np.iinfo(np.int64).min])
    assert Condition(0, high=2**60, missing=False).meets(values).tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (Condition(0, low=0.38, high=0.64, missing=False), "0.38 < size ≤ 0.64"),
        (Condition(0, high=2.0), "size ≤ 2 or missing"),
        (Condition(0, missing=False), "size is known"),
        (Condition(0, known=False), "size is missing"),
        (Condition(0, low=1.0, high=1.0 + 1e-12, missing=False), "1.0 < size ≤ 1.000000000001"),
        (condition_of(Branches(1, ((0, 2), (1,)), 1), 0), "hue in {red, blue}"),
        (condition_of(Branches(1, ((0, 2), (1,)), 1), 1), "hue = green or missing"),
        (condition_of(Branches(1, ((0, 1), ()), 1), 1), "hue is missing"),
        (condition_of(Branches(1, ((0, 1), ()), 1), 0), "hue is known"),
    ],
)
def test_conditions_are_written_for_people(condition, text):
    assert condition.describe(SCHEMA) == text


def test_intervals_side_by_side_are_one():
    column = Column("x", "category", categories=("a", "b", "c"), bins=Bins((1.0, 4.0)))
    schema = Schema((column,), Numbers())
    named = frozenset({0, 1, 2})
    assert Condition(0, codes=frozenset({1, 2}), named=named, missing=False).describe(schema) == "x > 1"
    assert Condition(0, codes=frozenset({1}), named=named, missing=False).describe(schema) == "1 < x ≤ 4"
    assert Condition(0, codes=frozenset({0, 2}), named=named, missing=False).describe(schema) == "x in {a, c}"
    assert spans_of_bins(SIZE, frozenset({0})) == ()


def test_conditions_are_merged_by_column_in_order():
    a, b, c = Condition(1, low=0.0), Condition(0, low=1.0), Condition(1, high=9.0)
    assert merged([a, b, c]) == (Condition(1, 0.0, 9.0), b)


def test_a_detour_asks_the_first_column_that_has_a_value():
    detour = Detour(
        0,
        None,
        instead=(
            Condition(1, codes=frozenset({0}), named=frozenset({0, 1}), missing=False),
            Condition(2, low=5.0, missing=False),
        ),
        otherwise=0.25,
    )
    size = np.array([1.0, np.nan, np.nan, np.nan, np.nan, np.nan])
    hue = np.array([1, 0, 1, 2, -1, 3], dtype=np.int32)
    third = np.array([0.0, 0.0, 9.0, 9.0, 5.0, np.nan])
    assert detour.shares([size, hue, third]).tolist() == [1.0, 1.0, 0.0, 1.0, 0.0, 0.25]
