"""Columns given another kind than the one they came with."""

import pytest

from files.written import kind_and_values
from treewright.errors import ColumnError
from treewright.files.recast import recast
from treewright.table.read import read


def column(values):
    return read({"a": values}).columns[0]


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ([3, 1, 3], "category", ("category", ["3", "1", "3"])),
        ([3.0, None, 1.5], "category", ("category", ["3", None, "1.5"])),
        ([True, None], "text", ("category", ["True", None])),
        (["1", "2"], "number", ("whole", [1, 2])),
        (["true", None], "boolean", ("boolean", [True, None])),
        ([True, False], "number", ("whole", [1, 0])),
        ([True, False], "boolean", ("boolean", [True, False])),
        ([1, 2], None, ("whole", [1, 2])),
    ],
)
def test_a_column_takes_the_kind_it_is_given(values, kind, expected):
    assert kind_and_values(recast(column(values), kind, "a")) == expected


def test_texts_become_datetimes():
    raw = recast(column(["2024-01-01", None, "2024-01-02"]), "datetime", "a")
    assert raw.values.astype("M8[D]").astype(str).tolist() == ["2024-01-01", "NaT", "2024-01-02"]


@pytest.mark.parametrize(
    ("values", "kind", "text"),
    [
        (["1", "2", "x"], "number", "column 'a' holds 'x' in row 2, which is not a number"),
        ([3, 1, 3], "datetime", "'a' holds numbers, which cannot be read as a datetime"),
    ],
)
def test_values_that_are_not_of_the_kind_are_refused(values, kind, text):
    with pytest.raises(ColumnError, match=text):
        recast(column(values), kind, "a")
