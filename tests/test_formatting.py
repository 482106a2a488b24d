"""Numbers are written for people in one module, so that the same number looks the same everywhere."""

import ast
import math
import re
from pathlib import Path

import pytest

import treewright
from treewright import formatting
from treewright.formatting import (
    format_count,
    format_number,
    format_percent,
    format_score,
    format_value,
    format_weight,
    format_with_error,
)
from treewright.grid import Grid

SRC = Path(treewright.__file__).parent
# Coordinates and widths of lines for programs that draw; numbers beyond what a float holds.
NOT_FOR_PEOPLE = {"export/svg.py", "export/dot.py", "export/html.py", "errors.py"}


def float_formats_of(file):
    """Find formats such as `:.3f` in f-strings, and formats of digits that are filled in."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            spec = "".join(
                str(each.value) for each in node.format_spec.values if isinstance(each, ast.Constant)
            )
            if re.search("[efgEFG%]$", spec):
                yield f"{file.relative_to(SRC).as_posix()}:{node.lineno}"


def test_only_one_module_formats_fractions():
    assert list(float_formats_of(Path(formatting.__file__))), "the search finds what it is for"
    found = [
        place
        for file in sorted(SRC.rglob("*.py"))
        if file != Path(formatting.__file__) and file.relative_to(SRC).as_posix() not in NOT_FOR_PEOPLE
        for place in float_formats_of(file)
    ]
    assert found == []


def test_nothing_else_is_imported_by_the_module():
    names = {
        alias.name
        for node in ast.walk(ast.parse(Path(formatting.__file__).read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert names <= {"math", "numpy"}


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0%"),
        (1e-9, "<1%"),
        (0.005, "0%"),
        (0.015, "2%"),
        (0.994, "99%"),
        (0.995, ">99%"),
        (math.nextafter(1.0, 0.0), ">99%"),
        (1.0, "100%"),
    ],
)
def test_only_nothing_is_0_percent_and_only_the_whole_100(share, text):
    assert format_percent(share) == text


def test_large_numbers_have_no_exponent_wherever_they_are_shown():
    assert format_number(1234567.0) == format_value(1234567.0) == format_weight(1234567.0) == "1234567"
    assert format_weight(1234567.5) == "1234568"
    assert "1234567" in str(Grid({"value": [1234567.0]}))
    assert format_number(1e300) == "1e+300"


def test_scores_that_are_no_numbers_keep_their_names():
    assert [format_score(value) for value in (math.inf, -math.inf, math.nan)] == ["inf", "-inf", "nan"]
    assert format_score(-0.0) == "0"


def test_errors_that_are_unknown_or_extreme_leave_four_digits():
    assert format_with_error(0.123456, math.nan) == "0.1235 ± nan"
    assert format_with_error(0.123456, 1e-9) == "0.1235 ± 1e-09"
    assert format_with_error(math.nan, 0.1) == ""


def test_a_plural_may_be_irregular():
    assert [format_count(n, "leaf", "leaves") for n in (0, 1, 2)] == ["0 leaves", "1 leaf", "2 leaves"]
