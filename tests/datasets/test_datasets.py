"""The bundled tables are the books' tables."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from treewright import datasets
from treewright.errors import TreewrightError

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.mark.parametrize("name", datasets.names())
def test_every_table_fits_its_schema(name):
    columns, target = datasets.load(name)
    declared = datasets.schema(name)
    assert list(columns) == list(declared)
    assert list(columns)[-1] == target
    assert len({len(column) for column in columns.values()}) == 1
    for column, about in declared.items():
        if about["kind"] == "numeric":
            assert columns[column].dtype == np.float64
            assert "categories" not in about
        else:
            assert isinstance(columns[column], list)
            assert set(columns[column]) - {None} <= set(about["categories"])
            assert len(set(about["categories"])) == len(about["categories"])
    assert None not in columns[target]


def test_the_sizes_are_those_of_the_books():
    sizes = {name: len(next(iter(datasets.load(name)[0].values()))) for name in datasets.names()}
    assert sizes == {
        "contact_lenses": 24,
        "golf": 14,
        "loan_lihang": 15,
        "watermelon_20": 17,
        "watermelon_20a": 17,
        "watermelon_20a_density": 17,
        "watermelon_30": 17,
        "weather_nominal": 14,
        "weather_numeric": 14,
    }


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not on this machine")
@pytest.mark.parametrize("name", datasets.names())
def test_every_table_is_the_shared_one(name):
    about = {table["name"]: table for table in json.loads((SHARED / "datasets.json").read_text("utf-8"))}[
        name
    ]
    columns, target = datasets.load(name)
    assert target == about["target"]
    assert list(columns) == [column["name"] for column in about["schema"]]
    declared = datasets.schema(name)
    for column in about["schema"]:
        assert declared[column["name"]]["kind"] == column["type"]
        assert declared[column["name"]].get("categories") == column.get("categories")
    with (SHARED / about["file"]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for column in about["schema"]:
        stored = [row[column["name"]] or None for row in rows]
        if column["type"] == "numeric":
            np.testing.assert_array_equal(columns[column["name"]], np.array(stored, dtype=float))
        else:
            assert columns[column["name"]] == stored


def test_a_gap_is_none_in_categories():
    columns, _ = datasets.load("watermelon_20a")
    assert columns["色泽"][0] is None
    assert sum(value is None for column in columns.values() for value in column) == 13


def test_what_was_loaded_is_the_callers_own():
    columns, _ = datasets.load("golf")
    columns["outlook"][0] = "hail"
    columns["humidity"][0] = -1
    datasets.schema("golf")["outlook"]["categories"].clear()
    again, _ = datasets.load("golf")
    assert again["outlook"][0] == "sunny"
    assert again["humidity"][0] == 85
    assert datasets.schema("golf")["outlook"]["categories"] == ["sunny", "overcast", "rain"]


def test_a_misspelt_name_gets_the_nearest():
    with pytest.raises(
        TreewrightError, match=r"no table is called 'watermelon30'\. Did you mean 'watermelon_30'\?"
    ):
        datasets.load("watermelon30")


def test_a_name_near_none_gets_the_list():
    with pytest.raises(
        TreewrightError, match=r"no table is called 'iris'\. There are 'contact_lenses', 'golf', "
    ):
        datasets.load("iris")


def test_dataframes_take_the_columns_as_they_are():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    columns, _ = datasets.load("watermelon_20a_density")
    from_pandas, from_polars = pandas.DataFrame(columns), polars.DataFrame(columns)
    assert from_pandas["色泽"].isna().sum() == from_polars["色泽"].null_count() == 3
    assert from_polars.schema["色泽"] == polars.String
    assert from_polars.schema["密度"] == polars.Float64


def test_every_file_is_named_in_the_readme():
    folder = Path(datasets.__file__).parent
    readme = (folder / "README.md").read_text("utf-8")
    assert {file.stem for file in folder.glob("*.csv")} == set(datasets.names())
    for name in datasets.names():
        assert f"| `{name}` |" in readme
