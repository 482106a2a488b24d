"""Questions: which branch, and how it reads."""

import math

import pytest

from treewright.model.questions import Threshold, short_number
from treewright.schema import Column, Numbers, Schema


def describe(column, cut, branch=0, missing_branch=1):
    return Threshold(0, cut, missing_branch).describe(Schema((column,), Numbers()), branch)


@pytest.mark.parametrize(
    ("value", "branch"), [(35.5, 0), (35.6, 1), (None, 1), (math.nan, 1), (-math.inf, 0)]
)
def test_a_value_up_to_the_cut_takes_the_first_branch(value, branch):
    assert Threshold(0, 35.5, missing_branch=1).branch_of(value) == branch


def test_an_infinite_cut_parts_known_from_missing():
    question = Threshold(0, math.inf, missing_branch=1)
    assert (question.branch_of(1e300), question.branch_of(None)) == (0, 1)


@pytest.mark.parametrize(
    ("column", "cut", "texts"),
    [
        (Column("age"), 35.5, ("age <= 35.5", "age > 35.5")),
        (Column("age", has_missing=True), 35.5, ("age <= 35.5", "age > 35.5 or missing")),
        (Column("age", has_missing=True), math.inf, ("age is known", "age is missing")),
        (Column("id", "integer"), 2**53 + 1, ("id <= 9007199254740993", "id > 9007199254740993")),
        (Column("day", "datetime", "s"), 1709164800, ("day <= 2024-02-29", "day > 2024-02-29")),
        (
            Column("at", "datetime", "s", "UTC"),
            1709164801,
            ("at <= 2024-02-29 00:00:01 UTC", "at > 2024-02-29 00:00:01 UTC"),
        ),
        (Column("wait", "duration", "s"), 90, ("wait <= 00:01:30", "wait > 00:01:30")),
    ],
)
def test_a_question_reads_as_the_condition_of_each_branch(column, cut, texts):
    assert (describe(column, cut, 0), describe(column, cut, 1)) == texts


def test_missing_is_mentioned_where_it_goes():
    assert (
        describe(Column("age", has_missing=True), 35.5, branch=0, missing_branch=0)
        == "age <= 35.5 or missing"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.38149999999999995, "0.3815"),
        (0.10000000149011612, "0.1"),
        (35.5, "35.5"),
        (-2.0, "-2"),
        (1234567.5, "1234567.5"),
        (16777217.5, "16777217.5"),
        (1e15, "1000000000000000"),
        (1.5e-9, "1.5e-09"),
        (2.5e30, "2.5e+30"),
        (0.0, "0"),
    ],
)
def test_numbers_are_written_short_but_never_on_the_other_side_of_a_whole_number(value, text):
    assert short_number(value) == text
