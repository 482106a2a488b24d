"""What columns hold, which of them say nothing, and what overrules that."""

import json

import numpy as np
import pandas as pd
import pytest

from treewright.errors import ColumnError, ParameterError
from treewright.files.reader import read_file
from treewright.table.profile import ALL_MISSING, CONSTANT, DROPPED, KEYS, ROW_NUMBERS, describe_columns
from treewright.table.read import Declared, Raw, Table, read

N = 40
SHARED_OTHERWISE = {
    # Digits in the file, so numbers to whoever does not know what they stand for; `kinds` says so.
    ("titanic", "pclass"): "digits: a class of cabins",
    ("auto_mpg", "cylinders"): "digits: declared nominal in the ARFF it comes from",
    ("auto_mpg", "model_year"): "digits: declared nominal in the ARFF it comes from",
    ("auto_mpg", "origin"): "digits: a part of the world",
    ("stagec", "pgstat"): "digits: whether the disease progressed",
}
SHARED_LEFT_OUT = {
    "mushroom": {"veil_type": CONSTANT},
    "hypothyroid": {"TBG_measured": CONSTANT, "TBG": ALL_MISSING},
}


def why(values, name):
    return describe_columns(read({name: values})).columns[0].left_out


@pytest.mark.parametrize(
    ("values", "name", "reason"),
    [
        (np.full(N, np.nan), "x", ALL_MISSING),
        ([None] * N, "x", ALL_MISSING),
        (Declared([None] * N, ["a", "b"]), "x", ALL_MISSING),
        (np.ones(N), "x", CONSTANT),
        (["a"] * N, "x", CONSTANT),
        (Declared(["a"] * N, ["a", "b"]), "x", CONSTANT),
        (np.full(N, np.datetime64("2024-01-01")), "x", CONSTANT),
        ([True] * N, "x", CONSTANT),
        ([None] + ["a"] * (N - 1), "x", ""),  # that it is missing may tell something
        (np.arange(N), "x", ROW_NUMBERS),
        (np.arange(1.0, N + 1), "x", ROW_NUMBERS),
        (np.arange(1990, 1990 + N), "year", ""),
        (np.arange(1, 6), "x", ""),  # may be a measure
        (np.arange(1, 6), "id", ROW_NUMBERS),
        (np.arange(1, 6), "编号", ROW_NUMBERS),
        (np.arange(N)[::-1] * 7, "customer_id", KEYS),
        (np.arange(N)[::-1] * 7, "customerId", KEYS),
        (np.arange(N)[::-1] * 7, "income", ""),
        (np.arange(N) // 2, "shop_id", ""),
        (np.arange(N) / 7, "id", ""),
        ([f"name {at}" for at in range(N)], "x", KEYS),
        ([f"name {at // 2}" for at in range(N)], "x", ""),
        ([f"name {at}" for at in range(8)], "x", ""),
        ([f"name {at}" for at in range(8)], "id", KEYS),
        (Declared([str(at) for at in range(N)], [str(at) for at in range(N)]), "x", ""),
        (np.arange(N).astype("M8[D]"), "x", ""),
        (["a", "b"] * 20, "x", ""),
    ],
)
def test_a_column_that_says_nothing_is_left_out_with_the_reason(values, name, reason):
    assert why(values, name) == reason


def test_a_report_tells_kind_categories_and_gaps():
    data = pd.DataFrame(
        {
            "n": [1.5, None, 2.0, 2.0],
            "big": [2**53 + 1, 0, 1, 5],
            "c": pd.Categorical(["a", None, "a", "b"], categories=["b", "z", "a"]),
            "d": pd.to_datetime(["2024-01-01", None, None, "2024-01-05"]),
            "b": pd.array([True, None, False, True], dtype="boolean"),
        }
    )
    reports = describe_columns(read(data), target="b").columns
    assert [report.name for report in reports] == list(data)
    assert [report.kind for report in reports] == ["number", "integer", "category", "datetime", "category"]
    assert [report.n_categories for report in reports] == [0, 0, 3, 0, 2]
    assert [report.n_missing for report in reports] == [1, 0, 1, 2, 1]
    assert [report.missing_share for report in reports] == [0.25, 0.0, 0.25, 0.5, 0.25]
    assert [report.is_target for report in reports] == [False] * 4 + [True]


def test_a_report_repeats_what_a_reader_noted():
    noted = Raw(np.array([1.5, 2.0]), note="'1,5' is read as 1.5")
    table = Table(("x", "y"), [noted, Raw(np.array([1.0, 2.0]))], 2)
    assert [report.note for report in describe_columns(table).columns] == ["'1,5' is read as 1.5", ""]


def test_a_report_notes_categories_that_nearly_identify_rows():
    """Codes of places, say: half of the rows have their own, and a split on them is learnt by heart."""
    codes = [f"place {at % 60}" for at in range(100)]
    few = [f"place {at % 40}" for at in range(100)]
    table = read({"place": codes, "few": few, "declared": pd.Categorical(codes), "y": codes})
    reports = {report.name: report.note for report in describe_columns(table, target="y").columns}
    assert reports.pop("place") == ""
    assert set(reports.values()) == {""}
    codes = [f"place {at % 70}" for at in range(100)]
    table = read({"place": codes, "few": few, "declared": pd.Categorical(codes), "y": codes})
    reports = {report.name: report.note for report in describe_columns(table, target="y").columns}
    assert reports.pop("place").startswith("most categories occur in one row only")
    assert set(reports.values()) == {""}


def test_keep_and_drop_overrule_and_the_target_stays():
    table = read({"id": np.arange(N), "one": ["a"] * N, "x": np.arange(N) % 5, "y": ["same"] * N})
    profile = describe_columns(table, target="y", keep=["id"], drop=["x"])
    assert profile.left_out == {"one": CONSTANT, "x": DROPPED}
    assert profile.table.names == ("id", "y")
    assert profile.table.n_rows == N
    assert describe_columns(table).table.names == ("x",)


@pytest.mark.parametrize("word", ["keep", "drop", "target"])
def test_names_that_are_not_there_are_refused_with_the_nearest(word):
    told = {word: "agee" if word == "target" else ["agee"]}
    with pytest.raises(ColumnError, match=r"column 'agee' is not in the table. Did you mean 'age'\?"):
        describe_columns(read({"age": [1, 2]}), **told)


def test_contradictions_are_refused():
    table = read({"age": [1, 2], "y": [0, 1]})
    with pytest.raises(ParameterError, match="column 'age' is to be kept and to be dropped"):
        describe_columns(table, keep=["age"], drop=["age"])
    with pytest.raises(ParameterError, match="column 'y' is the target and cannot be dropped"):
        describe_columns(table, target="y", drop=["y"])


def test_kinds_and_gaps_of_the_shared_tables_are_found(shared):
    """All are those of `datasets.json`, but for columns of digits that only their source calls categories."""
    for about in json.loads((shared / "data" / "datasets.json").read_text("utf-8")):
        table = read_file(shared / "data" / about["file"])
        profile = describe_columns(table, target=about["target"])
        assert table.n_rows == about["rows"]
        assert table.names == tuple(column["name"] for column in about["schema"])
        assert profile.left_out == SHARED_LEFT_OUT.get(about["name"], {})
        gaps = {report.name: report.n_missing for report in profile.columns if report.n_missing}
        assert gaps == about["missing_by_column"]
        otherwise = set()
        for column, report in zip(about["schema"], profile.columns, strict=True):
            if (column["type"] == "categorical") != (report.kind == "category"):
                otherwise.add((about["name"], report.name))
        assert otherwise == {each for each in SHARED_OTHERWISE if each[0] == about["name"]}
        told = {name: "category" for _, name in otherwise}
        reports = describe_columns(read_file(shared / "data" / about["file"], kinds=told)).columns
        for column, report in zip(about["schema"], reports, strict=True):
            assert (column["type"] == "categorical") == (report.kind == "category")
