"""Datetimes and durations: counted exactly, written for people."""

import numpy as np
import pytest

from treewright.errors import ColumnTypeError
from treewright.table.datetimes import count, describe_datetime, describe_duration, finest_unit


@pytest.mark.parametrize(
    ("value", "unit", "finest"),
    [
        ("2262-01-01", "D", "ns"),
        ("2263-01-01", "D", "us"),
        ("0001-01-01", "D", "us"),
        (10**17, "s", "s"),
        (10**15, "ms", "us"),
        ("NaT", "D", "ns"),
        (5, "25s", "ns"),
        (2, "W", "ns"),
        (3, "M", "ns"),
    ],
)
def test_the_unit_is_the_finest_that_holds_all_values(value, unit, finest):
    assert finest_unit(np.array([value], dtype=f"datetime64[{unit}]"), "a") == finest


def test_steps_of_several_units_are_counted():
    assert count(np.array([2], dtype="datetime64[25s]"), "s", "a").tolist() == [50]


def test_months_of_a_calendar_are_counted_by_their_first_day():
    assert count(np.array(["1970-02"], dtype="datetime64[M]"), "s", "a").tolist() == [31 * 86400]


@pytest.mark.parametrize("dtype", ["datetime64[ps]", "timedelta64[M]", "timedelta64[fs]"])
def test_units_without_a_whole_number_of_nanoseconds_are_refused(dtype):
    with pytest.raises(ColumnTypeError, match="column 'a' is of type"):
        finest_unit(np.array([1], dtype=dtype), "a")


def test_the_other_byte_order_is_understood():
    assert count(np.array([7], dtype=">M8[s]"), "s", "a").tolist() == [7]


@pytest.mark.parametrize(
    ("text", "unit", "written"),
    [
        ("2024-02-29", "ns", "2024-02-29"),
        ("2024-02-29T12:30", "s", "2024-02-29 12:30:00"),
        ("2024-02-29T12:30:00.250", "us", "2024-02-29 12:30:00.25"),
        ("2024-02-29T00:00:00.000000001", "ns", "2024-02-29 00:00:00.000000001"),
    ],
)
def test_a_datetime_is_written_as_short_as_it_is(text, unit, written):
    value = int(np.datetime64(text).astype(f"datetime64[{unit}]").astype(np.int64))
    assert describe_datetime(value, unit) == written


@pytest.mark.parametrize(
    ("value", "unit", "written"),
    [
        (0, "s", "00:00:00"),
        (86_400, "s", "1 day"),
        (3 * 86_400 + 1, "s", "3 days 00:00:01"),
        (-1_500, "ms", "-00:00:01.5"),
    ],
)
def test_a_duration_is_written_as_days_and_a_clock(value, unit, written):
    assert describe_duration(value, unit) == written
