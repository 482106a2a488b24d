"""Every door agrees on which values are missing: arrays, frames, dicts, single rows and files."""

import re
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import treewright
import treewright as tw
from treewright.files.reader import read_file
from treewright.files.rules import MISSING, MISSING_AMONG_NUMBERS
from treewright.missing_values import is_missing, is_missing_code, is_missing_value
from treewright.table.encode import encode, encode_as
from treewright.table.read import Declared, read

MISSING_VALUES = [
    None,
    float("nan"),
    np.float32("nan"),
    np.float64("nan"),
    Decimal("NaN"),
    pd.NA,
    pd.NaT,
    np.datetime64("NaT"),
    np.timedelta64("NaT"),
]
NOT_MISSING = [0, "", "NaN", False, np.inf, -1, np.iinfo(np.int64).min]
KNOWN = {
    "number": (1.5, 2.5),
    "integer": (2**53 + 1, 2**53 + 3),
    "category": ("a", "b"),
    "datetime": (pd.Timestamp("2024-01-01"), pd.Timestamp("2025-01-01")),
}
EXPECTED = [False, True, False]
SRC = Path(treewright.__file__).parent


def objects(values):
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


TABLES = {
    "array": lambda values: objects(values)[:, None],
    "list of lists": lambda values: [[value] for value in values],
    "dict of lists": lambda values: {"x0": list(values)},
    "dict of arrays": lambda values: {"x0": objects(values)},
    "pandas": lambda values: pd.DataFrame({"x0": objects(values)}),
    "masked array": lambda values: np.ma.MaskedArray(
        objects(values)[:, None], mask=[[False], [True], [False]]
    ),
}
ROWS = {
    "dict": lambda value: {"x0": value},
    "dict of lists": lambda value: {"x0": [value]},
    "list": lambda value: [value],
    "array": lambda value: objects([value]),
    "series": lambda value: pd.Series(objects([value]), index=["x0"]),
    "table": lambda value: pd.DataFrame({"x0": objects([value])}),
}


def test_no_other_module_decides_what_is_missing():
    """NaT, NA and values that differ from themselves are the business of one module."""
    own_test = re.compile(r"isnat\(|NAType|(?<![\w.])(\w+) != \1\b(?!\.)")
    found = {path.name for path in SRC.rglob("*.py") if own_test.search(path.read_text("utf-8"))}
    assert found - {"fields.py"} == {"missing_values.py"}  # a model file writes NaN among its arrays as null


@pytest.mark.parametrize("value", MISSING_VALUES, ids=repr)
def test_one_value_and_an_array_of_them_agree(value):
    assert is_missing_value(value)
    assert is_missing(objects([1, value])).tolist() == [False, True]


@pytest.mark.parametrize("value", NOT_MISSING, ids=repr)
def test_other_values_are_not_missing(value):
    assert not is_missing_value(value)
    assert is_missing(objects([value])).tolist() == [False]


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("kind", KNOWN)
@pytest.mark.parametrize("value", MISSING_VALUES, ids=repr)
def test_every_table_agrees_in_training(make, kind, value):
    first, last = KNOWN[kind]
    table = read(make([first, value, last]))
    codes, columns = encode(table)
    assert columns[0].kind == kind
    assert is_missing_code(codes[0]).tolist() == EXPECTED
    assert table.columns[0].is_missing().tolist() == EXPECTED


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("kind", KNOWN)
@pytest.mark.parametrize("value", MISSING_VALUES, ids=repr)
def test_every_table_agrees_at_prediction(make, kind, value):
    first, last = KNOWN[kind]
    _, columns = encode(read({"x0": [first, last]}))
    codes = encode_as(columns, read(make([first, value, last])).columns)
    assert is_missing_code(codes[0]).tolist() == EXPECTED


@pytest.fixture(scope="module")
def models():
    """A tree for each kind of column, that sends missing values to a class of their own."""
    return {
        kind: tw.DecisionTreeClassifier(missing="branch", min_samples_leaf=1).fit(
            {"x0": [first, first, None, None, last, last]}, [0, 0, 1, 1, 2, 2]
        )
        for kind, (first, last) in KNOWN.items()
    }


@pytest.mark.parametrize("make", ROWS.values(), ids=ROWS)
@pytest.mark.parametrize("kind", KNOWN)
@pytest.mark.parametrize("value", MISSING_VALUES, ids=repr)
def test_a_single_row_agrees(make, kind, value, models):
    model = models[kind]
    row = make(value)
    assert model.explain(row).answer == 1
    if isinstance(row, dict):
        assert model.predict(row).tolist() == [1]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([1.5, None, 2.5]),
        pl.Series(["a", None, "b"]),
        pl.Series([True, None, False]),
        pa.chunked_array([[1, None, 2]]),
        pa.chunked_array([pa.array(["a", None, "b"]).dictionary_encode()]),
        pd.Series([1, None, 2], dtype="Int64"),
        pd.Series(["a", None, "b"], dtype="string"),
        pd.Series(pd.Categorical(["a", None, "b"])),
        Declared(["a", None, "b"], ["a", "b"]),
        Declared(["a", pd.NA, "b"], ["a", "b"]),
        np.array(["2024", "NaT", "2025"], dtype="datetime64[D]"),
        np.ma.MaskedArray([1, 0, 2], mask=[False, True, False]),
    ],
    ids=lambda column: f"{type(column).__module__.split('.')[0]} {getattr(column, 'dtype', '')}",
)
def test_containers_with_missing_values_of_their_own_agree(column):
    table = read({"x0": column})
    assert table.columns[0].is_missing().tolist() == EXPECTED
    assert is_missing_code(encode(table)[0][0]).tolist() == EXPECTED


@pytest.mark.parametrize("text", ["", '""', " ", *MISSING, *MISSING_AMONG_NUMBERS])
def test_a_text_that_means_no_value_is_missing_in_a_file(text, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(f"x0,x1\n1.5,a\n{text},b\n2.5,c\n")
    assert read_file(path).columns[0].is_missing().tolist() == EXPECTED


def test_every_format_of_files_agrees(tmp_path):
    (tmp_path / "t.csv").write_text("x0\n1.5\n?\n2.5\n")
    (tmp_path / "t.jsonl").write_text('{"x0": 1.5}\n{"x0": null}\n{"x0": 2.5}\n')
    (tmp_path / "t.arff").write_text("@relation t\n@attribute x0 numeric\n@data\n1.5\n?\n2.5\n")
    for name, value in (("null.parquet", None), ("nan.parquet", float("nan"))):
        pyarrow.parquet.write_table(pa.table({"x0": [1.5, value, 2.5]}), tmp_path / name)
    for path in tmp_path.iterdir():
        assert read_file(path).columns[0].is_missing().tolist() == EXPECTED, path.name
