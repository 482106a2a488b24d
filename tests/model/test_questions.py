"""Questions: which branch, and how it reads."""

import math

import pytest

from treewright.formatting import format_threshold
from treewright.model.questions import ROOM, Branches, Surrogate, Threshold
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


def test_missing_rows_with_a_branch_of_their_own_are_told_apart():
    column = Column("age", has_missing=True)
    texts = [describe(column, 35.5, branch, missing_branch=2) for branch in range(3)]
    assert texts == ["age <= 35.5", "age > 35.5", "age is missing"]
    assert Threshold(0, 35.5, missing_branch=2).branch_of(None) == 2


def in_branches(branch_of_code, n_branches):
    """List the categories of each branch."""
    return tuple(
        tuple(code for code, branch in enumerate(branch_of_code) if branch == at) for at in range(n_branches)
    )


class TestBranches:
    """Questions about categories."""

    def describe(self, branches, missing_branch, categories=("rain", "overcast", "sunny"), has_missing=True):
        column = Column("outlook", "category", categories=categories, has_missing=has_missing)
        n_branches = max(*branches, missing_branch) + 1
        question = Branches(0, in_branches(branches, n_branches), missing_branch)
        return [question.describe(Schema((column,), Numbers()), branch) for branch in range(n_branches)]

    def test_one_category_is_named_and_several_are_listed(self):
        texts = self.describe([0, 0, 1], 0, has_missing=False)
        assert texts == ["outlook in {rain, overcast}", "outlook = sunny"]

    def test_missing_is_mentioned_where_it_goes(self):
        assert self.describe([0, 0, 1], 1) == ["outlook in {rain, overcast}", "outlook = sunny or missing"]
        assert self.describe([0, 1, 2], 3)[2:] == ["outlook = sunny", "outlook is missing"]

    def test_known_is_told_from_missing(self):
        assert self.describe([0, 0, -1], 1) == ["outlook is known", "outlook is missing"]

    def test_a_category_without_a_branch_is_not_listed_and_counts_as_missing(self):
        assert self.describe([1, -1, 0], 0, has_missing=False) == ["outlook = sunny", "outlook = rain"]
        question = Branches(0, in_branches([1, -1, 0], 2), missing_branch=0)
        assert [question.branch_of(code) for code in (0, 1, 2, None, -1, 3)] == [1, 0, 0, 0, 0, 0]

    def test_a_long_list_is_whole_and_shortened_with_its_count_where_room_is_short(self):
        categories = tuple(f"town {each}" for each in range(100))
        text, other = self.describe([0] * 99 + [1], 0, categories, has_missing=False)
        assert text == f"outlook in {{{', '.join(categories[:99])}}}"
        assert other == "outlook = town 99"
        question = Branches(0, in_branches([0] * 99 + [1], 2), missing_branch=0)
        schema = Schema((Column("outlook", "category", categories=categories),), Numbers())
        short = question.condition(schema, room=ROOM)
        assert short == "in {town 0, town 1, town 2, town 3, town 4, ... 94 more}"

    def test_labels_that_would_be_misread_are_quoted(self):
        texts = self.describe([0, 0, 1], 0, ("a, b", "", "plain text"), has_missing=False)
        assert texts == ["outlook in {'a, b', ''}", "outlook = plain text"]

    def test_numbers_and_booleans_read_as_they_are(self):
        assert self.describe([0, 0, 1], 0, (2, 7.5, 30), False) == ["outlook in {2, 7.5}", "outlook = 30"]
        assert self.describe([0, 1], 0, (False, True), False) == ["outlook = False", "outlook = True"]

    def test_a_label_finds_its_branch(self):
        schema = Schema((Column("a", "category", categories=("x", "y")),), Numbers())
        question = Branches(0, ((1,), (0,)), missing_branch=1)
        assert [question.branch_of_label(schema, label) for label in ("x", "y", "z", None)] == [1, 0, 1, 1]


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
    assert format_threshold(value) == text


class TestSurrogate:
    """Questions asked where the node's own has no answer."""

    SCHEMA = Schema(
        (Column("age"), Column("outlook", "category", categories=("rain", "overcast", "sunny"))), Numbers()
    )

    def test_a_cut_may_send_low_values_to_the_second_branch(self):
        surrogate = Surrogate(Threshold(0, 35.5, -1), is_reversed=True, agree=0.9, adjusted=0.5, n_placed=0)
        assert [surrogate.branch_of(value) for value in (35.5, 36.0, None, float("nan"))] == [
            1,
            0,
            None,
            None,
        ]
        assert [surrogate.describe(self.SCHEMA, branch) for branch in (0, 1)] == ["age > 35.5", "age <= 35.5"]

    def test_a_category_without_a_side_cannot_be_placed(self):
        surrogate = Surrogate(
            Branches(1, ((2,), (0,)), -1), is_reversed=False, agree=0.9, adjusted=0.5, n_placed=0
        )
        assert [surrogate.branch_of(code) for code in (0, 1, 2, None)] == [1, None, 0, None]
        assert surrogate.describe(self.SCHEMA) == "outlook = sunny"


TOWNS = Column("town", "category", has_missing=True, categories=("a", "b", "c, d", "e"))


def test_a_condition_is_the_description_without_the_name():
    schema = Schema((TOWNS, Column("age", has_missing=True)), Numbers())
    for question in (
        Threshold(1, 35.5, missing_branch=1),
        Threshold(1, math.inf, missing_branch=1),
        Branches(0, ((0, 2), (1,), (3,)), missing_branch=1),
        Branches(0, ((0, 1, 2, 3), ()), missing_branch=1),
    ):
        name = schema.columns[question.column].name
        for branch in range(2):
            described = question.describe(schema, branch)
            assert described == f"{name} {question.condition(schema, branch)}"
            assert question.is_for_missing(branch) == described.endswith("is missing")
            assert question.shares_missing(schema, branch) == described.endswith("or missing")


def test_a_set_of_categories_takes_as_much_room_as_it_is_given():
    schema = Schema((TOWNS,), Numbers())
    question = Branches(0, ((0, 1, 2), (3,)), missing_branch=-1)
    assert question.texts(schema, 0) == ["a", "b", "'c, d'"]
    assert question.condition(schema, 0) == "in {a, b, 'c, d'}"
    assert question.condition(schema, 0, room=6) == "in {a, b, ... 1 more}"
    assert question.condition(schema, 0, room=0) == "in {a, ... 2 more}"


def test_chinese_categories_take_double_room():
    schema = Schema((Column("色泽", "category", categories=tuple("甲乙丙丁戊")),), Numbers())
    question = Branches(0, ((0, 1, 2, 3), (4,)), missing_branch=-1)
    assert question.condition(schema, 0, room=16) == "in {甲, 乙, 丙, 丁}"
    assert question.condition(schema, 0, room=15) == "in {甲, 乙, 丙, ... 1 more}"
